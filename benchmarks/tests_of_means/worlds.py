"""What topics are drawn from: the margins of all systems of a measure, and the copulas of all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.tests_of_means import continuous, copulas, discrete
from benchmarks.tests_of_means.copulas import Grid
from benchmarks.tests_of_means.margins import Cells, means
from benchmarks.tests_of_means.scores import COLLECTIONS, MEASURES, scores
from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError


@dataclass(frozen=True)
class World:
    """The systems of a measure, those of all collections one after the other."""

    measure: str
    cells: Cells
    margins: Floats  # system, cell
    means: Floats  # system: those of the margins
    collection: Ints  # system
    pairs: Ints  # system, system: the place among copulas, the first system before the second; -1 for none
    copulas: Ints  # pair: the row of the grid, how it is turned, whether u and v change places
    grid: Grid


def fit(source: Path, measure: str, seed: int) -> World:
    """Fit everything to the scores of a measure."""
    tables = [scores(source, collection, measure) for collection in COLLECTIONS]
    return fit_to(tables, measure, seed, Grid.whole())


def fit_to(tables: list[Floats], measure: str, seed: int, grid: Grid) -> World:
    """Fit everything to tables[collection][topic, system]; copulas are those of the grid."""
    topics = {len(table) for table in tables}
    if len(topics) > 1:
        raise DesignError(f"collections have {sorted(topics)} topics; give such that all have as many")
    cells = continuous.CELLS if measure == "AP" else discrete.cells(measure)
    every = np.concatenate(tables, axis=1).T  # system, topic
    margins = np.stack([_margin(x, measure) for x in every])
    collection = np.repeat(np.arange(len(tables)), [table.shape[1] for table in tables])
    first, second = (one.copy() for one in np.nonzero(np.triu(collection[:, None] == collection, 1)))
    pairs = np.full((len(every), len(every)), -1)
    pairs[first, second] = np.arange(len(first))
    table = copulas.densities(grid, topics.pop())
    ranks = ranked(every, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_place(measure),))))
    found = copulas.fitted(ranks, first, second, table, grid.parameters)
    return World(measure, cells, margins, means(margins, cells), collection, pairs, found, grid)


def _margin(x: Floats, measure: str) -> Floats:
    return (continuous.fitted(x) if measure == "AP" else discrete.fitted(x, measure)).margin


def _place(measure: str) -> int:
    return list(MEASURES).index(measure)


def ranked(values: Floats, rng: np.random.Generator) -> Ints:
    """The rank of each topic for each system, from 0 on; ties at random.

    >>> ranked(np.array([[0.3, 0.1, 0.2]]), np.random.default_rng(1)).tolist()
    [[2, 0, 1]]
    """
    return np.lexsort((rng.random(values.shape), values)).argsort(axis=1)
