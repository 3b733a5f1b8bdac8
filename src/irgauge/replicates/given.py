"""What a study is given: runs, a table of scores, or what was measured before; and the measures asked of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection
from irgauge.reading.tables.looks import EXTENSIONS, are_scores
from irgauge.reading.tables.objects import is_frame
from irgauge.replicates.data import Data
from irgauge.replicates.measured import REDRAW, Bench, Measured, Measuring
from irgauge.replicates.score_table import ScoreTable
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Scores, is_measure

USUAL = ("AP", "P@10", "nDCG@10")  # measures, where none is named
TABLES = EXTENSIONS  # what the files of tables of scores end in
Loaded = Collection | Scores | Data  # what is read already


class Frame(Protocol):
    """A data frame of polars or pandas."""

    @property
    def columns(self) -> Any:  # noqa: ANN401  # of any kind
        """The names of its columns."""


# or tables of scores: files, frames, mappings, arrays
Given = Loaded | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Frame | Mapping[str, Any] | Floats


def opened(data: Given, workers: int | None = None, measures: str | Measure | Iterable[str | Measure] = ()) -> Data:
    """What a study works on: runs on a bench, or a table of scores, which is read where need be.

    Work on runs is in so many threads; measures that are named here are scored together.
    """
    if isinstance(data, str | os.PathLike) and not is_scores(data):
        raise InputError(f"this is not a table of scores; {_HOW}", path=str(data))
    if isinstance(data, str | os.PathLike | list | tuple | Mapping) or is_frame(data) or hasattr(data, "__array__"):
        return ScoreTable(Scores.of(data))
    return _loaded(data, workers, measures)


def is_scores(data: object) -> bool:
    """Whether scores are given, or what is read as a table of scores: a file by what it holds, a frame."""
    if isinstance(data, str | os.PathLike):
        return are_scores(str(data), is_measure)
    return isinstance(data, Scores) or is_frame(data)


_HOW = "load runs first: irgauge.load(qrels, runs), or give a table of scores: see irgauge.scores"


def _loaded(data: object, workers: int | None = None, measures: str | Measure | Iterable[str | Measure] = ()) -> Data:
    """Runs or scores that are read already; all else is refused."""
    if isinstance(data, Collection):
        return Bench(data, parse_measures(measures), workers=workers)
    if isinstance(data, Scores):
        return ScoreTable(data)
    if isinstance(data, Bench | ScoreTable | Measured):
        return data
    raise DesignError(f"data is a {type(data).__name__}; {_HOW}")


def bench(data: Loaded, workers: int | None = None) -> Bench:
    """The runs of a study that needs them; what must be read first is refused."""
    return _loaded(data, workers).runs()


def whole_and_shards(data: Data, measuring: Measuring) -> tuple[Measured, Measured]:
    """Scores on the whole corpus, for claims about topics, and on the shards asked for; the same where there are none.

    A table of scores has no other scores than those on its shards.
    """
    shards = data.measured(measuring)
    if not data.has_runs or shards.shards == 1:
        return shards, shards
    fill = "zero" if measuring.fill == REDRAW else measuring.fill
    return data.measured(Measuring(measuring.measures, fill=fill, keep_systems=measuring.keep_systems)), shards


def several_measures(
    data: Data, measures: str | Measure | Iterable[str | Measure] | None, usual: Sequence[str] = USUAL
) -> tuple[Measure, ...]:
    """The measures of a study that takes several: the usual ones for runs, all of a table, if none is named."""
    if measures is None:
        return parse_measures(usual) if data.measures is None else data.measures
    named = parse_measures(measures) if data.measures is None else _read(measures)
    if not named:
        raise InputError("no measure was given; name one, such as AP")
    return named


def one_measure(data: Data, measure: str | Measure | None) -> tuple[Measure, ...]:
    """The measure of a study that takes one: AP for runs, the only one of a table, if none is named."""
    if data.measures is None:
        return parse_measures([measure or "AP"])
    if measure is not None:
        return _read([measure])
    if len(data.measures) > 1:
        there = ", ".join(map(str, data.measures))
        raise DesignError(f"this question is asked of one measure at a time; name one of {there}")
    return data.measures


def _read(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Measures of a table, which may have names of its own."""
    names = [measures] if isinstance(measures, str | Measure) else measures
    return tuple(dict.fromkeys(measure if isinstance(measure, Measure) else Measure.read(measure) for measure in names))
