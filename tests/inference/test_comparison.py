"""Pairs of systems, families of them and what is said of them, on comparisons small enough to be read."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Pairs
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import fit

RNG = np.random.default_rng(2)
VALUES = RNG.normal(0, 0.05, (25, 5)) + np.array([0.2, 0.5, 0.24, 0.5, 0.35])
NAMES = ["a", "b", "c", "d", "e"]


def compared(baseline: str | None = None) -> Comparison:
    return paired_t(VALUES, NAMES, correction="bonferroni", baseline=baseline)


def test_systems_stand_best_first() -> None:
    one = compared()
    means = dict(zip(NAMES, VALUES.mean(axis=0).tolist(), strict=True))
    assert list(one.systems) == sorted(NAMES, key=lambda name: -means[name])
    assert one.means.tolist() == pytest.approx([means[name] for name in one.systems])
    assert (one.difference >= 0).all()


def test_all_pairs_are_each_there_once() -> None:
    pairs = Pairs.all_of(("x", "y", "z"), np.array([0.3, 0.2, 0.1]))
    assert pairs.names == [("x", "y"), ("x", "z"), ("y", "z")]
    assert pairs.difference.tolist() == pytest.approx([0.1, 0.2, 0.1])
    assert compared().names == list(combinations(compared().systems, 2))


def test_a_matrix_is_symmetric_and_empty_on_the_diagonal() -> None:
    pairs = Pairs.all_of(("x", "y", "z"), np.array([0.3, 0.2, 0.1]))
    nan = math.nan
    np.testing.assert_array_equal(pairs.matrix(np.array([1, 2, 3])), [[nan, 1, 2], [1, nan, 3], [2, 3, nan]])
    other = pairs.matrix(np.array([1, 2, 3]), order=["z", "x"])
    np.testing.assert_array_equal(other, [[nan, 2], [2, nan]])


def test_a_matrix_with_a_baseline_has_its_pairs_only() -> None:
    one = compared("c")
    p = one.matrix(one.p_adjusted, order=NAMES)
    place = NAMES.index("c")
    told = ~np.isnan(p)
    assert told.sum() == 2 * 4
    assert told[place].sum() == told[:, place].sum() == 4
    np.testing.assert_array_equal(np.diag(one.p_matrix), np.ones(5))


@given(means=arrays(np.float64, st.integers(2, 8), elements=st.floats(0, 1)), data=st.data())
def test_what_a_matrix_holds_of_a_pair_is_what_is_said_of_it(means: NDArray[np.float64], data: st.DataObject) -> None:
    names = tuple(f"s{i}" for i in range(len(means)))
    pairs = Pairs.all_of(names, np.sort(means)[::-1])
    order = data.draw(st.permutations(names))
    matrix = pairs.matrix(pairs.difference, order=order)
    assert np.isnan(np.diag(matrix)).all()
    for (first, second), difference in zip(pairs.names, pairs.difference, strict=True):
        a, b = order.index(first), order.index(second)
        assert matrix[a, b] == matrix[b, a] == difference


def test_the_best_have_the_p_values_that_they_have_among_all() -> None:
    one = compared()
    best = one.best(3)
    assert best.systems == one.systems[:3]
    assert best.names == [pair for pair in one.names if set(pair) <= set(best.systems)]
    every = dict(zip(one.names, one.p_adjusted.tolist(), strict=True))
    assert best.p_adjusted.tolist() == [every[pair] for pair in best.names]
    assert len(best.significant) == 3
    assert best.difference.tolist() == [
        difference for pair, difference in zip(one.names, one.difference, strict=True) if pair in best.names
    ]
    assert one.best(5).p_adjusted.tolist() == one.p_adjusted.tolist()


def test_the_frame_has_a_row_a_pair() -> None:
    one = compared()
    frame = one.frame()
    assert list(zip(frame["system"], frame["against"], strict=True)) == one.names
    for name in ("difference", "low", "high", "statistic", "p", "p_adjusted", "effect", "significant"):
        np.testing.assert_array_equal(frame[name].to_numpy(), getattr(one, name))
    np.testing.assert_array_equal(frame["significant"], frame["p_adjusted"] <= 0.05)


def test_counts_and_the_top_group() -> None:
    one = compared()
    assert one.significant_count + one.not_significant_count == 10
    assert one.significant_count == sum(p <= 0.05 for p in one.p_adjusted)
    means = VALUES.mean(axis=0)
    assert set(one.top_group) == {"b", "d"}  # drawn with the same mean, far above the others
    assert one.top_group[0] == max("bd", key=lambda name: means[NAMES.index(name)])


def test_with_a_baseline_there_is_neither_a_top_group_nor_groups() -> None:
    one = compared("a")
    with pytest.raises(DesignError, match="the top group needs all pairs"):
        _ = one.top_group
    with pytest.raises(DesignError, match="leave the baseline out"):
        _ = one.groups


def test_systems_share_a_letter_where_they_do_not_differ() -> None:
    one = compared()
    letters = dict(zip(one.systems, one.groups.texts, strict=True))
    for pair, is_significant in zip(one.names, one.significant, strict=True):
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) != is_significant


@pytest.mark.parametrize(
    ("correction", "level", "simultaneous"),
    [("none", 0.05, False), ("bh", 0.05, False), ("holm", 0.005, True), ("bonferroni", 0.005, True)],
)
def test_the_level_of_the_interval_of_one_pair(correction: str, level: float, simultaneous: bool) -> None:  # noqa: FBT001  # a case
    one = paired_t(VALUES, NAMES, correction=correction)
    assert one.level == pytest.approx(level)
    assert one.is_simultaneous == simultaneous
    assert one.confidence == 0.95


@pytest.mark.parametrize("baseline", [None, "c"])
def test_errors_are_controlled_over_the_pairs_tested_or_over_all(baseline: str | None) -> None:
    model = fit(VALUES[:, :, None], "MD1")
    by_tukey, by_max_t = (
        tukey(model, NAMES, population="topics", baseline=baseline),
        max_t(VALUES, NAMES, draws=99, seed=1, baseline=baseline),
    )
    assert (by_tukey.is_wider, by_max_t.is_wider) == (baseline is not None, False)
    assert by_tukey.is_simultaneous
    assert by_max_t.is_simultaneous
    assert by_max_t.family == compared(baseline).family
    assert not tukey(fit(VALUES[:, :2, None], "MD1"), NAMES[:2], population="topics", baseline="a").is_wider


def test_families_are_told() -> None:
    assert compared().family == "all 10 pairs"
    assert compared("a").family == "4 pairs with baseline a"
    model = fit(VALUES[:, :, None], "MD1")
    told = tukey(model, NAMES, population="topics", baseline="a").family
    assert told == "4 pairs with baseline a, controlled over all 10 pairs (conservative)"
    two = paired_t(VALUES[:, :2], NAMES[:2], correction="none")
    assert two.family == "1 pair"
