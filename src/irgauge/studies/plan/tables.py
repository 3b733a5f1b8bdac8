"""Tables of a plan: what is needed, by design and by goal, what there is finds, and what more topics would."""

from __future__ import annotations

import math
from collections.abc import Iterator

from irgauge.show.table import Cell, Column, Record, Table
from irgauge.show.words import listed, percent
from irgauge.studies.plan.findings import MEANINGS, SYMBOLS, whole
from irgauge.studies.plan.looks import looks_tables
from irgauge.studies.plan.pair_plan import NeededTopics, PairPlan, Reach
from irgauge.studies.plan.reliability import TOPICS, Estimate, Reached, Reliability
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import ROLES, goal_name, goal_said, named, of_ratios, shown_size

_NONE = "– where no number is enough"


def tables(result: Planned) -> list[Table]:
    """What is needed, what other goals take, what is found now and with more topics, the ranking."""
    return [
        needed_table(result),
        goal_table(result),
        *now_tables(result),
        reach_table(result),
        *looks_tables(result),
        *slice_tables(result),
        *strata_tables(result),
        *reliability_tables(result),
    ]


def _pair(plan: PairPlan) -> Record:
    return {"pair": named(plan.pair), "which": ROLES[plan.pair.role]}


def _design(design: NeededTopics) -> Record:
    return {"replicates": design.replicates, "topics": design.topics, "cost": design.cost}


def _design_columns(result: Planned) -> Iterator[Column]:
    if result.replicates is not None:
        yield Column("replicates", result.replicates)
    sure = f"the fewest that reach the goal with an assurance of {percent(result.assurance)}; {_NONE}"
    yield Column("topics", "topics needed", sure)
    if result.costs is not None:
        yield Column("cost", decimals=0)


def _which(result: Planned) -> tuple[Column, ...]:
    """What pairs are, where there are several."""
    return (Column("pair"), Column("which", is_minor=True)) if len(result.plans) > 1 else (Column("pair"),)


def needed_table(result: Planned) -> Table:
    """The topics that the goal needs, by the number of shards or instances."""
    rows: list[Record] = [{**_pair(plan), **_design(design)} for plan in result.plans for design in plan.designs]
    title = f"What it takes to {goal_said(result.goal, result.measure)}"
    columns = [*_which(result), *_design_columns(result)]
    return Table.of("needed", title, rows, columns, group_by="pair", is_main=True)


def goal_table(result: Planned) -> Table:
    """What other values of the goal take."""
    rows: list[Record] = [
        {**_pair(plan), "value": shown_size(goal.value, result.measure), **_design(goal.design)}
        for plan in result.plans[:1]
        for goal in plan.goals
    ]
    cheapest = ", each by the cheapest design" if result.costs is not None and result.replicates is not None else ""
    columns = [Column("value", goal_name(result.goal.kind, result.measure)), *_design_columns(result)]
    return Table.of("goals", f"What other goals take, for {named(result.first.pair)}{cheapest}", rows, columns)


def _reached(reach: Reach, measure: str | None) -> dict[str, Cell]:
    return {name: shown_size(getattr(reach, name), measure) for name in ("width", "difference", "margin")}


def now_tables(result: Planned) -> Iterator[Table]:
    """What the data at hand can find; none without data."""
    rows: list[Record] = [
        {**_pair(plan), **_reached(plan.now, result.measure)} for plan in result.plans if plan.now is not None
    ]
    if rows:
        yield Table.of("now", "What the data at hand find", rows, [*_which(result), *_reach_columns(result)])


def reach_table(result: Planned) -> Table:
    """What other numbers of topics would find."""
    rows: list[Record] = [
        {"replicates": reach.replicates, "topics": reach.topics, **_reached(reach, result.measure)}
        for reach in result.first.more
    ]
    of = [] if result.replicates is None else [Column("replicates", result.replicates)]
    return Table.of(
        "reach",
        f"What more topics would find for {named(result.first.pair)}, with an assurance of {percent(result.assurance)}",
        rows,
        [*of, Column("topics"), *_reach_columns(result)],
    )


def slice_tables(result: Planned) -> Iterator[Table]:
    """What each kind of topics needs, where that was asked for."""
    rows: list[Record] = [
        {
            "column": own.column,
            "slice": own.value,
            "topics": own.topics,
            "needed": own.needed,
            "found": None if own.found is None else shown_size(own.found, result.measure),
        }
        for own in result.slices
    ]
    columns = [
        Column("column"),
        Column("slice"),
        Column("topics", "topics here"),
        Column("needed", "topics needed", "of this kind, with all kinds tested together"),
        Column("found", goal_name(result.goal.kind, result.measure), "that the topics here reach"),
    ]
    if rows:
        yield Table.of("slices", f"What kinds of topics need, for {named(result.first.pair)}", rows, columns)


def strata_tables(result: Planned) -> Iterator[Table]:
    """How people's next topics are shared out; none without a judge that has others, or with one stratum."""
    following = result.people_next
    if following is None or len(following.strata) == 1:
        return
    columns = [
        Column("stratum", explained="of topics by how much systems' scores by the judge spread, the least first"),
        Column("topics"),
        Column("people", "by people"),
        Column("spread", "varies by", "the standard deviation of people's differences, given the judge's"),
        Column("share", explained="of people's topics by Neyman's allocation"),
    ]
    yield Table.of(
        "strata", "Where people's next topics should come from", [vars(own) for own in following.strata], columns
    )


