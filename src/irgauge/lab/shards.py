"""Shards of an index: topical clusters, drawn at random, or read from a map; the map that `--shards map:FILE` reads.

Clusters are those of k-means on a sample of the documents; every document goes to the nearest centre. Documents are
vectors of length 1, of (1 + ln tf) · ln(N / df), so that long documents weigh no more than short ones.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irgauge.compute.arrays import Indices
from irgauge.compute.tasks import counting, each
from irgauge.errors import DesignError, InputError
from irgauge.lab.analysis import of_extra
from irgauge.reading.trec import read_map, write_map
from irgauge.scoring.drawn import Shards

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from irgauge.lab.index import Index
    from irgauge.options.progress import Progress

_SHOWN = 3  # documents named in an error


def random_shards(documents: int, count: int, seed: int = 0) -> Shards:
    """Shards of equal size, or of two sizes that differ by one document."""
    if count > documents:
        raise DesignError(f"{count} shards are more than the {documents:,} documents; ask for fewer")
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    labels = np.arange(documents, dtype=np.int64) * count // documents
    return Shards(rng.permutation(labels).astype(np.int32), shard_names(count))


def save_shards(index: Index, shards: Shards, path: str | os.PathLike[str]) -> None:
    """Write the map: docno and shard on each line."""
    import polars as pl

    write_map(path, pl.Series(list(index.docnos)), shards.names_of_documents())


def read_shards(index: Index, path: str | os.PathLike[str]) -> Shards:
    """The shards of the documents of an index, as a map says; documents that it has beyond these do not matter."""
    shard_map = read_map(path)
    label_of = dict(zip(shard_map.docnos.to_list(), shard_map.labels.tolist(), strict=True))
    missing = [docno for docno in index.docnos if docno not in label_of]
    if missing:
        message = f"{len(missing):,} documents of the index are not in the map, such as {', '.join(missing[:_SHOWN])}"
        raise InputError(f"{message}; make the map of this index, with `irgauge lab shards`", path=str(path))
    labels = np.array([label_of[docno] for docno in index.docnos], np.int64)
    used, compact = np.unique(labels, return_inverse=True)
    return Shards(compact.astype(np.int32), tuple(shard_map.shards[label] for label in used.tolist()))


_STARTS = 4  # of k-means; the one whose documents are nearest to their centres is taken
_BLOCK = 20_000  # documents that are assigned together
_USUAL_SAMPLE = 10_000  # documents
_SAMPLE, _FIRST_START = 0, 1  # streams of random numbers; each start has its own


class Clustering(NamedTuple):
    """What is asked of topical clusters."""

    clusters: int
    sample: float | None = None  # share of the documents; None: 10,000 of them, or all if they are fewer
    seed: int = 0
    workers: int | None = None
    progress: Progress | None = None


def topical_shards(index: Index, asked: Clustering) -> Shards:
    """Shards whose documents are about the same; the same for the same seed on any number of workers."""
    vectors = document_vectors(index)
    sample = _sample(index.n_documents, asked)
    with _scikit_learn():
        starts = range(_FIRST_START, _FIRST_START + _STARTS)
        fit = partial(_fitted, _narrow(vectors[sample]), asked)
        models = each(fit, starts, asked.workers, named="start", then=counting(asked.progress, _STARTS))
        best = min(models, key=lambda model: model.inertia_)
        labels = np.concatenate([best.predict(_narrow(vectors[block])) for block in _blocks(index.n_documents)])
    return Shards(labels.astype(np.int32), shard_names(asked.clusters))


def shard_names(count: int) -> tuple[str, ...]:
    """Names of shards, which sort as their numbers do.

    >>> shard_names(10)[::9]
    ('S01', 'S10')
    """
    return tuple(f"S{number:0{len(str(count))}}" for number in range(1, count + 1))


def document_vectors(index: Index) -> csr_array:
    """vectors[document, term] of length 1; a document without terms has only zeros."""
    from scipy.sparse import csr_array

    counts = index.by_document
    rarities = np.log(index.n_documents / np.maximum(index.document_frequencies, 1))  # term
    weights = (1 + np.log(counts.data)) * rarities[counts.indices]
    of_entry = np.repeat(np.arange(index.n_documents), np.diff(counts.indptr))  # its document
    lengths = np.sqrt(np.bincount(of_entry, weights**2, minlength=index.n_documents))
    lengths[lengths == 0] = 1
    return csr_array((weights / lengths[of_entry], counts.indices, counts.indptr), shape=counts.shape)


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
    rng = np.random.default_rng(np.random.SeedSequence(asked.seed, spawn_key=(_SAMPLE,)))
    return np.sort(rng.choice(documents, size, replace=False))


def _fitted(vectors: csr_array, asked: Clustering, start: int) -> Any:  # noqa: ANN401  # scikit-learn has no types
    seed = int(np.random.SeedSequence(asked.seed, spawn_key=(start,)).generate_state(1)[0])
    with _one_thread():  # of OpenMP, whose limits are those of the thread that sets them
        model = of_extra("sklearn.cluster").KMeans(asked.clusters, n_init=1, random_state=seed).fit(vectors)
    distinct = len(np.unique(model.labels_))
    if distinct < asked.clusters:
        message = f"the sample has only {distinct} different documents, fewer than the {asked.clusters} clusters"
        raise DesignError(f"{message}; take a larger sample, or ask for fewer clusters")
    return model


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
