"""The spread on a kind of topics, which a few topics may show too small: that on all kinds of its column counts too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
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
