"""How often does a gate fail a candidate that is as good as the baseline, and pass one that is worse by the margin?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy import stats

from calibration.rates import assert_at_most
from calibration.worlds import Floats, InstanceWorld, Rng, bounded, gaussian, lopsided, normal
from irgauge.inference.instance_tests import Claiming, Pair
from irgauge.inference.instance_tests import tested_by_squares as by_squares
from irgauge.inference.tests.skewed_t import skewed_t
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.measured import Measuring
from irgauge.scoring.scores import Scores
from irgauge.studies.gate.criteria import wanted
from irgauge.studies.gate.evidence import OUTCOMES, MeasureGated, Outcome, by_topics, outcome_of

TRIALS, TOPICS, ALPHA, MARGIN = 200, 40, 0.05, 0.03
World = Callable[[Rng, int], Floats]  # topics -> values[topic, side]: baseline and candidate, equally good


def alike(rng: Rng, topics: int) -> Floats:
    """Normal scores."""
    return normal(rng, topics, 2)


def with_zeros(rng: Rng, topics: int) -> Floats:
    """Skewed scores in [0, 1], many of them 0: two versions of a system that finds nothing on hard topics."""
    is_zero = (rng.random((topics, 1)) < 0.4) | (rng.random((topics, 2)) < 0.1)
    return np.where(is_zero, 0.0, rng.beta(1.2, 3.0, (topics, 2)))


def unequal(rng: Rng, topics: int) -> Floats:
    """Topics differ in how much scores vary, and the candidate varies twice as much as the baseline."""
    spread = rng.gamma(1.0, 0.1, (topics, 1)) * np.array([1.0, 2.0])
    return 0.3 + 0.1 * gaussian(rng, (topics, 1)) + spread * gaussian(rng, (topics, 2))


WORLDS: dict[str, World] = {"normal": alike, "with zeros": with_zeros, "unequal": unequal}


def gated(values: Floats) -> tuple[MeasureGated, ...]:
    """By values[measure, topic, side]."""
    asked = wanted([f"{name}:{MARGIN}" for name in ("AP", "RR", "Rprec")[: len(values)]], None)
    topics = tuple(map(str, range(values.shape[1])))
    scores = Scores(values[..., None], tuple(one.measure for one in asked), topics, ("old", "new"), ("1",))
    return by_topics(ScoreTable(scores).measured(Measuring(scores.measures)), "old", asked, ALPHA).each


def outcomes(world: World, worse_by: Sequence[float]) -> list[Outcome]:
    """Of trials in which the candidate is worse by so much, in as many measures."""
    rng, shift = np.random.default_rng(2015), np.array(worse_by)
    found = []
    for _ in range(TRIALS):
        values = np.array([world(rng, TOPICS) for _ in worse_by])  # measure, topic, side
        values[:, :, 1] -= shift[:, None]
        found.append(outcome_of(gated(values)))
    return found


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_of_two_that_are_equally_good_few_fail(world: World) -> None:
    assert_at_most(outcomes(world, [0.0]).count("fail"), TRIALS, ALPHA / 2)


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_a_candidate_that_is_worse_by_the_margin_seldom_passes(world: World) -> None:
    assert_at_most(outcomes(world, [MARGIN]).count("pass"), TRIALS, ALPHA)


def test_by_several_measures_together_few_fail() -> None:
    assert_at_most(outcomes(unequal, [0.0, 0.0, 0.0]).count("fail"), TRIALS, ALPHA / 2)


def test_other_measures_do_not_help_a_candidate_that_is_worse_by_the_margin_in_one() -> None:
    assert_at_most(outcomes(with_zeros, [MARGIN, -1.0, -1.0]).count("pass"), TRIALS, ALPHA)


def test_a_gate_decides_where_it_can() -> None:
    """What is clearly better passes, what is clearly worse fails: the careful levels above cost little."""
    assert outcomes(alike, [-0.1]).count("pass") > 0.9 * TRIALS
    assert outcomes(alike, [0.1]).count("fail") > 0.9 * TRIALS


# one run against another that is of another kind: t errs more often than said, the guarded test does not


def test_where_a_few_topics_decide_the_gate_keeps_its_promise_and_t_does_not() -> None:
    """The baseline finds nothing on half of the topics, and the candidate is steady."""
    rng, trials = np.random.default_rng(7), 2000
    values = bounded(rng, trials * TOPICS, 2)
    d = (values[:, 1] - values[:, 0]).reshape(trials, TOPICS)
    assert np.mean(stats.ttest_1samp(d, 0, axis=1, alternative="less").pvalue <= ALPHA / 2) > 1.4 * ALPHA / 2
    systems = np.stack([np.zeros(d.shape), d], axis=2)  # trial, topic, system
    found = [skewed_t(one, ["old", "new"], baseline="old", alpha=ALPHA) for one in systems]
    assert_at_most(sum(one.high[0] < 0 for one in found), trials, ALPHA / 2)
    assert_at_most(sum(one.low[0] > 0 for one in found), trials, ALPHA / 2)


# several runs of each


RUNS = {
    "normal": InstanceWorld((4, 4), (0.01, 0.01), (0.05, 0.05), (0.05, 0.05)),
    "skewed": InstanceWorld((3, 6), (0.01, 0.02), (0.06, 0.06), (0.04, 0.08), noise=lopsided),
    "unequal": InstanceWorld((1, 5), (0.0, 0.03), (0.02, 0.08), (0.0, 0.1)),
}


def of_runs(world: InstanceWorld, rng: Rng, worse_by: float) -> Outcome:
    """What the tests of `instances` say, which a gate of several runs rests on."""
    old, new = (values.T for values in world.values(rng, TOPICS))  # instance, topic
    squares = {Pair("new", "old"): TwoAlgorithms.of(new - worse_by, old)}
    return OUTCOMES[by_squares(squares, "nested", 2, Claiming(MARGIN, ALPHA, "none")).tests.verdicts[0]]


@pytest.mark.parametrize("world", RUNS.values(), ids=RUNS)
def test_over_other_runs_too_a_gate_errs_no_more_often_than_said(world: InstanceWorld) -> None:
    rng, trials = np.random.default_rng(2016), 120
    assert_at_most(sum(of_runs(world, rng, 0.0) == "fail" for _ in range(trials)), trials, ALPHA / 2)
    assert_at_most(sum(of_runs(world, rng, MARGIN) == "pass" for _ in range(trials)), trials, ALPHA)


def one_run_of_a_random_baseline(rng: Rng, topics: int = 50, runs: int = 5) -> tuple[Outcome, Outcome]:
    """Of a candidate that is worse by the margin than this run of the baseline, and than all of its runs."""
    topic, deviation = rng.normal(0.5, 0.15, topics), 0.02  # of runs
    this_run = rng.normal(0, deviation)
    old = topic + this_run + rng.normal(0, 0.05, (1, topics))
    new = topic - MARGIN + rng.normal(0, deviation, (runs, 1)) + rng.normal(0, 0.05, (runs, topics))
    verdicts = []
    for shift in (this_run, 0.0):
        squares = {Pair("new", "old"): TwoAlgorithms.of(new + shift, old)}
        tests = by_squares(squares, "nested", 2, Claiming(MARGIN, ALPHA, "none")).tests
        verdicts.append(OUTCOMES[tests.verdicts[0]])
    return verdicts[0], verdicts[1]


def test_one_run_of_a_random_baseline_bears_claims_about_this_run_alone() -> None:
    rng, trials = np.random.default_rng(8), 1000
    outcomes = [one_run_of_a_random_baseline(rng) for _ in range(trials)]
    assert_at_most(sum(this == "pass" for this, _ in outcomes), trials, ALPHA)
    assert sum(every == "pass" for _, every in outcomes) > 1.5 * ALPHA * trials  # which is why others are not claimed