def _reach_columns(result: Planned) -> list[Column]:
    power, pairs = percent(result.power), result.held_together
    together = f", for {pairs:,} pairs together" if pairs > 1 else ""
    if of_ratios(result.measure):
        interval = f"the {percent(1 - result.alpha)} interval of the ratio is times and over this factor{together}"
        return [
            Column("width", "interval within", interval),
            Column("difference", "ratio", f"the smallest true one above 1 that is found with a power of {power}"),
            Column("margin", explained=f"the smallest factor that equal systems are shown to be within, power {power}"),
        ]
    return [
        Column("width", "interval ±", f"half the {percent(1 - result.alpha)} interval of the difference{together}"),
        Column("difference", explained=f"the smallest true one that is found with a power of {power}"),
        Column("margin", explained=f"the smallest that equal systems are shown to be within, with a power of {power}"),
    ]


_LEAST = 0.0005  # a share or a reliability below it is shown so
_ABSOLUTE = ("absolute", "absolute_low", "absolute_high")
_ENDS = ("relative_low", "relative_high", "absolute_low", "absolute_high", "fewest", "most")


def reliability_tables(result: Planned) -> Iterator[Table]:
    """All three; none where no ranking is planned for."""
    if result.reliability is not None:
        for table in (source_table, reached_table, ranking_table):
            yield table(result, result.reliability).without(*_unknown(result, result.reliability))


def _unknown(result: Planned, reliability: Reliability) -> Iterator[str]:
    """The columns that say nothing: without shards, without intervals, or without Φ."""
    yield from ("shards", "limit") if result.replicates is None else ()
    yield from _ENDS if reliability.systems is None else ()
    yield from () if reliability.is_complete else _ABSOLUTE


def source_table(result: Planned, reliability: Reliability) -> Table:
    """The variance of one score by what it comes from."""
    records: list[Record] = [
        {
            "source": source.name,
            "meaning": MEANINGS[source.name],
            "variance": source.variance,
            "share": source.share,
            "relative": source.relative,
            "absolute": source.absolute,
        }
        for source in reliability.sources
    ]
    shards = "" if result.replicates is None else f" and {reliability.size.replicates} shards"
    below = [source.name for source in reliability.sources if source.is_below_0]
    notes = [f"Estimated below 0, and taken as 0: {listed(below)}."] if below else []
    columns = [
        Column("source"),
        Column("meaning", is_minor=True),
        Column("variance", decimals=6),
        Column("share", explained=f"of {whole(reliability)}", below=_LEAST),
        Column(
            "relative",
            "of ranking",
            f"part of the error of the ranking, with {reliability.size.topics:,} topics{shards}",
        ),
        Column("absolute", "of means", "part of the error of the means themselves"),
    ]
    title = f"Where the variance of one {result.measure or 'score'} comes from"
    return Table.of("sources", title, records, columns, notes, decimals=3)


def reached_table(result: Planned, reliability: Reliability) -> Table:
    """Eρ², Φ and τ by the number of topics, and of shards."""
    own = () if reliability.here is None else (reliability.here.topics,)
    inside = percent(1 - result.alpha)
    columns = [
        Column("shards"),
        Column("topics"),
        Column("relative", SYMBOLS["relative"], "reliability of the ranking", below=_LEAST),
        Column(
            "relative_low",
            "low",
            f"{inside} interval of what stands before it, as of normal scores",
            "low, high",
            below=_LEAST,
        ),
        Column("relative_high", "high"),
        Column("absolute", SYMBOLS["absolute"], "reliability of the means themselves", below=_LEAST),
        Column("absolute_low", "low", below=_LEAST),
        Column("absolute_high", "high"),
        Column("tau", "τ", "Kendall's τ with the true ranking, as expected", below=_LEAST),
    ]
    return Table.of(
        "reliability",
        "How reliable the ranking is",
        [_reliability_reached(point) for point in reliability.curve if point.topics in (*TOPICS, *own)],
        columns,
        list(_halves(reliability)),
        decimals=3,
        group_by="shards",
    )


def _reliability_reached(reached: Reached) -> Record:
    absolute = reached.absolute or Estimate(math.nan)
    return {
        "topics": reached.topics,
        "shards": reached.shards,
        "relative": reached.relative.value,
        "relative_low": reached.relative.low,
        "relative_high": reached.relative.high,
        "absolute": absolute.value,
        "absolute_low": absolute.low,
        "absolute_high": absolute.high,
        "tau": reached.tau,
    }


def _halves(reliability: Reliability) -> Iterator[str]:
    taus = reliability.halves
    if taus is not None and not math.isnan(taus.seen):
        yield (
            f"The rankings by two random halves of {taus.topics} topics agree with τ = {taus.seen:.3f}, the mean of "
            f"{taus.splits} splits; {taus.expected:.3f} was to be expected."
        )


def ranking_table(result: Planned, reliability: Reliability) -> Table:
    """The topics that the reliability wanted needs, by the number of shards."""
    records: list[Record] = [
        {
            "reliability": f"{SYMBOLS[need.kind]} = {reliability.target:g}",
            "shards": need.shards,
            "topics": need.topics,
            "fewest": None if need.interval is None else need.interval.fewest,
            "most": None if need.interval is None else need.interval.most,
            "limit": need.most,
        }
        for need in reliability.needed
    ]
    columns = [
        Column("reliability"),
        Column("shards"),
        Column("topics", "topics needed", "– where no number is enough"),
        Column("fewest", "low", f"{percent(1 - result.alpha)} interval of the topics", "low, high"),
        Column("most", "high"),
        Column("limit", "at most", "what is reached with ever more topics", decimals=3),
    ]
    group_by = None if result.replicates is None else "reliability"
    return Table.of("ranking-needed", "Topics that a reliable ranking needs", records, columns, group_by=group_by)
