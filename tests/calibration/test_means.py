"""Do the intervals of `score` hold the mean over other topics? Also with few topics, weak systems, binary measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from calibration.rates import assert_at_least
from irgauge import Collection, Measure, Scores, score
from irgauge.inference.mean_bounds import mean_bounds

Floats = NDArray[np.float64]
DRAWS = 1000
RANGE = (0.0, 1.0)
MEASURES = ("AP", "P@10", "RR", "P@1", "nDCG@10")


@dataclass(frozen=True)
class World:
    """Scores of topics, and their mean."""

    draw: Callable[[np.random.Generator, tuple[int, int]], Floats]
    mean: float


def beta(a: float, b: float) -> World:
    return World(lambda rng, size: rng.beta(a, b, size), a / (a + b))


def binary(share: float) -> World:
    return World(lambda rng, size: (rng.random(size) < share).astype(float), share)


def zeros(share: float, a: float, b: float) -> World:
    """A share of topics on which nothing is found."""
    return World(lambda rng, size: (rng.random(size) >= share) * rng.beta(a, b, size), (1 - share) * a / (a + b))


def reciprocal(share: float) -> World:
    """One over a rank that is 1 with this probability, 2 with this probability otherwise, and so on."""
    ranks = np.arange(1, 2000)
    return World(
        lambda rng, size: 1 / rng.geometric(share, size), float((share * (1 - share) ** (ranks - 1) / ranks).sum())
    )


def tenths(mean: float) -> World:
    return World(lambda rng, size: rng.binomial(10, rng.beta(2 * mean, 2 - 2 * mean, size)) / 10, mean)


WORLDS = {
    "middling": beta(2, 5),
    "even": beta(1, 1),
    "weak": beta(0.5, 5),
    "strong": beta(3, 0.3),
    "concentrated": beta(20, 60),
    "zeros": zeros(0.6, 1, 4),
    "many zeros": zeros(0.8, 2, 6),
    "P@1 of 0.1": binary(0.1),
    "P@1 of 0.5": binary(0.5),
    "P@1 of 0.8": binary(0.8),
    "RR": reciprocal(0.5),
    "P@10": tenths(0.2),
    "P@10 of a weak system": tenths(0.08),
}
LONG_TAILS = {
    "J": beta(0.1, 1.9),
    "J near 0": beta(0.03, 0.97),
    "J near 1": beta(0.97, 0.03),
    "RR of a weak system": reciprocal(0.05),
    "rare": zeros(0.9, 2, 2),
}


def covered(world: World, topics: int, seed: int, alpha: float = 0.05) -> int:
    values = world.draw(np.random.default_rng([seed, topics]), (topics, DRAWS))
    low, high = mean_bounds(values, alpha=alpha, within=RANGE)
    return int(((low <= world.mean) & (world.mean <= high)).sum())


@pytest.mark.parametrize("topics", [5, 10, 15, 25, 50])
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_of_means_hold_the_mean_over_other_topics(name: str, topics: int) -> None:
    assert_at_least(covered(WORLDS[name], topics, seed=1), DRAWS)


@pytest.mark.parametrize("topics", [10, 50])
@pytest.mark.parametrize("name", LONG_TAILS)
def test_they_do_so_for_the_longest_tails_too(name: str, topics: int) -> None:
    assert_at_least(covered(LONG_TAILS[name], topics, seed=2), DRAWS)


@pytest.mark.parametrize("alpha", [0.01, 0.2])
@pytest.mark.parametrize("name", ["weak", "P@1 of 0.1", "zeros"])
def test_at_other_levels_too(name: str, alpha: float) -> None:
    assert_at_least(covered(WORLDS[name], 10, seed=3, alpha=alpha), DRAWS, 1 - alpha)


@pytest.mark.parametrize("name", [name for name in WORLDS if name != "concentrated"])
def test_with_50_topics_they_are_hardly_longer_than_t(name: str) -> None:
    values = WORLDS[name].draw(np.random.default_rng(4), (50, DRAWS))
    low, high = mean_bounds(values, within=RANGE)
    t = 2 * stats.t.ppf(0.975, 49) * stats.sem(values, axis=0)
    assert (high - low).mean() < 1.12 * t.mean()


def test_without_a_range_skewed_scores_are_covered_nearly_as_often_as_normal_ones() -> None:
    rng = np.random.default_rng(5)
    for values, mean in ((rng.normal(3, 2, (25, DRAWS)), 3.0), (rng.exponential(2, (25, DRAWS)), 2.0)):
        low, high = mean_bounds(values)
        assert_at_least(int(((low <= mean) & (mean <= high)).sum()), DRAWS)


@pytest.fixture(scope="module")
def scored(trec8_in_64_bits: Collection) -> Floats:
    """Of all systems of TREC-8: measure, topic, system."""
    return score(trec8_in_64_bits, MEASURES).values[..., 0]


@pytest.mark.parametrize("measure", MEASURES)
def test_weak_systems_of_trec8_on_10_of_its_topics(measure: str, scored: Floats) -> None:
    """The topics of TREC-8 are the population; a quarter of the systems, the weakest, one by one."""
    values = scored[MEASURES.index(measure)]
    means = values.mean(axis=0)
    weak = np.argsort(means)[: values.shape[1] // 4]
    rng, holds = np.random.default_rng(6), 0
    for system in rng.choice(weak, DRAWS):
        sample = values[rng.integers(0, len(values), 10), system]
        (one,) = score(_table(sample, measure)).means
        holds += one.low <= means[system] <= one.high
    assert_at_least(holds, DRAWS)


def _table(sample: Floats, measure: str) -> Scores:
    names = tuple(map(str, range(len(sample))))
    return Scores(sample[None, :, None, None], (Measure.parse(measure),), names, ("one",), ("all",))
