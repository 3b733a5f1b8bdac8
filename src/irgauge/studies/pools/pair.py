"""Two runs under shallow pools: their difference and its p-value in every image, and what pools do to confidence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irgauge.compute.arrays import Bools, Floats

FALLS_TO = 0.5  # of the p-value with all judgments: from here on p is said to fall
RANGE = (0.05, 0.95)  # of images, between which differences and p-values are told


@dataclass(frozen=True, eq=False)
class PairPools:
    """The difference of two runs and its p-value, for each pool on the root and in every image."""

    first: str
    second: str
    root_difference: Floats  # measure, pool
    root_p: Floats  # measure, pool
    difference: Floats  # measure, pool, image
    p: Floats  # measure, pool, image
    chance_gain: Floats  # measure, pool: how often exchangeable runs gain as much confidence with some pool
    chance_loss: Floats  # measure, pool: how often they lose as much

    @cached_property
    def median_p(self) -> Floats:
        """The median over images: measure, pool."""
        return np.median(self.p, axis=2)

    @cached_property
    def lower(self) -> Floats:
        """The share of images in which p is lower than with all judgments: measure, pool."""
        return (self.p < self.p[:, -1:]).mean(axis=2)

    @cached_property
    def falls(self) -> Bools:
        """Whether p is lower than with all judgments in most images, and its median at most half: measure, pool."""
        return (self.lower > 0.5) & (self.median_p <= FALLS_TO * self.median_p[:, -1:])

    @cached_property
    def rises(self) -> Bools:
        """The opposite: in most images p is higher, and its median at least twice theirs."""
        higher = (self.p > self.p[:, -1:]).mean(axis=2)
        return (higher > 0.5) & (FALLS_TO * self.median_p >= self.median_p[:, -1:])

    def gains(self, alpha: float) -> Bools:
        """Whether fewer judgments bring more confidence, beyond what exchangeable runs show: measure, pool."""
        return self.falls & (self.chance_gain <= alpha)

    def loses(self, alpha: float) -> Bools:
        """Whether fewer judgments bring less confidence, beyond what exchangeable runs show: measure, pool."""
        return self.rises & (self.chance_loss <= alpha)

    @cached_property
    def median_difference(self) -> Floats:
        """The median over images: measure, pool."""
        return np.median(self.difference, axis=2)

    @cached_property
    def turns(self) -> Bools:
        """Whether the median difference favours the other run than with all judgments: measure, pool."""
        return self.median_difference * self.median_difference[:, -1:] < 0

    @cached_property
    def difference_range(self) -> Floats:
        """The bounds of the differences of most images: bound, measure, pool."""
        return np.quantile(self.difference, RANGE, axis=2)

    @cached_property
    def p_range(self) -> Floats:
        """The bounds of the p-values of most images: bound, measure, pool."""
        return np.quantile(self.p, RANGE, axis=2)

    def significant(self, alpha: float) -> Floats:
        """The share of images in which the runs differ: measure, pool."""
        return (self.p <= alpha).mean(axis=2)
