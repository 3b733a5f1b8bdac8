"""Bootstrap ANOVA against refits by least squares, exact moments, enumeration, and draws of every residual."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.models.anova import Fit, fit
from irgauge.models.residuals import BLOCK, Bootstrap, ResidualSums, bootstrap, changes
from oracles.slow_residuals import bootstrap_effects, least_squares, p_value

Values = NDArray[np.float64]
MODELS = ("MD2", "MD3")  # without and with interactions
RNG = np.random.default_rng(8)
SKEWED = RNG.exponential(0.1, (12, 5, 3)) + RNG.random((12, 1, 1)) + np.array([0.0, 0.01, 0.03, 0.05, 0.3])[:, None]
DRAWS = 20_000


def drawn(values: Values = SKEWED, *, model: str = "MD3", draws: int = DRAWS, **options: object) -> Bootstrap:
    return bootstrap(fit(values, model), draws=draws, **{"seed": 3, **options})  # type: ignore[arg-type]  # options of several types


def exact_variance(model: Fit) -> float:
    """The variance of a system's effect over all possible draws of residuals; the last term is the grand mean's."""
    topics, systems, parts = model.shape
    sigma2 = float(np.square(model.residuals()).mean())
    return sigma2 / (topics * parts) - sigma2 / (topics * parts * systems)


@st.composite
def values_of_cells(draw: st.DrawFn) -> Values:
    """values[topic, system, part] without ties."""
    shape = draw(st.tuples(st.integers(2, 6), st.integers(2, 5), st.integers(2, 4)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.exponential(1, shape) if draw(st.booleans()) else rng.random(shape)


# a refit


@pytest.mark.parametrize("model", MODELS)
@given(values=values_of_cells(), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_effects_of_a_sample_are_those_of_a_refit_by_least_squares(values: Values, seed: int, model: str) -> None:
    ours, interactions = fit(values, model), model == "MD3"
    effects, fitted = least_squares(values, interactions=interactions)
    np.testing.assert_allclose(ours.effects("system"), effects, atol=1e-12)
    np.testing.assert_allclose(ours.residuals(), values - fitted, atol=1e-12)
    residuals = np.random.default_rng(seed).choice((values - fitted).ravel(), size=values.shape)
    refitted, _ = least_squares(fitted + residuals, interactions=interactions)
    closed = (
        ours.effects("system") + changes(residuals.sum(axis=(0, 2))[:, None], values.shape[0] * values.shape[2])[:, 0]
    )
    np.testing.assert_allclose(closed, refitted, atol=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_draws_vary_as_they_should(model: str) -> None:
    found, exact = drawn(model=model), exact_variance(fit(SKEWED, model))
    for own, effect in zip(found.draws, found.effects, strict=True):
        assert abs(own.mean() - effect) < 5 * math.sqrt(exact / DRAWS)
        assert own.var() == pytest.approx(exact, rel=5 * math.sqrt(2.2 / DRAWS))  # 2, and some for the kurtosis


@pytest.mark.parametrize("model", MODELS)
def test_draws_have_the_distribution_of_those_that_draw_every_residual(model: str) -> None:
    ours = drawn(model=model)
    slow = bootstrap_effects(SKEWED, 4000, 5, interactions=model == "MD3")
    for system in range(SKEWED.shape[1]):
        assert stats.ks_2samp(ours.draws[system], slow[:, system]).pvalue > 1e-4
    for a, b in product(range(5), repeat=2):
        if ours.effects[a] > ours.effects[b]:
            p = ours.reached[a, b]
            error = math.sqrt(max(p, 1 / DRAWS) * (1 / DRAWS + 1 / 4000))
            assert abs(p_value(slow, ours.effects, a, b) - p) < 5 * error


def test_drawn_topics_add_the_variance_of_the_interaction() -> None:
    model, found = fit(SKEWED, "MD3"), drawn(resample="topics")
    exact = exact_variance(model) + np.square(model.effects("topic:system")).mean(axis=0) / len(SKEWED)
    np.testing.assert_allclose(found.draws.var(axis=1), exact, rtol=0.06)
    assert (exact > 1.1 * exact_variance(model)).all()
    slow = bootstrap_effects(SKEWED, 4000, 5, interactions=True, topics_too=True)
    for system in range(SKEWED.shape[1]):
        assert stats.ks_2samp(found.draws[system], slow[:, system]).pvalue > 1e-4


# the sum of residuals


def test_the_sum_of_few_residuals_has_the_distribution_of_all_its_cases() -> None:
    pool = np.array([-0.31, -0.05, 0.02, 0.34])
    sums = ResidualSums.of(pool, 4)
    cases = Counter(round(math.fsum(case), 9) for case in product(pool.tolist(), repeat=4))
    places = sorted(cases)
    assert len(places) == 35
    for low, high in pairwise(places):
        at = (low + high) / 2
        exact = sum(count for place, count in cases.items() if place < at) / 4**4
        if high - low > 0.005:
            assert sums.cdf[np.searchsorted(sums.values, at) - 1] == pytest.approx(exact, abs=1e-9)


@given(pool=arrays.arrays(np.float64, st.integers(2, 60), elements=st.floats(-1, 1, width=32)), n=st.integers(1, 2000))
@settings(deadline=None, max_examples=40)
def test_moments_of_sums_are_exact_but_for_rounding_the_third(pool: Values, n: int) -> None:
    pool = pool - pool.mean()
    if np.ptp(pool) < 1e-3:
        return
    sums = ResidualSums.of(pool, n)
    p = np.diff(sums.cdf, prepend=0)
    variance, skew = np.square(pool).mean(), (pool**3).mean()
    scale, step = math.sqrt(n * variance), sums.values[1] - sums.values[0]
    assert step <= 1.01 * np.ptp(pool) / 2048
    assert (p * sums.values).sum() == pytest.approx(0, abs=1e-6 * scale)
    assert (p * sums.values**2).sum() == pytest.approx(n * variance, rel=1e-6)
    assert (p * sums.values**3).sum() == pytest.approx(n * skew, abs=2 * n * variance * step)
    assert p.min() >= 0
    assert sums.cdf[-1] == 1


def test_the_grid_stays_small_for_many_topics() -> None:
    pool = np.clip(np.random.default_rng(1).standard_t(3, 5000) * 0.05, -1, 1)
    few, many = (len(ResidualSums.of(pool - pool.mean(), n).cdf) for n in (100, 10_000))
    assert many <= 8 * few <= 2**21


def test_draws_are_quantiles_of_uniform_numbers() -> None:
    sums = ResidualSums.of(fit(SKEWED, "MD3").residuals(), 36)
    uniform = np.random.default_rng(4).random((50, 7))
    expected = sums.values[np.searchsorted(sums.cdf, uniform, side="right")]
    np.testing.assert_array_equal(sums.draw(np.random.default_rng(4), (50, 7)), expected)


# p-values and intervals


def test_reached_counts_the_draws_of_the_one_that_reach_the_effect_of_the_other() -> None:
    found = drawn(draws=300)
    for a, b in product(range(5), repeat=2):
        assert found.reached[a, b] == sum(found.draws[b] >= found.effects[a]) / 300
    assert found.reached[4, 0] == 0  # far apart
    assert np.diagonal(found.reached) == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(("alpha", "left_out"), [(0.05, 7), (0.1, 15), (0.02, 3), (0.001, 0)])
def test_an_interval_leaves_the_same_number_of_draws_out_on_each_side(alpha: float, left_out: int) -> None:
    found = drawn(draws=300)
    low, high = found.interval(alpha)
    assert (found.draws < low[:, None]).sum(axis=1).tolist() == [left_out] * 5
    assert (found.draws > high[:, None]).sum(axis=1).tolist() == [left_out] * 5


def test_a_density_has_the_area_one() -> None:
    found = drawn(draws=2000)
    at = np.linspace(found.draws[1, 0] - 0.05, found.draws[1, -1] + 0.05, 2001)
    density = found.density(1, at)
    assert np.trapezoid(density, at) == pytest.approx(1, abs=1e-3)
    beyond = at >= found.effects[2]
    assert np.trapezoid(density[beyond], at[beyond]) == pytest.approx(found.reached[2, 1], abs=0.02)


# seeds and invariance


@pytest.mark.parametrize("resample", ["residuals", "topics"])
def test_a_draw_depends_on_the_seed_and_its_number_alone(resample: str) -> None:
    few, some, many = (drawn(draws=draws, resample=resample) for draws in (100, BLOCK + 9, 2 * BLOCK))
    for system in range(5):
        assert np.isin(few.draws[system], some.draws[system]).all()
        assert np.isin(some.draws[system], many.draws[system]).all()
    again, other, keyed = (drawn(draws=100, resample=resample, **one) for one in ({}, {"seed": 4}, {"key": (1,)}))
    np.testing.assert_array_equal(again.draws, few.draws)
    for one in (other, keyed):
        assert np.isin(one.draws, few.draws).mean() < 0.05  # sums on a grid may coincide


@given(values=values_of_cells(), constant=st.floats(-100, 100), power=st.integers(-3, 3))
@settings(deadline=None, max_examples=30)
def test_a_constant_or_a_factor_changes_no_p_value(values: Values, constant: float, power: int) -> None:
    one, scaled, moved = (drawn(each, draws=2000) for each in (values, values * 2.0**power, values + constant))
    np.testing.assert_array_equal(one.reached, scaled.reached)
    np.testing.assert_allclose(one.effects, moved.effects, atol=1e-12)
    np.testing.assert_allclose(one.reached, moved.reached, atol=0.005)  # by rounding, a residual's place on the grid


@given(values=values_of_cells(), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_the_order_of_systems_changes_p_values_by_chance_alone(values: Values, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(values.shape[1])
    one, other = drawn(values, draws=4000), drawn(values[:, order], draws=4000)
    np.testing.assert_allclose(one.effects[order], other.effects, atol=1e-12)
    p, q = one.reached[np.ix_(order, order)], other.reached
    assert (np.abs(p - q) < 6 * np.sqrt(np.maximum(p * (1 - p), 1e-3) * 2 / 4000)).all()


# wrong settings


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(DesignError, match="draws is 0; it must be at least 1"):
        drawn(draws=0)
    with pytest.raises(DesignError, match="resample 'systems' is unknown; choose from residuals, topics"):
        drawn(resample="systems")
    with pytest.raises(DesignError, match="MD2 has no topic:system"):
        drawn(model="MD2", resample="topics")
