"""RM3: a query with terms of the documents that it finds first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.lab.index import Index
from irgauge.lab.models import Model
from irgauge.lab.parameters import Parameter, Values
from irgauge.lab.ranking import Query, Ranking

FEEDBACK: Mapping[str, Mapping[str, Parameter]] = {
    "rm3": {
        "docs": Parameter(10, 1, 1000, "documents that terms are taken from", is_whole=True),
        "terms": Parameter(10, 1, 10_000, "terms that are added", is_whole=True),
        "weight": Parameter(0.5, 0, 1, "the share of the query as it was"),
    }
}


def expanded(index: Index, query: Query, first: Ranking, model: Model, values: Values) -> Query:
    """The query after RM3, given the documents that it finds first:

        q'_t = weight · q_t / Σ q + (1 − weight) · p(t | R),   p(t | R) ∝ Σ_d p(t | d) p(q | d)

    over the first documents d, with p(t | d) = tf / dl, and only the most probable terms of R. p(q | d) is what a
    language model says of it; for other models the score takes its place.
    """
    if not len(first.documents):
        return query
    terms, probabilities = _relevance(index, first, likelihoods(first.scores, model))
    best = np.lexsort((terms, -probabilities))[: int(values["terms"])]
    return mixed(query.normalised(), Query(terms[best], probabilities[best]).normalised(), values["weight"])


def likelihoods(scores: Floats, model: Model) -> Floats:
    """p(q | d) of each document, which sum to 1; scores below 0 count as 0, where they are no logarithms."""
    weights = np.exp(scores - scores.max()) if model.is_log_probability else np.maximum(scores, 0)
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(scores), 1 / len(scores))


def _relevance(index: Index, first: Ranking, shares: Floats) -> Query:
    """The terms of some documents, weighted by p(t | R)."""
    rows = index.by_document[first.documents]
    of_row = np.repeat(np.arange(len(shares)), np.diff(rows.indptr))
    entries = rows.data / index.lengths[first.documents][of_row] * shares[of_row]
    terms, places = np.unique(rows.indices, return_inverse=True)
    return Query(terms.astype(np.int64), _sums(places, entries))


def mixed(query: Query, other: Query, share: float) -> Query:
    """A query whose weights are a share of one's and the rest of another's; terms that have none are left out."""
    terms, places = np.unique(np.concatenate([query.terms, other.terms]), return_inverse=True)
    weights = _sums(places, np.concatenate([share * query.weights, (1 - share) * other.weights]))
    return Query(terms[weights > 0], weights[weights > 0])


def _sums(places: Indices, values: Floats) -> Floats:
    """The sum of the values at each place."""
    return np.bincount(places, values).astype(np.float64)
