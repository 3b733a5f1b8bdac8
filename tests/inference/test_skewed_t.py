"""The guarded paired t-test against a slow one by scipy alone, and what it must have in common with Student's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.skewed_t import skewed_t, skewness
from oracles.slow_skewed_t import larger_p, outer_ends

SKEWED = np.random.default_rng(3).gamma(0.5, 0.2, (30, 4)) * np.array([1.0, 1.2, 1.6, 0.7])
NAMES = ["a", "b", "c", "d"]


@pytest.mark.parametrize("correction", ["none", "holm"])
@pytest.mark.parametrize("baseline", [None, "b"])
def test_by_the_formulas(correction: str, baseline: str | None) -> None:
    found = skewed_t(SKEWED, NAMES, correction=correction, baseline=baseline)
    level = 0.05 / (len(found.first) if correction == "holm" else 1)
    for pair, (first, second) in enumerate(found.names):
        d = SKEWED[:, NAMES.index(first)] - SKEWED[:, NAMES.index(second)]
        assert found.statistic[pair] == pytest.approx(stats.ttest_1samp(d, 0).statistic)
        assert found.p[pair] == pytest.approx(larger_p(d), rel=1e-9)
        assert (found.low[pair], found.high[pair]) == pytest.approx(outer_ends(d, level), abs=1e-9)


def test_where_differences_are_symmetric_it_is_students() -> None:
    half = np.random.default_rng(5).normal(0.1, 1.0, (10, 1))
    d = np.concatenate([half, 0.2 - half])  # around 0.1
    values = np.concatenate([d, np.zeros(d.shape)], axis=1)
    guarded, plain = skewed_t(values, NAMES[:2]), paired_t(values, NAMES[:2])
    for field in ("p_adjusted", "low", "high", "statistic", "effect", "se"):
        np.testing.assert_allclose(getattr(guarded, field), getattr(plain, field), rtol=1e-6)


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=25), st.sampled_from([0.01, 0.05, 0.2]))
def test_it_is_never_bolder_than_students_and_its_interval_fits_its_p(given_: list[float], alpha: float) -> None:
    values = np.stack([np.array(given_), np.zeros(len(given_))], axis=1)
    guarded, plain = (test(values, NAMES[:2], alpha=alpha) for test in (skewed_t, paired_t))
    assert guarded.p_adjusted[0] >= plain.p_adjusted[0] * (1 - 1e-9)
    assert guarded.low[0] <= plain.low[0] + 1e-12
    assert guarded.high[0] >= plain.high[0] - 1e-12
    if abs(guarded.p_adjusted[0] - alpha) > 1e-9:
        assert (guarded.p_adjusted[0] <= alpha) == bool(guarded.low[0] > 0 or guarded.high[0] < 0)


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1, width=16), min_size=3, max_size=25), st.floats(0.1, 10))
def test_the_other_sign_and_another_unit_say_the_same(given_: list[float], unit: float) -> None:
    values = np.stack([np.array(given_), np.zeros(len(given_))], axis=1)
    one = skewed_t(values, NAMES[:2], baseline="b")
    turned = skewed_t(-unit * values, NAMES[:2], baseline="b")
    assert turned.p_adjusted[0] == pytest.approx(one.p_adjusted[0], rel=1e-6, abs=1e-9)
    assert turned.low[0] == pytest.approx(-unit * one.high[0], rel=1e-6, abs=1e-8)


@given(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=40))
def test_skewness_is_scipys(given_: list[float]) -> None:
    values = np.array(given_)
    if np.ptp(values) < 1e-3:
        assert skewness(np.full((5, 1), values[0])) == 0
        return
    assert skewness(values[:, None])[0] == pytest.approx(stats.skew(values, bias=False), abs=1e-9)


def test_differences_that_do_not_vary() -> None:
    values = np.array([[0.1, 0.3], [0.2, 0.4], [0.5, 0.7]])
    found = skewed_t(values, NAMES[:2])
    assert (found.p_adjusted[0], found.statistic[0]) == (1.0, np.inf)
    assert (found.low[0], found.high[0]) == (-np.inf, np.inf)
    same = skewed_t(values[:, [0, 0]], NAMES[:2])
    assert (same.p_adjusted[0], same.low[0], same.high[0]) == (1.0, 0.0, 0.0)
