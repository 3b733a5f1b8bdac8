"""Sign flips: randomization against all sign vectors, max-|t| against its definition, scipy and its invariances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge import Scores
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.flips import max_t, randomization
from oracles import slow_max_t
from oracles.pairs_given import NAMES, TENTHS, VALUES, Values, by_name, each_pair, tukey_of

# the randomization test: all sign vectors, and the same draws one by one


def added(d: Sequence[Fraction], flips: Sequence[int]) -> Fraction:
    return sum((-x if flip else x for x, flip in zip(d, flips, strict=True)), Fraction(0))


def reaches(drawn: Fraction, observed: Fraction, sides: int) -> bool:
    return drawn >= observed if sides == 1 else abs(drawn) >= abs(observed)


def exact_p(d: Values, sides: int) -> float:
    """The share of all sign vectors that reach what was observed, in exact arithmetic on rounded decimals."""
    exact = [Fraction(round(x * 10**6), 10**6) for x in d]
    every = [added(exact, flips) for flips in product((0, 1), repeat=len(d))]
    return sum(reaches(each, every[0], sides) for each in every) / len(every)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("decimals", [1, 6])
def test_randomization_approaches_all_sign_flips(sides: int, decimals: int) -> None:
    values = np.round(VALUES[:9], decimals)
    draws = 20_000
    comparison = randomization(values, NAMES, draws=draws, seed=1, sides=sides)  # type: ignore[arg-type]  # a literal
    for pair, one, other in each_pair(comparison, values, NAMES):
        p = exact_p(one - other, sides)
        assert abs(comparison.p_adjusted[pair] - p) < 4.5 * np.sqrt(p * (1 - p) / draws) + 2 / draws


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("decimals", [1, 6])
def test_randomization_is_what_its_draws_say_one_by_one(sides: int, decimals: int) -> None:
    values = np.round(VALUES[:8], decimals)
    flips = np.random.default_rng(4).integers(0, 2, (300, 8), np.int8)
    comparison = randomization(values, NAMES, draws=300, seed=4, sides=sides)  # type: ignore[arg-type]  # a literal
    for pair, one, other in each_pair(comparison, values, NAMES):
        d = [Fraction(round(x * 10**6), 10**6) for x in one - other]  # ties are ties
        count = sum(reaches(added(d, flip), sum(d, Fraction(0)), sides) for flip in flips.tolist())
        assert comparison.p_adjusted[pair] == (count + 1) / 301


def test_more_draws_go_on_from_fewer() -> None:
    few, more = (randomization(VALUES, NAMES, draws=draws, seed=1).p_adjusted * (draws + 1) - 1 for draws in (100, 101))
    added = np.round(more - few)
    assert set(added.tolist()) <= {0.0, 1.0}
    assert randomization(VALUES, NAMES, draws=100, seed=2).p_adjusted.tolist() != ((few + 1) / 101).tolist()


@pytest.mark.parametrize("sides", [1, 2])
def test_the_interval_of_sign_flips_holds_the_shifts_that_are_not_rejected(sides: int) -> None:
    options = {"draws": 399, "seed": 2, "sides": sides}
    values = VALUES[:, [0, 4]]
    comparison = randomization(values, ["a", "e"], **options)  # type: ignore[arg-type]  # options of several types

    def rejects(shift: float) -> bool:
        shifted = randomization(values - np.array([0.0, shift]), ["a", "e"], **options)  # type: ignore[arg-type]  # options of several types
        return bool(shifted.significant[0])

    low, high = float(comparison.low[0]), float(comparison.high[0])
    assert low < comparison.difference[0] < high
    assert rejects(low - 1e-6)
    assert not rejects(low + 1e-6)
    if sides == 2:  # with one side the hypothesis turns round with the sign of the difference
        assert rejects(high + 1e-6)
        assert not rejects(high - 1e-6)


# max-|t| against its definition, and against scipy


def flips_of(draws: int, topics: int, seed: int) -> NDArray[np.int8]:
    return np.random.default_rng(seed).integers(0, 2, (draws, topics), np.int8)


def places(comparison: Comparison) -> list[tuple[int, int]]:
    """The columns of the values that each pair is of."""
    return [(NAMES.index(first), NAMES.index(second)) for first, second in comparison.names]


@pytest.mark.parametrize("values", [VALUES, TENTHS, VALUES[:5], 1000 + VALUES], ids=["", "tenths", "five", "far"])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
@pytest.mark.parametrize("baseline", [None, "c"])
def test_max_t_is_what_its_draws_say_one_by_one(values: Values, alpha: float, baseline: str | None) -> None:
    comparison = max_t(values, NAMES, draws=120, seed=6, alpha=alpha, baseline=baseline)
    given_ = values.tolist(), places(comparison), flips_of(120, len(values), 6).tolist()
    assert comparison.p_adjusted.tolist() == slow_max_t.p_values(*given_)
    assert (comparison.p_adjusted <= slow_max_t.first_step(*given_)).all()  # it finds at least what one step finds
    ends = np.array(slow_max_t.intervals(*given_, alpha))
    np.testing.assert_allclose(np.column_stack((comparison.low, comparison.high)), ends, rtol=1e-6, atol=1e-7)
    for pair, one, other in each_pair(comparison, values, NAMES):
        np.testing.assert_allclose(comparison.statistic[pair], stats.ttest_rel(one, other).statistic, rtol=1e-6)
    assert (comparison.df, comparison.draws, comparison.seed) == (len(values) - 1, 120, 6)


def test_max_t_of_two_systems_approaches_the_permutation_test_of_scipy() -> None:
    values, draws = VALUES[:10, [0, 4]] * np.array([1.0, 0.85]), 20_000
    result = stats.permutation_test(
        (values[:, 0], values[:, 1]), lambda x, y: stats.ttest_rel(x, y).statistic, permutation_type="samples"
    )
    p = result.pvalue
    assert 0.01 < p < 0.5
    found = max_t(values, ["a", "e"], draws=draws, seed=1).p_adjusted[0]
    assert abs(found - p) < 4.5 * math.sqrt(p * (1 - p) / draws) + 2 / draws


@given(seed=st.integers(0, 1 << 32), topics=st.integers(5, 12))
@settings(deadline=None, max_examples=30)
def test_max_t_of_two_systems_is_the_randomization_test(seed: int, topics: int) -> None:
    values = np.random.default_rng(seed).random((topics, 2))
    both = (test(values, ["a", "b"], draws=199, seed=seed) for test in (max_t, randomization))
    one, other = (comparison.p_adjusted.tolist() for comparison in both)
    assert one == other


@given(seed=st.integers(0, 1 << 32), scale=st.floats(1e-3, 1e3), alpha=st.sampled_from([0.02, 0.05, 0.3]))
@settings(deadline=None, max_examples=30)
def test_max_t_does_not_depend_on_scale_level_of_topics_or_order(seed: int, scale: float, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    values = rng.random((9, 4)) + rng.random(4)
    order, names = rng.permutation(4).tolist(), NAMES[:4]
    options = {"draws": 99, "seed": 1, "alpha": alpha}
    before = max_t(values, names, **options)  # type: ignore[arg-type]  # options of several types
    scaled = max_t(scale * values, names, **options)  # type: ignore[arg-type]  # options of several types
    moved = max_t(values + rng.normal(size=(9, 1)), names, **options)  # type: ignore[arg-type]  # options of several types
    turned = max_t(values[:, order], [names[i] for i in order], **options)  # type: ignore[arg-type]  # options of several types
    for after, unit in ((scaled, scale), (moved, 1.0), (turned, 1.0)):
        assert by_name(after, "p_adjusted") == by_name(before, "p_adjusted")
        for field in ("low", "high"):
            expected = {pair: unit * end for pair, end in by_name(before, field).items()}
            assert by_name(after, field) == pytest.approx(expected, rel=1e-5, abs=1e-6 * unit)


@given(seed=st.integers(0, 1 << 32), topics=st.integers(2, 9), step=st.sampled_from([0.1, 0.5, 1e-9]))
@pytest.mark.parametrize("alpha", [0.05, 0.2])
@settings(deadline=None, max_examples=60)
def test_the_interval_of_max_t_holds_0_where_p_is_above_alpha(
    alpha: float, seed: int, topics: int, step: float
) -> None:
    rng = np.random.default_rng(seed)
    values = np.round((rng.random((topics, 4)) + rng.random(4)) / step) * step  # ties, and constant differences
    values[:, 3] = values[:, 2] + 0.25
    comparison = max_t(values, NAMES[:4], draws=99, seed=seed, alpha=alpha)
    holds = (comparison.low <= 0) & (comparison.high >= 0)
    assert holds[~comparison.significant].all()


def test_few_topics_show_nothing_whatever_the_differences() -> None:
    values = np.array([[0.1, 0.5], [0.2, 0.7], [0.3, 0.9], [0.1, 0.6]])  # 2 of 2⁴ draws have all signs alike
    comparison = max_t(values, ["a", "b"], draws=999, seed=1)
    assert 0.08 < comparison.p_adjusted[0] < 0.17
    assert comparison.low[0] <= 0 <= comparison.high[0]
    constant = max_t(np.array([[0.1, 0.5], [0.2, 0.6], [0.3, 0.7], [0.1, 0.5]]), ["a", "b"], draws=999, seed=1)
    assert (constant.low[0], constant.high[0], constant.significant[0]) == (-math.inf, math.inf, False)


def test_pairs_that_go_together_are_not_paid_for_twice() -> None:
    copies = np.column_stack((VALUES[:, 0], *(VALUES[:, 4] + 1e-4 * copy for copy in range(8))))
    names = [f"s{i}" for i in range(9)]
    alone = max_t(copies[:, [0, 8]], ["s0", "s8"], draws=1999, seed=1)
    among = max_t(copies, names, draws=1999, seed=1, baseline="s0")
    assert by_name(among, "p_adjusted")[frozenset(("s0", "s8"))] <= alone.p_adjusted[0] + 0.001


def test_max_t_finds_what_tukey_misses_where_systems_vary_unequally() -> None:
    rng = np.random.default_rng(3)
    values = rng.random((30, 1)) + rng.normal(0, [0.01, 0.01, 0.3, 0.3], (30, 4)) + np.array([0.0, 0.02, 0.0, 0.0])
    assert by_name(max_t(values, NAMES[:4], draws=999, seed=1), "p_adjusted")[frozenset("ab")] <= 0.01
    assert by_name(tukey_of(values, NAMES[:4]), "p_adjusted")[frozenset("ab")] > 0.5


# TREC-8: Voorhees, Samarov and Soboroff (2017), Table 4


@pytest.mark.parametrize(("sides", "significant"), [(1, 6340), (2, 6000)])
def test_randomization_on_trec8(trec8_ap: Scores, sides: int, significant: int) -> None:
    values, systems = trec8_ap.values[0], trec8_ap.systems
    comparison = randomization(values, systems, seed=1, sides=sides)  # type: ignore[arg-type]  # a literal
    assert comparison.significant_count == pytest.approx(significant, rel=0.01)
