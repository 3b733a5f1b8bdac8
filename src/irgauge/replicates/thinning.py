"""Judgments thinned: some of them kept, by rank, by a share of each grade, or at random; all others are not judged.

A document that is left out stays in the pool (grade −1), as measures of incomplete judgments take it; for others it is
as one that nobody judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Ints
from irgauge.reading.collection import Collection
from irgauge.reading.rejudging import JudgedPairs, own_pairs, rejudged

LEAST_RELEVANT, LEAST_OTHERS = 1, 10  # documents of a topic that a share keeps at least
_LEFT_OUT = -1  # the grade of a document in the pool that is not judged


class Thinned(NamedTuple):
    """A collection with fewer judgments."""

    collection: Collection
    judged: float  # documents judged for a topic, mean
    relevant: float  # those that are relevant


def thinned(collection: Collection, way: str, sizes: Sequence[int], seed: np.random.SeedSequence) -> Iterator[Thinned]:
    """The collection with judgments thinned to each size: depths of pools, or per cent of the judgments."""
    pairs = own_pairs(collection)
    for kept in WAYS[way](collection, pairs, sizes, np.random.default_rng(seed)):
        yield _with(collection, pairs, kept)


def unthinned(collection: Collection) -> Thinned:
    """The same with all judgments."""
    pairs = own_pairs(collection)
    return _with(collection, pairs, pairs.grades >= 0)


def _with(collection: Collection, pairs: JudgedPairs, kept: Bools) -> Thinned:
    grades, topics = np.where(kept, pairs.grades, _LEFT_OUT), len(collection.topics)
    judged, relevant = int((grades >= 0).sum()) / topics, int((grades > 0).sum()) / topics
    return Thinned(rejudged(collection, replace(pairs, grades=grades)), judged, relevant)


def _to_depths(
    collection: Collection, pairs: JudgedPairs, depths: Sequence[int], _: np.random.Generator
) -> Iterator[Bools]:
    """What some run has in its top documents."""
    place = _best_ranks(collection, pairs)
    yield from ((pairs.grades >= 0) & (place <= depth) for depth in depths)


def _best_ranks(collection: Collection, pairs: JudgedPairs) -> Ints:
    """The best rank of each judged document in any run of its topic; after all where no run has it."""
    best = np.full(len(pairs), np.iinfo(np.int64).max)
    bounds = np.searchsorted(pairs.topics, np.arange(len(collection.topics) + 1))
    for topic, (start, stop) in enumerate(pairwise(bounds)):
        for first, length in zip(collection.firsts[topic], collection.lengths[topic], strict=True):
            docs = collection.docs[first : first + length]
            at = np.searchsorted(pairs.docs[start:stop], docs)
            judged = np.flatnonzero(pairs.docs[start:stop][np.minimum(at, stop - start - 1)] == docs)
            np.minimum.at(best, start + at[judged], judged + 1)
    return best


def _shares_of_grades(
    collection: Collection, pairs: JudgedPairs, shares: Sequence[int], rng: np.random.Generator
) -> Iterator[Bools]:
    """A share of each grade of a topic, the first of a random order: what a smaller share keeps, a larger one has too.

    Buckley and Voorhees, "Retrieval evaluation with incomplete information" (SIGIR 2004); with the least of each grade.
    """
    order, size = np.full(len(pairs), -1), np.zeros(len(pairs), np.int64)  # the place of a pair in its group; its size
    for members in _groups(pairs, len(collection.topics)):
        order[members], size[members] = rng.permutation(len(members)), len(members)
    least = np.where(pairs.grades > 0, LEAST_RELEVANT, LEAST_OTHERS)
    for share in shares:
        count = np.maximum(least, np.floor(share * size / 100 + 0.5))
        yield (order >= 0) & (order < count)


def _groups(pairs: JudgedPairs, topics: int) -> Iterator[Ints]:
    """The judged documents of each topic and grade."""
    for topic in range(topics):
        own = np.flatnonzero((pairs.topics == topic) & (pairs.grades >= 0))
        yield from (own[pairs.grades[own] == grade] for grade in np.unique(pairs.grades[own]))


def _shares_at_random(
    collection: Collection, pairs: JudgedPairs, shares: Sequence[int], rng: np.random.Generator
) -> Iterator[Bools]:
    """A share of all judgments of a topic, drawn again until one is relevant.

    Yilmaz and Aslam, "Estimating average precision with incomplete and imperfect judgments" (CIKM 2006).
    """
    by_topic = [
        np.flatnonzero((pairs.topics == topic) & (pairs.grades >= 0)) for topic in range(len(collection.topics))
    ]
    for share in shares:
        kept = np.zeros(len(pairs), np.bool_)
        for own in by_topic:
            kept[own[_drawn_with_relevant(pairs.grades[own] > 0, max(1, share * len(own) // 100), rng)]] = True
        yield kept


def _drawn_with_relevant(relevant: Bools, count: int, rng: np.random.Generator) -> Ints:
    """So many places, some of them relevant where any is."""
    while True:
        drawn = rng.permutation(len(relevant))[:count]
        if relevant[drawn].any() or not relevant.any():
            return np.asarray(drawn, np.int64)


WAYS: Mapping[str, Callable[[Collection, JudgedPairs, Sequence[int], np.random.Generator], Iterator[Bools]]] = {
    "stratified": _shares_of_grades,
    "random": _shares_at_random,
    "depth": _to_depths,
}
