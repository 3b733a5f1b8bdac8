"""The t-tests of a pair over strata, and how far strata disagree, by their definitions, number by number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Values = NDArray[np.float64]  # topic, system


def tested(strata: Sequence[Values], first: int, second: int) -> tuple[float, float, float, float]:
    """The mean difference of a pair, t, its degrees of freedom and its two-sided p."""
    means, parts, freedoms = [], [], []
    for values in strata:
        d = [float(row[first]) - float(row[second]) for row in values]
        means.append(fmean(d))
        parts.append(variance(d) / len(d))
        freedoms.append(len(d) - 1)
    error = math.sqrt(sum(parts)) / len(strata)
    df = sum(parts) ** 2 / sum(v * v / n for v, n in zip(parts, freedoms, strict=True))
    t = fmean(means) / error
    return fmean(means), t, df, 2 * float(stats.t.sf(abs(t), df))


class Over(NamedTuple):
    """What is said of a pair over other strata."""

    mean: float
    error: float
    df: float
    p: float
    tau2: float
    i2: float
    expected: tuple[float, float]


def over_strata(strata: Sequence[Values], first: int, second: int, weights: Sequence[float], alpha: float) -> Over:
    """The truth of a stratum varies by τ², what is observed there by v more; the squares between strata as matrices."""
    w = np.array(weights) / sum(weights)
    own = [[float(row[first]) - float(row[second]) for row in values] for values in strata]
    d = np.array([fmean(each) for each in own])
    v = np.array([variance(each) / len(each) for each in own])
    a = np.diag(w) - np.outer(w, w)  # d' A d = Σ w (d − d̄)²
    tau2 = max(0.0, (d @ a @ d - np.trace(a @ np.diag(v))) / np.trace(a))
    error2 = w @ np.diag(tau2 + v) @ w
    parts = (w**2 * v).tolist()
    same = sum(parts) ** 2 / sum(part**2 / (len(each) - 1) for part, each in zip(parts, own, strict=True))
    between = np.trace(a) ** 2 / np.trace(a @ a)
    df = min(float(between), same)
    mean, typical = float(w @ d), float(w @ v)
    half = float(stats.t.isf(alpha / 2, between)) * math.sqrt(tau2 + typical + error2)
    p = 2 * float(stats.t.sf(abs(mean) / math.sqrt(error2), df))
    return Over(mean, math.sqrt(error2), df, p, tau2, tau2 / (tau2 + typical), (mean - half, mean + half))


def ranks(significantly_better: set[tuple[str, str]], systems: Sequence[str]) -> dict[str, tuple[int, int]]:
    """From 1 + those that are better to all less those that are worse, of pairs (better, worse)."""
    return {
        one: (
            1 + sum((other, one) in significantly_better for other in systems),
            len(systems) - sum((one, other) in significantly_better for other in systems),
        )
        for one in systems
    }
