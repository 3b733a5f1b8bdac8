"""Tests of single instances against a double loop of scipy's, and contradictions by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irgauge.errors import DesignError
from irgauge.replicates.instances import InstanceScores
from irgauge.studies.instances.further_questions import SingleTests, single_tests, single_tests_of
from oracles.simulated_scores import Effects, simulate_scores

EFFECTS = Effects(("full", "a", "b"), (0.5, 0.47, 0.49), topic_algorithm_sd=0.05, deterministic=("full",))


def by_scipy(scores: InstanceScores, first: str, second: str, alpha: float) -> tuple[int, float, float]:
    """How many tests there are, and the shares that say better and worse."""
    cells, names = scores.cells(), np.array(scores.algorithms)[scores.algorithm_of]
    said = []
    for one in cells[names == first]:
        for other in cells[names == second]:
            both = np.isfinite(one) & np.isfinite(other)
            if both.sum() > 1:
                test = stats.ttest_rel(one[both], other[both])
                said.append(math.copysign(1, test.statistic) if test.pvalue <= alpha else 0)
    return len(said), said.count(1) / len(said), said.count(-1) / len(said)


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.5])
@pytest.mark.parametrize("pair", [("a", "full"), ("b", "a"), ("a", "b"), ("full", "b")])
def test_every_instance_is_tested_against_every_other(pair: tuple[str, str], alpha: float, missing: float) -> None:
    scores = simulate_scores(EFFECTS, topics=25, instances=[1, 6, 9], missing=missing, seed=3)
    found = single_tests(scores, *pair, alpha)
    assert (found.system, found.against, found.alpha) == (*pair, alpha)
    assert (found.tests, found.better, found.worse) == by_scipy(scores, *pair, alpha)


def test_the_fewest_topics_are_told() -> None:
    scores = simulate_scores(EFFECTS, topics=25, instances=3, missing=0.2, seed=3)
    cells, of = np.isfinite(scores.cells()), scores.algorithm_of
    common = [int((one & other).sum()) for one in cells[of == 1] for other in cells[of == 2]]
    assert single_tests(scores, "a", "b", 0.05).topics == min(common)
    whole = simulate_scores(EFFECTS, topics=25, instances=3, seed=3)
    assert single_tests(whole, "a", "b", 0.05).topics == 25


def test_swapping_swaps_better_and_worse() -> None:
    scores = simulate_scores(EFFECTS, topics=40, instances=5, seed=1)
    one, other = single_tests(scores, "a", "full", 0.1), single_tests(scores, "full", "a", 0.1)
    assert (one.better, one.worse, one.contradict) == (other.worse, other.better, other.contradict)


@pytest.mark.parametrize(
    ("better", "worse", "contradict"),
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.5, 0, 0.5), (0.5, 0.5, 0.5), (0.2, 0.3, 1 - 0.04 - 0.09 - 0.25)],
)
def test_contradictions_by_hand(better: float, worse: float, contradict: float) -> None:
    found = SingleTests("a", "b", 0.05, 10, 20, better, worse)
    assert found.contradict == pytest.approx(contradict, abs=1e-12)
    assert found.significant == pytest.approx(better + worse)


def test_contradictions_are_those_of_two_tests_drawn_at_random() -> None:
    found = SingleTests("a", "b", 0.05, 10, 20, better=0.2, worse=0.1)
    said = [1, 1, -1, *[0] * 7]
    differ = sum(one != other for one in said for other in said) / 100
    assert found.contradict == pytest.approx(differ)


def test_all_pairs_are_read_at_two_levels() -> None:
    scores = simulate_scores(EFFECTS, topics=25, instances=4, seed=3)
    found = single_tests_of(scores, [("a", "full"), ("b", "full")])
    assert [(one.system, one.alpha) for one in found] == [("a", 0.05), ("a", 0.1), ("b", 0.05), ("b", 0.1)]
    assert found[2] == single_tests(scores, "b", "full", 0.05)


def apart() -> InstanceScores:
    """Two algorithms that were scored on topics of their own, but for one."""
    return InstanceScores(
        algorithms=("a", "b", "c"),
        instances=("1", "1", "1"),
        topics=("1", "2", "3"),
        algorithm_of=np.array([0, 1, 2]),
        instance=np.array([0, 0, 1, 1, 2, 2, 2]),
        topic=np.array([0, 1, 1, 2, 0, 1, 2]),
        scores=np.array([0.1, 0.2, 0.4, 0.3, 0.2, 0.4, 0.3]),
    )


def test_instances_without_common_topics_are_not_tested() -> None:
    with pytest.raises(DesignError, match="no instances of 'a' and 'b' have scores on the same 2 topics"):
        single_tests(apart(), "a", "b", 0.05)
    assert [(one.system, one.against) for one in single_tests_of(apart(), [("a", "b"), ("a", "c")])] == [("a", "c")] * 2


def test_algorithms_that_are_the_same_do_not_differ() -> None:
    scores = simulate_scores(Effects(), topics=10, instances=1)
    twice = np.tile(scores.cells()[0], 2)
    found = single_tests(
        InstanceScores(
            ("a", "b"), ("1", "1"), scores.topics, scores.algorithm_of, scores.instance, scores.topic, twice
        ),
        "a",
        "b",
        0.05,
    )
    assert (found.significant, found.contradict) == (0, 0)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1])
def test_alpha_is_between_0_and_1(alpha: float) -> None:
    with pytest.raises(DesignError, match="alpha"):
        single_tests(simulate_scores(EFFECTS, topics=5, instances=2), "a", "b", alpha)


def test_truly_equal_algorithms_contradict_each_other_in_single_instances() -> None:
    effects = Effects(topic_algorithm_sd=0.005, instance_sd=0.02, residual_sd=0.02)
    found = single_tests(simulate_scores(effects, topics=50, instances=20, seed=1), "a", "b", 0.05)
    assert found.better > 0.2
    assert found.worse > 0.2
    assert found.contradict > 0.5
