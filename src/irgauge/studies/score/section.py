"""The part of a report that says how effective each system is."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.reading.collection import Collection
from irgauge.reading.ordering import TIE_RULE
from irgauge.show.finding import remarks
from irgauge.show.page import Variant, of_measure, panel
from irgauge.show.words import counted, listed
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ran, ranked, tried
from irgauge.studies.score import charts, tables
from irgauge.studies.score.findings import best_means, few_topics
from irgauge.studies.score.study import Scored, score


def run(reporting: Reporting) -> Ran:
    """The scores by all measures on the whole corpus."""
    alpha, workers = reporting.alpha, reporting.workers
    return ran({"scores": tried(lambda: score(reporting.data, reporting.measures, alpha=alpha, workers=workers))})


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, a chart and a table for each measure."""
    result: Scored = ran.results[0]
    over = "topics on the whole corpus" if reporting.data.has_runs else "topics"
    what = f"Means over {over}, with standard errors and intervals for other topics."
    panels = (
        *panel("means", "Means of systems", what, _charts(result)),
        *panel("mean-table", "Means of all systems", what, _tables(result)),
    )
    sentences = (*best_means(result), *few_topics(result))
    return (*sentences, *remarks(ran.reasons())), panels


def _charts(result: Scored) -> Iterator[Variant]:
    for measure in map(str, result.measures):
        for more, best in ranked(len(result.scores.systems)):
            yield Variant((*of_measure(measure), *more), charts.means(result, measure, best))


def _tables(result: Scored) -> Iterator[Variant]:
    for measure in map(str, result.measures):
        table = tables.mean_table(result, measure).without("measure")
        yield Variant(of_measure(measure), table=table, provenance=result.provenance)


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Data and scores", _scores(ran.results[0], reporting)


_MISSING = {"zero": "scores 0 there", "drop": "is left out for all systems", "fail": "would have been refused"}


def _scores(result: Scored, reporting: Reporting) -> str:
    how = _of_runs(reporting.bench.collection) if reporting.data.has_runs else _of_table(reporting)
    scores = result.scores
    verb = "was" if len(scores.systems) == 1 else "were"
    return (
        f"{counted(len(scores.systems), 'system')} {verb} scored on {counted(len(scores.topics), 'topic')} by "
        f"{listed(list(map(str, result.measures)))}. {how} have the standard error s/√n over the n topics and an "
        f"interval for other topics ({result.intervals}), with α = {result.alpha:g}."
    )


def _of_runs(collection: Collection) -> str:
    seen = "all" if collection.document_count == collection.corpus_size else f"{collection.document_count:,}"
    return (
        f"Documents were ordered by {TIE_RULE}, with scores in {collection.precision} precision; the rank column of "
        "runs was not used. Topics are those of the judgments that have a relevant document; a topic missing from a "
        f"run {_MISSING[collection.missing.rule]}. The corpus has {collection.corpus_size:,} documents, {seen} of "
        "which are in runs or judgments. Means on the whole corpus"
    )


def _of_table(reporting: Reporting) -> str:
    means = "Means over replicates" if reporting.has_replicates else "Means"
    done = _MISSING[reporting.missing.rule]
    return f"The scores were given as a table; a topic that a system lacks {done}. {means}"


PART = ReportPart(  # without a headline: comparisons say which system is best, and how sure that is
    key="systems",
    title="How effective is each system?",
    run=run,
    shown=shown,
    methods=methods,
)
