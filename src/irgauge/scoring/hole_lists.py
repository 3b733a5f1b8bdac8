"""The documents in the lists of a topic that nobody judged, numbered from 0; and those that are judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.jit import kernel
from irgauge.reading.collection import Collection
from irgauge.scoring.hits import hits_of_whole
from irgauge.scoring.hole_kernels import Lists, Room, count_either
from irgauge.scoring.measures import NO_CUTOFF

_SPREAD = 40503  # odd, near 2¹⁶ over the golden ratio: neighbours are taken apart


@dataclass(frozen=True, eq=False)
class Holes:
    """The holes of a topic in the lists of all systems, and of one that is empty, the last."""

    lists: Lists  # to the end of each list
    docs: Ints  # hole: its document

    @property
    def count(self) -> int:
        """Distinct documents."""
        return len(self.docs)

    def down_to(self, cutoff: int) -> Lists:
        """Those above a cut-off."""
        return cut(self.lists, cutoff)

    def in_either(self, pairs: Ints, cutoff: int) -> Ints:
        """How many there are above a cut-off in either list of each pair."""
        lists, counts = self.down_to(cutoff), np.empty(len(pairs), np.int64)
        count_either(pairs, lists, self.room(lists), counts)
        return counts

    def room(self, lists: Lists) -> Room:
        """What kernels need to work on pairs of lists."""
        longest = 2 * int((lists.stops - lists.starts).max())
        states, seen = np.zeros(self.count, np.int8), np.zeros(7, np.int64)
        first, other = np.zeros(self.count), np.zeros(self.count)
        return Room(first, other, states, np.empty(longest), np.empty(longest), seen)


def holes_of(collection: Collection, topic: int) -> Holes:
    """The holes of a topic, numbered from 0."""
    levels = len(collection.grades)
    lists = hit_lists(collection, topic, np.append(np.zeros(levels, np.bool_), True))  # values
    starts = np.append(collection.firsts[topic], 0)
    sizes = lists.stops - lists.starts
    docs = collection.docs[np.repeat(starts, sizes) + lists.ranks - 1]
    slots = np.full(1 << (2 * len(docs)).bit_length(), -1, np.int32)  # few beside the documents of all topics
    of_hole = np.empty(_number(docs, slots, lists.ids), np.int64)
    of_hole[lists.ids] = docs
    return Holes(lists, of_hole)


@kernel
def _number(docs: NDArray[np.int32], slots: NDArray[np.int32], ids: NDArray[np.int32]) -> int:
    """Number documents in the order in which they come, and count them.

    A document is noted in the first free one of the slots, a power of 2 and at least half of them free, from the one
    that its number leads to.
    """
    count, last = 0, len(slots) - 1
    for entry in range(len(docs)):
        slot = (int(docs[entry]) * _SPREAD) & last
        while slots[slot] >= 0 and docs[slots[slot]] != docs[entry]:
            slot = (slot + 1) & last
        if slots[slot] < 0:
            slots[slot] = entry
            ids[entry] = count
            count += 1
        else:
            ids[entry] = ids[slots[slot]]
    return count


def hit_lists(collection: Collection, topic: int, keep: Bools) -> Lists:
    """The documents of some levels in the lists of a topic, and none in one more; their ids are the levels."""
    hits = hits_of_whole(collection.levels, collection.firsts[topic], collection.lengths[topic], keep)
    starts, stops = np.append(hits.bounds[:-1], hits.bounds[-1]), np.append(hits.bounds[1:], hits.bounds[-1])
    return Lists(starts, stops, hits.levels.astype(np.int32), hits.ranks)


def cut(lists: Lists, cutoff: int) -> Lists:
    """Lists down to a rank."""
    if cutoff == NO_CUTOFF:
        return lists
    kept = np.concatenate([[0], np.cumsum(lists.ranks <= cutoff)])
    return lists._replace(stops=lists.starts + kept[lists.stops] - kept[lists.starts])
