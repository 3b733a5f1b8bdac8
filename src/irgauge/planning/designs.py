"""Designs: the variance of the difference d̄ of a pair, by what is sampled and how large the experiment is.

- Topics alone, or shards within topics that are fixed: one variance, which more values make small.
- Topics and shards: Var(d̄) = σ_D²/T + σ_S²/S + σ²/TS. σ_D² is of the difference from topic to topic, σ_S² from shard to
  shard on all topics alike, σ² is what is left. As in the test crossed-t, the part of topics is estimated of the pair
  itself, that of shards of all systems together; where shards differ in kind, of the pair itself if that is larger.
- Topics and instances, each algorithm with variances of its own: Var(d̄) = σ_D²/T + Σ (σ_i²/m + σ²/Tm), the sum over the
  random algorithms. The interval is ± √(t²(T − 1) D + Σ t²(m − 1) I), where D and I are the parts of topics and of
  instances as they are estimated: see `models.mixed.squares`.

And the variances of the difference of two systems as values[topic, system, shard] show them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.contrasts import system_differences
from irgauge.inference.intervals import critical_t
from irgauge.inference.outcomes import pair_squares, pair_variances
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.crossed_t import DOCUMENTS, OF_A_KIND, TOPICS
from irgauge.models.anova import CELL, Sums, decompose
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.planning.power import POINTS, critical, freedom_of, ratios
from irgauge.planning.sizes import Expected, Size, Variances

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


@dataclass(frozen=True, eq=False)
class OverUnits(OverTopics):
    """The variance of topics in clusters, or with weights, as these are: Var(d̄) = σ²/T.

    Its degrees of freedom, which are fewer than G − 1 where clusters are of unequal size, grow with G − 1.
    """

    freedom: float = 1.0  # of each cluster beyond the first
    each: float = 1.0  # topics of a cluster

    def _spread(self, size: Size) -> tuple[Floats, float]:
        return self.variance / size.topics, max(1.0, self.freedom * (size.topics / self.each - 1))


class ShardSquares(NamedTuple):
    """Mean squares of differences: two of the pair, and two of all systems, or of the pair too."""

    over_topics: MeanSquare  # of means over shards: expected σ_D² + σ²/S
    residual: MeanSquare  # σ²
    over_shards: MeanSquare  # of all systems: σ² + T σ_S²
    all_residual: MeanSquare  # of all systems: σ²

    @property
    def certain(self) -> ShardSquares:
        """Taken as the true ones."""
        return ShardSquares(*(MeanSquare(square.value) for square in self))


@dataclass(frozen=True, eq=False)
class TopicsAndShards:
    """Draws of the three variances."""

    topic: Floats  # draw: σ_D²
    shard: Floats  # draw: σ_S²
    residual: Floats  # draw: σ²
    systems: int  # of the experiment to come
    least: int = 2

    @classmethod
    def known(cls, topic: float, shard: float, residual: float, systems: int = 2) -> TopicsAndShards:
        """Variances that are typed in."""
        return cls(MeanSquare(topic).drawn(0), MeanSquare(shard).drawn(0), MeanSquare(residual).drawn(0), systems)

    @classmethod
    def of(cls, squares: ShardSquares, size: Size, systems: int) -> TopicsAndShards:
        """From mean squares in a pilot of some size."""
        left = squares.residual.drawn(1)
        topic = np.maximum(squares.over_topics.drawn(0) - left / size.replicates, 0.0)
        shard = np.maximum((squares.over_shards.drawn(2) - squares.all_residual.drawn(3)) / size.topics, 0.0)
        return cls(topic, shard, left, systems)

    def expected(self, size: Size, level: float) -> Expected:
        """With Satterthwaite's degrees of freedom."""
        own, over_shards, cells = self._parts(size)
        variance, df = _joined(size, self.systems, own, over_shards, cells)
        se = np.sqrt(variance)
        return Expected(se, critical(df, level=level) * se, df)

    def half_widths(self, size: Size, level: float) -> Floats:
        """With each part as it is estimated."""
        freedom = _freedom(size, self.systems)
        drawn = [
            part * ratios(df, PLANNED + i) for i, (part, df) in enumerate(zip(self._parts(size), freedom, strict=True))
        ]
        variance, df = _joined(size, self.systems, *drawn)
        return critical(df, level=level) * np.sqrt(variance)

    def _parts(self, size: Size) -> tuple[Floats, Floats, Floats]:
        """Mean squares over TS: of topics, of shards, and of the residual, which is in that of shards; draw."""
        topics, shards = size
        left = self.residual / (topics * shards)
        return self.topic / topics + left, self.shard / shards + left, left


