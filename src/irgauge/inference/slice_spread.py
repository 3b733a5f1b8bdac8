"""The spread on a kind of topics, which a few topics may show too small: that on all kinds of its column counts too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.comparison import Comparison
from irgauge.inference.sampling import MOST_WEIGHT, Sampling, SamplingColumns
from irgauge.reading.topic_slices import Slice


def with_common_spread(on_slice: Comparison, d: Floats, parts: Sequence[Slice]) -> Comparison:
    """The more cautious of a test on one slice and of one with the spread s that all slices of its column have.

    On the few topics of a slice rare large losses may not have shown yet, so that the small gains on all others look
    certain; of many slices some are such. With n topics of T in k slices, t = d̄ √n / s has T − k degrees of freedom;
    p is the larger of both, the interval the outer ends of both. d[topic, pair] are the differences on all topics, in
    the pairs of the comparison. A pair that differs by the same amount on all topics of the slice stays as it is.
    """
    n, df = on_slice.topics, sum(len(part.topics) for part in parts) - len(parts)
    if df < 1:
        return on_slice
    squares = sum(np.square(d[part.topics] - d[part.topics].mean(axis=0)).sum(axis=0) for part in parts)
    return with_error(on_slice, np.sqrt(squares / df / n), np.full(len(on_slice.se), float(df)))


def with_common_sampled_spread(
    on_slice: Comparison, d: Floats, part: Slice, parts: Sequence[Slice], sampling: Sampling
) -> Comparison:
    """The same where topics are in clusters or have weights; it is the same where these are of one topic, and equal.

    The variance V of a slice, by CR2, has ν degrees of freedom. With S the sum of the squared weights of topics, V/S is
    the variance of a topic, where these vary by themselves; with those of clusters it is that of a cluster, where its
    topics vary as one. S times the mean of V/S over all slices, by ν, is taken, in that of both ways which is larger,
    with Σ ν degrees of freedom, and fewer than there are clusters, as slices may have these in common.
    """
    variance, df = common_sampled_variance(d, part.topics, [own.topics for own in parts], sampling)
    return with_error(on_slice, np.sqrt(variance), np.full(len(on_slice.se), df))


def common_sampled_variance(
    d: Floats, topics: Indices, parts: Sequence[Indices], sampling: Sampling
) -> tuple[Floats, float]:
    """Of the means of d[topic, pair] on some topics, by the spread on all parts; and its degrees of freedom."""
    spreads = [spread for own in parts if (spread := _spread_on(own, d, sampling)) is not None]
    clusters = len(np.unique(np.concatenate([sampling.cluster[own] for own in parts])))
    freedom = np.array([spread.freedom for spread in spreads])  # part
    unit = np.stack([spread.variance / spread.squares[:, None] for spread in spreads])  # part, way, pair
    squares = weight_squares(sampling.on(topics))
    variance = (squares[:, None] * np.average(unit, axis=0, weights=freedom)).max(axis=0)
    return variance, min(float(freedom.sum()), clusters - 1.0)


class _Spread(NamedTuple):
    """Of the mean on a slice."""

    variance: Floats  # pair
    freedom: float
    squares: Floats  # of the weights of topics, and of clusters


def _spread_on(topics: Indices, d: Floats, sampling: Sampling) -> _Spread | None:
    """None where nearly all of the weight is that of one cluster, which shows no spread."""
    if not shows_spread(topics, sampling):
        return None
    own = replace(sampling, columns=SamplingColumns()).on(topics)  # also of so few clusters that nothing is claimed
    return _Spread(np.square(own.of(d[topics]).se), float(own.freedom[0]), weight_squares(own))


def shows_spread(topics: Indices, sampling: Sampling) -> bool:
    """Whether no cluster has nearly all of the weight of some topics."""
    weight = sampling.weight[topics]
    return bool(np.bincount(sampling.cluster[topics], weight).max() <= MOST_WEIGHT * weight.sum())


def weight_squares(sampling: Sampling) -> Floats:
    """The sums of the squares of weights of topics, and of clusters."""
    of_clusters = np.bincount(sampling.cluster, sampling.weight)
    return np.array([np.square(sampling.weight).sum(), np.square(of_clusters).sum()])


def with_error(comparison: Comparison, se: Floats, df: Floats) -> Comparison:
    """The more cautious of a test and of a t-test with another error se[pair] of df[pair] degrees of freedom."""
    varies = comparison.se > 0
    se, mean = np.where(varies, se, 0.0), comparison.difference  # pair
    half = -stdtrit(df, comparison.level / 2) * se
    t = np.divide(np.abs(mean), se, out=np.full_like(mean, math.inf), where=se > 0)
    p = np.where(se > 0, np.maximum(comparison.p, 2 * stdtr(df, -t)), comparison.p)
    return replace(
        comparison,
        low=np.minimum(comparison.low, mean - half),
        high=np.maximum(comparison.high, mean + half),
        p=p,
        p_adjusted=comparison.corrected_by.adjusted(p),
        se=np.maximum(comparison.se, se),
    )
