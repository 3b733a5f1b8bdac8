"""What a plan says, in sentences that can be quoted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from irgauge.planning.sizes import Goal, Size
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted, listed, percent
from irgauge.studies.plan.pair_plan import Design, PairPlan, Reach
from irgauge.studies.plan.reliability_findings import reliability_findings
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import goal_said, number, who

_SHOWN = 3  # designs in a sentence


def findings(result: Planned) -> Iterator[Finding]:
    """What is needed, what there is can find, and what to beware of."""
    for one in _told(result):
        yield one.about(population=result.population, measure=result.measure)


def _told(result: Planned) -> Iterator[Finding]:
    yield needed(
        goal=result.goal,
        measure=result.measure,
        plans=result.plans,
        replicates=result.replicates,
        here=result.here,
        is_halving=result.is_halving,
        pairs=result.held_together,
    )
    if result.first.now is not None:
        yield now(
            measure=result.measure,
            plan=result.first,
            reach=result.first.now,
            replicates=result.replicates,
            power=result.power,
        )
    if result.here is not None and result.replicates is not None and result.first.designs[-1].replicates > 1:
        yield on_these_topics(plan=result.first, topics=result.here.topics, replicates=result.replicates)
    for one in _ends(result.plans):
        if one.cheapest is not None:
            yield cheapest_design(plan=one, design=one.cheapest, replicates=result.replicates)
    yield from _limits(result)
    yield from reliability_findings(result)


def _limits(result: Planned) -> Iterator[Finding]:
    few = [design for design in result.first.designs if design.topics is None]
    if few and result.replicates is not None:
        yield never(
            plan=result.first,
            counts=[design.replicates for design in few],
            replicates=result.replicates,
            is_all=len(few) == len(result.first.designs),
        )


@sentence("needed")
def needed(
    *,
    goal: Goal,
    measure: str | None,
    plans: Sequence[PairPlan],
    replicates: str | None,
    here: Size | None,
    is_halving: bool,
    pairs: int,
) -> str:
    """How many topics, shards and instances the goal needs."""
    aim = goal_said(goal, measure) + (", half of what it is now" if is_halving else "")
    over = f", corrected for {counted(pairs, 'pair')}" if pairs > 1 else ""
    each = [f"{_designs(plan.designs, replicates)} for {who(plan.pair)}" for plan in _ends(plans)]
    there = "" if here is None else f"; there are {_size(here, replicates)}"
    is_known = here is None and goal.kind != "width"  # an interval's width is an estimate even then
    sure = "if these variances are the true ones" if is_known else f"with an assurance of {percent(goal.assurance)}"
    return f"To {aim}{over}, {sure}, the next experiment needs {listed(each)}{there}."


def _ends(plans: Sequence[PairPlan]) -> Sequence[PairPlan]:
    """One or two plans; of more, those with the fewest topics and the most."""
    if len(plans) <= 2:
        return plans
    ordered = sorted(plans, key=lambda plan: min((one.topics or math.inf for one in plan.designs), default=math.inf))
    return ordered[0], ordered[-1]


def _designs(designs: Sequence[Design], replicates: str | None) -> str:
    possible = [one for one in designs if one.topics is not None]
    if not possible:
        return "more topics than can be had"
    if replicates is None or len(designs) == 1:
        return counted(possible[0].topics or 0, "topic")
    step = max(1, len(possible) // _SHOWN)
    shown = possible[::step][:_SHOWN]
    return listed([f"{counted(one.topics or 0, 'topic')} with {one.replicates} {replicates}" for one in shown], "or")


def _size(size: Size, replicates: str | None) -> str:
    topics = counted(size.topics, "topic")
    return topics if replicates is None else f"{topics} and {size.replicates} {replicates}"


@sentence("now")
def now(
    *,
    measure: str | None,
    plan: PairPlan,
    reach: Reach,
    replicates: str | None,
    power: float,
) -> str:
    """What the data at hand can find."""
    by = f" in {measure}" if measure else ""
    return (
        f"The {_size(Size(reach.topics, reach.replicates), replicates)} here find a true difference of "
        f"{number(reach.difference)}{by} with a power of {percent(power)}, and give intervals of ± "
        f"{number(reach.width)}, for {who(plan.pair)}."
    )


@sentence("on-these-topics")
def on_these_topics(*, plan: PairPlan, topics: int, replicates: str) -> str:
    """How many shards or instances would do on the topics at hand."""
    enough = f"no number of {replicates} is" if plan.replicates is None else f"{plan.replicates:,} {replicates} are"
    return f"On the {counted(topics, 'topic')} here {enough} enough for {who(plan.pair)}."


@sentence("cheapest")
def cheapest_design(*, plan: PairPlan, design: Design, replicates: str | None) -> str:
    """The cheapest experiment that reaches the goal."""
    size = _size(Size(design.topics or 0, design.replicates), replicates)
    return f"The cheapest such experiment for {who(plan.pair)} has {size}, and costs {design.cost:,.0f}."


@sentence("never", tone="warning")
def never(*, plan: PairPlan, counts: Sequence[int], replicates: str, is_all: bool) -> str:
    """Topics alone are not enough."""
    few = listed(list(map(str, counts)), "or")
    more = "" if is_all else f"; more {replicates} are needed"
    return (
        f"With {few} {replicates} no number of topics is enough for {who(plan.pair)}, as {replicates} differ too much"
        f"{more}."
    )
