"""What a plan says, in sentences that can be quoted; and how goals, pairs and numbers of topics are said."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from irgauge.models.generalizability import SYSTEM, Kind, ReliabilityTopics
from irgauge.planning.design_effect import DesignEffect
from irgauge.planning.sizes import Goal, Size
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import capital, counted, ended, listed, percent
from irgauge.studies.new_topics import add_and_look
from irgauge.studies.plan.caveats import caveats
from irgauge.studies.plan.judge_pilot import TopicStratum
from irgauge.studies.plan.kinds import SlicePlan
from irgauge.studies.plan.pair_plan import NeededTopics, PairPlan, Reach
from irgauge.studies.plan.pilot import JUDGED, PlannedPair
from irgauge.studies.plan.reliability import RESIDUAL, Reached, Reliability, TopicsFor
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import goal_found, goal_said, named, number, who, width_said
from irgauge.studies.sampling_findings import sampling_told

SYMBOLS: Mapping[Kind, str] = {"relative": "Eρ²", "absolute": "Φ"}
PLURALS = {"topic": "topics", SYSTEM: "systems", "shard": "shards", RESIDUAL: "the residual"}
MEANINGS = {
    "topic": "some topics are harder than others",
    SYSTEM: "some systems are better than others",
    "shard": "some shards are harder than others",
    "topic:system": "systems suit some topics better than others",
    "system:shard": "systems suit some shards better than others",
    "topic:shard": "topics are harder on some shards",
    RESIDUAL: "what nothing else explains",
}


def whole(reliability: Reliability, measure: str | None = None) -> str:
    """What the shares of sources are of: of typed components some may be left out."""
    return f"the variance of one {measure or 'score'}" if reliability.is_complete else "the variances given"


_SHOWN = 3  # designs in a sentence
_FIRST = 8  # topics in a sentence
_KINDS = 6  # of topics in a sentence


def findings(result: Planned) -> Iterator[Finding]:
    """What is needed, what there is can find, and what to beware of."""
    for finding in _told(result):
        yield finding.about(population=result.population, measure=result.measure)


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
    if result.design_effect is not None:
        topics = [plan.designs[0].topics for plan in _ends(result.plans)]
        yield in_clusters(
            effect=result.design_effect, pair=result.first.pair, topics=topics, confidence=1 - result.alpha
        )
    yield from sampling_told(result.sampling)
    if result.slices:
        yield on_kinds(slices=result.slices, pair=result.first.pair, assurance=result.assurance)
    if result.first.now is not None:
        yield now(
            measure=result.measure,
            plan=result.first,
            reach=result.first.now,
            replicates=result.replicates,
            power=result.power,
        )
    yield from caveats(result)
    if result.here is not None and result.replicates is not None and result.first.designs[-1].replicates > 1:
        yield on_these_topics(plan=result.first, topics=result.here.topics, replicates=result.replicates)
    for end in _ends(result.plans):
        if end.cheapest is not None:
            yield cheapest_design(plan=end, design=end.cheapest, replicates=result.replicates)
    yield from _limits(result)
    if result.people_next is not None:
        yield next_topics(topics=result.people_next.waiting, strata=result.people_next.strata)
    if result.judge is not None and result.notes:
        yield judge_notes(judge=result.judge, notes=result.notes)
    if result.here is not None:
        yield add_and_look()
    yield from reliability_findings(result)


@sentence("needed-on-kinds", claims=("forecast",))
def on_kinds(*, slices: Sequence[SlicePlan], pair: PlannedPair, assurance: float) -> str:
    """How many topics each kind needs, the one that lacks most first."""
    ordered = sorted(slices, key=lambda own: -((math.inf if own.needed is None else own.needed) - own.topics))
    named = [
        f"{own.value} {'more than can be had' if own.needed is None else f'{own.needed:,}'} (there are {own.topics:,})"
        for own in ordered[:_KINDS]
    ]
    more = f" and {counted(len(ordered) - _KINDS, 'other kind')} fewer" if len(ordered) > _KINDS else ""
    columns = listed(list(dict.fromkeys(own.column for own in slices)))
    return (
        f"To reach it on each kind by {columns}, all tested together, with an assurance of {percent(assurance)}, topics"
        f" of each are needed for {who(pair)}: {', '.join(named)}{more}."
    )


@sentence("design-effect", claims=("interval",))
def in_clusters(*, effect: DesignEffect, pair: PlannedPair, topics: Sequence[int | None], confidence: float) -> str:
    """How many clusters that are, and how much more topics are needed for them."""
    counts = [f"{math.ceil(count / effect.topics_each):,}" for count in topics if count is not None]
    needed = (
        f"That is {listed(counts, 'or')} clusters like the {effect.clusters:,} here"
        if counts
        else (f"There are {effect.clusters:,} clusters here")
    )
    interval = f"{percent(confidence)} interval {number(effect.low)} to {number(effect.high)}"
    return (
        f"{needed}, of {effect.topics_each:.1f} topics on average. Topics of a cluster go together: it takes "
        f"{number(effect.value)} times as many as if they were drawn one by one (design effect of {named(pair)}, "
        f"{interval}). Other clusters show more than more topics of these."
    )


def _limits(result: Planned) -> Iterator[Finding]:
    few = [design for design in result.first.designs if design.topics is None]
    if few and result.replicates is not None:
        yield never(
            plan=result.first,
            counts=[design.replicates for design in few],
            replicates=result.replicates,
            is_all=len(few) == len(result.first.designs),
        )


@sentence("needed", claims=("forecast",))
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
    ordered = sorted(
        plans, key=lambda plan: min((design.topics or math.inf for design in plan.designs), default=math.inf)
    )
    return ordered[0], ordered[-1]


def _designs(designs: Sequence[NeededTopics], replicates: str | None) -> str:
    possible = [design for design in designs if design.topics is not None]
    if not possible:
        return "more topics than can be had"
    if replicates is None or len(designs) == 1:
        return counted(possible[0].topics or 0, "topic")
    step = max(1, len(possible) // _SHOWN)
    shown = possible[::step][:_SHOWN]
    if replicates == JUDGED:
        return listed([_size(Size(design.topics or 0, design.replicates), replicates) for design in shown], "or")
    singular = replicates.removesuffix("s")
    sizes = [f"{counted(design.topics or 0, 'topic')} with {counted(design.replicates, singular)}" for design in shown]
    return listed(sizes, "or")


def _size(size: Size, replicates: str | None) -> str:
    topics = counted(size.topics, "topic")
    if replicates == JUDGED:
        return f"{topics} by people {f'and {size.replicates:,} more by the judge' if size.replicates else 'alone'}"
    return topics if replicates is None else f"{topics} and {counted(size.replicates, replicates.removesuffix('s'))}"


@sentence("now", claims=("forecast",))
def now(
    *,
    measure: str | None,
    plan: PairPlan,
    reach: Reach,
    replicates: str | None,
    power: float,
) -> str:
    """What the data at hand can find."""
    there = _size(Size(reach.topics, reach.replicates), replicates)
    found = goal_found(reach.difference, measure, power)
    return f"The {there} here {found}, and give intervals {width_said(reach.width, measure)}, for {who(plan.pair)}."


@sentence("on-these-topics", claims=("forecast",))
def on_these_topics(*, plan: PairPlan, topics: int, replicates: str) -> str:
    """How many shards or instances would do on the topics at hand."""
    enough = f"no number of {replicates} is" if plan.replicates is None else f"{plan.replicates:,} {replicates} are"
    beside = "Beside" if replicates == JUDGED else "On"
    return f"{beside} the {counted(topics, 'topic')} here {enough} enough for {who(plan.pair)}."


@sentence("cheapest", claims=("forecast",))
def cheapest_design(*, plan: PairPlan, design: NeededTopics, replicates: str | None) -> str:
    """The cheapest experiment that reaches the goal."""
    size = _size(Size(design.topics or 0, design.replicates), replicates)
    return f"The cheapest such experiment for {who(plan.pair)} has {size}, and costs {design.cost:,.0f}."


@sentence("next-topics", claims=())
def next_topics(*, topics: Sequence[str], strata: Sequence[TopicStratum]) -> str:
    """Which topics to give to people next."""
    first = listed(list(topics[:_FIRST]))
    more = f" (of {len(topics):,} that only the judge judged; --next FILE writes all, for `judges --strata FILE`)"
    if len(strata) == 1:
        return f"Give people next the topics {first}{more}; they are drawn by chance."
    most = max(strata, key=lambda stratum: stratum.share)
    return (
        f"Give people next the topics {first}{more}: by Neyman's allocation {percent(most.share)} of people's topics "
        f"are to be from stratum {most.stratum} of {len(strata)} by the spread of scores by the judge, which holds "
        f"{percent(most.topics / sum(stratum.topics for stratum in strata))} of all."
    )


@sentence("judge-notes", tone="note", claims=())
def judge_notes(*, judge: str, notes: Sequence[str]) -> str:
    """What a careful reader should know of a judge's judgments."""
    return ended(f"{judge}: {'; '.join(notes)}")


