"""Scores that are undefined in shards or images, where they are many: in the first finding, under tables and charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from irgauge.provenance import Provenance
from irgauge.replicates.undefined import SparseScores, Undefined
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Table
from irgauge.show.words import capital, listed


def _beside(provenance: Provenance) -> SparseScores | None:
    """Those of what stands beside it, which rests on shards, where it rests on the whole corpus itself."""
    if provenance.record(SparseScores) is not None:
        return None
    return next((record for other in provenance.others if (record := other.record(SparseScores)) is not None), None)


def findings(provenance: Provenance) -> Iterator[Finding]:
    """A warning where many of the scores that the answer rests on are undefined."""
    yield from _warned(provenance.record(SparseScores), is_beside=False)


def findings_beside(provenance: Provenance) -> Iterator[Finding]:
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


def notes(provenance: Provenance | None) -> Sequence[str]:
    """What stands beside numbers; nothing where undefined scores are few."""
    return () if provenance is None else provenance.notes


def notes_beside(provenance: Provenance) -> Sequence[str]:
    """The same of what stands beside it."""
    record = _beside(provenance)
    return () if record is None or record.many is None else (record.many.note,)


def noted(table: Table, provenance: Provenance) -> Table:
    """The table with a note on undefined scores, where there are many."""
    return replace(table, notes=(*notes(provenance), *table.notes))
