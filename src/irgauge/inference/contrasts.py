"""Effects of systems and their differences, against what differs between the replicates of a fitted model.

What moves all systems alike in a replicate cancels in a difference, so that residuals are compared between systems in
the same replicate. A contrast is tested with its own spread or with that of all systems, whichever is larger: its own
keeps pairs that vary more than others honest, that of all keeps many pairs honest whose own is known from few values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.intervals import standard_error
from irgauge.inference.outcomes import ratio
from irgauge.models.anova import Fit, Population
from irgauge.models.least_squares import UnbalancedFit, cells_of
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
Fitted = Fit | UnbalancedFit


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


def system_effects(fit: Fitted, resample: Resample = "residuals") -> Contrasts:
    """The effect of each system, its mean less that of all systems.

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((6, 3, 2)) + np.array([0.0, 0.1, 2.0])[:, None]
    >>> low, high = system_effects(fit(values, "MD3")).interval(0.05)
    >>> (low[2] > high[:2]).tolist()
    [True, True]
    """
    strata = _Strata.of(fit, resample)
    own = np.array([np.square(stratum).sum(axis=0) for stratum in strata.deviations])  # stratum, system
    shares = own * strata.factors[:, None]
    share = 1 - 1 / fit.shape[1]  # of a system's variance, as the mean of all is taken off
    spread = _Spread.of(strata, fit.noise)
    if spread.variance == 0:
        raise DesignError("systems differ by the same amount everywhere: no variation is left to test them against")
    squares = (np.square(shares) / (strata.freedom[:, None] + 2)).sum(axis=0)
    return spread.contrasts(fit.effects("system"), shares.sum(axis=0), squares, share)


def system_differences(fit: Fitted, first: Indices, second: Indices, resample: Resample = "residuals") -> Contrasts:
    """The differences of pairs of systems: t = d / √(Σ v_h / (H² n)), with v_h the variance of d within stratum h.

    With residuals a stratum is a topic and n its parts: topics are fixed, and claims cover other documents for them.
    Without topic:system in the model all parts of all topics are one stratum. With resample="topics" the topics are
    one stratum of n means over parts: claims cover other topics and documents. v_h is that of the pair or that of all
    pairs, whichever sums to more. The degrees of freedom are Welch's (Biometrika 1947), for strata of unequal variance:
    (Σ v_h)² / Σ (v_h² / (ν + 2)) − 2. Where topics have scores on unequal numbers of parts, each v_h has the weight
    that least squares give it.

    >>> from irgauge.models.anova import fit
    >>> values = np.random.default_rng(1).random((6, 3, 2)) + np.array([0.0, 0.1, 2.0])[:, None]
    >>> system_differences(fit(values, "MD3"), np.array([0, 0]), np.array([1, 2])).p.round(3).tolist()
    [0.843, 0.0]
    """
    return pairwise(fit, resample)(first, second)


def pairwise(fit: Fitted, resample: Resample = "residuals") -> Pairwise:
    """What gives the differences of pairs, block by block: what all pairs need is computed once."""
    strata, effects = _Strata.of(fit, resample), fit.effects("system")
    own, squares = np.zeros((2, len(effects), len(effects)))  # system, system
    for stratum, factor, freedom in zip(strata.deviations, strata.factors, strata.freedom, strict=True):
        of_stratum = factor * _pair_squares(stratum)
        own += of_stratum
        squares += np.square(of_stratum) / (freedom + 2)
    spread = _Spread.of(strata, fit.noise)

    def contrasts(first: Indices, second: Indices) -> Contrasts:
        estimate = effects[first] - effects[second]
        return spread.contrasts(estimate, own[first, second], squares[first, second], 2)

    return contrasts


def _pair_squares(stratum: Floats) -> Floats:
    """Σ (r_i − r_j)² of stratum[value, system]; system, system."""
    products = stratum.T @ stratum
    own = np.diagonal(products)
    return np.maximum(own[:, None] + own - 2 * products, 0)


class _Strata(NamedTuple):
    """What is left of each system in each replicate, less the mean over systems, in strata of one variance each."""

    deviations: list[Floats]  # stratum: value, system
    weight: Floats  # stratum: its variance times this is its share of the variance of an effect
    freedom: Floats  # stratum: degrees of freedom of its variance

    @property
    def factors(self) -> Floats:
        """What makes a share of the variance of a sum of squares; stratum."""
        return self.weight / self.freedom

    @classmethod
    def of(cls, fit: Fitted, resample: Resample) -> _Strata:
        check_resample(fit, resample)
        if resample == "topics":
            topics = fit.effects("topic:system")
            return cls([topics], np.array([1 / len(topics)]), np.array([len(topics) - 1.0]))
        residuals = fit.residuals()  # topic, system, part
        r = (residuals - residuals.mean(axis=1, keepdims=True)).transpose(0, 2, 1)
        weight, freedom = cells_of(fit)
        if "topic:system" not in fit.model.terms:
            is_there = weight != 0
            return cls([r[is_there]], np.array([np.square(weight).sum()]), np.array([freedom.sum()]))
        return cls._by_topic(r, np.square(weight).sum(axis=1), freedom.sum(axis=1))

    @classmethod
    def _by_topic(cls, r: Floats, weight: Floats, freedom: Floats) -> _Strata:
        """Each topic has its own variance: those with few relevant documents vary more than others."""
        if not (freedom > 0).all():
            raise DesignError(
                "a topic has scores on one part alone, which does not say how they vary; leave it out, or use MD2"
            )
        return cls([own[~np.isnan(own).any(axis=1)] for own in r], weight, freedom)


@dataclass(frozen=True)
class _Spread:
    """The variance of all systems together."""

    variance: float  # of the effect of one system
    df: float
    freedom: Floats  # stratum: of one contrast

    @classmethod
    def of(cls, strata: _Strata, noise: float) -> _Spread:
        squares = np.array([np.square(stratum).sum() for stratum in strata.deviations])
        every = strata.freedom * (strata.deviations[0].shape[1] - 1)  # stratum
        if squares.sum() <= noise:
            return cls(0.0, float(every.min()), strata.freedom)
        shares = strata.weight * squares / every
        df = _welch(shares.sum(), (np.square(shares) / (every + 2)).sum(), every)
        return cls(float(shares.sum()), float(df), strata.freedom)

    def contrasts(self, estimate: Floats, own: Floats, squares: Floats, share: float) -> Contrasts:
        """Of a contrast's own variance, and of the sum in its degrees of freedom; `share`: of all's variance."""
        if self.variance == 0:  # systems differ by the same amount everywhere
            return Contrasts(estimate, np.zeros(len(estimate)), np.full(len(estimate), self.df))
        shared = share * self.variance
        is_own = own > shared
        error = np.sqrt(np.where(is_own, own, shared))
        return Contrasts(estimate, error, np.where(is_own, _welch(own, squares, self.freedom), self.df))


def _welch(total: Floats, squares: Floats, freedom: Floats) -> Floats:
    """(Σ v_h)² / Σ (v_h² / (ν_h + 2)) − 2, of the sums, at most those of equal variances."""
    with np.errstate(invalid="ignore"):
        df = np.square(total) / squares - 2
    return np.asarray(np.clip(df, freedom.min(), freedom.sum()))
