"""The section of a report that compares systems with the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from irgauge.inference.tests.registry import default_test
from irgauge.show.finding import Finding, remark, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.saving import plain
from irgauge.show.table import Table
from irgauge.show.verdicts import FOR, OTHER
from irgauge.show.words import counted
from irgauge.studies.compare import charts, tables
from irgauge.studies.compare.claims import claims_of
from irgauge.studies.compare.findings import findings
from irgauge.studies.compare.records import pair_columns
from irgauge.studies.compare.slice_findings import slices_told
from irgauge.studies.compare.slice_tables import slice_panels
from irgauge.studies.compare.study import Compared, MeasureCompared, compare_on_page
from irgauge.studies.compare.tables import topic_table
from irgauge.studies.compare.topic_charts import topics
from irgauge.studies.compare.verdict_findings import counts_against, zeros_decide
from irgauge.studies.report_part import BEST, FEW, Missing, Ran, Reporting, ReportPart, Shown, ranked, tried
from irgauge.studies.wordings_told import wording_panels

_REFERENCES = (
    *default_test("topics").references,
    *default_test("topics").corrected_by.references,
    "schuirmann-1987",
    "satterthwaite-1946",
)


def run_baseline(reporting: Reporting) -> Ran:
    """A comparison with the baseline by each measure."""
    if reporting.baseline is None:
        return Ran(())
    options = {"standing": reporting.standing("baseline"), **reporting.replicated, **reporting.sampling}
    options |= {name: getattr(reporting, name) for name in ("baseline", "margin", "shards", "by")}
    compared = partial(compare_on_page, reporting.data, **options)
    return by_measure(reporting.all_measures(compared, "baseline"))


def is_one_pair(reporting: Reporting) -> bool:
    """Whether the only pair is that with the baseline: then it is not claimed a second time, with a second p."""
    return reporting.baseline is not None and len(reporting.systems) == 2


def by_measure(ran: Ran) -> Ran:
    """What was compared by all measures together, measure by measure."""
    return replace(ran, results=tuple(one for result in ran.results for one in result.by_measure()))


def _rank(reporting: Reporting) -> int | None:
    return None if reporting.baseline is None else 1


def headline(result: Compared) -> Iterator[Finding]:
    """How many systems have each verdict, for each population and on kinds of topics; and whether zeros decide."""
    yield from counts_against(result.first)
    yield from (finding for finding in slices_told(result) if finding.tone != "note")
    yield from zeros_decide(result.first)


def show_baseline(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables; first the counts of verdicts; of two systems also what all pairs would show."""
    sentences = (finding for result in ran.results for finding in (*headline(result), *_more(result)))
    once = {(finding.text, finding.measure): finding for finding in sentences}.values()
    more = is_one_pair(reporting)
    covers, panels = (covered(reporting), further_panels(ran.results)) if more else ((), ())
    return (*once, *covers, *remarks(ran.reasons())), (*_baseline_panels(ran.results), *panels)


def covered(reporting: Reporting) -> Iterator[Finding]:
    """Why comparisons cover topics only, where they do."""
    if reporting.unsharded is not None:
        of = "are of the whole corpus, and " if reporting.data.has_runs else ""
        yield remark(text=f"Comparisons {of}cover {OTHER[reporting.drawn]} only: {reporting.unsharded}.")


def further_panels(results: Sequence[Compared]) -> Iterator[Panel]:
    """What wordings do, and intervals by model: these are the same whichever pairs are compared."""
    yield from wording_panels("wordings", [result.first.whole.scores for result in results])
    yield from panel(
        "models",
        "Intervals by model",
        "Tukey's intervals of each model, of the same scores.",
        (
            form
            for result in results
            if result.first.measured.shards > 1 and result.first.whole.shards == 1
            for form in _model_forms(result.first)
        ),
    )


def _model_forms(result: MeasureCompared) -> Iterator[Variant]:
    """None where a model cannot be fitted, as systems never differ."""
    for more, best in ranked(len(result.comparison.systems)):
        figure = tried(lambda best=best: charts.models_of(result, best))  # type: ignore[misc]  # a default
        if not isinstance(figure, Missing):
            yield Variant((*of_measure(result.measure), *more), figure)


def _more(result: Compared) -> Iterator[Finding]:
    """What else was found; of one system the verdicts are told already, and need no counts."""
    is_one = len(result.comparison.first) == 1
    yield from (finding for finding in findings(result) if not (is_one and finding.kind == "verdicts"))


