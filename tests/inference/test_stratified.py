"""The t-test over strata against its definition, and against scipy where it is one of scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.errors import DesignError
from irgauge.inference import outcomes
from irgauge.inference.contrasts import stratified_t
from irgauge.inference.corrections import correction as correction_named
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


def test_what_never_varies_is_decided_or_the_same() -> None:
    level = np.linspace(0, 1, 5)[:, None]
    comparison = stratified_t([level + np.array([lift, 0.0, 0.0]) for lift in (0.5, 0.25)], ["a", "b", "c"])
    assert dict(zip(comparison.names, comparison.p_adjusted.tolist(), strict=True)) == {
        ("a", "b"): 0.0,
        ("a", "c"): 0.0,
        ("b", "c"): 1.0,
    }


def test_a_stratum_of_one_topic_or_with_holes_is_refused() -> None:
    good = world(6)[0]
    with pytest.raises(DesignError, match="at least 2 topics and 2 systems; given: topics: 1, systems: 4"):
        stratified_t([good, good[:1]], NAMES)
    with pytest.raises(DesignError, match="some values are undefined"):
        stratified_t([good, np.where(good > good.mean(), np.nan, good)], NAMES)
