"""The part of a report that says which systems differ, and for which population."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irgauge.show.finding import Finding
from irgauge.show.json import plain
from irgauge.show.page import Choices, Panel, Section, Variant, of_measure, panel
from irgauge.show.table import Table
from irgauge.show.words import percent
from irgauge.studies.compare import charts, tables
from irgauge.studies.compare.findings import findings
from irgauge.studies.compare.needed import POWER
from irgauge.studies.compare.study import Compared, compare
from irgauge.studies.reporting import BEST, FEW, Ran, Reporting, ranked

KEY, TITLE = "compare", "Which systems differ, and for which population?"
REFERENCES = ("tukey-1949", "ferro-sanderson-2019", "satterthwaite-1946")


def run(reporting: Reporting) -> Ran:
    """A comparison by each measure."""
    return reporting.each_measure(
        lambda measure: compare(reporting.bench, measure, shards=reporting.shards, **reporting.common), "comparisons"
    )


def headline(result: Compared) -> Iterator[Finding]:
    """What stands at the top of the page."""
    yield from findings(result)


def section(ran: Ran, reporting: Reporting) -> Section:
    """Sentences, charts and tables."""
    if not ran.results:
        return Section(KEY, TITLE, (), (), reason=" ".join(ran.reasons()))
    lead = [finding.text for result in ran.results for finding in findings(result)]
    if reporting.unsharded is not None:
        lead.insert(0, f"Comparisons are of the whole corpus, and cover other topics only: {reporting.unsharded}.")
    return Section(KEY, TITLE, (*lead, *ran.reasons()), tuple(_panels(ran.results)))


def _panels(results: tuple[Compared, ...]) -> Iterator[Panel]:
    yield from _system_panels(results)
    yield from _pair_panels(results)
    yield from _model_panels(results)
    yield from _needed_panels(results)


def _system_panels(results: tuple[Compared, ...]) -> Iterator[Panel]:
    yield from panel(
        "intervals",
        "Systems with their intervals",
        "Tukey's test finds two systems different where their bars do not overlap.",
        (form for result in results for form in _interval_forms(result)),
    )
    yield from panel(
        "populations",
        "What the claim covers",
        "The same comparison, generalised to other documents, to other topics, or to both.",
        (_table(result, of_measure(result.measure), tables.population_table(result)) for result in results),
    )
    yield from panel(
        "systems",
        "All systems with their groups",
        "Systems that share a letter do not differ significantly.",
        (
            _table(result, choices, tables.system_table(result, result.under(name)))
            for result, name, choices in _each(results)
        ),
    )
    yield from panel(
        "neighbours",
        "Neighbours in the ranking",
        "Whether a system differs significantly from the next one, for each population.",
        (_table(result, of_measure(result.measure), tables.neighbour_table(result)) for result in results),
    )


def _pair_panels(results: tuple[Compared, ...]) -> Iterator[Panel]:
    shown = len(results[0].comparison.systems)
    best = BEST if shown > FEW else None
    some = f"Of {shown} systems the best {best} are shown; p is adjusted for all pairs. " if best else ""
    yield from panel(
        "pairs-map",
        "Pairs of systems by their p",
        "A cell is a pair; p is adjusted for all pairs.",
        (Variant(choices, charts.pairs(result, name, best)) for result, name, choices in _each(results)),
    )
    yield from panel(
        "pairs",
        "Pairs of systems",
        f"{some}Differences, their intervals and p.",
        (
            _table(result, choices, tables.pair_table(result.under(name), best))
            for result, name, choices in _each(results)
        ),
    )


def _needed_panels(results: tuple[Compared, ...]) -> Iterator[Panel]:
    yield from panel(
        "topics-needed",
        "Topics needed",
        "For each system of the top group, the topics on which the best would differ significantly from it.",
        (
            _table(result, of_measure(result.measure), tables.needed_table(result.needed, result.measure))
            for result in results
            if result.needed is not None
        ),
    )


def _each(results: tuple[Compared, ...]) -> Iterator[tuple[Compared, str, Choices]]:
    """Every measure under every population."""
    for result in results:
        for one in result.comparisons:
            yield result, one.population, (*of_measure(result.measure), ("population", one.population))


def _table(result: Compared, choices: Choices, table: Table) -> Variant:
    population = dict(choices).get("population")
    facts = result.provenance if population is None else result.provenance_of(result.under(population))
    return Variant(choices, table=table, provenance=facts)


def _interval_forms(result: Compared) -> Iterator[Variant]:
    for result_, name, choices in _each((result,)):
        for more, best in ranked(len(result.comparison.systems)):
            yield Variant((*choices, *more), charts.intervals(result_, name, best))


def _model_panels(results: tuple[Compared, ...]) -> Iterator[Panel]:
    yield from panel(
        "models",
        "Intervals by model",
        "Tukey's intervals of each model, of the same scores.",
        (
            Variant((*of_measure(result.measure), *more), charts.models(result, best))
            for result in results
            if result.whole is not None
            for more, best in ranked(len(result.comparison.systems))
        ),
    )


def references(reporting: Reporting) -> tuple[str, ...]:
    """Without shards the model is the classic one."""
    return REFERENCES if reporting.shards is not None else ("tukey-1949",)


def record(result: Compared) -> dict[str, Any]:
    """All numbers, with the pairs under every population, as columns."""
    pairs = {one.population: one.frame().to_dict(as_series=False) for one in result.comparisons}
    return result.to_dict() | {"pairs": plain(pairs)}


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if not ran.results:
        return
    yield "Comparison of systems", _comparison(reporting)
    yield "Topics needed", _needed()


def _comparison(reporting: Reporting) -> str:
    alpha = f"α = {reporting.alpha:g}"
    if reporting.shards is None:
        return (
            "Scores were modelled as score = mean + topic + system + error (MD1). All pairs of systems were compared "
            f"by Tukey's HSD test (Tukey 1949) at {alpha}: two systems differ where their means are further apart than "
            "Q(1 − α; R, df) √(MS/n). The error is the interaction of topics and systems, so that claims cover other "
            "topics on these documents."
        )
    return (
        f"The corpus was split into shards ({reporting.shards}, seed {reporting.seed}), and runs and "
        "judgments were restricted to each; nothing was retrieved again. Cells without relevant documents score 0. "
        "Scores were modelled as score = mean + topic + system + shard + topic:system + system:shard + topic:shard + "
        "error (MD6; Ferro and Sanderson 2019), balanced, in closed form. All pairs of systems were compared by "
        f"Tukey's HSD test (Tukey 1949) at {alpha}: two systems differ where their means are further apart than Q(1 − "
        "α; R, df) √(MS/n), and p is adjusted for all pairs.\n\n"
        "The error mean square MS follows from what a claim is to cover. Other documents on these topics: the "
        "residual. Other topics: MS(topic:system). Both: MS(topic:system) + MS(system:shard) − MS(residual), with "
        "Satterthwaite's degrees of freedom (1946), and never less than the larger of the first two. The best system "
        "and those that do not differ significantly from it are its top group; they need not be equal."
    )


def _needed() -> str:
    return (
        "The topics needed to separate the best system from another one are the fewest T on which Tukey's test finds "
        f"the difference δ between them with a power of {percent(POWER)}: P(t'(df, δ√(T/2v)) > Q(1 − α; R, df)/√2), "
        "where t' is noncentral t, df = (R − 1)(T − 1), and v is MS(topic:system) over the number of shards. Observed "
        "differences and mean squares are taken as the true ones. This overstates the differences of systems that are "
        "best by chance, and so understates the topics."
    )
