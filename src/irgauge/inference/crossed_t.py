"""The t-test of pairs on shards: each pair has its own spread, over shards, or over topics and shards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Floats, Indices, Name
from irgauge.inference.outcomes import Names, Outcome, compared, deviations, differences, in_blocks, on_values, ratio
from irgauge.models.anova import CELL, Population, decompose

DOCUMENTS: tuple[Population, ...] = ("documents", "sources")  # topics are these ones
TOPICS: tuple[Population, ...] = ("both", "topics+shards")  # topics are a sample too


class _Variance(NamedTuple):
    """The variance of the mean difference of each pair, and its degrees of freedom."""

    variance: Floats  # pair
    df: Floats  # pair


def crossed_t(
    values: Floats,
    systems: Names,
    *,
    population: Population = "both",
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
) -> Comparison:
    """The t-test of values[topic, system, shard], two-sided: t = d̄ / √Var(d̄), with d_ik the differences of a pair.

    Other documents on these topics (documents, sources): Var = Σ v_i / T²S, where v_i is the variance of d_ik over the
    S shards of topic i. Its degrees of freedom are the smaller of (S + 1)(Σ v_i)² / Σ v_i², Satterthwaite's with
    unbiased squares, and (S − 1)(Σ w_i)² / Σ w_i², where w_i is of all systems.

    Other topics too (both, topics+shards): Var = (M_t + M_s) / TS. M_t = S Σ (d_i − d̄)² / (T − 1) is of the pair;
    M_s = 2 max(0, MS(system:shard) − MS(topic:system:shard)) is of all systems, as a pair has few shards. The degrees
    of freedom are Satterthwaite's (Biometrics Bulletin 1946). The effect is d̄ over the standard deviation of d_i.

    >>> values = np.random.default_rng(1).random((8, 3, 4)) + np.array([0.0, 0.0, 0.5])[:, None]
    >>> (crossed_t(values, ["a", "b", "c"], correction="holm").p < 0.05).tolist()
    [True, True, False]
    """
    y = np.asarray(values, np.float64)
    if y.ndim != 3 or y.shape[2] < 2 or population not in (*DOCUMENTS, *TOPICS):
        raise DesignError(f"the test crossed-t needs two shards, and covers {', '.join((*DOCUMENTS, *TOPICS))}")
    pairs, means = on_values(y, systems, alpha, correction, baseline)  # topic, system: over shards
    ranked = y[:, [systems.index(system) for system in pairs.systems]]
    variance = _over_shards(ranked) if population in DOCUMENTS else _over_topics_and_shards(ranked)
    outcome = in_blocks(
        pairs, len(y) * y.shape[2], lambda u, v: _t(differences(means, u, v), variance(u, v), pairs.level)
    )
    return replace(compared(pairs, "crossed-t", outcome), population=population)


def _t(d: Floats, of: _Variance, level: float) -> Outcome:
    """Of differences[topic, pair]."""
    mean, se = d.mean(axis=0), np.sqrt(of.variance)
    t = ratio(mean, se)
    margin = -stdtrit(of.df, level / 2) * se
    return Outcome.around(mean, margin, t, 2 * stdtr(of.df, -np.abs(t)), ratio(mean, deviations(d)))


def _over_shards(y: Floats) -> Callable[[Indices, Indices], _Variance]:
    """For claims about other documents on these topics."""
    topics, _, shards = y.shape
    spread = y.var(axis=2, ddof=1).mean(axis=1)  # topic
    most = (shards - 1) * float(ratio(np.square(spread.sum()), np.square(spread).sum()))

    def variance(u: Indices, v: Indices) -> _Variance:
        own = (y[:, u] - y[:, v]).var(axis=2, ddof=1)  # topic, pair
        total = own.sum(axis=0)
        df = (shards + 1) * ratio(np.square(total), np.square(own).sum(axis=0))
        return _Variance(total / (topics**2 * shards), np.clip(df, 1.0, max(1.0, most)))

    return variance


def _over_topics_and_shards(y: Floats) -> Callable[[Indices, Indices], _Variance]:
    """For claims about other topics, and other documents or shards."""
    sums, (topics, _, shards) = decompose(y), y.shape
    added = 2 * max(0.0, sums.ms("system:shard") - sums.ms(CELL))
    parts = [(2 * sums.ms(term)) ** 2 / sums.df[term] for term in ("system:shard", CELL)] if added else []

    def variance(u: Indices, v: Indices) -> _Variance:
        own = shards * (y[:, u] - y[:, v]).mean(axis=2).var(axis=0, ddof=1)  # pair
        total = own + added
        df = ratio(np.square(total), np.square(own) / (topics - 1) + sum(parts))
        return _Variance(total / (topics * shards), np.maximum(1.0, df))

    return variance
