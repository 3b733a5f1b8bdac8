"""Blocks: topics that are scored together in images, and the documents that this needs."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.jit import kernel
from irgauge.reading.collection import Collection
from irgauge.scoring.lists import Lists, lists_of

_ENTRIES = 1 << 15  # of lists in a block
_LISTS = 1 << 10  # in a block


class Blocks:
    """The lists of a collection down to the last hit of each, as `keep` says, in blocks of topics, or topic by topic.

    What comes below the last hit counts only for measures that need the length of a list: `keep` is None for them.
    """

    def __init__(self, collection: Collection, keep: Bools | None, *, alone: bool) -> None:
        self._collection = collection
        whole = collection.lengths
        read = whole if keep is None else _down_to_hits(collection.levels, collection.firsts, whole, keep)
        self._lengths = read  # topic, system
        self.topics = _topics_together(read, 1 if alone else max(1, _LISTS // max(read.shape[1], 1)))
        self._lists: dict[int, Lists] = {}

    @cached_property
    def documents(self) -> NDArray[np.int32]:
        """The documents whose weights scores depend on, in their order."""
        whole = self._collection
        return _documents(whole.docs, whole.firsts, self._lengths, whole.judged_docs, whole.document_count)

    def lists(self, block: int) -> Lists:
        """The lists of a block, made once; the number of each document is its place among those that are needed."""
        if block not in self._lists:
            lists = lists_of(self._collection, self.topics[block], self._lengths)
            places = np.searchsorted(self.documents, lists.documents).astype(np.int32)
            self._lists[block] = lists._replace(documents=places)
        return self._lists[block]


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