@sentence("never", tone="warning", claims=("forecast",))
def never(*, plan: PairPlan, counts: Sequence[int], replicates: str, is_all: bool) -> str:
    """Topics alone are not enough."""
    few = listed(list(map(str, counts)), "or")
    more = "" if is_all else f"; more {replicates} are needed"
    return (
        f"With {few} {replicates} no number of topics is enough for {who(plan.pair)}, as {replicates} differ too much"
        f"{more}."
    )


_TOLD = 0.05  # sources with a smaller share are not told


def reliability_findings(result: Planned) -> Iterator[Finding]:
    """Which source dominates, how reliable the ranking is and what it would take."""
    reliability = result.reliability
    if reliability is None:
        return
    yield _sources(result, reliability)
    yield ranking(
        measure=result.measure,
        systems=reliability.systems,
        here=reliability.here,
        target=reliability.target,
        needed=[need for need in reliability.needed if need.shards == reliability.size.replicates],
        replicates=None if result.replicates is None else reliability.size.replicates,
        confidence=1 - result.alpha,
    )


def _sources(result: Planned, reliability: Reliability) -> Finding:
    return sources(
        whole=whole(reliability, result.measure),
        shares={source.name: source.share for source in sorted(reliability.sources, key=lambda source: -source.share)},
        errors={}
        if result.replicates is None
        else {source.name: source.relative for source in reliability.sources if source.relative},
    )


