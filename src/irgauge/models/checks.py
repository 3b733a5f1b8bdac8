"""Can values be computed with, and do residuals look as F tests assume? Normality, equal variance, the tail of F."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, fdtrc, ndtri

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError

_LEAST_RANGE = 1e-140  # of values, whose squares vanish soon below


def f_tail(df: float, df_error: float, f: float) -> float:
    """P(F ≥ f); in logarithms where it is very small, as scipy's then loses digits, and is 0 from about 1e-280.

    I_x(a, b) = x^a (1 − x)^b / (a B(a, b)) · ₂F₁(a + b, 1; a + 1; x), with x = df_error / (df_error + df f).

    >>> f"{f_tail(3, 13965, 516.7207195):.4g}"
    '1.849e-318'
    """
    p = float(fdtrc(df, df_error, f))
    if p > 1e-200:
        return p
    a, b, odds = df_error / 2, df / 2, df * f / df_error
    x = 1 / (1 + odds)
    slowest = max(x, x * (a + b) / (a + 1))  # of the ratios of successive terms
    k = np.arange(math.ceil(-40 / math.log(slowest)))
    series = 1 + float(np.cumprod((a + b + k) / (a + 1 + k) * x).sum())
    log_p = -(a + b) * math.log1p(odds) + b * math.log(odds) - math.log(a) - float(betaln(a, b)) + math.log(series)
    return math.exp(log_p)


@dataclass(frozen=True)
class Check:
    """A test of an assumption."""

    statistic: float
    p: float


def check_range(values: Floats) -> None:
    """Refuse values so close to each other that their squares vanish."""
    if np.ptp(values) < _LEAST_RANGE:
        raise DesignError(f"all values lie within {np.ptp(values):g}, too little to compute with; scale the scores")


def jarque_bera(residuals: Floats) -> Check:
    """Are residuals of mean 0 normal? JB = N/6 (skewness² + (kurtosis − 3)²/4), χ² with 2 df (Jarque and Bera 1987).

    >>> round(jarque_bera(np.array([-1.0, -1.0, -1.0, 3.0])).statistic, 4)
    0.963
    """
    z = residuals / math.sqrt(float(np.square(residuals).mean()))
    skewness, kurtosis = float((z * z * z).mean()), float(np.square(z * z).mean())
    statistic = z.size / 6 * (skewness**2 + (kurtosis - 3) ** 2 / 4)
    return Check(statistic, math.exp(-statistic / 2))


def levene(residuals: Floats, axis: int) -> Check:
    """Do residuals vary equally at all levels along an axis? Deviations from the group mean.

    W = (N − k)/(k − 1) · Σ n(z_i − z)² / Σ(z_ij − z_i)², z_ij = |ε_ij − ε_i|. NaN where z is constant in each group,
    as in groups of two (Levene 1960).

    >>> round(levene(np.array([[1.0, 2.0, 4.0], [1.0, 5.0, 12.0]]), 0).statistic, 4)
    3.3465
    """
    groups = _groups(residuals, axis)
    return _equal_deviations(np.abs(groups - groups.mean(axis=1, keepdims=True)))


def brown_forsythe(residuals: Floats, axis: int) -> Check:
    """Levene's test by deviations from the group median, which holds for skewed values too (Brown and Forsythe 1974).

    >>> round(brown_forsythe(np.array([[1.0, 2.0, 4.0], [1.0, 5.0, 12.0]]), 0).statistic, 4)
    1.6
    """
    groups = _groups(residuals, axis)
    return _equal_deviations(np.abs(groups - np.median(groups, axis=1, keepdims=True)))


def _groups(residuals: Floats, axis: int) -> Floats:
    return np.moveaxis(residuals, axis, 0).reshape(residuals.shape[axis], -1)  # level, value


def _equal_deviations(z: Floats) -> Check:
    """The F test of deviations z[level, value]."""
    levels, n = z.shape
    means = z.mean(axis=1, keepdims=True)
    between, within = n * np.square(means - z.mean()).sum(), np.square(z - means).sum()
    if within <= 1e-24 * np.square(z).sum():  # rounding
        return Check(math.nan, math.nan)
    statistic = (z.size - levels) / (levels - 1) * between / within
    return Check(float(statistic), f_tail(levels - 1, z.size - levels, float(statistic)))


@dataclass(frozen=True)
class Quantiles:
    """Quantiles of residuals beside those that normal ones would have, in standard deviations; the tails in full."""

    normal: tuple[float, ...]
    residual: tuple[float, ...]


def normal_quantiles(residuals: Floats, most: int = 200) -> Quantiles:
    """Sorted residuals over their standard deviation beside Φ⁻¹((i − 1/2) / n); of the crowded middle only some.

    >>> normal_quantiles(np.array([-1.0, 0.0, 1.0])).normal
    (-0.967..., 0.0, 0.967...)
    """
    ordered = np.sort(residuals, axis=None)
    normal = ndtri((np.arange(1, len(ordered) + 1) - 0.5) / len(ordered))
    places = np.unique(np.searchsorted(normal, np.linspace(normal[0], normal[-1], most)).clip(0, len(ordered) - 1))
    deviation = float(ordered.std()) or 1.0
    return Quantiles(tuple(normal[places].tolist()), tuple((ordered[places] / deviation).tolist()))
