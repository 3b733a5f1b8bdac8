"""Ranks of systems by their means: values that differ in the last bits only are ties."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from irgauge.arrays import Floats

_ROUNDING = 1e-12  # of scores, within which they count as equal


def rounded(values: Floats) -> Floats:
    """Means without the last bits, which depend on the order of additions and would break ties."""
    return np.round(values / _ROUNDING) * _ROUNDING


def ranks(means: Floats) -> Floats:
    """The ranks of systems (measure, system, ...), ties sharing the mean of theirs.

    >>> ranks(np.array([[0.3, 0.5, 0.1 + 0.2]])).tolist()
    [[2.5, 1.0, 2.5]]
    """
    return rankdata(-rounded(means), axis=1)
