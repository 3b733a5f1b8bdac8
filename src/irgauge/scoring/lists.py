"""Lists: the ranked lists and the judgments of some topics, as far as they are read, with documents of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Ints
from irgauge.compute.jit import kernel
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.entries import entries_of

_SPREAD = np.uint64(11400714819323198485)  # 2⁶⁴ over the golden ratio: spreads numbers over slots


class Lists(NamedTuple):
    """The ranked lists and the judgments of some topics, their documents numbered from 0."""

    documents: NDArray[np.int32]  # the number of each in the collection
    docs: NDArray[np.int32]  # entry
    levels: NDArray[np.int16]  # entry
    level_counts: Ints  # level, and the unjudged: entries
    firsts: Ints  # list: systems, and for each the topics
    lengths: Ints  # list
    judged_docs: NDArray[np.int32]  # judgment
    judged_levels: NDArray[np.int16]  # judgment
    judged_bounds: Ints  # topic + 1


def lists_of(collection: Collection, topics: slice, lengths: Ints) -> Lists:
    """The lists of some topics, as many entries of each as lengths[topic, system] of the whole collection say."""
    if collection.documents == "judged":
        raise DesignError("images need all documents; load the collection with documents='all'")
    firsts, counts = collection.firsts[topics].T.ravel(), lengths[topics].T.ravel()
    bounds = collection.judged_bounds[topics.start : topics.stop + 1]
    judged = slice(bounds[0], bounds[-1])
    entries = entries_of(firsts, counts)
    documents, docs, judged_places = _renumbered(collection.docs[entries], collection.judged_docs[judged])
    levels = collection.levels[entries]
    return Lists(
        documents=documents,
        docs=docs,
        levels=levels,
        level_counts=_level_counts(levels, len(collection.grades)),
        firsts=np.cumsum(counts) - counts,
        lengths=counts,
        judged_docs=judged_places,
        judged_levels=collection.judged_levels[judged],
        judged_bounds=bounds - bounds[0],
    )


def lists_of_systems(lists: Lists, systems: Sequence[int]) -> Lists:
    """The lists of some systems on one topic, whose documents are renumbered; all judgments stay."""
    kept = list(systems)
    lengths = lists.lengths[kept]
    entries = entries_of(lists.firsts[kept], lengths)
    places, docs, judged_places = _renumbered(lists.docs[entries], lists.judged_docs)
    levels = lists.levels[entries]
    return lists._replace(
        documents=lists.documents[places],
        docs=docs,
        levels=levels,
        level_counts=_level_counts(levels, len(lists.level_counts) - 1),
        firsts=np.cumsum(lengths) - lengths,
        lengths=lengths,
        judged_docs=judged_places,
    )


def _level_counts(levels: NDArray[np.int16], graded: int) -> Ints:
    """The number of entries of each level; of level -1, the unjudged, in the last place."""
    return np.roll(np.bincount(np.add(levels, 1, dtype=np.int64), minlength=graded + 1), -1)


def _renumbered(
    docs: NDArray[np.int32], judged_docs: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """The distinct documents in their order, and the places among them of entries and of judgments.

    By hashing, as nothing here may be of the size of the collection: there may be many topics.
    """
    both = np.concatenate((docs, judged_docs))
    bits = max(4, (2 * len(both) - 1).bit_length())
    held, slots, shift = np.full(1 << bits, -1, np.int32), np.empty(len(both), np.int32), np.uint64(64 - bits)
    _hold(both, held, slots, shift)
    documents = np.sort(held[held >= 0])
    places = np.empty(1 << bits, np.int32)  # slot: the place of its document
    _place(documents, held, places, shift)
    numbers = places[slots]
    return documents, numbers[: len(docs)], numbers[len(docs) :]


@kernel
def _hold(docs: NDArray[np.int32], held: NDArray[np.int32], slots: NDArray[np.int32], shift: np.uint64) -> None:
    """Write each document into a slot of its own in `held`, and the slot of each entry."""
    for i in range(len(docs)):
        slots[i] = _slot(held, docs[i], shift)
        held[slots[i]] = docs[i]


@kernel
def _place(documents: NDArray[np.int32], held: NDArray[np.int32], places: NDArray[np.int32], shift: np.uint64) -> None:
    for place in range(len(documents)):
        places[_slot(held, documents[place], shift)] = place


@kernel(from_python=False)
def _slot(held: NDArray[np.int32], doc: int, shift: np.uint64) -> np.int64:
    """Where a document is, or the free slot where it will be."""
    slot = np.int64((np.uint64(doc) * _SPREAD) >> shift)
    while held[slot] >= 0 and held[slot] != doc:
        slot = np.int64((slot + 1) % len(held))
    return slot
