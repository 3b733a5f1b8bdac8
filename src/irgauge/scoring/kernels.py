"""Hit lists of ranked lists under labels or weights, and the loop that scores them.

A hit is a judged document in a ranked list: its rank and its level. Under labels (shards) every replicate
has its own ranks, counted in one pass; under weights (images) a document appears as often as it was drawn.
`keep[level]` says which documents are hits; its last place, which level -1 finds, stands for the unjudged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bools, Floats, Ints, Weights
from irgauge.jit import borrowed, inlined, kernel

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
    subtopics: NDArray[np.int32]  # subtopic: documents relevant to it
    ideal: float  # the gain of the ideal list by subtopics, where the measure needs it


class Bases(NamedTuple):
    """What the qrels hold for the topic in every replicate."""

    counts: NDArray[np.int32]  # replicate, level
    subtopics: NDArray[np.int32]  # replicate, subtopic
    ideals: Floats  # replicate


class Subtopics(NamedTuple):
    """How a measure values subtopics; there are none without diversity judgments."""

    relevant: Bools  # level, subtopic: whether documents of the level are relevant to it
    kept: float  # the share of its gain that a subtopic keeps after a document relevant to it
    best: float  # the most that documents relevant to one subtopic can gain, down to the cut-off


class Scale(NamedTuple):
    """How a measure values levels and ranks."""

    kinds: NDArray[np.int8]  # level: RELEVANT, NONRELEVANT or UNSAMPLED
    gains: Floats  # level
    order: Ints  # level: by descending gain
    strata: Ints  # level
    discounts: Floats  # rank (0 is not used)
    cumulated: Floats  # rank: discounts summed up to it
    cutoff: int
    constants: Floats  # other numbers of the measure, which its kernel knows
    needs_relevant: bool  # undefined where the topic has no relevant document
    subtopics: Subtopics


class HitLists(NamedTuple):
    """The hits of many lists, list after list; a list is a system in a replicate, replicates fastest."""

    bounds: Ints  # list + 1
    ranks: NDArray[np.int32]  # hit
    levels: NDArray[np.int16]  # hit
    lengths: NDArray[np.int32]  # list


MeasureKernel = Callable[[Hits, Base, Scale], float]


@kernel
def _count_hits(levels: NDArray[np.int16], firsts: Ints, lengths: Ints, keep: Bools) -> int:
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
def hits_of_whole(levels: NDArray[np.int16], firsts: Ints, lengths: Ints, keep: Bools) -> HitLists:
    """Hit lists of the whole corpus, where places are ranks; without branches, for speed."""
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
    firsts: Ints,
    lengths: Ints,
    keep: Bools,
    labels: NDArray[np.int32],
    replicates: int,
) -> HitLists:
    """Hit lists of the lists of one topic, each list split by the labels of its documents."""
    if replicates == 1:
        return hits_of_whole(levels, firsts, lengths, keep)
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
def weights_of(weights: Weights, documents: NDArray[np.int32]) -> Weights:
    """The rows of some documents side by side, so that they fit the cache."""
    rows = np.empty((len(documents), weights.shape[1]), np.uint8)
    for doc in range(len(documents)):
        given = np.uint32(documents[doc])
        for image in range(weights.shape[1]):
            rows[doc, image] = weights[given, image]
    return rows


@kernel
def hits_by_weight(
    docs: NDArray[np.int32],
    levels: NDArray[np.int16],
    firsts: Ints,
    lengths: Ints,
    keep: Bools,
    weights: Weights,
    judged: Weights,
) -> HitLists:
    """Hit lists of the lists of one topic, a document appearing in each image as often as `weights` say.

    `judged[doc, image]` says how often it counts as judged there: as often as it appears, or not at all.
    """
    images, longest = weights.shape[1], lengths.max()
    bounds, used = np.zeros(len(firsts) * images + 1, np.int64), 0
    ranks, found = np.empty(1 << 10, np.int32), np.empty(1 << 10, np.int16)
    seen = np.zeros((len(firsts), images), np.int32)
    above = np.empty((longest, images), np.int32)  # hit, image: documents above it
    copies = np.empty((longest, images), np.uint8)  # hit, image
    hit_levels = np.empty(longest, np.int16)  # hit
    for system in range(len(firsts)):
        hits, counts = 0, np.zeros(images, np.int32)
        for entry in range(firsts[system], firsts[system] + lengths[system]):
            doc = np.uint32(docs[entry])  # unsigned: numba tests signed places for negative ones
            if keep[levels[entry]]:
                hit_levels[hits] = levels[entry]
                for image in range(images):
                    above[hits, image] = seen[system, image]
                    copies[hits, image] = judged[doc, image]
                    counts[image] += judged[doc, image]
                hits += 1
            for image in range(images):
                seen[system, image] += weights[doc, image]
        needed = used + counts.sum() + 2  # two more, as `_write_copies` writes two at a time
        if needed > len(ranks):
            ranks, found = _grown(ranks, 2 * needed), _grown(found, 2 * needed)
        for image in range(images):
            _write_copies(ranks, found, np.uint64(used), np.uint64(image), above, copies, hit_levels, hits)
            used += counts[image]
            bounds[system * images + image + 1] = used
    return HitLists(bounds, ranks[:used], found[:used], seen.ravel())


@kernel
def _grown(array: Any, size: int) -> Any:  # noqa: ANN401  # of any type of number
    grown = np.empty(size, array.dtype)
    grown[: len(array)] = array
    return grown


@inlined
def _write_copies(
    ranks: NDArray[np.int32],
    found: NDArray[np.int16],
    to: np.uint64,
    image: np.uint64,
    above: NDArray[np.int32],
    copies: Weights,
    levels: NDArray[np.int16],
    hits: int,
) -> None:
    """Write the hits of one list. Two copies of each, without a branch; what is too much is written over."""
    for hit in range(hits):
        rank, count, level = above[np.uint64(hit), image], copies[np.uint64(hit), image], levels[hit]
        ranks[to], found[to] = rank + 1, level
        ranks[to + np.uint64(1)], found[to + np.uint64(1)] = rank + 2, level
        for copy in range(2, count):
            ranks[to + np.uint64(copy)], found[to + np.uint64(copy)] = rank + copy + 1, level
        to += np.uint64(count)


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
def base_by_topic(bounds: Ints, levels: NDArray[np.int16], level_count: int) -> NDArray[np.int32]:
    """How many judged documents of each level topics have (topic, level), given where their judgments start."""
    counts = np.zeros((len(bounds) - 1, level_count), np.int32)
    for topic in range(len(counts)):
        for j in range(bounds[topic], bounds[topic + 1]):
            counts[topic, levels[j]] += 1
    return counts


@kernel
def base_by_weight(
    docs: NDArray[np.int32], levels: NDArray[np.int16], level_count: int, weights: Weights
) -> NDArray[np.int32]:
    """How many judged documents of each level a topic has (image, level), counted as drawn."""
    counts = np.zeros((level_count, weights.shape[1]), np.int32)
    for j in range(len(docs)):
        for image in range(weights.shape[1]):
            counts[levels[j], image] += weights[docs[j], image]
    return counts.T.copy()


@kernel
def condensed(lists: HitLists, keep: Bools) -> HitLists:
    """Lists of all that is judged, closed up as if nothing else had been retrieved; only `keep` stay hits."""
    bounds, hit = np.zeros_like(lists.bounds), 0
    ranks, levels = np.empty_like(lists.ranks), np.empty_like(lists.levels)
    for i in range(len(lists.lengths)):
        for place in range(lists.bounds[i], lists.bounds[i + 1]):
            if keep[lists.levels[place]]:
                ranks[hit], levels[hit] = place - lists.bounds[i] + 1, lists.levels[place]
                hit += 1
        bounds[i + 1] = hit
    return HitLists(bounds, ranks[:hit], levels[:hit], np.diff(lists.bounds).astype(np.int32))


@kernel
def _relevant_counts(counts: NDArray[np.int32], kinds: NDArray[np.int8]) -> Ints:
    """The number of relevant documents in each replicate."""
    relevant = np.zeros(len(counts), np.int64)
    for replicate in range(len(counts)):
        for level in range(len(kinds)):
            if kinds[level] == RELEVANT:
                relevant[replicate] += counts[replicate, level]
    return relevant


def _score_lists(lists: HitLists, topic: Bases, scale: Scale, values: Floats) -> None:
    """Score every list: values[system, replicate], NaN where the topic has not the relevant document that it needs."""
    systems, replicates = values.shape
    relevant = _relevant_counts(topic.counts, scale.kinds)
    to, table = borrowed(values), _borrowed_scale(scale)
    counts, subtopics, ideals = borrowed(topic.counts), borrowed(topic.subtopics), borrowed(topic.ideals)
    bounds, lengths = borrowed(lists.bounds), borrowed(lists.lengths)
    ranks, levels = borrowed(lists.ranks), borrowed(lists.levels)
    for system in range(systems):
        for replicate in range(replicates):
            i = system * replicates + replicate
            start, stop = bounds[i], bounds[i + 1]
            hits = Hits(ranks[start:stop], levels[start:stop], np.int64(lengths[i]))  # type: ignore[arg-type]  # as compiled
            base = Base(counts[replicate], relevant[replicate], subtopics[replicate], ideals[replicate])
            is_defined = base.relevant > 0 or not scale.needs_relevant
            to[system, replicate] = _measure(hits, base, table) if is_defined else np.nan  # type: ignore[name-defined]  # noqa: F821  # of each loop


@kernel
def _borrowed_scale(scale: Scale) -> Scale:
    return Scale(
        borrowed(scale.kinds),
        borrowed(scale.gains),
        borrowed(scale.order),
        borrowed(scale.strata),
        borrowed(scale.discounts),
        borrowed(scale.cumulated),
        scale.cutoff,
        borrowed(scale.constants),
        scale.needs_relevant,
        Subtopics(borrowed(scale.subtopics.relevant), scale.subtopics.kept, scale.subtopics.best),
    )


@cache
def loop_of(measure: Any) -> Any:  # noqa: ANN401  # numba's types
    """The loop over lists compiled with a measure's kernel inside it: a call for each list would take longer.

    The loop is in the cache under the measure's file and name.
    """
    code, name = measure.py_func.__code__, f"{_score_lists.__name__}_by{measure.__name__}"
    template = _score_lists.__code__.replace(
        co_name=name, co_qualname=name, co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    loop = FunctionType(template, {**globals(), "_measure": inlined(measure.py_func)}, name)
    loop.__module__ = measure.__module__
    return kernel(loop)


def evaluate(measure: MeasureKernel, lists: HitLists, topic: Bases, scale: Scale, values: Floats) -> None:
    """Score every list with one measure, into values[system, replicate]."""
    loop_of(measure)(lists, topic, scale, values)
