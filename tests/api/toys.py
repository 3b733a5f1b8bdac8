"""Measures of a team's module, as a program registers them."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
from numpy.typing import NDArray

from irgauge.extending import list_measure
from irgauge.scoring.catalogue import Record

Floats = NDArray[np.float64]


def plain_ap(grades: Floats, judged: Floats) -> float:
    """Average precision, slow and obvious."""
    ranks = [rank for rank, grade in enumerate(grades, 1) if grade >= 1]
    return sum(found / rank for found, rank in enumerate(ranks, 1)) / sum(grade >= 1 for grade in judged)


@numba.njit
def fast_ap(grades: Floats, judged: Floats) -> float:
    """The same, compiled."""
    relevant, total = 0, 0.0
    for i in range(len(grades)):
        if grades[i] >= 1:
            relevant += 1
            total += relevant / (i + 1)
    return total / (judged >= 1).sum()


def plain_dcg(grades: Floats, judged: Floats, k: int) -> float:
    """nDCG@k with the grades as gains."""
    gains, ideal = grades[:k].clip(0), judged[:k].clip(0)
    best = sum(gain / np.log2(rank + 1) for rank, gain in enumerate(ideal, 1))
    return float(sum(gain / np.log2(rank + 1) for rank, gain in enumerate(gains, 1)) / best)


def unjudged_share(grades: Floats, judged: Floats, k: int) -> float:
    """The share of the top k that is not judged."""
    return float(np.isnan(grades[:k]).sum() / k) + 0 * len(judged)


def own(name: str, function: Callable[..., object], **settings: object) -> Record:
    """A measure."""
    told = {"title": name, "explanation": "A toy.", "range": (0, 1), "direction": "higher"}
    return list_measure(name, function, **(told | settings))  # type: ignore[arg-type]  # any of them may be wrong
