"""Runs and judgments cut to a few topics, so that their documents can be looked at one by one."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.reading.collection import Collection, gathered
from irgauge.reading.options import Joining
from irgauge.reading.trec import Qrels, Rows, Run

AnyRows = TypeVar("AnyRows", bound=Rows)
_COLUMNS = ("starts", "stops", "scores", "grades", "strata", "iterations")  # of runs or of judgments, a value a row


def joined_on(topics: Sequence[str], qrels: Qrels, runs: Sequence[Run], joining: Joining) -> Collection | None:
    """Judgments and runs on some topics; without the runs that answer none of them, None where no run does."""
    wanted = frozenset(topics)
    readers = [partial(of_topics, run, wanted) for run in runs if not wanted.isdisjoint(run.topics)]
    return gathered(of_topics(qrels, wanted), readers, joining) if readers else None


def of_topics(rows: AnyRows, topics: Set[str]) -> AnyRows:
    """The rows of some topics alone, in their order.

    >>> from irgauge.reading.objects import run_of
    >>> cut = of_topics(run_of({"1": {"a": 2.0}, "2": {"b": 1.0}}, "mine"), {"2"})
    >>> cut.topics, cut.docno(0), cut.scores.tolist()
    (('2',), 'b', [1.0])
    """
    places = [place for place, topic in enumerate(rows.topics) if topic in topics]
    kept = _rows_of(rows, places)
    sizes = np.diff(rows.bounds)[places]
    line_of = None if rows.line_of is None else lambda row: rows.line_of(int(kept[row]))  # type: ignore[misc]  # is not None
    columns: dict[str, Any] = {name: own[kept] for name in _COLUMNS if len(own := getattr(rows, name, ()))}
    return replace(
        rows,
        topics=tuple(rows.topics[place] for place in places),
        bounds=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        line_of=line_of,
        **columns,
    )


def _rows_of(rows: Rows, places: list[int]) -> Ints:
    parts = [np.arange(rows.bounds[place], rows.bounds[place + 1]) for place in places]
    return np.concatenate([np.zeros(0, np.int64), *parts])
