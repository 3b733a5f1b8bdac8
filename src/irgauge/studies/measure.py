"""Measuring, once for several studies: what is scored, on which shards, with which fill, systems and seed."""

from __future__ import annotations

from dataclasses import dataclass

from irgauge.options import asking
from irgauge.replicates.given import Given, opened, several_measures
from irgauge.replicates.measured import Measured, Measuring
from irgauge.studies.asked import AnyMeasures, Sharded


@dataclass(frozen=True)
class Asked(AnyMeasures, Sharded):
    """What is measured."""


@asking(Asked)
def measure(data: Given, asked: Asked) -> Measured:
    """Scores ready for a model, which studies take in place of runs; they say how they came about.

    >>> from irgauge import load
    >>> qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1, "c": 1}}
    >>> runs = {"good": {"1": {"a": 2, "b": 1}, "2": {"a": 2, "c": 1}}, "poor": {"1": {"x": 2, "a": 1}, "2": {"c": 1}}}
    >>> found = measure(load(qrels, runs), "AP", shards="match:^.", fill="lq")
    >>> found.shards, found.undefined
    (4, 8)
    """
    given = opened(data, asked.workers)
    measures = several_measures(given, asked.measures)
    measuring = Measuring(measures, asked.shards, asked.fill, asked.keep_systems, asked.seed, sparse=asked.sparse)
    return given.measured(measuring)
