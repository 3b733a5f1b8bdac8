"""The t-test over strata against its definition, and against scipy where it is one of scipy's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from irgauge.errors import DesignError
from irgauge.inference import outcomes
from irgauge.inference.comparison import Comparison
from irgauge.inference.corrections import correction as correction_named
from irgauge.inference.strata import Disagreement, strata_t, stratified_t
from irgauge.inference.tests.paired_t import paired_t
from oracles import slow_stratified

Values = NDArray[np.float64]
NAMES = ["a", "b", "c", "d"]


def world(seed: int, sizes: tuple[int, ...] = (9, 40, 3)) -> list[Values]:
    """values[topic, system] of strata whose systems, and which among themselves, vary unequally."""
    rng = np.random.default_rng(seed)
    spread = np.geomspace(0.05, 0.3, 4)
    return [
        rng.random((topics, 1)) + c * spread * rng.normal(size=(topics, 4)) + np.linspace(0, 0.2, 4)
        for c, topics in enumerate(sizes, 1)
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("correction", ["none", "holm", "bh"])
def test_every_pair_by_the_definition(seed: int, correction: str) -> None:
    strata = world(seed)
    comparison = stratified_t(strata, NAMES, alpha=0.1, correction=correction)
    found = []
    for pair, (first, second) in enumerate(comparison.names):
        d, t, df, p = slow_stratified.tested(strata, NAMES.index(first), NAMES.index(second))
        assert (comparison.difference[pair], comparison.statistic[pair]) == pytest.approx((d, t), rel=1e-6)
        assert comparison.p[pair] == pytest.approx(p, rel=1e-6)
        half = float(stats.t.isf(comparison.level / 2, df)) * d / t
        assert (comparison.low[pair], comparison.high[pair]) == pytest.approx((d - half, d + half), rel=1e-6, abs=1e-9)
        found.append(p)
    assert comparison.p_adjusted == pytest.approx(correction_named(correction).adjusted(np.array(found)), rel=1e-6)
    assert (comparison.topics, comparison.test, comparison.alpha) == (52, "stratified-t", 0.1)


def test_one_stratum_is_the_paired_t_test() -> None:
    (values,) = world(1, (12,))
    comparison = stratified_t([values], NAMES)
    assert comparison.names == paired_t(values, NAMES).names
    for pair, (first, second) in enumerate(comparison.names):
        theirs = stats.ttest_rel(values[:, NAMES.index(first)], values[:, NAMES.index(second)])
        assert (comparison.statistic[pair], comparison.p_adjusted[pair]) == pytest.approx(theirs)
        assert (comparison.low[pair], comparison.high[pair]) == pytest.approx(theirs.confidence_interval())


def test_two_strata_that_mirror_each_other_are_welchs_test() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.normal(0.3, 1, 15), rng.normal(0.0, 3, 8)
    strata = [np.column_stack([one, np.zeros(15)]), np.column_stack([-other, np.zeros(8)])]
    comparison = stratified_t(strata, ["a", "b"])
    theirs = stats.ttest_ind(one, other, equal_var=False)
    assert (abs(comparison.statistic[0]), comparison.p_adjusted[0]) == pytest.approx(
        (abs(theirs.statistic), theirs.pvalue)
    )


def test_every_stratum_counts_the_same_in_whatever_order() -> None:
    strata = world(2)
    one, other = stratified_t(strata, NAMES), stratified_t(strata[::-1], NAMES)
    assert one.means == pytest.approx(sorted(np.mean([y.mean(axis=0) for y in strata], axis=0), reverse=True))
    assert (one.systems, one.p_adjusted.tolist()) == (other.systems, pytest.approx(other.p_adjusted.tolist()))


def test_blocks_of_pairs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    strata = world(4)
    at_once = stratified_t(strata, NAMES)
    monkeypatch.setattr(outcomes, "BLOCK", 1)
    assert np.array_equal(stratified_t(strata, NAMES).p_adjusted, at_once.p_adjusted)


def test_a_baseline_leaves_the_pairs_with_it() -> None:
    comparison = stratified_t(world(5), NAMES, correction="holm", baseline="b")
    assert sorted(comparison.names) == [("a", "b"), ("c", "b"), ("d", "b")]
    assert comparison.p_adjusted == pytest.approx(correction_named("holm").adjusted(comparison.p))


@pytest.mark.parametrize("test", [stratified_t, strata_t])
@pytest.mark.parametrize("lifts", [(0.5, 0.25), (0.1, 0.1, 0.1)])
def test_what_never_varies_over_topics_is_not_tested(test: Callable[..., Comparison], lifts: tuple[float, ...]) -> None:
    level = np.linspace(0, 1, 5)[:, None]
    comparison = test([level + np.array([lift, 0.0, 0.0]) for lift in lifts], ["a", "b", "c"])
    ends = zip(comparison.p_adjusted.tolist(), comparison.low.tolist(), comparison.high.tolist(), strict=True)
    assert dict(zip(comparison.names, ends, strict=True)) == {
        ("a", "b"): (1.0, -np.inf, np.inf),
        ("a", "c"): (1.0, -np.inf, np.inf),
        ("b", "c"): (1.0, 0.0, 0.0),
    }


WEIGHTS = [None, np.array([9.0, 40.0, 3.0]), np.array([1.0, 1.0, 20.0])]


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(4))
def test_other_strata_by_the_definition(seed: int, weights: Values | None) -> None:
    strata = world(seed)
    comparison = strata_t(strata, NAMES, alpha=0.1, weights=weights)
    disagreement = Disagreement.of(strata, NAMES, comparison, weights=weights)
    for pair, (first, second) in enumerate(comparison.names):
        given = [1.0] * 3 if weights is None else weights.tolist()
        theirs = slow_stratified.over_strata(strata, NAMES.index(first), NAMES.index(second), given, 0.1)
        ours = comparison.difference[pair], comparison.se[pair], comparison.p[pair]
        assert ours == pytest.approx((theirs.mean, theirs.error, theirs.p), rel=1e-6)
        half = float(stats.t.isf(comparison.level / 2, theirs.df)) * theirs.error
        assert comparison.high[pair] == pytest.approx(theirs.mean + half, rel=1e-6)
        between = disagreement.tau2[pair], disagreement.i2[pair]
        assert between == pytest.approx((theirs.tau2, theirs.i2), rel=1e-6, abs=1e-9)
        assert (disagreement.low[pair], disagreement.high[pair]) == pytest.approx(theirs.expected, rel=1e-6)


@pytest.mark.parametrize("shift", [0.0, 0.2])
def test_strata_of_equal_spread_by_statsmodels(shift: float) -> None:
    """All its estimators of τ² are one where error variances are equal."""
    rng = np.random.default_rng(3)
    centred = rng.normal(0, 0.2, 20)
    centred -= centred.mean()
    means = np.array([0.1, 0.12, 0.09, 0.1]) + shift * rng.normal(size=4)
    strata = [np.column_stack([mean + centred, np.zeros(20)]) for mean in means]
    comparison = strata_t(strata, ["a", "b"])
    disagreement = Disagreement.of(strata, ["a", "b"], comparison)
    theirs = combine_effects(means, np.full(4, centred.var(ddof=1) / 20), method_re="chi2")
    error = theirs.sd_eff_w_re * np.sqrt(theirs.scale_hksj_re) if shift else theirs.sd_eff_w_fe
    assert comparison.difference[0] == pytest.approx(theirs.mean_effect_re)
    assert comparison.se[0] == pytest.approx(error)
    assert (disagreement.tau2[0], disagreement.i2[0]) == pytest.approx((max(0, theirs.tau2), max(0, theirs.i2)))
    assert (disagreement.tau2[0] > 0) == (shift > 0)


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(2, 12), min_size=2, max_size=6),
    seed=st.integers(0, 2**16),
    between=st.sampled_from([0.0, 0.01, 0.3]),
    weights=st.sampled_from(["equal", "topics"]),
)
def test_other_strata_are_never_claimed_more_boldly_than_the_same(
    sizes: list[int], seed: int, between: float, weights: str
) -> None:
    rng = np.random.default_rng(seed)
    strata = [
        rng.normal(0, between, 3) + np.array([0.1, 0.05, 0.0]) + rng.normal(0, 10 ** rng.uniform(-3, 0), (n, 3))
        for n in sizes
    ]
    w = np.array(sizes, float) if weights == "topics" else None
    same, other = (test(strata, ["a", "b", "c"], correction="holm", weights=w) for test in (stratified_t, strata_t))
    rounding = 1 + 1e-9
    assert (other.se * rounding >= same.se).all()
    assert (other.p_adjusted * rounding >= same.p_adjusted).all()
    assert ((other.high - other.low) * rounding >= same.high - same.low).all()


def test_three_that_agree_by_chance_show_no_more_than_their_topics() -> None:
    """Means of 0.0200 to 0.0210 on 30 topics each whose differences vary by 0.18."""
    centred = np.random.default_rng(1).normal(0, 0.18, 30)
    centred -= centred.mean()
    strata = [np.column_stack([mean + centred, np.zeros(30)]) for mean in (0.0200, 0.0205, 0.0210)]
    assert stratified_t(strata, ["a", "b"]).p[0] > 0.05
    assert strata_t(strata, ["a", "b"]).p[0] > 0.1


def test_a_stratum_of_one_topic_or_with_holes_is_refused() -> None:
    good = world(6)[0]
    with pytest.raises(DesignError, match="at least 2 topics and 2 systems; given: topics: 1, systems: 4"):
        stratified_t([good, good[:1]], NAMES)
    with pytest.raises(DesignError, match="some values are undefined"):
        stratified_t([good, np.where(good > good.mean(), np.nan, good)], NAMES)
