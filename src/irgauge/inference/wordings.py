"""How much of the differences between systems comes with the wording of a need, and what more of either would bring.

With y[need, wording, system], wordings inside needs and crossed with systems, the difference of two systems varies by
σ_N² from need to need and by σ_W² from wording to wording: Var(d̄) = (σ_N² + σ_W² mean(1/k)) / n of means over k
wordings of each of n needs. All pairs share both: mean squares of systems within wordings and of systems by need, of
which the second is expected to be σ_N² + σ_W² mean(1/k) (Searle, Casella and McCulloch, Variance Components, 1992).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError


@dataclass(frozen=True)
class WordingSpread:
    """The variance of the difference of two systems, in the mean over pairs: from need to need, and among wordings."""

    needs: int
    wordings: float  # of a need: 1 / mean(1/k)
    of_needs: float  # σ_N²
    of_wordings: float  # σ_W²

    @property
    def share(self) -> float:
        """Of the variance of means over the wordings at hand, what these make."""
        noise = self.of_wordings / self.wordings
        return noise / (self.of_needs + noise) if noise > 0 else 0.0

    def width(self, *, needs: float = 1.0, wordings: float = 1.0) -> float:
        """How wide an interval would be with so many times the needs and the wordings, against now."""
        now = self.of_needs + self.of_wordings / self.wordings
        then = self.of_needs + self.of_wordings / (self.wordings * wordings)
        return math.sqrt(then / now / needs) if now > 0 else math.nan


@dataclass(frozen=True, eq=False)
class WordingSquares:
    """Mean squares of the difference of two systems, in the mean over pairs, and what they are of."""

    means: Floats  # need, system
    counts: Indices  # need: its wordings
    within: float  # σ_W²
    between: float  # expected to be σ_N² + σ_W² mean(1/k)

    @property
    def freedom(self) -> int:
        """Of each pair within needs."""
        return int((self.counts - 1).sum())

    @property
    def per_wording(self) -> float:
        """The mean of 1/k."""
        return float((1 / self.counts).mean())


def wording_spread(values: Floats) -> WordingSpread:
    """Of values[need, system, wording], NaN where a need has fewer wordings.

    >>> values = np.array([[[0.5, 0.7], [0.4, 0.2]], [[0.3, 0.3], [0.1, 0.3]], [[0.9, 0.7], [0.6, 0.4]]])
    >>> spread = wording_spread(values)
    >>> spread.needs, spread.wordings, round(spread.of_wordings, 4), round(spread.of_needs, 4)
    (3, 2.0, 0.0333, 0.0)
    """
    squares = wording_squares(values)
    of_needs = max(0.0, squares.between - squares.within * squares.per_wording)
    return WordingSpread(len(squares.counts), 1 / squares.per_wording, of_needs, squares.within)


def wording_squares(values: Floats) -> WordingSquares:
    """Of values[need, system, wording], as above; wordings count that are scored for all systems."""
    there = np.asarray(~np.isnan(values).any(axis=1))  # need, wording: scored for all systems
    counts = there.sum(axis=1)
    kept = values[counts > 0]
    there, counts = there[counts > 0], counts[counts > 0]
    n, systems = kept.shape[:2]
    if n < 2 or (counts - 1).sum() < 1:
        raise DesignError("there are no two needs with wordings, and one of these with two, to tell them apart by")
    cells = np.where(there[:, None], kept, 0.0)
    means = cells.sum(axis=2) / counts[:, None]  # need, system
    left = np.where(there[:, None], kept - means[:, :, None], 0.0)
    left -= left.mean(axis=1, keepdims=True)
    within = float(np.square(left).sum()) / ((systems - 1) * int((counts - 1).sum()))
    apart = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    between = float(np.square(apart).sum()) / ((systems - 1) * (n - 1))
    return WordingSquares(means, counts, 2 * within, 2 * between)
