"""Intervals of the differences of many systems: do all of them hold the truth together?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.calibration import real, topics
from benchmarks.calibration.cells import Cell, Group, Method
from benchmarks.calibration.topics import Test, by_draws, by_topics
from calibration.worlds import MEAN, Floats
from irgauge.compute.arrays import Bools
from irgauge.inference.comparison import Comparison

TRIALS = {20: 400, 60: 200, 129: 80}  # systems: trials
_WORLDS = ("unequal spread", "bounded, zeros", "skewed", "near copies", "rare gains")
_MEASURES = ("AP", "P@10", "RR")


@dataclass(frozen=True, eq=False)
class Drawn:
    """Scores, and the mean that each system has over all topics there could be, or over others."""

    values: Floats  # topic, system
    truth: Floats  # system
    wider: float = 1.0  # by which an interval is, where the truth is an estimate too


def holds(test: Test) -> Callable[[Drawn, int], float]:
    """Whether all intervals hold their true differences, of pairs that do not score the same on all topics at hand."""

    def observe(drawn: Drawn, seed: int) -> float:
        comparison = test(drawn.values, seed)
        first, second = np.array(comparison.names, np.intp).T
        true = drawn.truth[first] - drawn.truth[second]
        return float((_held(comparison, true, drawn.wider) | (comparison.se == 0)).all())

    return observe


def _held(comparison: Comparison, true: Floats, wider: float) -> Bools:
    d = comparison.difference
    low, high = d - wider * (d - comparison.low), d + wider * (comparison.high - d)
    return np.asarray((low - 1e-9 <= true) & (true <= high + 1e-9))


METHODS = tuple(
    Method(f"{name}, intervals together", "topics", "coverage", holds(test))
    for name, test in {
        "paired t, Holm": by_topics("t", correction="holm"),
        "skewed-t, Holm": by_topics("skewed-t", correction="holm"),
        "bootstrap-t": by_draws("bootstrap-t"),
    }.items()
)


def _drawn_again(measure: str, size: tuple[int, int]) -> Callable[[np.random.Generator], Drawn]:
    """Topics of TREC-8 with replacement, systems as they are; the truth is that of all topics."""
    scores = real.trec8(measure).scores

    def draw(rng: np.random.Generator) -> Drawn:
        chosen = scores[:, rng.choice(scores.shape[1], size[1], replace=False)]
        return Drawn(chosen[rng.choice(len(chosen), size[0])], chosen.mean(axis=0))

    return draw


def _halves(measure: str, systems: int) -> Callable[[np.random.Generator], Drawn]:
    """One half of the topics of TREC-8 for the other, whose means have an error as large: √2 for both."""
    scores = real.trec8(measure).scores

    def draw(rng: np.random.Generator) -> Drawn:
        chosen = rng.permutation(scores)[:, rng.choice(scores.shape[1], systems, replace=False)]
        half = len(chosen) // 2
        return Drawn(chosen[:half], chosen[half:].mean(axis=0), wider=2**0.5)

    return draw


def _equal(world: str, size: tuple[int, int]) -> Callable[[np.random.Generator], Drawn]:
    return lambda rng: Drawn(topics.worlds()[world](rng, *size), np.full(size[1], MEAN))


def cells() -> list[Cell[Drawn]]:
    """All worlds and designs; own worlds with the same true mean for all systems."""
    draws: dict[tuple[str, int, int], Callable[[np.random.Generator], Drawn]] = {}
    for systems in reversed(TRIALS):
        for count in (25, 50):
            for world in _WORLDS if systems < max(TRIALS) else ():
                draws[world, count, systems] = _equal(world, (count, systems))
            for measure in _MEASURES if real.is_there() else ():
                draws[f"TREC-8 topics drawn again, {measure}", count, systems] = _drawn_again(measure, (count, systems))
        for measure in _MEASURES if real.is_there() else ():
            draws[f"TREC-8 one half for the other, {measure}", 25, systems] = _halves(measure, systems)
    return [
        Cell(world, f"{count} × {systems}", draw, METHODS, TRIALS[systems], TRIALS[systems])
        for (world, count, systems), draw in draws.items()
    ]


GROUP = Group(
    "intervals",
    "Intervals of the differences of many systems",
    "Intervals at 95 % of all pairs together: all of them hold the true differences. *Drawn again*: topics of TREC-8 "
    "with replacement, all of its topics are the truth, systems differ as they do. *One half for the other*: intervals "
    "from 25 topics, made wider by √2, hold the differences on the other 25. Pairs that score the same on all topics "
    "at hand do not count; bootstrap-t has no interval for pairs that vary on fewer than four. A design is topics × "
    "systems.",
    cells,
)
