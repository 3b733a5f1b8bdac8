"""Two orders of systems: τ against scipy, τ_AP against its definition, intervals by draws of topics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irgauge.inference.two_orders import effects_rmse, ranks, taus_ap, taus_ap_b, taus_b, two_orders

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


# scores of ten systems by two observers, and what the authors' own package prints of them (ircor's tests)
TIED = [
    ([9, 4, 9, 9, 7, 1, 2, 4, 5, 10], [8, 4, 8, 10, 7, 1, 4, 5, 6, 10], 0.7321),
    ([3, 6, 2, 9, 6, 2, 7, 8, 7, 4], [3, 8, 7, 9, 1, 1, 5, 6, 10, 6], 0.297),
    ([2, 6, 9, 1, 5, 6, 8, 4, 10, 4], [8, 3, 3, 9, 6, 3, 2, 9, 0, 2], -0.7047),
]


def test_symmetric_tau_ap_with_ties_is_as_printed() -> None:
    for first, second, printed in TIED:
        one, other = np.array(first, float), np.array(second, float)
        assert taus_ap_b(one, other) == taus_ap_b(other, one) == pytest.approx(printed, abs=5e-5)
        assert taus_ap_b(one, one) == 1
    truth, other = RNG.random((2, 8))
    both = tau_ap(truth.tolist(), other.tolist()) + tau_ap(other.tolist(), truth.tolist())
    assert taus_ap_b(truth, other) == pytest.approx(both / 2)
    assert np.isnan(taus_ap_b(truth, np.ones(8)))


def test_tau_ap_and_rmse_are_those_that_matters_prints() -> None:
    columns = np.array([[6, 1, 6], [2, 6, 5], [3, 4, 2], [4, 5, 3], [5, 3, 4], [1, 2, 1]], float).T
    taus = [[float(taus_ap(truth, other)) for other in columns] for truth in columns]
    np.testing.assert_allclose(taus, [[1, -0.4, 0.5667], [-0.5467, 1, -0.1467], [0.7, 0.3333, 1]], atol=5e-5)
    errors = [effects_rmse(columns[i], columns[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert errors == pytest.approx([2.8284, 1.4142, 2.4495], abs=5e-5)


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
