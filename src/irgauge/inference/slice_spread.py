"""The spread on a kind of topics, which a few topics may show too small: that on all kinds of its column counts too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import critical_t
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
    se = np.where(on_slice.se > 0, np.sqrt(squares / df / n), 0.0)  # pair
    half, mean = critical_t(on_slice.level, df) * se, on_slice.difference
    t = np.divide(np.abs(mean), se, out=np.full_like(mean, math.inf), where=se > 0)
    p = np.where(se > 0, np.maximum(on_slice.p, 2 * stdtr(df, -t)), on_slice.p)
    return replace(
        on_slice,
        low=np.minimum(on_slice.low, mean - half),
        high=np.maximum(on_slice.high, mean + half),
        p=p,
        p_adjusted=on_slice.corrected_by.adjusted(p),
        se=np.maximum(on_slice.se, se),
    )
