"""Families of tests that are corrected together, such as the pairs of systems by each of several measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import Correction, any_correction
from irgauge.inference.hierarchy import Members

M = TypeVar("M")


def level_of(alpha: float, group: Members[M], correction: str) -> float:
    """The level of one of the comparisons of a family: α / k, so that intervals hold for all together (Bonferroni).

    >>> pair = Members("secondary", ("AP", "nDCG"))
    >>> level_of(0.05, pair, "holm"), level_of(0.05, pair, "bh")
    (0.025, 0.05)
    """
    return alpha * group.share / len(group.members) if any_correction(correction).is_simultaneous else alpha


def corrected_together(comparisons: Sequence[Comparison], alpha: float, group: Members[M]) -> tuple[Comparison, ...]:
    """Comparisons, each at its level of α, as one family: p_adjusted is over all of their pairs.

    Where the test itself is of all pairs of a comparison, it is that of Bonferroni over the comparisons, min(1, k p).
    A share of α is that of Bonferroni too: p over the share.
    """
    k = len(comparisons)
    if k == group.share == 1:
        return (replace(comparisons[0], place=group.place),)
    return tuple(
        replace(comparison, p_adjusted=p, alpha=alpha, families=k, share=group.share, place=group.place)
        for comparison, p in zip(comparisons, _adjusted(comparisons, group.share), strict=True)
    )


def _adjusted(comparisons: Sequence[Comparison], share: float) -> list[Floats]:
    """Comparisons with the same correction are adjusted together, at as many of the k parts of α as they are."""
    together: dict[str, list[int]] = {}
    for place, comparison in enumerate(comparisons):
        together.setdefault(comparison.correction, []).append(place)
    adjusted: dict[int, Floats] = {}
    for name, places in together.items():
        own, part = [comparisons[place] for place in places], share * len(places) / len(comparisons)
        adjusted |= dict(zip(places, _of_correction(own, any_correction(name), part), strict=True))
    return [adjusted[place] for place in range(len(comparisons))]


def _of_correction(comparisons: Sequence[Comparison], correction: Correction, part: float) -> list[Floats]:
    """The adjusted p-values of comparisons that have a part of α; without a limit on any error there are no parts."""
    if correction.is_of_test:
        return [np.minimum(1.0, comparison.p_adjusted * len(comparisons) / part) for comparison in comparisons]
    p = correction.adjusted(np.concatenate([comparison.p for comparison in comparisons]))
    if correction.is_simultaneous:
        p = np.minimum(1.0, p / part)
    return np.split(p, np.cumsum([len(comparison.p) for comparison in comparisons])[:-1])
