"""The part of a report that says which topics are hard, and which separate systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.reporting.parts.topics import charts, tables
from irgauge.reporting.parts.topics.difficulty import TopicsFound, topics_found
from irgauge.reporting.parts.topics.heat_map import ORDERS, heat_maps
from irgauge.show.finding import Finding
from irgauge.show.page import Panel, Section, Variant, of_measure, panel
from irgauge.studies.reporting import Ran, Reporting

KEY, TITLE = "topics", "Which topics are hard, and which separate systems?"
REFERENCES: tuple[str, ...] = ()
USES = ("score",)


def run(reporting: Reporting, score: Ran) -> Ran:
    """The topics by each measure."""
    if not score.results:
        return Ran(())
    relevant = _relevant(reporting)
    return Ran(tuple(topics_found(score.results[0], str(measure), relevant) for measure in reporting.measures))


def _relevant(reporting: Reporting) -> dict[str, int]:
    """The relevant documents of each topic; a table of scores does not say."""
    if not reporting.data.has_runs:
        return {}
    collection = reporting.bench.collection
    return dict(zip(collection.topics, collection.relevant_counts().tolist(), strict=True))


def headline(result: TopicsFound) -> Iterator[Finding]:
    """Nothing at the top of the page, which is about systems."""
    del result
    yield from ()


def section(ran: Ran, reporting: Reporting) -> Section:
    """Sentences, the topics as points, a table of them, and the score of every system on every topic."""
    del reporting
    told = tuple(finding for result in ran.results for finding in result.findings())
    return Section(KEY, TITLE, told, tuple(_panels(ran.results)))


def _panels(results: Sequence[TopicsFound]) -> Iterator[Panel]:
    yield from panel(
        "topic-difficulty",
        "Topics by difficulty and separation",
        "Hard topics stand on the left; topics that separate systems stand high.",
        (Variant(of_measure(one.measure), charts.difficulty(one)) for one in results),
    )
    yield from panel(
        "topic-scores",
        "Every system on every topic",
        "A row is a system, a column a topic.",
        (
            Variant((*of_measure(one.measure), ("topics", order)), figure)
            for one in results
            for order, figure in zip(ORDERS, heat_maps(one), strict=True)
        ),
    )
    yield from panel(
        "topic-numbers",
        "All topics",
        "The hardest first.",
        (Variant(of_measure(one.measure), table=tables.topic_table(one), provenance=one.provenance) for one in results),
    )


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    del reporting
    if ran.results:
        yield (
            "Topics",
            "The difficulty of a topic is the mean of its scores over systems, its separation their standard deviation "
            "(n − 1). Its discrimination is Pearson's correlation, over systems, of the scores on the topic with the "
            "means over all other topics: near 1 the topic orders systems as the others do, below 0 against them. "
            "These describe the systems at hand, and claim nothing of others.",
        )