def _freedom(size: Size, systems: int) -> tuple[int, int, int]:
    topics, shards = size
    return topics - 1, (systems - 1) * (shards - 1), (systems - 1) * (topics - 1) * (shards - 1)


def _joined(size: Size, systems: int, own: Floats, over_shards: Floats, cells: Floats) -> tuple[Floats, Floats]:
    """The variance of d̄ and its degrees of freedom; shards add nothing where they vary less than the residual."""
    adds = over_shards > cells
    variance = own + np.where(adds, over_shards - cells, 0.0)
    unit = np.where(variance > 0, variance, 1.0)  # in shares, whose squares are neither too small nor too large
    squares = [
        np.square(part / unit) / df for part, df in zip((own, over_shards, cells), _freedom(size, systems), strict=True)
    ]
    shares = squares[0] + np.where(adds, squares[1] + squares[2], 0.0)
    return variance, np.maximum(1.0, 1.0 / np.where(variance > 0, shares, 1.0))


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
        several = [algorithm for algorithm in (squares.first, squares.second) if algorithm.instances > 1]
        of_topics = _drawn(squares.over_topics, squares.topics - 1, 0, is_certain=is_certain)
        drawn = [_of_instances(algorithm, 1 + 2 * i, is_certain=is_certain) for i, algorithm in enumerate(several)]
        instance, residual = (np.array([draws[i] for draws in drawn]).reshape(-1, POINTS) for i in range(2))
        noise = sum(
            (row / algorithm.instances for row, algorithm in zip(residual, several, strict=True)), np.zeros(POINTS)
        )
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
            estimate = mean_square * ratios(df, PLANNED + 1 + 2 * i)
            residual = left * ratios(df * (topics - 1), PLANNED + 2 + 2 * i)
            parts.append(np.maximum(estimate - residual / topics, estimate / df) / count)
        return parts

    def _t2(self, size: Size, level: float) -> Floats:
        """t² of each part: part, 1."""
        df = [size.topics - 1, *(size.replicates - 1 for _ in self.instance)]
        return np.array([[critical_t(level, degrees) ** 2] for degrees in df])


def _of_instances(one_algorithm: OneAlgorithm, dimension: int, *, is_certain: bool) -> tuple[Floats, Floats]:
    """Draws of σ_i² and of σ² of an algorithm."""
    residual = _drawn(one_algorithm.residual, max(one_algorithm.residual_df, 1), dimension, is_certain=is_certain)
    between = _drawn(one_algorithm.between, one_algorithm.instances - 1, dimension + 1, is_certain=is_certain)
    return np.maximum(between - residual / len(one_algorithm.means), 0.0), residual


