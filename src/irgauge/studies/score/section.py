"""The part of a report that says how effective each system is."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.reading.ordering import TIE_RULE
from irgauge.show.finding import Finding
from irgauge.show.page import Section, Variant, of_measure, panel
from irgauge.show.words import counted, listed
from irgauge.studies.reporting import Ran, Reporting, ran, ranked, tried
from irgauge.studies.score import charts, tables
from irgauge.studies.score.findings import best_means, few_topics
from irgauge.studies.score.study import Scored, score

KEY, TITLE = "systems", "How effective is each system?"
REFERENCES: tuple[str, ...] = ()


def run(reporting: Reporting) -> Ran:
    """The scores by all measures on the whole corpus."""
    bench = reporting.bench
    return ran(
        {"scores": tried(lambda: score(bench, reporting.measures, alpha=reporting.alpha, workers=bench.workers))}
    )


def headline(result: Scored) -> Iterator[Finding]:
    """Nothing at the top of the page: comparisons say which system is best, and how sure that is."""
    del result
    yield from ()


def section(ran: Ran, reporting: Reporting) -> Section:
    """Sentences, a chart and a table for each measure."""
    del reporting
    if not ran.results:
        return Section(KEY, TITLE, (), (), reason=" ".join(ran.reasons()))
    result: Scored = ran.results[0]
    means = panel(
        "means",
        "Means of all systems",
        "Means over topics on the whole corpus, with standard errors and intervals for other topics.",
        _forms(result),
    )
    lead = [finding.text for finding in (*best_means(result), *few_topics(result))]
    return Section(KEY, TITLE, (*lead, *ran.reasons()), tuple(means))


def _forms(result: Scored) -> Iterator[Variant]:
    for measure in map(str, result.measures):
        table = tables.mean_table(result, measure).without("measure")
        for more, best in ranked(len(result.scores.systems)):
            yield Variant(
                (*of_measure(measure), *more), charts.means(result, measure, best), table, provenance=result.provenance
            )


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Data and scores", _scores(ran.results[0], reporting)


_MISSING = {"zero": "scores 0 there", "drop": "is left out for all systems", "fail": "would have been refused"}


def _scores(result: Scored, reporting: Reporting) -> str:
    collection, scores = reporting.bench.collection, result.scores
    verb = "was" if len(scores.systems) == 1 else "were"
    seen = "all" if collection.document_count == collection.corpus_size else f"{collection.document_count:,}"
    return (
        f"{counted(len(scores.systems), 'system')} {verb} scored on {counted(len(scores.topics), 'topic')} by "
        f"{listed(list(map(str, result.measures)))}. Documents were ordered by {TIE_RULE}, with scores in "
        f"{collection.precision} precision; the rank column of runs was not used. Topics are those of the judgments "
        f"that have a relevant document; a topic missing from a run {_MISSING[collection.missing.rule]}. The corpus "
        f"has {collection.corpus_size:,} documents, {seen} of which are in runs or judgments. Means on the whole "
        f"corpus have the standard error s/√n over the n topics and an interval for other topics ({result.intervals}), "
        f"with α = {result.alpha:g}."
    )
