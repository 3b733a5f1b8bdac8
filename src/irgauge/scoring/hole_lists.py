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
    places = np.full(collection.document_count, -1, np.int32)
    of_hole = np.empty(_number(docs, places, lists.ids), np.int64)
    of_hole[lists.ids] = docs
    return Holes(lists, of_hole)


@kernel
def _number(docs: NDArray[np.int32], places: NDArray[np.int32], ids: NDArray[np.int32]) -> int:
    """Number documents in the order in which they come, and count them."""
    count = 0
    for entry in range(len(docs)):
        if places[docs[entry]] < 0:
            places[docs[entry]] = count
            count += 1
        ids[entry] = places[docs[entry]]
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
