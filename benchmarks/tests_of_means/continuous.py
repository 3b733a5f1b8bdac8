"""Margins of AP: of four smooth distributions on [0, 1], the one with the least AIC.

Those of simIReff (Urbano and Nagler, SIGIR 2018): the normal distribution cut at 0 and 1, the beta distribution, and
two estimates by kernels, normal and cut or beta (Chen 1999). The degrees of freedom of an estimate by kernels are the
mean over topics of K(0) / f, the kernel at its centre over the estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import optimize
from scipy.special import betainc, betaln, ndtr

from benchmarks.tests_of_means.margins import Cells
from irgauge.compute.arrays import Floats

_COUNT = 1000
_EDGES = np.linspace(0.0, 1.0, _COUNT + 1)
CELLS = Cells(_EDGES[:-1], np.diff(_EDGES))
_INSIDE = 1e-6  # the least distance from 0 and 1 at which a density is taken
_LEAST_SPREAD = 0.05  # of the normal distribution
_ROOT = math.sqrt(2 * math.pi)


class Fit(NamedTuple):
    """A distribution fitted to scores: the chance to be at or below the end of each cell, and what AIC needs."""

    name: str
    margin: Floats
    likelihood: float  # its logarithm
    df: float

    @property
    def aic(self) -> float:
        """The less, the better."""
        return 2 * self.df - 2 * self.likelihood


def fitted(x: Floats) -> Fit:
    """The distribution of these scores."""
    inside = np.clip(x, _INSIDE, 1 - _INSIDE)
    return min((fit(inside) for fit in FITS), key=lambda fit: fit.aic)


def normal(x: Floats) -> Fit:
    """The normal distribution, cut at 0 and 1."""

    def density(parameters: Floats) -> Floats:
        mu, sigma = parameters
        within = ndtr((1 - mu) / sigma) - ndtr(-mu / sigma)
        return np.asarray(np.exp(-(((x - mu) / sigma) ** 2) / 2) / (_ROOT * sigma * within))

    bounds = [(-2.0, 3.0), (_LEAST_SPREAD, 3.0)]
    (mu, sigma), likelihood = _most_likely(density, [x.mean(), max(x.std(), _LEAST_SPREAD)], bounds)
    return Fit("normal", _cut(ndtr((_EDGES - mu) / sigma)), likelihood, 2)


def beta(x: Floats) -> Fit:
    """The beta distribution."""

    def density(parameters: Floats) -> Floats:
        return np.exp(_log_beta(x, *parameters))

    total = max(x.mean() * (1 - x.mean()) / x.var(ddof=1) - 1, 0.1)
    start = [x.mean() * total, (1 - x.mean()) * total]
    (a, b), likelihood = _most_likely(density, start, [(0.01, 200.0)] * 2)
    return Fit("beta", _cut(betainc(a, b, _EDGES)), likelihood, 2)


def normal_kernel(x: Floats) -> Fit:
    """Normal kernels with the bandwidth of Wand and Jones, cut at 0 and 1."""
    h = bandwidth(x)
    within = float((ndtr((1 - x) / h) - ndtr(-x / h)).mean())
    density = np.exp(-(((x[:, None] - x) / h) ** 2) / 2).mean(axis=1) / (_ROOT * h)
    likelihood = float(np.log(density / within).sum())
    df = float((1 / (_ROOT * h) / density).mean())
    return Fit("normal kernel", _cut(ndtr((_EDGES[:, None] - x) / h).mean(axis=1)), likelihood, df)


def beta_kernel(x: Floats) -> Fit:
    """Beta kernels with the bandwidth n^(−2/5), Chen's first estimator."""
    b = len(x) ** -0.4

    def kernels(at: Floats, data: Floats) -> Floats:
        return np.asarray(np.exp(_log_beta(data, at / b + 1, (1 - at) / b + 1)))

    density = kernels(CELLS.middle[:, None], x).mean(axis=1)
    total = density.mean()
    own = kernels(x[:, None], x).mean(axis=1)
    likelihood, df = float(np.log(own / total).sum()), float((kernels(x, x) / own).mean())
    return Fit("beta kernel", np.append(np.cumsum(density)[:-1] / density.sum(), 1.0), likelihood, df)


FITS = (normal, beta, normal_kernel, beta_kernel)


def bandwidth(x: Floats) -> float:
    """Of a normal kernel: the plug-in rule with two stages (Wand and Jones, Kernel Smoothing, 1995, 3.6)."""
    n, apart = len(x), x[:, None] - x
    last = 105 / (32 * math.sqrt(math.pi) * x.std(ddof=1) ** 9)  # ψ₈ of a normal distribution
    first = (30 / (_ROOT * last * n)) ** (1 / 9)
    z = (apart / first) ** 2
    sixth = float(((z**3 - 15 * z**2 + 45 * z - 15) * np.exp(-z / 2)).mean()) / (_ROOT * first**7)  # ψ₆ < 0
    second = (-6 / (_ROOT * sixth * n)) ** (1 / 7)
    z = (apart / second) ** 2
    fourth = float(((z**2 - 6 * z + 3) * np.exp(-z / 2)).mean()) / (_ROOT * second**5)
    return (1 / (2 * math.sqrt(math.pi) * fourth * n)) ** 0.2


def _log_beta(x: Floats, a: Floats | float, b: Floats | float) -> Floats:
    return np.asarray((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) - betaln(a, b))


def _most_likely(
    density: Callable[[Floats], Floats], start: list[float], bounds: list[tuple[float, float]]
) -> tuple[Floats, float]:
    def loss(parameters: Floats) -> float:
        return -float(np.log(np.maximum(density(parameters), 1e-300)).sum())

    found = optimize.minimize(loss, np.array(start), method="Nelder-Mead", bounds=bounds)
    return found.x, -float(found.fun)


def _cut(chances: Floats) -> Floats:
    """Chances at the edges of cells, of a distribution that is cut at 0 and 1."""
    return np.asarray((chances[1:] - chances[0]) / (chances[-1] - chances[0]))
