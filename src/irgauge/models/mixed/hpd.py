"""The highest posterior density interval: the shortest that holds a share of the draws."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from irgauge.errors import DesignError, check_alpha


def hpd_interval(draws: ArrayLike, alpha: float = 0.05) -> tuple[float, float]:
    """The shortest interval that holds a share 1 − α of the draws (Jayasinghe et al. 2014, section 2).

    Of all intervals from the i-th smallest draw to the (i + ⌈(1 − α)N⌉ − 1)-th, the shortest: for a density with one
    peak it is that of highest density (Chen and Shao, J. Comput. Graph. Statist. 8, 1999).

    >>> hpd_interval([5.0, 1.0, 2.0, 2.5, 9.0], alpha=0.4)
    (1.0, 2.5)
    """
    ordered = np.sort(np.asarray(draws, np.float64), axis=None)
    check_alpha(alpha)
    if len(ordered) == 0 or not np.isfinite(ordered).all():
        raise DesignError(f"an interval needs finite draws, at least one; {len(ordered)} are given")
    held = max(1, math.ceil((1 - alpha) * len(ordered) - 1e-9))
    first = int(np.argmin(ordered[held - 1 :] - ordered[: len(ordered) - held + 1]))
    return float(ordered[first]), float(ordered[first + held - 1])
