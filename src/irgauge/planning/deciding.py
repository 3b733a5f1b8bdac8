"""How many topics would decide, or separate the best system from the others? From what was observed, taken as true."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy.special import ndtri

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import POWER, Parts
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.planning.power import MOST, Critical, paired_critical, topics_needed, tukey_critical
from irgauge.scoring.direction import HIGHER, Direction, sign_of

Claim = Literal["better", "worse", "not worse", "not better"]
Topics = Callable[[float, float], int | None]  # a true difference, two-sided level -> topics that show it to be above 0
GATING: tuple[Claim, ...] = ("not worse", "worse")  # what decides a gate


@dataclass(frozen=True)
class Needed:
    """The claim that the fewest topics would show, with a power of 80 %, and how many; None where even MOST would not.

    A candidate between the baseline and −margin may be shown to be worse before it is shown to be within the margin.
    """

    claim: Claim
    topics: int | None
    measure: str | None = None  # by which it would be shown; None: by all


def nearest_claim(
    difference: float, margin: float | None, level: float, topics: Topics, claims: Sequence[Claim]
) -> Needed:
    """Of some claims the one that the fewest topics would show; those about a margin need one.

    A difference d, above 0 where the first is better, is above or below 0 by the test at `level`, two-sided; d + margin
    is above 0, or margin − d, at the same level, one-sided.
    """
    beyond: dict[Claim, float] = {"better": difference, "worse": -difference}
    within: dict[Claim, float] = (
        {} if margin is None else {"not worse": difference + margin, "not better": margin - difference}
    )
    candidates = [
        Needed(claim, topics(beyond[claim], level) if claim in beyond else topics(within[claim], 2 * level))
        for claim in claims
        if claim in beyond or claim in within
    ]
    return min(candidates, key=lambda needed: np.inf if needed.topics is None else needed.topics)


def of_runs(difference: float, deviation: float, margin: float, level: float) -> Needed:
    """What decides a gate, with the paired t-test.

    >>> of_runs(0.0, 0.1, 0.02, 0.05), of_runs(-0.019, 0.1, 0.02, 0.05)
    (Needed(claim='not worse', topics=156, measure=None), Needed(claim='worse', topics=220, measure=None))
    """

    def topics(true: float, level: float) -> int | None:
        return topics_needed(true, deviation, partial(paired_critical, level=level))

    return nearest_claim(difference, margin, level, topics, GATING)


def of_instances(squares: TwoAlgorithms, margin: float, level: float, direction: Direction = HIGHER) -> Needed:
    """With the runs that there are: d + margin ≥ half width + z(0.8) se, both by the mean squares of these.

    More topics leave what runs differ by on all topics alike as it is, so that there may be no number of them.
    """

    def topics(true: float, level: float) -> int | None:
        def is_enough(count: int) -> bool:
            parts = _parts_on(squares, count)
            return bool(true >= parts.half_width(level)[0] + ndtri(POWER) * parts.se[0])

        counts = range(2, MOST + 1)
        place = bisect_left(counts, True, key=is_enough)  # noqa: FBT003  # sought
        return counts[place] if place < len(counts) else None

    return nearest_claim(sign_of(direction) * squares.difference, margin, level, topics, GATING)


def _parts_on(squares: TwoAlgorithms, topics: int) -> Parts:
    """The parts of the variance of the difference, as expected on so many topics."""
    both = squares.first, squares.second
    variance = [squares.over_topics / topics, *(_instance_part(algorithm, topics) for algorithm in both)]
    df = [topics - 1, *(algorithm.instances - 1 or topics - 1 for algorithm in both)]
    return Parts(np.array([variance]).T, np.array([df], float).T)


def _instance_part(one_algorithm: OneAlgorithm, topics: int) -> float:
    """max(σ_i², MS_i/(m − 1))/m with MS_i = σ_i² + σ²/T, as in `OneAlgorithm.instance_part`."""
    if one_algorithm.instances == 1:
        return 0.0
    own = max(one_algorithm.between - one_algorithm.residual / len(one_algorithm.means), 0.0)
    return max(own, (own + one_algorithm.residual / topics) / (one_algorithm.instances - 1)) / one_algorithm.instances


@dataclass(frozen=True)
class PairNeeded:
    """How many topics would show that two systems differ; None where even MOST would not."""

    better: str
    worse: str
    difference: float  # by how much the better one is better
    deviation: float  # of the difference, from topic to topic
    topics: int | None


@dataclass(frozen=True)
class TopicsNeeded:
    """What it would take to separate the best system from the others of its top group."""

    best: str
    topics: int  # that there are
    systems: int
    test: str
    alpha: float
    power: float
    pairs: tuple[PairNeeded, ...]  # down the ranking: the runner-up first


def separate_top_group(comparison: Comparison, *, power: float = POWER) -> TopicsNeeded | None:
    """The topics that the test needs to separate the best system from each other one of its top group.

    The differences and deviations that were observed are taken as the true ones. None where the test is neither the
    paired t-test, guarded or not, with a level for each pair, nor Tukey's.
    """
    critical = critical_of(comparison)
    if critical is None:
        return None
    with_best = (comparison.first == 0) & ~comparison.significant
    pairs = tuple(
        PairNeeded(
            comparison.systems[0],
            comparison.systems[int(comparison.second[pair])],
            float(comparison.gain[pair]),
            deviation_of(comparison, pair),
            topics_needed(float(comparison.gain[pair]), deviation_of(comparison, pair), critical, power=power),
        )
        for pair in with_best.nonzero()[0].tolist()
    )
    size = comparison.topics, len(comparison.systems)
    return TopicsNeeded(comparison.systems[0], *size, comparison.test, comparison.alpha, power, pairs)


def critical_of(comparison: Comparison) -> Critical | None:
    """What the test asks of t on so many topics: of the first pair, where a correction goes step by step."""
    planned_by = TESTS[comparison.test].planned_by
    if comparison.is_constant.any():  # nothing is known of its spread
        return None
    if planned_by == "range":
        alpha = comparison.alpha * comparison.share / comparison.families
        return partial(tukey_critical, systems=len(comparison.systems), alpha=alpha)
    if planned_by == "pair" and comparison.corrected_by.is_of_levels:
        return partial(paired_critical, level=comparison.level)
    return None


def deviation_of(comparison: Comparison, pair: int) -> float:
    """Of the difference of two systems on a topic: the pair's own, or by Tukey's test that of all pairs."""
    return float(comparison.se[pair]) * math.sqrt(comparison.topics)
