"""Over collections: how often do claims err where systems are equally good, and do ranks hold the true ones?"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.rates import assert_about, assert_at_least, assert_at_most
from irgauge.inference.comparison import Comparison
from irgauge.inference.orders import rank_intervals
from irgauge.inference.strata import strata_t, stratified_t

Floats = NDArray[np.float64]
TRIALS = 1000
TOPICS = (12, 25, 50, 30, 80)  # of each collection
BETWEEN = 0.06  # the standard deviation of a system's effect between collections
SPREADS = np.array([0.1, 0.15, 0.2, 0.25, 0.3])  # of systems over topics


def suite(rng: np.random.Generator, effects: Floats, systems: int) -> list[Floats]:
    """values[topic, system] of each collection, whose systems have effects[collection, system]."""
    return [
        rng.beta(2, 3, (n, 1)) + own + SPREADS[:systems] * (rng.exponential(size=(n, systems)) - 1)
        for n, own in zip(TOPICS, effects, strict=True)
    ]


def on_topics(values: list[Floats]) -> Comparison:
    systems = values[0].shape[1]
    return stratified_t(values, [str(s) for s in range(systems)], correction="holm")


def on_collections(values: list[Floats]) -> Comparison:
    systems = values[0].shape[1]
    return strata_t(values, [str(s) for s in range(systems)], correction="holm")


@cache
def false_claims(systems: int, population: str) -> dict[str, int]:
    """Trials in which some of equally good systems differ: equally good on these collections, or on all there are."""
    rng, wrong = np.random.default_rng(2026), {"same collections": 0, "collections": 0}
    for _ in range(TRIALS):
        effects = rng.normal(0, BETWEEN, (len(TOPICS), systems))
        if population == "same collections":
            effects -= effects.mean(axis=0)  # collections disagree, and systems are equal over them
        values = suite(rng, effects, systems)
        wrong["same collections"] += bool(on_topics(values).significant.any())
        wrong["collections"] += bool(on_collections(values).significant.any())
    return wrong


@pytest.mark.parametrize("population", ["same collections", "collections"])
def test_the_only_pair_of_equal_systems_differs_as_often_as_promised(population: str) -> None:
    assert_about(false_claims(2, population)[population], TRIALS, 0.05)


@pytest.mark.parametrize("population", ["same collections", "collections"])
def test_any_pair_of_equal_systems_differs_no_more_often_than_promised(population: str) -> None:
    wrong = false_claims(5, population)[population]
    assert_at_most(wrong, TRIALS)
    assert wrong > 0.001 * TRIALS  # and it is not idle


def test_systems_that_differ_are_found_for_other_collections() -> None:
    rng, better = np.random.default_rng(3), np.array([0.3, 0.0, 0.0, 0.0, 0.0])
    suites = [suite(rng, better + rng.normal(0, BETWEEN, (len(TOPICS), 5)), 5) for _ in range(100)]
    assert sum(bool(on_collections(values).significant.any()) for values in suites) > 50


def test_what_holds_for_other_topics_does_not_hold_for_other_collections() -> None:
    assert false_claims(2, "collections")["same collections"] > 0.25 * TRIALS


@pytest.mark.parametrize("population", ["same collections", "collections"])
def test_all_ranks_are_held_together(population: str) -> None:
    rng, held = np.random.default_rng(7), 0
    true = np.array([0.1, 0.1, 0.05, 0.0, -0.1])  # two systems share the first ranks
    first, last = [1, 1, 3, 4, 5], [2, 2, 3, 4, 5]
    for _ in range(TRIALS):
        effects = rng.normal(0, BETWEEN, (len(TOPICS), 5))
        effects = true + (effects - effects.mean(axis=0) if population == "same collections" else effects)
        values = suite(rng, effects, 5)
        found = on_topics(values) if population == "same collections" else on_collections(values)
        ranks = rank_intervals(found)
        place = [found.systems.index(str(s)) for s in range(5)]
        held += bool((ranks.low[place] <= first).all() and (ranks.high[place] >= last).all())
    assert_at_least(held, TRIALS)
