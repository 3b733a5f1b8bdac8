"""Experiments whose topics came together as these did: in clusters, with weights, in kinds of known shares.

The worlds are those of `worlds` for other topics, in which the topics of a cluster stay together: they change places,
have signs and are drawn as one. Systems are equally good by the mean that counts, Σ w y. That of topics taken one by
one may be another, where systems do better on what counts more; it is kept so only if that is shown, since else a
chance of these topics would be taken for a truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.special import stdtr

from irgauge.calibrating.redrawing import as_drawn, redrawn
from irgauge.calibrating.worlds import BANDWIDTH, RESAMPLED, Drawn, Rng, World, distinct
from irgauge.compute.arrays import Bools, Floats
from irgauge.inference.sampling import Sampling

FEW_OF_A_KIND = 5  # clusters: of fewer, signs or draws alone leave a kind too often without a spread
_SHOWN = 0.05  # the level at which two means are shown to differ


def sampled_worlds(values: Floats, sampling: Sampling) -> Iterator[World]:
    """The worlds of values[topic, system, 1] in which all systems are equally good by the mean that counts.

    >>> from irgauge.inference.sampling import SamplingColumns
    >>> scores, zeros = np.random.default_rng(1).random((20, 3, 1)), np.zeros(20, np.intp)
    >>> pairs = Sampling(np.full(20, 0.05), np.arange(20) // 2, zeros, SamplingColumns(cluster="user"))
    >>> [world.name for world in sampled_worlds(scores, pairs)]
    ['permuted', 'flipped', 'resampled']
    """
    systems, shared = values.shape[1], values.mean(axis=1, keepdims=True)
    if systems > 2:  # of two systems, to change places is to change the sign
        yield World("permuted", partial(_permuted, shared, values - shared, sampling), systems)
    is_shown = differ_by_weight(values, sampling)
    yield World("flipped", _flips(values, shared, sampling, keeps_kinds=is_shown), systems)
    kept = distinct(cluster_means(values, sampling)[:, :, 0])
    if len(kept) > 1:
        draw = partial(_resampled, *_of_kinds(values[:, kept], as_drawn(sampling)), sampling)
        tells = is_shown or not sampling.is_weighted
        yield World(RESAMPLED, draw, len(kept), is_resampled=True, tells_of_plain=tells)


def differ_by_weight(values: Floats, sampling: Sampling) -> bool:
    """Whether the mean that counts of any system of values[topic, system, 1], beside others, is not the plain one.

    By Σ (w − 1/n) y, whose error is that of its sums over clusters, as t with one degree of freedom less than there are
    clusters, corrected for the number of systems.
    """
    y = (values - values.mean(axis=1, keepdims=True))[:, :, 0]
    parts = sampling.sums_of_clusters((sampling.weight - 1 / len(y))[:, None] * (y - y.mean(axis=0)))
    groups, shift = len(parts), parts.sum(axis=0)
    error = np.sqrt(groups / (groups - 1) * np.square(parts - shift / groups).sum(axis=0))
    t = np.divide(np.abs(shift), error, out=np.zeros_like(shift), where=error > 0)
    return bool((2 * stdtr(groups - 1, -t) <= _SHOWN / y.shape[1]).any())


def cluster_means(values: Floats, sampling: Sampling) -> Floats:
    """The weighted means of values[topic, system, 1] on each cluster; cluster, system, 1."""
    by_topic = sampling.weight[:, None] * values[:, :, 0]
    return (sampling.sums_of_clusters(by_topic) / np.bincount(sampling.cluster, sampling.weight)[:, None])[:, :, None]


def _of_kinds(part: Floats, sampling: Sampling) -> tuple[Floats, Floats]:
    """What is left of part[topic, system, 1] beside the means of its kind, and these less that of all; as part."""
    shares = np.bincount(sampling.kind, sampling.weight)
    sums = np.stack([np.bincount(sampling.kind, sampling.weight * y) for y in part[:, :, 0].T], axis=1)  # kind, system
    means = (sums / shares[:, None])[sampling.kind][:, :, None]
    return part - means, means - sampling.means(part)


def _flips(values: Floats, shared: Floats, sampling: Sampling, *, keeps_kinds: bool) -> Callable[[Rng], Drawn]:
    """The draw of signs around one mean of each system, or around those of kinds where these are to stay apart.

    Around its own mean a kind of two clusters has one residual twice, and half of the signs would leave it no spread.
    So kinds of few clusters draw normal deviates there, and not signs.
    """
    if not keeps_kinds:
        part = values - shared
        squares = np.square(np.bincount(sampling.cluster, sampling.weight)).sum()
        left = (part - sampling.means(part)) / np.sqrt(1 - squares)
        return partial(_flipped, shared, left, sampling, np.zeros(sampling.clusters, np.bool_))
    left, apart = _of_kinds(values - shared, sampling)
    length = np.sqrt(1 / (1 - _squares_in_kinds(sampling)))[sampling.kind]
    return partial(_flipped, shared + apart, left * length[:, None, None], sampling, _are_few(sampling))


def _are_few(sampling: Sampling) -> Bools:
    """Of each cluster, whether its kind has few; False where there are no kinds."""
    counts = np.bincount(sampling.kind_of_cluster)
    return (counts < FEW_OF_A_KIND)[sampling.kind_of_cluster] & (len(counts) > 1)


def _squares_in_kinds(sampling: Sampling) -> Floats:
    """Σ W² over the clusters of a kind, W the part of its weight that a cluster has; kind."""
    shares, of_cluster = np.bincount(sampling.kind, sampling.weight), np.bincount(sampling.cluster, sampling.weight)
    kinds = sampling.kind_of_cluster
    return np.bincount(kinds, np.square(of_cluster / shares[kinds])).astype(np.float64)


def _permuted(shared: Floats, part: Floats, sampling: Sampling, rng: Rng) -> Drawn:
    """Systems change places, the same on all topics of a cluster."""
    orders = rng.permuted(np.tile(np.arange(part.shape[1]), (sampling.clusters, 1)), axis=1)  # cluster, system
    values = shared + np.take_along_axis(part, orders[sampling.cluster][:, :, None], axis=1)
    return Drawn(values, np.zeros(part.shape[1]), sampling)


def _flipped(fixed: Floats, left: Floats, sampling: Sampling, is_normal: Bools, rng: Rng) -> Drawn:
    """The sign of what is left is drawn for each cluster; for some a normal deviate instead."""
    drawn = _or_normal(signs(sampling, rng), is_normal, sampling, rng)
    return Drawn(fixed + left * drawn, np.zeros(left.shape[1]), sampling)


def _or_normal(drawn: Floats, is_normal: Bools, sampling: Sampling, rng: Rng) -> Floats:
    """What was drawn for each cluster, on its topics; for some a normal deviate instead; topic, 1, 1."""
    if not is_normal.any():
        return drawn
    deviates = rng.normal(size=sampling.clusters)
    return np.where(is_normal[sampling.cluster][:, None, None], deviates[sampling.cluster][:, None, None], drawn)


def signs(sampling: Sampling, rng: Rng) -> Floats:
    """A sign for each cluster, on its topics; topic, 1, 1."""
    return np.asarray(rng.choice((-1.0, 1.0), sampling.clusters)[sampling.cluster][:, None, None])


def _resampled(left: Floats, apart: Floats, sampling: Sampling, rng: Rng) -> Drawn:
    """Clusters drawn with replacement, with all their topics; one of two would often be drawn twice."""
    rows, drawn = redrawn(sampling, rng)
    varied = _or_normal(lengths(drawn, rng), _are_few(drawn), drawn, rng)
    return Drawn(apart[rows] + left[rows] * varied, np.zeros(left.shape[1]), drawn)


def lengths(drawn: Sampling, rng: Rng) -> Floats:
    """(1 + h ε) / √(1 + h²) for each cluster, on its topics: a cluster that is drawn twice is not the same twice.

    Means of 0, variances and what topics of a cluster have in common stay as they are; topic, 1, 1.
    """
    z = rng.normal(size=drawn.clusters)
    return np.asarray(((1 + BANDWIDTH * z) / np.sqrt(1 + BANDWIDTH**2))[drawn.cluster][:, None, None])
