"""Two orders of systems: τ against scipy, τ_AP against its definition, intervals by draws of topics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irgauge.inference.two_orders import ranks, taus_ap, taus_b, two_orders

RNG = np.random.default_rng(3)


def tau_ap(truth: list[float], other: list[float]) -> float:
    """τ_AP as it is defined, of orders without ties."""
    order = sorted(range(len(other)), key=lambda s: -other[s])
    shares = [
        sum(truth[above] > truth[order[place]] for above in order[:place]) / place for place in range(1, len(order))
    ]
    return 2 * sum(shares) / (len(order) - 1) - 1


def test_tau_is_that_of_scipy_with_ties_too() -> None:
    for _ in range(20):
        first, second = RNG.integers(0, 6, (2, 9)).astype(float)
        assert taus_b(first, second) == pytest.approx(stats.kendalltau(first, second).statistic)
        np.testing.assert_array_equal(ranks(first), stats.rankdata(-first, method="min"))


def test_tau_ap_is_that_of_its_definition() -> None:
    for _ in range(20):
        truth, other = RNG.random((2, 8))
        assert taus_ap(truth, other) == pytest.approx(tau_ap(truth.tolist(), other.tolist()), abs=1e-12)
    assert taus_ap(truth, truth) == 1
    assert taus_ap(truth, -truth) == -1


def test_draws_of_topics_move_both_orders() -> None:
    truth = RNG.random((30, 6)) + np.linspace(0, 0.4, 6)
    other = truth + 0.1 * RNG.random((30, 6))
    orders = two_orders(truth, other, draws=300, seed=1)
    weights = np.random.default_rng(1).multinomial(30, np.full(30, 1 / 30), size=300)
    taus = [stats.kendalltau(w @ truth, w @ other).statistic for w in weights]
    half = stats.norm.ppf(0.975) * np.std(taus)
    value = stats.kendalltau(truth.mean(axis=0), other.mean(axis=0)).statistic
    assert orders.tau == pytest.approx((value, value - half, min(1, value + half)))
    changes = [stats.rankdata(-(w @ other)) - stats.rankdata(-(w @ truth)) for w in weights]
    inside = (orders.change_low <= changes) & (changes <= orders.change_high)
    assert inside.mean(axis=0).min() >= 0.95
    assert orders.same_best == np.mean([np.argmax(w @ truth) == np.argmax(w @ other) for w in weights])


def test_systems_that_all_tie_have_no_order() -> None:
    orders = two_orders(RNG.random((5, 3)), np.ones((5, 3)), draws=10)
    assert np.isnan(orders.tau.value)
    assert orders.other_ranks.tolist() == [1, 1, 1]
