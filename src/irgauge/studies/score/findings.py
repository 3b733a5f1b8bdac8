"""What scores say, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator

from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted
from irgauge.studies.score.study import ENOUGH, Scored


def findings(result: Scored) -> Iterator[Finding]:
    """The highest mean by each measure; then what to know of few topics and of undefined scores."""
    yield from best_means(result)
    yield from few_topics(result)
    for measure, count in result.undefined.items():
        told = undefined(measure=measure, count=count, topics=len(result.scores.topics), fill=str(result.fill))
        yield told.about(measure=measure)


def best_means(result: Scored) -> Iterator[Finding]:
    """The system with the highest mean, by each measure."""
    for measure in map(str, result.measures):
        first = result.of(measure)[0]
        told = highest(measure=measure, system=first.system, mean=first.mean, systems=len(result.scores.systems))
        yield told.about(measure=measure)


def few_topics(result: Scored) -> Iterator[Finding]:
    """That intervals rest on few topics, where they are shown."""
    topics = len(result.scores.topics)
    if topics < ENOUGH and not result.per_topic:
        yield few(topics=topics)


@sentence("highest-mean")
def highest(*, measure: str, system: str, mean: float, systems: int) -> str:
    """The system with the highest mean."""
    if systems == 1:
        return f"{system} has a mean {measure} of {mean:.4f}."
    return f"{system} has the highest mean {measure} of {counted(systems, 'system')}, {mean:.4f}."


@sentence("few-topics", "note")
def few(*, topics: int) -> str:
    """That intervals rest on few topics."""
    if topics == 1:
        return "One topic gives no interval of a mean."
    return (
        f"Intervals of means from fewer than {ENOUGH} topics, {topics} here, are rough: a topic unlike these can move "
        "them far."
    )


@sentence("undefined", "note")
def undefined(*, measure: str, count: int, topics: int, fill: str) -> str:
    """Topics on which a measure has no score."""
    verb = "has" if count == 1 else "have"
    none = "no document that it takes as relevant"
    return f"{measure}: {count} of {counted(topics, 'topic')} {verb} {none}; their scores are filled with {fill}."
