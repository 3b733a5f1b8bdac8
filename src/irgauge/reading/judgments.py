"""Judgments: the topics that have a relevant document, the levels of their grades, and the level of each entry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.jit import kernel
from irgauge.errors import InputError
from irgauge.reading.byte_strings import Hashes, hashes
from irgauge.reading.name_order import in_name_order
from irgauge.reading.numbering import Docnos, Names, Numbered
from irgauge.reading.options import TopicRule
from irgauge.reading.ordering import first_duplicate
from irgauge.reading.trec import Qrels, Run, no_iterations


def entries_of(firsts: Ints, lengths: Ints) -> Ints:
    """The places of the entries of lists, one list after the other.

    >>> entries_of(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    entries = np.empty(lengths.sum(), np.int64)
    _fill(firsts, lengths, entries)
    return entries


@kernel
def _fill(firsts: Ints, lengths: Ints, entries: Ints) -> None:
    used = 0
    for i in range(len(firsts)):
        for entry in range(firsts[i], firsts[i] + lengths[i]):
            entries[used] = entry
            used += 1


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
    is_first = differs(topics[order]) | differs(docs[order])
    _refuse_twice(qrels, order, is_first | differs(subtopics[order]))
    if count > _MOST and is_first.all():
        return plain
    grades = np.zeros((int(is_first.sum()), count), np.int64)
    grades[np.cumsum(is_first) - 1, subtopics[order]] = qrels.grades[order]
    rows, highest = order[is_first], np.maximum.reduceat(qrels.grades[order], np.flatnonzero(is_first))
    return only_rows(qrels, rows, highest), grades


def only_rows(qrels: Qrels, rows: NDArray[np.intp], grades: Ints) -> Qrels:
    """Some rows of judgments, topic after topic, with these grades and without what their second column says."""
    topics = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.bounds))
    return replace(
        qrels,
        bounds=np.searchsorted(topics[rows], np.arange(len(qrels.topics) + 1)),
        starts=qrels.starts[rows],
        stops=qrels.stops[rows],
        grades=grades,
        strata=qrels.strata[rows],
        iterations=no_iterations(),
        line_of=_line_of(qrels, rows),
    )


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


def differs(column: NDArray[np.intp] | Ints) -> Bools:
    """Whether each row differs from the one before."""
    return np.append(True, column[1:] != column[:-1])


def _refuse_twice(qrels: Qrels, order: NDArray[np.intp], is_new: Bools) -> None:
    """Refuse a document twice under one subtopic."""
    if not is_new.all():
        row = int(order[~is_new].min())
        where = f"topic '{qrels.topic(row)}', with the same second column"
        raise qrels.error(row, f"document '{qrels.docno(row)}' appears twice in {where}; remove one of the two")


UNJUDGED = -1  # the level of a document that is not in the topic's qrels
_MOST_LEVELS = 2**15 - 1  # what 16 bits count


@dataclass(frozen=True)
class Judgments:
    """The judgments of the topics that count."""

    topics: dict[str, int]  # name -> number
    docnos: Docnos  # judgment, topic after topic, then those of topics left out
    grades: Ints  # level
    strata: Ints  # level
    subtopics: Ints  # level, subtopic: the grade under it, 0 where none; no subtopics unless the judgments have them
    merged: bool  # whether documents have several judgments, under subtopics
    levels: NDArray[np.int16]  # judgment
    no_relevant: tuple[str, ...]  # topics without a relevant document, which count only by the rule `judged`


def judgments(qrels: Qrels, rule: TopicRule = "relevant") -> Judgments:
    """The judgments of the topics that count by the rule; those without a relevant document are named."""
    total = len(qrels.grades)
    qrels, by_subtopic = by_document(qrels)
    values = checked_hashes(qrels)
    relevant = np.add.reduceat((qrels.grades > 0).astype(np.int64), qrels.bounds[:-1])
    order = np.array(in_name_order(qrels.topics), np.int64)  # of topics
    kept = order[(relevant[order] > 0) | (rule == "judged")]
    if not relevant.any():
        raise InputError("no topic has a relevant document (a grade above 0); check the grades", path=qrels.path)
    rows = _rows(qrels, kept)
    every = np.concatenate([rows, _rows(qrels, np.setdiff1d(order, kept))])
    grades, strata, subtopics, levels = _levels(qrels.grades[rows], qrels.strata[rows], by_subtopic[rows])
    return Judgments(
        topics={qrels.topics[t]: i for i, t in enumerate(kept)},
        docnos=Docnos(qrels.text, qrels.starts[every], qrels.stops[every], values[every], bounds_of(qrels, kept)),
        grades=grades,
        strata=strata,
        subtopics=subtopics,
        merged=len(qrels.grades) < total,
        levels=levels,
        no_relevant=tuple(qrels.topics[t] for t in order if relevant[t] == 0),
    )


