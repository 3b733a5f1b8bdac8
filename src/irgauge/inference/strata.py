"""Pairs of systems over strata with topics of their own, such as collections: tests, and how far strata disagree.

A stratum c of C has n_c topics and the weight w_c, and Σ w_c = 1. With d_c the mean of a pair's differences over its
topics and s_c² their variance, v_c = s_c² / n_c is the error variance of d_c, with n_c − 1 degrees of freedom; what is
estimated is d̄ = Σ w_c d_c. Where topics of strata are in clusters, or count unequally, d_c, v_c and its degrees of
freedom are those of `sampling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Family, Name
from irgauge.inference.contrasts import Contrasts
from irgauge.inference.outcomes import (
    Names,
    Outcome,
    blocks,
    check_values,
    compared,
    deviations,
    differences,
    in_blocks,
    pairs_of,
    ratio,
    untested_if_constant,
)
from irgauge.inference.sampling import Sampling, together
from irgauge.inference.tests.skewed_t import skewed_t_outcome
from irgauge.scoring.measures import Range, cut, of_differences

Weights = Floats | None  # stratum; None: each counts the same
Samplings = Sequence[Sampling]  # stratum: how its topics came together; none: one by one, and alike


def stratified_t(
    strata: Sequence[Floats],
    systems: Names,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    weights: Weights = None,
    samplings: Samplings = (),
) -> Comparison:
    """The t-test of the values[topic, system] of strata, two-sided: other topics of these strata.

    t = d̄ / √(Σ w_c² v_c). The degrees of freedom are those of Welch (Biometrika 1947) and Satterthwaite (1946),
    (Σ w_c² v_c)² / Σ (w_c⁴ v_c² / ν_c), where v_c has ν_c. The effect is d̄ / √(Σ w_c s_c²). Of one stratum
    it is the paired t-test. Where topics came together in other ways, differences may be of few clusters, so that the
    test is guarded against skewness as `skewed_t` is.

    >>> rng = np.random.default_rng(1)
    >>> strata = [rng.random((topics, 3)) + np.array([0.0, 0.0, 0.5]) for topics in (8, 30)]
    >>> (stratified_t(strata, ["a", "b", "c"], correction="holm").p_adjusted < 0.05).tolist()
    [True, True, False]
    """
    values = _Strata.of(strata, weights, samplings)
    pairs = values.pairs(systems, alpha, correction, baseline)
    if samplings:
        return compared(pairs, "stratified-t", values.guarded(pairs, systems))
    of = values.moments(pairs, systems)
    return compared(pairs, "stratified-t", _outcome(of, of.within, of.df_within, pairs.level))


def strata_t(
    strata: Sequence[Floats],
    systems: Names,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    weights: Weights = None,
    samplings: Samplings = (),
) -> Comparison:
    """The t-test of the values[topic, system] of strata, two-sided: other strata, of which these are a sample.

    t = d̄ / √(Σ w_c² (τ² + v_c)), with τ² ≥ 0 the variance between strata (see `Disagreement`). Its error is never below
    that of `stratified_t`, however alike strata came out; where strata count the same it is s / √C, with s the standard
    deviation of the d_c, or that of the same strata, whichever is larger: Knapp and Hartung (Statistics in Medicine
    2003) with a factor of at least 1. The degrees of freedom are C − 1, with other weights those of Σ w_c (d_c − d̄)²,
    and never more than those of `stratified_t`.

    >>> rng = np.random.default_rng(1)
    >>> strata = [rng.random((topics, 2)) + np.array([0.0, 0.5]) for topics in (8, 30, 20)]
    >>> [round(float(test(strata, ["a", "b"]).p[0]), 4) for test in (stratified_t, strata_t)]
    [0.0, 0.0386]
    """
    values = _Strata.of(strata, weights, samplings)
    if len(values.tables) < 2:
        raise DesignError("claims about other collections need at least 2 of them; given: 1")
    pairs = values.pairs(systems, alpha, correction, baseline)
    of = values.moments(pairs, systems)
    variance = np.where(of.within == 0, 0.0, of.variance)  # a difference that no topic varies is not tested
    outcome = _outcome(of, variance, np.minimum(of.df_between, of.df_within), pairs.level)
    return replace(compared(pairs, "strata-t", outcome), df=of.df_between, topics=len(values.tables))


@dataclass(frozen=True, eq=False)
class Disagreement:
    """How far strata disagree about the pairs of a comparison, beyond the chance of topics.

    τ² = max(0, (Σ w_c (d_c − d̄)² − Σ w_c (1 − w_c) v_c) / (1 − Σ w_c²)), the moment estimator of DerSimonian and
    Kacker (2007); where strata count the same, that of Hedges and Olkin (1985). I² is the part of τ² in τ² + Σ w_c v_c
    (Higgins and Thompson 2002). The interval is of the difference that would be observed on one more stratum with as
    many topics as these: d̄ ± t √(τ² + Σ w_c v_c + Σ w_c² (τ² + v_c)), for each pair by itself. It holds the true
    difference there more often; by τ² alone it holds too little where strata are few (Partlett and Riley 2017).
    """

    tau2: Floats  # pair
    i2: Floats  # pair
    low: Floats  # pair
    high: Floats  # pair

    @classmethod
    def of(
        cls,
        strata: Sequence[Floats],
        systems: Names,
        comparison: Comparison,
        *,
        weights: Weights = None,
        samplings: Samplings = (),
        within: Range | None = None,
    ) -> Disagreement:
        """Of the values[topic, system] of strata about the pairs of a comparison, with its confidence."""
        of = _Strata.of(strata, weights, samplings).moments(comparison, systems)
        v = (of.w * of.v).sum(axis=0)
        error = np.sqrt(of.tau2 + v + of.variance)
        ends = Contrasts(of.mean, error, np.full_like(error, of.df_between)).interval(comparison.alpha)
        return cls(of.tau2, ratio(of.tau2, of.tau2 + v), *cut(*ends, of_differences(within)))


@dataclass(frozen=True, eq=False)
class _Moments:
    """Of the differences of some pairs on each stratum."""

    d: Floats  # stratum, pair
    s2: Floats  # stratum, pair
    v: Floats  # stratum, pair
    freedom: Floats  # of v; stratum, pair
    w: Floats  # stratum, 1

    @property
    def mean(self) -> Floats:
        """d̄; pair."""
        return np.asarray((self.w * self.d).sum(axis=0))

    @property
    def within(self) -> Floats:
        """Σ w_c² v_c, the variance of d̄ over other topics; pair."""
        return np.asarray((self.w**2 * self.v).sum(axis=0))

    @property
    def df_within(self) -> Floats:
        """Its degrees of freedom; pair."""
        squares = np.square(self.w**2 * self.v) / self.freedom
        return np.maximum(1.0, ratio(np.square(self.within), squares.sum(axis=0)))

    @property
    def tau2(self) -> Floats:
        """The variance between strata; pair."""
        w, between = self.w, (self.w * np.square(self.d - self.mean)).sum(axis=0)
        by_chance = (w * (1 - w) * self.v).sum(axis=0)
        tau2 = np.maximum(0.0, (between - by_chance) / (1 - np.square(w).sum()))
        return np.where(np.ptp(self.d, axis=0) == 0, 0.0, tau2)  # not what rounding leaves

    @property
    def variance(self) -> Floats:
        """Σ w_c² (τ² + v_c), the variance of d̄ over other strata; pair."""
        return self.tau2 * np.square(self.w).sum() + self.within

    @property
    def df_between(self) -> float:
        """Of Σ w_c (d_c − d̄)², where all d_c vary alike (Satterthwaite): C − 1 where each counts the same."""
        squares, cubes = float((self.w**2).sum()), float((self.w**3).sum())
        return (1 - squares) ** 2 / (squares - 2 * cubes + squares**2)


@dataclass(frozen=True, eq=False)
class _Strata:
    """The values of strata, and how these and their topics count."""

    tables: Sequence[Floats]  # stratum: topic, system
    w: Floats  # stratum, 1: with a sum of 1
    samplings: Samplings

    @classmethod
    def of(cls, strata: Sequence[Floats], weights: Weights, samplings: Samplings) -> _Strata:
        tables = [np.asarray(stratum, np.float64) for stratum in strata]
        for table in tables:
            check_values(table)
        w = np.ones(len(tables)) if weights is None else np.asarray(weights, np.float64)
        return cls(tables, (w / w.sum())[:, None], samplings)

    def pairs(self, systems: Names, alpha: float, correction: str, baseline: Name) -> Family:
        """The pairs of systems, best first by their means over strata."""
        of_strata = (
            [own.means(table) for own, table in zip(self.samplings, self.tables, strict=True)]
            if self.samplings
            else [table.mean(axis=0) for table in self.tables]
        )
        over = (self.w * np.array(of_strata)).sum(axis=0)
        return pairs_of(over, systems, (sum(map(len, self.tables)), 1), alpha, correction, baseline)

    def moments(self, pairs: Family, systems: Names) -> _Moments:
        """Of the pairs."""
        order = [systems.index(system) for system in pairs.systems]
        d, s2, v, freedom = np.zeros((4, len(self.tables), len(pairs.first)))  # stratum, pair
        for c, table in enumerate(self.tables):
            for block in blocks(pairs, len(table)):
                own = differences(table[:, order], pairs.first[block], pairs.second[block])  # topic, pair
                s2[c, block] = np.square(deviations(own))
                d[c, block], v[c, block], freedom[c, block] = self._mean(c, own, s2[c, block])
        return _Moments(d, s2, v, freedom, self.w)

    def guarded(self, pairs: Family, systems: Names) -> Outcome:
        """The test of topics of all strata, which are kinds of known shares."""
        sampling = together(self.samplings, self.w[:, 0])
        y = np.concatenate(self.tables)[:, [systems.index(system) for system in pairs.systems]]
        return in_blocks(pairs, len(y), lambda u, v: skewed_t_outcome(differences(y, u, v), pairs.level, sampling))

    def _mean(self, c: int, d: Floats, s2: Floats) -> tuple[Floats, Floats, Floats | float]:
        """The means of d[topic, pair] in a stratum, their variances and degrees of freedom."""
        if not self.samplings:
            return d.mean(axis=0), s2 / len(d), len(d) - 1.0
        mean = self.samplings[c].of(d)
        return mean.mean, np.square(mean.se), mean.df


def _outcome(of: _Moments, variance: Floats, df: Floats, level: float) -> Outcome:
    contrasts = Contrasts(of.mean, np.sqrt(variance), df)
    effect = ratio(of.mean, np.sqrt((of.w * of.s2).sum(axis=0)))
    statistic = ratio(of.mean, contrasts.error)
    outcome = Outcome(*contrasts.interval(level), statistic, contrasts.p, effect, contrasts.error)
    return untested_if_constant(outcome, of.mean)
