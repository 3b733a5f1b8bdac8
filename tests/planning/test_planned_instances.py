"""How many topics and instances are needed: by hand where a part is all, by experiments that are then made."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge.compute.arrays import Floats
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.planning.designs import TopicsAndInstances
from irgauge.planning.power import MOST
from irgauge.planning.sizes import Goal, Size, assured, replicates_for, topics_for


def drawn(rng: np.random.Generator, topics: int, instances: int) -> Floats:
    """The scores of one random algorithm, but for what topics have in common: instance, topic."""
    effects = rng.normal(0, 0.04, topics) + rng.normal(0, 0.01, (instances, 1))
    return np.asarray(effects + rng.normal(0, 0.06, (instances, topics)))


@pytest.mark.parametrize("topics", [5, 20, 200])
def test_with_topics_alone_the_width_is_that_of_a_chi_square(topics: int) -> None:
    found = assured(TopicsAndInstances.known(0.01, 0.0, 0.0, 0), Size(topics, 1), Goal("width", 0.1, assurance=0.9))
    square = 0.01 / topics * stats.chi2.ppf(0.9, topics - 1) / (topics - 1)
    assert found == pytest.approx(stats.t.ppf(0.975, topics - 1) * math.sqrt(square), rel=0.001)


def test_a_pilot_of_topics_alone_leaves_what_f_leaves() -> None:
    values = np.random.default_rng(5).normal(0, 0.1, (1, 12))
    squares = TwoAlgorithms.of(values, np.zeros((1, 12)))
    found = assured(TopicsAndInstances.of(squares), Size(30, 1), Goal("width", 0.1))
    square = values.var(ddof=1) / 30 * stats.f.ppf(0.8, 29, 11)
    assert found == pytest.approx(stats.t.ppf(0.975, 29) * math.sqrt(square), rel=0.01)


def test_instances_are_a_part_with_few_degrees_of_freedom() -> None:
    found = assured(TopicsAndInstances.known(0.0, 0.01, 0.0, 1), Size(50, 4), Goal("width", 0.1))
    square = 0.01 / 4 * stats.chi2.ppf(0.8, 3) / 3
    assert found == pytest.approx(stats.t.ppf(0.975, 3) * math.sqrt(square), rel=0.001)


def test_one_instance_of_a_random_algorithm_tells_nothing_of_others() -> None:
    variances = TopicsAndInstances.known(0.001, 0.001, 0.001)
    assert assured(variances, Size(1000, 1), Goal("width", 0.1)) == math.inf
    assert topics_for(variances, 1, Goal("width", 0.1)) is None


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(["width", "difference", "margin"]),
    st.floats(1e-5, 1e-2),
    st.floats(0, 1e-3),
    st.floats(1e-5, 1e-2),
    st.floats(0.01, 0.2),
    st.integers(3, 50),
)
def test_what_is_needed_is_the_fewest(kind: str, d: float, i: float, e: float, value: float, count: int) -> None:
    variances, goal = TopicsAndInstances.known(d, i, e), Goal(kind, value)  # type: ignore[arg-type]  # one of three
    topics, replicates = topics_for(variances, count, goal), replicates_for(variances, count, goal)
    check_fewest(topics, value, lambda topics: assured(variances, Size(topics, count), goal))
    check_fewest(replicates, value, lambda instances: assured(variances, Size(count, instances), goal))


def check_fewest(found: int | None, value: float, reach: Callable[[int], float]) -> None:
    if found is None:
        assert reach(MOST) > value
    else:
        assert reach(found) <= value
        assert found == 2 or reach(found - 1) > value


def test_more_assurance_and_a_smaller_pilot_need_more_topics() -> None:
    rng = np.random.default_rng(3)
    large = TwoAlgorithms.of(drawn(rng, 200, 10), drawn(rng, 200, 10))
    few = replace(large.first, instances=4), replace(large.second, instances=4)  # the same mean squares, from fewer
    pilot = TopicsAndInstances.of(large)
    by_assurance = [topics_for(pilot, 20, Goal("width", 0.015, assurance=one)) for one in (0.5, 0.8, 0.95)]
    assert by_assurance == sorted(by_assurance, key=lambda one: one or math.inf)
    assert len(set(by_assurance)) == 3
    fewer = topics_for(TopicsAndInstances.of(TwoAlgorithms(*few)), 20, Goal("width", 0.015))
    assert (fewer or math.inf) > (by_assurance[1] or 0)


def test_mean_squares_without_a_residual_can_be_planned_with() -> None:
    one = OneAlgorithm.of(np.array([[0.1, 0.5, np.nan], [0.3, np.nan, 0.7]]))
    assert one.residual_df == 0
    assert assured(TopicsAndInstances.of(TwoAlgorithms(one, one)), Size(20, 5), Goal("width", 0.1)) > 0
