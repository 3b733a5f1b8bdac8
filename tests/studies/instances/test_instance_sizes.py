"""How many topics and instances are needed: by hand where a part is all, by experiments that are then made."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irgauge.arrays import Floats
from irgauge.errors import DesignError
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.studies.instances.models import ModelName
from irgauge.studies.instances.sizes import (
    INSTANCES,
    NONE_RANDOM,
    ONE_INSTANCE,
    ONE_RANDOM,
    TWO_RANDOM,
    Pilot,
    Plan,
    Wanted,
    check_assurance,
    check_half_width,
)
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from oracles.simulated_scores import Effects, simulate_scores


def result_of(effects: Effects, model: ModelName | None = None, *, each: int = 6) -> AlgorithmsCompared:
    scores = simulate_scores(effects, topics=40, instances=each, seed=2)
    return instances(scores, model=model, posterior=False)


def plans(found: AlgorithmsCompared, width: float) -> tuple[Plan, ...]:
    """What an interval of another width needs."""
    return replace(found, width=width).plans


def known(over_topics: float, instance: float, residual: float, sides: int) -> Pilot:
    """Variances that are known exactly."""
    one = np.ones(4000)
    return Pilot(over_topics * one, instance * np.ones((sides, 4000)), residual * np.ones((sides, 4000)))


def drawn(rng: np.random.Generator, topics: int, instances: int) -> Floats:
    """The scores of one random algorithm, but for what topics have in common: instance, topic."""
    effects = rng.normal(0, 0.04, topics) + rng.normal(0, 0.01, (instances, 1))
    return np.asarray(effects + rng.normal(0, 0.06, (instances, topics)))


@pytest.mark.parametrize("topics", [5, 20, 200])
def test_with_topics_alone_the_width_is_that_of_a_chi_square(topics: int) -> None:
    found = known(0.01, 0.0, 0.0, sides=0).half_width(topics, 1, Wanted(0.1, assurance=0.9))
    square = 0.01 / topics * stats.chi2.ppf(0.9, topics - 1) / (topics - 1)
    assert found == pytest.approx(stats.t.ppf(0.975, topics - 1) * math.sqrt(square), rel=0.02)


def test_a_pilot_of_topics_alone_leaves_what_f_leaves() -> None:
    values = np.random.default_rng(5).normal(0, 0.1, (1, 12))
    squares = TwoAlgorithms.of(values, np.zeros((1, 12)))
    found = Pilot.of(squares).half_width(30, 1, Wanted(0.1))
    square = values.var(ddof=1) / 30 * stats.f.ppf(0.8, 29, 11)
    assert found == pytest.approx(stats.t.ppf(0.975, 29) * math.sqrt(square), rel=0.03)


def test_instances_are_a_part_with_few_degrees_of_freedom() -> None:
    found = known(0.0, 0.01, 0.0, sides=1).half_width(50, 4, Wanted(0.1))
    square = 0.01 / 4 * stats.chi2.ppf(0.8, 3) / 3
    assert found == pytest.approx(stats.t.ppf(0.975, 3) * math.sqrt(square), rel=0.03)


def test_one_instance_of_a_random_algorithm_tells_nothing_of_others() -> None:
    pilot = known(0.001, 0.001, 0.001, sides=2)
    assert pilot.half_width(1000, 1, Wanted(0.1)) == math.inf
    assert pilot.topics_for(1, Wanted(0.1)) is None


@settings(max_examples=15, deadline=None)
@given(st.floats(1e-5, 1e-2), st.floats(0, 1e-3), st.floats(1e-5, 1e-2), st.floats(0.01, 0.2), st.integers(2, 50))
def test_the_topics_needed_are_the_fewest(d: float, i: float, e: float, width: float, m: int) -> None:
    pilot, wanted = known(d, i, e, sides=2), Wanted(width)
    found = pilot.topics_for(m, wanted)
    if found is None:
        assert pilot.half_width(1_000_000, m, wanted) > width
    else:
        assert pilot.half_width(found, m, wanted) <= width
        assert found == 2 or pilot.half_width(found - 1, m, wanted) > width


@settings(max_examples=15, deadline=None)
@given(st.floats(1e-5, 1e-2), st.floats(0, 1e-3), st.floats(1e-5, 1e-2), st.floats(0.01, 0.2), st.integers(3, 200))
def test_the_instances_needed_are_the_fewest(d: float, i: float, e: float, width: float, topics: int) -> None:
    pilot, wanted = known(d, i, e, sides=2), Wanted(width)
    found = pilot.instances_for(topics, wanted)
    if found is None:
        assert pilot.half_width(topics, 1_000_000, wanted) > width
    else:
        assert pilot.half_width(topics, found, wanted) <= width
        assert found == 2 or pilot.half_width(topics, found - 1, wanted) > width


def test_more_assurance_and_a_smaller_pilot_need_more_topics() -> None:
    rng = np.random.default_rng(3)
    large = TwoAlgorithms.of(drawn(rng, 200, 10), drawn(rng, 200, 10))
    few = replace(large.first, instances=4), replace(large.second, instances=4)  # the same mean squares, from fewer
    by_assurance = [Pilot.of(large).topics_for(20, Wanted(0.015, one)) for one in (0.5, 0.8, 0.95)]
    assert by_assurance == sorted(by_assurance, key=lambda one: one or math.inf)
    fewer = Pilot.of(TwoAlgorithms(*few)).topics_for(20, Wanted(0.015))
    assert (fewer or math.inf) > (by_assurance[1] or 0)


@pytest.mark.parametrize("width", [0.0, -0.01, math.nan, math.inf])
def test_a_width_is_above_0(width: float) -> None:
    with pytest.raises(DesignError, match="half width"):
        check_half_width(width)


@pytest.mark.parametrize("assurance", [0.0, 1.0, -0.1, math.nan])
def test_an_assurance_is_a_chance(assurance: float) -> None:
    with pytest.raises(DesignError, match=r"the assurance .* is not possible"):
        check_assurance(assurance)


# plans of a comparison


def test_the_pair_that_varies_most_is_planned_for() -> None:
    base = simulate_scores(Effects(("a", "b", "c"), (0.5,) * 3), topics=40, instances=4, seed=1)
    noise = np.random.default_rng(2).normal(0, 0.2, 40)[base.topic]
    found = instances(replace(base, scores=base.scores + noise * (base.algorithm == 1)), posterior=False, width=0.05)
    (plan,) = found.plans
    assert "b" in plan.pair
    assert (plan.kind, plan.pairs, plan.assurance) == (TWO_RANDOM, 3, 0.8)


def test_a_deterministic_algorithm_has_one_instance() -> None:
    found = result_of(Effects(instance_sd=0.03, deterministic=("a",)))
    (plan,) = plans(found, 0.05)
    assert plan.kind == ONE_RANDOM
    assert [one.instances for one in plan.needed] == list(INSTANCES)


def test_one_instance_each_tells_nothing_of_more() -> None:
    found = result_of(Effects(), each=1)
    (plan,) = plans(found, 0.5 * float(found.intervals[1, 0] - found.contrasts[0].estimate))
    assert (plan.kind, len(plan.needed), plan.instances) == (ONE_INSTANCE, 1, None)
    topics = plan.needed[0].topics
    assert topics is not None
    assert 160 < topics < 260  # 160 by the estimate alone, as the width falls by half; more for the assurance


def test_there_is_a_plan_for_each_kind_of_pair() -> None:
    effects = Effects(("a", "b", "c", "d"), (0.5,) * 4, deterministic=("a", "b"))
    found = plans(result_of(effects), 0.01)
    lengths = {one.kind: len(one.needed) for one in found}
    assert lengths == {TWO_RANDOM: len(INSTANCES), ONE_RANDOM: len(INSTANCES), NONE_RANDOM: 1}


def test_mean_squares_without_a_residual_can_be_planned_with() -> None:
    one = OneAlgorithm.of(np.array([[0.1, 0.5, np.nan], [0.3, np.nan, 0.7]]))
    assert one.residual_df == 0
    assert Pilot.of(TwoAlgorithms(one, one)).half_width(20, 5, Wanted(0.1)) > 0
