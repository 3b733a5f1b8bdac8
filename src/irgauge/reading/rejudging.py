"""The same runs under other judgments: pairs of a topic and a document with their grades, and a collection of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Ints
from irgauge.compute.polars_pool import check_pool
from irgauge.errors import DesignError
from irgauge.reading.byte_strings import hashes
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import entries_of, levels_in_lists
from irgauge.reading.numbering import Names
from irgauge.reading.trec import Qrels

_STRIDE = 1 << 32  # more than there are documents


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Pairs of a topic and a document, in ascending order, with a grade each."""

    topics: Ints  # pair: the place of its topic in the collection
    docs: Ints  # pair: a document's number; those that the collection does not name come after all that it does
    grades: Ints  # pair
    rows: Ints  # pair: its row in the judgments that it comes from

    @classmethod
    def ordered(cls, topics: Ints, docs: Ints, grades: Ints, rows: Ints) -> JudgedPairs:
        """The pairs, brought into order."""
        order = np.lexsort((docs, topics))
        return cls(topics[order], docs[order], grades[order], rows[order])

    def __len__(self) -> int:
        return len(self.topics)

    @property
    def keys(self) -> Ints:
        """A number for each pair, ascending."""
        return self.topics * _STRIDE + self.docs

    def among(self, others: JudgedPairs) -> Bools:
        """Which of these pairs others have too."""
        return np.isin(self.keys, others.keys, assume_unique=True)

    def only(self, kept: Bools) -> JudgedPairs:
        """Some of the pairs."""
        return JudgedPairs(self.topics[kept], self.docs[kept], self.grades[kept], self.rows[kept])


def own_pairs(collection: Collection) -> JudgedPairs:
    """The pairs that the judgments of a collection have."""
    sizes = np.diff(collection.judged_bounds)
    topics = np.repeat(np.arange(len(sizes)), sizes)
    grades = collection.grades[collection.judged_levels]
    return JudgedPairs.ordered(topics, collection.judged_docs.astype(np.int64), grades, np.arange(len(grades)))


def pairs_of(qrels: Qrels, collection: Collection) -> JudgedPairs:
    """The pairs that other judgments have on the topics of a collection."""
    if collection.documents != "all":
        raise DesignError("other judgments need all documents of the runs; load the collection with documents='all'")
    place = {topic: i for i, topic in enumerate(collection.topics)}
    kept = [(t, place[topic]) for t, topic in enumerate(qrels.topics) if topic in place]
    own = np.array([t for t, _ in kept], np.int64)
    sizes = np.diff(qrels.bounds)[own]
    rows = entries_of(qrels.bounds[own], sizes)
    topics = np.repeat(np.array([place for _, place in kept], np.int64), sizes)
    return JudgedPairs.ordered(topics, _numbers(qrels, rows, collection), qrels.grades[rows], rows)


def _numbers(qrels: Qrels, rows: Ints, collection: Collection) -> Ints:
    """The number of each row's document in a collection; after the last, new ones for those that it does not name."""
    import polars as pl

    check_pool()
    names, fields = Names(), (qrels.text, qrels.starts[rows], qrels.stops[rows])
    own = names.intern(*fields, hashes(*fields))
    numbers = pl.DataFrame({"docno": collection.docnos, "number": np.arange(collection.document_count)})
    known = pl.DataFrame({"docno": names.to_series()}).join(numbers, on="docno", how="left", maintain_order="left")
    number = known["number"].fill_null(-1).to_numpy().copy()
    unknown = number < 0
    number[unknown] = collection.document_count + np.arange(unknown.sum())
    return np.asarray(number[own], np.int64)


def rejudged(collection: Collection, pairs: JudgedPairs) -> Collection:
    """The runs of a collection under other judgments, which every topic has some of.

    A topic without a relevant document scores 0: which topics count is said by the judgments that the collection had.
    """
    grades, places = np.unique(pairs.grades, return_inverse=True)
    levels, docs = places.reshape(-1).astype(np.int16), pairs.docs.astype(np.int32)
    bounds = np.searchsorted(pairs.topics, np.arange(len(collection.topics) + 1))
    count = max(collection.document_count, int(docs.max()) + 1)
    judgments = bounds, docs, levels
    return replace(
        collection,
        document_count=count,
        corpus_size=max(collection.corpus_size, count),
        levels=levels_in_lists(collection.docs, collection.firsts, collection.lengths, judgments, count),
        judged_bounds=bounds,
        judged_docs=docs,
        judged_levels=levels,
        grades=grades,
        strata=np.zeros(len(grades), np.int64),
        subtopics=np.zeros((len(grades), 0), np.int64),
        topic_rule="judged",
        no_relevant=_without_relevant(collection.topics, pairs),
    )


def _without_relevant(topics: Sequence[str], pairs: JudgedPairs) -> tuple[str, ...]:
    relevant: NDArray[np.intp] = np.bincount(pairs.topics[pairs.grades > 0], minlength=len(topics))
    return tuple(topic for topic, count in zip(topics, relevant, strict=True) if count == 0)
