"""The paired t-test with a guard against skewness: its two statistics by scipy, and its interval by a search."""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, stats


def statistics(d: np.ndarray, shift: float) -> tuple[float, float]:
    """Student's t of differences that are less by a shift, and the one that is corrected for skewness."""
    n, gamma = len(d), float(stats.skew(d, bias=False))
    w = (d.mean() - shift) / d.std(ddof=1)
    g = w + gamma * w**2 / 3 + gamma**2 * w**3 / 27 + gamma / (6 * n)
    return math.sqrt(n) * float(w), math.sqrt(n) * float(g)


def outer_ends(d: np.ndarray, level: float) -> tuple[float, float]:
    """Where both statistics cross the critical values, by a search."""
    critical = stats.t.ppf(1 - level / 2, len(d) - 1)
    reach = 50 * d.std(ddof=1)

    def crossing(which: int, at: float) -> float:
        found = optimize.brentq(
            lambda shift: statistics(d, shift)[which] - at, d.mean() - reach, d.mean() + reach, xtol=1e-13
        )
        return float(found)

    return min(crossing(i, critical) for i in (0, 1)), max(crossing(i, -critical) for i in (0, 1))


def larger_p(d: np.ndarray) -> float:
    """The larger p of both statistics; 1 where they do not point the same way."""
    t, corrected = statistics(d, 0.0)
    return max(float(2 * stats.t.sf(abs(one), len(d) - 1)) for one in (t, corrected)) if t * corrected > 0 else 1.0
