"""Diversity judgments: what the rows of a document under several subtopics say, brought together in one row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bools, Ints
from irgauge.reading.docnos import Names
from irgauge.reading.hashing import hashes
from irgauge.reading.trec import Qrels, no_iterations

_MOST = 100  # subtopics of a topic; where no document has several, more of them number something else


def by_document(qrels: Qrels) -> tuple[Qrels, Ints]:
    """Judgments with one row a document, which has its highest grade, and its grades[row, subtopic], 0 where none.

    Subtopics are what the second column says, where it varies within a topic; their numbers are within the topic.
    Where it does not, there are none of them and the judgments stay as they are. Otherwise the documents of a topic
    come in descending byte order of their docnos: so ndeval breaks ties in its ideal lists.
    """
    plain = qrels, np.zeros((len(qrels.grades), 0), np.int64)
    if len(qrels.iterations) == 0:
        return plain
    topics = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.bounds))  # row
    subtopics = _numbered_within(topics, qrels.iterations)  # row
    count = int(subtopics.max()) + 1
    if count == 1:
        return plain
    docs = _numbered_descending(qrels)  # row
    order = np.lexsort((subtopics, docs, topics))
    is_first = _differs(topics[order]) | _differs(docs[order])
    _refuse_twice(qrels, order, is_first | _differs(subtopics[order]))
    if count > _MOST and is_first.all():
        return plain
    grades = np.zeros((int(is_first.sum()), count), np.int64)
    grades[np.cumsum(is_first) - 1, subtopics[order]] = qrels.grades[order]
    rows, highest = order[is_first], np.maximum.reduceat(qrels.grades[order], np.flatnonzero(is_first))
    return replace(
        qrels,
        bounds=np.searchsorted(topics[rows], np.arange(len(qrels.topics) + 1)),
        starts=qrels.starts[rows],
        stops=qrels.stops[rows],
        grades=highest,
        strata=qrels.strata[rows],
        iterations=no_iterations(),
        line_of=_line_of(qrels, rows),
    ), grades


def _line_of(qrels: Qrels, rows: NDArray[np.intp]) -> Callable[[int], int | None] | None:
    """The line of a row that was row `rows[row]` of the qrels, where that is not found in their text."""
    line_of = qrels.line_of
    return None if line_of is None else lambda row: line_of(int(rows[row]))


def _numbered_within(topics: NDArray[np.intp], iterations: Ints) -> Ints:
    """The place of each row's iteration among those of its topic, in their order."""
    most = int(iterations.max()) + 1
    distinct, place = np.unique(topics * most + iterations, return_inverse=True)
    firsts = np.searchsorted(distinct, np.arange(topics[-1] + 1) * most)
    return np.asarray(place - firsts[topics], np.int64)


def _numbered_descending(qrels: Qrels) -> NDArray[np.intp]:
    """The place of each row's docno among all, in descending byte order."""
    names, fields = Names(), (qrels.text, qrels.starts, qrels.stops)
    docs = names.intern(*fields, hashes(*fields))
    places = np.empty(len(names), np.intp)
    places[names.to_series().arg_sort(descending=True).to_numpy()] = np.arange(len(names))
    return places[docs]


def _differs(column: NDArray[np.intp] | Ints) -> Bools:
    """Whether each row differs from the one before."""
    return np.append(True, column[1:] != column[:-1])


def _refuse_twice(qrels: Qrels, order: NDArray[np.intp], is_new: Bools) -> None:
    """Refuse a document twice under one subtopic."""
    if not is_new.all():
        row = int(order[~is_new].min())
        where = f"topic '{qrels.topic(row)}', with the same second column"
        raise qrels.error(row, f"document '{qrels.docno(row)}' appears twice in {where}; remove one of the two")
