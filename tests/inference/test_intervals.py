"""Intervals of means against scipy and Tukey's test; intervals of shifts against the tests that they invert."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.intervals import (
    anova_interval,
    critical_t,
    hodges_lehmann,
    sem_interval,
    tukey_interval,
    typical_values,
)
from irgauge.inference.tests.tukey import tukey
from irgauge.models.anova import Fit, Population, fit

Values = NDArray[np.float64]
RNG = np.random.default_rng(7)
VALUES = RNG.normal(size=(12, 5, 3)) * 0.1 + RNG.random((12, 1, 1)) + np.array([0.0, 0.0, 0.1, 0.2, 0.4])[:, None]
SYSTEMS = ("v", "w", "x", "y", "z")
CASES = [
    (fit(VALUES, "MD6"), "documents"),
    (fit(VALUES, "MD3"), "topics"),
    (fit(VALUES, "MD6"), "both"),
    (fit(VALUES[:, :, :1], "MD1"), "topics"),
]


@pytest.mark.parametrize("alpha", [0.01, 0.05])
@pytest.mark.parametrize(("fitted", "population"), CASES)
def test_the_intervals_of_a_model_by_their_formulas(fitted: Fit, population: Population, alpha: float) -> None:
    error = fitted.error_term(population)
    topics, systems, shards = fitted.shape
    means = VALUES[:, :, :shards].mean(axis=(0, 2))
    se = np.sqrt(error.ms / (topics * shards))
    halves = {
        "Tukey": 0.5 * stats.studentized_range.ppf(1 - alpha, systems, error.df) * se,
        "ANOVA": stats.t.ppf(1 - alpha / 2, error.df) * se,
    }
    for interval in (f(fitted, SYSTEMS, population=population, alpha=alpha) for f in (tukey_interval, anova_interval)):
        np.testing.assert_allclose(interval.mean, means)
        np.testing.assert_allclose(interval.low, means - halves[interval.name], rtol=1e-6)
        np.testing.assert_allclose(interval.high, means + halves[interval.name], rtol=1e-6)
        assert (interval.alpha, interval.population) == (alpha, population)


@pytest.mark.parametrize("shards", [1, 3])
def test_the_interval_of_the_standard_error_is_that_of_scipy(shards: int) -> None:
    interval = sem_interval(VALUES[:, :, :shards], SYSTEMS, alpha=0.1)
    for system, (low, high) in enumerate(zip(interval.low, interval.high, strict=True)):
        values = VALUES[:, system, :shards].ravel()
        expected = stats.t.interval(0.9, values.size - 1, values.mean(), stats.sem(values))
        np.testing.assert_allclose((low, high), expected)
    assert (interval.name, interval.population) == ("SEM", "topics" if shards == 1 else None)


@given(
    values=arrays(np.float64, st.tuples(st.integers(2, 6), st.integers(2, 5), st.just(1)), elements=st.floats(0, 1)),
    alpha=st.sampled_from([0.001, 0.05, 0.3]),
)
@settings(deadline=None)
def test_systems_differ_by_tukey_if_and_only_if_their_intervals_do_not_overlap(values: Values, alpha: float) -> None:
    centred = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    assume(np.abs(centred).max() > 1e-6)  # else there is nothing to test against
    model = fit(values, "MD1")
    systems = [str(i) for i in range(values.shape[1])]
    comparison = tukey(model, systems, population="topics", alpha=alpha)
    interval = tukey_interval(model, systems, population="topics", alpha=alpha).of(comparison.systems)
    gap = interval.low[comparison.first] - interval.high[comparison.second]
    clear = np.abs(gap) > 1e-9
    np.testing.assert_array_equal(comparison.significant[clear], gap[clear] > 0)


@given(d=arrays(np.float64, st.tuples(st.integers(1, 10), st.integers(1, 3)), elements=st.floats(-1, 1)))
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.4])
@settings(deadline=None)
def test_hodges_lehmann_is_an_average_of_its_rank(alpha: float, d: Values) -> None:
    n = len(d)
    low, high = hodges_lehmann(d, alpha)
    i, j = np.triu_indices(n)
    averages = np.sort((d[i] + d[j]) / 2, axis=0)
    sums = (np.arange(2**n)[:, None] >> np.arange(n) & 1) @ np.arange(1, n + 1)  # of the ranks, under all signs
    w = max((w for w in range(len(averages)) if 2 * (sums <= w).mean() <= alpha), default=-1)
    if w < 0:
        assert np.isinf(low).all()
        assert np.isinf(high).all()
    else:
        np.testing.assert_allclose(low, averages[w], rtol=0, atol=1e-15)
        np.testing.assert_allclose(high, averages[-1 - w], rtol=0, atol=1e-15)


@pytest.mark.parametrize("values", ["apart", "many ties", "two values", "alike", "far from 0"])
def test_hodges_lehmann_of_many_topics_is_that_of_all_averages(values: str) -> None:
    d = np.random.default_rng(5).normal(0.1, 0.3, (400, 3))
    made = {"many ties": d.round(1), "two values": np.sign(d), "alike": np.full_like(d, 0.1), "far from 0": d + 1e9}
    d = made.get(values, d)
    low, high = hodges_lehmann(d, 0.05)
    i, j = np.triu_indices(len(d))
    averages = np.sort((d[i] + d[j]) / 2, axis=0)
    w = round(400 * 401 / 4 + stats.norm.ppf(0.025) * math.sqrt(400 * 401 * 801 / 24) - 0.5)
    np.testing.assert_allclose(low, averages[w], rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(high, averages[-1 - w], rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("topics", [20, 80, 200])
def test_hodges_lehmann_holds_the_shifts_that_the_signed_rank_test_does_not_reject(topics: int) -> None:
    d = np.random.default_rng(3).normal(0.1, 0.3, (topics, 4))
    low, high = hodges_lehmann(d, 0.05)
    for pair in range(4):
        for end, inside in ((low[pair], 1e-9), (high[pair], -1e-9)):
            assert stats.wilcoxon(d[:, pair] - end - inside).pvalue > 0.05
            assert stats.wilcoxon(d[:, pair] - end + inside).pvalue <= 0.05


def test_hodges_lehmann_is_exact_on_ties_and_zeros() -> None:
    low, high = hodges_lehmann(np.array([[0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.5]]), 0.05)
    assert (low.tolist(), high.tolist()) == ([0.0], [0.25])


def test_a_draw_that_flips_nothing_stands_for_any_shift() -> None:
    means = np.array([[0.3, np.nan, 0.2, 0.5]])
    assert [end.tolist() for end in typical_values(means, 1)] == [[-np.inf], [np.inf]]
    assert [end.tolist() for end in typical_values(means, 2)] == [[0.2], [0.5]]


@given(alpha=st.floats(1e-6, 0.9), df=st.floats(0.5, 1e4))
def test_critical_t_is_that_of_scipy(alpha: float, df: float) -> None:
    assert critical_t(alpha, df) == pytest.approx(stats.t.isf(alpha / 2, df), rel=1e-9)


@pytest.mark.parametrize("kind", [tukey_interval, anova_interval])
def test_intervals_of_some_systems_are_those_of_all_in_another_order(kind: type) -> None:
    every = kind(CASES[0][0], SYSTEMS, population="documents", alpha=0.1)
    some = every.of(["y", "v"])
    assert (some.systems, some.name, some.alpha, some.population) == (("y", "v"), every.name, 0.1, "documents")
    for end in ("mean", "low", "high"):
        np.testing.assert_array_equal(getattr(some, end), getattr(every, end)[[3, 0]])
    np.testing.assert_array_equal(some.length, some.high - some.low)
    np.testing.assert_allclose(every.length, every.length[0])  # the error is that of all systems
    assert every.systems == SYSTEMS


def test_an_interval_of_an_unknown_system_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        sem_interval(VALUES, SYSTEMS).of(["nobody"])


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, np.nan])
def test_alpha_is_a_probability(alpha: float) -> None:
    for interval in (tukey_interval, anova_interval):
        with pytest.raises(DesignError, match="alpha is"):
            interval(CASES[0][0], SYSTEMS, population="documents", alpha=alpha)
    with pytest.raises(DesignError, match="alpha is"):
        sem_interval(VALUES, SYSTEMS, alpha=alpha)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (VALUES[0], "three: topic, system, shard"),
        (VALUES[:1, :, :1], "at least 2 values"),
        (np.where(VALUES > 0.5, np.nan, VALUES), "undefined"),
    ],
)
def test_values_without_a_standard_error(values: Values, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        sem_interval(values, SYSTEMS)
