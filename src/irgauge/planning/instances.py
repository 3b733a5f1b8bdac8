"""Topics and instances, both a sample: the difference of two algorithms, each with variances of its own.

    Var(d̄) = σ_D²/T + Σ (σ_i²/m + σ²/Tm),  the sum over the random algorithms

The interval is ± √(t²(T − 1) D + Σ t²(m − 1) I), where D and I are the parts of topics and of instances as they are
estimated: see `models.mixed.squares`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.intervals import critical_t
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.planning.power import POINTS, ratios
from irgauge.planning.sizes import Expected, Size
from irgauge.planning.student import freedom_of
from irgauge.planning.topics import PLANNED, MeanSquare


@dataclass(frozen=True, eq=False)
class TopicsAndInstances:
    """Draws of the variances of two algorithms."""

    over_topics: Floats  # draw: σ_D²
    instance: Floats  # random algorithm, draw: σ_i²
    residual: Floats  # random algorithm, draw: σ²

    @classmethod
    def known(cls, over_topics: float, instance: float, residual: float, algorithms: int = 2) -> TopicsAndInstances:
        """Variances that are typed in, the same for so many random algorithms."""
        each = np.ones((algorithms, POINTS))
        return cls(over_topics * np.ones(POINTS), instance * each, residual * each)

    @classmethod
    def of(cls, squares: TwoAlgorithms, *, is_certain: bool = False) -> TopicsAndInstances:
        """The variances behind the mean squares of a pilot, which may be taken as certain.

        A variance is the mean square that it is part of, less what the residual adds to that, and at least 0.
        """
        several = [one for one in (squares.first, squares.second) if one.instances > 1]
        of_topics = _drawn(squares.over_topics, squares.topics - 1, 0, is_certain=is_certain)
        drawn = [_of_instances(one, 1 + 2 * i, is_certain=is_certain) for i, one in enumerate(several)]
        instance, residual = (np.array([one[i] for one in drawn]).reshape(-1, POINTS) for i in range(2))
        noise = sum((row / one.instances for row, one in zip(residual, several, strict=True)), np.zeros(POINTS))
        return cls(np.maximum(of_topics - noise, 0.0), instance, residual)

    @property
    def least(self) -> int:
        """One instance of a random algorithm tells nothing of others."""
        return 2 if len(self.instance) else 1

    def expected(self, size: Size, level: float) -> Expected:
        """With the degrees of freedom with which Student's t has the interval of the same width."""
        topics, count = size
        over_topics, between = self._means(size)
        own = np.maximum(self.instance, between / max(count - 1, 1)) / count
        parts = np.array([over_topics / topics, *own])  # part, draw
        half = np.sqrt((parts * self._t2(size, level)).sum(axis=0))
        df = freedom_of(half / np.sqrt(parts.sum(axis=0)), level=level)
        return Expected(np.sqrt(over_topics / topics + self.instance.sum(axis=0) / count), half, df)

    def half_widths(self, size: Size, level: float) -> Floats:
        """With each part as it is estimated."""
        over_topics, between = self._means(size)
        drawn = over_topics * ratios(size.topics - 1, PLANNED) / size.topics
        parts = np.array([drawn, *self._estimated(size, between)])
        return np.sqrt((parts * self._t2(size, level)).sum(axis=0))

    def _means(self, size: Size) -> tuple[Floats, Floats]:
        """The mean squares expected over topics, and between instances; the latter by random algorithm."""
        topics, count = size
        return self.over_topics + self.residual.sum(axis=0) / count, self.instance + self.residual / topics

    def _estimated(self, size: Size, between: Floats) -> list[Floats]:
        """The part of the instances of each random algorithm, as estimated."""
        topics, count = size
        df, parts = count - 1, []
        for i, (mean_square, left) in enumerate(zip(between, self.residual, strict=True)):
            found = mean_square * ratios(df, PLANNED + 1 + 2 * i)
            residual = left * ratios(df * (topics - 1), PLANNED + 2 + 2 * i)
            parts.append(np.maximum(found - residual / topics, found / df) / count)
        return parts

    def _t2(self, size: Size, level: float) -> Floats:
        """t² of each part: part, 1."""
        df = [size.topics - 1, *(size.replicates - 1 for _ in self.instance)]
        return np.array([[critical_t(level, one) ** 2] for one in df])


def _of_instances(one_algorithm: OneAlgorithm, dimension: int, *, is_certain: bool) -> tuple[Floats, Floats]:
    """Draws of σ_i² and of σ² of an algorithm."""
    residual = _drawn(one_algorithm.residual, max(one_algorithm.residual_df, 1), dimension, is_certain=is_certain)
    between = _drawn(one_algorithm.between, one_algorithm.instances - 1, dimension + 1, is_certain=is_certain)
    return np.maximum(between - residual / len(one_algorithm.means), 0.0), residual


def _drawn(mean_square: float, df: int, dimension: int, *, is_certain: bool) -> Floats:
    return MeanSquare(mean_square, np.inf if is_certain else df).drawn(dimension)
