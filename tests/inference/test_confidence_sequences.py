"""Confidence sequences against their definitions, and against the package of the method's authors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irgauge.inference.confidence_sequences import (
    START,
    asymptotic,
    first_shown,
    least_mean,
    log_capital,
    mean_sequence,
    plugged,
)
from irgauge.inference.tests.record import Experiment
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.tests.sequence import SEQUENCE, sequence
from oracles import slow_sequences

UNIT = (0.0, 1.0)
X = [0.5, 0.55, 0.4, 0.5, 0.9, 0.5, 0.45, 0.6, 0.5]
CONFSEQ = {  # mean -> log of betting_mart(X, mean, theta=1, trunc_scale=0.75) with lambda_predmix_eb at 0.025; 0.0.11
    0.3: [0.40546511, 0.89097292, 1.11411648, 1.51958158, 2.43587232, 2.84133742, 3.15979115, 3.71940694, 4.12487205],
    0.5: [0.0, 0.07232066, -0.09019827, -0.09019827, 0.37980536, 0.37980536, 0.30184382, 0.44160576, 0.44160576],
}


def drawn(topics: int = 60, columns: int = 3) -> np.ndarray:
    return np.random.default_rng(3).beta([1.0, 2.0, 5.0][:columns], 2.0, (topics, columns))


@pytest.mark.parametrize("mean", [0.05, 0.4, 0.9])
def test_the_capital_by_its_definition_in_any_range(mean: float) -> None:
    x = drawn()
    slow = np.array([slow_sequences.capitals(column, mean) for column in x.T.tolist()]).T
    np.testing.assert_allclose(np.exp(log_capital(x, mean, UNIT)), slow, rtol=1e-10)
    np.testing.assert_allclose(np.exp(log_capital(3 * x - 1, 3 * mean - 1, (-1.0, 2.0))), slow, rtol=1e-10)


@pytest.mark.parametrize("mean", CONFSEQ)
def test_plug_in_bets_are_those_of_confseq(mean: float) -> None:
    np.testing.assert_allclose(plugged(np.array(X)[:, None], np.array(mean))[:, 0], CONFSEQ[mean], atol=1e-8)


def test_plug_in_bets_are_those_of_confseq_where_it_is_installed() -> None:
    betting = pytest.importorskip("confseq.betting", reason="confseq needs a C++ compiler, Boost and numpy 1")
    predmix = pytest.importorskip("confseq.predmix")
    x = drawn(200, 1)
    for mean in (0.1, 0.3, 0.45):
        money = betting.betting_mart(
            x[:, 0],
            mean,
            theta=1,
            trunc_scale=0.75,
            lambdas_fn_positive=lambda x, m: predmix.lambda_predmix_eb(x, alpha=0.025),  # noqa: ARG005  # as it calls it
        )
        np.testing.assert_allclose(plugged(x, np.array(mean))[:, 0], np.log(money), rtol=1e-9)


def test_the_end_is_the_largest_mean_that_was_ever_refuted() -> None:
    x, step = drawn(25), 1 / 400
    ends = least_mean(x, 0.05, UNIT)
    for end, column in zip(ends, x.T.tolist(), strict=True):
        assert 0 <= end - slow_sequences.least_mean(column, 0.05, step) <= step


def test_intervals_never_widen_and_hold_each_other() -> None:
    x = drawn(120)
    low, high = np.array([mean_sequence(x[:t], 0.05, UNIT) for t in range(2, 121, 20)]).transpose(1, 0, 2)
    assert (np.diff(low, axis=0) >= -1e-12).all()
    assert (np.diff(high, axis=0) <= 1e-12).all()
    inner = mean_sequence(x, 0.10, UNIT)
    assert (low[-1] <= inner[0]).all()
    assert (inner[1] <= high[-1]).all()


def test_what_is_shown_first_is_when_the_end_passes() -> None:
    x, delta = drawn(120), 0.35
    first = first_shown(x, delta, 0.05, UNIT)
    for column, t in zip(x.T[:, :, None], first.tolist(), strict=True):
        passed = [bool(least_mean(column[:n], 0.05, UNIT)[0] > delta) for n in (t - 1, min(t, 120))]
        assert passed == [False, t <= 120]
    assert (first <= 120).any()


def test_the_asymptotic_sequence_by_its_definition() -> None:
    rng = np.random.default_rng(8)
    d = np.column_stack([rng.normal(0.3, 1, 140), rng.exponential(1, 140) + 500, -rng.exponential(1, 140)])
    slow = [slow_sequences.asymptotic_end(column, 0.025) for column in d.T.tolist()]
    np.testing.assert_allclose(least_mean(d, 0.025), slow, rtol=1e-9)
    even = np.tile([0.0, 1.0], 40)[:, None]  # without skewness
    t, s = 80, float(even.std(ddof=1))
    assert math.exp(asymptotic(even, 0.2)[-1, 0]) == pytest.approx(slow_sequences.asymptotic_capital(0.5, s, t, 0.2))


def test_the_asymptotic_sequence_waits_for_topics_and_for_differences_that_vary() -> None:
    d = np.random.default_rng(4).normal(5, 1, (START + 1, 2))
    d[:, 1] = 0.1
    low, high = mean_sequence(d[: START - 1], 0.05)
    assert np.isneginf(low).all()
    assert np.isposinf(high).all()
    assert np.isfinite(mean_sequence(d, 0.05)).tolist() == [[True, False], [True, False]]


def test_a_test_of_pairs_has_the_sequence_of_their_differences() -> None:
    y = drawn(80)[:, :2]
    comparison = sequence(y, ["a", "b"], within=UNIT, baseline="a")
    d = (y[:, 1] - y[:, 0])[:, None]
    low, high = mean_sequence(d, 0.05, (-1.0, 1.0))
    assert [comparison.low[0], comparison.high[0]] == pytest.approx([low[0], high[0]], abs=1e-9)
    assert (comparison.p[0] <= 0.05) == (low[0] > 0 or high[0] < 0)
    at_p = mean_sequence(d, float(comparison.p[0]), (-1.0, 1.0))
    assert min(abs(float(end[0])) for end in at_p) == pytest.approx(0, abs=1e-9)


def test_lower_is_better_mirrors_it() -> None:
    y = drawn(80)[:, :2, None]
    higher, lower = (Experiment(y, ["a", "b"], within=UNIT, baseline="a", direction=way) for way in ("higher", "lower"))
    up, down = SEQUENCE.compare(higher), SEQUENCE.compare(lower)
    np.testing.assert_allclose([down.low, down.high, down.p], [up.low, up.high, up.p], atol=1e-12)


def test_it_is_no_test_that_other_studies_choose_as_it_rests_on_the_order_of_topics() -> None:
    assert SEQUENCE.name not in TESTS
