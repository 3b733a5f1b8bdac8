"""What a study is given: runs, a table of scores, or what was measured before; and the measures asked of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from irgauge.errors import DesignError, InputError
from irgauge.reading.collection import Collection
from irgauge.replicates.best import best_systems, kept_count
from irgauge.replicates.measured import REDRAW, Bench, Measured, Measuring, finished, of_measures
from irgauge.scoring.measures import Measure, parse_measures
from irgauge.scoring.scores import Scores

USUAL = ("AP", "P@10", "nDCG@10")  # measures, where none is named
TABLES = (".parquet", ".csv", ".tsv")  # what the files of tables of scores end in
Data = Collection | Bench | Scores | Measured  # what a study that needs no runs takes
Given = Data | str | os.PathLike[str]  # or the path of a table of scores


def opened(data: Given) -> Data:
    """What a study works on: a path is read as a table of scores."""
    if isinstance(data, str | os.PathLike) and Path(data).suffix.lower() in TABLES:
        return Scores.load(data)
    return _checked(data)


def _checked(data: object) -> Data:
    """Refuse what is neither runs nor scores."""
    if isinstance(data, Data):
        return data
    raise DesignError(
        f"data is a {type(data).__name__}; load it first: irgauge.load(qrels, runs), or irgauge.Scores.load(path) for "
        f"a table of scores ({', '.join(TABLES)})"
    )


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


def _again(data: Measured, measuring: Measuring) -> Measured:
    """What was measured settles everything but the measure."""
    asked = replace(measuring, measures=())
    if asked not in (Measuring(()), replace(data.measuring, measures=())):
        raise DesignError("these scores are measured already: give shards, fill, systems and seed to `measure`")
    return data.only(*known_measures(measuring.measures, data.scores))


def _of_table(scores: Scores, measuring: Measuring) -> Measured:
    if measuring.shards is not None or measuring.fill == REDRAW:
        raise DesignError("a table of scores cannot be split; shards and the fill 'redraw' need runs and judgments")
    chosen = of_measures(scores, known_measures(measuring.measures, scores))
    count = kept_count(measuring.keep_systems, len(scores.systems))
    kept = list(range(count)) if count == len(scores.systems) else best_systems(chosen, count)
    return replace(finished(chosen, measuring, kept), source={"source": "a table of scores"})


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
