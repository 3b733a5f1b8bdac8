"""The compact letter display against its definition, and against all maximal groups where there are few systems."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.comparison import Letters, compact_letters

Matrix = NDArray[np.bool_]


def symmetric(upper: Matrix) -> Matrix:
    upper = np.triu(upper, 1)
    return upper | upper.T


def monotone(means: NDArray[np.float64], least: float) -> Matrix:
    means = np.sort(means)[::-1]
    return np.abs(means[:, None] - means) > least


SQUARES = st.integers(1, 12).flatmap(lambda n: arrays(np.bool_, (n, n))).map(symmetric)
SORTED = st.tuples(arrays(np.float64, st.integers(1, 12), elements=st.floats(0, 1)), st.floats(0, 1)).map(
    lambda drawn: monotone(*drawn)
)


def maximal_groups(different: Matrix) -> set[tuple[int, ...]]:
    """All sets of systems of which no two differ, and which no other such set contains."""
    systems = range(len(different))
    alike = [
        set(group)
        for size in range(1, len(different) + 1)
        for group in combinations(systems, size)
        if not different[np.ix_(group, group)].any()
    ]
    return {tuple(sorted(group)) for group in alike if not any(group < other for other in alike)}


def pairs_of(group: tuple[int, ...]) -> set[tuple[int, int]]:
    """The pairs of a group, each system with itself included."""
    return {(one, other) for one in group for other in group}


def check(different: Matrix, display: Letters) -> None:
    shared = np.array([[bool(set(one) & set(other)) for other in display.letters] for one in display.letters])
    np.testing.assert_array_equal(shared, ~different)
    for i, group in enumerate(display.groups):
        outside = np.setdiff1d(np.arange(len(different)), group)
        assert different[outside][:, group].any(axis=1).all(), "one more system would fit in"
        others = set().union(*(pairs_of(other) for j, other in enumerate(display.groups) if j != i))
        assert pairs_of(group) - others, "the group says nothing new"


@given(different=SQUARES)
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(different: Matrix) -> None:
    check(different, compact_letters(different))


@given(different=SORTED)
def test_where_significance_is_monotone_the_groups_are_runs_of_systems(different: Matrix) -> None:
    display = compact_letters(different)
    check(different, display)
    for group in display.groups:
        assert group == tuple(range(group[0], group[-1] + 1))


@given(different=st.one_of(SORTED, SQUARES).filter(lambda matrix: len(matrix) <= 8))
def test_groups_are_among_all_maximal_ones(different: Matrix) -> None:
    assert set(compact_letters(different).groups) <= maximal_groups(different)


@given(different=SORTED.filter(lambda matrix: len(matrix) <= 8))
def test_where_significance_is_monotone_the_groups_are_all_maximal_ones(different: Matrix) -> None:
    assert set(compact_letters(different).groups) == maximal_groups(different)


def test_a_group_whose_pairs_are_all_in_others_is_left_out() -> None:
    different = np.ones((6, 6), np.bool_)
    for group in ((0, 1, 3), (1, 2, 4), (0, 2, 5)):  # 0, 1, 2 are alike too, in pairs
        different[np.ix_(group, group)] = False
    assert (0, 1, 2) in maximal_groups(different)
    assert compact_letters(different).groups == ((0, 1, 3), (0, 2, 5), (1, 2, 4))


def test_the_letters_of_one_group_and_of_none_alike() -> None:
    assert compact_letters(np.zeros((3, 3), np.bool_)).texts == ("a", "a", "a")
    assert compact_letters(~np.eye(3, dtype=np.bool_)).texts == ("a", "b", "c")
    assert compact_letters(np.zeros((1, 1), np.bool_)).texts == ("a",)


def test_after_z_comes_aa_and_letters_stand_apart() -> None:
    labels = compact_letters(~np.eye(703, dtype=np.bool_)).letters
    assert [labels[i] for i in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        (label,) for label in ("a", "z", "aa", "ab", "az", "ba", "zz", "aaa")
    ]
    chain = np.abs(np.subtract.outer(np.arange(29), np.arange(29))) > 1
    texts = compact_letters(chain).texts
    assert texts[:2] == ("a", "a b")
    assert texts[26:] == ("z aa", "aa ab", "ab")


@pytest.mark.parametrize("systems", [129, 500])
@pytest.mark.parametrize("least", [0.01, 0.1, 0.5])
def test_many_systems_take_less_than_a_second(systems: int, least: float) -> None:
    different = monotone(np.random.default_rng(1).random(systems), least)
    start = time.process_time()
    display = compact_letters(different)
    assert time.process_time() - start < 1
    shares = np.zeros((systems, len(display.groups)), np.int64)
    for i, group in enumerate(display.groups):
        shares[list(group), i] = 1
    np.testing.assert_array_equal(shares @ shares.T > 0, ~different)


@pytest.mark.parametrize(
    ("different", "message"),
    [
        (np.zeros((2, 3), np.bool_), "square"),
        (np.zeros(3, np.bool_), "square"),
        (np.zeros((0, 0), np.bool_), "at least one system"),
        (np.triu(np.ones((3, 3), np.bool_), 1), "symmetric"),
        (np.eye(2, dtype=np.bool_), "differs from itself"),
    ],
)
def test_what_is_no_table_of_differences_is_refused(different: Matrix, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        compact_letters(different)
