"""The copulas of the normal distribution and of t with whole degrees of freedom."""

from __future__ import annotations

import math

from benchmarks.tests_of_means.stream import State, normals
from irgauge.compute.jit import kernel


@kernel
def normal_log_density(rho: float, x: float, y: float) -> float:
    """ln c where u = Φ(x) and v = Φ(y)."""
    rest = 1 - rho * rho
    return -math.log(rest) / 2 - (rho * rho * (x * x + y * y) - 2 * rho * x * y) / (2 * rest)


@kernel
def t_log_density(rho: float, df: float, x: float, y: float) -> float:
    """ln c where x and y are the quantiles u and v of t."""
    rest = 1 - rho * rho
    height = math.lgamma(df / 2 + 1) + math.lgamma(df / 2) - 2 * math.lgamma((df + 1) / 2) - math.log(rest) / 2
    joint = math.log1p((x * x + y * y - 2 * rho * x * y) / (df * rest))
    return height - (df / 2 + 1) * joint + (df + 1) / 2 * (math.log1p(x * x / df) + math.log1p(y * y / df))


@kernel
def draw_normal(rho: float, s: State) -> tuple[float, float]:
    """Two numbers from the copula of the normal distribution."""
    x, y = _pair(rho, s)
    return _phi(x), _phi(y)


@kernel
def draw_t(rho: float, df: int, s: State) -> tuple[float, float]:
    """Two numbers from the copula of t."""
    x, y = _pair(rho, s)
    square = 0.0
    for _ in range(df // 2):
        first, second = normals(s)
        square += first * first + second * second
    if df % 2:
        square += normals(s)[0] ** 2
    scale = math.sqrt(df / square)
    return t_chance(x * scale, df), t_chance(y * scale, df)


@kernel
def _pair(rho: float, s: State) -> tuple[float, float]:
    x, other = normals(s)
    return x, rho * x + math.sqrt(1 - rho * rho) * other


@kernel
def _phi(x: float) -> float:
    return math.erfc(-x / math.sqrt(2.0)) / 2


@kernel
def t_chance(t: float, df: int) -> float:
    """P(T ≤ t), by the finite series in θ = arctan(t/√df) (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    theta = math.atan(t / math.sqrt(df))
    cosine = math.cos(theta)
    is_odd = df % 2
    term, series = math.sin(theta) * (cosine if is_odd else 1.0), 0.0
    for i in range(df // 2):
        series += term
        term *= cosine * cosine * (2 * i + 1 + is_odd) / (2 * i + 2 + is_odd)
    return (1 + (2 / math.pi * (theta + series) if is_odd else series)) / 2
