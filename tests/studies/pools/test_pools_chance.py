"""How often exchangeable runs gain as much confidence, against runs that are swapped one topic at a time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.studies.pools.pairs import SWAPS, chances, swapped_t, swaps
from oracles import slow_pools


def drawn(seed: int, topics: int = 9) -> np.ndarray[tuple[int, int, int, int], np.dtype[np.float64]]:
    """Differences of 2 measures with 3 pools in 5 images, that depend on each other."""
    rng = np.random.default_rng(seed)
    topic = rng.normal(0.3, 1, (1, 1, topics, 1))
    return topic + rng.normal(0, 0.5, (2, 3, topics, 1)) + rng.normal(0, 0.2, (2, 3, topics, 5))


@pytest.mark.parametrize("seed", range(4))
def test_chances_are_those_of_swaps_one_by_one(seed: int) -> None:
    differences, signs = drawn(seed), swaps(9, seed)[:120]
    gain, loss = chances(swapped_t(differences, signs))
    for m in range(2):
        expected = slow_pools.chance(differences[m], signs)
        assert gain[m].tolist() == [*expected.gain, 1.0]
        assert loss[m].tolist() == [*expected.loss, 1.0]


def test_the_first_draw_swaps_nothing_and_the_others_half_of_the_topics() -> None:
    signs = swaps(50, seed=3)
    assert signs.shape == (SWAPS + 1, 50)
    assert (signs[0] == 1).all()
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert abs(signs[1:].mean()) < 0.03
    np.testing.assert_array_equal(signs, swaps(50, seed=3))
    assert not np.array_equal(signs, swaps(50, seed=4))


@given(st.integers(0, 1000))
def test_which_run_comes_first_does_not_matter(seed: int) -> None:
    differences, signs = drawn(seed), swaps(9, 1)
    np.testing.assert_array_equal(chances(swapped_t(differences, signs)), chances(swapped_t(-3 * differences, signs)))


def test_the_same_differences_with_all_pools_gain_and_lose_nothing() -> None:
    differences = np.repeat(drawn(1)[:, :1], 3, axis=1)
    gain, loss = chances(swapped_t(differences, swaps(9, 1)))
    assert (gain == 1).all()
    assert (loss == 1).all()


def test_differences_that_are_all_0_or_all_the_same_have_a_chance() -> None:
    differences = np.zeros((1, 3, 9, 5))
    differences[0, 1] = 0.25
    gain, loss = chances(swapped_t(differences, swaps(9, 1)))
    assert gain[0, 1] < 0.05
    assert np.isfinite([gain, loss]).all()


def test_a_pool_by_which_one_run_is_always_ahead_is_beyond_chance() -> None:
    rng = np.random.default_rng(2)
    complete = rng.normal(0, 1, (30, 1)) + rng.normal(0, 0.1, (30, 8))
    differences = np.stack([np.abs(complete), complete])[None]  # measure, pool, topic, image
    gain, loss = chances(swapped_t(differences, swaps(30, 1)))
    assert gain[0, 0] == 1 / (SWAPS + 1)
    assert loss[0, 0] > 0.9
