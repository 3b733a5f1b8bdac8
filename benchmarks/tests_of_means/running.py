"""The whole study: all measures, numbers of topics and differences."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.tests_of_means import trials
from benchmarks.tests_of_means.decisions import p_values
from benchmarks.tests_of_means.scores import MEASURES
from benchmarks.tests_of_means.statistics import MEAN
from benchmarks.tests_of_means.table import FITTING, POWER, RUNNING, SAME_MARGIN, SAME_MEAN, TIES_LOST, TYPE_III, Row
from benchmarks.tests_of_means.trials import Cell, statistics_of
from benchmarks.tests_of_means.worlds import World, fit
from irgauge.compute.arrays import Floats

SEED = 2019
TOPICS = (25, 50, 100)
DIFFERENCES = tuple(step / 100 for step in range(1, 11))
ALPHAS = (0.05, 0.01, 0.001)
EQUAL, UNEQUAL = 100_000, 10_000  # trials
_TIED = "P@10"


@dataclass(frozen=True)
class Clock:
    """Seconds from here on, those of all cores and those on the wall."""

    cpu: float
    wall: float

    @classmethod
    def start(cls) -> Clock:
        """From now on."""
        return cls(time.process_time(), time.perf_counter())

    def times(self) -> tuple[float, float]:
        """Until now."""
        return time.process_time() - self.cpu, time.perf_counter() - self.wall


def study(source: Path, share: float) -> Iterator[Row]:
    """Rows as they are counted, with a share of all trials."""
    whole = Clock.start()
    for measure in MEASURES:
        clock = Clock.start()
        world = fit(source, measure, SEED)
        yield Row(FITTING, measure, 0, 0.0, 0.0, 0, *clock.times(), ())
        for cell in cells(share, measure):
            yield from counted(world, cell)
    yield Row(RUNNING, "", 0, 0.0, 0.0, 0, *whole.times(), ())


def cells(share: float, measure: str) -> Iterator[Cell]:
    """All kinds of experiments of a measure; where it has many ties, also what comes of losing some."""
    for topics in TOPICS:
        if measure == _TIED:
            yield Cell(topics, trials.SAME_MARGIN, round(share * EQUAL), slack=0.0)
        for difference in (trials.SAME_MARGIN, 0.0):
            yield Cell(topics, difference, round(share * EQUAL))
        for difference in DIFFERENCES:
            yield Cell(topics, difference, round(share * UNEQUAL))


def counted(world: World, cell: Cell) -> Iterator[Row]:
    """The shares of trials that are significant, and in the wrong direction where there is a right one."""
    clock = Clock.start()
    found = statistics_of(world, cell, SEED)
    p, times = p_values(found, cell.topics), clock.times()
    same_margin = SAME_MARGIN if cell.slack else TIES_LOST
    what = {trials.SAME_MARGIN: same_margin, 0.0: SAME_MEAN}.get(cell.difference, POWER)
    yield from _rows(what, world, cell, times, p)
    if what == POWER:
        yield from _rows(TYPE_III, world, cell, (0.0, 0.0), np.where(found[:, [MEAN]] < 0, p, 2.0))


def _rows(what: str, world: World, cell: Cell, times: tuple[float, float], p: Floats) -> Iterator[Row]:
    for alpha in ALPHAS:
        shares = tuple((p <= alpha).mean(axis=0).tolist())
        kind = cell.topics, max(cell.difference, 0.0), alpha, cell.trials
        yield Row(what, world.measure, *kind, *(times if alpha == ALPHAS[0] else (0.0, 0.0)), shares)
