"""The interval of one system's mean, for other topics like these, where topics are in clusters or have weights."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from irgauge.compute.arrays import Floats
from irgauge.errors import check_alpha
from irgauge.inference.mean_bounds import Bounds, from_0_to_1, wilson
from irgauge.inference.sampling import Sampling
from irgauge.scoring.measures import Range


def sampled_bounds(values: Floats, sampling: Sampling, alpha: float = 0.05, within: Range | None = None) -> Bounds:
    """The ends, for each system, of an interval of the mean over other topics, from values[topic, system].

    As `mean_bounds`, with the mean, its error, skewness and degrees of freedom of `inference.sampling`. Within a range,
    topics count for as many n as would have that error if they were drawn one by one, σ²/(n − 1) = V, at most as many
    as there are; scores that do not vary count for as many as there are degrees of freedom, and one more.
    """
    check_alpha(alpha)
    sampled = sampling.of(values)
    t = np.asarray(-stdtrit(sampled.df, alpha / 2))
    if within is None:
        se = np.where(sampled.se > 0, sampled.se, np.nan)
        half, shift = t * se, sampled.skewness * se * (2 * t * t + 1) / 6
        return sampled.mean - half + np.minimum(shift, 0.0), sampled.mean + half + np.maximum(shift, 0.0)
    least, largest = within
    x, width = from_0_to_1(values, within), largest - least
    m = sampling.means(x)
    spread, variance = sampling.means(np.square(x - m)), np.square(sampled.se / width)
    alike = np.divide(spread, variance, out=sampled.df.copy(), where=variance > 0) + 1
    low, high = wilson(m, np.minimum(alike, len(x)), spread, t)
    return least + low * width, least + high * width
