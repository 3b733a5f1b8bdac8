"""Topics and shards, both a sample: Var(d̄) = σ_D²/T + σ_S²/S + σ²/TS of the difference of a pair.

σ_D² is of the difference from topic to topic, σ_S² from shard to shard on all topics alike, σ² is what is left. As in
the test crossed-t, the part of topics is estimated of the pair itself, that of shards of all systems together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.planning.power import ratios
from irgauge.planning.sizes import Expected, Size
from irgauge.planning.student import critical
from irgauge.planning.topics import PLANNED, MeanSquare


class ShardSquares(NamedTuple):
    """Mean squares of differences: two of the pair, and two of all systems."""

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
