"""Families of tests that are corrected together, such as the pairs of systems by each of several measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import any_correction


def share_of(alpha: float, families: int, correction: str) -> float:
    """The level of one of several families: α / k, so that intervals hold for all families together (Bonferroni).

    >>> share_of(0.05, 2, "holm"), share_of(0.05, 2, "bh")
    (0.025, 0.05)
    """
    return alpha / families if any_correction(correction).is_simultaneous else alpha


def corrected_together(comparisons: Sequence[Comparison], alpha: float) -> tuple[Comparison, ...]:
    """Comparisons, each at its share of α, as one family: p is adjusted over all of their pairs.

    The correction of the pairs is applied to all of them; where the test itself is of all pairs of one family, p is
    that of Bonferroni over the families, min(1, k p).
    """
    if len(comparisons) == 1:
        return tuple(comparisons)
    adjusted = zip(comparisons, _adjusted(comparisons), strict=True)
    return tuple(replace(one, p=p, alpha=alpha, families=len(comparisons)) for one, p in adjusted)


def _adjusted(comparisons: Sequence[Comparison]) -> list[Floats]:
    correction = comparisons[0].corrected_by
    if correction.is_of_test:
        return [np.minimum(1.0, len(comparisons) * one.p) for one in comparisons]
    p = correction.adjusted(np.concatenate([one.p_single for one in comparisons]))
    return np.split(p, np.cumsum([len(one.p) for one in comparisons])[:-1])
