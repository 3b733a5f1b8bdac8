"""Bootstrap ANOVA: the effects of systems when the residuals of a fitted model are resampled.

A draw gives every cell its fitted value and a residual that is drawn, with replacement, from those of all cells; the
model is then fitted again (Voorhees, Samarov and Soboroff 2017, section 2.2). In a balanced design the new effect of a
system is s_i + (R_i − R̄) / n, with R_i the sum of the n residuals that fell to it and R̄ the mean of these sums. All
R_i have one distribution, the n-fold convolution of the residuals, and are drawn from it: one number a system instead
of one a cell.

That is the paper's way, and its p ranks the evidence only: the fit has made residuals smaller than the errors, and p
takes the effect of the better system as known. `inference.contrasts` has tests that keep their promise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.models.anova import Fit
from irgauge.models.least_squares import UnbalancedFit, cells_of

Resample = Literal["residuals", "topics"]
BLOCK = 512  # draws that share a seed: part of the result, so that it is not an option
_STEPS = 1 << 11  # of the grid, over the range of the residuals, at least
_GUIDES = 1 << 16  # places from which a quantile is looked for
_DIGITS = 12  # of weights that count as one
_OUTSIDE = 1e-15  # probability of a sum that the grid of sums folds back


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """The effects of systems over the draws."""

    effects: Floats  # system: of the fit, which is also their mean over all possible draws
    draws: Floats  # system, draw: ascending for each system
    mean: float  # of all values

    @cached_property
    def reached(self) -> Floats:
        """reached[a, b]: the share of the draws of system b in which it reaches the effect of system a (Figure 3).

        Where a is the better system this is the p-value of the pair; it is a multiple of 1 / draws, and may be 0.
        """
        count = self.draws.shape[1]
        below = [np.searchsorted(own, self.effects, side="left") for own in self.draws]
        return np.asarray((count - np.array(below).T) / count, np.float64)

    def interval(self, alpha: float) -> tuple[Floats, Floats]:
        """The smallest and largest effects once the share α/2 of the draws is left out on each side; system."""
        count = self.draws.shape[1]
        left_out = math.floor(count * alpha / 2 + 1e-9)
        return self.draws[:, left_out].copy(), self.draws[:, count - 1 - left_out].copy()

    def density(self, system: int, at: Floats) -> Floats:
        """The density of a system's effect at some places: Gaussian kernels on the draws, Scott's bandwidth."""
        from scipy.stats import gaussian_kde

        return np.asarray(gaussian_kde(self.draws[system])(at), np.float64)


def bootstrap(
    fit: Fit | UnbalancedFit,
    *,
    draws: int = 10_000,
    seed: int = 0,
    key: tuple[int, ...] = (),
    resample: Resample = "residuals",
) -> Bootstrap:
    """Resample the effects of systems: s_i + (R_i − R̄) / n, R_i a sum of n residuals drawn from all cells.

    With resample="topics" a draw also takes topics with replacement: it adds the mean of (st)_ij over the topics drawn,
    so that the model needs topic:system. That interaction is estimated, and holds a share of the residual variance,
    which is thus counted twice: these draws vary too much rather than too little.

    A block of draws depends on the seed, the key and its number alone. Voorhees, Samarov and Soboroff (TOIS 2017).

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((6, 3, 2)) + np.array([0.0, 0.1, 2.0])[:, None]
    >>> drawn = bootstrap(fit(values, "MD3"), draws=1000, seed=1)
    >>> drawn.reached[2, 0], 0.0 < drawn.reached[1, 0] < 0.5
    (np.float64(0.0), np.True_)
    """
    check_resample(fit, resample)
    if draws < 1:
        raise DesignError(f"draws is {draws}; it must be at least 1, and 10000 is usual")
    system = fit.effects("system")
    shares = _shares(fit)
    interaction = fit.effects("topic:system") if resample == "topics" else None  # topic, system
    drawn = np.empty((len(system), draws))
    for block, start in enumerate(range(0, draws, BLOCK)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, block)))
        effects = system[:, None] + _changes(shares, rng, len(system))  # system, draw
        if interaction is not None:
            effects += _topic_shifts(interaction, rng)
        drawn[:, start : start + BLOCK] = effects[:, : draws - start]
    drawn.sort(axis=1)
    return Bootstrap(system, drawn, fit.mean)


def _shares(fit: Fit | UnbalancedFit) -> list[tuple[float, ResidualSums]]:
    """The distributions of sums of residuals with the weight that each has in the effect of a system.

    In a balanced design all residuals have one weight; else those of topics on as many parts do.
    """
    residuals, weight = fit.residuals(), cells_of(fit).weight  # weight: topic, part
    pool = residuals[~np.isnan(residuals)]
    weights, counts = np.unique(weight[weight != 0].round(_DIGITS), return_counts=True)
    return [(float(own), ResidualSums.of(pool, int(n))) for own, n in zip(weights, counts, strict=True)]


def _changes(shares: list[tuple[float, ResidualSums]], rng: np.random.Generator, systems: int) -> Floats:
    """What a block of draws adds to the effects; system, draw."""
    if len(shares) == 1:
        sums = shares[0][1]
        return changes(sums.draw(rng, (systems, BLOCK)), sums.n)
    return changes(sum((weight * sums.draw(rng, (systems, BLOCK)) for weight, sums in shares), np.zeros(())), 1)


def changes(sums: Floats, n: int) -> Floats:
    """What draws add to the effects: (R_i − R̄) / n, from the sums[system, draw] of n residuals each.

    >>> changes(np.array([[0.5], [0.25], [-0.75]]), 2).tolist()
    [[0.25], [0.125], [-0.375]]
    """
    return np.asarray((sums - sums.mean(axis=0)) / n)


def _topic_shifts(interaction: Floats, rng: np.random.Generator) -> Floats:
    """The mean of (st)_ij over topics drawn with replacement; system, draw."""
    topics = len(interaction)
    counts = rng.multinomial(topics, np.full(topics, 1 / topics), size=BLOCK)  # draw, topic
    return np.asarray(interaction.T @ counts.T / topics)


class ResidualSums(NamedTuple):
    """The distribution of the sum of n residuals drawn with replacement, on a grid.

    Residuals are rounded to a grid of at least 2048 steps over their range; the distribution of the sum of rounded ones
    is that of the fast Fourier transform, moved and scaled to the mean and the variance of the residuals themselves.
    Rounding changes a mean of n residuals by some step / √(12n), and its distribution hardly: on AP of TREC-8 no
    probability by more than a millionth.
    """

    n: int
    values: Floats  # place on the grid
    cdf: Floats  # place on the grid: P(sum ≤ value)
    guide: Ints  # the first place whose cdf is above g / len(guide)

    @classmethod
    def of(cls, residuals: Floats, n: int) -> ResidualSums:
        """The distribution for residuals whose mean is 0.

        >>> sums = ResidualSums.of(np.array([-1.0, 1.0]), 2)
        >>> probabilities = np.diff(sums.cdf, prepend=0)
        >>> sums.values[probabilities > 1e-9].round(9).tolist(), probabilities[probabilities > 1e-9].round(9).tolist()
        ([-2.0, 0.0, 2.0], [0.25, 0.5, 0.25])
        """
        pool = residuals.ravel()
        step, size = _grid(pool, n)
        places = np.rint(pool / step).astype(np.int64)  # 0 is the mean
        shares = np.bincount(places % size, minlength=size) / pool.size
        p = np.fft.irfft(_power(np.fft.rfft(shares), n), size)
        cdf = np.cumsum(np.maximum(np.fft.fftshift(p), 0))
        scale = math.sqrt(float(np.square(pool).mean()) / float(places.var()))
        values = np.asarray((np.arange(size) - size // 2 - n * float(places.mean())) * scale, np.float64)
        cdf /= cdf[-1]
        return cls(n, values, cdf, np.searchsorted(cdf, np.arange(_GUIDES) / _GUIDES, side="right"))

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Independent sums."""
        return _quantiles(self.values, self.cdf, self.guide, rng.random(shape).ravel()).reshape(shape)


