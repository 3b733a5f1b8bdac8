"""Mean squares against the textbook's sums and statsmodels' least squares, and what must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms


def scores(instances: int, topics: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.1, (instances, topics)) + rng.normal(0, 0.05, (instances, 1))
    return np.asarray(noise + rng.uniform(0.2, 0.8, topics))


def holes(values: Floats, seed: int) -> Floats:
    """With some values missing, though each topic and each instance keeps one."""
    missing = np.random.default_rng(seed).random(values.shape) < 0.2
    missing[0], missing[:, 0] = False, False
    return np.where(missing, np.nan, values)


def by_least_squares(values: Floats) -> tuple[Floats, Floats, float]:
    """Means on topics and of instances, and the residual mean square, by a regression on both."""
    instance, topic = np.nonzero(np.isfinite(values))
    design = np.column_stack([np.eye(len(values))[instance], np.eye(values.shape[1])[topic][:, 1:]])
    fit = OLS(values[instance, topic], design).fit()
    effects, others = fit.params[: len(values)], np.append(0.0, fit.params[len(values) :])
    return effects.mean() + others, effects + others.mean(), float(fit.mse_resid)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_full", [True, False])
def test_mean_squares_are_those_of_a_regression(seed: int, is_full: bool) -> None:  # noqa: FBT001  # a case
    values = scores(4, 9, seed)
    values = values if is_full else holes(values, seed)
    one = OneAlgorithm.of(values)
    means, of_instances, residual = by_least_squares(values)
    np.testing.assert_allclose(one.means, means, rtol=1e-9)
    assert one.between == pytest.approx(of_instances.var(ddof=1), rel=1e-9)
    assert one.residual == pytest.approx(residual, rel=1e-9)
    assert one.residual_df == np.isfinite(values).sum() - 4 - 9 + 1


def test_one_instance_each_is_the_paired_t_test() -> None:
    a, b = scores(1, 20, 1), scores(1, 20, 2)
    both = TwoAlgorithms.of(a, b)
    expected = stats.ttest_rel(a[0], b[0])
    assert both.variance[1:] == (0.0, 0.0)
    assert both.difference / np.sqrt(both.variance[0]) == pytest.approx(expected.statistic)
    assert both.df == (19, 19, 19)


def test_the_parts_by_hand() -> None:
    a, b = scores(5, 12, 3), scores(3, 12, 4)
    both = TwoAlgorithms.of(a, b)
    parts = [(a.mean(axis=0) - b.mean(axis=0)).var(ddof=1) / 12]
    for values in (a, b):
        m, between = len(values), values.mean(axis=1).var(ddof=1)
        left = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + values.mean()
        residual = (left**2).sum() / ((m - 1) * 11)
        parts.append(max(between - residual / 12, between / (m - 1)) / m)
    assert both.variance == pytest.approx(parts)
    assert both.df == (11, 4, 2)
    assert both.difference == pytest.approx(a.mean() - b.mean())


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 50), st.floats(-1, 1), st.floats(0.1, 10))
def test_units_and_what_topics_share_do_not_matter(m: int, k: int, seed: int, shift: float, unit: float) -> None:
    a, b = scores(m, 7, seed), scores(k, 7, seed + 100)
    topics = shift * np.arange(7)
    here, there = TwoAlgorithms.of(a, b), TwoAlgorithms.of(unit * (a + topics), unit * (b + topics))
    assert there.difference == pytest.approx(unit * here.difference, abs=1e-9)
    assert there.variance == pytest.approx([unit**2 * one for one in here.variance], abs=1e-9)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 50))
def test_the_order_of_topics_and_instances_does_not_matter(m: int, k: int, seed: int) -> None:
    a, b = holes(scores(m, 7, seed), seed), scores(k, 7, seed + 100)
    rng = np.random.default_rng(seed)
    order = rng.permutation(7)
    here = TwoAlgorithms.of(a, b)
    there = TwoAlgorithms.of(rng.permutation(a)[:, order], rng.permutation(b)[:, order])
    assert there.difference == pytest.approx(here.difference)
    assert there.variance == pytest.approx(here.variance, rel=1e-9, abs=1e-15)


def test_topics_that_one_has_no_value_on_are_left_out() -> None:
    a, b = scores(3, 8, 1), scores(2, 8, 2)
    without = np.where(np.arange(8) < 2, np.nan, b)
    found, expected = TwoAlgorithms.of(a, without), TwoAlgorithms.of(a[:, 2:], b[:, 2:])
    assert (found.difference, *found.variance) == pytest.approx((expected.difference, *expected.variance))


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(DesignError, match="scores on 1 of the same topics; at least 2 are needed"):
        TwoAlgorithms.of(np.array([[0.1, 0.2, np.nan]]), np.array([[np.nan, 0.3, 0.4]]))
    apart = np.array([[0.1, 0.2, np.nan, np.nan], [np.nan, np.nan, 0.3, 0.5]])
    with pytest.raises(DesignError, match="no topic in common with the others"):
        TwoAlgorithms.of(apart, np.array([[0.1, 0.2, 0.4, 0.3]]))
