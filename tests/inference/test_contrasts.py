"""Effects of systems and their differences: against plain t-tests, slow spreads, and draws of all systems together."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference.contrasts import Contrasts, system_differences, system_effects
from irgauge.models.anova import fit
from oracles.slow_residuals import difference_error, drawn_differences, replicates_of

Values = NDArray[np.float64]
RNG = np.random.default_rng(5)
SPREAD = np.array([0.02, 0.05, 0.05, 0.1])  # of each system
VALUES = RNG.normal(0, 1, (12, 4, 3)) * SPREAD[:, None] + RNG.random((12, 1, 1)) + RNG.normal(0, 0.1, (12, 1, 3))
WAYS = [("MD3", "residuals"), ("MD2", "residuals"), ("MD3", "topics")]


def pairs(values: Values, model: str = "MD3", resample: str = "residuals") -> Contrasts:
    first, second = np.triu_indices(values.shape[1], 1)
    return system_differences(fit(values, model), first, second, resample)  # type: ignore[arg-type]  # a literal


@st.composite
def cells(draw: st.DrawFn) -> Values:
    """values[topic, system, part] without ties."""
    shape = draw(st.tuples(st.integers(2, 6), st.integers(2, 5), st.integers(2, 4)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rng.exponential(1, shape) * rng.uniform(0.1, 2, (1, shape[1], 1))


@pytest.mark.parametrize(("model", "resample"), WAYS)
@given(values=cells())
@settings(deadline=None, max_examples=25)
def test_errors_are_the_larger_of_two_spreads(values: Values, model: str, resample: str) -> None:
    found, every = pairs(values, model, resample), list(combinations(range(values.shape[1]), 2))
    how = {"interactions": model == "MD3", "topics_too": resample == "topics"}
    for pair, (first, second) in enumerate(every):
        d = values[:, first].mean() - values[:, second].mean()
        assert found.estimate[pair] == pytest.approx(d, abs=1e-12)
        assert found.error[pair] == pytest.approx(difference_error(values, first, second, **how))
    np.testing.assert_allclose(found.p, 2 * stats.t.sf(np.abs(found.estimate) / found.error, found.df), rtol=1e-9)


@given(values=cells())
@settings(deadline=None, max_examples=25)
def test_two_systems_are_tested_by_a_paired_t_test_where_topics_are_drawn(values: Values) -> None:
    two = values[:, :2]
    found = pairs(two, "MD3", "topics")
    theirs = stats.ttest_rel(two[:, 0].mean(axis=1), two[:, 1].mean(axis=1))
    assert found.df.tolist() == [len(values) - 1]
    assert found.p[0] == pytest.approx(theirs.pvalue, rel=1e-6)
    low, high = found.interval(0.05)
    assert (low[0], high[0]) == pytest.approx(tuple(theirs.confidence_interval(0.95)), abs=1e-9)


def test_without_interactions_two_systems_are_tested_by_a_paired_t_test_over_all_parts() -> None:
    two = VALUES[:, :2]
    theirs = stats.ttest_rel(two[:, 0].ravel(), two[:, 1].ravel())
    assert pairs(two, "MD2").p[0] == pytest.approx(theirs.pvalue, rel=1e-9)


def test_degrees_of_freedom_are_those_of_welch() -> None:
    two = VALUES[:, [0, 3]] * np.linspace(0.1, 3, 12)[:, None, None]  # topics vary unequally
    strata = replicates_of(two, 0, 1, interactions=True, topics_too=False)
    variances = [float(np.var(one, ddof=1)) for one in strata]
    welch = sum(variances) ** 2 / sum(one**2 / (2 + 2) for one in variances) - 2
    assert 2 <= welch <= 24
    assert pairs(two).df[0] == pytest.approx(welch)
    alike = np.tile(np.array([1.0, -1.0, 0.0]), (9, 1))[:, None] * np.array([1.0, -1.0])[:, None]
    assert pairs(alike).df[0] == 9 * 2  # as many as equal variances have, and no more


def test_a_difference_varies_as_draws_of_all_systems_together_do() -> None:
    two, draws = VALUES[:, [1, 3]], 3000
    slow, found = drawn_differences(two, 0, 1, draws, 3), pairs(two)
    assert slow.std() == pytest.approx(found.error[0], rel=5 / math.sqrt(2 * draws))
    beyond = 2 * min((slow >= 0).mean(), (slow <= 0).mean())
    z = 2 * stats.norm.sf(abs(found.estimate[0]) / found.error[0])  # which t comes to with many replicates
    assert abs(beyond - z) < 10 * math.sqrt(z / draws)


def test_what_moves_all_systems_alike_changes_nothing() -> None:
    moved = VALUES + np.random.default_rng(1).normal(0, 5, (12, 1, 3))
    np.testing.assert_allclose(pairs(moved).p, pairs(VALUES).p, rtol=1e-6)
    for one, other in zip(_ends(moved), _ends(VALUES), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def _ends(values: Values) -> tuple[Values, Values]:
    return system_effects(fit(values, "MD3")).interval(0.05)


def test_a_pair_that_varies_more_than_others_has_its_own_spread() -> None:
    found = pairs(VALUES)
    assert found.error[5] > found.error[0]  # the last two systems vary most
    quiet = found.error[[0, 1, 3]]  # the others share one spread
    np.testing.assert_allclose(quiet, quiet[0])


@given(values=cells(), seed=st.integers(0, 2**32 - 1), power=st.integers(-3, 3))
@settings(deadline=None, max_examples=25)
def test_order_and_scale_change_no_p_value(values: Values, seed: int, power: int) -> None:
    order = np.random.default_rng(seed).permutation(values.shape[1])
    place = np.argsort(order)
    one, other = pairs(values), pairs(values[:, order] * 2.0**power)
    of = {frozenset(pair): p for pair, p in zip(combinations(range(len(order)), 2), other.p, strict=True)}
    for pair, p in zip(combinations(range(len(order)), 2), one.p, strict=True):
        assert of[frozenset(int(place[system]) for system in pair)] == pytest.approx(p, rel=1e-6)


def test_effects_have_intervals_around_them() -> None:
    found = system_effects(fit(VALUES, "MD3"))
    np.testing.assert_allclose(found.estimate, VALUES.mean(axis=(0, 2)) - VALUES.mean(), atol=1e-12)
    own = VALUES[:, 3] - VALUES.mean(axis=1)  # topic, part
    error = math.sqrt(own.var(axis=1, ddof=1).sum() / (12**2 * 3))
    assert found.error[3] == pytest.approx(error)
    low, high = found.interval(0.1)
    np.testing.assert_allclose(high - found.estimate, stats.t.isf(0.05, found.df) * found.error)
    np.testing.assert_allclose(found.estimate - low, high - found.estimate)


def test_the_density_has_half_of_p_beyond_no_difference() -> None:
    found = pairs(VALUES)
    pair = int(np.argmin(np.abs(found.p - 0.4)))
    sign = np.sign(found.estimate[pair])
    at = np.linspace(-60, 0, 200_001) * found.error[pair]
    area = np.trapezoid(found.density(pair, sign * at), at)
    assert area == pytest.approx(found.p[pair] / 2, abs=1e-4)


def test_equal_systems_have_p_of_one_and_no_variation_is_certain() -> None:
    twins = np.concatenate([VALUES[:, :1], VALUES], axis=1)
    assert pairs(twins).p[0] == pytest.approx(1)
    alike = np.random.default_rng(2).random((5, 1, 2)) + np.array([0.1, 0.2])[:, None]
    assert pairs(alike).p.tolist() == [0.0]
    with pytest.raises(DesignError, match="no variation is left to test them against"):
        system_effects(fit(alike, "MD3"))
    with pytest.raises(DesignError, match="MD2 has no topic:system"):
        pairs(VALUES, "MD2", "topics")
