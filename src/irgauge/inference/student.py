"""Student's t for whole degrees of freedom, without the start-up time of a library of distributions."""

from __future__ import annotations

import math
from statistics import NormalDist

_EXACT = 1e-15  # a relative step of Newton's method that changes nothing


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
