"""The part of a report that says what makes scores vary."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irgauge.models.anova import TERMS
from irgauge.show.finding import Finding, remark, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.table import Table
from irgauge.show.words import SIZES
from irgauge.studies.anova import charts, tables
from irgauge.studies.anova.findings import sizes
from irgauge.studies.anova.study import Analysed, anova
from irgauge.studies.report_part import BEST, FEW, Ran, Reporting, ReportPart, Shown

_POINTS = 3000  # of lines in a chart of an interaction


def run(reporting: Reporting) -> Ran:
    """An analysis of each measure."""
    return reporting.each_measure(
        lambda measure: anova(reporting.data, measure, shards=reporting.shards, **reporting.replicated),
        "analyses of variance",
    )


def headline(result: Analysed) -> Iterator[Finding]:
    """What stands at the top of the page."""
    yield sizes(result)


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables."""
    sentences = [finding for result in ran.results for finding in headline(result)]
    if reporting.unsharded is not None:
        why = f"Without {reporting.replicates} there are no interactions: {reporting.unsharded}."
        sentences.append(remark(text=why))
    return (*sentences, *remarks(ran.reasons())), _panels(ran.results)


def _panels(results: tuple[Analysed, ...]) -> Iterator[Panel]:
    yield from panel(
        "main-effects",
        "Means of topics, systems and shards",
        "A steep line is a large effect.",
        (Variant(of_measure(result.measure), charts.main(result)) for result in results),
    )
    yield from panel(
        "interactions",
        "Interactions",
        "Lines that are not parallel are an interaction.",
        (
            Variant(choices, charts.interaction(result, term, best=_most_lines(result, term)))
            for result, term, choices in _each(results)
        ),
    )
    made: dict[tuple[str, str, str], Callable[[Analysed], Table]] = {
        ("anova", "Analysis of variance", "Sums of squares, F, p and ω² of each term."): tables.anova_table,
        ("error-terms", "Tests of systems", "Whether systems differ, for each population."): tables.population_table,
        ("checks", "Assumptions", "Tests of what F tests assume."): tables.check_table,
    }
    for texts, make in made.items():
        yield from panel(*texts, (_table(result, make(result)) for result in results))


def _table(result: Analysed, table: Table) -> Variant:
    return Variant(of_measure(result.measure), table=table, provenance=result.provenance)


def _each(results: tuple[Analysed, ...]) -> Iterator[tuple[Analysed, str, Choices]]:
    """Every measure with every interaction of its model."""
    for result in results:
        for term in TERMS:
            if ":" in term and term in result.fit.model.terms:
                yield result, term, (*of_measure(result.measure), ("interaction", term))


def _most_lines(result: Analysed, term: str) -> int:
    """How many lines a chart of an interaction shows: fewer where they have many points."""
    line, across = charts.line_and_axis(term)
    lines, points = len(result.labels[line]), len(result.labels[across])
    return min(lines if lines <= FEW else BEST, max(5, _POINTS // points))


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        model = "MD6 (all factors and their interactions)" if reporting.has_replicates else "MD1 (topic + system)"
        yield "Analysis of variance", _method(model)


def _method(model: str) -> str:
    return (
        f"{model} was fitted to the scores of each measure, balanced, in closed form. Every term was tested by F with "
        "topics as a sample: against its interaction with topics, or, where it has none, against the residual. Whether "
        "systems differ for other topics was asked of the scores on the whole corpus, with topic:system as the error; "
        "for other documents the error is the residual, for other shards like these system:shard, for both their sum "
        "with Satterthwaite's degrees of freedom. Where differences of systems do not vary alike, degrees of freedom "
        "are multiplied by ε (Huynh and Feldt 1976, Lecoutre 1991). The size of a term is "
        f"ω² = df(F − 1)/(df(F − 1) + N) of N scores, with F against the residual: {SIZES} (Ferro, Kim and Sanderson "
        "2019). Values below 0 are to be read as 0. The residuals were tested for normality (Jarque-Bera) and for "
        "equal variance at all levels of each factor (Levene, deviations from group means)."
    )


PART = ReportPart(
    key="anova",
    title="What makes scores vary?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    references=("ferro-kim-sanderson-2019",),
)
