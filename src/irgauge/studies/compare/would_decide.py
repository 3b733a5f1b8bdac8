"""Beside an inconclusive pair: how many topics would decide, what was observed taken as the truth."""

from __future__ import annotations

from functools import partial

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.planning.deciding import Claim, Needed, Topics, nearest_claim
from irgauge.planning.observed import Observing
from irgauge.planning.power import paired_critical, topics_needed
from irgauge.planning.separation import critical_of, deviation_of
from irgauge.planning.sizes import Goal, topics_for
from irgauge.studies.compare.study import MeasureCompared

_EVERY: tuple[Claim, ...] = ("better", "worse", "not worse", "not better")


def would_decide(result: MeasureCompared, one: Comparison, pair: int) -> Needed | None:
    """The claim about a pair that the fewest topics would show; None where that cannot be told of the test.

    With shards, as many of them as there are.
    """
    topics = _topics(result, one, pair)
    if topics is None:
        return None
    margin = None if TESTS[one.test].planned_by == "range" else result.verdicts[one.population].margin
    return nearest_claim(float(one.difference[pair]), margin, one.level, topics, _EVERY)


def _topics(result: MeasureCompared, one: Comparison, pair: int) -> Topics | None:
    """What tells how many topics a difference and a level need."""
    if TESTS[one.test].planned_by == "shards" and one.corrected_by.is_of_levels:
        return _with_shards(result, one, pair)
    critical = critical_of(one)
    if critical is None:
        return None
    deviation = deviation_of(one, pair)
    if TESTS[one.test].planned_by == "range":
        return lambda true, _: topics_needed(true, deviation, critical)
    return lambda true, level: topics_needed(true, deviation, partial(paired_critical, level=level))


def _with_shards(result: MeasureCompared, one: Comparison, pair: int) -> Topics:
    scores = result.scored.shards
    observing = Observing(scores.values(), one.population, len(one.systems))
    first, second = (scores.scores.systems.index(name) for name in one.names[pair])
    seen = observing.pair(first, second).estimates

    def topics(true: float, level: float) -> int | None:
        return topics_for(seen, scores.shards, Goal("difference", true, level=level)) if true > 0 else None

    return topics
