"""The partition method, 11 splits of 10,000 draws, against drawing and refitting each sample with numpy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.clock import best_of
from benchmarks.data import Data
from benchmarks.figures import Figure, times
from irgauge import load
from irgauge.inference.tests.flips import randomization
from irgauge.replicates.bench import Bench
from irgauge.studies.partition.options import PartitionOptions
from irgauge.studies.partition.split import Divider, ranked_values
from irgauge.studies.partition.study import partition

Floats = NDArray[np.float64]
PARTS, SPLITS, DRAWS = 2, 11, 10_000
SAMPLE = 300  # draws of the direct way; its time is scaled to all of them
PAIRS = 200  # pairs of systems of the direct randomization test; its time is scaled to all of them


def run(data: Data) -> Iterator[Figure]:
    """Scoring included in ours."""
    collection = load(data.qrels, data.runs, precision="single")
    options = PartitionOptions(parts=PARTS, splits=SPLITS, p="paper", draws=DRAWS, fill="drop")
    divider = Divider(Bench(collection), "AP", options)
    values = ranked_values(divider.divided(PARTS, 0), divider.pairs)  # topic, system, part

    def ours() -> None:
        partition(collection, "AP", parts=PARTS, splits=SPLITS, p="paper", draws=DRAWS, fill="drop")

    ours()  # compiles
    seconds = best_of({"ours": ours, "direct": lambda: _direct(values, SAMPLE)}, 2)
    partitions = Figure("partition method, 11 splits, 10,000 draws", seconds["ours"], "s")
    direct = Figure("partition method, each draw refitted with numpy", seconds["direct"] * SPLITS * DRAWS / SAMPLE, "s")
    yield from (partitions, direct, times("numpy over the partition method", direct, partitions))
    yield from _randomization(values.mean(axis=2))


def _direct(values: Floats, draws: int) -> Floats:
    """A residual for every cell, a new sample, and all effects of the paper's equation 4; draw, system."""
    rng = np.random.default_rng(0)
    fitted = np.broadcast_to(values.mean(axis=2, keepdims=True), values.shape)
    residuals, effects = (values - fitted).ravel(), np.empty((draws, values.shape[1]))
    for draw in range(draws):
        sample = fitted + rng.choice(residuals, size=values.shape)
        mean = sample.mean()
        system, topic = sample.mean(axis=(0, 2)) - mean, sample.mean(axis=(1, 2)) - mean
        _ = sample.mean(axis=2) - system[None, :] - topic[:, None] - mean  # the interaction
        effects[draw] = system
    return effects


def _randomization(values: Floats) -> Iterator[Figure]:
    """All pairs at once, with intervals, against the p-values alone of one pair after another."""
    systems = tuple(map(str, range(values.shape[1])))
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (DRAWS, len(values)))  # draw, topic
    first, second = np.triu_indices(len(systems), 1)

    def by_pairs() -> None:
        for u, v in zip(first[:PAIRS], second[:PAIRS], strict=True):
            d = values[:, u] - values[:, v]
            np.count_nonzero(np.abs(signs @ d) >= abs(d.sum()))

    seconds = best_of({"ours": lambda: randomization(values, systems, draws=DRAWS, seed=0), "pairs": by_pairs}, 2)
    yield Figure("randomization of all pairs, 10,000 draws", seconds["ours"], "s")
    yield Figure("randomization pair by pair with numpy", seconds["pairs"] * len(first) / min(PAIRS, len(first)), "s")
