"""How often tests of two and of five systems claim a difference, where there is none and where there is one."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from benchmarks.tests_of_means import ROOT
from benchmarks.tests_of_means.decisions import TESTS, p_values
from benchmarks.tests_of_means.nulls import DEVIATION, FAMILIES, SHAPES, SYSTEMS, Rng, Size
from benchmarks.tests_of_means.statistics import COLUMNS, ROUNDING, statistics
from benchmarks.tests_of_means.stream import State, state
from irgauge.compute.arrays import Bools, Floats
from irgauge.compute.jit import kernel
from irgauge.inference.corrections import any_correction
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import known_test

TABLE = ROOT / "docs" / "why-tests-disagree.csv"
SEED, ALPHA = 2025, 0.05
TOPICS = (10, 25, 50, 100, 1000)
OF_FAMILIES = (10, 50, 200)
TRIALS, OF_FAMILY = 5_000, 2_000
POWER_TOPICS, SHIFT = 50, 0.4  # deviations by which one system is better
_FAMILY_SHIFT = 0.6  # by which the first two of five systems are better
_DRAWS, _MOST = 999, 50  # after 50 draws as extreme as the data p is above 0.05
PAIR, PAIR_POWER, FAMILY = "two systems, equal", "two systems, one better", "five systems, equal"
FAMILY_ERROR, FAMILY_POWER = "five systems, two better: any false claim", "five systems, two better: found"
FALSE_SHARE = "five systems, two better: false share of claims"
CORRECTED = (
    ("t", "none"),
    ("t", "holm"),
    ("t", "bh"),
    ("wilcoxon", "holm"),
    ("wilcoxon", "bh"),
    ("permutation", "holm"),
)
TOGETHER = ("max-t", "randomised-tukey", "tukey")
METHODS = (*(f"{test}, {correction}" for test, correction in CORRECTED), *TOGETHER)
_PAIRS = np.array(list(combinations(range(SYSTEMS), 2))).T


class Rate(NamedTuple):
    """The share of experiments in which a method claims what is counted."""

    what: str
    shape: str  # of two systems; or the null hypothesis of five
    topics: int
    method: str
    trials: int
    rate: float

    @property
    def error(self) -> float:
        """Its Monte Carlo error."""
        return float(np.sqrt(self.rate * (1 - self.rate) / self.trials))


def counted(share: float = 1.0) -> Iterator[Rate]:
    """All rates, with a share of all trials."""
    for shape in SHAPES:
        for topics in TOPICS:
            yield from of_pair(PAIR, shape, topics, round(share * TRIALS), 0.0)
        yield from of_pair(PAIR_POWER, shape, POWER_TOPICS, round(share * TRIALS), SHIFT * DEVIATION)
    for null in FAMILIES:
        for topics in OF_FAMILIES:
            yield from of_family(null, topics, round(share * OF_FAMILY))
        yield from of_unequal_family(null, POWER_TOPICS, round(share * OF_FAMILY))


def of_pair(what: str, shape: str, topics: int, trials: int, shift: float) -> Iterator[Rate]:
    """How often each test claims a difference of two systems that differ by so much."""
    d = SHAPES[shape].draw(_rng(what, shape, topics), (trials, topics)) + shift
    significant = _p_of_pairs(d, _stream(what, shape, topics)) <= ALPHA
    for test, rate in zip(TESTS, significant.mean(axis=0), strict=True):
        yield Rate(what, shape, topics, test, trials, float(rate))


def of_family(null: str, topics: int, trials: int) -> Iterator[Rate]:
    """How often each method claims anything of five equal systems."""
    claims = _claims(FAMILY, null, topics, trials, np.zeros(SYSTEMS))
    for method, claimed in claims.items():
        yield Rate(FAMILY, null, topics, method, trials, float(claimed.any(axis=1).mean()))


def of_unequal_family(null: str, topics: int, trials: int) -> Iterator[Rate]:
    """How often each method claims something false, which share of its claims is, and what it finds of what is true."""
    truth = np.where(np.arange(SYSTEMS) < 2, _FAMILY_SHIFT * DEVIATION, 0.0)
    is_true = truth[_PAIRS[0]] != truth[_PAIRS[1]]
    for method, claimed in _claims(FAMILY_ERROR, null, topics, trials, truth).items():
        false = float(claimed[:, ~is_true].any(axis=1).mean())
        yield Rate(FAMILY_ERROR, null, topics, method, trials, false)
        share = claimed[:, ~is_true].sum(axis=1) / np.maximum(1, claimed.sum(axis=1))
        yield Rate(FALSE_SHARE, null, topics, method, trials, float(share.mean()))
        yield Rate(FAMILY_POWER, null, topics, method, trials, float(claimed[:, is_true].mean()))


def _claims(what: str, null: str, topics: int, trials: int, truth: Floats) -> Mapping[str, Bools]:
    """Which pairs each method calls different; experiment, pair."""
    size: Size = trials, topics, SYSTEMS
    values = FAMILIES[null](_rng(what, null, topics), size) + truth  # experiment, topic, system
    d = np.swapaxes(values[:, :, _PAIRS[0]] - values[:, :, _PAIRS[1]], 1, 2)  # experiment, pair, topic
    p = _p_of_pairs(np.ascontiguousarray(d.reshape(-1, topics)), _stream(what, null, topics))
    p = p.reshape(trials, -1, len(TESTS))  # experiment, pair, test
    claims: dict[str, Bools] = {}
    for test, correction in CORRECTED:
        adjusted = any_correction(correction).adjusted
        claims[f"{test}, {correction}"] = np.array([adjusted(row) for row in p[:, :, TESTS.index(test)]]) <= ALPHA
    for test in TOGETHER:
        claims[test] = np.array([_together(test, scores, seed) for seed, scores in enumerate(values)])
    return claims


def _together(test: str, values: Floats, seed: int) -> Bools:
    """Which pairs a test of all pairs together calls different, in the order of the pairs."""
    names = [str(system) for system in range(SYSTEMS)]
    comparison = known_test(test).compare(Experiment(values[:, :, None], names, draws=_DRAWS, seed=seed))
    order = np.array(comparison.systems, int)
    first, second = order[comparison.first], order[comparison.second]
    claimed = np.zeros((SYSTEMS, SYSTEMS), bool)
    claimed[np.minimum(first, second), np.maximum(first, second)] = comparison.p_adjusted <= ALPHA
    return claimed[tuple(_PAIRS)]


def _p_of_pairs(d: Floats, stream: State) -> Floats:
    """p of each test of the differences d[experiment, topic]; experiment, test."""
    found = np.empty((len(d), COLUMNS))
    _each(d, stream, found)
    return p_values(found, d.shape[1])


@kernel(makes_arrays=True)
def _each(d: Floats, stream: State, found: Floats) -> None:
    for trial in range(len(d)):
        statistics(d[trial], _DRAWS, _MOST, ROUNDING, stream, found[trial])


def _rng(*key: str | int) -> Rng:
    return np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=_key(key)))


def _stream(*key: str | int) -> State:
    return state(SEED, *_key(key))


def _key(key: tuple[str | int, ...]) -> tuple[int, ...]:
    return tuple(crc32(part.encode()) if isinstance(part, str) else part for part in key)


def write(rates: Sequence[Rate], path: Path = TABLE) -> None:
    """Keep them."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Rate._fields)
        writer.writerows((*rate[:-1], f"{rate.rate:.6g}") for rate in rates)


def read(path: Path = TABLE) -> list[Rate]:
    """What was counted before."""
    with path.open(newline="") as file:
        return [
            Rate(row["what"], row["shape"], int(row["topics"]), row["method"], int(row["trials"]), float(row["rate"]))
            for row in csv.DictReader(file)
        ]
