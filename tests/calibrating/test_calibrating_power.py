"""The power of tests of single pairs, against closed forms; what becomes of claims; coverage of means."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from irgauge.calibrating.halves import halves, held_up
from irgauge.calibrating.methods import Setting
from irgauge.calibrating.power import MovedPairs, detectable, one_digit, powers
from irgauge.calibrating.trials import lacking

SETTING = Setting("topics", ("a", "b", "c", "d"))
NORMAL = MovedPairs(np.random.default_rng(0).normal(size=(4000, 40)) * 0.2, 0.2)  # as good as a normal distribution


@pytest.mark.parametrize("topics", [10, 40])
def test_power_of_t_on_normal_differences_is_the_closed_form(topics: int) -> None:
    deltas = [0.02, 0.1, 0.15]
    found = [one for one in powers(NORMAL, SETTING, deltas, [topics], seed=1) if one.test == "t"]
    for one in found:
        for rate, level in ((one.single, 0.05), (one.family, 0.05 / 6)):
            assert rate is not None
            exact = TTestPower().power(one.delta / 0.2, topics, level, alternative="two-sided")
            assert rate.observed == pytest.approx(exact, abs=4 * max(rate.error, 0.02))


def test_draws_too_few_for_all_pairs_have_no_power_among_them() -> None:
    found = powers(NORMAL, Setting("topics", ("a", "b", "c", "d"), draws=99), [0.1], [10], seed=1)
    assert {one.test: one.family is None for one in found} == {
        "t": False,
        "skewed-t": False,
        "wilcoxon": False,
        "randomization": True,
    }


def test_the_smallest_detectable_difference_is_the_closed_form() -> None:
    found = detectable("t", NORMAL, SETTING, 30, seed=1)
    for ours, level in ((found.single, 0.05), (found.family, 0.05 / 6)):
        exact = 0.2 * TTestPower().solve_power(nobs=30, alpha=level, power=0.8)
        assert ours == pytest.approx(exact, rel=0.1)


def test_a_difference_that_no_number_shows_is_none() -> None:
    assert detectable("wilcoxon", NORMAL, SETTING, 4, seed=1).single is None  # of 4 topics no p is below 0.125


def test_pairs_are_around_zero_and_with_the_baseline() -> None:
    values = np.random.default_rng(3).random((20, 6))
    every = MovedPairs.of(values, 100, 0, None)
    assert every.differences.shape == (20, 15)
    np.testing.assert_allclose(every.differences.mean(axis=0), 0, atol=1e-12)
    deviations = [np.std(values[:, u] - values[:, v], ddof=1) for u, v in combinations(range(6), 2)]
    assert every.deviation == pytest.approx(np.median(deviations))
    assert MovedPairs.of(values, 100, 0, "x").differences.shape == (20, 5)
    assert MovedPairs.of(values, 20, 0, None).differences.shape == (20, 4)
    assert MovedPairs.of(values[:, :2], 400, 0, None).drawn(7, 0).shape == (7, 400)
    assert all(delta == one_digit(delta) for delta in every.deltas(None))
    assert 0.0123 in every.deltas(0.0123)


def test_claims_of_halves_are_counted_as_by_hand() -> None:
    rng = np.random.default_rng(2)
    values = rng.random((24, 4, 1)) + np.array([0.0, 0.1, 0.3, 0.5])[:, None]
    sides = halves(values, "topics", 5, seed=7)
    found = {(one.method.test, one.method.correction): one for one in held_up(sides, SETTING, "halves of topics")}
    pairs, order, claims, same, again, reverse = 0, 0, 0, 0, 0, 0
    for first, second in sides:
        assert len(first) == len(second) == 12
        for u, v in combinations(range(4), 2):
            one, other = (stats.ttest_rel(side[:, u, 0], side[:, v, 0]) for side in (first, second))
            is_same = np.sign(one.statistic) == np.sign(other.statistic)
            pairs, order = pairs + 1, order + is_same
            significant = [result.pvalue <= 0.05 for result in (one, other)]
            claims, same = claims + sum(significant), same + sum(significant) * is_same
            again, reverse = (
                again + 2 * (all(significant) and is_same),
                reverse + 2 * (all(significant) and not is_same),
            )
    ours = found["t", "none"]
    assert ours.claims == pytest.approx(claims / 10)
    assert ours.same_order.observed == pytest.approx(order / pairs)
    assert ours.claimed_same_order is not None
    assert ours.again is not None
    assert ours.reversed is not None
    assert ours.claimed_same_order.observed == pytest.approx(same / claims)
    assert ours.again.observed == pytest.approx(again / claims)
    assert ours.reversed.observed == pytest.approx(reverse / claims)


def test_the_same_data_on_both_sides_say_the_same() -> None:
    values = np.random.default_rng(4).random((15, 4, 1)) + np.array([0.0, 0.2, 0.4, 0.6])[:, None]
    sides = [type(one)(one.first, one.first) for one in halves(values, "topics", 2, seed=1)]
    for margin in (None, 0.1):
        for one in held_up(sides, SETTING, "itself", margin=margin):
            if one.method.test not in ("max-t", "randomised-tukey", "randomization"):
                assert one.same_verdict.observed == one.same_order.observed == 1
                assert one.reversed is None or one.reversed.observed == 0


def test_halves_of_nothing_to_claim_have_no_shares() -> None:
    values = np.zeros((8, 3, 1)) + np.arange(8)[:, None, None]
    found = held_up(halves(values, "topics", 2, seed=1), Setting("topics", ("a", "b", "c")), "halves of topics")
    assert all(one.claims == 0 and one.again is None for one in found)


def test_coverage_of_means_is_counted_as_by_hand() -> None:
    values = np.random.default_rng(5).exponential(size=(12, 3))
    found = lacking(values, Setting("topics", ("a", "b", "c")), 200, within=None, seed=6, workers=2)
    sem = []
    for i in range(200):
        rng = np.random.default_rng(np.random.SeedSequence(6, spawn_key=(3, i)))
        drawn = values[rng.integers(12, size=12)]
        low, high = stats.t.interval(0.95, 11, loc=drawn.mean(axis=0), scale=stats.sem(drawn, axis=0))
        truth = values.mean(axis=0)
        sem.append(((low > truth) | (high < truth)).mean())
    np.testing.assert_allclose(found["sem"], sem, atol=1e-12)
    assert found["mean"].mean() <= found["sem"].mean()
