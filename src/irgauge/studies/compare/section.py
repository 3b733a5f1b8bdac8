"""The part of a report that says which systems differ, and for which population."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from irgauge.inference.tests.record import Test
from irgauge.inference.tests.registry import default_test
from irgauge.models.anova import Population
from irgauge.show.abridged import of_best
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.table import Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import capital
from irgauge.studies.compare import charts, tables
from irgauge.studies.compare.baseline_section import (
    BASELINE,
    by_measure,
    covered,
    further_panels,
    is_one_pair,
    populations,
    record,
)
from irgauge.studies.compare.claims import claims_of
from irgauge.studies.compare.findings import findings
from irgauge.studies.compare.pair_section import PAIR
from irgauge.studies.compare.slice_tables import slice_panels
from irgauge.studies.compare.study import Compared, MeasureCompared, compare_on_page
from irgauge.studies.report_part import BEST, FEW, Ran, Reporting, ReportPart, Shown
from irgauge.studies.sampling_findings import sampling_method

_ON_SHARDS: tuple[Population, ...] = ("shards", "documents", "both")
_FOR_TOPICS = (*default_test("topics").references, *default_test("topics").corrected_by.references)
_FOR_SHARDS = (key for population in _ON_SHARDS for key in default_test(population).references)
_REFERENCES = tuple(dict.fromkeys((*_FOR_TOPICS, *_FOR_SHARDS)))


def run(reporting: Reporting) -> Ran:
    """A comparison of all pairs by each measure; a margin and kinds of topics go with the baseline, if there is one.

    None where the only pair is that with the baseline.
    """
    if is_one_pair(reporting):
        return Ran(())
    options = {"shards": reporting.shards, **reporting.replicated, **reporting.sampling}
    if reporting.baseline is None:
        options |= {"margin": reporting.margin, "by": reporting.by}
    return by_measure(reporting.all_measures(partial(_compared, reporting, options), "comparisons"))


def _compared(reporting: Reporting, options: Mapping[str, Any], measures: list[str]) -> Compared:
    return compare_on_page(reporting.data, measures, standing=reporting.standing("compare"), **options)


def headline(result: Compared) -> Iterator[Finding]:
    """Claims about a population, and warnings; notes, and what happened on topics, stand in the section alone."""
    for finding in findings(result):
        if finding.tone == "warning" or (finding.population is not None and finding.tone != "note"):
            yield finding


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables."""
    sentences = [finding for result in ran.results for finding in findings(result)]
    return (*sentences, *covered(reporting), *remarks(ran.reasons())), _panels(ran.results)


def _panels(compared: Sequence[Compared]) -> Iterator[Panel]:
    results = [result.first for result in compared]
    yield from _system_panels(results)
    yield from _pair_panels(results)
    yield from slice_panels("slices", results)
    yield from further_panels(compared)


def _system_panels(results: Sequence[MeasureCompared]) -> Iterator[Panel]:
    yield from panel(
        "systems",
        "All systems with their groups",
        "Systems that share a letter do not differ significantly.",
        (_table(result, choices, tables.system_table([result], name)) for result, name, choices in _each(results)),
    )
    yield from panel(
        "neighbours",
        "Neighbours in the ranking",
        "Whether a system differs significantly from the next one, for each population.",
        (_table(result, of_measure(result.measure), tables.neighbour_table(result)) for result in results),
    )


def _pair_panels(results: Sequence[MeasureCompared]) -> Iterator[Panel]:
    shown = len(results[0].comparison.systems)
    best = BEST if shown > FEW else None
    some = f" of the best {best} of {shown} systems" if best else ""
    yield from panel(
        "pairs-map",
        "Pairs of systems by their p",
        f"A cell is a pair{some}; p is adjusted for all pairs.",
        (Variant(choices, charts.pairs_of(result, name, best)) for result, name, choices in _each(results)),
    )
    yield from panel(
        "pairs",
        "Pairs of systems",
        "Differences, their intervals and p, which is adjusted for all pairs.",
        (_table(result, choices, _pairs(result, name)) for result, name, choices in _each(results)),
    )


def _pairs(result: MeasureCompared, population: str) -> Table:
    """All pairs, or those of the best systems; what they win and lose is of topics."""
    table = of_best(tables.pair_table([result], population))
    return table if population == "topics" else table.without("won")


def _each(results: Sequence[MeasureCompared]) -> Iterator[tuple[MeasureCompared, str, Choices]]:
    """Every measure under every population."""
    for result in results:
        for population, choices in populations(result):
            yield result, population, choices


def _table(result: MeasureCompared, choices: Choices, table: Table) -> Variant:
    population = dict(choices).get("population")
    facts = result.provenance if population is None else result.provenance_of(result.under(population))
    return Variant(choices, table=table, provenance=facts)


def cited(reporting: Reporting) -> tuple[str, ...]:
    """Without shards there is no model."""
    return _REFERENCES if reporting.has_replicates else _FOR_TOPICS


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if not ran.results and not is_one_pair(reporting):
        return
    yield "Comparison of systems", _comparison(reporting)


def _comparison(reporting: Reporting) -> str:
    on = " on the whole corpus" if reporting.data.has_runs else ""
    test = default_test("topics")
    topics = (
        f"{capital(FOR[reporting.drawn])}, {test.method('topics', f'all pairs of systems were compared{on}')}"
        f"{_corrected(test, test.corrected_by.cited)}, at α = {reporting.alpha:g}. {test.intervals_told}"
        f"{sampling_method(reporting)} The best system and those that do not differ significantly from it are its "
        "top group; they need not be equal."
    )
    if not reporting.has_replicates:
        return topics
    return f"{topics}\n\n{_sharded(reporting) if reporting.data.has_runs else _replicated()}"


def _corrected(test: Test, correction: str) -> str:
    return f" with {correction} over all pairs" if test.is_of_pairs else ""


def _on(population: Population) -> str:
    """How systems were compared for a population, by its usual test."""
    test = default_test(population)
    return f"{test.method(population)}{',' if test.is_of_pairs else ''}{_corrected(test, test.corrected_by.title)}"


def _replicated() -> str:
    return (
        "The replicates of the table were taken as shards, which all systems have in common; for other topics scores "
        f"are means over them. For other shards like these, {_on('shards')}. For both together, {_on('topics+shards')}."
    )


def _sharded(reporting: Reporting) -> str:
    return (
        f"The corpus was split into shards ({reporting.shards}, seed {reporting.seed}), and runs and "
        "judgments were restricted to each; nothing was retrieved again. Cells without relevant documents score 0. "
        f"For other documents on these topics, {_on('documents')}. For other topics and other documents together, "
        f"{_on('both')}. Where shards differ in kind, the claim is about other shards like these: {_on('shards')}."
    )


PART = ReportPart(
    key="compare",
    title="Which systems differ, and for which population?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    references=_REFERENCES,
    cited=cited,
    rank=lambda reporting: None if is_one_pair(reporting) else 2,
    with_sampling="follows",
    claims=claims_of,
    answers=("coverage", "pairs", "verdict"),
    record=record,
    more=(BASELINE, PAIR),
)
