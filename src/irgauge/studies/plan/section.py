"""The part of a report that says how large the next experiment must be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from irgauge.inference.corrections import correction
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.populations import SHORT
from irgauge.show.table import Table
from irgauge.show.words import percent
from irgauge.studies.plan import charts, tables
from irgauge.studies.plan.findings import findings
from irgauge.studies.plan.reliability_section import REFERENCES as RANKING_REFERENCES
from irgauge.studies.plan.reliability_section import reliability_methods, reliability_panels
from irgauge.studies.plan.study import Planned, plan
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown


def run(reporting: Reporting) -> Ran:
    """Plans to halve the intervals that there are: for other topics, with shards for these too, and of instances."""
    found = [_planned(reporting, "plans", population="topics")]
    if reporting.has_replicates:
        found.append(_planned(reporting, "plans with shards", shards=reporting.shards, sparse=reporting.sparse))
    if reporting.labels is not None and _several(reporting.labels.values()):
        found.append(_planned(reporting, "plans with instances", labels=reporting.labels))
    results = tuple(result for ran in found for result in ran.results)
    return Ran(results, {name: reason for ran in found for name, reason in ran.missing.items()})


def _planned(reporting: Reporting, name: str, **options: object) -> Ran:
    given = {**reporting.common, **({} if "labels" in options else {"baseline": reporting.baseline}), **options}
    return reporting.each_measure(lambda measure: plan(reporting.data, measure, **given), name)


def _several(labels: Iterable[tuple[str, str | None]]) -> bool:
    """Whether there are several algorithms, of which one has several instances."""
    algorithms = [algorithm for algorithm, _ in labels]
    return 1 < len(set(algorithms)) < len(algorithms)


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as all sections
    """Sentences, charts and tables."""
    told = tuple(one for result in ran.results for one in findings(result))
    return told, _panels(ran.results)


def _panels(results: Sequence[Planned]) -> Iterator[Panel]:
    systems = [result for result in results if result.replicates != "instances"]
    yield from _of_group("plan", "What more topics reach", systems)
    yield from reliability_panels(systems, _choices)
    yield from _of_group(
        "plan-instances", "What more topics and instances reach", [one for one in results if one not in systems]
    )


def _of_group(key: str, title: str, results: Sequence[Planned]) -> Iterator[Panel]:
    yield from panel(
        f"{key}-goal",
        title,
        "The half width of intervals of a difference, by the number of topics.",
        [Variant(_choices(result), charts.goal(result)) for result in results],
    )
    yield from panel(
        f"{key}-designs",
        f"{title}: designs",
        "Topics that halve the intervals, by the number of shards or instances.",
        [Variant(_choices(result), charts.designs(result)) for result in results if result.replicates is not None],
    )
    yield from panel(
        f"{key}-reach",
        f"{title}, in numbers",
        "Intervals, differences and margins, by the number of topics.",
        [_table(result, tables.reach_table(result)) for result in results],
    )
    yield from panel(
        f"{key}-goals",
        f"{title}: other goals",
        "Topics that narrower and wider intervals need.",
        [_table(result, tables.goal_table(result)) for result in results],
    )
    yield from panel(
        f"{key}-separation",
        "Topics needed to separate the top group",
        "For each system of the top group, the topics on which the best would differ significantly from it.",
        [_table(result, table) for result in results for table in tables.separation_tables(result)],
    )


def _table(result: Planned, table: Table) -> Variant:
    return Variant(_choices(result), table=table, provenance=result.provenance)


def _choices(result: Planned) -> Choices:
    known = (("population", result.population),) if result.population in SHORT else ()
    return (*of_measure(str(result.measure)), *known)


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if not ran.results:
        return
    shards = (
        " With shards it is √(σ_D²/T + σ_S²/S + σ²/TS), with σ_S² of the difference from shard to shard and σ² of what "
        "is left, and degrees of freedom are Satterthwaite's."
        if reporting.data.has_runs and reporting.has_replicates
        else ""
    )
    corrected = correction(ran.results[0].correction)
    yield (
        "Plans",
        "A plan rests on the variance σ_D² of the difference of a pair from topic to topic, in these data: the "
        f"standard error of its mean on T topics is √(σ_D²/T).{shards} The level is α = {reporting.alpha:g} over the "
        f"number of pairs, as at the first step of {corrected.title}. A true difference is found with the power "
        "P(t' > t), where t' is noncentral t; equal systems are shown to be within a margin by two one-sided tests. As "
        "variances are known only as well as these data are large, the experiment planned for reaches its goal with a "
        f"chance, the assurance, of {percent(ran.results[0].assurance)} (Kupper and Hafner 1989).",
    )
    yield from reliability_methods(ran.results)


PART = ReportPart(  # without a headline: a card says how many topics would separate the first two
    key="plan",
    title="How large must the next experiment be?",
    run=run,
    shown=shown,
    methods=methods,
    references=("kupper-hafner-1989", *RANKING_REFERENCES),
)
