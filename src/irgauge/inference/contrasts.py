"""Effects of systems and their differences, against what differs between the replicates of a fitted model.

What moves all systems alike in a replicate cancels in a difference, so that residuals are compared between systems in
the same replicate. A contrast is tested with its own spread or with that of all systems, whichever is larger: its own
keeps pairs that vary more than others honest, that of all keeps many pairs honest whose own is known from few values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.intervals import standard_error
from irgauge.inference.outcomes import ratio
from irgauge.models.anova import Fit, Population
from irgauge.models.residuals import Resample, check_resample


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Estimates with their standard errors: (estimate − truth) / error has Student's t distribution."""

    estimate: Floats  # contrast
    error: Floats  # contrast
    df: Floats  # contrast

    @property
    def p(self) -> Floats:
        """P(|t| ≥ |estimate| / error) where the truth is 0, two-sided; 1 where the estimate is 0."""
        return np.asarray(2 * stdtr(self.df, -ratio(np.abs(self.estimate), self.error)))

    def interval(self, alpha: float) -> tuple[Floats, Floats]:
        """estimate ± t(1 − α/2; df) error."""
        half = -stdtrit(self.df, alpha / 2) * self.error
        return self.estimate - half, self.estimate + half

    def density(self, contrast: int, at: Floats) -> Floats:
        """How likely the truth of one contrast is to be at some places."""
        from scipy.stats import t

        of = t(float(self.df[contrast]), float(self.estimate[contrast]), float(self.error[contrast]))
        return np.asarray(of.pdf(at), np.float64)


Pairwise = Callable[[Indices, Indices], Contrasts]  # the systems of some pairs -> their differences


def pooled_differences(fit: Fit, first: Indices, second: Indices, population: Population) -> Contrasts:
    """The differences of pairs of systems, all with the error term of a population: as if systems varied alike.

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((6, 3, 1)) + np.array([0.0, 0.1, 2.0])[:, None]
    >>> pooled_differences(fit(values, "MD1"), np.array([0]), np.array([2]), "topics").p.round(6).tolist()
    [2e-06]
    """
    error, means = fit.error_term(population), fit.means("system")
    of_pair = math.sqrt(2) * standard_error(error)
    return Contrasts(means[first] - means[second], np.full(len(first), of_pair), np.full(len(first), float(error.df)))


def system_effects(fit: Fit, resample: Resample = "residuals") -> Contrasts:
    """The effect of each system, its mean less that of all systems.

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((6, 3, 2)) + np.array([0.0, 0.1, 2.0])[:, None]
    >>> low, high = system_effects(fit(values, "MD3")).interval(0.05)
    >>> (low[2] > high[:2]).tolist()
    [True, True]
    """
    r = _deviations(fit, resample)
    own = np.square(r).sum(axis=1)  # stratum, system
    share = 1 - 1 / fit.shape[1]  # of a system's variance, as the mean of all is taken off
    spread = _Spread.of(r, fit.sums.noise)
    if spread.variance == 0:
        raise DesignError("systems differ by the same amount everywhere: no variation is left to test them against")
    return spread.contrasts(fit.effects("system"), own.sum(axis=0), np.square(own).sum(axis=0), share)


def system_differences(fit: Fit, first: Indices, second: Indices, resample: Resample = "residuals") -> Contrasts:
    """The differences of pairs of systems: t = d / √(Σ v_h / (H² n)), with v_h the variance of d within stratum h.

    With residuals a stratum is a topic and n its parts: topics are fixed, and claims cover other documents for them.
    Without topic:system in the model all parts of all topics are one stratum. With resample="topics" the topics are
    one stratum of n means over parts: claims cover other topics and documents. v_h is that of the pair or that of all
    pairs, whichever sums to more. The degrees of freedom are Welch's (Biometrika 1947), for strata of unequal variance:
    (Σ v_h)² / Σ (v_h² / (ν + 2)) − 2.

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((6, 3, 2)) + np.array([0.0, 0.1, 2.0])[:, None]
    >>> system_differences(fit(values, "MD3"), np.array([0, 0]), np.array([1, 2])).p.round(3).tolist()
    [0.843, 0.0]
    """
    return pairwise(fit, resample)(first, second)


def pairwise(fit: Fit, resample: Resample = "residuals") -> Pairwise:
    """What gives the differences of pairs, block by block: what all pairs need is computed once."""
    r, effects = _deviations(fit, resample), fit.effects("system")
    own, squares = np.zeros((2, len(effects), len(effects)))  # system, system
    for stratum in r:  # value, system
        of_stratum = _pair_squares(stratum)
        own += of_stratum
        squares += np.square(of_stratum)
    spread = _Spread.of(r, fit.sums.noise)

    def contrasts(first: Indices, second: Indices) -> Contrasts:
        estimate = effects[first] - effects[second]
        return spread.contrasts(estimate, own[first, second], squares[first, second], 2)

    return contrasts


def _pair_squares(stratum: Floats) -> Floats:
    """Σ (r_i − r_j)² of stratum[value, system]; system, system."""
    products = stratum.T @ stratum
    own = np.diagonal(products)
    return np.maximum(own[:, None] + own - 2 * products, 0)


def _deviations(fit: Fit, resample: Resample) -> Floats:
    """What is left of each system in each replicate, less the mean over systems; stratum, value, system."""
    check_resample(fit, resample)
    if resample == "topics":
        return fit.effects("topic:system")[None]
    residuals = fit.residuals()  # topic, system, part
    r = (residuals - residuals.mean(axis=1, keepdims=True)).transpose(0, 2, 1)
    return r if "topic:system" in fit.model.terms else r.reshape(1, -1, fit.shape[1])


@dataclass(frozen=True)
class _Spread:
    """The variance of all systems together."""

    variance: float  # Σ v_h, of one system
    df: float
    strata: int
    values: int  # in each stratum

    @classmethod
    def of(cls, r: Floats, noise: float) -> _Spread:
        strata, values, systems = r.shape
        squares, freedom = np.square(r).sum(axis=(1, 2)), (values - 1) * (systems - 1)  # stratum
        if squares.sum() <= noise:
            return cls(0.0, float(freedom), strata, values)
        df = _welch(squares.sum(), np.square(squares).sum(), freedom, strata)
        return cls(float(squares.sum()) / freedom, float(df), strata, values)

    def contrasts(self, estimate: Floats, own: Floats, squares: Floats, share: float) -> Contrasts:
        """Of the sums over strata of a contrast's sums of squares, and of their squares; `share`: of all's variance."""
        if self.variance == 0:  # systems differ by the same amount everywhere
            return Contrasts(estimate, np.zeros(len(estimate)), np.full(len(estimate), self.df))
        variance, shared = own / (self.values - 1), share * self.variance
        df = _welch(own, squares, self.values - 1, self.strata)
        is_own = variance > shared
        error = np.sqrt(np.where(is_own, variance, shared) / (self.strata**2 * self.values))
        return Contrasts(estimate, error, np.where(is_own, df, self.df))


def _welch(total: Floats, squares: Floats, freedom: int, strata: int) -> Floats:
    """(ν + 2) (Σ v_h)² / Σ v_h² − 2, at most those of equal variances; ν in each stratum."""
    with np.errstate(invalid="ignore"):
        df = (freedom + 2) * np.square(total) / squares - 2
    return np.asarray(np.clip(df, freedom, freedom * strata))
