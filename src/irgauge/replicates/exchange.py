"""Null copies of data: systems change places at random, so that none is better than another, and all else stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irgauge.compute.arrays import Indices
from irgauge.scoring.scores import Scores

Within = Literal["topics", "cells"]  # where systems change places: on each topic, or on each topic in each replicate


@dataclass(frozen=True)
class Exchange:
    """One way in which systems change places; each number is another one, and depends on nothing else.

    Within topics, the scores of a list stay together, those in all replicates and by all measures: a system is no
    better than another for other topics, but may be on these. Within cells it is equal on these topics too. Topics that
    belong together change places together, so that they are as alike as they were.
    """

    within: Within
    seed: int
    number: int
    together: Mapping[str, str] | None = None  # topic -> its cluster

    def order(self, topics: int, systems: int, replicates: int) -> Indices:
        """order[topic, system, replicate or 1]: whose scores a system gets there."""
        columns = 1 if self.within == "topics" else replicates
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(self.number, columns)))
        every = np.broadcast_to(np.arange(systems)[:, None], (topics, systems, columns))
        return rng.permuted(every, axis=1)

    def of(self, scores: Scores) -> Scores:
        """The scores with the systems in their new places, by all measures alike.

        >>> scores = Scores(np.arange(6.0).reshape(1, 2, 3, 1), (), ("1", "2"), ("a", "b", "c"), ("all",))
        >>> np.sort(Exchange("topics", seed=1, number=0).of(scores).values, axis=2).ravel().tolist()
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
        """
        return replace(scores, values=np.take_along_axis(scores.values, self._order_of(scores)[None], axis=2))

    def _order_of(self, scores: Scores) -> Indices:
        """Of all measures: topic, system, replicate or 1."""
        topics, systems, replicates = scores.values.shape[1:]
        if self.together is None:
            return self.order(topics, systems, replicates)
        clusters, of_topic = np.unique([self.together[topic] for topic in scores.topics], return_inverse=True)
        return self.order(len(clusters), systems, replicates)[of_topic]
