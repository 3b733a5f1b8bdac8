"""What scores say, in sentences that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.show.finding import Finding, sentence
from irgauge.show.verdicts import FOR, holders
from irgauge.show.words import counted, percent
from irgauge.studies.means import SystemMean
from irgauge.studies.score.study import ENOUGH, Scored


def findings(result: Scored) -> Iterator[Finding]:
    """The highest mean by each measure; then what to know of few topics and of undefined scores."""
    yield from best_means(result)
    yield from few_topics(result)
    for measure, count in result.undefined.items():
        finding = undefined(measure=measure, count=count, topics=len(result.scores.topics), fill=str(result.fill))
        yield finding.about(measure=measure)


def best_means(result: Scored) -> Iterator[Finding]:
    """The system with the highest mean, by each measure."""
    for measure in map(str, result.measures):
        leaders = result.leaders(measure)
        finding = highest(
            measure=measure, system=leaders.best[0], tied=leaders.tied, mean=leaders.mean, systems=leaders.systems
        )
        yield finding.about(measure=measure)


def few_topics(result: Scored) -> Iterator[Finding]:
    """That intervals rest on few topics, where they are shown."""
    topics = len(result.scores.topics)
    if topics < ENOUGH and not result.per_topic:
        yield few(topics=topics)


@sentence("highest-mean")
def highest(*, measure: str, system: str, tied: Sequence[str], mean: float, systems: int) -> str:
    """The system with the highest mean, or those that share it."""
    if systems == 1:
        return f"{system} has a mean {measure} of {mean:.4f}."
    return f"{_have((system, *tied))} the highest mean {measure} of {counted(systems, 'system')}, {mean:.4f}."


def _have(best: Sequence[str]) -> str:
    return f"{holders(best)} {'has' if len(best) == 1 else 'share'}"


# the answer by one measure, where no comparison gives one


def answers(result: Scored, measure: str) -> Iterator[Finding]:
    """Of one system its mean; of several that could not be compared, the highest."""
    first, *others = result.of(measure)
    if not others and first.topics > 1:
        finding = one_system(measure=measure, mean=first, confidence=1 - result.alpha)
        yield finding.about(population="topics", measure=measure)
        return
    leaders = result.leaders(measure)
    finding = uncompared(
        measure=measure, best=leaders.best, mean=leaders.mean, systems=leaders.systems, topics=first.topics
    )
    yield finding.about(measure=measure)


@sentence("answer-mean")
def one_system(*, measure: str, mean: SystemMean, confidence: float) -> str:
    """The mean of the only system with its interval."""
    ends = f"{percent(confidence)} interval {mean.low:.2f} to {mean.high:.2f} {FOR['topics']}"
    return f"{mean.system} has a mean {measure} of {mean.mean:.3f} ({ends})."


@sentence("answer-highest")
def uncompared(*, measure: str, best: Sequence[str], mean: float, systems: int, topics: int) -> str:
    """The highest mean, where nothing was compared."""
    on = "the only topic" if topics == 1 else counted(topics, "topic")
    rest = "one topic says nothing of other topics" if topics == 1 else "the systems could not be compared"
    if systems == 1:
        return f"{best[0]} has {measure} {mean:.3f} on {on}; {rest}."
    return f"{_have(best)} the highest {measure} of {counted(systems, 'system')} on {on} ({mean:.3f}); {rest}."


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
