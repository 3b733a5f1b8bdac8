"""Lines of a history: which entries belong together, and where a line is cut since scores cannot be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from irgauge.archive.entry import Entry
from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.scoring.direction import HIGHER, Direction
from irgauge.studies.history.options import HistoryOptions

Cause = Literal["judgments", "topics", "reading", "reference"]
_OF_READING = ("order", "precision", "depth", "fill")  # settings that change scores
_OTHER_WAYS = {
    "weights": "weights of topics",
    "shares": "shares of kinds of topics",
    "clusters": "clusters of topics",
    "looks": "several looks",
}  # settings of gates and comparisons that lines do not have


class Point(NamedTuple):
    """An entry on a line, and the two systems in it."""

    number: int  # of the entry, from 1
    entry: Entry
    system: str
    reference: str


class Stretch(NamedTuple):
    """A part of a line by a measure on which all scores can be compared."""

    measure: str
    direction: Direction
    points: tuple[Point, ...]
    topics: tuple[str, ...]
    cause: Cause | None  # why a line was cut before it; None for the first

    @property
    def differences(self) -> Floats:
        """Of the system from the reference as it was at the first point; time, topic."""
        return self._scores("system") - self._scores("reference")[0]

    @property
    def replaced(self) -> tuple[int, ...]:
        """The points at which the reference itself has other scores than at the one before."""
        changed = (np.diff(self._scores("reference"), axis=0) != 0).any(axis=1)
        return tuple((np.flatnonzero(changed) + 1).tolist())

    def _scores(self, which: Literal["system", "reference"]) -> Floats:
        scores = [point.entry.scores[self.measure, getattr(point, which)] for point in self.points]
        return np.array([[of_topics[topic] for topic in self.topics] for of_topics in scores])


def points_of(entries: Sequence[Entry], options: HistoryOptions) -> list[Point]:
    """The entries that have the two systems that are asked for."""
    for name in filter(None, (options.system, options.reference)):
        known(name, tuple(dict.fromkeys(run.system for entry in entries for run in entry.runs)), "system")
    points = [point for number, entry in enumerate(entries, 1) for point in _point(number, entry, options)]
    if not points:
        raise DesignError(
            "no entry of the history has both a system and its reference; of comparisons name the system, and the "
            "reference where they have no baseline"
        )
    return points


def _point(number: int, entry: Entry, options: HistoryOptions) -> Iterator[Point]:
    roles = {run.role: run.system for run in entry.runs}
    systems = {run.system for run in entry.runs}
    system, reference = options.system or roles.get("candidate"), options.reference or roles.get("baseline")
    if system in systems and reference in systems and system != reference:
        yield Point(number, entry, str(system), str(reference))


def measures_of(points: Sequence[Point], asked: Sequence[str] | str | None) -> tuple[str, ...]:
    """The measures of the lines, in the order of their first entries."""
    there = tuple(dict.fromkeys(m for point in points for m, system in point.entry.scores if system == point.system))
    names = [asked] if isinstance(asked, str) else asked
    return there if names is None else tuple(dict.fromkeys(known(str(name), there, "measure") for name in names))


def stretches_of(points: Sequence[Point], measure: str) -> list[Stretch]:
    """The line by a measure, cut where scores cannot be compared."""
    own = [point for point in points if {(measure, point.system), (measure, point.reference)} <= {*point.entry.scores}]
    if not own:
        raise DesignError(f"no entry has scores of both systems by {measure}; leave it out")
    causes = [None, *(_cause(before, after, measure) for before, after in pairwise(own))]
    starts = [place for place, cause in enumerate(causes) if place == 0 or cause is not None]
    return [_stretch(own[start:end], measure, causes[start]) for start, end in pairwise([*starts, len(own)])]


def _stretch(points: Sequence[Point], measure: str, cause: Cause | None) -> Stretch:
    topics = _topics(points[0], measure)
    if len(topics) < 2:
        both = f"{len(topics)} topics with scores of both systems by {measure}"
        raise DesignError(f"entry {points[0].number} has {both}, and 2 are needed; leave the measure out")
    return Stretch(measure, _direction(points[0], measure), tuple(points), topics, cause)


def _cause(before: Point, after: Point, measure: str) -> Cause | None:
    """Why scores of two entries cannot be compared; None where they can."""
    first, second = before.entry, after.entry
    if first.judgments != second.judgments:
        return "judgments"
    if _topics(before, measure) != _topics(after, measure):
        return "topics"
    if _reading(first.settings) != _reading(second.settings):
        return "reading"
    references = first.scores[measure, before.reference], second.scores[measure, after.reference]
    if first.judgments is None and references[0] != references[1]:
        return "reference"  # of tables nobody knows whether their judgments changed
    return None


def _reading(settings: Mapping[str, object]) -> list[object]:
    """How runs were read; of documents with the id of their topic whether, not how many, were left out."""
    return [*(settings.get(name) for name in _OF_READING), settings.get("identical_ids") is not None]


def other_ways(points: Sequence[Point]) -> tuple[str, ...]:
    """What entries rest on, and lines do not: there all topics count alike, one by one."""
    settings = {name for point in points for name in point.entry.settings}
    is_of_many = any(len({run.system for run in point.entry.runs}) < len(point.entry.runs) for point in points)
    runs = ("several runs of a system",) if is_of_many else ()
    return (*(way for name, way in _OTHER_WAYS.items() if name in settings), *runs)


def _topics(point: Point, measure: str) -> tuple[str, ...]:
    both = (point.entry.scores[measure, system].keys() for system in (point.system, point.reference))
    return tuple(sorted(set.intersection(*map(set, both))))


def _direction(point: Point, measure: str) -> Direction:
    return next((row.direction for row in point.entry.verdicts if row.measure == measure), HIGHER)
