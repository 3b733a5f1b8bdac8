"""Scores that are undefined in shards or images, where they are many: in the first finding, under tables and charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from irgauge.provenance import Provenance
from irgauge.replicates.sparseness import MANY_UNDEFINED
from irgauge.show.finding import Finding, sentence
from irgauge.show.table import Table
from irgauge.show.words import capital, listed

_LACKS = {
    "shards": "no relevant document in the shard",
    "images": "no relevant document in the image",
    "replicates": "cells of the table are empty",
}


class Undefined(NamedTuple):
    """How many scores are undefined, where, by which measures, and what was done about them."""

    share: float  # the largest of the measures and splits; of topics, where these are dropped
    is_largest: bool  # whether there are smaller ones
    measures: tuple[str, ...]
    among: str  # shards, images, or the replicates of a table
    done: str  # zero, skip, drop, or another fill
    shards: int | None = None  # how many, where that is one number
    complete: int = 0  # topics that have every score


def found_in(provenance: Provenance) -> Undefined | None:
    """The undefined scores that are to be told of; None where they are few.

    >>> facts = Provenance({"shards": "even:5", "fill": "zero", "undefined_share": {"AP": 0.02, "RR": 0.31}})
    >>> found_in(facts).measures, found_in(facts | {"undefined_share": {"AP": 0.02}})
    (('RR',), None)
    """
    facts: Any = provenance
    many = {measure: share for measure, share in facts.get("undefined_share", {}).items() if share > MANY_UNDEFINED}
    if not many:
        return None
    among = "images" if "images" in facts else "shards" if "shards" in facts or "splits" in facts else "replicates"
    shards = facts.get("shards", "")
    is_several = "resamples" in facts or (not isinstance(shards, str) and len(shards) > 1)
    return Undefined(
        share=max(many.values()),
        is_largest=is_several or len(set(many.values())) > 1,
        measures=tuple(many),
        among=among,
        done=str(facts.get("undefined_topics", facts.get("fill"))),
        shards=facts.get("shard_count"),
        complete=facts.get("complete_topics", 0),
    )


def found_beside(provenance: Provenance) -> Undefined | None:
    """Those of what stands beside it, which rests on shards, where it rests on the whole corpus itself."""
    if found_in(provenance) is not None:
        return None
    others: Any = provenance.get("beside", ())
    found = (found_in(provenance.without("undefined_share") | other) for other in others)
    return next((one for one in found if one is not None), None)


def findings(provenance: Provenance) -> Iterator[Finding]:
    """A warning where many of the scores that the answer rests on are undefined."""
    yield from _warned(found_in(provenance), provenance, is_beside=False)


def findings_beside(provenance: Provenance) -> Iterator[Finding]:
    """A warning where only what stands beside the answer rests on such scores."""
    yield from _warned(found_beside(provenance), provenance, is_beside=True)


def _warned(undefined: Undefined | None, provenance: Provenance, *, is_beside: bool) -> Iterator[Finding]:
    if undefined is not None:
        can_draw_topics = "draw" in provenance and "depths" not in provenance
        yield sparse(undefined=undefined, is_beside=is_beside, can_draw_topics=can_draw_topics)


@sentence("sparse", "warning")
def sparse(*, undefined: Undefined, is_beside: bool, can_draw_topics: bool) -> str:
    """How many scores are undefined, what that makes of the numbers, and what can be done."""
    whole = " What is said of other topics rests on the whole corpus." if is_beside else ""
    instead = listed([*_instead(undefined, can_draw_topics=can_draw_topics)], "or")
    return f"{note(undefined)}{whole} {capital(instead)}."


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


def note(undefined: Undefined) -> str:
    """The same beside a number.

    >>> note(Undefined(0.384, False, ("RR",), "shards", "zero"))
    '38 % of scores are undefined (no relevant document in the shard) and count as 0: numbers are of shards, not RR.'
    """
    share = f"{'Up to ' * undefined.is_largest}{100 * undefined.share:.0f} %"
    lacks, of = _LACKS[undefined.among], f"numbers are of {undefined.among}, not {listed(undefined.measures)}"
    if undefined.done == "drop":
        return f"{share} of topics are left out ({lacks}): numbers are of the others."
    done = {"zero": "count as 0", "skip": "are left out"}.get(undefined.done, f"are filled with {undefined.done}")
    return f"{share} of scores are undefined ({lacks}) and {done}: {of}."


def notes(provenance: Provenance | None) -> Sequence[str]:
    """What stands beside numbers; nothing where undefined scores are few."""
    found = None if provenance is None else found_in(provenance)
    return () if found is None else (note(found),)


def notes_beside(provenance: Provenance) -> Sequence[str]:
    """The same of what stands beside it."""
    found = found_beside(provenance)
    return () if found is None else (note(found),)


def noted(table: Table, provenance: Provenance) -> Table:
    """The table with a note on undefined scores, where there are many."""
    return replace(table, notes=(*notes(provenance), *table.notes))
