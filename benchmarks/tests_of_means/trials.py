"""Experiments with known truth: two systems, their margins and their copula, and what tests find on new topics."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from benchmarks.tests_of_means import copulas
from benchmarks.tests_of_means.copulas import Grid
from benchmarks.tests_of_means.margins import Cells, moved, quantile
from benchmarks.tests_of_means.scores import MEASURES
from benchmarks.tests_of_means.statistics import COLUMNS, ROUNDING, statistics
from benchmarks.tests_of_means.stream import State, state
from benchmarks.tests_of_means.worlds import World
from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel

DRAWS = 9_999
MOST = 500  # draws as extreme as the data after which p > 0.05 is sure
SAME_MARGIN = -1.0  # in place of a difference of means: both systems have one and the same margin
_NEAR = 10  # systems among which the other is drawn, those with the nearest means
_BEST = 0.25  # of systems, which are no baselines
_BLOCK = 500  # trials that share a stream
_WORKERS = 2


@dataclass(frozen=True)
class Cell:
    """Experiments of one kind."""

    topics: int
    difference: float  # of the means, or SAME_MARGIN
    trials: int
    slack: float = ROUNDING  # with which resampling tells ties


class Sizes(NamedTuple):
    """How much is done in a trial."""

    topics: int
    draws: int = DRAWS
    most: int = MOST
    slack: float = ROUNDING


class Plan(NamedTuple):
    """Trials: the copula of the two systems, whether the baseline is second in it, and the margins of both."""

    copulas: Ints  # trial, 3
    is_second: Ints  # trial
    baselines: Floats  # system, cell
    others: Floats  # trial or kind, cell
    baseline: Ints  # trial: a row of baselines
    other: Ints  # trial: a row of others


def statistics_of(world: World, cell: Cell, seed: int) -> Floats:
    """What the tests find; trial, statistic. It depends on the seed alone."""
    key = (list(MEASURES).index(world.measure), cell.topics, round(1000 * (cell.difference + 1)))
    plan = planned(world, cell, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key)))
    bounds = [*range(0, cell.trials, _BLOCK), cell.trials]
    found, sizes = np.empty((cell.trials, COLUMNS)), Sizes(cell.topics, slack=cell.slack)

    def run(start: int, end: int) -> None:
        streams = np.stack([state(seed, *key, start, purpose) for purpose in range(2)])
        _run(plan, world.grid, world.cells, sizes, streams, found[start:end], start)

    with ThreadPoolExecutor(_WORKERS) as pool:
        list(pool.map(run, *zip(*pairwise(bounds), strict=True)))
    return found


def planned(world: World, cell: Cell, rng: np.random.Generator) -> Plan:
    """Draw the systems of all trials."""
    kinds = np.array(list(_same(world) if cell.difference == SAME_MARGIN else _near(world, cell.difference)))
    if cell.difference == SAME_MARGIN:
        others, rows = world.margins, kinds[:, 0]
    else:
        others = _moved_all(world.margins, kinds, world.means + cell.difference, world.cells.middle)
        rows = np.arange(len(kinds))
    # each baseline is as likely as any other, and each of its partners
    chances = 1 / np.bincount(kinds[:, 0])[kinds[:, 0]]
    drawn = rng.choice(len(kinds), cell.trials, p=chances / chances.sum())
    baseline, other = kinds[drawn, 0], kinds[drawn, 1]
    pair = world.pairs[np.minimum(baseline, other), np.maximum(baseline, other)]
    return Plan(world.copulas[pair], (baseline > other).astype(np.int64), world.margins, others, baseline, rows[drawn])


def _same(world: World) -> Iterator[tuple[int, int]]:
    """All two systems of a collection, in both orders."""
    yield from zip(*(np.nonzero((world.pairs >= 0) | (world.pairs.T >= 0))), strict=True)


def _near(world: World, difference: float) -> Iterator[tuple[int, int]]:
    """Each baseline with the systems of its collection whose means are nearest to its own plus the difference."""
    for collection in np.unique(world.collection):
        own = np.flatnonzero(world.collection == collection)
        own = own[np.argsort(-world.means[own], kind="stable")]
        for baseline in own[round(_BEST * len(own)) :]:
            rest = own[own != baseline]
            off = np.abs(world.means[rest] - world.means[baseline] - difference)
            yield from ((baseline, other) for other in rest[np.argsort(off, kind="stable")[:_NEAR]])


@kernel(makes_arrays=True)
def _moved_all(margins: Floats, kinds: Ints, means: Floats, middle: Floats) -> Floats:
    """The margin of the other system of each kind, moved to means[baseline]; kind, cell."""
    found = np.empty((len(kinds), margins.shape[1]))
    for kind in range(len(kinds)):
        found[kind] = moved(margins[kinds[kind, 1]], middle, means[kinds[kind, 0]])
    return found


@kernel(makes_arrays=True)
def _run(plan: Plan, grid: Grid, cells: Cells, sizes: Sizes, streams: State, found: Floats, start: int) -> None:
    """Trials from `start` on; streams[0] is for scores, streams[1] for tests, so that these change no scores."""
    d = np.empty(sizes.topics)
    for place in range(len(found)):
        trial = start + place
        row, turn, swapped = plan.copulas[trial, 0], plan.copulas[trial, 1], plan.copulas[trial, 2]
        baseline, other = plan.baselines[plan.baseline[trial]], plan.others[plan.other[trial]]
        for topic in range(sizes.topics):
            u, v = copulas.draw(grid.family[row], grid.a[row], grid.b[row], turn, swapped, streams[0])
            if plan.is_second[trial]:
                u, v = v, u
            d[topic] = quantile(v, other, cells.low, cells.width) - quantile(u, baseline, cells.low, cells.width)
        statistics(d, sizes.draws, sizes.most, sizes.slack, streams[1], found[place])
