"""Fitting: of several systems, the one that ranks a shard alone best, by AP of the judgments that are in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Indices, Ints
from irgauge.compute.tasks import check_stop
from irgauge.lab.index import Index
from irgauge.lab.ranking import Ranking
from irgauge.lab.running import search
from irgauge.lab.systems import System
from irgauge.lab.topics import Topic
from irgauge.reading.formats import read_qrels

Relevant = Mapping[str, Ints]  # topic: its relevant documents, in their order


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents, topics and the documents that are relevant to them."""

    index: Index
    topics: Sequence[Topic]
    relevant: Relevant

    def part(self, documents: Indices) -> Corpus:
        """Some documents, which are given in order, and the topics that have relevant ones among them."""
        inside = {topic.id: np.intersect1d(self.relevant.get(topic.id, ()), documents) for topic in self.topics}
        relevant = {topic: np.searchsorted(documents, numbers) for topic, numbers in inside.items() if len(numbers)}
        return Corpus(self.index.part(documents), [topic for topic in self.topics if topic.id in relevant], relevant)


class Fitted(NamedTuple):
    """The best system, its mean AP and the number of topics that this is over."""

    system: System
    ap: float
    topics: int


def read_relevant(index: Index, path: str | os.PathLike[str]) -> dict[str, Ints]:
    """The relevant documents of each topic, of those that the index has."""
    numbers = {docno: number for number, docno in enumerate(index.docnos)}
    qrels = read_qrels(path)
    by_topic: dict[str, list[int]] = {}
    for row in np.flatnonzero(qrels.grades > 0).tolist():
        number = numbers.get(qrels.docno(row))
        if number is not None:
            by_topic.setdefault(qrels.topic(row), []).append(number)
    return {topic: np.array(sorted(documents), np.int64) for topic, documents in by_topic.items()}


def fitted(corpus: Corpus, systems: Sequence[System]) -> Fitted | None:
    """The system of the largest mean AP, the first of equal ones; None where no document is relevant."""
    if not corpus.topics:
        return None
    means = [_mean_ap(corpus, system) for system in systems]
    best = int(np.argmax(means))
    return Fitted(systems[best], means[best], len(corpus.topics))


def _mean_ap(corpus: Corpus, system: System) -> float:
    check_stop()
    depth = corpus.index.n_documents
    return float(
        np.mean(
            [
                average_precision(search(corpus.index, topic.text, system, depth), corpus.relevant[topic.id])
                for topic in corpus.topics
            ]
        )
    )


def average_precision(ranking: Ranking, relevant: Ints) -> float:
    """AP: the mean over relevant documents of the precision at their ranks, 0 for those that are not found.

    >>> average_precision(Ranking(np.array([4, 2, 7]), np.zeros(3)), np.array([2, 5]))
    0.25
    """
    ranks = 1 + np.flatnonzero(np.isin(ranking.documents, relevant))
    return float((np.arange(1, len(ranks) + 1) / ranks).sum() / len(relevant))