def _baseline_panels(results: Sequence[Compared]) -> Iterator[Panel]:
    yield from panel(
        "baseline-differences",
        "Differences from the baseline",
        "Each system's difference from the baseline with its interval, coloured by its verdict.",
        (form for result in results for form in _difference_forms(result.first)),
    )
    yield from panel(
        "baseline-pairs",
        "Systems against the baseline",
        "Differences from the baseline, their intervals, p and verdicts.",
        (
            _table(result.first, choices, tables.pair_table([result.first], population))
            for result in results
            for population, choices in populations(result.first)
        ),
    )
    yield from slice_panels("baseline-slices", [result.first for result in results])
    yield from _topic_panels(results)


def _topic_panels(results: Sequence[Compared]) -> Iterator[Panel]:
    yield from panel(
        "baseline-topics",
        "Topics on which systems gain and lose",
        "Differences from the baseline on each topic, of the best systems.",
        (Variant(of_measure(result.first.measure), topics(result)) for result in results),
    )
    yield from panel(
        "baseline-gains",
        "Topics with the largest gains and losses",
        "Of each system against the baseline.",
        (_table(result.first, of_measure(result.first.measure), _largest(result)) for result in results),
    )


def _largest(result: Compared) -> Table:
    """The largest gains and losses; of many systems those of the best."""
    table, systems = topic_table(result), result.comparison.systems
    if len(systems) <= FEW:
        return table
    best = set(systems[:BEST])
    rows = tuple(row for row, system in zip(table.rows, table.column("system"), strict=True) if system in best)
    return replace(table, rows=rows, notes=(*table.notes, f"Shown: the best {BEST} of {len(systems)} systems."))


def populations(result: MeasureCompared) -> Iterator[tuple[str, Choices]]:
    """Each population that was compared, as a choice on the page."""
    for comparison in result.comparisons:
        yield comparison.population, (*of_measure(result.measure), ("population", comparison.population))


def _difference_forms(result: MeasureCompared) -> Iterator[Variant]:
    for population, choices in populations(result):
        for more, best in ranked(len(result.comparison.first)):
            yield Variant((*choices, *more), charts.intervals_of(result, population, best))


def _table(result: MeasureCompared, choices: Choices, table: Table) -> Variant:
    comparison = result.under(dict(choices).get("population"))
    return Variant(choices, table=table, provenance=result.provenance_of(comparison))


def cited(reporting: Reporting) -> tuple[str, ...]:
    """Two one-sided tests where there is a margin; without shards no degrees of freedom to be approximated."""
    unused = {"schuirmann-1987": reporting.margin is None, "satterthwaite-1946": not reporting.has_replicates}
    return tuple(reference for reference in _REFERENCES if not unused.get(reference))


def baseline_methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Comparison with the baseline", "".join(_method(ran.results[0].first, reporting))


def _method(result: MeasureCompared, reporting: Reporting) -> Iterator[str]:
    systems, on = counted(len(result.comparison.first), "system"), " on the whole corpus"
    yield (
        f"{systems} {'was' if len(result.comparison.first) == 1 else 'were'} compared with {reporting.baseline}: "
        f"{FOR[reporting.drawn]}{on if reporting.data.has_runs else ''} by {default_test('topics').cited} with "
        f"{default_test('topics').corrected_by.cited} over the pairs with the baseline, at α = {reporting.alpha:g}."
    )
    if reporting.has_replicates:
        yield " Other populations were tested as in the comparison of all pairs, over the pairs with the baseline only."
    if reporting.margin is None:
        yield " A system is better or worse where the test finds a difference, else the comparison is inconclusive."
    else:
        yield (
            " A system is better or worse where the interval of its difference excludes 0. It is not worse where the "
            "interval at 2α lies above −margin, not better where it lies below the margin, and equivalent where both "
            "hold (two one-sided tests: Schuirmann 1987). Intervals hold for all these pairs together."
        )


def record(result: Compared) -> dict[str, Any]:
    """All numbers, with the pairs under every population as columns, instead of those of one population as records."""
    first, content = result.first, result.to_dict()
    measures = [{name: value for name, value in each.items() if name != "pairs"} for each in content["measures"]]
    pairs = {comparison.population: pair_columns(first, comparison.population) for comparison in first.comparisons}
    return content | {"measures": measures, "pairs": plain(pairs)}


BASELINE = ReportPart(
    key="baseline",
    title="Which systems are better than the baseline?",
    run=run_baseline,
    shown=show_baseline,
    methods=baseline_methods,
    headline=headline,
    references=_REFERENCES,
    cited=cited,
    rank=_rank,
    with_sampling="follows",
    claims=claims_of,
    record=record,
)
