"""How far an estimated variance may be from the true one, at points that stand for all chances alike.

The points are a Latin hypercube, always the same: plans depend on no seed, and grow smoothly with the design.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import gammaincinv, ndtri

from irgauge.arrays import Floats

POINTS = 2048
_NEARLY_NORMAL = 60  # degrees of freedom from which Wilson and Hilferty's approximation is exact to four digits


@lru_cache(maxsize=512)
def ratios(df: float, dimension: int) -> Floats:
    """χ²(ν)/ν, an estimated variance over the true one, at the points of a dimension; 1 with infinite ν.

    >>> bool(abs(ratios(9, 0).mean() - 1) < 0.001), bool(abs(ratios(9, 0).var() - 2 / 9) < 0.002)
    (True, True)
    """
    if np.isinf(df):
        return np.ones(POINTS)
    if df < _NEARLY_NORMAL:
        return np.asarray(gammaincinv(df / 2, _chances(dimension)) * 2 / df)
    root = 1 - 2 / (9 * df) + _normal(dimension) * np.sqrt(2 / (9 * df))
    return root * root * root  # many times as fast as a power


@lru_cache(maxsize=16)
def _chances(dimension: int) -> Floats:
    """Evenly spread over 0 to 1, in an order of their own for each dimension."""
    return (np.random.default_rng(dimension).permutation(POINTS) + 0.5) / POINTS


@lru_cache(maxsize=16)
def _normal(dimension: int) -> Floats:
    """The same chances as values of a normal variable."""
    return np.asarray(ndtri(_chances(dimension)))
