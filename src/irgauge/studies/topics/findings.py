"""What is said of topics, in sentences and in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from irgauge.inference.leaders import SAME
from irgauge.show.abridged import ends, ends_note
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import all_of, counted, some
from irgauge.studies.cautions import direction_guessed
from irgauge.studies.topics.study import TopicDifficulty, Topics


def findings(result: Topics) -> Iterator[Finding]:
    """The hardest, the easiest and the one that separates most; topics against the others; those left out."""
    for finding in _findings(result):
        yield finding.about(measure=result.measure)


def _findings(result: Topics) -> Iterator[Finding]:
    first, last = result.topics[0], result.topics[-1]
    most = max(result.topics, key=lambda topic: topic.sd or 0.0)
    if abs(last.mean - first.mean) < SAME:
        yield all_alike(measure=result.measure, topics=len(result.topics), mean=first.mean)
    else:
        separating = most if most.sd is not None and most.sd > SAME else None
        yield extremes(
            measure=result.measure, topics=len(result.topics), hardest=first, easiest=last, separating=separating
        )
    against = [topic for topic in result.topics if topic.discrimination is not None and topic.discrimination < 0]
    if against:
        against.sort(key=lambda topic: topic.discrimination or 0.0)
        yield against_others(measure=result.measure, topics=[topic.topic for topic in against])
    if result.is_guessed:
        yield direction_guessed(measure=result.measure)
    if result.undefined:
        yield left_out(measure=result.measure, topics=result.undefined)


@sentence("topic-extremes", claims=())
def extremes(
    *, measure: str, topics: int, hardest: TopicDifficulty, easiest: TopicDifficulty, separating: TopicDifficulty | None
) -> str:
    """The ends of the difficulty of topics, and the topic on which systems differ most."""
    head = (
        f"By {measure}, {hardest.topic} is the hardest of {counted(topics, 'topic')} (mean over systems "
        f"{hardest.mean:.3f}) and {easiest.topic} the easiest ({easiest.mean:.3f})"
    )
    if separating is None:
        return f"{head}."
    return f"{head}; {separating.topic} separates systems most (standard deviation {separating.sd:.3f})."


@sentence("topics-alike", claims=())
def all_alike(*, measure: str, topics: int, mean: float) -> str:
    """That no topic is harder than another."""
    if topics == 1:
        return f"By {measure} there is one topic, with a mean over systems of {mean:.3f}."
    return f"By {measure}, {all_of(topics, 'topic')} are equally hard (mean over systems {mean:.3f})."


@sentence("topics-against", claims=())
def against_others(*, measure: str, topics: Sequence[str]) -> str:
    """Topics that order systems against the others."""
    which = "1 topic tends" if len(topics) == 1 else f"{len(topics):,} topics tend"
    return (
        f"By {measure}, {which} to order systems the other way round than the other topics do (discrimination below "
        f"0): {some(topics)}."
    )


@sentence("topics-undefined", tone="note")
def left_out(*, measure: str, topics: Sequence[str]) -> str:
    """Topics without any score."""
    verb = "it is" if len(topics) == 1 else "they are"
    where = counted(len(topics), "topic")
    return f"{measure} is undefined on {where}, and {verb} left out here: {some(topics)}."


def tables(result: Topics) -> list[Table]:
    """Every topic."""
    return [topic_table(result)]


def topic_table(result: Topics) -> Table:
    """Every topic, hardest first."""
    judged = [Column("relevant", explained="relevant documents")] * (result.topics[0].relevant is not None)
    several = len(result.systems) > 1
    spread = [Column("sd", "separation", "the standard deviation over systems")] * several
    along = [
        Column("discrimination", explained="the correlation, over systems, with the mean of the other topics")
    ] * several
    return Table.of(
        "topics",
        f"Topics by difficulty in {result.measure}",
        [vars(topic) for topic in result.topics],
        [
            Column("topic"),
            Column("mean", explained="over systems; the hardest topic stands first"),
            *spread,
            *along,
            Column("best", "best system", role="system"),
            Column("best_score"),
            *judged,
        ],
        is_main=True,
        is_long=True,
    )


def ends_table(result: Topics) -> Table:
    """The same for a page; of very many topics the hardest and the easiest."""
    table = topic_table(result)
    return replace(table, rows=tuple(ends(table.rows)), notes=(*table.notes, *ends_note(len(result.topics))))
