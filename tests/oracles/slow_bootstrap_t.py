"""The bootstrap-t test by its definition: every draw, every pair and every topic, one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

import numpy as np
from scipy import stats

from oracles.slow_skewed_t import outer_ends, statistics

Pair = tuple[int, int]
FEWEST = 4


def rests_on(d: Sequence[float]) -> float:
    """(Σ x²)² / Σ x⁴ around the mean; 0 where nothing varies."""
    mean = fmean(d)
    squares = [(one - mean) ** 2 for one in d]
    return 0.0 if max(d) - min(d) < 1e-12 else sum(squares) ** 2 / sum(square**2 for square in squares)


def largest_t(values: np.ndarray, pairs: Sequence[Pair], draws: Sequence[Sequence[int]]) -> list[float]:
    """Of each draw of topics the largest |t| around the mean of all topics, of pairs that vary on enough topics."""
    found = []
    for topics in draws:
        sizes = [0.0]
        for first, second in pairs:
            d = values[:, first] - values[:, second]
            if rests_on(d[topics]) >= FEWEST:
                sizes.append(abs(float(stats.ttest_1samp(d[topics], d.mean()).statistic)))
        found.append(max(sizes))
    return found


def p_and_ends(d: np.ndarray, largest: Sequence[float], alpha: float) -> tuple[float, float, float]:
    """p, low and high of one pair, given the largest |t| of each draw."""
    if rests_on(d.tolist()) < FEWEST:
        return 1.0, -math.inf, math.inf
    df = len(d) - 1
    kept = math.floor(alpha * (1 + len(largest)) + 1e-9)
    critical = max(sorted(largest)[-kept], float(stats.t.ppf(1 - alpha / 2, df)))
    t, corrected = statistics(d, 0.0)
    size = min(abs(t), abs(corrected)) if t * corrected > 0 else 0.0
    p = (1 + sum(one >= size * (1 - 1e-9) for one in largest)) / (1 + len(largest))
    return max(p, 2 * float(stats.t.sf(size, df))), *outer_ends(d, 2 * float(stats.t.sf(critical, df)))
