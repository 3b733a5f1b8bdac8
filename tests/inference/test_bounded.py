"""The betting test of bounded scores against its definition, and in worlds where other tests err."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.rates import assert_at_most
from calibration.worlds import rare_gains
from irgauge.errors import DesignError
from irgauge.inference.tests.bounded import bounded, bounded_outcome
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS
from oracles import slow_bounded

NAMES = ["a", "b", "c"]
STEP = 1 / 2048


def scores(seed: int = 1, topics: int = 15) -> np.ndarray:
    return np.random.default_rng(seed).beta(np.array([1.0, 2.0, 6.0]), 2.0, (topics, 3))


@pytest.mark.parametrize("within", [(0.0, 1.0), (-1.0, 2.0)])
def test_every_pair_by_the_definition(within: tuple[float, float]) -> None:
    y, width = scores(), within[1] - within[0]
    comparison = bounded(y, NAMES, within=within, alpha=0.1)
    for pair, (first, second) in enumerate(comparison.names):
        d = y[:, NAMES.index(first)] - y[:, NAMES.index(second)]
        p, low, high = slow_bounded.tested(d.tolist(), width, 0.1, STEP)
        assert comparison.p_adjusted[pair] == pytest.approx(p, rel=1e-7)
        assert low - 2 * STEP * width <= comparison.low[pair] <= low
        assert high <= comparison.high[pair] <= high + 2 * STEP * width
    assert comparison.effect.tolist() == TESTS["t"].function(y, NAMES).effect.tolist()


def test_the_interval_holds_0_if_and_only_if_the_test_finds_nothing() -> None:
    rng = np.random.default_rng(2)
    d = np.clip(rng.normal(rng.uniform(-0.6, 0.6, 300), 0.3, (20, 300)), -1, 1)
    outcome = bounded_outcome(d, 0.05, 1.0)
    is_found = outcome.p <= 0.05
    assert 0 < is_found.sum() < 300
    np.testing.assert_array_equal(is_found, (outcome.low > 0) | (outcome.high < 0))


def test_the_order_and_the_names_of_topics_do_not_matter() -> None:
    before, after = (bounded(y, NAMES, within=(0.0, 1.0)) for y in (scores(), scores()[::-1]))
    for field in ("p", "low", "high"):
        np.testing.assert_allclose(getattr(after, field), getattr(before, field), rtol=1e-9, atol=1e-9)


def test_a_record_takes_the_range_of_the_scores_and_refuses_where_there_is_none() -> None:
    experiment = Experiment(scores()[:, :, None], NAMES, within=(0.0, 1.0))
    direct = bounded(scores(), NAMES, within=(0.0, 1.0))
    assert TESTS["bounded"].compare(experiment).p_adjusted.tolist() == direct.p_adjusted.tolist()
    with pytest.raises(DesignError, match="least and largest possible value are known, such as AP; use the test skew"):
        bounded(scores(), NAMES)
    with pytest.raises(DesignError, match="some do not"):
        bounded(3 * scores(), NAMES, within=(0.0, 1.0))


def test_constant_differences_and_the_ends_of_the_range() -> None:
    d = np.array([[1.0, -1.0, 0.0, 0.1]] * 6)
    outcome = bounded_outcome(d, 0.05, 1.0)
    assert outcome.high[0] == pytest.approx(1.0)
    assert outcome.low[1] == pytest.approx(-1.0)
    assert outcome.p[2] == 1
    assert outcome.p[3] > 0.5
    np.testing.assert_array_less(outcome.low[2:], outcome.high[2:])


@pytest.mark.parametrize("share", [0.02, 0.08, 0.2])
@pytest.mark.parametrize("topics", [10, 50])
def test_rare_large_gains_and_losses(topics: int, share: float) -> None:
    rng = np.random.default_rng(3)
    d = np.concatenate([sign * rare_gains(rng, (topics, 1000), share) for sign in (1, -1)], axis=1)
    outcome = bounded_outcome(d, 0.05, 1.0)
    assert_at_most(int((outcome.p <= 0.05).sum()), 2000)
    assert_at_most(int(((outcome.low > 0) | (outcome.high < 0)).sum()), 2000)
