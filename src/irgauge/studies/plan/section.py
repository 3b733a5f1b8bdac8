"""The part of a report that says how large the next experiment must be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from irgauge.inference.corrections import correction
from irgauge.replicates.labels import Label
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.table import Table
from irgauge.show.verdicts import SHORT
from irgauge.show.words import percent
from irgauge.studies.plan import charts, tables
from irgauge.studies.plan.charts import reliability
from irgauge.studies.plan.findings import findings
from irgauge.studies.plan.study import Planned, plan
from irgauge.studies.plan.tables import reliability_tables
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown


def run(reporting: Reporting) -> Ran:
    """Plans to halve the intervals that there are: for other topics, with shards for these too, and of instances."""
    plans = [_planned(reporting, "plans", population="topics")]
    if reporting.has_replicates:
        plans.append(_planned(reporting, "plans with shards", shards=reporting.shards, sparse=reporting.sparse))
    if reporting.labels is not None and _several(reporting.labels.values()):
        plans.append(_planned(reporting, "plans with instances", labels=reporting.labels))
    results = tuple(result for ran in plans for result in ran.results)
    return Ran(results, {name: reason for ran in plans for name, reason in ran.missing.items()})


def _planned(reporting: Reporting, name: str, **options: object) -> Ran:
    settings = {**reporting.of_topics, **({} if "labels" in options else {"baseline": reporting.baseline}), **options}
    return reporting.each_measure(lambda measure: plan(reporting.data, measure, **settings), name)


def _several(labels: Iterable[Label]) -> bool:
    """Whether there are several algorithms, of which one has several instances."""
    algorithms = [label.algorithm for label in labels]
    return 1 < len(set(algorithms)) < len(algorithms)


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as all sections
    """Sentences, charts and tables."""
    sentences = tuple(finding for result in ran.results for finding in findings(result))
    return sentences, _panels(ran.results)


def _panels(results: Sequence[Planned]) -> Iterator[Panel]:
    systems = [result for result in results if result.replicates != "instances"]
    yield from _of_group("plan", "What more topics reach", systems)
    yield from reliability_panels(systems, _choices)
    yield from _of_group(
        "plan-instances",
        "What more topics and instances reach",
        [result for result in results if result not in systems],
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
    sampled = (
        " Where topics are in clusters or have weights, σ_D² is T times the squared error of the mean as it is tested."
        if reporting.sampling
        else ""
    )
    corrected = correction(ran.results[0].correction)
    yield (
        "Plans",
        "A plan rests on the variance σ_D² of the difference of a pair from topic to topic, in these data: the "
        f"standard error of its mean on T topics is √(σ_D²/T).{shards}{sampled} The level is α = {reporting.alpha:g} "
        f"over the number of pairs, as at the first step of {corrected.title}. A true difference is found with the "
        "power P(t' > t), where t' is noncentral t; equal systems are shown to be within a margin by two one-sided "
        "tests. As variances are known only as well as these data are large, the experiment planned for reaches its "
        f"goal with a chance, the assurance, of {percent(ran.results[0].assurance)} (Kupper and Hafner 1989).",
    )
    yield from reliability_methods(ran.results)


PART = ReportPart(  # without a headline: a card says what the topics find
    with_sampling="follows",
    key="plan",
    title="How large must the next experiment be?",
    run=run,
    shown=shown,
    methods=methods,
    references=("kupper-hafner-1989", "brennan-2001", "urbano-2013", "arteaga-1982"),
)


_TABLES = (
    ("sources", "Where the variance of scores comes from", "The variance of one score, by what it comes from."),
    ("reliability", "How reliable the ranking is, in numbers", "Eρ², Φ and Kendall's τ, by the number of topics."),
    ("ranking-needed", "Topics that a reliable ranking needs", "The topics with which Eρ² and Φ are as wanted."),
)


def reliability_panels(results: Sequence[Planned], choices: Callable[[Planned], Choices]) -> Iterator[Panel]:
    """A chart, then tables; none where no ranking is planned for."""
    ranked = [result for result in results if result.reliability is not None]
    yield from panel(
        "plan-reliability",
        "How reliable the ranking is",
        "Eρ² and Φ, and Kendall's τ with the true ranking, by the number of topics.",
        [Variant(choices(result), reliability(result)) for result in ranked],
    )
    for name, title, caption in _TABLES:
        forms = [
            Variant(choices(result), table=table, provenance=result.ranking_provenance)
            for result in ranked
            for table in reliability_tables(result)
            if table.name == name
        ]
        yield from panel(f"plan-{name}-table", title, caption, forms)


def reliability_methods(results: Sequence[Planned]) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    reliabilities = [result.reliability for result in results if result.reliability is not None]
    if not reliabilities:
        return
    shards = (
        " (on shards, by draws of all mean squares)"
        if any(reliability.size.replicates > 1 for reliability in reliabilities)
        else ""
    )
    yield (
        "Reliability of the ranking",
        "Systems, topics and shards were taken as samples, and the variance of each term of a score was estimated from "
        "the expected mean squares; estimates below 0 count as 0. Eρ² = σ_s²/(σ_s² + σ²(δ)) and "
        "Φ = σ_s²/(σ_s² + σ²(Δ)), where σ²(δ) is the error of the means of systems relative to each other, and σ²(Δ) "
        "that of the means themselves (Brennan 2001; Urbano, Marrero and Martín 2013). Intervals are by F"
        f"{shards}; those of Φ are approximate (Arteaga, Jeyaratnam and Franklin 1982). Kendall's τ with the true "
        "ranking is the mean, over pairs, of how much more often a pair is in the right order than in the wrong one, "
        "with the differences seen shrunk by √Eρ².",
    )
