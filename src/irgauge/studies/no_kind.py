"""What is said of topics that are of no kind, where kinds are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from irgauge.reading.topic_slices import NoKind, without_kind
from irgauge.reading.topic_table import TopicTable
from irgauge.show.finding import Finding, sentence
from irgauge.show.words import counted


def no_kind_told(about: TopicTable, columns: Iterable[str], topics: Sequence[str]) -> Iterator[Finding]:
    """How many topics have no value, of each column in which some have none."""
    return notes_of(without_kind(about, columns, topics))


def notes_of(counts: Iterable[NoKind]) -> Iterator[Finding]:
    """The same of what was counted before."""
    return (no_kind(column=own.column, without=own.without, topics=own.topics) for own in counts)


@sentence("no-kind", "note", claims=())
def no_kind(*, column: str, without: int, topics: int) -> str:
    """Topics that count for all topics together only."""
    has, they = ("has", "it counts") if without == 1 else ("have", "they count")
    return f"{without:,} of {counted(topics, 'topic')} {has} no {column}: {they} overall, and on no slice."