def _drawn(mean_square: float, df: int, dimension: int, *, is_certain: bool) -> Floats:
    return MeanSquare(mean_square, np.inf if is_certain else df).drawn(dimension)


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

    def spreads(self, sampling: Sampling | None = None) -> Floats:
        """How much differences vary, by which pairs are ordered; 0 where they never do: system, system."""
        if sampling is not None:
            scores = sampling.scores(self.values.mean(axis=2))  # cluster, system: squares of differences sum to V
            return pair_squares(scores.T @ scores)
        if self.population in DOCUMENTS:
            within = self.values - self.values.mean(axis=2, keepdims=True)
            return pair_variances(within.transpose(0, 2, 1).reshape(-1, self.values.shape[1]))
        return pair_variances(self.values.mean(axis=2))

    def pair(self, first: int, second: int, sampling: Sampling | None = None) -> Observed:
        """The difference of two systems; over topics, these may be in clusters."""
        d = self.values[:, first] - self.values[:, second]  # topic, shard
        if self.population in DOCUMENTS:
            return self._over_documents(first, second)
        if self.population in TOPICS:
            return self._over_both(d)
        return over_topics(d.mean(axis=1)) if sampling is None else over_units(d.mean(axis=1), sampling)

    def _over_both(self, d: Floats) -> Observed:
        sums, (topics, shards) = self._sums, self.size
        left, df = d - d.mean(axis=0) - d.mean(axis=1, keepdims=True) + d.mean(), (topics - 1) * (shards - 1)
        residual = MeanSquare(float(np.square(left).sum()) / df, df)
        own = MeanSquare(topics * float(d.mean(axis=0).var(ddof=1)), shards - 1), residual
        pooled = tuple(MeanSquare(2 * sums.ms(term), sums.df[term]) for term in ("system:shard", CELL))
        is_own = self.population in OF_A_KIND and own[0].value - own[1].value > pooled[0].value - pooled[1].value
        over_topics = MeanSquare(float(d.mean(axis=1).var(ddof=1)), topics - 1)
        squares = ShardSquares(over_topics, residual, *(own if is_own else pooled))
        systems = 2 if is_own else self.systems  # that the part of shards will be estimated of
        known, certain = (TopicsAndShards.of(basis, self.size, systems) for basis in (squares, squares.certain))
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


def over_topics(d: Floats) -> Observed:
    """Of the differences of a pair on each topic."""
    square = MeanSquare(float(d.var(ddof=1)), variance_freedom(d))
    certain = OverTopics.of(MeanSquare(square.value))
    return Observed(float(d.mean()), {"topic:system": square.value}, OverTopics.of(square), certain)


def over_units(d: Floats, sampling: Sampling) -> Observed:
    """The same where topics are in clusters or have weights, and new ones are so too.

    The variance of d̄ over T topics is σ²/T, known with the degrees of freedom of its estimate, or with fewer where
    clusters vary unequally.
    """
    sampled, count = sampling.of(d[:, None]), sampling.clusters
    df = min(float(sampled.df[0]), variance_freedom(sampling.scores(d[:, None])[:, 0]))
    value, freedom, each = float(sampled.se[0]) ** 2 * len(d), float(sampled.df[0]) / (count - 1), len(d) / count
    squares = MeanSquare(value, df), MeanSquare(value)
    known, certain = (OverUnits(square.drawn(0), freedom=freedom, each=each) for square in squares)
    return Observed(float(sampled.mean[0]), {"topic:system": value}, known, certain)


def variance_freedom(d: Floats) -> float:
    """The degrees of freedom ν with which the variance of n values is known: 2/ν = 2/(n − 1) + γ/n.

    γ is their excess kurtosis, at least 0: where a few values are far from the others, as differences of AP are, the
    variance is known less well than that of normal values. Few values show less of it than there is, and show skewness
    better: γ is at least 3/2 of its square, as of gamma distributions. Both are corrected for the size of the sample.

    >>> variance_freedom(np.arange(5.0)), round(variance_freedom(np.array([0.0] * 9 + [1.0])), 2)
    (4.0, 1.16)
    """
    n, from_mean = len(d), d - d.mean()
    squares = np.square(from_mean)
    if n < 4 or not squares.any():
        return float(n - 1)
    variance = squares.mean()
    excess = float(np.square(squares).mean() / variance**2 - 3)
    kurtosis = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)
    skewness2 = float((from_mean * squares).mean() ** 2 / variance**3) * n * (n - 1) / (n - 2) ** 2
    return 2 / (2 / (n - 1) + max(0.0, kurtosis, 1.5 * skewness2) / n)
