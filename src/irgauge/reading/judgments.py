"""Judgments: the topics that have a relevant document, the levels of their grades, and the level of each entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Ints
from irgauge.errors import InputError
from irgauge.jit import kernel
from irgauge.reading.docnos import Hashes, hashes
from irgauge.reading.numbering import Docnos, Numbered
from irgauge.reading.ordering import first_duplicate
from irgauge.reading.trec import Qrels, Run

UNJUDGED = -1  # the level of a document that is not in the topic's qrels
_MOST_LEVELS = 2**15 - 1  # what 16 bits count


@dataclass(frozen=True)
class Judgments:
    """The judgments of topics that have a relevant document."""

    topics: dict[str, int]  # name -> number
    docnos: Docnos  # judgment, topic after topic, then those of topics left out
    grades: Ints  # level
    strata: Ints  # level
    levels: NDArray[np.int16]  # judgment
    no_relevant: tuple[str, ...]  # topics left out


def judgments(qrels: Qrels) -> Judgments:
    """The judgments of the topics that have a relevant document; the others are named."""
    values = checked_hashes(qrels)
    relevant = np.add.reduceat((qrels.grades > 0).astype(np.int64), qrels.bounds[:-1])
    kept = np.flatnonzero(relevant)
    if len(kept) == 0:
        raise InputError("no topic has a relevant document (a grade above 0); check the grades", path=qrels.path)
    of_topics = np.array_split(np.arange(len(values)), qrels.bounds[1:-1])
    rows = np.concatenate([of_topics[t] for t in kept])
    left_out = [of_topics[t] for t in np.flatnonzero(relevant == 0)]
    every = np.concatenate([rows, *left_out])
    grades, strata, levels = _levels(qrels.grades[rows], qrels.strata[rows])
    return Judgments(
        topics={qrels.topics[t]: i for i, t in enumerate(kept)},
        docnos=Docnos(qrels.text, qrels.starts[every], qrels.stops[every], values[every], bounds_of(qrels, kept)),
        grades=grades,
        strata=strata,
        levels=levels,
        no_relevant=tuple(qrels.topics[t] for t in np.flatnonzero(relevant == 0)),
    )


def bounds_of(rows: Run | Qrels, kept: Sequence[int] | NDArray[np.intp]) -> Ints:
    """Where the rows of the topics kept start, once the others are left out."""
    return np.concatenate([[0], np.cumsum(np.diff(rows.bounds)[kept])])


def _levels(grades: Ints, strata: Ints) -> tuple[Ints, Ints, NDArray[np.int16]]:
    """The distinct pairs of grade and stratum in ascending order, and the number of each judgment's pair."""
    distinct_strata, stratum = np.unique(strata, return_inverse=True)
    keys, judged_levels = np.unique(grades * len(distinct_strata) + stratum, return_inverse=True)
    if len(keys) > _MOST_LEVELS:
        raise InputError(f"the qrels have {len(keys)} distinct grades and strata; at most {_MOST_LEVELS} are possible")
    level_grades, level_strata = np.divmod(keys, len(distinct_strata))
    return level_grades, distinct_strata[level_strata], judged_levels.astype(np.int16)


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
    return np.append(judged.levels, np.int16(UNJUDGED))[numbered.docs]  # UNKNOWN finds the last place


def judge_all(numbered: Numbered, firsts: Ints, lengths: Ints, judged: Judgments) -> NDArray[np.int16]:
    """The level of each entry in its topic."""
    judgments = judged.docnos.bounds, numbered.judged_docs, judged.levels
    return _judge_lists(numbered.docs, firsts, lengths, *judgments, numbered.count)


@kernel
def _judge_lists(
    docs: NDArray[np.int32],
    firsts: Ints,
    lengths: Ints,
    judged_bounds: Ints,
    judged_docs: NDArray[np.int32],
    judged_levels: NDArray[np.int16],
    documents: int,
) -> NDArray[np.int16]:
    levels = np.empty(len(docs), np.int16)
    level_of = np.full(documents, UNJUDGED, np.int16)
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
    return levels
