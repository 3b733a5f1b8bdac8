"""The variances of the difference of two systems, as values[topic, system, shard] show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.contrasts import system_differences
from irgauge.inference.outcomes import pair_variances
from irgauge.inference.tests.crossed_t import DOCUMENTS, TOPICS
from irgauge.models.anova import CELL, Sums, decompose
from irgauge.planning.designs import MeanSquare, OverTopics, ShardSquares, TopicsAndShards, WithinTopics
from irgauge.planning.sizes import Size, Variances


@dataclass(frozen=True, eq=False)
class Observed:
    """What is known of the difference of a pair."""

    difference: float
    components: Mapping[str, float]  # of the difference, as estimated
    variances: Variances  # as far as they are known
    estimates: Variances  # taken as certain


@dataclass(frozen=True, eq=False)
class Observing:
    """Pairs of values[topic, system, shard], for claims about a population; an experiment to come has some systems.

    For topics there is one shard. For both, or topics+shards, topics and shards are a sample; for documents, or
    sources, these topics are fixed.
    """

    values: Floats
    population: str
    systems: int

    @cached_property
    def _sums(self) -> Sums:
        return decompose(self.values)

    @property
    def size(self) -> Size:
        """Of the experiment at hand."""
        return Size(self.values.shape[0], self.values.shape[2])

    def spreads(self) -> Floats:
        """How much differences vary, by which pairs are ordered; 0 where they never do: system, system."""
        if self.population in DOCUMENTS:
            within = self.values - self.values.mean(axis=2, keepdims=True)
            return pair_variances(within.transpose(0, 2, 1).reshape(-1, self.values.shape[1]))
        return pair_variances(self.values.mean(axis=2))

    def pair(self, first: int, second: int) -> Observed:
        """The difference of two systems."""
        d = self.values[:, first] - self.values[:, second]  # topic, shard
        if self.population in DOCUMENTS:
            return self._over_documents(first, second)
        return self._over_both(d) if self.population in TOPICS else _over_topics(d.mean(axis=1))

    def _over_both(self, d: Floats) -> Observed:
        sums, (topics, shards) = self._sums, self.size
        left, df = d - d.mean(axis=0) - d.mean(axis=1, keepdims=True) + d.mean(), (topics - 1) * (shards - 1)
        squares = ShardSquares(
            MeanSquare(float(d.mean(axis=1).var(ddof=1)), topics - 1),
            MeanSquare(float(np.square(left).sum()) / df, df),
            MeanSquare(2 * sums.ms("system:shard"), sums.df["system:shard"]),
            MeanSquare(2 * sums.ms(CELL), sums.df[CELL]),
        )
        known, certain = (TopicsAndShards.of(basis, self.size, self.systems) for basis in (squares, squares.certain))
        parts = {"topic:system": certain.topic, "system:shard": certain.shard, "residual": certain.residual}
        components = {name: float(drawn[0]) for name, drawn in parts.items()}
        return Observed(float(d.mean()), components, known, certain)

    def _over_documents(self, first: int, second: int) -> Observed:
        difference = system_differences(self._sums.fit("MD3"), np.array([first]), np.array([second]))
        square = MeanSquare(
            float(difference.error[0]) ** 2 * self.size.topics * self.size.replicates, float(difference.df[0])
        )
        known, certain = (WithinTopics.within(basis, self.size) for basis in (square, MeanSquare(square.value)))
        return Observed(float(difference.estimate[0]), {"within topics": square.value}, known, certain)


def _over_topics(d: Floats) -> Observed:
    square = MeanSquare(float(d.var(ddof=1)), variance_freedom(d))
    certain = OverTopics.of(MeanSquare(square.value))
    return Observed(float(d.mean()), {"topic:system": square.value}, OverTopics.of(square), certain)


def variance_freedom(d: Floats) -> float:
    """The degrees of freedom ν with which the variance of n values is known: 2/ν = 2/(n − 1) + γ/n.

    γ is their excess kurtosis, at least 0: where a few values are far from the others, as differences of AP are, the
    variance is known less well than that of normal values.

    >>> variance_freedom(np.arange(5.0)), round(variance_freedom(np.array([0.0] * 9 + [1.0])), 2)
    (4.0, 1.64)
    """
    n, squares = len(d), np.square(d - d.mean())
    if n < 4 or not squares.any():
        return float(n - 1)
    excess = float(np.square(squares).mean() / squares.mean() ** 2 - 3)
    kurtosis = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)  # corrected for the size of the sample
    return 2 / (2 / (n - 1) + max(0.0, kurtosis) / n)
