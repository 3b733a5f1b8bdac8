"""Null copies of data: systems change places at random, so that none is better than another, and all else stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.replicates.data import Data
from irgauge.replicates.measured import Bench, Key, Measured
from irgauge.replicates.score_table import ScoreTable
from irgauge.scoring.drawn import Shards
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores

Within = Literal["topics", "cells"]  # where systems change places: on each topic, or on each topic in each replicate


@dataclass(frozen=True)
class Exchange:
    """One way in which systems change places; each number is another one, and depends on nothing else.

    Within topics, the scores of a list stay together, those in all replicates and by all measures: a system is no
    better than another for other topics, but may be on these. Within cells it is equal on these topics too.
    """

    within: Within
    seed: int
    number: int

    def order(self, topics: int, systems: int, replicates: int) -> Indices:
        """order[topic, system, replicate or 1]: whose scores a system gets there."""
        columns = 1 if self.within == "topics" else replicates
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(self.number, columns)))
        every = np.broadcast_to(np.arange(systems)[:, None], (topics, systems, columns))
        return rng.permuted(every, axis=1)

    def of(self, values: Floats) -> Floats:
        """values[measure, topic, system, replicate] with the systems in their new places, by all measures alike."""
        return np.take_along_axis(values, self.order(*values.shape[1:])[None], axis=2)


class ExchangedBench(Bench):
    """Runs on a bench whose lists have changed places; they are scored once, on the bench that they come from."""

    def __init__(self, bench: Bench, exchange: Exchange) -> None:
        super().__init__(bench.collection, workers=bench.workers)
        self._bench, self._exchange = bench, exchange

    def _scores(self, measures: Sequence[Measure], key: Key | None, shards: Shards) -> Scores:
        scores = self._bench._scores(measures, key, shards)
        return replace(scores, values=self._exchange.of(scores.values))


def exchanged(data: Data, exchange: Exchange) -> Data:
    """Data of the same kind in which systems have changed places.

    >>> import numpy as np
    >>> values = np.arange(6.0).reshape(1, 2, 3, 1)
    >>> table = ScoreTable(Scores(values, (Measure.read("m"),), ("1", "2"), ("a", "b", "c"), ("all",)))
    >>> copy = exchanged(table, Exchange("topics", seed=1, number=0)).whole(())
    >>> np.sort(copy.values, axis=2).ravel().tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    """
    if isinstance(data, Bench):
        return ExchangedBench(data, exchange)
    if isinstance(data, Measured):
        return replace(data, scores=replace(data.scores, values=exchange.of(data.scores.values)))
    if isinstance(data, ScoreTable):
        scores = data.whole(())
        return ScoreTable(replace(scores, values=exchange.of(scores.values)))
    raise DesignError(f"systems cannot change places in a {type(data).__name__}; give runs or a table of scores")
