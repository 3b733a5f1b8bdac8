"""How many topics and instances are needed: by hand, by direct simulation, and against fitted standard errors."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irgauge.errors import DesignError
from irgauge.studies.instances.models import ModelName
from irgauge.studies.instances.sizes import (
    INSTANCES,
    NONE_RANDOM,
    ONE_INSTANCE,
    ONE_RANDOM,
    TWO_RANDOM,
    DifferenceComponents,
    Plan,
    PlanSize,
    Side,
    topics_by_instances,
)
from irgauge.studies.instances.study import AlgorithmsCompared, instances
from oracles.simulated_scores import Effects, simulate_scores

Z = 1.959963984540054
PARTS = DifferenceComponents(topic_algorithm=0.0025, instance=0.0001, residual=0.0036)


def both(m: int) -> tuple[Side, Side]:
    return Side(m, is_random=True), Side(m, is_random=True)


def result_of(
    effects: Effects, model: ModelName | None = None, *, each: int = 6, topics: int = 40
) -> AlgorithmsCompared:
    scores = simulate_scores(effects, topics=topics, instances=each, seed=2)
    return instances(scores, model=model, posterior=False)


def plans(found: AlgorithmsCompared, width: float) -> tuple[Plan, ...]:
    """What an interval of another width needs."""
    return replace(found, width=width).plans


def test_the_half_width_by_hand() -> None:
    variance = 2 * (0.0025 / 50 + 0.0036 / (50 * 4) + 0.0001 / 4)
    assert PARTS.half_width(50, both(4)) == pytest.approx(Z * math.sqrt(variance))
    mixed = (0.0025 / 50 + 0.0036 / (50 * 4) + 0.0001 / 4) + (0.0025 / 50 + 0.0036 / 50)
    sides = [Side(4, is_random=True), Side(1, is_random=False)]
    assert PARTS.half_width(50, sides) == pytest.approx(Z * math.sqrt(mixed))
    assert PARTS.half_width(50, sides, alpha=0.32) == pytest.approx(0.99446 * math.sqrt(mixed), rel=1e-4)


@pytest.mark.parametrize(("topics", "instances"), [(20, 1), (20, 8), (60, 3)])
def test_differences_of_simulated_algorithms_spread_as_wide(topics: int, instances: int) -> None:
    effects = Effects(topic_algorithm_sd=0.05, instance_sd=0.01, residual_sd=0.06)
    differences = []
    for seed in range(1500):
        cells = simulate_scores(effects, topics=topics, instances=instances, seed=seed).cells()
        differences.append(cells[:instances].mean() - cells[instances:].mean())
    sd = float(np.std(differences, ddof=1))  # with a relative standard error of 1.8 %
    assert PARTS.half_width(topics, both(instances)) == pytest.approx(Z * sd, rel=0.06)


@given(st.floats(1e-6, 1e-2), st.floats(0, 1e-3), st.floats(1e-6, 1e-2), st.floats(0.003, 0.1), st.integers(1, 200))
def test_the_topics_needed_are_the_fewest(at: float, i: float, e: float, width: float, m: int) -> None:
    parts = DifferenceComponents(at, i, e)
    found = parts.topics_for(width, both(m))
    if found is None:
        assert parts.half_width(1_000_000, both(m)) > width * (1 - 1e-6)
    else:
        assert parts.half_width(found, both(m)) <= width * (1 + 1e-6)
        assert found == 2 or parts.half_width(found - 1, both(m)) > width * (1 - 1e-6)


@given(st.floats(1e-6, 1e-2), st.floats(0, 1e-3), st.floats(1e-6, 1e-2), st.floats(0.003, 0.1), st.integers(2, 500))
def test_the_instances_needed_are_the_fewest(at: float, i: float, e: float, width: float, topics: int) -> None:
    parts = DifferenceComponents(at, i, e)
    found = parts.instances_for(width, topics, both)
    if found is None:
        assert parts.half_width(topics, both(900_000)) > width * (1 - 1e-6)
    else:
        assert parts.half_width(topics, both(found)) <= width * (1 + 1e-6)
        assert found == 1 or parts.half_width(topics, both(found - 1)) > width * (1 - 1e-6)


def test_no_number_of_topics_replaces_instances() -> None:
    width = 0.9 * Z * math.sqrt(2 * 0.0001 / 4)
    assert PARTS.topics_for(width, both(4)) is None
    assert PARTS.topics_for(width, both(5)) is not None


def test_topics_fall_with_instances() -> None:
    found = topics_by_instances(PARTS, 0.02, both)
    assert [one.instances for one in found] == list(INSTANCES)
    left = (0.02 / Z) ** 2
    expected = [
        math.ceil(2 * (0.0025 + 0.0036 / m) / (left - 2 * 0.0001 / m)) if left > 2e-4 / m else None for m in INSTANCES
    ]
    assert [one.topics for one in found] == expected
    assert found[0] == PlanSize(1, None)


@pytest.mark.parametrize("width", [0.0, -0.01, math.nan, math.inf])
def test_a_width_is_above_0(width: float) -> None:
    with pytest.raises(DesignError, match="half width"):
        PARTS.topics_for(width, both(1))
    with pytest.raises(DesignError, match="half width"):
        PARTS.instances_for(width, 10, both)


# from a fit: the width of the data there are is that of the fitted standard error


@pytest.mark.parametrize("model", ["repeated", "nested"])
def test_the_design_of_the_data_has_the_fitted_width(model: ModelName) -> None:
    found = result_of(Effects(instance_sd=0.03), model)
    parts = DifferenceComponents.of(found.fit)
    assert parts.half_width(40, both(6)) == pytest.approx(Z * found.contrasts[0].se, rel=1e-5)
    (plan,) = plans(found, Z * found.contrasts[0].se * 1.0001)
    assert (plan.kind, plan.instances) == (TWO_RANDOM, 6)


def test_a_deterministic_algorithm_has_one_instance() -> None:
    found = result_of(Effects(instance_sd=0.03, deterministic=("a",)))
    (plan,) = plans(found, Z * found.contrasts[0].se * 1.0001)
    assert (plan.kind, plan.instances) == (ONE_RANDOM, 6)


def test_crossed_instances_cancel() -> None:
    found = result_of(Effects(instance_sd=0.03, deterministic=("a",)), "crossed")
    (plan,) = plans(found, Z * found.contrasts[0].se * 1.0001)
    assert (plan.kind, plan.instances) == (ONE_RANDOM, 6)
    parts = DifferenceComponents.of(found.fit)
    variance = 2 * (parts.topic_algorithm + parts.residual / 20)
    assert plan.needed[4] == PlanSize(20, math.ceil(variance / (found.contrasts[0].se * 1.0001) ** 2))


def test_one_instance_each_tells_nothing_of_more() -> None:
    found = result_of(Effects(), each=1)
    se = found.contrasts[0].se
    (plan,) = plans(found, 0.5 * Z * se)
    assert (plan.kind, plan.needed, plan.instances) == (ONE_INSTANCE, (PlanSize(1, 160),), None)
    assert plans(found, 1.01 * Z * se)[0].instances == 1


def test_there_is_a_plan_for_each_kind_of_pair() -> None:
    effects = Effects(("a", "b", "c", "d"), (0.5,) * 4, deterministic=("a", "b"))
    found = plans(result_of(effects), 0.01)
    assert {one.kind for one in found} == {TWO_RANDOM, ONE_RANDOM, NONE_RANDOM}
    lengths = {one.kind: len(one.needed) for one in found}
    assert lengths == {TWO_RANDOM: len(INSTANCES), ONE_RANDOM: len(INSTANCES), NONE_RANDOM: 1}
