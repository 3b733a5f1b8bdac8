"""Pairs of systems over strata with topics of their own, such as collections: tests, and how far strata disagree.

A stratum c of C has n_c topics and the weight w_c, and Σ w_c = 1. With d_c the mean of a pair's differences over its
topics and s_c² their variance, v_c = s_c² / n_c is the error variance of d_c; what is estimated is d̄ = Σ w_c d_c.
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
    pairs_of,
    ratio,
    untested_if_constant,
)
from irgauge.scoring.measures import Range, cut, of_differences

Weights = Floats | None  # stratum; None: each counts the same


def stratified_t(
    strata: Sequence[Floats],
    systems: Names,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    weights: Weights = None,
) -> Comparison:
    """The t-test of the values[topic, system] of strata, two-sided: other topics of these strata.

    t = d̄ / √(Σ w_c² v_c). The degrees of freedom are those of Welch (Biometrika 1947) and Satterthwaite (1946),
    (Σ w_c² v_c)² / Σ (w_c⁴ v_c² / (n_c − 1)). The effect is d̄ / √(Σ w_c s_c²). Of one stratum it is the paired t-test.

    >>> rng = np.random.default_rng(1)
    >>> strata = [rng.random((topics, 3)) + np.array([0.0, 0.0, 0.5]) for topics in (8, 30)]
    >>> (stratified_t(strata, ["a", "b", "c"], correction="holm").p_adjusted < 0.05).tolist()
    [True, True, False]
    """
    tables = _checked(strata)
    pairs = _pairs(tables, systems, alpha, correction, baseline, weights)
    of = _moments(pairs, tables, systems, weights)
    return compared(pairs, "stratified-t", _outcome(of, of.within, of.df_within, pairs.level))


def strata_t(
    strata: Sequence[Floats],
    systems: Names,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    weights: Weights = None,
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
    tables = _checked(strata)
    if len(tables) < 2:
        raise DesignError("claims about other collections need at least 2 of them; given: 1")
    pairs = _pairs(tables, systems, alpha, correction, baseline, weights)
    of = _moments(pairs, tables, systems, weights)
    variance = np.where(of.within == 0, 0.0, of.variance)  # a difference that no topic varies is not tested
    outcome = _outcome(of, variance, np.minimum(of.df_between, of.df_within), pairs.level)
    return replace(compared(pairs, "strata-t", outcome), df=of.df_between, topics=len(tables))


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
        within: Range | None = None,
    ) -> Disagreement:
        """Of the values[topic, system] of strata about the pairs of a comparison, with its confidence."""
        of = _moments(comparison, _checked(strata), systems, weights)
        v = (of.w * of.v).sum(axis=0)
        error = np.sqrt(of.tau2 + v + of.variance)
        ends = Contrasts(of.mean, error, np.full_like(error, of.df_between)).interval(comparison.alpha)
        return cls(of.tau2, ratio(of.tau2, of.tau2 + v), *cut(*ends, of_differences(within)))


@dataclass(frozen=True, eq=False)
class _Moments:
    """Of the differences of some pairs on each stratum."""

    d: Floats  # stratum, pair
    s2: Floats  # stratum, pair
    n: Floats  # stratum, 1
    w: Floats  # stratum, 1

    @property
    def mean(self) -> Floats:
        """d̄; pair."""
        return np.asarray((self.w * self.d).sum(axis=0))

    @property
    def v(self) -> Floats:
        """v_c; stratum, pair."""
        return self.s2 / self.n

    @property
    def within(self) -> Floats:
        """Σ w_c² v_c, the variance of d̄ over other topics; pair."""
        return np.asarray((self.w**2 * self.v).sum(axis=0))

    @property
    def df_within(self) -> Floats:
        """Its degrees of freedom; pair."""
        squares = np.square(self.w**2 * self.v) / (self.n - 1)
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


def _checked(strata: Sequence[Floats]) -> list[Floats]:
    tables = [np.asarray(stratum, np.float64) for stratum in strata]
    for table in tables:
        check_values(table)
    return tables


def _shares(tables: Sequence[Floats], weights: Weights) -> Floats:
    """The weights, with a sum of 1; stratum, 1."""
    w = np.ones(len(tables)) if weights is None else np.asarray(weights, np.float64)
    return (w / w.sum())[:, None]


def _pairs(
    tables: Sequence[Floats], systems: Names, alpha: float, correction: str, baseline: Name, weights: Weights
) -> Family:
    means = np.array([table.mean(axis=0) for table in tables])  # stratum, system
    over = (_shares(tables, weights) * means).sum(axis=0)
    return pairs_of(over, systems, (sum(map(len, tables)), 1), alpha, correction, baseline)


def _moments(pairs: Family, tables: Sequence[Floats], systems: Names, weights: Weights) -> _Moments:
    order = [systems.index(system) for system in pairs.systems]
    d, s2 = np.zeros((2, len(tables), len(pairs.first)))  # stratum, pair
    for c, table in enumerate(tables):
        for block in blocks(pairs, len(table)):
            own = differences(table[:, order], pairs.first[block], pairs.second[block])  # topic, pair
            d[c, block], s2[c, block] = own.mean(axis=0), np.square(deviations(own))
    n = np.array([[float(len(table))] for table in tables])
    return _Moments(d, s2, n, _shares(tables, weights))


def _outcome(of: _Moments, variance: Floats, df: Floats, level: float) -> Outcome:
    contrasts = Contrasts(of.mean, np.sqrt(variance), df)
    effect = ratio(of.mean, np.sqrt((of.w * of.s2).sum(axis=0)))
    statistic = ratio(of.mean, contrasts.error)
    outcome = Outcome(*contrasts.interval(level), statistic, contrasts.p, effect, contrasts.error)
    return untested_if_constant(outcome, of.mean)
