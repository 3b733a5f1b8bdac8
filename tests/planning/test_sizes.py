"""Sizes: against statsmodels where variances are known, and by properties that any plan has."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from irgauge.errors import DesignError
from irgauge.planning.designs import MeanSquare, OverTopics, TopicsAndInstances, TopicsAndShards, WithinTopics
from irgauge.planning.sizes import Costs, Goal, Kind, Size, assured, cheapest, check_chance, topics_for

KINDS = get_args(Kind)
QUICK = settings(max_examples=6, deadline=None)


def over_topics(deviation: float, df: float = math.inf) -> OverTopics:
    return OverTopics.of(MeanSquare(deviation**2, df))


@pytest.mark.parametrize("difference", [0.01, 0.03, 0.1])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("pairs", [1, 45])
def test_topics_are_those_of_statsmodels(difference: float, power: float, pairs: int) -> None:
    level = 0.05 / pairs
    found = topics_for(over_topics(0.14), 1, Goal("difference", difference, power, level=level))
    effect = difference / 0.14
    expected = TTestPower().solve_power(effect, alpha=level / 2, power=power, alternative="larger")
    assert found == math.ceil(expected)


@pytest.mark.parametrize("assurance", [0.5, 0.8, 0.95])
def test_a_pilot_is_as_sure_of_its_power_as_chi_square_is(assurance: float) -> None:
    """The power is reached at a variance that the true one exceeds with the chance 1 − assurance."""
    found = topics_for(over_topics(0.14, 24), 1, Goal("difference", 0.05, assurance=assurance))
    larger = 0.14 * math.sqrt(24 / stats.chi2.ppf(1 - assurance, 24))
    assert found == pytest.approx(topics_for(over_topics(larger), 1, Goal("difference", 0.05)), abs=1)


@QUICK
@given(st.sampled_from(KINDS), st.floats(0.01, 0.1), st.floats(0.05, 0.3), st.sampled_from([9, 49, math.inf]))
def test_plans_grow_with_what_is_asked(kind: Kind, value: float, deviation: float, df: float) -> None:
    def topics(times: float = 1.0, power: float = 0.8, assurance: float = 0.8, level: float = 0.05) -> int:
        goal = Goal(kind, times * value, power, assurance, level)
        return topics_for(over_topics(deviation, df), 1, goal) or 10**9

    assert topics(times=1.5) <= topics() <= topics(times=0.7)
    assert topics(level=0.1) <= topics() <= topics(level=0.01)
    assert topics(power=0.6) <= topics() <= topics(power=0.95)
    assert topics(assurance=0.6) <= topics() <= topics(assurance=0.95)


@QUICK
@given(st.sampled_from(KINDS), st.floats(0.02, 0.1), st.floats(0.1, 100))
def test_plans_do_not_depend_on_the_unit_of_scores(kind: Kind, value: float, unit: float) -> None:
    plain = topics_for(over_topics(0.2, 30), 1, Goal(kind, value))
    assert topics_for(over_topics(0.2 * unit, 30), 1, Goal(kind, value * unit)) == plain


@QUICK
@given(st.sampled_from(KINDS), st.floats(1e-3, 0.05), st.floats(1e-5, 1e-3), st.floats(1e-3, 0.05))
def test_more_shards_and_instances_need_no_more_topics(kind: Kind, topic: float, other: float, left: float) -> None:
    for variances in (TopicsAndShards.known(topic, other, left, 4), TopicsAndInstances.known(topic, other, left)):
        found = [topics_for(variances, count, Goal(kind, 0.05)) or 10**9 for count in (2, 5, 20, 100)]
        assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("kind", KINDS)
def test_many_shards_leave_what_topics_alone_have(kind: Kind) -> None:
    sharded, alone = TopicsAndShards.known(0.02, 0.001, 0.01, 2), over_topics(math.sqrt(0.02))
    found = assured(sharded, Size(80, 100_000), Goal(kind, 1.0))
    assert found == pytest.approx(assured(alone, Size(80), Goal(kind, 1.0)), rel=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_no_number_of_topics_makes_up_for_shards_that_differ(kind: Kind) -> None:
    variances = TopicsAndShards.known(0.02, 0.01, 0.01, 3)
    assert topics_for(variances, 5, Goal(kind, 0.05)) is None
    assert topics_for(variances, 500, Goal(kind, 0.05)) is not None


@pytest.mark.parametrize("unit", [1e-300, 1e-150, 1.0, 1e150, 1e300])
@pytest.mark.parametrize("kind", KINDS)
def test_variances_of_any_size_can_be_planned_with(kind: Kind, unit: float) -> None:
    parts = (0.02 * unit, 0.001 * unit, 0.01 * unit)
    goal, root = Goal(kind, 1.0), math.sqrt(unit)
    for make in (TopicsAndShards.known, TopicsAndInstances.known):
        plain = assured(make(0.02, 0.001, 0.01), Size(50, 5), goal)
        assert assured(make(*parts), Size(50, 5), goal) / root == pytest.approx(plain)


def test_within_topics_the_values_count() -> None:
    """Twice the topics are as good as twice the shards, but for degrees of freedom."""
    found = WithinTopics.within(MeanSquare(0.01, 160), Size(40, 5))
    goal = Goal("difference", 1.0)
    assert assured(found, Size(40, 20), goal) == pytest.approx(assured(found, Size(80, 10), goal), rel=0.01)
    expected = stats.t.ppf(0.975, 160) * 0.1 / math.sqrt(200)
    assert found.expected(Size(40, 5), 0.05).half_width.mean() == pytest.approx(expected, rel=0.02)


@QUICK
@given(st.floats(0.1, 100), st.floats(0, 10), st.floats(0, 1000), st.floats(0.01, 100))
def test_costs_scale_and_the_cheapest_is_the_cheapest(topic: float, cell: float, replicate: float, unit: float) -> None:
    variances, goal, counts = TopicsAndInstances.known(0.01, 0.0005, 0.01), Goal("width", 0.04), (3, 5, 10, 30)
    costs = Costs(topic, cell, replicate)
    found = cheapest(variances, goal, costs, counts)
    assert found is not None
    sizes = [Size(topics, n) for n in counts if (topics := topics_for(variances, n, goal)) is not None]
    assert costs.of(found) == min(map(costs.of, sizes))
    scaled = Costs(unit * topic, unit * cell, unit * replicate)
    assert scaled.of(found) == pytest.approx(unit * costs.of(found))


def test_costs_are_not_below_0() -> None:
    with pytest.raises(DesignError, match=r"the cost -1.0 is not possible"):
        Costs(topic=-1.0)


@pytest.mark.parametrize("chance", [0.0, 1.0, -0.1, math.nan])
def test_a_chance_is_between_0_and_1(chance: float) -> None:
    with pytest.raises(DesignError, match=r"the assurance .* is not possible"):
        check_chance("assurance", chance)


@pytest.mark.parametrize("value", [0.0, -0.01, math.nan, math.inf])
@pytest.mark.parametrize("kind", KINDS)
def test_a_goal_is_above_0(kind: Kind, value: float) -> None:
    with pytest.raises(DesignError, match="is not possible; it is above 0"):
        Goal(kind, value)
