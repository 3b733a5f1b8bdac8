"""Equivalence tests against statsmodels, and verdicts by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from irgauge.errors import DesignError
from irgauge.inference.verdicts import Parts, equivalence, smallest_setting, verdicts_of_intervals


def paired(shift: float, topics: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.uniform(size=topics)
    return first, first + rng.normal(shift, 0.05, topics)


@pytest.mark.parametrize("shift", [-0.05, -0.01, 0.0, 0.004, 0.03])
@pytest.mark.parametrize("topics", [5, 50])
def test_the_two_one_sided_tests_are_those_of_statsmodels(shift: float, topics: int) -> None:
    a, b = paired(shift, topics, seed=3)
    d = a - b
    found = equivalence(d.mean(), Parts.student(stats.sem(d), topics - 1), margin=0.01)
    p, lower, upper = ttost_paired(a, b, -0.01, 0.01)
    assert found.p_equivalent[0] == pytest.approx(p, rel=1e-9)
    assert found.p_not_worse[0] == pytest.approx(lower[1], rel=1e-9)
    assert found.p_not_better[0] == pytest.approx(upper[1], rel=1e-9)
    assert found.p_difference[0] == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)


@given(st.floats(-0.1, 0.1), st.floats(0.001, 0.05), st.integers(1, 200), st.floats(0.001, 0.1), st.floats(0.01, 0.2))
def test_tests_and_intervals_agree(d: float, se: float, df: int, margin: float, alpha: float) -> None:
    found = equivalence(d, Parts.student(se, df), margin=margin, alpha=alpha)
    half = stats.t.ppf(1 - alpha, df) * se  # the interval of one-sided tests at level alpha
    for p, claim in ((found.p_not_worse[0], d - half > -margin), (found.p_not_better[0], d + half < margin)):
        assert (p <= alpha) == claim or p == pytest.approx(alpha, rel=1e-6)


@given(st.floats(-0.1, 0.1), st.floats(0.001, 0.05), st.integers(1, 200), st.floats(0.001, 0.1))
def test_swapping_the_two_swaps_the_verdict(d: float, se: float, df: int, margin: float) -> None:
    swapped = {"better": "worse", "worse": "better", "not worse": "not better", "not better": "not worse"}
    there, back = (equivalence(sign * d, Parts.student(se, df), margin=margin).verdicts[0] for sign in (1, -1))
    assert back == swapped.get(there, there)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.005, 0.005, "equivalent"),
        (0.001, 0.009, "equivalent"),
        (0.001, 0.011, "better"),
        (0.02, 0.03, "better"),
        (-0.03, -0.001, "worse"),
        (-0.009, 0.02, "not worse"),
        (-0.02, 0.009, "not better"),
        (-0.02, 0.02, "inconclusive"),
        (-0.01, 0.005, "not better"),  # a bound at the margin itself does not exclude it
    ],
)
def test_intervals_give_verdicts(low: float, high: float, verdict: str) -> None:
    assert verdicts_of_intervals(low, high, 0.01) == (verdict,)


def test_corrections_are_over_the_pairs_of_each_kind_of_test() -> None:
    d, se = np.array([0.02, 0.01, 0.0]), np.array([0.006, 0.006, 0.006])
    plain, corrected = (
        equivalence(d, Parts.student(se, 40), margin=0.015, correction=one) for one in ("none", "bonferroni")
    )
    for kind in ("p_difference", "p_not_worse", "p_not_better"):
        np.testing.assert_allclose(getattr(corrected, kind), np.minimum(3 * getattr(plain, kind), 1))


def test_tukey_for_two_means_is_the_t_test_and_is_conservative_for_margins() -> None:
    plain, tukey = (
        equivalence([0.02, -0.004], Parts.student(0.006, 40), margin=0.02, correction=one) for one in ("none", "tukey")
    )
    np.testing.assert_allclose(tukey.p_difference, plain.p_difference, rtol=1e-6)
    np.testing.assert_allclose(tukey.p_not_worse, 2 * plain.p_not_worse, rtol=1e-6)


def test_tukey_over_several_means_is_that_of_scipy() -> None:
    found = equivalence([0.02, 0.011], Parts.student(0.006, 27), margin=0.02, correction="tukey", means=4)
    expected = stats.studentized_range.sf(np.sqrt(2) * np.array([0.02, 0.011]) / 0.006, 4, 27)
    np.testing.assert_allclose(found.p_difference, expected, rtol=1e-6)


def test_a_difference_without_variation_cannot_be_tested_and_no_difference_is_none() -> None:
    found = equivalence([0.0, 0.005, 0.02, -0.02], Parts.student(0.0, 10), margin=0.01)
    assert found.verdicts == ("equivalent", "inconclusive", "inconclusive", "inconclusive")
    assert np.isinf(found.interval(0.05)[0][1:]).all()


def test_error_rates_are_nominal_at_the_margin() -> None:
    rng = np.random.default_rng(5)
    d = rng.normal(0.01, 0.02, (20_000, 25))  # truly different by the margin
    found = equivalence(d.mean(axis=1), Parts.student(stats.sem(d, axis=1), 24), margin=0.01)
    assert 0.043 < np.mean(found.p_not_better <= 0.05) < 0.057
    assert np.mean(found.p_equivalent <= 0.05) < 0.055


def test_the_smallest_setting_holds_from_there_on() -> None:
    settings = [4, 0.1, 1, 0.5]
    for held in itertools.product([True, False], repeat=4):
        from_here = [s for s in settings if all(h for t, h in zip(settings, held, strict=True) if t >= s)]
        assert smallest_setting(settings, held) == (min(from_here) if from_here else None)


@pytest.mark.parametrize("margin", [0, -0.1, float("nan"), float("inf")])
def test_a_margin_that_is_not_above_0_is_refused(margin: float) -> None:
    with pytest.raises(DesignError, match="smallest difference that matters, above 0"):
        equivalence(0.1, Parts.student(0.1, 10), margin=margin)
    with pytest.raises(DesignError, match="smallest difference that matters, above 0"):
        verdicts_of_intervals(0.1, 0.2, margin)
