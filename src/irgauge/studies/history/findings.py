"""What a history says: where each line changed, on which topics, and where it was cut; and its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from irgauge.inference.change_points import ChangePoint
from irgauge.show.finding import Finding, sentence
from irgauge.show.ratios import amount, ends_told, is_ratio, plain_name
from irgauge.show.table import Column, Record, Table
from irgauge.show.words import listed, percent
from irgauge.studies.history.lines import Cause
from irgauge.studies.history.study import POPULATION, Developed, KeptPoint, Line

WORST = 5  # topics with the largest changes
_NAMED = 3  # topics of a sentence
_SHORT = 7  # digits of a commit
_CAUSES: Mapping[Cause, str] = {
    "judgments": "the judgments changed",
    "topics": "the topics changed",
    "reading": "runs were read in another way",
    "reference": "the scores of the reference changed, and of tables of scores nobody knows whether judgments did",
}


class Moment(NamedTuple):
    """An entry in a sentence."""

    entry: int
    time: str
    checkout: str | None

    @classmethod
    def of(cls, point: KeptPoint) -> Moment:
        """Of a point of a line."""
        return cls(point.entry, point.time, point.checkout)

    @property
    def day(self) -> str:
        """The time to the minute."""
        return self.time[:16].replace("T", " ")

    @property
    def text(self) -> str:
        """The entry, its time and its commit."""
        commit = "" if self.checkout is None else f", commit {self.checkout[:_SHORT]}"
        return f"entry {self.entry} ({self.day}{commit})"


class Largest(NamedTuple):
    """The topics with the largest changes, of those that moved as the mean did."""

    topics: Mapping[str, float]
    share: float  # of all that topics moved this way


def findings(result: Developed) -> Iterator[Finding]:
    """The changes of each line, then where lines were cut, then what to know of them."""
    told = [finding for line in result.lines for finding in _line(line, result)]
    yield from sorted(told, key=lambda finding: finding.kind != "changed")
    for measures, line in _cuts(result.lines):
        yield cut(measures=measures, cause=line.cause or "judgments", at=Moment.of(line.points[0]))
    for line in _first_of_each(result.lines):
        if line.replaced:
            moments = [Moment.of(line.points[place]) for place in line.replaced]
            yield replaced(reference=line.points[0].reference, at=moments, first=Moment.of(line.points[0]))
    if result.used < result.entries:
        yield not_used(entries=result.entries, used=result.used)
    if result.other_ways:
        yield counted_alike(ways=result.other_ways)


def _line(line: Line, result: Developed) -> Iterator[Finding]:
    for change in line.changes:
        finding = _changed(line, change, result).about(measure=line.measure, population=POPULATION)
        yield finding.claiming((), "primary")  # α is for all lines together
    if not line.changes:
        last = line.points[-1]
        yield unchanged(
            measure=line.measure,
            system=last.system,
            reference=line.points[0].reference,
            points=len(line.points),
            first=Moment.of(line.points[0]),
            last=Moment.of(last),
            difference=float(line.difference[-1]),
            interval=(1 - result.alpha, float(line.low[-1]), float(line.high[-1])),
        ).about(measure=line.measure)


def _changed(line: Line, change: ChangePoint, result: Developed) -> Finding:
    moved = np.maximum(np.sign(change.difference) * change.topics, 0.0)  # topic: as all do in the mean
    order = np.argsort(-moved, kind="stable")[:_NAMED]
    return changed(
        measure=line.measure,
        system=line.points[change.place].system,
        reference=line.points[0].reference,
        is_better=line.is_better(change),
        at=[Moment.of(line.points[place]) for place in (change.place, change.first, change.last)],
        difference=change.difference,
        interval=(1 - result.alpha, change.low, change.high),
        largest=Largest(
            {line.topics[topic]: float(change.topics[topic]) for topic in order.tolist() if moved[topic]},
            float(moved[order].sum() / moved.sum()),
        ),
    )


def _cuts(lines: Sequence[Line]) -> Iterator[tuple[list[str], Line]]:
    """The places at which lines were cut, each with the measures that were cut there for the same reason."""
    cut_lines = [line for line in lines if line.cause is not None]
    for key in dict.fromkeys((line.points[0].entry, line.cause) for line in cut_lines):
        own = [line for line in cut_lines if (line.points[0].entry, line.cause) == key]
        yield [line.measure for line in own], own[0]


def _first_of_each(lines: Sequence[Line]) -> list[Line]:
    """One line of each stretch: what is said of a reference is said of all measures."""
    return list({line.points[0].entry: line for line in reversed(lines)}.values())[::-1]


@sentence("changed", claims=("difference",))
def changed(
    *,
    measure: str,
    system: str,
    reference: str,
    is_better: bool,
    at: Sequence[Moment],
    difference: float,
    interval: tuple[float, float, float],
    largest: Largest,
) -> str:
    """A change of a line."""
    is_log = is_ratio(measure)
    there, first, last = at  # where it is likeliest, and between which entries it may be
    sure = percent(interval[0])
    when = "exactly there" if first.entry == last.entry else f"between entries {first.entry} and {last.entry}"
    most = listed([f"{topic} ({amount(change, is_ratio=is_log)})" for topic, change in largest.topics.items()])
    return (
        f"By {plain_name(measure)}, {system} got {'better' if is_better else 'worse'} against {reference} at "
        f"{there.text}, for other topics: {'to' if is_log else 'by'} {amount(difference, is_ratio=is_log)} "
        f"({ends_told(*interval, is_ratio=is_log)}); the change lies {when} ({sure}). "
        f"It is largest on {'topic' if len(largest.topics) == 1 else 'topics'} {most}: {percent(largest.share)} of all "
        "that topics moved this way."
    )


@sentence("unchanged", claims=())
def unchanged(
    *,
    measure: str,
    system: str,
    reference: str,
    points: int,
    first: Moment,
    last: Moment,
    difference: float,
    interval: tuple[float, float, float],
) -> str:
    """A line without a change."""
    span = f"at {last.text}, the only one" if points == 1 else f"in {points:,} entries from {first.day} to {last.day}"
    is_log = is_ratio(measure)
    size = f"{amount(difference, is_ratio=is_log)} ({ends_told(*interval, is_ratio=is_log)})"
    now = f"{'it' if points == 1 else 'at the last it'} {'is' if is_log else 'differs by'} {size}"
    return f"By {plain_name(measure)}, no change of {system} against {reference} was found {span}; {now}."


@sentence("cut", "warning")
def cut(*, measures: Sequence[str], cause: Cause, at: Moment) -> str:
    """Scores before and after cannot be compared."""
    lines = f"{'the line' if len(measures) == 1 else 'the lines'} by {listed(list(measures))}"
    verb = "starts" if len(measures) == 1 else "start"
    return f"At {at.text} {_CAUSES[cause]}: scores before and after cannot be compared, and {lines} {verb} anew there."


@sentence("replaced", "note")
def replaced(*, reference: str, at: Sequence[Moment], first: Moment) -> str:
    """The reference itself changed."""
    some = listed([f"entry {moment.entry}" for moment in at[:_NAMED]])
    more = f" and {len(at) - _NAMED:,} more" if len(at) > _NAMED else ""
    return f"{reference} has other scores from {some}{more} on; differences stay those from its scores at {first.text}."


@sentence("not-used", "note")
def not_used(*, entries: int, used: int) -> str:
    """Entries of other systems."""
    return f"{used:,} of {entries:,} entries have both systems; the others are left out."


@sentence("counted-alike", "note")
def counted_alike(*, ways: Sequence[str]) -> str:
    """Why an entry may say something else than its gate did."""
    return (
        f"Entries rest on {listed(list(ways))}; here all topics count alike, one by one, so that differences and "
        "intervals may be other ones than those of the gate or the comparison."
    )


def tables(result: Developed) -> list[Table]:
    """The points, the changes, and the topics that changed most."""
    changes = [change_table(result), topic_table(result)] if any(line.changes for line in result.lines) else []
    return [*changes, point_table(result)]


def point_table(result: Developed) -> Table:
    """The difference at each entry."""
    inside = percent(1 - result.alpha)
    return Table.of(
        "entries",
        "Differences from the reference",
        map(_brief, result.frame_rows("entries")),
        [
            Column("measure"),
            Column("stretch", explained="scores of different ones cannot be compared", is_minor=True),
            Column("entry"),
            Column("time", explained="in UTC"),
            Column("commit"),
            Column("system", role="system", is_minor=True),
            Column("difference", explained="from the reference as it was at the first entry, mean over topics"),
            Column("low", explained=f"the {inside} interval of each by itself", explained_as="low, high"),
            Column("high"),
        ],
        group_by="measure",
        is_main=True,
        is_long=True,
    )


def change_table(result: Developed) -> Table:
    """The changes."""
    inside = percent(1 - result.alpha)
    return Table.of(
        "changes",
        "Changes",
        map(_brief, result.frame_rows("changes")),
        [
            Column("measure"),
            Column("entry", explained="the first after the change"),
            Column("time"),
            Column("commit"),
            Column("first_entry", "from", f"the change lies in this range, {inside}", explained_as="from, to"),
            Column("last_entry", "to"),
            Column("difference", explained="mean after less mean before it"),
            Column("low", explained=f"the {inside} interval, if the entry is right", explained_as="low, high"),
            Column("high"),
            Column("verdict"),
        ],
        group_by="measure",
    )


def topic_table(result: Developed) -> Table:
    """The topics that changed most."""
    return Table.of(
        "changed-topics",
        "Topics with the largest changes",
        _topics(result),
        [
            Column("measure"),
            Column("entry", explained="the first after the change"),
            Column("topic"),
            Column("difference", explained="mean after less mean before it"),
        ],
        group_by="measure",
    )


def _topics(result: Developed) -> Iterator[Record]:
    for line in result.lines:
        for change in line.changes:
            order = np.argsort(-np.abs(change.topics), kind="stable")[:WORST]
            for topic in order.tolist():
                yield {
                    "measure": line.measure,
                    "entry": line.points[change.place].entry,
                    "topic": line.topics[topic],
                    "difference": float(change.topics[topic]),
                }


def _brief(row: Mapping[str, Any]) -> Record:
    commit = row["commit"]
    return {**row, "time": row["time"][:16].replace("T", " "), "commit": commit and commit[:_SHORT]}
