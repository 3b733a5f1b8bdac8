"""What a study is given: runs, a table of scores, or what was measured before; and the measures asked of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from irgauge.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection
from irgauge.reading.facts import files, source
from irgauge.reading.missing import MissingTopics
from irgauge.reading.tables.looks import EXTENSIONS, are_scores
from irgauge.reading.tables.objects import is_frame
from irgauge.replicates.best import best_systems, kept_count
from irgauge.replicates.facts import replicates
from irgauge.replicates.measured import REDRAW, Bench, Measured, Measuring, finished, of_measures
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Scores, is_measure

USUAL = ("AP", "P@10", "nDCG@10")  # measures, where none is named
TABLES = EXTENSIONS  # what the files of tables of scores end in
Data = Collection | Bench | Scores | Measured  # what a study that needs no runs takes


class Frame(Protocol):
    """A data frame of polars or pandas."""

    @property
    def columns(self) -> Any:  # noqa: ANN401  # of any kind
        """The names of its columns."""


# or tables of scores: files, frames, mappings, arrays
Given = Data | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Frame | Mapping[str, Any] | Floats


def opened(data: Given) -> Data:
    """What a study works on: runs and scores as they are, and all else read as tables of scores."""
    if isinstance(data, Data):
        return data
    if isinstance(data, str | os.PathLike) and not is_scores(data):
        raise InputError(f"this is not a table of scores; {_HOW}", path=str(data))
    if isinstance(data, str | os.PathLike | list | tuple | Mapping) or is_frame(data) or hasattr(data, "__array__"):
        return Scores.of(data)
    return _checked(data)


def is_scores(given: object) -> bool:
    """Whether scores are given, or what is read as a table of scores: a file by what it holds, a frame."""
    if isinstance(given, str | os.PathLike):
        return are_scores(str(given), is_measure)
    return isinstance(given, Scores) or is_frame(given)


_HOW = "load runs first: irgauge.load(qrels, runs), or give a table of scores: see irgauge.scores"


def _checked(data: object) -> Data:
    """Refuse what is neither runs nor scores."""
    if isinstance(data, Data):
        return data
    raise DesignError(f"data is a {type(data).__name__}; {_HOW}")


def bench(data: Data, workers: int | None = None) -> Bench:
    """The runs of a study that needs them."""
    _checked(data)
    if isinstance(data, Bench):
        return data
    if isinstance(data, Collection):
        return Bench(data, workers=workers)
    raise DesignError("this question needs runs and judgments, and a table of scores was given")


def measured(data: Data, measuring: Measuring, workers: int | None = None) -> Measured:
    """Scores ready for a model, of whatever was given: runs, a table of scores, or what was measured before."""
    if isinstance(data, Measured):
        return _again(data, measuring)
    if isinstance(data, Scores):
        return _of_table(data, measuring)
    return bench(data, workers).measured(measuring)


def whole_and_shards(data: Data, measuring: Measuring) -> tuple[Measured, Measured]:
    """Scores on the whole corpus, for claims about topics, and on the shards asked for; the same where there are none.

    A table of scores has no other scores than those on its shards.
    """
    shards = measured(data, measuring)
    if not isinstance(data, Bench) or shards.shards == 1:
        return shards, shards
    fill = "zero" if measuring.fill == REDRAW else measuring.fill
    return data.measured(Measuring(measuring.measures, fill=fill, keep_systems=measuring.keep_systems)), shards


def _again(data: Measured, measuring: Measuring) -> Measured:
    """What was measured settles everything but the measure."""
    asked = replace(measuring, measures=(), sparse=data.measuring.sparse)
    if asked not in (Measuring((), sparse=asked.sparse), replace(data.measuring, measures=())):
        raise DesignError("these scores are measured already: give shards, fill, systems and seed to `measure`")
    return data.only(*known_measures(measuring.measures, data.scores))


def _of_table(scores: Scores, measuring: Measuring) -> Measured:
    if measuring.shards is not None or measuring.fill == REDRAW:
        raise DesignError("a table of scores cannot be split; shards and the fill 'redraw' need runs and judgments")
    settled, missing = settled_scores(scores)
    chosen = of_measures(settled, known_measures(measuring.measures, scores))
    count = kept_count(measuring.keep_systems, len(scores.systems))
    kept = list(range(count)) if count == len(scores.systems) else best_systems(chosen, count)
    missing = missing.only([scores.systems[s] for s in kept])
    return replace(finished(chosen, measuring, kept), missing=missing, source=source_of(scores))


def settled_scores(scores: Scores) -> tuple[Scores, MissingTopics]:
    """The scores of a table, and the topics that systems lack: they score 0 there, unless it was settled before."""
    settled = scores.under("zero")
    return settled, settled.missing or MissingTopics()


def source_of(scores: Scores) -> Provenance:
    """What is to be said of a table wherever its scores are used."""
    count = len(scores.replicates)
    return Provenance.of(
        source("a table of scores"), files(scores.files or None), replicates(count if count > 1 else None)
    )


def known_measures(asked: Sequence[Measure], scores: Scores) -> tuple[Measure, ...]:
    """The measures asked for, which must be in the table; all of them if none is."""
    for measure in asked:
        if measure not in scores.measures:
            there = ", ".join(map(str, scores.measures))
            raise DesignError(f"the table has no scores of {measure}; it has {there}")
    return tuple(asked) or scores.measures


def several_measures(data: Data, measures: str | Measure | Iterable[str | Measure] | None) -> tuple[Measure, ...]:
    """The measures of a study that takes several: the usual ones for runs, all of a table, if none is named."""
    scores = _table(data)
    if measures is None:
        return parse_measures(USUAL) if scores is None else scores.measures
    named = parse_measures(measures) if scores is None else _read(measures)
    if not named:
        raise InputError("no measure was given; name one, such as AP")
    return named


def one_measure(data: Data, measure: str | Measure | None) -> tuple[Measure, ...]:
    """The measure of a study that takes one: AP for runs, the only one of a table, if none is named."""
    scores = _table(data)
    if scores is None:
        return parse_measures([measure or "AP"])
    if measure is not None:
        return _read([measure])
    if len(scores.measures) > 1:
        there = ", ".join(map(str, scores.measures))
        raise DesignError(f"this question is asked of one measure at a time; name one of {there}")
    return scores.measures


def _table(data: Data) -> Scores | None:
    """The scores that were given instead of runs."""
    return data if isinstance(data, Scores) else data.scores if isinstance(data, Measured) else None


def _read(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Measures of a table, which may have names of its own."""
    given = [measures] if isinstance(measures, str | Measure) else measures
    return tuple(dict.fromkeys(one if isinstance(one, Measure) else Measure.read(one) for one in given))
