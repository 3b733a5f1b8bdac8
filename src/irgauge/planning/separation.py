"""How many topics would separate the best system from those it does not differ from? From the differences observed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import POWER
from irgauge.planning.power import Critical, paired_critical, topics_needed, tukey_critical


@dataclass(frozen=True)
class PairNeeded:
    """How many topics would show that two systems differ; None where even MOST would not."""

    better: str
    worse: str
    difference: float
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
            float(comparison.difference[pair]),
            deviation_of(comparison, pair),
            topics_needed(float(comparison.difference[pair]), deviation_of(comparison, pair), critical, power=power),
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
        return partial(tukey_critical, systems=len(comparison.systems), alpha=comparison.alpha / comparison.families)
    if planned_by == "pair" and comparison.corrected_by.is_of_levels:
        return partial(paired_critical, level=comparison.level)
    return None


def deviation_of(comparison: Comparison, pair: int) -> float:
    """Of the difference of two systems on a topic: the pair's own, or by Tukey's test that of all pairs."""
    return float(comparison.se[pair]) * math.sqrt(comparison.topics)
