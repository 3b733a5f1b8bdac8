"""Means of systems over topics, against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge import DesignError, Measure, Scores
from irgauge.inference.mean_bounds import mean_bounds
from irgauge.studies.means import WITHIN_RANGE, WITHOUT_RANGE, summarise
from irgauge.studies.score.study import score


def scores_of(values: NDArray[np.float64], measure: str = "AP") -> Scores:
    """Scores of one measure (topic, system)."""
    topics = tuple(f"q{t}" for t in range(values.shape[0]))
    systems = tuple(f"s{s}" for s in range(values.shape[1]))
    return Scores(values[None, :, :, None], (Measure.read(measure),), topics, systems, ("all",))


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.5])
def test_means_and_errors_are_those_of_scipy_and_intervals_lie_in_the_range(alpha: float) -> None:
    values = np.random.default_rng(1).random((12, 4)) ** 3
    for mean in summarise(scores_of(values), alpha=alpha):
        column = values[:, int(mean.system[1:])]
        low, high = mean_bounds(column[:, None], alpha=alpha, within=(0, 1))
        assert (mean.mean, mean.se) == pytest.approx((column.mean(), stats.sem(column)), rel=1e-12)
        assert (mean.low, mean.high) == pytest.approx((low[0], high[0]), rel=1e-12)
        assert 0 <= mean.low < mean.mean < mean.high <= 1


def test_a_binary_measure_has_wilsons_interval_and_never_one_of_width_0() -> None:
    values = np.repeat([[0.0, 1.0]], 20, axis=0)
    best, worst = summarise(scores_of(values, "P@1"))
    t = stats.t.ppf(0.975, 19)
    assert (best.low, best.high) == pytest.approx((19 / (19 + t * t), 1.0))
    assert (worst.low, worst.high) == pytest.approx((0.0, t * t / (19 + t * t)))


def test_scores_of_which_only_a_name_is_known_may_lie_anywhere() -> None:
    values = np.random.default_rng(4).normal(0.5, 3, (30, 1))
    named, in_percent = (summarise(scores_of(values, name))[0] for name in ("clicks", "AP"))
    low, high = mean_bounds(values)
    assert (named.low, named.high) == (in_percent.low, in_percent.high) == (low[0], high[0])


def test_a_perfect_score_that_rounding_takes_beyond_1_is_of_its_measure() -> None:
    values = np.array([[1 + 2e-16], [0.5], [1.0], [0.7]])
    one = summarise(scores_of(values, "nDCG@10"))[0]
    assert one.high <= 1
    assert one.low > 0


def test_the_provenance_names_the_interval_of_each_measure() -> None:
    values = np.random.default_rng(5).random((2, 30, 3, 1))
    systems, topics = ("a", "b", "c"), tuple(map(str, range(30)))
    both = score(Scores(values, (Measure.read("AP"), Measure.read("clicks")), topics, systems, ("all",)))
    assert both.provenance["method"] == f"AP: {WITHIN_RANGE}; clicks: {WITHOUT_RANGE}"
    assert score(both.scores, "AP").provenance["method"] == WITHIN_RANGE
    assert "method" not in score(both.scores, "AP", per_topic=True).provenance


@pytest.mark.parametrize(("topics", "is_said"), [(1, True), (24, True), (25, False)])
def test_few_topics_are_noted(topics: int, is_said: bool) -> None:  # noqa: FBT001  # a case of the test
    found = score(scores_of(np.random.default_rng(6).random((topics, 2))))
    assert bool(found.findings().of("few-topics")) is is_said
    assert not score(found.scores, per_topic=True).findings().of("few-topics")


def test_systems_come_best_first_and_ties_in_their_order() -> None:
    values = np.array([[0.1, 0.9, 0.4, 0.9], [0.3, 0.7, 0.4, 0.7]])
    assert [mean.system for mean in summarise(scores_of(values))] == ["s1", "s3", "s2", "s0"]


def test_one_topic_has_a_mean_but_no_interval() -> None:
    mean = summarise(scores_of(np.array([[0.5]])))[0]
    assert mean.mean == 0.5
    assert all(math.isnan(value) for value in (mean.se, mean.low, mean.high))


def test_undefined_scores_are_filled_and_counted() -> None:
    scored = score(scores_of(np.array([[0.5, 0.7], [np.nan, np.nan]])), fill=0.3)
    assert (scored.provenance["undefined"], scored.provenance["fill"]) == (2, "0.3")
    assert (scored.provenance["topics"], scored.provenance["systems"]) == (2, 2)
    assert {mean.system: mean.mean for mean in scored.means} == pytest.approx({"s0": 0.4, "s1": 0.5})


def test_a_topic_that_one_system_lacks_is_missing_not_undefined() -> None:
    scored = score(scores_of(np.array([[0.5, np.nan], [0.1, np.nan]])), fill=0.3, missing="zero")
    assert scored.provenance["undefined"] == 0
    assert scored.missing.counts == {"s1": 2}
    assert {mean.system: mean.mean for mean in scored.means} == pytest.approx({"s0": 0.3, "s1": 0})


def test_replicates_are_averaged_within_a_topic() -> None:
    scores = Scores(np.array([[[[0.2, 0.4]], [[0.6, 0.8]]]]), (Measure("AP"),), ("1", "2"), ("a",), ("x", "y"))
    mean = summarise(scores)[0]
    assert mean.mean == pytest.approx(0.5)
    assert mean.se == pytest.approx(stats.sem([0.3, 0.7]))


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 5])
def test_alpha_out_of_range(alpha: float) -> None:
    with pytest.raises(DesignError, match="between 0 and 1"):
        summarise(scores_of(np.ones((2, 2))), alpha=alpha)
