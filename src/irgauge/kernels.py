"""Hit lists of ranked lists under labels or weights, and the loop that scores them.

A hit is a judged document in a ranked list: its rank and its level. Under labels (shards) every replicate
has its own ranks, counted in one pass; under weights (images) a document stands as often as it was drawn.
`keep[level]` says which documents are hits; its last place, which level -1 finds, stands for the unjudged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from irgauge.jit import kernel

RELEVANT, NONRELEVANT, UNSAMPLED = 1, 0, -1  # kinds of levels; UNSAMPLED: in the pool, but not judged


class Hits(NamedTuple):
    """The hits of one ranked list in one replicate, by rank."""

    ranks: NDArray[np.int32]  # hit
    levels: NDArray[np.int16]  # hit
    length: int  # documents in the list


class Base(NamedTuple):
    """What the qrels hold for the topic in the replicate."""

    counts: NDArray[np.int32]  # level
    relevant: int


class Scale(NamedTuple):
    """How a measure values levels and ranks."""

    kinds: NDArray[np.int8]  # level: RELEVANT, NONRELEVANT or UNSAMPLED
    gains: NDArray[np.float64]  # level
    order: NDArray[np.int64]  # level: by descending gain
    strata: NDArray[np.int64]  # level
    discounts: NDArray[np.float64]  # rank (0 is not used)
    cumulated: NDArray[np.float64]  # rank: discounts summed up to it
    cutoff: int


class HitLists(NamedTuple):
    """The hits of many lists, list after list; a list is a system in a replicate, replicates fastest."""

    bounds: NDArray[np.int64]  # list + 1
    ranks: NDArray[np.int32]  # hit
    levels: NDArray[np.int16]  # hit
    lengths: NDArray[np.int32]  # list


_HITS = types.NamedTuple([types.int32[::1], types.int16[::1], types.int64], Hits)
_BASE = types.NamedTuple([types.int32[::1], types.int64], Base)
_SCALE = types.NamedTuple(
    [
        types.int8[::1],
        types.float64[::1],
        types.int64[::1],
        types.int64[::1],
        types.float64[::1],
        types.float64[::1],
        types.int64,
    ],
    Scale,
)
_MEASURE = types.float64(_HITS, _BASE, _SCALE)

MeasureKernel = Callable[[Hits, Base, Scale], float]


@kernel
def _count_hits(
    levels: NDArray[np.int16], firsts: NDArray[np.int64], lengths: NDArray[np.int64], keep: NDArray[np.bool_]
) -> int:
    count = 0
    for system in range(len(firsts)):
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            count += keep[levels[entry]]
    return count


@kernel
def _grouped(
    cells: NDArray[np.int32], ranks: NDArray[np.int32], levels: NDArray[np.int16], seen: NDArray[np.int32]
) -> HitLists:
    """Bring the hits of each list together; within a list they stay in the order of their ranks."""
    bounds = np.zeros(len(seen) + 1, np.int64)
    for cell in cells:
        bounds[cell + 1] += 1
    bounds = np.cumsum(bounds)
    free = bounds[:-1].copy()
    grouped_ranks, grouped_levels = np.empty_like(ranks), np.empty_like(levels)
    for hit in range(len(cells)):
        to = free[cells[hit]]
        grouped_ranks[to], grouped_levels[to] = ranks[hit], levels[hit]
        free[cells[hit]] += 1
    return HitLists(bounds, grouped_ranks, grouped_levels, seen)


@kernel
def _hits_of_whole(
    levels: NDArray[np.int16], firsts: NDArray[np.int64], lengths: NDArray[np.int64], keep: NDArray[np.bool_]
) -> HitLists:
    """The same for one shard, the whole corpus, where places are ranks; without branches, for speed."""
    ranks, found = np.empty(lengths.sum() + 1, np.int32), np.empty(lengths.sum() + 1, np.int16)
    bounds, hit = np.zeros(len(firsts) + 1, np.int64), 0
    for system in range(len(firsts)):
        for place in range(lengths[system]):
            level = levels[firsts[system] + place]
            ranks[hit], found[hit] = place + 1, level
            hit += keep[level]  # what is not a hit is written over
        bounds[system + 1] = hit
    return HitLists(bounds, ranks[:hit].copy(), found[:hit].copy(), lengths.astype(np.int32))


@kernel
def hits_by_label(
    docs: NDArray[np.int32],
    levels: NDArray[np.int16],
    firsts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    keep: NDArray[np.bool_],
    labels: NDArray[np.int32],
    replicates: int,
) -> HitLists:
    """Hit lists of the lists of one topic, each list split by the labels of its documents."""
    if replicates == 1:
        return _hits_of_whole(levels, firsts, lengths, keep)
    count = _count_hits(levels, firsts, lengths, keep)
    cells, ranks, found = np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int16)
    seen = np.zeros(len(firsts) * replicates, np.int32)
    hit = 0
    for system in range(len(firsts)):
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            cell = system * replicates + labels[docs[entry]]
            seen[cell] += 1
            if keep[levels[entry]]:
                cells[hit], ranks[hit], found[hit] = cell, seen[cell], levels[entry]
                hit += 1
    return _grouped(cells, ranks, found, seen)


@kernel
def hits_by_weight(
    docs: NDArray[np.int32],
    levels: NDArray[np.int16],
    firsts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    keep: NDArray[np.bool_],
    weights: NDArray[np.uint8],
) -> HitLists:
    """Hit lists of the lists of one topic, a document standing in each image as often as it was drawn."""
    images = weights.shape[1]
    bounds = np.zeros(len(firsts) * images + 1, np.int64)
    seen = np.zeros(len(firsts) * images, np.int32)
    for system in range(len(firsts)):
        count = bounds[system * images + 1 : (system + 1) * images + 1]
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            if keep[levels[entry]]:
                drawn = weights[docs[entry]]
                for image in range(images):
                    count[image] += drawn[image]
    bounds = np.cumsum(bounds)
    ranks = np.empty(bounds[-1], np.int32)
    found = np.empty(bounds[-1], np.int16)
    free = bounds[:-1].copy()
    for system in range(len(firsts)):
        rank = seen[system * images : (system + 1) * images]
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            drawn = weights[docs[entry]]
            if keep[levels[entry]]:
                for image in range(images):
                    cell = system * images + image
                    for copy in range(drawn[image]):
                        ranks[free[cell]] = rank[image] + copy + 1
                        found[free[cell]] = levels[entry]
                        free[cell] += 1
            for image in range(images):
                rank[image] += drawn[image]
    return HitLists(bounds, ranks, found, seen)


@kernel
def base_by_label(
    docs: NDArray[np.int32], levels: NDArray[np.int16], level_count: int, labels: NDArray[np.int32], replicates: int
) -> NDArray[np.int32]:
    """How many judged documents of each level a topic has (replicate, level), split by label."""
    counts = np.zeros((replicates, level_count), np.int32)
    for j in range(len(docs)):
        counts[labels[docs[j]], levels[j]] += 1
    return counts


@kernel
def base_by_weight(
    docs: NDArray[np.int32], levels: NDArray[np.int16], level_count: int, weights: NDArray[np.uint8]
) -> NDArray[np.int32]:
    """How many judged documents of each level a topic has (image, level), counted as drawn."""
    counts = np.zeros((weights.shape[1], level_count), np.int32)
    for j in range(len(docs)):
        for image in range(weights.shape[1]):
            counts[image, levels[j]] += weights[docs[j], image]
    return counts


@kernel
def _evaluate(
    measure: MeasureKernel, lists: HitLists, counts: NDArray[np.int32], scale: Scale, values: NDArray[np.float64]
) -> None:
    """Score every list: values[system, replicate], NaN where the topic has no relevant document."""
    systems, replicates = values.shape
    for replicate in range(replicates):
        relevant = 0
        for level in range(len(scale.kinds)):
            if scale.kinds[level] == RELEVANT:
                relevant += counts[replicate, level]
        base = Base(counts[replicate], relevant)
        for system in range(systems):
            i = system * replicates + replicate
            start, stop = lists.bounds[i], lists.bounds[i + 1]
            length = np.int64(lists.lengths[i])
            hits = Hits(lists.ranks[start:stop], lists.levels[start:stop], length)  # type: ignore[arg-type]
            values[system, replicate] = measure(hits, base, scale) if relevant > 0 else np.nan


@cache
def compiled_measure(measure: Any) -> Any:  # noqa: ANN401  # numba's types
    """A measure's kernel as a pointer that the one compiled loop over lists takes."""
    return numba.cfunc(_MEASURE, cache=True, error_model="numpy")(measure.py_func)


def evaluate(
    measure: MeasureKernel, lists: HitLists, counts: NDArray[np.int32], scale: Scale, values: NDArray[np.float64]
) -> None:
    """Score every list with one measure, into values[system, replicate]."""
    _evaluate(compiled_measure(measure), lists, counts, scale, values)
