"""The interval of one mean against its definition solved by bisection, Wilson's interval and scipy's t."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import optimize, stats

from irgauge.errors import DesignError
from irgauge.inference.mean_bounds import mean_bounds

RANGE = (0.0, 1.0)
scores = arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.floats(0, 1, width=32))


def by_bisection(x: list[float], alpha: float) -> tuple[float, float]:
    """Where (m − μ)² crosses t² ρ μ(1 − μ) / (n − 1), on either side of the mean, which lies inside 0 and 1."""
    n, m = len(x), sum(x) / len(x)
    t = stats.t.ppf(1 - alpha / 2, n - 1)
    q = (sum(x) + 0.5) / (n + 1)
    more = max(1.0, (3 / (n * min(m, 1 - m))) ** 2) * q * (1 - q)
    rho = (sum((one - m) ** 2 for one in x) + more) / (n * m * (1 - m) + more)

    def beyond(mu: float) -> float:
        return (m - mu) ** 2 - t * t * rho * mu * (1 - mu) / (n - 1)

    return optimize.brentq(beyond, 0, m, xtol=1e-15), optimize.brentq(beyond, m, 1, xtol=1e-15)


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.5])
def test_the_ends_solve_the_definition(alpha: float) -> None:
    values = np.random.default_rng(1).beta(0.4, 2, (11, 6))
    low, high = mean_bounds(values, alpha=alpha, within=RANGE)
    for system in range(6):
        expected = by_bisection(values[:, system].tolist(), alpha)
        assert (low[system], high[system]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("successes", range(11))
def test_binary_scores_have_wilsons_interval_with_t(successes: int) -> None:
    values = np.repeat([1.0, 0.0], [successes, 10 - successes])[:, None]
    low, high = mean_bounds(values, within=RANGE)
    z = stats.t.ppf(0.975, 9) * math.sqrt(10 / 9)
    wilson = stats.binomtest(successes, 10).proportion_ci(1 - 2 * stats.norm.sf(z), method="wilson")
    assert (low[0], high[0]) == pytest.approx((wilson.low, wilson.high), abs=1e-12)


def test_without_a_range_it_is_t_and_longer_toward_the_longer_tail() -> None:
    values = np.random.default_rng(2).exponential(3, (13, 4)) * [1, 1, -1, -1]
    low, high = mean_bounds(values, alpha=0.1)
    for system, column in enumerate(values.T):
        ends = list(stats.t.interval(0.9, 12, column.mean(), stats.sem(column)))
        shift = johnson(column.tolist(), column.std(ddof=1), stats.t.ppf(0.95, 12))
        ends[0 if shift < 0 else 1] += shift
        assert (low[system], high[system]) == pytest.approx(ends, rel=1e-12)


def johnson(x: list[float], s: float, t: float) -> float:
    """g s (2t² + 1) / 6n, g = n Σ((x − m)/s)³ / ((n − 1)(n − 2))."""
    n, m = len(x), sum(x) / len(x)
    g = n * sum(((one - m) / s) ** 3 for one in x) / ((n - 1) * (n - 2))
    return g * s * (2 * t * t + 1) / (6 * n)


@given(scores)
def test_it_holds_the_mean_and_stays_in_the_range(values: NDArray[np.float64]) -> None:
    low, high = mean_bounds(values, within=RANGE)
    mean = values.mean(axis=0)
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert (low <= mean).all()
    assert (mean <= high).all()
    assert (high > low).all()


@given(scores)
def test_the_other_way_round_it_is_the_same(values: NDArray[np.float64]) -> None:
    low, high = mean_bounds(values, within=RANGE)
    mirrored = mean_bounds(1 - values, within=RANGE)
    np.testing.assert_allclose((1 - mirrored[1], 1 - mirrored[0]), (low, high), atol=1e-6)


@given(scores, st.floats(-5, 5), st.floats(0.1, 100))
def test_another_scale_gives_the_same_interval_on_it(values: NDArray[np.float64], start: float, unit: float) -> None:
    ends = np.array(mean_bounds(values, within=RANGE))
    scaled = mean_bounds(np.clip(start + unit * values, start, start + unit), within=(start, start + unit))
    np.testing.assert_allclose(scaled, start + unit * ends, atol=1e-5 * unit, rtol=1e-6)


@given(scores)
def test_a_stricter_level_gives_a_wider_interval(values: NDArray[np.float64]) -> None:
    (low, high), (lower, higher) = (mean_bounds(values, alpha=alpha, within=RANGE) for alpha in (0.1, 0.05))
    assert (lower <= low).all()
    assert (higher >= high).all()


def test_with_many_topics_it_is_near_t() -> None:
    values = np.random.default_rng(3).beta(1, 3, (200, 20))
    low, high = mean_bounds(values, within=RANGE)
    half = stats.t.ppf(0.975, 199) * stats.sem(values, axis=0)
    assert ((high - low) / (2 * half)).max() < 1.03


def test_equal_scores_have_an_interval_where_the_range_is_known() -> None:
    values = np.array([[0.0, 1.0, 0.1]] * 10)
    low, high = mean_bounds(values, within=RANGE)
    assert low[0] == 0
    assert high[1] == 1
    assert ((high - low) > 0.05).all()
    assert np.isnan(mean_bounds(values)).all()


def test_one_topic_has_no_interval() -> None:
    assert np.isnan(mean_bounds(np.array([[0.5, 0.1]]), within=RANGE)).all()
    assert np.isnan(mean_bounds(np.array([[0.5, 0.1]]))).all()


def test_two_topics_show_no_skewness() -> None:
    low, high = mean_bounds(np.array([[0.1], [0.5]]))
    assert (low[0], high[0]) == pytest.approx(stats.t.interval(0.95, 1, 0.3, 0.2))


def test_rounding_beyond_the_range_is_cut() -> None:
    values = np.array([[1 + 2e-16], [0.5], [1 + 4e-16], [-1e-17]])
    np.testing.assert_allclose(mean_bounds(values, within=RANGE), mean_bounds(np.clip(values, 0, 1), within=RANGE))
    assert mean_bounds(np.full((4, 1), 1 + 4e-16), within=RANGE)[1] == 1


def test_scores_outside_the_range_are_refused() -> None:
    with pytest.raises(DesignError, match="scores from 0 to 3 are not within 0 and 1"):
        mean_bounds(np.array([[0.0], [3.0]]), within=RANGE)
    with pytest.raises(DesignError, match="between 0 and 1"):
        mean_bounds(np.zeros((3, 1)), alpha=2)
