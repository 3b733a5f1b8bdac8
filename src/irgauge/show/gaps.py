"""Gaps in the data, in findings and beside numbers: scores that are undefined, topics that runs do not answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from irgauge.provenance import Provenance
from irgauge.reading.missing import OWN, MissingTopics
from irgauge.replicates.undefined import SparseScores, Undefined
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Column, Table
from irgauge.show.words import capital, counted, listed, some


def _beside(provenance: Provenance) -> SparseScores | None:
    """Those of what stands beside it, which rests on shards, where it rests on the whole corpus itself."""
    if provenance.record(SparseScores) is not None:
        return None
    return next((record for other in provenance.others if (record := other.record(SparseScores)) is not None), None)


def sparse_findings(provenance: Provenance) -> Iterator[Finding]:
    """A warning where many of the scores that the answer rests on are undefined."""
    yield from _warned(provenance.record(SparseScores), is_beside=False)


def sparse_findings_beside(provenance: Provenance) -> Iterator[Finding]:
    """A warning where only what stands beside the answer rests on such scores."""
    yield from _warned(_beside(provenance), is_beside=True)


def _warned(record: SparseScores | None, *, is_beside: bool) -> Iterator[Finding]:
    if record is not None and record.many is not None:
        yield sparse(undefined=record.many, is_beside=is_beside, can_draw_topics=record.can_draw_topics)


@sentence("sparse", "warning")
def sparse(*, undefined: Undefined, is_beside: bool, can_draw_topics: bool) -> str:
    """How many scores are undefined, what that makes of the numbers, and what can be done."""
    whole = " What is said of other topics rests on the whole corpus." if is_beside else ""
    instead = listed([*_instead(undefined, can_draw_topics=can_draw_topics)], "or")
    return f"{undefined.note}{whole} {capital(instead)}."


def _instead(undefined: Undefined, *, can_draw_topics: bool) -> Iterator[str]:
    """What else can be done."""
    if undefined.among == "images":
        yield "draw topics instead (draw: topics)" if can_draw_topics else "rely on the collection as it is"
        return
    yield "complete the table" if undefined.among == "replicates" else "take the whole corpus"
    if undefined.among == "shards" and undefined.shards != 2:  # the fewest
        yield "use fewer shards"
    if undefined.complete > 1 and undefined.done != "drop":
        yield f"take the {undefined.complete:,} topics that have every score (fill: drop)"


def sparse_notes(provenance: Provenance | None) -> Sequence[str]:
    """What stands beside numbers; nothing where undefined scores are few."""
    return () if provenance is None else provenance.notes


def sparse_notes_beside(provenance: Provenance) -> Sequence[str]:
    """The same of what stands beside it."""
    record = _beside(provenance)
    return () if record is None or record.many is None else (record.many.note,)


def note_sparse(table: Table, provenance: Provenance) -> Table:
    """The table with a note on undefined scores, where there are many."""
    return replace(table, notes=(*sparse_notes(provenance), *table.notes))


MISSING_COLUMN = Column("missing", explained="a run does not answer the topic, and scores 0 there")


def note_missing(table: Table, provenance: Provenance) -> Table:
    """The table with a note on missing topics, where there are any."""
    return replace(table, notes=(*table.notes, *provenance.under_tables))


def missing_findings(provenance: Provenance) -> Iterator[Finding]:
    """A warning of missing topics, where there are any; an error, where runs cannot be used for them."""
    record = provenance.record(MissingTopics)
    if record is not None and record.topics_of:
        say = refused if record.is_refused else missing
        yield say(rule=record.done, topics=len(record.topics), of=record.of, systems=record.counts)


@sentence("missing", "warning")
def missing(*, rule: str, topics: int, of: int, systems: Mapping[str, int]) -> str:
    """Topics that runs do not answer, and what was done about them."""
    judged = counted(of, "topic")
    if rule == "drop":
        verb, them = ("is", "it") if topics == 1 else ("are", "them")
        why = f"as not all runs answer {them}: {_named(systems)}"
        return f"{topics:,} of {judged} {verb} left out for all systems (missing: drop), {why}."
    if len(systems) == 1:
        they = _done(rule, "it" if topics == 1 else "they")
        return f"{next(iter(systems))} does not answer {topics:,} of {judged}; {they}."
    whom = f"{len(systems):,} systems do not answer all {judged}"
    return f"{whom}; {_done(rule, 'the missing ones')}: {_named(systems)}."


def _done(rule: str, topics: str) -> str:
    """What became of topics that a run does not answer, and stay for others."""
    is_one = topics == "it"
    if rule == OWN:
        return f"{topics} {'does' if is_one else 'do'} not count in the mean of the run"
    return f"{topics} {'scores' if is_one else 'score'} 0 there (missing: zero)"


@sentence("missing", "error")
def refused(*, rule: str, topics: int, of: int, systems: Mapping[str, int]) -> str:
    """Missing topics for which runs cannot be used."""
    if rule == "drop":
        return f"No topic of {of:,} is answered by all runs, so that none is left (missing: drop): {_named(systems)}."
    return f"{topics:,} of {counted(of, 'topic')} must not be missing (missing: fail): {_named(systems)}."


def _named(systems: Mapping[str, int]) -> str:
    return some([f"{system} ({count:,})" for system, count in systems.items()])
