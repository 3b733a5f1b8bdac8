"""Design effects against an analysis of variance, and plans in clusters against the power that they reach."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

import irgauge as ig
from calibration.rates import assert_at_least
from calibration.worlds import clustered
from irgauge.errors import DesignError
from irgauge.inference.sampling import Sampling
from irgauge.planning.deciding import by_differences
from irgauge.planning.design_effect import design_effect

EQUAL, UNEQUAL = (6,) * 12, (1, 2, 2, 3, 3, 4, 5, 6, 8, 9, 10, 12)


def drawn(seed: int, sizes: tuple[int, ...], correlation: float) -> tuple[np.ndarray, Sampling]:
    d, cluster = clustered(np.random.default_rng(seed), sizes, correlation)
    return d, Sampling(np.full(len(d), 1 / len(d)), cluster, np.zeros(len(d), np.intp))


def slow_freedom(x: np.ndarray) -> float:
    """2/ν = 2/(n − 1) + γ/n with the excess kurtosis γ, or 3/2 of the squared skewness where that is larger."""
    tails = max(0.0, stats.kurtosis(x, bias=False), 1.5 * stats.skew(x, bias=False) ** 2)
    return float(2 / (2 / (len(x) - 1) + tails / len(x)))


@pytest.mark.parametrize("sizes", [EQUAL, UNEQUAL])
def test_the_correlation_is_that_of_an_analysis_of_variance(sizes: tuple[int, ...]) -> None:
    d, sampling = drawn(1, sizes, 0.4)
    effect = design_effect(d, sampling)
    f = stats.f_oneway(*(d[sampling.cluster == group] for group in range(len(sizes)))).statistic
    n, total = np.array(sizes), sum(sizes)
    typical = (total - (n**2).sum() / total) / (len(n) - 1)
    assert effect is not None
    assert effect.correlation == pytest.approx((f - 1) / (f + typical - 1))
    means = np.array([d[sampling.cluster == group].mean() for group in range(len(sizes))])
    between = slow_freedom(np.sqrt(n) * (means - d.mean()))
    within = slow_freedom(d - means[sampling.cluster]) * (total - len(n)) / (total - 1)
    for end, chance in ((effect.low, 0.975), (effect.high, 0.025)):
        other = f / stats.f.ppf(chance, between, within)
        assert end == pytest.approx(max(0, 1 + ((n**2).sum() / total - 1) * (other - 1) / (other + typical - 1)))


@pytest.mark.parametrize("sizes", [EQUAL, UNEQUAL])
@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.8])
def test_intervals_hold_the_design_effect(sizes: tuple[int, ...], correlation: float) -> None:
    true = 1 + (sum(n * n for n in sizes) / sum(sizes) - 1) * correlation
    effects = [design_effect(*drawn(seed, sizes, correlation)) for seed in range(300)]
    held = sum(effect is not None and effect.low <= true <= effect.high for effect in effects)
    assert_at_least(held, 300)


def test_topics_that_are_copied_need_as_many_clusters() -> None:
    d = np.random.default_rng(2).normal(0, 0.1, 30)
    copied = Sampling(np.full(120, 1 / 120), np.repeat(np.arange(30), 4), np.zeros(120, np.intp))
    plain, own = by_differences(d, 0.03, 0.05), by_differences(np.repeat(d, 4), 0.03, 0.05, copied)
    assert plain.topics is not None
    assert own.topics is not None
    assert abs(own.topics - 4 * plain.topics) <= 4


def test_plans_in_clusters_reach_their_power() -> None:
    reached = 0
    for seed in range(100):
        d, sampling = drawn(seed, (5,) * 20, 0.3)
        needed = by_differences(d, 0.4, 0.05, sampling)
        clusters = (needed.topics or 0) / 5
        error = np.sqrt((1 + 4 * 0.3) / (5 * clusters))
        reached += stats.nct.sf(stats.t.ppf(0.95, clusters - 1), clusters - 1, 0.4 / error) >= 0.8
    assert_at_least(reached, 100, 0.8)


def test_a_plan_says_clusters_and_topics() -> None:
    d, sampling = drawn(3, (4,) * 15, 0.6)
    topics = [f"q{t}" for t in range(60)]
    data = pl.DataFrame({"topic": topics, "user": [f"u{c}" for c in sampling.cluster], "a": 0.1 * d, "b": 0.0 * d})
    plan = ig.plan(data, cluster="user", difference=0.05)
    text = plan.findings().of("design-effect")[0].text
    needed = plan.first.designs[0].topics or 0
    assert f"{-(-needed // 4):,} clusters like the 15 here, of 4.0 topics on average" in text
    assert needed > (ig.plan(data, difference=0.05).first.designs[0].topics or 0)
    assert plan.reliability is None
    with pytest.raises(DesignError, match="from scores of topics, not of components"):
        ig.plan(components="topic:system=0.01", difference=0.05, cluster="user")
    alone = ig.plan(data.with_columns(user="topic"), cluster="user", difference=0.05)
    assert alone.design_effect is None
    assert alone.first.designs[0].topics == ig.plan(data, difference=0.05).first.designs[0].topics


def test_weights_of_the_traffic_are_planned_with() -> None:
    d, _ = drawn(4, (1,) * 60, 0.0)
    weights = np.random.default_rng(5).gamma(0.5, size=60) + 0.01
    topics = [f"q{t}" for t in range(60)]
    data = pl.DataFrame({"topic": topics, "a": 0.1 * d, "b": 0.0 * d})
    table = pl.DataFrame({"topic": topics, "hits": weights})
    plan = ig.plan(data, weights="hits", topics_table=table, difference=0.05)
    assert (plan.first.designs[0].topics or 0) > (ig.plan(data, difference=0.05).first.designs[0].topics or 0)
    assert plan.findings().of("weighted")
    assert plan.design_effect is None
