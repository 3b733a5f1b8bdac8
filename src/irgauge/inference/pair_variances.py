"""How much the difference of each two systems varies."""

from __future__ import annotations

import numpy as np

from irgauge.arrays import Floats

_ROUNDING = 1e-12  # of a variance, as a part of those that it is made from


def pair_variances(values: Floats) -> Floats:
    """The variance over rows of the difference of each two columns of values[row, system]: system, system.

    Var(x − y) = Var(x) + Var(y) − 2 Cov(x, y); what is left of two equal columns by rounding is 0.

    >>> pair_variances(np.array([[0.1, 0.1, 0.3], [0.2, 0.2, 0.1], [0.6, 0.6, 0.2]])).round(4).tolist()
    [[0.0, 0.0, 0.09], [0.0, 0.0, 0.09], [0.09, 0.09, 0.0]]
    """
    covariance = np.atleast_2d(np.cov(values, rowvar=False))
    both = np.add.outer(np.diag(covariance), np.diag(covariance))
    variance = both - 2 * covariance
    return np.where(variance > _ROUNDING * both, variance, 0.0)
