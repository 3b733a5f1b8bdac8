"""Lists: the ranked lists and the judgments of some topics, as far as they are read, with documents of their own.

Blocks are topics that are scored together in images, and the documents that this needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.jit import kernel
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import entries_of

_SPREAD = np.uint64(11400714819323198485)  # 2⁶⁴ over the golden ratio: spreads numbers over slots
_ENTRIES = 1 << 15  # of lists in a block
_LISTS = 1 << 10  # in a block


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
    if kept == list(range(len(lists.lengths))):
        return lists
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


def side_by_side(topics: Sequence[Lists]) -> Lists:
    """The lists of several topics, given those of each: a document has a number of its own on each topic."""
    documents = np.cumsum([0, *(len(lists.documents) for lists in topics)], dtype=np.int32)  # topic: its first number
    entries = np.cumsum([0, *(len(lists.docs) for lists in topics)])
    judged = np.cumsum([0, *(len(lists.judged_docs) for lists in topics)])
    first_numbers = documents[:-1]
    return Lists(
        documents=np.concatenate([lists.documents for lists in topics]),
        docs=np.concatenate([lists.docs for lists in topics]) + np.repeat(first_numbers, np.diff(entries)),
        levels=np.concatenate([lists.levels for lists in topics]),
        level_counts=np.sum([lists.level_counts for lists in topics], axis=0),
        firsts=np.stack([lists.firsts + first for lists, first in zip(topics, entries[:-1], strict=True)], 1).ravel(),
        lengths=np.stack([lists.lengths for lists in topics], axis=1).ravel(),
        judged_docs=np.concatenate([lists.judged_docs for lists in topics]) + np.repeat(first_numbers, np.diff(judged)),
        judged_levels=np.concatenate([lists.judged_levels for lists in topics]),
        judged_bounds=judged,
    )


def _level_counts(levels: NDArray[np.int16], graded: int) -> Ints:
    """The number of entries of each level; of level -1, the unjudged, in the last place."""
    counts = np.bincount(np.add(levels, 1, dtype=np.int64), minlength=graded + 1)
    return np.append(counts[1:], counts[0])


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


class Blocks:
    """The lists of a collection down to the last hit of each, as `keep` says, in blocks of topics, or topic by topic.

    What comes below the last hit counts only for measures that need the length of a list: `keep` is None for them.
    The first `least` entries are read whatever they are.
    """

    def __init__(self, collection: Collection, keep: Bools | None, *, alone: bool, least: int = 0) -> None:
        self._collection = collection
        whole = collection.lengths
        read = whole if keep is None else _down_to_hits(collection.levels, collection.firsts, whole, keep)
        read = np.maximum(read, np.minimum(whole, least))
        self.lengths = read  # topic, system: entries that are read
        self.topics = _topics_together(read, 1 if alone else max(1, _LISTS // max(read.shape[1], 1)))
        self._lists: dict[int, Lists] = {}

    @cached_property
    def longest_first(self) -> list[int]:
        """The blocks by their entries: threads that begin with the longest end together."""
        entries = [int(self.lengths[topics].sum()) for topics in self.topics]
        return sorted(range(len(entries)), key=lambda block: -entries[block])

    @cached_property
    def documents(self) -> NDArray[np.int32]:
        """The documents whose weights scores depend on, in their order."""
        whole = self._collection
        return _documents(whole.docs, whole.firsts, self.lengths, whole.judged_docs, whole.document_count)

    def lists(self, block: int) -> Lists:
        """The lists of a block, made once; the number of each document is its place among those that are needed."""
        if block not in self._lists:
            lists = lists_of(self._collection, self.topics[block], self.lengths)
            self._lists[block] = lists._replace(documents=self._places[lists.documents])
        return self._lists[block]

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """Document of the collection: its place among those that are needed; those that are not have none."""
        places = np.empty(self._collection.document_count, np.int32)
        places[self.documents] = np.arange(len(self.documents), dtype=np.int32)
        return places


def _topics_together(lengths: Ints, most: int) -> list[slice]:
    """Neighbouring topics: as many as have few entries together, and not more than `most`."""
    bounds, entries = [0], 0
    for topic, count in enumerate(lengths.sum(axis=1).tolist()):
        if topic > bounds[-1] and (entries + count > _ENTRIES or topic - bounds[-1] >= most):
            bounds.append(topic)
            entries = 0
        entries += count
    return [slice(first, last) for first, last in zip(bounds, [*bounds[1:], len(lengths)], strict=True)]


def _down_to_hits(levels: NDArray[np.int16], firsts: Ints, lengths: Ints, keep: Bools) -> Ints:
    """The number of entries of each list down to its last hit: topic, system."""
    read = lengths.copy()
    _shorten(levels, firsts, keep, read)
    return read


@kernel
def _shorten(levels: NDArray[np.int16], firsts: Ints, keep: Bools, read: Ints) -> None:
    for topic in range(len(read)):
        for system in range(read.shape[1]):
            first = firsts[topic, system]
            while read[topic, system] > 0 and not keep[levels[first + read[topic, system] - 1]]:
                read[topic, system] -= 1


def _documents(
    docs: NDArray[np.int32], firsts: Ints, lengths: Ints, judged_docs: NDArray[np.int32], documents: int
) -> NDArray[np.int32]:
    """The distinct documents of lists and judgments, in their order."""
    is_held = np.zeros(documents, np.bool_)
    is_held[judged_docs] = True
    _mark(docs, firsts, lengths, is_held)
    return np.flatnonzero(is_held).astype(np.int32)


@kernel
def _mark(docs: NDArray[np.int32], firsts: Ints, lengths: Ints, is_held: Bools) -> None:
    for topic in range(len(lengths)):
        for system in range(lengths.shape[1]):
            for entry in range(firsts[topic, system], firsts[topic, system] + lengths[topic, system]):
                is_held[docs[entry]] = True
