"""One variance, which more values make small: of a pair's differences over topics, or over shards within topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.planning.power import POINTS, ratios
from irgauge.planning.sizes import Expected, Size
from irgauge.planning.student import critical

PLANNED = 8  # dimensions of chance from here on are of the experiment to come, those before of the pilot


class MeanSquare(NamedTuple):
    """An estimated variance, and the degrees of freedom that it is known with; infinite for one that is typed in."""

    value: float
    df: float = np.inf

    def drawn(self, dimension: int) -> Floats:
        """What it may have as its expectation: MS ν/χ²(ν)."""
        return self.value / ratios(self.df, dimension)


@dataclass(frozen=True, eq=False)
class OverTopics:
    """The variance σ² of a difference from topic to topic: Var(d̄) = σ²/T, with T − 1 degrees of freedom."""

    variance: Floats  # draw
    least: int = 1

    @classmethod
    def of(cls, over_topics: MeanSquare) -> OverTopics:
        """From the variance of the differences in a pilot."""
        return cls(over_topics.drawn(0))

    def _spread(self, size: Size) -> tuple[Floats, float]:
        """The variance of d̄, and the degrees of freedom that it is estimated with."""
        return self.variance / size.topics, size.topics - 1

    def expected(self, size: Size, level: float) -> Expected:
        """Student's t."""
        variance, freedom = self._spread(size)
        df, se = np.full(POINTS, freedom), np.sqrt(variance)
        return Expected(se, critical(df, level=level) * se, df)

    def half_widths(self, size: Size, level: float) -> Floats:
        """t √(Var χ²(ν)/ν)."""
        variance, freedom = self._spread(size)
        return critical(np.full(POINTS, freedom), level=level) * np.sqrt(variance * ratios(freedom, PLANNED))


@dataclass(frozen=True, eq=False)
class WithinTopics(OverTopics):
    """The variance of a difference over the shards of a topic: Var(d̄) = σ²/TS, these topics fixed.

    Its degrees of freedom, which are fewer than T (S − 1) where topics vary unequally, grow with T (S − 1).
    """

    freedom: float = 1.0  # of each topic and shard beyond the first
    least: int = 2

    @classmethod
    def within(cls, mean_square: MeanSquare, size: Size) -> WithinTopics:
        """From the mean of the variances within topics, in a pilot of that size."""
        values = size.topics * (size.replicates - 1)
        freedom = 1.0 if np.isinf(mean_square.df) else mean_square.df / values
        return cls(mean_square.drawn(0), freedom=freedom)

    def _spread(self, size: Size) -> tuple[Floats, float]:
        topics, shards = size
        return self.variance / (topics * shards), self.freedom * topics * (shards - 1)
