"""Clusters of topics, or topics alone, drawn with replacement; with weights, among those that count about as much.

Where weights are asked for, they stay: each cluster is replaced by one drawn among the ten that are nearest in weight.
Drawn with their weights, one with much of it would be missing in a third of the draws, and twice in a fifth: other
topics are not like that, as their weights vary too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling

_NEAREST = 10  # clusters, from which one is drawn


def redrawn(sampling: Sampling, rng: np.random.Generator) -> tuple[Indices, Sampling]:
    """The topics of drawn clusters, as many of each kind as there are, and how they came together.

    What has nearly all of its weight in one cluster is refused by tests, and drawn again.
    """
    order = np.argsort(sampling.cluster, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(sampling.cluster))[:-1])
    while True:
        replaced, by = _donors(sampling, rng)
        rows = np.concatenate([members[cluster] for cluster in by])
        cluster = np.repeat(np.arange(len(by)), [len(members[cluster]) for cluster in by])
        try:
            return rows, _weighed(rows, cluster, replaced, sampling)
        except DesignError:
            continue


def as_drawn(sampling: Sampling) -> Sampling:
    """With the weights that topics have over all draws, by which means are known: as they are, where these stay."""
    if sampling.columns.weights is None:
        return sampling
    of_cluster = _of_clusters(sampling)
    over = np.zeros(len(of_cluster))
    for clusters, first, size in _windows(sampling):
        for place, start in enumerate(first.tolist()):
            over[clusters[start : start + size]] += of_cluster[clusters[place]] / size
    return replace(sampling, weight=sampling.weight * (over / of_cluster)[sampling.cluster])


def _of_clusters(sampling: Sampling) -> Floats:
    """The weight of each cluster."""
    return np.bincount(sampling.cluster, sampling.weight).astype(np.float64)


def _windows(sampling: Sampling) -> list[tuple[Indices, Indices, int]]:
    """Of each kind its clusters, the lightest first, for each where the nearest begin, and how many these are."""
    weight, windows = _of_clusters(sampling), []
    for kind in range(int(sampling.kind.max()) + 1):
        own = np.flatnonzero(sampling.kind_of_cluster == kind)
        clusters = own[np.argsort(weight[own], kind="stable")]
        size = len(own) if sampling.columns.weights is None else min(_NEAREST, len(own))
        windows.append((clusters, np.clip(np.arange(len(own)) - size // 2, 0, len(own) - size), size))
    return windows


def _donors(sampling: Sampling, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """The clusters, and for each the one that is drawn in its place."""
    windows = _windows(sampling)
    by = [clusters[first + rng.integers(size, size=len(first))] for clusters, first, size in windows]
    return np.concatenate([clusters for clusters, _, _ in windows]), np.concatenate(by)


def _weighed(rows: Indices, cluster: Indices, replaced: Indices, sampling: Sampling) -> Sampling:
    """Clusters have the weights of those that they replace, or their own; those of a kind sum to its share."""
    kind, weight = sampling.kind[rows], sampling.weight[rows]
    if sampling.columns.weights is not None:
        weight = weight * (_of_clusters(sampling)[replaced] / np.bincount(cluster, weight))[cluster]
    shares = np.bincount(sampling.kind, sampling.weight)
    return Sampling(weight * (shares / np.bincount(kind, weight))[kind], cluster, kind, sampling.columns)