def _grid(pool: Floats, n: int) -> tuple[float, int]:
    """The step of the grid and the number of its places, a power of two that holds all but the rarest sums.

    P(|sum| ≥ x) ≤ 2 exp(−x² / (2nσ² + 2Mx/3)) for residuals of at most M in size (Bernstein).
    """
    largest, variance, c = float(np.abs(pool).max()), n * float(np.square(pool).mean()), math.log(2 / _OUTSIDE)
    bound = largest * c / 3 + math.sqrt((largest * c / 3) ** 2 + 2 * variance * c)
    reach = min(bound, n * largest)
    places = 2 * reach / (float(np.ptp(pool)) / _STEPS) + n + 2  # rounding may add half a step a residual
    size = 1 << math.ceil(math.log2(places))
    return 2 * reach / (size - n - 2), size


def _power(z: NDArray[np.complex128], n: int) -> NDArray[np.complex128]:
    """zⁿ by squaring: many times faster than numpy's, which takes logarithms."""
    power, rest = np.ones_like(z), n
    while rest:
        if rest % 2:
            power = power * z
        z, rest = z * z, rest // 2
    return power


def _quantiles(values: Floats, cdf: Floats, guide: Ints, uniform: Floats) -> Floats:
    """The first value whose cdf is above each uniform number: inversion with a guide table (Chen and Asau 1974).

    Most stand where the guide says, or next to it; the others, in the tails, are looked for.
    """
    places = guide[(uniform * len(guide)).astype(np.int64)]
    places += cdf[places] <= uniform
    others = np.flatnonzero(cdf[places] <= uniform)
    places[others] = np.searchsorted(cdf, uniform[others], side="right")
    return values[places]


def check_resample(fit: Fit | UnbalancedFit, resample: Resample) -> None:
    """Refuse topics to be drawn where effects do not depend on which they are."""
    known(resample, get_args(Resample), "resample")
    if resample == "topics" and "topic:system" not in fit.model.terms:
        raise DesignError(
            f"{fit.model} has no topic:system, so that its effects do not depend on which topics are drawn; "
            "use a model with the interaction, or resample residuals alone"
        )
