"""The interval of one system's mean, for other topics like these.

With Student's t for whole degrees of freedom, without the start-up time of a library of distributions.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.scoring.measures import ROUNDING, Range

_ROOM = 3.0  # topics by which scores are away from an end, below which a tail may be unseen
_NO_ROOM = 1e-6  # the same, of scores that are all at the end
_EXACT = 1e-15  # a relative step of Newton's method that changes nothing
Bounds = tuple[Floats, Floats]  # low, high


def t_quantile(probability: float, df: int) -> float:
    """The value that t with `df` degrees of freedom does not exceed with this probability, above one half.

    The distribution function is concave there and the normal quantile lies to the left, so that Newton's
    method comes up to the quantile without passing it.

    >>> round(t_quantile(0.975, 49), 4)
    2.0096
    """
    t = NormalDist().inv_cdf(probability)
    while (step := (probability - _cdf(t, df)) / _density(t, df)) > _EXACT * t:
        t += step
    return t


def _density(t: float, df: int) -> float:
    height = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    return height * (1 + t * t / df) ** (-(df + 1) / 2)


def _cdf(t: float, df: int) -> float:
    """P(T ≤ t) by the finite series in θ = arctan(t/√df) (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    theta = math.atan(t / math.sqrt(df))
    cosine_squared = math.cos(theta) ** 2
    is_odd = df % 2
    term = math.sin(theta) * (math.cos(theta) if is_odd else 1.0)
    series = 0.0
    for i in range(df // 2):
        series += term
        term *= cosine_squared * (2 * i + 1 + is_odd) / (2 * i + 2 + is_odd)
    within = 2 / math.pi * (theta + series) if is_odd else series
    return (1 + within) / 2


def mean_bounds(values: Floats, *, alpha: float = 0.05, within: Range | None = None) -> Bounds:
    """The ends, for each system, of an interval of the mean over other topics, from values[topic, system].

    Within a range, here 0 to 1, scores near its ends spread less. The interval holds every μ with

        (m − μ)² ≤ t² ρ μ(1 − μ) / (n − 1),    ρ = (Σ(x − m)² + kκ) / (n m(1 − m) + kκ),

    where m is the mean of n topics, t = t(1 − α/2; n − 1), and ρ is the variance as a part of the largest that is
    possible with this mean. κ = q(1 − q), q = (Σx + ½) / (n + 1), stands for one more topic whose score is 0 or 1, as
    few topics show too little of a long tail: k is 1, but (3/r)² where scores are away from the nearer end by fewer
    than three topics, r = n min(m, 1 − m). Binary scores, and scores that are all 0 or all 1, have ρ = 1: Wilson's
    interval (Journal of the American Statistical Association 1927), with t. It never leaves the range.

    Without a range: mean ± t s/√n, longer on the side of the longer tail by |g| s (2t² + 1) / 6n, where g is the
    skewness (the shift of Johnson, Journal of the American Statistical Association 1978); NaN where all scores are
    the same. NaN for one topic, always.

    >>> low, high = mean_bounds(np.array([[0.0, 0.1], [0.0, 0.0], [0.0, 0.4], [0.0, 0.1]]), within=(0, 1))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.007], [0.771, 0.822])
    """
    check_alpha(alpha)
    if len(values) < 2:
        undefined = np.full(values.shape[1:], np.nan)
        return undefined, undefined
    t = t_quantile(1 - alpha / 2, len(values) - 1)
    if within is None:
        return _unbounded(values, t)
    least, largest = within
    x = from_0_to_1(values, within)
    low, high = wilson(x.mean(axis=0), float(len(x)), x.var(axis=0), t)
    return least + low * (largest - least), least + high * (largest - least)


def wilson(m: Floats, n: Floats | float, variance: Floats, t: Floats | float) -> Bounds:
    """The roots of (m − μ)² = c μ(1 − μ), of n scores from 0 to 1 with mean m and variance Σ(x − m)²/n."""
    q = (n * m + 0.5) / (n + 1)
    room = np.maximum(n * np.minimum(m, 1 - m), _NO_ROOM)
    one_more = np.maximum(1.0, (_ROOM / room) ** 2) * q * (1 - q)
    rho = (n * variance + one_more) / (n * m * (1 - m) + one_more)
    c = t * t * rho / (n - 1)
    centre, square = (m + c / 2) / (1 + c), m * m / (1 + c)
    half = np.sqrt(np.maximum(centre * centre - square, 0.0))
    return np.clip(centre - half, 0.0, m), np.clip(centre + half, m, 1.0)


def _unbounded(x: Floats, t: float) -> Bounds:
    """Student's t interval, longer toward the longer tail."""
    n, m, s = len(x), x.mean(axis=0), x.std(axis=0, ddof=1)
    s = np.where((np.ptp(x, axis=0) > 0) & (s > 0), s, np.nan)  # the sum of equal scores may not be exact
    half, shift = t * s / math.sqrt(n), _skewness(x, m, s) * s * (2 * t * t + 1) / (6 * n)
    return m - half + np.minimum(shift, 0.0), m + half + np.maximum(shift, 0.0)


def _skewness(x: Floats, m: Floats, s: Floats) -> Floats:
    """n Σ((x − m)/s)³ / ((n − 1)(n − 2)); 0 for two topics, which show none."""
    n = len(x)
    return n * (((x - m) / s) ** 3).sum(axis=0) / ((n - 1) * max(n - 2, 1))


def from_0_to_1(values: Floats, within: Range) -> Floats:
    """The scores as parts of the range, to which rounding is cut."""
    least, largest = within
    x = (values - least) / (largest - least)
    if not ((x >= -ROUNDING) & (x <= 1 + ROUNDING)).all():
        raise DesignError(
            f"scores from {np.min(values):g} to {np.max(values):g} are not within {least:g} and {largest:g}"
        )
    return np.clip(x, 0.0, 1.0)
