"""The randomised Tukey test against its draws, one by one, against all permutations and a slow definition."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.tests import randomised_tukey as permuted
from irgauge.inference.tests.randomised_tukey import BLOCK, permuted_ranges, range_p, rounding_of_sums
from oracles.pairs_given import NAMES, VALUES, tukey_of

Values = NDArray[np.float64]
SCORES = 0.3 * np.random.default_rng(5).random((8, 5)) + np.array([0.0, 0.0, 0.1, 0.3, 0.6])


def slow_tukey(values: Values, draws: int, seed: int) -> Values:
    """One draw, one topic, one pair after the other."""
    rng = np.random.default_rng(seed)
    ranges = []
    for _ in range(draws):
        means = np.mean([rng.permutation(scores) for scores in values], axis=0)
        ranges.append(max(means) - min(means))
    means = values.mean(axis=0)
    return np.array([[(1 + sum(r >= abs(a - b) for r in ranges)) / (1 + draws) for a in means] for b in means])


def exact_tukey(values: Values) -> Values:
    """The share of all permutations whose range reaches the difference; the data as observed are one of them."""
    every = [np.mean(rows, axis=0) for rows in product(*(list(permutations(scores)) for scores in values))]
    ranges = np.ptp(every, axis=1)
    means = values.mean(axis=0)
    return np.array([[np.mean(ranges >= abs(a - b) - 1e-12) for a in means] for b in means])


def test_randomised_tukey_has_the_p_values_of_all_pairs_and_the_least_significant_difference() -> None:
    comparison = permuted.randomised_tukey(VALUES, NAMES, draws=999, seed=5)
    order = [NAMES.index(system) for system in comparison.systems]
    ranges = permuted_ranges(VALUES[:, order], 999, 5)
    means = VALUES[:, order].mean(axis=0)
    reached = (ranges >= np.abs(means[:, None] - means)[..., None] - 1e-12).sum(axis=2)
    np.testing.assert_array_equal(comparison.p_matrix, (1 + reached) / 1000)
    np.testing.assert_allclose(comparison.difference - comparison.low, np.sort(ranges)[-50])
    np.testing.assert_allclose(comparison.effect, tukey_of(VALUES, NAMES).effect)


def randomised_tukey(values: Values, draws: int, seed: int) -> Values:
    """p[system, system] of all pairs, with the systems in the order given."""
    ranges = np.sort(permuted_ranges(values, draws, seed))
    means = np.mean(values, axis=0)
    return range_p(ranges, np.abs(means[:, None] - means), rounding_of_sums(values))


def test_randomised_tukey_agrees_with_the_slow_definition() -> None:
    fast, slow = randomised_tukey(SCORES, draws=4000, seed=1), slow_tukey(SCORES, draws=4000, seed=2)
    np.testing.assert_allclose(fast, slow, atol=4 * np.sqrt(0.25 * 2 / 4000))
    assert fast[0, 4] < 0.01 < 0.5 < fast[0, 1]


@pytest.mark.parametrize("values", [SCORES[:4, 2:], SCORES[:4, 2:].round(1), np.array([[0.1, 0.9], [0.2, 0.8]])])
def test_randomised_tukey_approaches_all_permutations(values: Values) -> None:
    np.testing.assert_allclose(randomised_tukey(values, draws=20_000, seed=1), exact_tukey(values), atol=0.015)


def test_randomised_tukey_is_a_table_of_p_values() -> None:
    p = randomised_tukey(SCORES, draws=999, seed=3)
    np.testing.assert_array_equal(p, p.T)
    np.testing.assert_array_equal(np.diag(p), 1)
    assert p.min() >= 1 / 1000


def test_draws_depend_on_the_seed_alone() -> None:
    ranges = permuted_ranges(SCORES, 3 * BLOCK + 7, seed=1)
    for draws in (1, BLOCK - 1, BLOCK, BLOCK + 1):
        np.testing.assert_array_equal(permuted_ranges(SCORES, draws, seed=1), ranges[:draws])
    assert len(set(ranges.tolist())) == len(ranges)
    assert not set(ranges.tolist()) & set(permuted_ranges(SCORES, BLOCK, seed=2).tolist())


@given(shift=st.floats(-5, 5), scale=st.floats(0.1, 10), topic=st.integers(0, 7))
def test_randomised_tukey_is_invariant(shift: float, scale: float, topic: int) -> None:
    before = randomised_tukey(SCORES, draws=200, seed=1)
    easier = SCORES.copy()
    easier[topic] += shift  # the same for all systems
    np.testing.assert_array_equal(randomised_tukey(easier, draws=200, seed=1), before)
    np.testing.assert_array_equal(randomised_tukey(SCORES * scale, draws=200, seed=1), before)
    np.testing.assert_array_equal(randomised_tukey(-SCORES, draws=200, seed=1), before)


def test_equal_systems_never_differ_whatever_the_rounding() -> None:
    values = np.repeat(np.random.default_rng(0).random((7, 1)), 4, axis=1)
    values[:, 1] = values[::-1, 0]  # the same mean, summed in another order
    assert randomised_tukey(values, draws=50, seed=1)[0, 1] == 1


@pytest.mark.parametrize(
    ("values", "draws", "message"),
    [
        (SCORES[0], 10, "two topics and two systems"),
        (SCORES[:1], 10, "two topics and two systems"),
        (SCORES[:, :1], 10, "two topics and two systems"),
        (np.where(SCORES > 0.5, np.nan, SCORES), 10, "undefined"),
        (SCORES, 0, "draws is 0"),
    ],
)
def test_a_question_that_the_values_cannot_answer(values: Values, draws: int, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        randomised_tukey(values, draws, seed=1)
