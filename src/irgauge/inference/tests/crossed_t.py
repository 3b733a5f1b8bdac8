"""The t-test of pairs on shards: each pair has its own spread, over shards, or over topics and shards."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.contrasts import Contrasts, Pairwise, pairwise
from irgauge.inference.outcomes import (
    Names,
    Outcome,
    compared,
    deviations,
    differences,
    in_blocks,
    on_grid,
    on_values,
    ratio,
    step_of,
    untested_if_constant,
)
from irgauge.inference.tests.record import Test
from irgauge.inference.verdicts import Parts
from irgauge.models.anova import CELL, Population, Sums, decompose

NAME = "crossed-t"

DOCUMENTS: tuple[Population, ...] = ("documents", "sources")  # topics are these ones
TOPICS: tuple[Population, ...] = ("both", "topics+shards")  # topics are a sample too
OF_A_KIND: tuple[Population, ...] = ("shards", "topics+shards")  # shards differ in kind, and stand for others like them
_COVERED = (*DOCUMENTS, "shards", *TOPICS)
_FEWEST = 3  # shards of a kind: of two, no test keeps its error rate where one system varies more than the others


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
    S shards of topic i, of the pair or of all pairs, whichever is larger in all. The degrees of freedom are Welch's
    (Biometrika 1947), (Σ v_i)² / Σ (v_i² / (ν + 2)) − 2, where each v_i has ν: S − 1 of a pair, (S − 1)(R − 1) of all R
    systems.

    Other topics and documents (both): Var = (M_t + M_s) / TS. M_t = S Σ (d_i − d̄)² / (T − 1) is of the pair; M_s =
    2 max(0, MS(system:shard) − MS(topic:system:shard)) is of all systems: on random shards a system that depends on
    its documents varies on each topic by itself, and M_t holds that. The degrees of freedom are Satterthwaite's
    (Biometrics Bulletin 1946).

    Shards of a kind (topics+shards; shards, where M_t is 0 and nothing is subtracted): M_s is the larger of that of the
    pair and that of all systems, as a system that depends on its sources varies more than the others. That of the pair
    has S − 1 degrees of freedom, that of all (S − 1)(J − 1), with J = (Σ q_j)² / Σ q_j² of the systems' own squares q_j
    (Satterthwaite). M_t and M_s are joined as in Banerjee (Sankhyā 1960): the interval is d̄ ± √(t_t² M_t / TS + t_s²
    M_s / TS), with t_t and t_s the quantiles of Student's t for the degrees of freedom of each; p is the level at which
    it just reaches 0. The effect is d̄ over the standard deviation of d_i.

    >>> values = np.random.default_rng(1).random((8, 3, 4)) + np.array([0.0, 0.0, 0.5])[:, None]
    >>> (crossed_t(values, ["a", "b", "c"], correction="holm").p_adjusted < 0.05).tolist()
    [True, True, False]
    """
    y = np.asarray(values, np.float64)
    _check(y, population)
    pairs, means = on_values(y, systems, alpha, correction, baseline)  # topic, system: over shards
    ranked = y[:, [systems.index(system) for system in pairs.systems]]
    tested = _tested(ranked, population, pairs.level)
    outcome = in_blocks(pairs, y.shape[0] * y.shape[2], lambda u, v: tested(differences(means, u, v), u, v))
    return replace(compared(pairs, NAME, outcome), population=population)


def _check(y: Floats, population: Population) -> None:
    if y.ndim != 3 or y.shape[2] < 2 or population not in _COVERED:
        raise DesignError(f"the test {NAME} needs two shards, and covers {', '.join(_COVERED)}")
    if population in OF_A_KIND and y.shape[2] < _FEWEST:
        raise DesignError(
            f"{y.shape[2]} shards do not show how much such shards differ; for the population '{population}' the test "
            f"{NAME} needs {_FEWEST}: make more shards, or take the population topics or sources"
        )


OfPairs = Callable[[Floats, Indices, Indices], Outcome]  # differences[topic, pair], their systems -> what is said


def _tested(y: Floats, population: Population, level: float) -> OfPairs:
    """The test of pairs of y[topic, system, shard] for a population."""
    if population in OF_A_KIND:
        parts = _of_a_kind(y, over_topics=population in TOPICS)
        return lambda d, u, v: _by_parts(d, parts(u, v), level)
    contrasts = _over_shards(y) if population in DOCUMENTS else _over_topics_and_shards(y)
    return lambda d, u, v: _outcome(d, contrasts(u, v), level)


def _outcome(d: Floats, contrasts: Contrasts, level: float) -> Outcome:
    """Of differences[topic, pair] and what they are tested against."""
    mean = d.mean(axis=0)
    contrasts = replace(contrasts, estimate=mean)  # exactly 0 where systems are equal
    effect, error = ratio(mean, deviations(d)), contrasts.error
    outcome = Outcome(*contrasts.interval(level), ratio(mean, error), contrasts.p, effect, error)
    return untested_if_constant(outcome, mean)


