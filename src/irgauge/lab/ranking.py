"""From a query to the documents that a model ranks first, in trec_eval's order; and RM3, which adds terms of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Ints
from irgauge.lab.index import Index
from irgauge.lab.models import ModelParameter, Postings, RankingModel, Values


class Query(NamedTuple):
    """Terms, each once and by their numbers, and their weights; and the terms as they follow each other."""

    terms: Ints
    weights: Floats
    order: Ints = np.zeros(0, np.int64)  # of a query without it no terms depend on each other

    @classmethod
    def of(cls, terms: Ints) -> Query:
        """A query whose terms weigh as often as they appear."""
        distinct, counts = np.unique(terms, return_counts=True)
        return cls(distinct, counts.astype(np.float64), terms)

    def normalised(self) -> Query:
        """The same with weights that sum to 1."""
        return Query(self.terms, self.weights / self.weights.sum(), self.order)


class RankedList(NamedTuple):
    """Documents of an index in rank order, and their scores."""

    documents: Ints
    scores: Floats


def rank(index: Index, query: Query, model: RankingModel, values: Values, depth: int) -> RankedList:
    """The first documents for a query, among those that have a term of it; terms that none has do not count."""
    is_known = index.document_frequencies[query.terms] > 0
    if not is_known.any():
        return RankedList(np.zeros(0, np.int64), np.zeros(0))
    order = query.order[index.document_frequencies[query.order] > 0]
    query = Query(query.terms[is_known], query.weights[is_known], order)
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
    if model.dependences is not None and len(order) > 1:
        share = query.weights.sum() / len(order)  # 1, but for a query whose weights were changed by feedback
        sums = sums + share * model.dependences(index, order, values)
    documents = np.flatnonzero(np.bincount(rows.indices, minlength=index.n_documents))
    lengths = index.lengths[documents].astype(np.float64)
    return first(documents, sums[documents] + query.weights.sum() * model.document_weight(lengths, values), depth)


def first(documents: Ints, scores: Floats, depth: int) -> RankedList:
    """The first documents: score descending, ties by docno descending, which is by number, as an index is in order."""
    if len(documents) > depth:
        least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        documents, scores = documents[scores >= least], scores[scores >= least]
    order = np.lexsort((-documents, -scores))[:depth]
    return RankedList(documents[order], scores[order])


FEEDBACK: Mapping[str, Mapping[str, ModelParameter]] = {
    "rm3": {
        "docs": ModelParameter(10, 1, 1000, "documents that terms are taken from", is_whole=True),
        "terms": ModelParameter(10, 1, 10_000, "terms that are added", is_whole=True),
        "weight": ModelParameter(0.5, 0, 1, "the share of the query as it was"),
    }
}


def expanded(index: Index, query: Query, first: RankedList, model: RankingModel, values: Values) -> Query:
    """The query after RM3, given the documents that it finds first:

        q'_t = weight · q_t / Σ q + (1 − weight) · p(t | R),   p(t | R) ∝ Σ_d p(t | d) p(q | d)

    over the first documents d, with p(t | d) = tf / dl, and only the most probable terms of R. p(q | d) is what a
    language model says of it; for other models the score takes its place.
    """
    if not len(first.documents):
        return query
    terms, probabilities, _ = _relevance(index, first, likelihoods(first.scores, model))
    best = np.lexsort((terms, -probabilities))[: int(values["terms"])]
    return mixed(query.normalised(), Query(terms[best], probabilities[best]).normalised(), values["weight"])


def likelihoods(scores: Floats, model: RankingModel) -> Floats:
    """p(q | d) of each document, which sum to 1; scores below 0 count as 0, where they are no logarithms."""
    weights = np.exp(scores - scores.max()) if model.is_log_probability else np.maximum(scores, 0)
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(scores), 1 / len(scores))


def _relevance(index: Index, first: RankedList, shares: Floats) -> Query:
    """The terms of some documents, weighted by p(t | R)."""
    rows = index.by_document[first.documents]
    of_row = np.repeat(np.arange(len(shares)), np.diff(rows.indptr))
    entries = rows.data / index.lengths[first.documents][of_row] * shares[of_row]
    terms, places = np.unique(rows.indices, return_inverse=True)
    return Query(terms.astype(np.int64), _sums(places, entries))


def mixed(query: Query, other: Query, share: float) -> Query:
    """A query whose weights are a share of one's and the rest of another's, without terms that have none; its order."""
    terms, places = np.unique(np.concatenate([query.terms, other.terms]), return_inverse=True)
    weights = _sums(places, np.concatenate([share * query.weights, (1 - share) * other.weights]))
    return Query(terms[weights > 0], weights[weights > 0], query.order)


def _sums(places: Indices, values: Floats) -> Floats:
    """The sum of the values at each place."""
    return np.bincount(places, values).astype(np.float64)
