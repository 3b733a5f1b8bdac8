"""How many topics would separate the best system from those it does not differ from? From the differences observed."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from scipy.special import nctdtr

from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import critical_t
from irgauge.inference.studentized import ppf
from irgauge.inference.verdicts import POWER

MOST = 100_000  # topics: more are as good as none
Critical = Callable[[int], tuple[float, float]]  # topics -> the least |t| that is significant, degrees of freedom


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
    paired t-test, with a level for each pair, nor Tukey's.
    """
    critical = _critical(comparison)
    if critical is None:
        return None
    with_best = (comparison.first == 0) & ~comparison.significant
    pairs = tuple(
        PairNeeded(
            comparison.systems[0],
            comparison.systems[int(comparison.second[pair])],
            float(comparison.difference[pair]),
            _deviation(comparison, pair),
            topics_needed(float(comparison.difference[pair]), _deviation(comparison, pair), critical, power=power),
        )
        for pair in with_best.nonzero()[0].tolist()
    )
    size = comparison.topics, len(comparison.systems)
    return TopicsNeeded(comparison.systems[0], *size, comparison.test, comparison.alpha, power, pairs)


def _critical(one: Comparison) -> Critical | None:
    """What the test asks of t on so many topics; Holm's correction asks of the first pair what Bonferroni's asks."""
    if one.test == "tukey":
        return partial(tukey_critical, systems=len(one.systems), alpha=one.alpha / one.families)
    if one.test == "t" and one.correction != "bh":
        return partial(paired_critical, level=one.level)
    return None


def _deviation(one: Comparison, pair: int) -> float:
    """Of the difference of two systems on a topic: the pair's own, or by Tukey's test that of all pairs."""
    return float(one.se[pair]) * math.sqrt(one.topics)


def paired_critical(topics: int, *, level: float) -> tuple[float, float]:
    """The paired t-test at a level: t(1 − level/2; T − 1)."""
    return critical_t(level, topics - 1), float(topics - 1)


def tukey_critical(topics: int, *, systems: int, alpha: float = 0.05) -> tuple[float, float]:
    """Tukey's test of R systems: Q(1 − α; R, df) / √2 with df = (R − 1)(T − 1)."""
    df = float((systems - 1) * (topics - 1))
    return float(ppf(1 - alpha, systems, df)) / math.sqrt(2), df


def topics_needed(difference: float, deviation: float, critical: Critical, *, power: float = POWER) -> int | None:
    """The fewest topics T on which the test finds a true difference δ with this power.

    The observed difference over its standard error follows the noncentral t distribution with noncentrality δ √T / s,
    where s is the deviation of the difference from topic to topic; the test finds it where it exceeds t_c(T):

        P(t'(df, δ √T / s) > t_c(T)) ≥ power

    None where more than MOST topics would be needed.

    >>> alone, of_20 = partial(paired_critical, level=0.05), partial(tukey_critical, systems=20)
    >>> topics_needed(0.05, 0.14, alone), topics_needed(0.05, 0.14, of_20), topics_needed(0.0, 0.14, alone)
    (64, 152, None)
    """
    counts = range(2, MOST + 1)
    if difference <= 0:
        return None
    place = bisect_left(counts, power, key=lambda topics: power_of(difference, deviation, topics, critical))
    return counts[place] if place < len(counts) else None


def power_of(difference: float, deviation: float, topics: int, critical: Critical) -> float:
    """With what probability the test on so many topics finds a true difference; see `topics_needed`."""
    least, df = critical(topics)
    return 1.0 - float(nctdtr(df, difference * math.sqrt(topics) / deviation, least))
