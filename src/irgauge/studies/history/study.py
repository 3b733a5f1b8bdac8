"""How did scores develop, and since when do they differ? The lines of a history, and their change points."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from irgauge.archive.store import HistoryFile
from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference import facts
from irgauge.inference.change_points import DRAWS, ChangePoint, change_points
from irgauge.inference.tests.skewed_t import skewed_t_outcome
from irgauge.options.verbs import verb
from irgauge.provenance import Fact, Provenance
from irgauge.replicates import facts as data_facts
from irgauge.scoring.direction import Direction, sign_of
from irgauge.studies.history.lines import Cause, Stretch, measures_of, other_ways, points_of, stretches_of
from irgauge.studies.history.options import HistoryOptions
from irgauge.studies.result import Result

POPULATION = "topics"


class KeptPoint(NamedTuple):
    """A point of a line: an entry of the history."""

    entry: int  # its number, from 1
    time: str  # in UTC
    checkout: str | None  # the commit
    system: str
    reference: str


@dataclass(frozen=True, eq=False, repr=False)
class Line(OneLine):
    """The difference of a system from its reference by a measure, as long as scores can be compared."""

    in_line: ClassVar[tuple[str, ...]] = ("measure",)

    measure: str
    direction: Direction
    number: int  # of the stretch, from 1
    cause: Cause | None  # why it starts anew; None for the first
    points: tuple[KeptPoint, ...]
    topics: tuple[str, ...]
    difference: Floats  # point: mean over topics
    low: Floats  # point: of its interval, for itself
    high: Floats
    changes: tuple[ChangePoint, ...]
    replaced: tuple[int, ...]  # points at which the reference has other scores than before

    def is_better(self, change: ChangePoint) -> bool:
        """Whether scores got better."""
        return sign_of(self.direction) * change.difference > 0


@dataclass(frozen=True, eq=False, repr=False)
class Developed(Result):
    """The lines of a history."""

    study: ClassVar[str] = "history"

    lines: tuple[Line, ...]  # by measure, then in time
    entries: int  # of the history
    used: int  # those that have both systems
    alpha: float
    level: float  # of all changes of a line: α over the number of lines
    seed: int
    other_ways: tuple[str, ...] = ()  # what entries rest on, and lines do not

    @property
    def parts(self) -> Mapping[str, tuple[Line, ...]]:
        """Measure -> the stretches of its line."""
        return {name: tuple(line for line in self.lines if line.measure == name) for name in self.measures}

    @property
    def measures(self) -> tuple[str, ...]:
        """Those of the lines."""
        return tuple(dict.fromkeys(line.measure for line in self.lines))

    @property
    def provenance(self) -> Provenance:
        """How changes were looked for."""
        lines = f", over {len(self.lines):,} lines together" if len(self.lines) > 1 else ""
        return Provenance.of(
            Fact("test", "change points", f"by {DRAWS:,} orders of entries and guarded t over topics{lines}"),
            facts.alpha(self.alpha),
            facts.population(POPULATION),
            data_facts.measures(self.measures),
            data_facts.seed(self.seed),
            Fact("entries", self.used, f"{self.used:,} of {self.entries:,} entries", "size"),
        )

    def frame_rows(self, name: str) -> Iterable[Mapping[str, Any]]:
        """The points of all lines; their changes; or the changes on each topic."""
        rows = {"entries": self._points, "changes": self._changes, "changed-topics": self._topics}
        return [row for line in self.lines for row in rows[name](line)]

    def _points(self, line: Line) -> Iterator[dict[str, Any]]:
        for place, (difference, low, high) in enumerate(zip(line.difference, line.low, line.high, strict=True)):
            yield self._head(line, place) | {"difference": difference, "low": low, "high": high}

    def _changes(self, line: Line) -> Iterator[dict[str, Any]]:
        for change in line.changes:
            first, last = line.points[change.first], line.points[change.last]
            yield self._head(line, change.place) | {
                "difference": change.difference,
                "low": change.low,
                "high": change.high,
                "verdict": "better" if line.is_better(change) else "worse",
                "first_entry": first.entry,
                "first_time": first.time,
                "last_entry": last.entry,
                "last_time": last.time,
            }

    def _topics(self, line: Line) -> Iterator[dict[str, Any]]:
        for change in line.changes:
            for topic, difference in zip(line.topics, change.topics.tolist(), strict=True):
                yield self._head(line, change.place) | {"topic": topic, "difference": difference}

    def _head(self, line: Line, place: int) -> dict[str, Any]:
        point = line.points[place]
        return {
            "measure": line.measure,
            "stretch": line.number,
            "entry": point.entry,
            "time": point.time,
            "commit": point.checkout,
            "system": point.system,
            "against": point.reference,
            "n": len(line.topics),
            "population": POPULATION,
            "alpha": self.alpha,
            "direction": line.direction,
        }

    def content(self) -> dict[str, Any]:
        """All points, changes, and changes on topics; and why lines were cut."""
        cuts = [
            {"measure": line.measure, "stretch": line.number, "entry": line.points[0].entry, "cause": line.cause}
            for line in self.lines
            if line.cause is not None
        ]
        rows = {name.replace("-", "_"): self.frame_rows(name) for name in self.frames}
        return rows | {"cuts": cuts, "history_entries": self.entries}


@verb(HistoryOptions)
def history(data: str | os.PathLike[str] | Sequence[str], options: HistoryOptions) -> Developed:
    """Say how the scores in a history developed, and since when they differ.

    `data` is the file that `gate` or `compare` wrote with `history=`. A line is the difference of the candidate of each
    gate from the baseline, or of `system` from `reference`; the scores of the reference are those of the first entry of
    the line, so that a baseline which is replaced moves nothing. Where judgments, topics or the way of reading changed
    the line is cut. Changes are those of `inference.change_points`, at α over the number of lines.

    >>> import tempfile, pathlib
    >>> from irgauge import gate
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "nights.sqlite"
    >>> for loss in (0, 0, 0, 0.2, 0.2, 0.2):
    ...     old = {str(topic): 0.5 + topic / 100 for topic in range(20)}
    ...     new = {topic: score - loss * (1 + int(topic) % 3 / 10) for topic, score in old.items()}
    ...     _ = gate({"old": old, "new": new}, "old", "new", margin=0.01, history=path)
    >>> [change.place for change in history(path).lines[0].changes]
    [3]
    """
    paths = [data] if isinstance(data, str | os.PathLike) else list(data)
    if len(paths) != 1:
        raise DesignError(f"a history is one file, and {len(paths)} were given; name one")
    with HistoryFile(paths[0]).reading() as file:
        entries = list(file.entries())
    points = points_of(entries, options)
    measures = measures_of(points, options.measures)
    stretches = [(i, own) for measure in measures for i, own in enumerate(stretches_of(points, measure), 1)]
    level = options.alpha / len(stretches)
    lines = tuple(_line(number, stretch, level, options) for number, stretch in stretches)
    return Developed(lines, len(entries), len(points), options.alpha, level, options.seed, other_ways(points))


def _line(number: int, stretch: Stretch, level: float, options: HistoryOptions) -> Line:
    series = stretch.differences
    outcome = skewed_t_outcome(series.T, options.alpha)
    return Line(
        measure=stretch.measure,
        direction=stretch.direction,
        number=number,
        cause=stretch.cause,
        points=tuple(
            KeptPoint(
                point.number,
                point.entry.time.isoformat(timespec="seconds"),
                point.entry.checkout,
                point.system,
                point.reference,
            )
            for point in stretch.points
        ),
        topics=stretch.topics,
        difference=series.mean(axis=1),
        low=outcome.low,
        high=outcome.high,
        changes=change_points(series, level, seed=options.seed),
        replaced=stretch.replaced,
    )
