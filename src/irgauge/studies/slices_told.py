"""What is said of kinds of topics, also of small ones and of topics of no kind: words that studies share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

from irgauge.inference.comparison import Comparison
from irgauge.inference.slices import FEWEST, Heterogeneity, SliceClaims, SmallSlice
from irgauge.inference.verdicts import mirrored
from irgauge.reading.topic_slices import NoKind, without_kind
from irgauge.reading.topic_table import TopicTable
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import amount, interval_columns, is_ratio, least_told
from irgauge.show.table import LEAST_P, Column
from irgauge.show.words import counted, listed, p_text, percent, two_digits


class OnSlice(NamedTuple):
    """What is said on one slice."""

    value: str
    verdict: str
    difference: float
    topics: int
    detectable: float
    is_ratio: bool = False

    @property
    def text(self) -> str:
        """With its numbers, and what it could have found where it shows nothing."""
        found = f", {could_find(self.detectable, is_ratio=self.is_ratio)}" if self.verdict == "inconclusive" else ""
        return (
            f"{self.value} ({amount(self.difference, is_ratio=self.is_ratio)}, {counted(self.topics, 'topic')}{found})"
        )


def _place(own: SliceClaims, system: str, against: str) -> tuple[int, int]:
    """The pair on a slice, where the order of systems may be another, and the sign of its difference."""
    names = own.comparison.names
    return (names.index((system, against)), 1) if (system, against) in names else (names.index((against, system)), -1)


def on_slice(own: SliceClaims, system: str, against: str, *, is_log: bool = False) -> OnSlice:
    """What is said of a pair on a slice."""
    pair, sign = _place(own, system, against)
    verdict = own.verdicts.verdicts[pair]
    difference = sign * float(own.comparison.difference[pair])
    said = verdict if sign > 0 else mirrored(verdict)
    return OnSlice(own.value, said, difference, own.topics, float(own.verdicts.detectable[pair]), is_log)


def heterogeneity_p(tests: Sequence[Heterogeneity], column: str, pair: Set[str]) -> float | None:
    """Welch's p of a pair in a column, where it was tested."""
    own = (test for test in tests if test.column == column and {test.system, test.against} == pair)
    return next((test.p for test in own), None)


def on_slices_text(overall: str, difference: float, slices: Sequence[OnSlice]) -> str:
    """Overall, then on each slice."""
    groups: dict[str, list[str]] = {}
    for own in slices:
        groups.setdefault(own.verdict, []).append(own.text)
    parts = [f"{_but(overall, verdict)}{verdict} on {listed(texts)}" for verdict, texts in groups.items()]
    size = amount(difference, is_ratio=any(own.is_ratio for own in slices))
    return f"{overall} overall ({size}), {'; '.join(parts)} (all slices corrected together)"


def _but(overall: str, verdict: str) -> str:
    return "but " if {overall, verdict} == {"better", "worse"} else ""


def same_text(p: float | None) -> str:
    """A number alone: it is no claim, as it has no α."""
    return "" if p is None else f" Is the difference the same on all of them? Welch's test: {p_text(p)}."


def slice_columns(first: Comparison, record: dict[str, Any]) -> list[Column]:
    """The columns of a table of pairs on slices, of which these are the first."""
    least = least_told(is_ratio=record["ratio"] is not None)
    return [
        Column("column"),
        Column("slice"),
        Column("n", "topics"),
        Column("system", role="system"),
        *([] if first.baseline else [Column("against", role="system")]),
        *interval_columns(record, f"the {percent(first.confidence)} interval, for all slices together"),
        Column("p_adjusted", "adjusted p", "over all pairs and slices", below=LEAST_P),
        Column("verdict"),
        Column("detectable", "smallest detectable", f"{least} that is found on so many topics with a power of 80 %"),
    ]


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


def small_told(small: Sequence[SmallSlice], measure: str, unit: str = "topics") -> Iterator[Finding]:
    """The slices of each column that have too few topics, or clusters of them."""
    for column in dict.fromkeys(part.column for part in small):
        own = [part for part in small if part.column == column]
        yield too_small(column=column, slices=own, is_ratio=is_ratio(measure), unit=unit)


@sentence("small-slices", "note", claims=())
def too_small(*, column: str, slices: Sequence[SmallSlice], is_ratio: bool = False, unit: str = "topics") -> str:
    """Which slices were not tested."""
    named = [
        f"{part.value} ({counted(part.topics, 'topic')}, {could_find(part.detectable, is_ratio=is_ratio)})"
        for part in slices
    ]
    are = "is" if len(named) == 1 else "are"
    return f"By {column}, {listed(named)} {are} too small to test (under {FEWEST} {unit})."


def could_find(detectable: float, *, is_ratio: bool = False) -> str:
    """The smallest true difference that is found with a power of 80 %, in words.

    >>> could_find(0.0512), could_find(math.inf)
    ('could have found 0.051', 'too few topics to find any difference')
    """
    if not math.isfinite(detectable):
        return "too few topics to find any difference"
    return f"could have found {amount(detectable, is_ratio=True) if is_ratio else two_digits(detectable)}"
