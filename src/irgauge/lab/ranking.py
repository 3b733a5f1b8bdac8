"""From a query to the documents that a model ranks first, in trec_eval's order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.lab.index import Index
from irgauge.lab.models import Model, Postings
from irgauge.lab.parameters import Values


class Query(NamedTuple):
    """Terms, each once and in their order, and their weights."""

    terms: Ints
    weights: Floats

    @classmethod
    def of(cls, terms: Ints) -> Query:
        """A query whose terms weigh as often as they appear."""
        distinct, counts = np.unique(terms, return_counts=True)
        return cls(distinct, counts.astype(np.float64))

    def normalised(self) -> Query:
        """The same with weights that sum to 1."""
        return Query(self.terms, self.weights / self.weights.sum())


class Ranking(NamedTuple):
    """Documents of an index in rank order, and their scores."""

    documents: Ints
    scores: Floats


def rank(index: Index, query: Query, model: Model, values: Values, depth: int) -> Ranking:
    """The first documents for a query, among those that have a term of it; terms that none has do not count."""
    is_known = index.document_frequencies[query.terms] > 0
    if not is_known.any():
        return Ranking(np.zeros(0, np.int64), np.zeros(0))
    query = Query(query.terms[is_known], query.weights[is_known])
    rows = index.counts[query.terms]
    of_row = np.repeat(np.arange(len(query.terms)), np.diff(rows.indptr))
    postings = Postings(
        tf=rows.data.astype(np.float64),
        dl=index.lengths[rows.indices].astype(np.float64),
        df=index.document_frequencies[query.terms].astype(np.float64)[of_row],
        cf=index.collection_frequencies[query.terms].astype(np.float64)[of_row],
        documents=index.n_documents,
        tokens=index.n_tokens,
    )
    entries = query.weights[of_row] * model.weight(postings, values)
    sums = np.bincount(rows.indices, entries, minlength=index.n_documents)
    documents = np.flatnonzero(np.bincount(rows.indices, minlength=index.n_documents))
    lengths = index.lengths[documents].astype(np.float64)
    return first(documents, sums[documents] + query.weights.sum() * model.document_weight(lengths, values), depth)


def first(documents: Ints, scores: Floats, depth: int) -> Ranking:
    """The first documents: score descending, ties by docno descending, which is by number, as an index is in order."""
    if len(documents) > depth:
        least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        documents, scores = documents[scores >= least], scores[scores >= least]
    order = np.lexsort((-documents, -scores))[:depth]
    return Ranking(documents[order], scores[order])
