"""Forecasts of a gate of many looks: truths as they are said, and trials as a gate would see them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from calibration.rates import assert_at_most
from irgauge.planning.looks import TRIALS, Looking, looks_plan, tilted
from oracles import slow_sequences

GAINS = np.random.default_rng(5).normal(0.01, 0.1, 40)
PLAN = looks_plan(Looking(GAINS, 0.05, 0.05, (-1.0, 1.0)), 0.8)


@pytest.mark.parametrize("mean", [-0.1, 0.0, 0.12])
def test_weights_give_differences_any_mean_among_them(mean: float) -> None:
    weights = tilted(GAINS, mean)
    assert weights is not None
    assert (weights > 0).all()
    assert [weights.sum(), weights @ GAINS] == pytest.approx([1, mean], abs=1e-9)
    order = np.argsort(GAINS)
    assert (np.diff(weights[order]) * np.sign(mean - GAINS.mean()) >= 0).all()
    assert tilted(GAINS, float(GAINS.max())) is None


def test_truths_are_decided_as_they_should_be() -> None:
    of = {own.truth: own for own in PLAN.forecasts}
    good, same, at_margin, worst = (of[truth] for truth in list(of)[1:])
    assert good.mean < same.mean
    assert same.passes > 0.95
    assert worst.fails > 0.95
    assert_at_most(round(at_margin.passes * TRIALS), TRIALS)
    for own in PLAN.forecasts:
        assert own.passes + own.fails + own.undecided == pytest.approx(1)
        assert own.median <= own.ninety <= PLAN.most


def test_one_look_needs_as_many_topics_as_the_normal_distribution_says() -> None:
    weights = tilted(GAINS, 0.0)
    assert weights is not None
    sd = float(np.sqrt(weights @ np.square(GAINS)))
    reach = stats.norm.isf(0.05) + stats.norm.ppf(0.8)
    assert PLAN.once == pytest.approx((reach * sd / 0.05) ** 2, rel=0.3)


def test_a_trial_passes_when_the_definition_does() -> None:
    gains = np.array([-0.2, 0.0, 0.0, 0.3])
    plan = looks_plan(Looking(gains, 0.2, 0.05, (-1.0, 1.0)), 0.8, seed=4)
    d = np.random.default_rng(4).choice(gains, (plan.most, TRIALS), p=tilted(gains, 0.0))
    topics = []
    for column in ((d[:150, :15] + 1) / 2).T.tolist():
        capitals = slow_sequences.capitals(column, 0.4)
        topics.append(next(t for t, money in enumerate(capitals, 1) if money >= 20))
    same = plan.of("as good")
    assert same is not None
    assert np.mean(topics) == pytest.approx(same.mean, rel=0.2)


def test_differences_that_never_lose_have_no_truth_in_which_they_do() -> None:
    plan = looks_plan(Looking(np.array([0.1, 0.2, 0.3]), 0.05, 0.05, (-1.0, 1.0)), 0.8)
    assert [own.truth for own in plan.forecasts] == ["as in the pilot"]
    assert plan.once is None
