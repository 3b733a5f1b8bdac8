"""What a plan needs on each kind of topics: as many topics of it as its differences, or those of all kinds, ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.slices import FEWEST
from irgauge.planning.designs import Observed, Observing, over_topics
from irgauge.planning.sizes import Goal, Size, assured, topics_for
from irgauge.reading.topic_slices import Slice, slices_of
from irgauge.replicates.measured import Measured
from irgauge.studies.plan.options import PlanOptions


class SlicePilot(NamedTuple):
    """A kind of topics, and what is known of a pair's difference on it: by itself, and as on all kinds."""

    column: str
    value: str
    here: Size
    seen: tuple[Observed, ...]


class SlicePlan(NamedTuple):
    """What a kind of topics needs."""

    column: str
    value: str
    topics: int  # that there are of it
    needed: int | None  # for the goal, all kinds tested together; None if no number is enough
    found: float  # the smallest value of the goal that the topics at hand reach


def observed_on_slices(
    measured: Measured, values: Floats, population: str, pair: tuple[int, int], options: PlanOptions
) -> tuple[SlicePilot, ...]:
    """The first pair on each kind that is large enough to be tested."""
    if not options.slice_columns:
        return ()
    if options.is_sampled:
        raise DesignError("kinds of topics (by) are planned for without clusters, weights and shares; leave these out")
    parts = slices_of(measured.scores.about, options.slice_columns, measured.scores.topics)
    kept = [part for part in parts if len(part.topics) >= FEWEST]
    if not kept:
        raise DesignError(f"no kind has {FEWEST} topics or more, so that nothing is known of any to plan with")
    return tuple(_on(values, population, pair, part, parts) for part in kept)


def _on(values: Floats, population: str, pair: tuple[int, int], part: Slice, parts: Sequence[Slice]) -> SlicePilot:
    on_slice = Observing(values[part.topics], population, values.shape[1])
    seen = [on_slice.pair(*pair)]
    if population == "topics":  # whose usual test takes the spread on all kinds, where that is larger
        d = (values[:, pair[0]] - values[:, pair[1]]).mean(axis=1)  # topic
        alike = (d[own.topics] - d[own.topics].mean() for own in parts if own.column == part.column)
        seen.append(over_topics(np.concatenate(list(alike))))
    return SlicePilot(part.column, part.value, on_slice.size, tuple(seen))


def slice_plans(slices: Sequence[SlicePilot], goal: Goal) -> Iterator[SlicePlan]:
    """The topics that each kind needs, by the larger of the spreads."""
    for own in slices:
        needs = [topics_for(seen.variances, own.here.replicates, goal) for seen in own.seen]
        enough = None if None in needs else max(need for need in needs if need is not None)
        found = max(assured(seen.estimates, own.here, goal) for seen in own.seen)
        yield SlicePlan(own.column, own.value, own.here.topics, enough, found)
