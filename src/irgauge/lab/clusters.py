"""Topical shards: clusters of documents by k-means.

Clusters are those of a sample of the documents; every document goes to the nearest centre. Documents are vectors of
length 1, of (1 + ln tf) · ln(N / df), so that long documents weigh no more than short ones. With a log of queries each
term weighs 1 + ln(1 + q) as much, where q queries have it, and k-means starts from clusters of the queries (after Dai,
Xiong and Callan 2016, who start from clusters of the log's terms). With a bound a document goes to the nearest centre
that is not full of documents nearer to it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.compute.arrays import Floats, Indices, Ints
from irgauge.compute.tasks import counting, each
from irgauge.errors import DesignError
from irgauge.lab.analysis import of_extra
from irgauge.lab.shards import shard_names
from irgauge.scoring.drawn import Shards

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from irgauge.lab.index import Index
    from irgauge.options.progress import Progress

STARTS = 4  # of k-means; the one whose documents are nearest to their centres is taken
_BLOCK = 20_000  # documents that are assigned together
_USUAL_SAMPLE = 10_000  # documents
_SAMPLE, _FIRST_START = 0, 1  # streams of random numbers; each start has its own


@dataclass(frozen=True)
class Clustering:
    """What is asked of topical clusters."""

    clusters: int
    sample: float | None = None  # share of the documents; None: 10,000 of them, or all if they are fewer
    seed: int = 0
    sample_seed: int | None = None  # None: the same
    starts: int = STARTS
    most: int | None = None  # documents of a cluster
    log: Sequence[str] = ()  # texts of queries
    workers: int | None = None
    progress: Progress | None = None


def topical_shards(index: Index, asked: Clustering) -> Shards:
    """Shards whose documents are about the same; the same for the same seed on any number of workers."""
    _check_room(index.n_documents, asked)
    queries = _query_counts(index, asked.log)
    weights = term_weights(index, queries)
    vectors = unit_vectors(index.by_document, weights)
    sample = _sample(index.n_documents, asked)
    with _scikit_learn():
        starts = range(_FIRST_START, _FIRST_START + asked.starts)
        fit = partial(_fitted, _narrow(vectors[sample]), _narrow(unit_vectors(queries, weights)), asked)
        models = each(fit, starts, asked.workers, named="start", then=counting(asked.progress, asked.starts))
        best = min(models, key=lambda model: model.inertia_)
        labels = _assigned(best, vectors, asked.most)
    return Shards(labels.astype(np.int32), shard_names(asked.clusters))


def _check_room(documents: int, asked: Clustering) -> None:
    if asked.most is not None and asked.most * asked.clusters < documents:
        message = f"{asked.clusters} clusters of at most {asked.most:,} documents have no room for all {documents:,}"
        raise DesignError(f"{message}; it takes at least {-(-documents // asked.clusters):,} a cluster")


def _query_counts(index: Index, log: Iterable[str]) -> csr_array:
    """How often each term is in each query, of those that have any: query × term."""
    from scipy.sparse import csr_array

    queries = [terms for text in log if len(terms := index.analyse(text))]
    terms = np.concatenate([*queries, np.zeros(0, np.int64)])
    ends = np.cumsum([0, *map(len, queries)])
    counts = csr_array((np.ones(len(terms)), terms, ends), shape=(len(queries), len(index.terms)))
    counts.sum_duplicates()
    return counts


def term_weights(index: Index, queries: csr_array) -> Floats:
    """ln(N / df) · (1 + ln(1 + q)) of each term, which q queries of a log have."""
    rarities = np.log(index.n_documents / np.maximum(index.document_frequencies, 1))
    asked = np.bincount(queries.indices, minlength=len(index.terms))
    weights: Floats = rarities * (1 + np.log1p(asked))
    return weights


def unit_vectors(counts: csr_array, weights: Floats) -> csr_array:
    """vectors[text, term] of length 1, by how often a term is in a text; one without terms has only zeros."""
    from scipy.sparse import csr_array

    entries = (1 + np.log(counts.data)) * weights[counts.indices]
    of_entry = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))  # its text
    lengths = np.sqrt(np.bincount(of_entry, entries**2, minlength=counts.shape[0]))
    lengths[lengths == 0] = 1
    return csr_array((entries / lengths[of_entry], counts.indices, counts.indptr), shape=counts.shape)


def _narrow(vectors: csr_array) -> csr_array:
    """The same with places of 32 bits, the only ones that scikit-learn takes."""
    from scipy.sparse import csr_array

    places = vectors.indices.astype(np.int32), vectors.indptr.astype(np.int32)
    return csr_array((vectors.data, *places), shape=vectors.shape)


def _sample(documents: int, asked: Clustering) -> Indices:
    """The documents that are clustered, in their order."""
    size = min(documents, _USUAL_SAMPLE) if asked.sample is None else round(asked.sample * documents)
    if asked.clusters > documents:
        message = f"{asked.clusters} clusters are more than the {documents:,} documents"
        raise DesignError(f"{message}; ask for fewer clusters")
    if asked.clusters > size:
        share = "" if asked.sample is None else f" of {asked.sample:g}"
        message = f"a sample{share} has {size:,} of {documents:,} documents, fewer than the {asked.clusters} clusters"
        raise DesignError(f"{message}; take a larger sample, or ask for fewer clusters")
    seed = asked.seed if asked.sample_seed is None else asked.sample_seed
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_SAMPLE,)))
    return np.sort(rng.choice(documents, size, replace=False))


def _fitted(vectors: csr_array, queries: csr_array, asked: Clustering, start: int) -> Any:  # noqa: ANN401  # scikit-learn has no types
    """The clusters of one start: from documents drawn at random, or from clusters of queries."""
    seed = int(np.random.SeedSequence(asked.seed, spawn_key=(start,)).generate_state(1)[0])
    if not asked.log:
        return _k_means(vectors, asked.clusters, seed, "the sample has only {} different documents")
    of_queries = _k_means(
        queries, asked.clusters, seed, "the log has only {} different queries with terms of documents"
    )
    return _k_means(vectors, asked.clusters, seed, "the sample has only {} different documents", of_queries)


def _k_means(vectors: csr_array, clusters: int, seed: int, lack: str, centres: Any = None) -> Any:  # noqa: ANN401  # as above
    """Fitted clusters, from centres that are given or drawn."""
    begin = "k-means++" if centres is None else centres.cluster_centers_
    rows = vectors.shape[0]
    if rows >= clusters:
        with _one_thread():  # of OpenMP, whose limits are those of the thread that sets them
            model = of_extra("sklearn.cluster").KMeans(clusters, init=begin, n_init=1, random_state=seed).fit(vectors)
        distinct = len(np.unique(model.labels_))
        if distinct == clusters:
            return model
        rows = distinct
    raise DesignError(f"{lack.format(rows)}, fewer than the {clusters} clusters; take more, or ask for fewer clusters")


def _assigned(model: Any, vectors: csr_array, most: int | None) -> Ints:  # noqa: ANN401  # as above
    """The cluster of each document."""
    blocks = [_narrow(vectors[block]) for block in _blocks(vectors.shape[0])]
    if most is None:
        return np.concatenate([model.predict(block) for block in blocks])
    return bounded(np.concatenate([model.transform(block) for block in blocks]), most)


def bounded(distances: Floats, most: int) -> Ints:
    """The cluster of each document, by distances[document, cluster], with at most so many documents in a cluster.

    A document is in the nearest cluster that is not full of documents nearer to it: each asks for its nearest, a
    cluster keeps the nearest documents, and the others ask for their next (Gale and Shapley 1962).

    >>> bounded(np.array([[1.0, 9.0], [2.0, 3.0], [3.0, 8.0]]), 2).tolist()
    [0, 0, 1]
    """
    choices = np.argsort(distances, axis=1, kind="stable")  # document, place: cluster
    places, documents = np.zeros(len(distances), np.int64), np.arange(len(distances))
    while True:
        labels = choices[documents, places]
        refused = _refused(labels, distances[documents, labels], most)
        if not len(refused):
            return labels
        places[refused] += 1


def _refused(labels: Ints, distances: Floats, most: int) -> Indices:
    """The documents for which a cluster has no room."""
    order = np.lexsort((distances, labels))
    begins = np.searchsorted(labels[order], labels[order])
    return order[np.arange(len(order)) - begins >= most]


@contextmanager
def _scikit_learn() -> Iterator[None]:
    """Let scikit-learn sum in one thread: the order of a sum, and so its last digits, would depend on their number.

    That it finds fewer clusters is told by an error of our own.
    """
    warning = of_extra("sklearn.exceptions").ConvergenceWarning
    with _one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", warning)
        yield


def _one_thread() -> AbstractContextManager[object]:
    return of_extra("threadpoolctl").threadpool_limits(limits=1)


def _blocks(documents: int) -> Iterator[slice]:
    return (slice(first, first + _BLOCK) for first in range(0, documents, _BLOCK))
