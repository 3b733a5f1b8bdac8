"""Tables of a plan: what is needed, by design and by goal, what there is finds, and what more topics would."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.planning.power import MOST
from irgauge.show.table import Cell, Column, Record, Table
from irgauge.show.words import percent
from irgauge.studies.plan.pair_plan import Design, PairPlan, Reach
from irgauge.studies.plan.reliability_tables import reliability_tables
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import GOALS, ROLES, goal_said, named

_NONE = "– where no number is enough"


def tables(result: Planned) -> list[Table]:
    """What is needed, what other goals take, what is found now and with more topics, the ranking."""
    return [
        needed_table(result),
        goal_table(result),
        *now_tables(result),
        reach_table(result),
        *separation_tables(result),
        *reliability_tables(result),
    ]


def _pair(plan: PairPlan) -> Record:
    return {"pair": named(plan.pair), "which": ROLES[plan.pair.role]}


def _design(one: Design) -> Record:
    return {"replicates": one.replicates, "topics": one.topics, "cost": one.cost}


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
    rows: list[Record] = [{**_pair(plan), **_design(one)} for plan in result.plans for one in plan.designs]
    title = f"What it takes to {goal_said(result.goal, result.measure)}"
    columns = [*_which(result), *_design_columns(result)]
    return Table.of("needed", title, rows, columns, group_by="pair", is_main=True)


def goal_table(result: Planned) -> Table:
    """What other values of the goal take."""
    rows: list[Record] = [
        {**_pair(plan), "value": one.value, **_design(one.design)} for plan in result.plans[:1] for one in plan.goals
    ]
    cheapest = ", each by the cheapest design" if result.costs is not None and result.replicates is not None else ""
    columns = [Column("value", GOALS[result.goal.kind]), *_design_columns(result)]
    return Table.of("goals", f"What other goals take, for {named(result.first.pair)}{cheapest}", rows, columns)


def _reached(one: Reach) -> dict[str, Cell]:
    return {"width": one.width, "difference": one.difference, "margin": one.margin}


def now_tables(result: Planned) -> Iterator[Table]:
    """What the data at hand can find; none without data."""
    rows: list[Record] = [{**_pair(plan), **_reached(plan.now)} for plan in result.plans if plan.now is not None]
    if rows:
        yield Table.of("now", "What the data at hand find", rows, [*_which(result), *_reach_columns(result)])


def reach_table(result: Planned) -> Table:
    """What other numbers of topics would find."""
    rows: list[Record] = [
        {"replicates": one.replicates, "topics": one.topics, **_reached(one)} for one in result.first.more
    ]
    of = [] if result.replicates is None else [Column("replicates", result.replicates)]
    return Table.of(
        "reach",
        f"What more topics would find for {named(result.first.pair)}, with an assurance of {percent(result.assurance)}",
        rows,
        [*of, Column("topics"), *_reach_columns(result)],
    )


def _reach_columns(result: Planned) -> list[Column]:
    power, pairs = percent(result.power), result.held_together
    together = f", for {pairs:,} pairs together" if pairs > 1 else ""
    return [
        Column("width", "interval ±", f"half the {percent(1 - result.alpha)} interval of the difference{together}"),
        Column("difference", explained=f"the smallest true one that is found with a power of {power}"),
        Column("margin", explained=f"the smallest that equal systems are shown to be within, with a power of {power}"),
    ]


def separation_tables(result: Planned) -> Iterator[Table]:
    """The topics that would separate the best system from each other one of its top group; none if that is it alone."""
    found = result.separation
    if found is None or not found.pairs:
        return
    rows: list[Record] = [
        {
            "best": one.better,
            "other": one.worse,
            "difference": one.difference,
            "needed": f"> {MOST:,}" if one.topics is None else one.topics,
        }
        for one in found.pairs
    ]
    shows = f"the fewest that show the difference with a power of {percent(found.power)}, were it the true one"
    yield Table.of(
        "separation",
        f"Topics that would separate {found.best} from the others of its top group",
        rows,
        [
            Column("best", role="system"),
            Column("other", role="system"),
            Column("difference"),
            Column("needed", "topics needed", shows),
        ],
        ["The best of many systems is in part best by chance, so that the true difference may be smaller."],
        is_long=True,
    )
