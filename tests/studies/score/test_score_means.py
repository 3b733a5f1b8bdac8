"""Means of systems over topics, against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irgauge import DesignError, Measure, Scores
from irgauge.studies.score.means import summarise
from irgauge.studies.score.study import score


def scores_of(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Scores:
    """Scores of one measure (topic, system)."""
    topics = tuple(f"q{t}" for t in range(values.shape[0]))
    systems = tuple(f"s{s}" for s in range(values.shape[1]))
    return Scores(values[None, :, :, None], (Measure("AP"),), topics, systems, ("all",))


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.5])
def test_intervals_are_those_of_scipy(alpha: float) -> None:
    values = np.random.default_rng(1).random((12, 4))
    for mean in summarise(scores_of(values), alpha=alpha):
        column = values[:, int(mean.system[1:])]
        low, high = stats.t.interval(1 - alpha, 11, column.mean(), stats.sem(column))
        assert (mean.mean, mean.se) == pytest.approx((column.mean(), stats.sem(column)), rel=1e-12)
        assert (mean.low, mean.high) == pytest.approx((low, high), rel=1e-12)


def test_systems_come_best_first_and_ties_in_their_order() -> None:
    values = np.array([[0.1, 0.9, 0.4, 0.9], [0.3, 0.7, 0.4, 0.7]])
    assert [mean.system for mean in summarise(scores_of(values))] == ["s1", "s3", "s2", "s0"]


def test_one_topic_has_a_mean_but_no_interval() -> None:
    mean = summarise(scores_of(np.array([[0.5]])))[0]
    assert mean.mean == 0.5
    assert all(math.isnan(value) for value in (mean.se, mean.low, mean.high))


def test_undefined_scores_are_filled_and_counted() -> None:
    scored = score(scores_of(np.array([[0.5, np.nan], [0.1, np.nan]])), fill=0.3)
    assert (scored.provenance["undefined"], scored.provenance["fill"]) == (2, "0.3")
    assert (scored.provenance["topics"], scored.provenance["systems"]) == (2, 2)
    assert {mean.system: mean.mean for mean in scored.means} == pytest.approx({"s0": 0.3, "s1": 0.3})


def test_replicates_are_averaged_within_a_topic() -> None:
    scores = Scores(np.array([[[[0.2, 0.4]], [[0.6, 0.8]]]]), (Measure("AP"),), ("1", "2"), ("a",), ("x", "y"))
    mean = summarise(scores)[0]
    assert mean.mean == pytest.approx(0.5)
    assert mean.se == pytest.approx(stats.sem([0.3, 0.7]))


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 5])
def test_alpha_out_of_range(alpha: float) -> None:
    with pytest.raises(DesignError, match="between 0 and 1"):
        summarise(scores_of(np.ones((2, 2))), alpha=alpha)
