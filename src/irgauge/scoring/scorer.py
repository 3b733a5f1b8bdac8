"""Scoring: what the measures say of the lists of a topic in every replicate."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bools, Floats, Ints, Weights
from irgauge.errors import DesignError
from irgauge.jit import kernel
from irgauge.reading.collection import Collection
from irgauge.scoring.drawn import Images, Replicates, Shards
from irgauge.scoring.kernels import (
    HitLists,
    Scale,
    base_by_label,
    base_by_weight,
    evaluate,
    hits_by_label,
    hits_by_weight,
    loop_of,
    weights_of,
)
from irgauge.scoring.measures import Measure


class Lists(NamedTuple):
    """The ranked lists and the judgments of one topic, its documents numbered from 0."""

    documents: NDArray[np.int32]  # the number of each in the collection
    docs: NDArray[np.int32]  # entry
    levels: NDArray[np.int16]  # entry
    firsts: Ints  # system
    lengths: Ints  # system
    judged_docs: NDArray[np.int32]  # judgment
    judged_levels: NDArray[np.int16]  # judgment


class Scorer:
    """Scores a collection by measures, topic by topic and replicate by replicate."""

    def __init__(self, collection: Collection, measures: Sequence[Measure]) -> None:
        self.collection = collection
        self.measures = tuple(measures)
        self._groups = _by_hits_needed(self.measures, collection.grades)
        self._scales: dict[tuple[int, int], Scale] = {}
        self._lists: dict[int, Lists] = {}
        for measure in self.measures:
            loop_of(measure.record.kernel)  # once, before threads ask for it together

    def score(self, drawn: Replicates, *, workers: int | None = None) -> Floats:
        """values[measure, topic, system, replicate], NaN where undefined."""
        topics, systems = self.collection.lengths.shape
        values = np.empty((len(self.measures), topics, systems, len(drawn.names)))

        def score_one(topic: int) -> None:
            self.score_topic(topic, drawn, values[:, topic])

        each_topic(topics, score_one, workers)
        return values

    def score_topic(self, topic: int, drawn: Replicates, values: Floats) -> None:
        """Scores of one topic, into values[measure, system, replicate]."""
        if isinstance(drawn, Images):
            lists = self.lists(topic)
            weights = weights_of(drawn.weights, lists.documents)
            self.score_images(lists, weights, weights, values)
        else:
            self._score_shards(topic, drawn, values)

    def lists(self, topic: int) -> Lists:
        """The lists of a topic, made once."""
        if topic not in self._lists:
            self._lists[topic] = _lists(self.collection, topic)
        return self._lists[topic]

    def score_images(self, lists: Lists, weights: Weights, judged: Weights, values: Floats) -> None:
        """Scores under weights[doc, image] of the topic's documents, judged as often as `judged` says."""
        base = base_by_weight(lists.judged_docs, lists.judged_levels, len(self.collection.grades), judged)
        for keep, members in self._groups:
            entries = (lists.docs, lists.levels, lists.firsts, lists.lengths)
            self._evaluate(members, hits_by_weight(*entries, keep, weights, judged), base, values)

    def _score_shards(self, topic: int, drawn: Shards, values: Floats) -> None:
        whole, shards = self.collection, len(drawn.names)
        judged = slice(whole.judged_bounds[topic], whole.judged_bounds[topic + 1])
        judgments = whole.judged_docs[judged], whole.judged_levels[judged]
        base = base_by_label(*judgments, len(whole.grades), drawn.labels, shards)
        entries = (whole.docs, whole.levels, whole.firsts[topic], whole.lengths[topic])
        for keep, members in self._groups:
            self._evaluate(members, hits_by_label(*entries, keep, drawn.labels, shards), base, values)

    def _evaluate(self, members: list[int], lists: HitLists, base: NDArray[np.int32], values: Floats) -> None:
        depth = max(int(lists.lengths.max()), int(base.sum(axis=1).max()))
        for i in members:
            scale = self._scale(i, 1 << depth.bit_length())  # tables of ranks come in few sizes
            evaluate(self.measures[i].record.kernel, lists, base, scale, values[i])

    def _scale(self, i: int, depth: int) -> Scale:
        if (i, depth) not in self._scales:
            scale = self.measures[i].scale(self.collection.grades, self.collection.strata, depth)
            self._scales[i, depth] = scale
        return self._scales[i, depth]


def each_topic(topics: int, do: Callable[[int], None], workers: int | None) -> None:
    """Call `do` for every topic, in threads; what it does must not depend on the order."""
    threads = min(workers or os.cpu_count() or 1, topics)

    def take_turns(first: int) -> None:
        for topic in range(first, topics, threads):
            do(topic)

    if threads == 1:
        take_turns(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(take_turns, range(threads)))


def _by_hits_needed(measures: Sequence[Measure], grades: Ints) -> list[tuple[Bools, list[int]]]:
    """Measures grouped by the levels whose documents they need, so that a pass serves a group."""
    groups: dict[bytes, tuple[Bools, list[int]]] = {}
    for i, measure in enumerate(measures):
        keep = measure.hit_levels(grades)
        groups.setdefault(keep.tobytes(), (keep, []))[1].append(i)
    return list(groups.values())


def _lists(collection: Collection, topic: int) -> Lists:
    if collection.documents == "judged":
        raise DesignError("images need all documents; load the collection with documents='all'")
    firsts, lengths = collection.firsts[topic], collection.lengths[topic]
    entries = np.concatenate([np.arange(f, f + n) for f, n in zip(firsts, lengths, strict=True)])
    judged = slice(collection.judged_bounds[topic], collection.judged_bounds[topic + 1])
    judged_docs = collection.judged_docs[judged]
    documents, docs, judged_places = _renumbered(collection.docs[entries], judged_docs, collection.document_count)
    return Lists(
        documents=documents,
        docs=docs,
        levels=collection.levels[entries],
        firsts=np.cumsum(lengths) - lengths,
        lengths=lengths,
        judged_docs=judged_places,
        judged_levels=collection.judged_levels[judged],
    )


def lists_of_systems(lists: Lists, systems: Sequence[int]) -> Lists:
    """The lists of some systems, whose documents are renumbered; all judgments stay."""
    kept = list(systems)
    entries = [np.arange(lists.firsts[s], lists.firsts[s] + lists.lengths[s]) for s in kept]
    rows = np.concatenate(entries)
    places, docs, judged_places = _renumbered(lists.docs[rows], lists.judged_docs, len(lists.documents))
    lengths = lists.lengths[kept]
    return lists._replace(
        documents=lists.documents[places],
        docs=docs,
        levels=lists.levels[rows],
        firsts=np.cumsum(lengths) - lengths,
        lengths=lengths,
        judged_docs=judged_places,
    )


@kernel
def _renumbered(
    docs: NDArray[np.int32], judged_docs: NDArray[np.int32], documents: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """The distinct documents in their order, and the places among them of entries and of judgments."""
    place = np.full(documents, -1, np.int32)
    for given in (docs, judged_docs):
        for i in range(len(given)):
            place[given[i]] = 0
    found, count = np.empty(documents, np.int32), 0
    for doc in range(documents):
        if place[doc] == 0:
            place[doc], found[count] = count, doc
            count += 1
    return found[:count].copy(), place[docs], place[judged_docs]
