"""The distribution of a system's scores over topics, and its like with another mean.

All systems of a measure share cells, small intervals of scores or single values; a margin is the chance that a score
lies in a cell or before it. Within a cell all scores are equally likely, so that means are exact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.jit import kernel

_STEPS = 100  # of a search that needs about ten
_EXACT = 1e-10  # of a mean
_MOST = 8.0  # of the logarithm of a power


class Cells(NamedTuple):
    """Where scores can lie: from `low` on, over `width`, which is 0 where a measure has few values."""

    low: Floats
    width: Floats

    @property
    def middle(self) -> Floats:
        """The mean score of each cell."""
        return self.low + self.width / 2


def means(margins: Floats, cells: Cells) -> Floats:
    """The mean of each of margins[..., cell].

    >>> means(np.array([0.5, 1.0]), Cells(np.array([0.0, 0.5]), np.array([0.5, 0.5]))).item()
    0.5
    """
    return np.diff(margins, axis=-1, prepend=0.0) @ cells.middle


@kernel
def quantile(p: float, margin: Floats, low: Floats, width: Floats) -> float:
    """The score that is not exceeded with probability p."""
    first, last = 0, len(margin) - 1
    while first < last:
        middle = (first + last) // 2
        if margin[middle] < p:
            first = middle + 1
        else:
            last = middle
    if width[first] == 0:
        return low[first]
    before = margin[first - 1] if first else 0.0
    return low[first] + width[first] * (p - before) / (margin[first] - before)


@kernel(makes_arrays=True)
def moved(margin: Floats, middle: Floats, mean: float) -> Floats:
    """The margin with another mean: F becomes Fᵃ with a > 1 to raise it, 1 − (1 − F)ᵃ to lower it.

    These are beta distributions of F with one shape of 1, as Urbano and Nagler (SIGIR 2018) come to by a search.
    """
    low, off_low = 0.0, _mean(margin, middle, 0.0) - mean
    high = math.copysign(1.0, -off_low)
    off_high = _mean(margin, middle, high) - mean
    while off_low * off_high > 0 and abs(high) < _MOST:
        low, off_low, high = high, off_high, 2 * high
        off_high = _mean(margin, middle, high) - mean
    at = high
    for _ in range(_STEPS):  # the method of false position, as amended in Illinois
        at = (low * off_high - high * off_low) / (off_high - off_low)
        off = _mean(margin, middle, at) - mean
        if abs(off) < _EXACT:
            break
        if off * off_high < 0:
            low, off_low = high, off_high
        else:
            off_low /= 2
        high, off_high = at, off
    found = np.empty(len(margin))
    for cell in range(len(margin)):
        found[cell] = _turned(margin[cell], at)
    return found


@kernel
def _mean(margin: Floats, middle: Floats, at: float) -> float:
    total, before = 0.0, 0.0
    for cell in range(len(margin)):
        chance = _turned(margin[cell], at)
        total += (chance - before) * middle[cell]
        before = chance
    return total


@kernel
def _turned(chance: float, at: float) -> float:
    """To the power of a = exp(at), or the other way round with one below 0."""
    return chance ** math.exp(at) if at > 0 else 1 - (1 - chance) ** math.exp(-at)
