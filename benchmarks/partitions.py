"""The partition method, 11 splits of 10,000 draws, against drawing and refitting each sample with numpy."""

from __future__ import annotations

import resource
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from benchmarks.clock import best_of
from benchmarks.data import Data
from irgauge import load
from irgauge.inference.tests.flips import randomization
from irgauge.replicates.bench import Bench
from irgauge.studies.partition.inferring import infer
from irgauge.studies.partition.options import PartitionOptions
from irgauge.studies.partition.split import Divider, ranked_values
from irgauge.studies.partition.study import partition

Floats = NDArray[np.float64]
PARTS, SPLITS, DRAWS = 2, 11, 10_000
SAMPLE = 300  # draws of the direct way; its time is scaled to all of them
PAIRS = 200  # pairs of systems of the direct randomization test; its time is scaled to all of them


def run(data: Data) -> None:
    """Print the ratios, and the peak memory of this process."""
    collection = load(data.qrels, data.runs, precision="single")
    divider = Divider(
        Bench(collection), "AP", PartitionOptions(parts=PARTS, splits=SPLITS, p="paper", draws=DRAWS, fill="drop")
    )
    ranking, drawing = divider.pairs, divider.drawing
    splits = [ranked_values(divider.divided(PARTS, number), ranking) for number in range(SPLITS)]  # topic, system, part

    def infer_split(number: int) -> None:
        infer(drawing.fit(splits[number]), (PARTS, number), ranking, drawing)

    def on_threads(count: int) -> Callable[[], object]:
        return lambda: list(pools[count].map(infer_split, range(SPLITS)))

    def whole() -> object:
        return partition(collection, "AP", parts=PARTS, splits=SPLITS, p="paper", draws=DRAWS, fill="drop")

    pools = {count: ThreadPoolExecutor(count) for count in (1, 2)}
    whole()  # compiled
    peers = {"one thread": on_threads(1), "two threads": on_threads(2), "scoring included": whole}
    times = best_of(peers | {"direct": lambda: _direct(splits[0], SAMPLE)}, 5)
    direct = times["direct"] * SPLITS * DRAWS / SAMPLE
    print(
        f"\nPartition method, {data.name}, {len(ranking.systems)} systems, {SPLITS} splits, {DRAWS} draws (best of 5):"
    )
    print(f"  each sample drawn and refitted with numpy {direct:6.1f} s (from {SAMPLE} draws of one split)")
    for name in peers:
        print(f"  ours, {name:<16} {times[name]:6.2f} s   {direct / times[name]:4.0f} times faster")
    _randomization(splits[0].mean(axis=2), ranking.systems)
    print(f"  peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


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


def _randomization(values: Floats, systems: tuple[str, ...]) -> None:
    """All pairs at once against one pair after another."""
    rng = np.random.default_rng(1)
    signs = rng.choice([-1.0, 1.0], (DRAWS, len(values)))  # draw, topic
    first, second = np.triu_indices(len(systems), 1)

    def by_pairs() -> None:
        for u, v in zip(first[:PAIRS], second[:PAIRS], strict=True):
            d = values[:, u] - values[:, v]
            np.count_nonzero(np.abs(signs @ d) >= abs(d.sum()))

    times = best_of({"ours": lambda: randomization(values, systems, draws=DRAWS, seed=0), "pairs": by_pairs}, 2)
    slow = times["pairs"] * len(first) / min(PAIRS, len(first))
    print(
        f"  randomization of {len(first)} pairs, {DRAWS} sign vectors: {times['ours']:.2f} s with intervals; ", end=""
    )
    print(f"p-values alone, pair by pair, {slow:.2f} s")
