"""What is planned for one pair: what it needs, what there is reaches, the cheapest design, what other goals take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from irgauge.brief import OneLine
from irgauge.options.fields import refuse
from irgauge.planning.designs import MeanSquare, Observed, OverTopics, TopicsAndInstances, TopicsAndShards
from irgauge.planning.power import quantiles
from irgauge.planning.sizes import (
    Costs,
    Goal,
    Kind,
    Size,
    Variances,
    assured,
    cheapest,
    reached,
    replicates_for,
    topics_for,
)
from irgauge.provenance import Provenance, named
from irgauge.studies.plan.options import OF_DIFFERENCES, PlanOptions, checked_components
from irgauge.studies.plan.pilot import JUDGED, WORDINGS, PairPilot, Pilot, PlannedPair, Replicates

KINDS: tuple[Kind, ...] = ("width", "difference", "margin")
COUNTS = (2, 3, 5, 10, 20, 50, 100)  # of shards or instances, in tables
TOPICS = (10, 25, 50, 100, 200, 500, 1000)  # in tables
BAND = (0.1, 0.9)  # between which draws of a curve are
_MORE_COUNTS = (*COUNTS, 4, 6, 7, 8, 12, 15, 25, 30, 40, 70)  # among which the cheapest is sought
_TIMES = (0.5, 0.75, 1.0, 1.5, 2.0)  # other goals
_LINES = (2, 5, 20)  # numbers of shards or instances that have a curve, beside what there is
_JUDGED_COUNTS = (0, 50, 100, 200, 500, 1000, 2000, 5000)  # of topics by a judge alone, in tables
_MORE_JUDGED = tuple(np.unique(np.geomspace(10, 20_000, 50).round(-1).astype(int)).tolist())
_JUDGED_LINES = (0, 100, 1000)
_USUAL = 5  # shards or instances, where none are at hand
_POINTS = 24  # of a curve
_FAR = 50_000  # topics, to which a curve goes at most


@dataclass(frozen=True)
class NeededTopics:
    """The topics that are needed with so many shards or instances, and what they cost."""

    replicates: int
    topics: int | None  # None if no number is enough
    cost: float | None  # None without costs


@dataclass(frozen=True)
class OtherGoal:
    """What another value of the goal takes: the cheapest design, or without costs that of the replicates at hand."""

    value: float
    design: NeededTopics


@dataclass(frozen=True)
class Reach:
    """What an experiment reaches: the smallest of each kind of goal."""

    topics: int
    replicates: int
    width: float
    difference: float
    margin: float


@dataclass(frozen=True)
class CurvePoint:
    """Of a curve: what is reached with the assurance, and the band of what may be."""

    topics: int
    replicates: int
    reached: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class PairPlan(OneLine):
    """What is planned for one pair."""

    in_line: ClassVar[tuple[str, ...]] = ("pair", "difference")

    pair: PlannedPair
    difference: float | None  # observed; None without data
    components: Mapping[str, float]  # of its difference
    now: Reach | None  # with the data at hand, their variances taken as the true ones
    more: tuple[Reach, ...]  # with the assurance, by the number of topics
    designs: tuple[NeededTopics, ...]
    replicates: int | None  # that are enough on the topics at hand; None if no number is, or none is asked for
    cheapest: NeededTopics | None  # None without costs, or where no design is enough
    goals: tuple[OtherGoal, ...]  # of the first pair
    curve: tuple[CurvePoint, ...]


def pair_plan(pair_pilot: PairPilot, pilot: Pilot, goal: Goal, costs: Costs | None) -> PairPlan:
    """The plan for a pair."""
    here, seen = pilot.here, pair_pilot.seen
    counts = _counts(seen.variances, pilot)
    designs = tuple(_design(seen.variances, count, goal, costs) for count in counts)
    at_hand = _USUAL if here is None else here.replicates
    if seen.variances.least == 1 and pilot.replicates != WORDINGS:
        at_hand = 1
    more = _MORE_JUDGED if pilot.replicates == JUDGED else _MORE_COUNTS
    priced = (sorted({*more, *counts}) if len(counts) > 1 else counts) if costs else (at_hand,)
    best = _best(seen.variances, goal, costs, priced)
    others = [replace(goal, value=times * goal.value) for times in _TIMES if pair_pilot is pilot.pairs[0]]
    return PairPlan(
        pair=pair_pilot.pair,
        difference=None if here is None else seen.difference,
        components=seen.components,
        now=None if here is None else _now(seen.estimates, here, goal),
        more=tuple(_reach(seen.variances, Size(topics, at_hand), goal) for topics in TOPICS),
        designs=designs,
        replicates=None if here is None or len(counts) == 1 else replicates_for(seen.variances, here.topics, goal),
        cheapest=None if costs is None or best.topics is None else best,
        goals=tuple(
            OtherGoal(other.value, best if other == goal else _best(seen.variances, other, costs, priced))
            for other in others
        ),
        curve=tuple(_curve(seen.variances, goal, designs, here)),
    )


def _counts(variances: Variances, pilot: Pilot) -> tuple[int, ...]:
    """The numbers of shards or instances that designs have."""
    here = () if pilot.here is None else (pilot.here.replicates,)
    if pilot.replicates == WORDINGS:
        return tuple(sorted({1, *COUNTS, *here}))
    if variances.least == 1:
        return (1,)
    return tuple(sorted({*(_JUDGED_COUNTS if pilot.replicates == JUDGED else COUNTS), *here}))


def _design(variances: Variances, count: int, goal: Goal, costs: Costs | None) -> NeededTopics:
    topics = topics_for(variances, count, goal)
    return NeededTopics(count, topics, None if costs is None or topics is None else costs.of(Size(topics, count)))


def _best(variances: Variances, goal: Goal, costs: Costs | None, counts: Sequence[int]) -> NeededTopics:
    """The cheapest design; without costs there is one to choose from."""
    size = cheapest(variances, goal, costs or Costs(topic=1), counts)
    if size is None:
        return NeededTopics(counts[-1], None, None)
    return NeededTopics(size.replicates, size.topics, None if costs is None else costs.of(size))


def _reach(variances: Variances, size: Size, goal: Goal) -> Reach:
    """What is reached with the assurance."""
    return Reach(*size, *(assured(variances, size, replace(goal, kind=kind)) for kind in KINDS))


def _now(estimates: Variances, size: Size, goal: Goal) -> Reach:
    """What is expected where the variances are as estimated; of a width, which is itself drawn, the expected one."""
    reach = _reach(estimates, size, goal)
    return replace(reach, width=float(estimates.expected(size, goal.level).half_width[0]))


def _curve(
    variances: Variances, goal: Goal, designs: Sequence[NeededTopics], here: Size | None
) -> Iterator[CurvePoint]:
    """What is reached by the number of topics, for up to four numbers of replicates."""
    needed = {design.replicates: design.topics for design in designs if design.topics is not None}
    at_hand = [here.topics, needed.get(here.replicates, 0)] if here else []
    most = min(_FAR, 2 * max([50, *at_hand, *sorted(needed.values())[:3]]))
    counts = {design.replicates for design in designs}
    usual = _JUDGED_LINES if variances.least == 0 else _LINES
    lines = {*usual, *([here.replicates] if here else [])} & counts or counts
    for count in sorted(lines):
        for topics in np.unique(np.geomspace(5, most, _POINTS).round().astype(int)).tolist():
            drawn = reached(variances, Size(topics, count), goal)
            low, middle, high = quantiles(drawn, [BAND[0], goal.assurance, BAND[1]])
            yield CurvePoint(topics, count, middle, low, high)


_OF_SCORES = ("shards", "fill", "keep_systems", "sparse", "population", "variants")
_OF_DATA = (*_OF_SCORES, "manifest", "pattern", "labels", "replicates")
POPULATIONS = {None: "topics", "shards": "both", "instances": "other topics and other instances of the algorithms"}


def typed_pilot(options: PlanOptions) -> Pilot:
    """What the components that were typed in say."""
    _check_options(options)
    components = checked_components(options.typed)
    replicates: Replicates | None = (
        "shards" if "system:shard" in components else "instances" if "instance" in components else None
    )
    systems = options.systems or 2
    variances = _variances(components, replicates, systems)
    of_difference = {name: 2 * components[name] for name in OF_DIFFERENCES if name in components}
    return Pilot(
        pairs=(PairPilot(PlannedPair("typed"), Observed(0.0, of_difference, variances, variances)),),
        of_pairs=1,
        systems=systems,
        random=systems if replicates == "instances" else 0,
        replicates=replicates,
        here=None,
        measure=None if options.measure is None else str(options.measure),
        population=POPULATIONS[replicates],
        facts=Provenance.of(
            named("components", ", ".join(f"{name} = {variance:g}" for name, variance in components.items()))
        ),
        values=None,
        judgments=options.judgments,
    )


def _check_options(options: PlanOptions) -> None:
    """Refuse what is said of data."""
    refuse(options, _OF_DATA, "data, and components were given; leave it out, or give data")


def _variances(components: dict[str, float], replicates: Replicates | None, systems: int) -> Variances:
    topic, shard, instance, residual = (
        components.get(name, 0.0) for name in ("topic:system", "system:shard", "instance", "residual")
    )
    if replicates == "shards":
        return TopicsAndShards.known(2 * topic, 2 * shard, 2 * residual, systems)
    if replicates == "instances":
        return TopicsAndInstances.known(2 * topic, instance, residual)
    return OverTopics.of(MeanSquare(2 * (topic + residual)))
