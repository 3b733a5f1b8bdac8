"""What a test finds of a true difference: real pairs of systems, moved to differ by δ, on topics drawn anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from irgauge.calibrating.methods import Setting, covering_tests, is_by_differences, of_differences
from irgauge.calibrating.trials import Rate, rate
from irgauge.calibrating.worlds import distinct
from irgauge.compute.arrays import Bools, Floats
from irgauge.compute.tasks import each
from irgauge.inference.outcomes import on_grid, step_of
from irgauge.inference.verdicts import POWER

TOPICS = (10, 25, 50, 100, 200)
_STEPS = (0.1, 0.2, 0.3, 0.5, 0.8)  # δ, in deviations of a typical pair
_FINE = np.linspace(0.0, 1.0, 26)[1:]  # δ as shares of the largest, to find the smallest that is found
_FEW = 20  # pairs: of fewer the draws count as experiments, of more the pairs


@dataclass(frozen=True)
class Power:
    """How often a test finds a true difference δ of one pair, on so many topics."""

    test: str
    topics: int
    delta: float
    single: Rate  # at α, one pair for itself
    family: Rate | None  # among all: at α over their number, the first step of a correction; None where p is too coarse


@dataclass(frozen=True)
class Detectable:
    """The smallest δ that a test finds with a power of 80 % on the topics at hand; None where it finds none."""

    test: str
    topics: int
    single: float | None
    family: float | None


@dataclass(frozen=True, eq=False)
class MovedPairs:
    """Differences of real pairs around 0, from which topics are drawn; pairs that are nearly copies are left out."""

    differences: Floats  # topic, pair
    deviation: float  # of the median pair, from topic to topic
    each: int = 5  # draws of a pair

    @classmethod
    def of(cls, values: Floats, draws: int, seed: int, baseline: str | None) -> MovedPairs:
        """Pairs of the systems of values[topic, system], or those with the first, if it is a baseline.

        There are some draws in all, at least five of each pair: of too many pairs some are taken at random.
        """
        systems = distinct(values)
        if len(systems) < 2:
            systems = np.arange(values.shape[1])
        first, second = np.triu_indices(len(systems), 1)
        if baseline is not None:
            first, second = first[first == 0], second[first == 0]
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
        chosen = rng.permutation(len(first))[: max(1, draws // cls.each)]
        d = values[:, systems[first[chosen]]] - values[:, systems[second[chosen]]]
        return cls(d - d.mean(axis=0), float(np.median(d.std(axis=0, ddof=1))), -(-draws // len(chosen)))

    def drawn(self, topics: int, seed: int) -> Floats:
        """Every pair on topics drawn with replacement, some times over: topic, pair and draw."""
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, topics)))
        places = np.repeat(np.arange(self.differences.shape[1]), self.each)
        rows = rng.integers(len(self.differences), size=(topics, len(places)))
        return self.differences[rows, places]

    def rate(self, found: Bools) -> Rate:
        """Of what was found in each draw; those of one pair are alike, and count as one where pairs are many."""
        is_few = self.differences.shape[1] < _FEW
        return rate(found.astype(np.float64) if is_few else found.reshape(-1, self.each).mean(axis=1))

    def deltas(self, margin: float | None) -> list[float]:
        """Differences to look for, of one digit, and the margin."""
        steps = {one_digit(step * self.deviation) for step in _STEPS if self.deviation > 0}
        return sorted(steps | ({margin} if margin is not None else set()))


def powers(
    pairs: MovedPairs,
    setting: Setting,
    deltas: Sequence[float],
    topics: Sequence[int],
    *,
    seed: int,
    workers: int | None = None,
    then: Callable[[object], None] | None = None,
) -> list[Power]:
    """The power of each test at each δ and number of topics."""
    jobs = [(test, count, delta) for test in of_pairs(setting) for count in topics for delta in deltas]
    return each(partial(_power, pairs, setting, seed), jobs, workers, named="power", then=then)


def _power(pairs: MovedPairs, setting: Setting, seed: int, job: tuple[str, int, float]) -> Power:
    test, count, delta = job
    p = found_p(test, pairs.drawn(count, seed) + delta, setting, seed)
    single = pairs.rate(p <= setting.alpha)
    family = pairs.rate(p <= setting.alpha / setting.pairs) if setting.is_fine(test) else None
    return Power(test, count, delta, single, family)


def of_pairs(setting: Setting) -> list[str]:
    """The tests of single pairs by their differences."""
    return [test for test in covering_tests(setting) if is_by_differences(test)]


def detectable(test: str, pairs: MovedPairs, setting: Setting, topics: int, *, seed: int) -> Detectable:
    """By the same draws moved to each of many δ, the largest two deviations of a typical pair."""
    base, most = pairs.drawn(topics, seed), 2 * pairs.deviation
    all_p = [found_p(test, base + delta, setting, seed) for delta in most * _FINE]
    single, family = (_first([float((p <= setting.alpha / m).mean()) for p in all_p], most) for m in (1, setting.pairs))
    return Detectable(test, topics, single, family)


def found_p(test: str, d: Floats, setting: Setting, seed: int) -> Floats:
    """The p-value of each column of differences d[topic, column]; 1 where it is below 0 in the mean."""
    difference, p, _, _ = of_differences(test, on_grid(d, step_of(d)), setting, seed)
    return np.where(difference > 0, p, 1.0)


def _first(power: Sequence[float], most: float) -> float | None:
    """Where the power reaches 80 %, between two δ by a straight line."""
    at = next((i for i, value in enumerate(power) if value >= POWER), None)
    if at is None:
        return None
    below, above = (power[at - 1] if at else 0.0), power[at]
    left = float(_FINE[at - 1]) if at else 0.0
    return most * (left + (float(_FINE[at]) - left) * (POWER - below) / (above - below))


def one_digit(value: float) -> float:
    """Rounded to one digit.

    >>> one_digit(0.0237)
    0.02
    """
    return round(value, -math.floor(math.log10(value)))
