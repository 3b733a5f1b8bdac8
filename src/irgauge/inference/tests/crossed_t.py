"""The t-test of pairs on shards: each pair has its own spread, over shards, or over topics and shards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.contrasts import Contrasts, Pairwise, pairwise
from irgauge.inference.outcomes import Names, Outcome, compared, deviations, differences, in_blocks, on_values, ratio
from irgauge.inference.tests.record import Test
from irgauge.models.anova import CELL, Population, decompose

NAME = "crossed-t"

DOCUMENTS: tuple[Population, ...] = ("documents", "sources")  # topics are these ones
TOPICS: tuple[Population, ...] = ("both", "topics+shards")  # topics are a sample too


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
    S shards of topic i, of the pair or of all pairs, whichever is larger in all: see `contrasts.differences`.

    Other topics too (both, topics+shards): Var = (M_t + M_s) / TS. M_t = S Σ (d_i − d̄)² / (T − 1) is of the pair;
    M_s = 2 max(0, MS(system:shard) − MS(topic:system:shard)) is of all systems, as a pair has few shards. The degrees
    of freedom are Satterthwaite's (Biometrics Bulletin 1946). The effect is d̄ over the standard deviation of d_i.

    >>> values = np.random.default_rng(1).random((8, 3, 4)) + np.array([0.0, 0.0, 0.5])[:, None]
    >>> (crossed_t(values, ["a", "b", "c"], correction="holm").p_adjusted < 0.05).tolist()
    [True, True, False]
    """
    y = np.asarray(values, np.float64)
    if y.ndim != 3 or y.shape[2] < 2 or population not in (*DOCUMENTS, *TOPICS):
        raise DesignError(f"the test crossed-t needs two shards, and covers {', '.join((*DOCUMENTS, *TOPICS))}")
    pairs, means = on_values(y, systems, alpha, correction, baseline)  # topic, system: over shards
    ranked = y[:, [systems.index(system) for system in pairs.systems]]
    contrasts = _over_shards(ranked) if population in DOCUMENTS else _over_topics_and_shards(ranked)
    outcome = in_blocks(
        pairs, len(y) * y.shape[2], lambda u, v: _outcome(differences(means, u, v), contrasts(u, v), pairs.level)
    )
    return replace(compared(pairs, NAME, outcome), population=population)


def _outcome(d: Floats, contrasts: Contrasts, level: float) -> Outcome:
    """Of differences[topic, pair] and what they are tested against."""
    mean = d.mean(axis=0)
    contrasts = replace(contrasts, estimate=mean)  # exactly 0 where systems are equal
    return Outcome(
        *contrasts.interval(level),
        ratio(mean, contrasts.error),
        contrasts.p,
        ratio(mean, deviations(d)),
        contrasts.error,
    )


def _over_shards(y: Floats) -> Pairwise:
    """For claims about other documents on these topics."""
    return pairwise(decompose(y).fit("MD3"))


def _over_topics_and_shards(y: Floats) -> Pairwise:
    """For claims about other topics, and other documents or shards."""
    sums, (topics, _, shards) = decompose(y), y.shape
    added = 2 * max(0.0, sums.ms("system:shard") - sums.ms(CELL))
    parts = [(2 * sums.ms(term)) ** 2 / sums.df[term] for term in ("system:shard", CELL)] if added else []

    def contrasts(u: Indices, v: Indices) -> Contrasts:
        d = (y[:, u] - y[:, v]).mean(axis=2)  # topic, pair
        own = shards * d.var(axis=0, ddof=1)
        total = own + added
        df = ratio(np.square(total), np.square(own) / (topics - 1) + sum(parts))
        return Contrasts(d.mean(axis=0), np.sqrt(total / (topics * shards)), np.maximum(1.0, df))

    return contrasts


CROSSED_T = Test(
    name=NAME,
    function=crossed_t,
    title="t-test over shards",
    explanation="t-test of each pair over shards, or over topics and shards",
    place=100,
    needs="shards",
    takes=("population",),
    covers=(*DOCUMENTS, *TOPICS),
    default_for=("documents", *TOPICS),
    usual="it keeps its error rate where systems vary differently",
    is_for_unequal_spread=True,
    planned_by="shards",
    how={
        "documents": "t = d / √(Σ v/T²S), with v the variance of its differences over the S shards of each of T topics",
        **dict.fromkeys(
            TOPICS,
            "t = d / √((M_t + M_s)/TS), with M_t the mean square of its differences over T topics, and M_s = "
            "2 max(0, MS(system:shard) − MS(residual)) over S shards, from the model of topics, systems, shards and "
            "their interactions (MD6; Ferro and Sanderson 2019), and Satterthwaite's degrees of freedom (1946)",
        ),
    },
    references=("ferro-sanderson-2019", "satterthwaite-1946"),
)
RECORDS = (CROSSED_T,)
