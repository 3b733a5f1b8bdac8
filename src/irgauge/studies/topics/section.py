"""The part of a report that says which topics are hard, and which separate systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown
from irgauge.studies.topics import charts, tables
from irgauge.studies.topics.charts import ORDERS, heat_maps
from irgauge.studies.topics.findings import findings
from irgauge.studies.topics.study import Topics, topics


def run(reporting: Reporting) -> Ran:
    """The topics by each measure."""
    return reporting.each_measure(
        lambda measure: topics(reporting.data, measure, workers=reporting.workers), "difficulty of topics"
    )


def shown(ran: Ran, _: Reporting) -> Shown:
    """Sentences, the topics as points, a table of them, and the score of every system on every topic."""
    return (finding for result in ran.results for finding in findings(result)), _panels(ran.results)


def _panels(results: Sequence[Topics]) -> Iterator[Panel]:
    yield from panel(
        "topic-difficulty",
        "Topics by difficulty and separation",
        "Hard topics stand on the left; topics that separate systems stand high.",
        (Variant(of_measure(result.measure), charts.difficulty(result)) for result in results),
    )
    yield from panel(
        "topic-scores",
        "Every system on every topic",
        "A row is a system, a column a topic.",
        (
            Variant((*of_measure(result.measure), ("topics", order)), figure)
            for result in results
            for order, figure in zip(ORDERS, heat_maps(result), strict=True)
        ),
    )
    yield from panel(
        "topic-numbers",
        "All topics",
        "The hardest first.",
        (
            Variant(of_measure(result.measure), table=tables.ends_table(result), provenance=result.provenance)
            for result in results
        ),
    )


def methods(ran: Ran, _: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Topics",
            "The difficulty of a topic is the mean of its scores over systems, its separation their standard deviation "
            "(n − 1). Its discrimination is Pearson's correlation, over systems, of the scores on the topic with the "
            "means over all other topics: near 1 the topic orders systems as the others do, below 0 against them. "
            "These describe the systems at hand, and claim nothing of others.",
        )


PART = ReportPart(  # without a headline, as the top of the page is about systems
    key="topics",
    title="Which topics are hard, and which separate systems?",
    run=run,
    shown=shown,
    methods=methods,
)
