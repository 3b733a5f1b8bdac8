"""How many topics would separate the best system from those it does not differ from? From the fitted components."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

from scipy.special import nctdtr

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.studentized import ppf

MOST = 100_000  # topics: more are as good as none
POWER = 0.8


@dataclass(frozen=True)
class PairNeeded:
    """How many topics would show that two systems differ; None where even MOST would not."""

    better: str
    worse: str
    difference: float
    topics: int | None


@dataclass(frozen=True)
class TopicsNeeded:
    """What it would take to separate the best system from the others of its top group.

    `variance` is that of a system's mean on one topic, from topic to topic: MS(topic:system) / shards.
    """

    best: str
    topics: int  # that there are
    systems: int
    shards: int
    alpha: float
    power: float
    variance: float
    pairs: tuple[PairNeeded, ...]  # down the ranking: the runner-up first


def separate_top_group(comparison: Comparison, *, power: float = POWER) -> TopicsNeeded:
    """The topics that Tukey's test needs to separate the best system from each other one of its top group.

    The differences that were observed are taken as the true ones, and MS(topic:system) as the true mean square.
    """
    if comparison.population != "topics" or comparison.error_ms is None:
        raise DesignError("topics needed follow from MS(topic:system): compare by Tukey's test, population 'topics'")
    variance, best = comparison.error_ms / comparison.shards, comparison.systems[0]
    means = dict(zip(comparison.systems, comparison.means.tolist(), strict=True))
    pairs = tuple(
        PairNeeded(
            best,
            other,
            means[best] - means[other],
            topics_needed(
                means[best] - means[other], variance, len(comparison.systems), alpha=comparison.alpha, power=power
            ),
        )
        for other in comparison.top_group[1:]
    )
    size = comparison.topics, len(comparison.systems), comparison.shards
    return TopicsNeeded(best, *size, comparison.alpha, power, variance, pairs)


def topics_needed(
    difference: float, variance: float, systems: int, *, alpha: float = 0.05, power: float = POWER
) -> int | None:
    """The fewest topics T on which Tukey's test of R systems finds a true difference δ with this power.

    The observed difference over its standard error √(2v/T) follows the noncentral t distribution with
    df = (R − 1)(T − 1) and noncentrality δ √(T / 2v); the test finds it where it exceeds Q(1 − α; R, df) / √2:

        P(t'(df, δ √(T / 2v)) > Q(1 − α; R, df) / √2) ≥ power

    with v = MS(topic:system) / shards. None where more than MOST topics would be needed.

    >>> topics_needed(0.05, 0.01, 2), topics_needed(0.05, 0.01, 20), topics_needed(0.0, 0.01, 20)
    (65, 155, None)
    """
    counts = range(2, MOST + 1)
    if difference <= 0:
        return None
    place = bisect_left(counts, power, key=lambda topics: power_of(difference, variance, systems, topics, alpha=alpha))
    return counts[place] if place < len(counts) else None


def power_of(difference: float, variance: float, systems: int, topics: int, *, alpha: float = 0.05) -> float:
    """With what probability Tukey's test on so many topics finds a true difference; see `topics_needed`."""
    df = float((systems - 1) * (topics - 1))
    noncentrality = difference * math.sqrt(topics / (2 * variance))
    critical = float(ppf(1 - alpha, systems, df)) / math.sqrt(2)
    return 1.0 - float(nctdtr(df, noncentrality, critical))
