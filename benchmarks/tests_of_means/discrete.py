"""Margins of P@10 and RR, which have few values: of two kinds of distributions, the one with the least AIC.

Those of simIReff (Urbano and Nagler, SIGIR 2018): the beta-binomial distribution of the place among the values, and
kernels of Wang and van Ryzin (1981) with the bandwidth of cross-validated least squares, or 2, 5 or 10 times as wide.
The degrees of freedom of an estimate by kernels are the mean over topics of (1 − h) / f.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import optimize
from scipy.signal import lfilter
from scipy.special import betaln, gammaln

from benchmarks.tests_of_means.continuous import Fit
from benchmarks.tests_of_means.margins import Cells
from irgauge.compute.arrays import Floats, Ints

_DEPTH = 1000  # of runs
VALUES = {
    "P@10": np.arange(11) / 10,
    "RR": np.concatenate([[0.0], 1 / np.arange(_DEPTH, 0.0, -1)]),
}
_TIMES = (1, 2, 5, 10)
_BANDWIDTHS = np.linspace(0.0, 0.99, 100)


def cells(measure: str) -> Cells:
    """The values of a measure."""
    return Cells(VALUES[measure], np.zeros(len(VALUES[measure])))


def fitted(x: Floats, measure: str) -> Fit:
    """The distribution of these scores."""
    values = VALUES[measure]
    places = np.abs(x[:, None] - values).argmin(axis=1)  # scores are rounded to four decimals
    found = [beta_binomial(places, len(values)), *by_kernels(places, len(values))]
    return min(found, key=lambda fit: fit.aic)


def beta_binomial(places: Ints, count: int) -> Fit:
    """The beta-binomial distribution of places from 0 to count − 1."""
    n, k = count - 1, np.arange(count)
    choices = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)

    def log_chances(a: float, b: float) -> Floats:
        return np.asarray(choices + betaln(k + a, n - k + b) - betaln(a, b))

    def loss(parameters: Floats) -> float:
        return -float(log_chances(*parameters)[places].sum())

    found = optimize.minimize(loss, np.ones(2), method="Nelder-Mead", bounds=[(0.01, 200.0)] * 2)
    return Fit("beta-binomial", _margin(np.exp(log_chances(*found.x))), -float(found.fun), 2)


def by_kernels(places: Ints, count: int) -> Iterator[Fit]:
    """Kernels of some bandwidths."""
    best = min(_BANDWIDTHS, key=lambda h: error(places, count, h))
    for h in (best * times for times in _TIMES if best * times < 1):
        estimate = chances(places, count, h)
        own = estimate[places] / estimate.sum()
        yield Fit("kernel", _margin(estimate), float(np.log(own).sum()), float(((1 - h) / own).mean()))


def chances(places: Ints, count: int, h: float) -> Floats:
    """The estimate at each place: 1 − h of a score stays where it is, half of (1 − h) hᵈ goes d places away."""
    shares = np.bincount(places, minlength=count) / len(places)
    upwards, downwards = (lfilter([1.0], [1.0, -h], one) for one in (shares, shares[::-1]))
    return np.asarray((1 - h) / 2 * (upwards + downwards[::-1]))


def error(places: Ints, count: int, h: float) -> float:
    """The squared error of the estimate, but for a constant: Σ f² − 2 × the mean of f without the topic itself."""
    estimate, n = chances(places, count, h), len(places)
    without = (n * estimate[places] - (1 - h)) / (n - 1)
    return float((estimate**2).sum() - 2 * without.mean())


def _margin(chances: Floats) -> Floats:
    return np.append(np.cumsum(chances)[:-1] / chances.sum(), 1.0)