def _over_shards(y: Floats) -> Pairwise:
    """For claims about other documents on these topics."""
    return pairwise(decompose(y).fit("MD3"))


def _over_topics_and_shards(y: Floats) -> Pairwise:
    """For claims about other topics and other documents."""
    sums, (topics, _, shards) = decompose(y), y.shape
    added = _shared(sums, sums.ms(CELL))
    step = step_of(y)
    parts = [(2 * sums.ms(term)) ** 2 / sums.df[term] for term in ("system:shard", CELL)] if added else []

    def contrasts(u: Indices, v: Indices) -> Contrasts:
        d = on_grid(y[:, u] - y[:, v], step).mean(axis=2)  # topic, pair
        own = shards * np.square(deviations(d))
        total = own + added
        df = ratio(np.square(total), np.square(own) / (topics - 1) + sum(parts))
        return Contrasts(d.mean(axis=0), np.sqrt(total / (topics * shards)), np.maximum(1.0, df))

    return contrasts


def _shared(sums: Sums, less: float) -> float:
    """2 MS(system:shard) of all systems, less what topics by themselves add to it; 0 where it is rounding."""
    return 2 * max(0.0, sums.ms("system:shard") - less) if sums.ss["system:shard"] > sums.noise else 0.0


def _of_a_kind(y: Floats, *, over_topics: bool) -> Callable[[Indices, Indices], Parts]:
    """For claims about other shards like these, and about other topics too: the parts of Var(d̄) of some pairs."""
    sums, (topics, _, shards), step = decompose(y), y.shape, step_of(y)
    own_squares = np.square(sums.parts["system:shard"]).sum(axis=(0, 2))  # system
    alike = ratio(np.square(own_squares.sum()), np.square(own_squares).sum())  # so many systems vary alike
    shared_df = (shards - 1) * max(1.0, float(alike) - 1)
    shared = _shared(sums, sums.ms(CELL) if over_topics else 0.0)

    def parts(u: Indices, v: Indices) -> Parts:
        d = on_grid(y[:, u] - y[:, v], step)  # topic, pair, shard
        by_topic, by_shard = d.mean(axis=2), d.mean(axis=0)  # topic, pair; pair, shard
        own = topics * np.square(deviations(by_shard.T))
        if over_topics:
            cells = d - by_topic[:, :, None] - by_shard + by_shard.mean(axis=1)[:, None]
            own = np.maximum(0.0, own - np.square(cells).sum(axis=(0, 2)) / ((topics - 1) * (shards - 1)))
        of_shards = np.sqrt(np.maximum(own, shared) / (topics * shards))
        over_shards = Parts.student(of_shards, np.where(own > shared, shards - 1.0, shared_df))
        if not over_topics:
            return over_shards
        return over_shards.beside(Parts.student(deviations(by_topic) / math.sqrt(topics), topics - 1))

    return parts


def _by_parts(d: Floats, parts: Parts, level: float) -> Outcome:
    """Of differences[topic, pair] and the parts of the variances of their means."""
    mean, se = d.mean(axis=0), parts.se
    p = np.where(mean == 0, 1.0, 2 * parts.tail(np.abs(mean)))
    outcome = Outcome.around(mean, parts.half_width(level), ratio(mean, se), p, ratio(mean, deviations(d)), se)
    return untested_if_constant(outcome, mean)


_MODEL = "the model of topics, systems, shards and their interactions (MD6; Ferro and Sanderson 2019)"
_LARGER = "of its differences over S shards or of all systems, whichever is larger"
CROSSED_T = Test(
    name=NAME,
    function=crossed_t,
    title="t-test over shards",
    explanation="t-test of each pair over shards, or over topics and shards",
    place=100,
    needs="shards",
    takes=("population",),
    covers=_COVERED,
    default_for=_COVERED,
    fewest_shards=dict.fromkeys(OF_A_KIND, _FEWEST),
    usual="it keeps its error rate where systems vary differently",
    is_for_unequal_spread=True,
    planned_by="shards",
    how={
        "documents": "t = d / √(Σ v/T²S), with v the variance of its differences over the S shards of each of T topics",
        "both": "t = d / √((M_t + M_s)/TS), with M_t the mean square of its differences over T topics, and M_s = "
        f"2 max(0, MS(system:shard) − MS(residual)) over S shards, from {_MODEL}, and Satterthwaite's degrees of "
        "freedom (1946)",
        "shards": f"t = d / √(M_s/TS), with M_s the mean square {_LARGER}: 2 MS(system:shard) from {_MODEL}",
        "topics+shards": "t = d / √((M_t + M_s)/TS), with M_t the mean square of its differences over T topics, and "
        f"M_s the mean square {_LARGER}, less the residual, from {_MODEL}, joined as by Banerjee (1960)",
    },
    assumes="every topic is scored on every shard; shards are random parts of the documents, or a sample of shards of "
    "their kind; for both, topics are a sample too; mean differences are nearly normal",
    references=("ferro-sanderson-2019", "satterthwaite-1946", "banerjee-1960"),
)
RECORDS = (CROSSED_T,)
