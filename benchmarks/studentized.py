"""Tukey's p-values and critical value: how many times faster than scipy, measured in one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np
from scipy.stats import studentized_range

from benchmarks.figures import Figure, times
from irgauge.inference.studentized import ppf, sf

SYSTEMS, FREEDOM = 129, 49 * 128
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
SAMPLE = 20  # of the pairs, for scipy; its time is scaled to all of them
REPEATS = 5


def _seconds(function: Callable[[], object], repeats: int) -> float:
    """The median time of a call, after one that fills tables."""
    function()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return float(np.median(times))


def statistics(seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The q of all pairs of systems whose means differ as those of a TREC track do: from none to far beyond doubt."""
    means = np.random.default_rng(seed).normal(0.0, 5.0, SYSTEMS)
    first, second = np.triu_indices(SYSTEMS, 1)
    return np.abs(means[first] - means[second])


def run() -> Iterator[Figure]:
    """P-values and a quantile."""
    q = statistics()
    sample = np.random.default_rng(1).choice(q, SAMPLE, replace=False)
    fast = Figure("Tukey, p of 8,256 pairs", 1e3 * _seconds(lambda: sf(q, SYSTEMS, FREEDOM), REPEATS), "ms")
    taken = _seconds(lambda: studentized_range.sf(sample, SYSTEMS, FREEDOM), 1) * PAIRS / SAMPLE
    slow = Figure("Tukey with scipy, p of 8,256 pairs", 1e3 * taken, "ms")
    yield from (fast, slow, times("scipy over Tukey", slow, fast))
    levels = iter(np.linspace(0.95, 0.96, REPEATS + 1))  # a quantile that was found is remembered
    fast = Figure("Tukey, a quantile", 1e3 * _seconds(lambda: ppf(next(levels), SYSTEMS, FREEDOM), REPEATS), "ms")
    slow = Figure(
        "Tukey with scipy, a quantile", 1e3 * _seconds(lambda: studentized_range.ppf(0.95, SYSTEMS, FREEDOM), 3), "ms"
    )
    yield from (fast, slow, times("scipy over Tukey, a quantile", slow, fast))