@sentence("sources", claims=())
def sources(*, whole: str, shares: Mapping[str, float], errors: Mapping[str, float]) -> str:
    """Where the variance of one score comes from, the largest share first; with shards, what makes the ranking err."""
    names = [name for name, share in shares.items() if share >= _TOLD or name == SYSTEM]
    parts = [f"{percent(shares[name])} from {PLURALS.get(name, name)}" for name in names]
    text = f"Of {whole}, {listed(parts).replace(' from', ' comes from', 1)}"
    if not errors:
        return f"{text}."
    first = max(errors, key=lambda name: errors[name])
    from_first = f"{percent(errors[first])} comes from {PLURALS.get(first, first)}"
    return f"{text}; of the error of the ranking, {from_first}{_help(first)}."


def _help(source: str) -> str:
    """What makes a source of error small."""
    if source == "topic:system":
        return ", which more topics make smaller, and more shards do not"
    if source == "system:shard":
        return ", which more shards make smaller, and more topics do not"
    return ", which more topics and more shards make smaller"


@sentence("ranking", claims=("interval", "forecast"))
def ranking(
    *,
    measure: str | None,
    systems: int | None,
    here: Reached | None,
    target: float,
    needed: Sequence[TopicsFor],
    replicates: int | None,
    confidence: float,
) -> str:
    """How reliable the ranking is, and how many topics the reliability wanted needs."""
    shards = "" if replicates is None else f" on {counted(replicates, 'shard')}"
    takes = listed([_takes(need, target) for need in needed])
    if here is None:
        return f"{capital(takes)}{shards}."
    by = "" if measure is None else f" by {measure}"
    low, high = here.relative.low, here.relative.high
    return (
        f"The ranking of {systems:,} systems{by} over {counted(here.topics, 'topic')}{shards} has a reliability Eρ² of "
        f"{here.relative.value:.3f} ({percent(confidence)} interval {low:.3f} to {high:.3f}), and Kendall's τ with the "
        f"true ranking is about {here.tau:.2f}; {takes}{shards}."
    )


def _aim(needed: TopicsFor, target: float) -> str:
    what = "" if needed.kind == "relative" else " (of the means themselves)"
    return f"{SYMBOLS[needed.kind]} of {target:g}{what}"


def _takes(needed: TopicsFor, target: float) -> str:
    if needed.topics is None:
        return (
            f"no number of topics is enough for {_aim(needed, target)} ({needed.most:.3f} is the most that they reach)"
        )
    return f"{_aim(needed, target)} takes {counted(needed.topics, 'topic')}{_range(needed.interval)}"


def _range(interval: ReliabilityTopics | None) -> str:
    """The interval of a number of topics; no number may be enough."""
    if interval is None:
        return ""
    low, high = (None if end is None else f"{end:,}" for end in interval)
    if low is None:
        return " (perhaps no number is enough)"
    return f" ({low} to {high})" if high is not None else f" (at least {low}; perhaps no number is enough)"
