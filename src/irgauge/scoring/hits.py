"""Hit lists and counts of judgments, by replicate.

Labels say which replicate has a document (shards, and the whole corpus), weights how often it has one (images). What
kernels fill is made before: numba takes longer to compile what makes an array than most of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints, Weights
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.kernels import HitLists

_SPARE = 3  # hits beyond the last, as three copies of each are written at a time
_ONE, _TWO, _THREE, _FOUR = map(np.uint64, range(1, 5))
_GAP = 252  # entries, and three more, whose weights, 255 at most, are summed in 16 bits: twice as fast as in 32
_NONE: int = np.int64(0)  # type: ignore[assignment]  # a plain 0 has a type of its own, for which numba compiles again


class _Entries(NamedTuple):
    """Ranked lists of some topics."""

    docs: NDArray[np.int32]  # entry
    levels: NDArray[np.int16]  # entry
    firsts: Ints  # list
    lengths: Ints  # list


class _Found(NamedTuple):
    """Where hits are written."""

    bounds: Ints  # list and image + 1
    ranks: NDArray[np.int32]  # hit
    levels: NDArray[np.int16]  # hit
    seen: NDArray[np.int32]  # list, image: documents


class _Hits(NamedTuple):
    """The hits of one list."""

    above: NDArray[np.int32]  # hit, image: documents above it
    copies: Weights  # hit, image
    levels: NDArray[np.int16]  # hit
    counts: NDArray[np.int32]  # image: copies of all hits
    gap: NDArray[np.uint16]  # image: documents since `seen` was last brought up to date


def weights_of(weights: Weights, documents: NDArray[np.int32]) -> Weights:
    """The rows of some documents side by side, so that they fit the cache."""
    rows = np.empty((len(documents), weights.shape[1]), np.uint8)
    _take(weights, documents, rows)
    return rows


@kernel
def _take(weights: Weights, documents: NDArray[np.int32], rows: Weights) -> None:
    for doc in range(len(documents)):
        document = np.uint32(documents[doc])
        for image in range(weights.shape[1]):
            rows[doc, image] = weights[document, image]


def hits_by_weight(
    docs: NDArray[np.int32],
    levels: NDArray[np.int16],
    firsts: Ints,
    lengths: Ints,
    keep: Bools,
    hits_of_whole: int,
    weights: Weights,
    judged: Weights,
) -> HitLists:
    """Hit lists of the lists of some topics, a document appearing in each image as often as `weights` say.

    `judged[doc, image]` says how often it counts as judged there: as often as it appears, or not at all. On the whole
    corpus the lists have `hits_of_whole`: so much room is made at first.
    """
    entries, images = _Entries(docs, levels, firsts, lengths), weights.shape[1]
    expected = hits_of_whole * images  # a document appears once on average
    output = _room(len(firsts), images, expected + expected // 8)
    hits = _of_list(int(lengths.max()), images)
    kinds = np.flatnonzero(keep)
    used = _hits_by_weight(entries, keep, weights, judged, output, hits, len(kinds) > 1)
    if used + _SPARE > len(output.ranks):
        output = _room(len(firsts), images, used)
        _hits_by_weight(entries, keep, weights, judged, output, hits, len(kinds) > 1)
    if len(kinds) == 1:  # level, which all hits have
        output.levels[:used] = kinds[0]
    return HitLists(output.bounds, output.ranks[:used], output.levels[:used], output.seen.ravel())


def _room(lists: int, images: int, hits: int) -> _Found:
    ranks, levels = np.empty(hits + _SPARE, np.int32), np.empty(hits + _SPARE, np.int16)
    return _Found(np.zeros(lists * images + 1, np.int64), ranks, levels, np.zeros((lists, images), np.int32))


def _of_list(longest: int, images: int) -> _Hits:
    above, copies = np.empty((longest, images), np.int32), np.empty((longest, images), np.uint8)
    counts, gap = np.empty(images, np.int32), np.empty(images, np.uint16)
    return _Hits(above, copies, np.empty(longest, np.int16), counts, gap)


@kernel
def _hits_by_weight(
    entries: _Entries,
    keep: Bools,
    weights: Weights,
    judged: Weights,
    output: _Found,
    hits: _Hits,
    has_levels: bool,  # noqa: FBT001  # numba takes arguments by place
) -> int:
    """Write the hits, as far as there is room, and say how many there are; their levels, where these differ."""
    used, images = 0, weights.shape[1]
    for system in range(len(entries.firsts)):
        count, own, since = _NONE, 0, 0
        for image in range(images):
            hits.counts[image] = 0
            hits.gap[image] = 0
        entry, last = np.uint64(entries.firsts[system]), np.uint64(entries.firsts[system] + entries.lengths[system])
        while entry < last:
            if since >= _GAP:
                _close_gap(hits.gap, output.seen[system])
                since = 0
            if _are_no_hits(entries.levels, keep, entry, last):
                _add_to_gap(hits.gap, weights, entries.docs, entry)
                entry += _FOUR
                since += 4
                continue
            doc = np.uint32(entries.docs[entry])  # unsigned: numba tests signed places for negative ones
            if keep[entries.levels[entry]]:
                _close_gap(hits.gap, output.seen[system])
                since = 0
                hits.levels[count] = entries.levels[entry]
                for image in range(images):
                    hits.above[count, image] = output.seen[system, image]
                    hits.copies[count, image] = judged[doc, image]
                    hits.counts[image] += judged[doc, image]
                count += 1
            for image in range(images):
                hits.gap[image] += weights[doc, image]
            entry += _ONE
            since += 1
        _close_gap(hits.gap, output.seen[system])
        for image in range(images):
            own += hits.counts[image]
        if used + own + _SPARE <= len(output.ranks):
            _write(np.uint64(used), system * images, count, output, hits, has_levels)
        used += own
    return used


@inlined
def _are_no_hits(levels: NDArray[np.int16], keep: Bools, entry: np.uint64, last: np.uint64) -> bool:
    """Whether the next four entries are there, and none of them is a hit."""
    if entry + _FOUR > last:
        return False
    first, second = keep[levels[entry]] | keep[levels[entry + _ONE]], keep[levels[entry + _TWO]]
    return not (first | second | keep[levels[entry + _THREE]])


@inlined
def _add_to_gap(gap: NDArray[np.uint16], weights: Weights, docs: NDArray[np.int32], entry: np.uint64) -> None:
    """Add the weights of four entries in one pass, so that a sum is loaded and stored once for all of them."""
    a, b = np.uint32(docs[entry]), np.uint32(docs[entry + _ONE])
    c, d = np.uint32(docs[entry + _TWO]), np.uint32(docs[entry + _THREE])
    for image in range(len(gap)):
        gap[image] += weights[a, image] + weights[b, image] + weights[c, image] + weights[d, image]


@inlined
def _close_gap(gap: NDArray[np.uint16], seen: NDArray[np.int32]) -> None:
    for image in range(len(gap)):
        seen[image] += gap[image]
        gap[image] = 0


@inlined
def _write(
    to: np.uint64,
    first: int,
    count: int,
    output: _Found,
    hits: _Hits,
    has_levels: bool,  # noqa: FBT001  # numba takes arguments by place
) -> None:
    """Write the hits of one list in all images."""
    for image in range(len(hits.counts)):
        _write_ranks(output.ranks, to, np.uint64(image), hits.above, hits.copies, count)
        if has_levels:
            _write_levels(output.levels, to, np.uint64(image), hits.copies, hits.levels, count)
        to += np.uint64(hits.counts[image])
        output.bounds[first + image + 1] = np.int64(to)


@inlined
def _write_ranks(
    ranks: NDArray[np.int32], to: np.uint64, image: np.uint64, above: NDArray[np.int32], copies: Weights, hits: int
) -> None:
    """Write the hits of one list. Three copies of each, without a branch; what is too much is written over."""
    for hit in range(hits):
        rank, count = above[np.uint64(hit), image], copies[np.uint64(hit), image]
        ranks[to] = rank + 1
        ranks[to + np.uint64(1)] = rank + 2
        ranks[to + np.uint64(2)] = rank + 3
        for copy in range(_SPARE, count):
            ranks[to + np.uint64(copy)] = rank + copy + 1
        to += np.uint64(count)


@inlined
def _write_levels(
    output: NDArray[np.int16], to: np.uint64, image: np.uint64, copies: Weights, levels: NDArray[np.int16], hits: int
) -> None:
    """The same of their levels."""
    for hit in range(hits):
        count, level = copies[np.uint64(hit), image], levels[hit]
        output[to] = level
        output[to + np.uint64(1)] = level
        output[to + np.uint64(2)] = level
        for copy in range(_SPARE, count):
            output[to + np.uint64(copy)] = level
        to += np.uint64(count)


def base_by_weight(
    bounds: Ints, docs: NDArray[np.int32], levels: NDArray[np.int16], level_count: int, weights: Weights
) -> NDArray[np.int32]:
    """How many judged documents of each level topics have (topic and image, level), counted as drawn.

    `bounds` say where the judgments of each topic start; images are fastest.
    """
    counts = np.zeros((level_count, len(bounds) - 1, weights.shape[1]), np.int32)
    _count_by_weight(bounds, docs, levels, weights, counts)
    return counts.reshape(level_count, -1).T.copy()


@kernel
def _count_by_weight(
    bounds: Ints, docs: NDArray[np.int32], levels: NDArray[np.int16], weights: Weights, counts: NDArray[np.int32]
) -> None:
    for topic in range(len(bounds) - 1):
        for j in range(bounds[topic], bounds[topic + 1]):
            own, doc = counts[levels[j], topic], np.uint32(docs[j])
            for image in range(len(own)):
                own[image] += weights[doc, image]


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
    """Hit lists of lists that are each split by the labels of their documents."""
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