def _rows(qrels: Qrels, topics: Ints) -> Ints:
    """The rows of topics, one after the other."""
    return entries_of(qrels.bounds[topics], np.diff(qrels.bounds)[topics])


def bounds_of(rows: Run | Qrels, kept: NDArray[np.intp], depth: int | None = None) -> Ints:
    """Where the rows of the topics kept start, once the others are left out, and all below a depth."""
    sizes = np.diff(rows.bounds)[kept]
    return np.concatenate([[0], np.cumsum(sizes if depth is None else np.minimum(sizes, depth))])


def _levels(grades: Ints, strata: Ints, subtopics: Ints) -> tuple[Ints, Ints, Ints, NDArray[np.int16]]:
    """The distinct triples of grade, stratum and subtopics' grades, in ascending order, and each judgment's number."""
    if subtopics.shape[1] == 0:
        return _plain_levels(grades, strata)
    rows = np.column_stack([grades, strata, subtopics])
    distinct, judged_levels = np.unique(rows, axis=0, return_inverse=True)
    _refuse_too_many(len(distinct), "grades of documents under subtopics")
    return distinct[:, 0], distinct[:, 1], distinct[:, 2:], judged_levels.reshape(-1).astype(np.int16)


def _plain_levels(grades: Ints, strata: Ints) -> tuple[Ints, Ints, Ints, NDArray[np.int16]]:
    distinct_strata = np.unique(strata)
    pairs = grades * len(distinct_strata) + np.searchsorted(distinct_strata, strata)
    keys = np.unique(pairs)
    judged_levels = np.searchsorted(keys, pairs)  # faster than the inverse that np.unique gives
    _refuse_too_many(len(keys), "grades and strata")
    level_grades, level_strata = np.divmod(keys, len(distinct_strata))
    none = np.zeros((len(keys), 0), np.int64)
    return level_grades, distinct_strata[level_strata], none, judged_levels.astype(np.int16)


def _refuse_too_many(levels: int, what: str) -> None:
    if levels > _MOST_LEVELS:
        raise InputError(f"the qrels have {levels} distinct {what}; at most {_MOST_LEVELS} are possible")


def checked_hashes(rows: Run | Qrels) -> Hashes:
    """The hash of each row's docno; refuses a document twice in a topic."""
    values = hashes(rows.text, rows.starts, rows.stops)
    row = first_duplicate(rows.text, rows.starts, rows.stops, values, rows.bounds)
    if row >= 0:
        message = f"document '{rows.docno(row)}' appears twice in topic '{rows.topic(row)}'; remove one of the two"
        raise rows.error(row, message)
    return values


def judge(numbered: Numbered, judged: Judgments) -> NDArray[np.int16]:
    """The level of each entry, where judgments are the documents."""
    levels = np.empty(len(numbered.docs), np.int16)
    _judge(numbered.docs, np.append(judged.levels, np.int16(UNJUDGED)), levels)
    return levels


def judge_all(numbered: Numbered, firsts: Ints, lengths: Ints, judged: Judgments) -> NDArray[np.int16]:
    """The level of each entry in its topic."""
    judgments = judged.docnos.bounds, numbered.judged_docs, judged.levels
    return levels_in_lists(numbered.docs, firsts, lengths, judgments, numbered.count)


def levels_in_lists(
    docs: NDArray[np.int32],
    firsts: Ints,
    lengths: Ints,
    judgments: tuple[Ints, NDArray[np.int32], NDArray[np.int16]],
    count: int,
) -> NDArray[np.int16]:
    """The level of each entry of lists by judgments, of so many documents: where topics start, documents, levels."""
    levels, level_of = np.empty(len(docs), np.int16), np.full(count, UNJUDGED, np.int16)
    _judge_lists(docs, firsts, lengths, judgments, level_of, levels)
    return levels


@kernel
def _judge(docs: NDArray[np.int32], level_of: NDArray[np.int16], levels: NDArray[np.int16]) -> None:
    for entry in range(len(docs)):
        levels[entry] = level_of[docs[entry]]  # UNKNOWN finds the last place


@kernel
def _judge_lists(
    docs: NDArray[np.int32],
    firsts: Ints,
    lengths: Ints,
    judgments: tuple[Ints, NDArray[np.int32], NDArray[np.int16]],
    level_of: NDArray[np.int16],
    levels: NDArray[np.int16],
) -> None:
    """Write the level of each entry; `level_of` has every document unjudged, before and after."""
    judged_bounds, judged_docs, judged_levels = judgments
    for topic in range(len(firsts)):
        start, stop = judged_bounds[topic], judged_bounds[topic + 1]
        for j in range(start, stop):
            level_of[judged_docs[j]] = judged_levels[j]
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + lengths[topic, system]):
                levels[entry] = level_of[docs[entry]]
        for j in range(start, stop):
            level_of[judged_docs[j]] = UNJUDGED
