"""What a gate says of kinds of topics: those on which nothing is shown, and a table of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import interval_columns, is_ratio, least_told, of_ratios, plain_name
from irgauge.show.table import LEAST_P, Column, Table
from irgauge.show.words import counted, listed, percent
from irgauge.studies.gate.study import Gated
from irgauge.studies.no_kind import no_kind
from irgauge.studies.sampling_findings import unit_of
from irgauge.studies.small_slices import could_find, small_told
from irgauge.studies.tested import slice_records


def unclear(result: Gated) -> Iterator[Finding]:
    """Kinds of topics on which nothing is shown, and those that are too small for it."""
    for gated in result.each:
        silent = [own for own in gated.sliced.slices if own.verdicts.verdicts[0] == "inconclusive"]
        if silent:
            slices = [UnclearSlice(own.column, own.value, own.topics, own.verdicts.detectable[0]) for own in silent]
            yield unclear_slices(measure=gated.measure, slices=slices).about(measure=gated.measure)
    yield from small_told(result.each[0].sliced.small, result.each[0].measure, unit_of(result.sampling))
    yield from _of_no_kind(result)


def _of_no_kind(result: Gated) -> Iterator[Finding]:
    """Topics that are on no slice of a column, tested or small."""
    sliced, on_slices = result.each[0].sliced, Counter[str]()
    for own in sliced.slices:
        on_slices[own.column] += own.topics
    for part in sliced.small:
        on_slices[part.column] += part.topics
    for column, count in on_slices.items():
        if count < result.topics:
            yield no_kind(column=column, without=result.topics - count, topics=result.topics)


class UnclearSlice(NamedTuple):
    """A kind of topics on which nothing is shown."""

    column: str
    value: str
    topics: int
    detectable: float


@sentence("unclear-slices", "note", claims=())
def unclear_slices(*, measure: str, slices: Sequence[UnclearSlice]) -> str:
    """What is not known of kinds of topics."""
    is_log = is_ratio(measure)
    named = [
        f"{own.column} {own.value} ({counted(own.topics, 'topic')}, {could_find(own.detectable, is_ratio=is_log)})"
        for own in slices
    ]
    return f"In {plain_name(measure)}, it is neither shown to be worse nor to be as good on {listed(named)}."


def slice_tables(result: Gated) -> list[Table]:
    """What is said on kinds of topics, where that was asked for."""
    records = [of_ratios(row) for gated in result.each for row in slice_records(gated.measure, gated.sliced.slices)]
    if not records:
        return []
    least = least_told(is_ratio=records[0]["ratio"] is not None)
    columns = [
        Column("measure"),
        Column("column"),
        Column("slice"),
        Column("n", "topics"),
        *interval_columns(records[0], f"the {percent(1 - result.alpha)} interval, for all slices together"),
        Column("p_adjusted", "adjusted p", "over all slices", below=LEAST_P),
        Column("margin", explained="the smallest difference that matters"),
        Column("verdict"),
        Column("detectable", "smallest detectable", f"{least} that is found with a power of 80 %"),
    ]
    return [Table.of("slices", "Kinds of topics", records, columns)]
