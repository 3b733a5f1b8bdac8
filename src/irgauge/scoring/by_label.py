"""Hit lists and counts of judgments where labels say which replicate has a document: shards, and the whole corpus.

What kernels fill is made before: numba takes longer to compile what makes an array than most of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.jit import kernel
from irgauge.scoring.kernels import HitLists


def hits_of_whole(levels: NDArray[np.int16], firsts: Ints, lengths: Ints, keep: Bools) -> HitLists:
    """Hit lists of the whole corpus, where places are ranks."""
    room = int(lengths.sum()) + 1
    ranks, hit_levels, bounds = np.empty(room, np.int32), np.empty(room, np.int16), np.zeros(len(firsts) + 1, np.int64)
    _hits_of_whole(levels, firsts, lengths, keep, bounds, ranks, hit_levels)
    hits = bounds[-1]
    return HitLists(bounds, ranks[:hits], hit_levels[:hits], lengths.astype(np.int32))


@kernel
def _hits_of_whole(
    levels: NDArray[np.int16],
    firsts: Ints,
    lengths: Ints,
    keep: Bools,
    bounds: Ints,
    ranks: NDArray[np.int32],
    hit_levels: NDArray[np.int16],
) -> None:
    """Without branches, for speed."""
    hit = 0
    for system in range(len(firsts)):
        for place in range(lengths[system]):
            level = levels[firsts[system] + place]
            ranks[hit], hit_levels[hit] = place + 1, level
            hit += keep[level]  # what is not a hit is written over
        bounds[system + 1] = hit


def hits_by_label(
    docs: NDArray[np.int32],
    levels: NDArray[np.int16],
    firsts: Ints,
    lengths: Ints,
    keep: Bools,
    labels: NDArray[np.int32],
    replicates: int,
) -> HitLists:
    """Hit lists of the lists of one topic, each list split by the labels of its documents."""
    if replicates == 1:
        return hits_of_whole(levels, firsts, lengths, keep)
    room = int(lengths.sum()) + 1
    cells, ranks, hit_levels = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int16)
    seen = np.zeros((len(firsts), replicates), np.int32)
    hits = _hits_by_label((docs, levels), firsts, lengths, keep, labels, seen, (cells, ranks, hit_levels))
    return _grouped(cells[:hits], ranks[:hits], hit_levels[:hits], seen.ravel())


@kernel
def _hits_by_label(
    entries: tuple[NDArray[np.int32], NDArray[np.int16]],
    firsts: Ints,
    lengths: Ints,
    keep: Bools,
    labels: NDArray[np.int32],
    seen: NDArray[np.int32],
    hits: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]],
) -> np.uint64:
    """Count in `seen`, and write list, rank and level of each hit, whose number it says.

    Without branches and with unsigned places, which numba does not test for negative ones: two thirds faster.
    """
    (docs, levels), (cells, ranks, hit_levels), replicates = entries, hits, seen.shape[1]
    hit = np.uint64(0)
    for system in range(len(firsts)):
        own, first = seen[system], system * replicates
        for entry in range(np.uint64(firsts[system]), np.uint64(firsts[system] + lengths[system])):
            label = np.uint64(labels[np.uint64(docs[entry])])
            own[label] += 1
            cells[hit], ranks[hit], hit_levels[hit] = first + np.int64(label), own[label], levels[entry]
            hit += np.uint64(keep[levels[entry]])  # what is not a hit is written over
    return hit


def _grouped(
    cells: NDArray[np.int32], ranks: NDArray[np.int32], levels: NDArray[np.int16], seen: NDArray[np.int32]
) -> HitLists:
    """Bring the hits of each list together; within a list they stay in the order of their ranks."""
    lists = HitLists(np.zeros(len(seen) + 1, np.int64), np.empty_like(ranks), np.empty_like(levels), seen)
    _group((cells, ranks, levels), lists.bounds, lists.ranks, lists.levels)
    return lists


@kernel
def _group(
    hits: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]],
    bounds: Ints,
    ranks: NDArray[np.int32],
    levels: NDArray[np.int16],
) -> None:
    """Write hits to the places of their lists; bounds[list + 1] is where the next one goes, in the end the bound."""
    cells, given_ranks, given_levels = hits
    for hit in range(len(cells)):
        bounds[cells[hit] + 1] += 1
    before = 0
    for i in range(1, len(bounds)):
        count = bounds[i]
        bounds[i] = before
        before += count
    for hit in range(len(cells)):
        to = bounds[cells[hit] + 1]
        ranks[to], levels[to] = given_ranks[hit], given_levels[hit]
        bounds[cells[hit] + 1] += 1


def base_by_label(
    docs: NDArray[np.int32], levels: NDArray[np.int16], level_count: int, labels: NDArray[np.int32], replicates: int
) -> NDArray[np.int32]:
    """How many judged documents of each level a topic has (replicate, level), split by label."""
    counts = np.zeros((replicates, level_count), np.int32)
    _count_by_label(docs, levels, labels, counts)
    return counts


@kernel
def _count_by_label(
    docs: NDArray[np.int32], levels: NDArray[np.int16], labels: NDArray[np.int32], counts: NDArray[np.int32]
) -> None:
    for j in range(len(docs)):
        counts[labels[docs[j]], levels[j]] += 1


def base_by_topic(bounds: Ints, levels: NDArray[np.int16], level_count: int) -> NDArray[np.int32]:
    """How many judged documents of each level topics have (topic, level), given where their judgments start."""
    counts = np.zeros((len(bounds) - 1, level_count), np.int32)
    _count_by_topic(bounds, levels, counts)
    return counts


@kernel
def _count_by_topic(bounds: Ints, levels: NDArray[np.int16], counts: NDArray[np.int32]) -> None:
    for topic in range(len(counts)):
        for j in range(bounds[topic], bounds[topic + 1]):
            counts[topic, levels[j]] += 1
