"""The part of a report that says how effective each system is, and its chart of means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.reading.collection import Collection
from irgauge.reading.ordering import TIE_RULE
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.finding import remarks
from irgauge.show.page import Variant, of_measure, panel
from irgauge.show.rows import in_rows
from irgauge.show.style import Row, data, layered, level_axis, tips, width_of
from irgauge.show.verdicts import FOR
from irgauge.show.words import best_note, counted, listed, percent
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ran, ranked, tried
from irgauge.studies.score.findings import best_means, few_topics, mean_table
from irgauge.studies.score.study import Scored, score


def means(result: Scored, measure: str | None = None, best: int | None = None) -> Figure:
    """The mean of each system with its interval, best first, by one measure or by each of them."""
    measures = [str(measure) for measure in result.measures] if measure is None else [measure]
    systems = len(result.scores.systems)
    shown = systems if best is None else min(best, systems)
    width = width_of(shown, step=24, least=380, most=920)
    charts = [_means(result, measure, shown, width) for measure in measures]
    first = [f"{result.of(measure)[0].system} by {measure}" for measure in measures]
    return Figure(
        alt.VConcatChart(vconcat=charts) if len(charts) > 1 else charts[0],
        f"Means of {counted(systems, 'system')}; the best: {listed(first)}",
        (
            f"Points: means over topics; bars: {percent(1 - result.alpha)} intervals of each mean, "
            f"{FOR[result.drawn]}.",
            *best_note(shown, systems),
        ),
        width=width + 120,
        provenance=result.provenance,
        alternative="Means of systems from best to worst, each with its interval.",
    )


def _means(result: Scored, measure: str, shown: int, width: int) -> alt.LayerChart:
    rows = list(_rows(result, measure, shown))
    systems = [str(row["system"]) for row in rows]
    title = f"{counted(shown, 'system')} by mean {measure}"
    base = alt.Chart(data(rows)).encode(
        x=alt.X(**level_axis(systems, title, fields=style.SYSTEM, angle=0)),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "mean:Q", "se:Q", "low:Q", "high:Q"),
    )
    y = alt.Y("low:Q", title=f"mean {measure}", scale=alt.Scale(zero=False))
    bars = base.mark_rule(strokeWidth=min(6.0, max(1.5, 0.5 * width / shown)), color=style.INTERVALS["Tukey"])
    points = base.mark_point(filled=True, size=30, color=style.INK, opacity=1)
    chart = layered(bars.encode(y=y, y2=alt.Y2("high:Q")), points.encode(y=alt.Y("mean:Q")))
    return in_rows(chart.properties(width=width, height=280), shown)


def _rows(result: Scored, measure: str, shown: int) -> Iterator[Row]:
    for rank, mean in enumerate(result.of(measure)[:shown], 1):
        yield {
            "system": mean.system,
            "rank": rank,
            "mean": mean.mean,
            "se": mean.se,
            "low": mean.low,
            "high": mean.high,
        }


CHARTS: Mapping[str, Callable[..., Figure]] = {"means": means}


def run(reporting: Reporting) -> Ran:
    """The scores by all measures on the whole corpus."""
    options = {"alpha": reporting.alpha, "workers": reporting.workers, **reporting.sampling}
    return ran({"scores": tried(lambda: score(reporting.data, reporting.measures, **options))})


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, a chart and a table for each measure."""
    result: Scored = ran.results[0]
    over = "topics on the whole corpus" if reporting.data.has_runs else "topics"
    what = f"Means over {over}, with standard errors and intervals {FOR[result.drawn]}."
    panels = (
        *panel("means", "Means of systems", what, _charts(result)),
        *panel("mean-table", "Means of all systems", what, _tables(result)),
    )
    sentences = (*best_means(result), *few_topics(result))
    return (*sentences, *remarks(ran.reasons())), panels


def _charts(result: Scored) -> Iterator[Variant]:
    for measure in map(str, result.measures):
        for more, best in ranked(len(result.scores.systems)):
            yield Variant((*of_measure(measure), *more), means(result, measure, best))


def _tables(result: Scored) -> Iterator[Variant]:
    for measure in map(str, result.measures):
        table = mean_table(result, measure).without("measure")
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
        f"{listed(list(map(str, result.measures)))}. {how} have the standard error {_error(result)} and an "
        f"interval {FOR[result.drawn]} ({result.intervals}), with α = {result.alpha:g}."
    )


def _error(result: Scored) -> str:
    return "s/√n over the n topics" if result.sampling is None else "of topics as they were drawn (CR2)"


def _of_runs(collection: Collection) -> str:
    seen = "all" if collection.document_count == collection.corpus_size else f"{collection.document_count:,}"
    return (
        f"Documents were ordered by {TIE_RULE}, with scores in {collection.precision} precision; the rank column of "
        "runs was not used. Topics are those of the judgments that have a relevant document; a topic missing from a "
        f"run {_MISSING[collection.missing.rule]}. The corpus has {collection.corpus_size:,} documents, {seen} of "
        "which are in runs or judgments. Means on the whole corpus"
    )


def _of_table(reporting: Reporting) -> str:
    of_means = "Means over replicates" if reporting.has_replicates else "Means"
    done = _MISSING[reporting.missing.rule]
    return f"The scores were given as a table; a topic that a system lacks {done}. {of_means}"


PART = ReportPart(  # without a headline: comparisons say which system is best, and how sure that is
    with_sampling="follows",
    key="systems",
    title="How effective is each system?",
    run=run,
    shown=shown,
    methods=methods,
)
