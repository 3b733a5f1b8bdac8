"""The t-test of a pair over strata by its definition, number by number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance

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


def ranks(significantly_better: set[tuple[str, str]], systems: Sequence[str]) -> dict[str, tuple[int, int]]:
    """From 1 + those that are better to all less those that are worse, of pairs (better, worse)."""
    return {
        one: (
            1 + sum((other, one) in significantly_better for other in systems),
            len(systems) - sum((one, other) in significantly_better for other in systems),
        )
        for one in systems
    }
