"""What each group of runs alone brought into the pool of judged documents, and a collection without it.

Judgments do not say to which depth a run was judged. It is taken to be the number of its first documents that are
judged on every topic: a run in a pool of depth 100 has at least 100 of them, and one that was not in it few.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.jit import kernel
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED

NOBODY, SEVERAL = -1, -2  # in place of the group that alone brought a document


@dataclass(frozen=True, eq=False)
class Contributions:
    """The runs of a collection, and what the groups that they belong to brought into the pool."""

    collection: Collection
    groups: Ints  # system: the number of its group

    @cached_property
    def depths(self) -> Ints:
        """So many first documents of each system are judged on every topic; shorter lists are judged to their end."""
        whole = self.collection
        depths = whole.lengths.max(axis=0)
        _judged_depths(whole.levels, whole.firsts, whole.lengths, depths)
        return depths

    @cached_property
    def _owners(self) -> tuple[Ints, Ints]:
        """The group that alone brought a document: of each judgment, and of each entry of the lists."""
        whole = self.collection
        lists, judged = (whole.docs, whole.firsts, whole.lengths), (whole.judged_bounds, whole.judged_docs)
        owners = np.full(len(whole.judged_docs), NOBODY), np.full(len(whole.docs), NOBODY)
        _find_owners(lists, judged, (self.groups, self.depths), np.full(whole.document_count, -1), owners)
        return owners

    def alone(self, group: int) -> Bools:
        """Which judgments are of documents that this group alone brought."""
        return np.asarray(self._owners[0] == group)

    def without(self, group: int) -> Collection:
        """The same runs where what the group alone brought is not judged; the grades of the judgments stay.

        A topic that is left without a relevant document scores 0.
        """
        whole, kept = self.collection, ~self.alone(group)
        levels, bounds = whole.judged_levels[kept], np.append(0, np.cumsum(kept))[whole.judged_bounds]
        relevant = np.append(0, np.cumsum(whole.grades[levels] > 0))[bounds]
        return replace(
            whole,
            levels=np.where(self._owners[1] == group, np.int16(UNJUDGED), whole.levels),
            judged_bounds=bounds,
            judged_docs=whole.judged_docs[kept],
            judged_levels=levels,
            topic_rule="judged",
            no_relevant=tuple(t for t, count in zip(whole.topics, np.diff(relevant), strict=True) if count == 0),
        )


_Lists = tuple[NDArray[np.int32], Ints, Ints]  # documents; where each list starts, and its length: topic, system
_Judged = tuple[Ints, NDArray[np.int32]]  # where topics start; documents


@kernel
def _judged_depths(levels: NDArray[np.int16], firsts: Ints, lengths: Ints, depths: Ints) -> None:
    """Cut each system's depth to what comes before its first unjudged document on any topic."""
    for topic in range(len(firsts)):
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for rank in range(min(depths[system], lengths[topic, system])):
                if levels[first + rank] == UNJUDGED:
                    depths[system] = rank
                    break


@kernel
def _find_owners(
    lists: _Lists, judged: _Judged, brought: tuple[Ints, Ints], places: Ints, owners: tuple[Ints, Ints]
) -> None:
    """Write the group that alone brought the document of each judgment and entry; `places` has -1 for every document.

    Documents to a run's depth are judged.
    """
    docs, firsts, lengths = lists
    bounds, judged_docs = judged
    groups, depths = brought
    of_judged, of_entries = owners
    for topic in range(len(firsts)):
        for j in range(bounds[topic], bounds[topic + 1]):
            places[judged_docs[j]] = j
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + min(depths[system], lengths[topic, system])):
                j = places[docs[entry]]
                is_first = of_judged[j] == NOBODY or of_judged[j] == groups[system]
                of_judged[j] = groups[system] if is_first else SEVERAL
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + lengths[topic, system]):
                j = places[docs[entry]]
                if j >= 0:
                    of_entries[entry] = of_judged[j]
        for j in range(bounds[topic], bounds[topic + 1]):
            places[judged_docs[j]] = -1
