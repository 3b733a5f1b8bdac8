"""Documents that lists hold: each once for its topic, with its best rank and the number of its lists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.rejudging import JudgedPairs

_STRIDE = 1 << 32  # more than there are documents
_NOWHERE = -1  # in place of the pair of an entry whose list belongs to no system
_FLAT = 60.0  # added to ranks in sums over lists, so that the first few weigh nearly alike
_TOP = 10.0  # the same where the quality of a system is asked for, which its first documents show best


@dataclass(frozen=True, eq=False)
class Retrieved:
    """Every pair of a topic and a document that one of its lists holds, topic after topic."""

    collection: Collection
    topics: Ints  # pair
    docs: Ints  # pair
    best: Ints  # pair: its best rank in any list
    lists: Ints  # pair: how many hold it
    pairs: NDArray[np.int32]  # entry of the collection's lists

    @classmethod
    def of(cls, collection: Collection) -> Retrieved:
        """The pairs of a collection, in the order in which they come."""
        if collection.documents != "all":
            raise DesignError("unjudged documents are told apart; load the collection with documents='all'")
        room = int(collection.lengths.sum())
        columns = np.zeros((4, room), np.int64)  # topic, document, best rank, lists
        pairs = np.full(len(collection.docs), _NOWHERE, np.int32)
        places = np.full(collection.document_count, _NOWHERE, np.int64)
        lists = collection.docs, collection.firsts, collection.lengths
        count = _gather(lists, places, columns, pairs)
        topics, docs, best, holding = columns[:, :count].copy()
        return cls(collection, topics, docs, best, holding, pairs)

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def levels(self) -> Ints:
        """The level of each pair, or UNJUDGED."""
        levels, own = np.full(len(self), UNJUDGED, np.int64), self.pairs != _NOWHERE
        levels[self.pairs[own]] = self.collection.levels[own]
        return levels

    @cached_property
    def keys(self) -> Ints:
        """A number for each pair, whatever collection it is of."""
        return self.topics * _STRIDE + self.docs

    def among(self, topics: Ints, docs: Ints) -> Bools:
        """Which pairs are among others."""
        return np.isin(self.keys, topics * _STRIDE + docs)

    def grades_by(self, judged: JudgedPairs, otherwise: int) -> Ints:
        """The grade of each pair by other judgments; `otherwise` where these have none."""
        keys = judged.keys
        places = np.minimum(np.searchsorted(keys, self.keys), len(keys) - 1)
        return np.where(keys[places] == self.keys, judged.grades[places], otherwise)

    def summed(self, weights: Floats) -> Floats:
        """Of each pair Σ weight / (60 + rank) over the systems that return it."""
        sums = np.zeros(len(self))
        _sum(self.pairs, (self.collection.firsts, self.collection.lengths), weights, sums)
        return sums

    def qualities(self, levels: Ints) -> Floats:
        """The share of relevant documents among the judged ones of each system, early ranks first, over the mean."""
        whole = self.collection
        counts = np.zeros((2, len(whole.systems)))  # relevant, judged
        is_relevant = whole.grades > 0
        _count(levels, self.pairs, (whole.firsts, whole.lengths), is_relevant, counts)
        shares = (counts[0] + 0.5 * _share(counts)) / (counts[1] + 0.5)  # few judged documents say little
        return shares / max(float(shares.mean()), np.finfo(float).tiny)

    def judged_as(self, levels: Ints) -> Collection:
        """The same runs with these levels of the pairs; judgments of documents that no list holds stay.

        A topic that is left without a relevant document scores 0.
        """
        whole, (order, outside) = self.collection, self._judgments
        every = np.concatenate([whole.judged_levels[outside], levels])[order]
        kept = every != UNJUDGED
        docs, topics = self._all_judged
        topics = topics[kept]
        bounds = np.searchsorted(topics, np.arange(len(whole.topics) + 1))
        relevant = np.bincount(topics[whole.grades[every[kept]] > 0], minlength=len(whole.topics))
        return replace(
            whole,
            levels=np.where(self.pairs == _NOWHERE, UNJUDGED, levels[self.pairs]).astype(np.int16),
            judged_bounds=bounds,
            judged_docs=docs[kept],
            judged_levels=every[kept].astype(np.int16),
            topic_rule="judged",
            no_relevant=tuple(t for t, count in zip(whole.topics, relevant, strict=True) if count == 0),
        )

    @cached_property
    def _judgments(self) -> tuple[Ints, Bools]:
        """The order of all that may be judged by topic; which judgments are of documents that no list holds."""
        topics, docs = self._topics_of_judgments, self.collection.judged_docs
        outside = ~np.isin(topics * _STRIDE + docs, self.keys)
        return np.argsort(np.concatenate([topics[outside], self.topics]), kind="stable"), outside

    @cached_property
    def _all_judged(self) -> tuple[NDArray[np.int32], Ints]:
        """The documents and the topics of all that may be judged."""
        order, outside = self._judgments
        docs = np.concatenate([self.collection.judged_docs[outside], self.docs])[order]
        return docs.astype(np.int32), np.concatenate([self._topics_of_judgments[outside], self.topics])[order]

    @property
    def _topics_of_judgments(self) -> Ints:
        sizes = np.diff(self.collection.judged_bounds)
        return np.repeat(np.arange(len(sizes)), sizes)


def _share(counts: Floats) -> float:
    """Of relevant documents among the judged ones of all systems."""
    return float(counts[0].sum() / max(counts[1].sum(), 1.0))


_Lists = tuple[NDArray[np.int32], Ints, Ints]  # documents; where each list starts, and its length: topic, system


@kernel
def _gather(lists: _Lists, places: Ints, columns: Ints, pairs: NDArray[np.int32]) -> int:
    """Write the columns of each pair, and the pair of each entry; count the pairs."""
    docs, firsts, lengths = lists
    count = 0
    for topic in range(len(firsts)):
        start = count
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + lengths[topic, system]):
                rank, pair = entry - first + 1, places[docs[entry]]
                if pair < start:  # not seen in this topic
                    pair = count
                    places[docs[entry]] = pair
                    columns[0, pair], columns[1, pair], columns[2, pair] = topic, docs[entry], rank
                    count += 1
                columns[2, pair] = min(columns[2, pair], rank)
                columns[3, pair] += 1
                pairs[entry] = pair
    return count


@kernel
def _sum(pairs: NDArray[np.int32], lists: tuple[Ints, Ints], weights: Floats, sums: Floats) -> None:
    firsts, lengths = lists
    for topic in range(len(firsts)):
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + lengths[topic, system]):
                sums[pairs[entry]] += weights[system] / (_FLAT + entry - first + 1)


@kernel
def _count(
    levels: Ints, pairs: NDArray[np.int32], lists: tuple[Ints, Ints], is_relevant: Bools, counts: Floats
) -> None:
    """Count relevant and judged documents of each system, by their ranks."""
    firsts, lengths = lists
    for topic in range(len(firsts)):
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + lengths[topic, system]):
                level = levels[pairs[entry]]
                if level != UNJUDGED:
                    weight = 1 / (_TOP + entry - first)
                    counts[1, system] += weight
                    counts[0, system] += weight * is_relevant[level]
