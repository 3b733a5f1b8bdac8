"""Plans of experiments: from scores, shards, instances and typed components; which pairs, levels, costs, errors."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.power import TTestPower

import irgauge as ig
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.designs import Observing, TopicsAndInstances
from irgauge.planning.sizes import Goal, topics_for
from irgauge.scoring.measures import Measure
from irgauge.show.saving import to_json
from irgauge.studies.plan.charts import CHARTS
from irgauge.studies.plan.findings import needed
from irgauge.studies.plan.study import Planned, plan
from oracles.simulated_scores import Effects, simulate_scores

Values = NDArray[np.float64]
SPREADS = (0.05, 0.1, 0.2, 0.15, 0.12)


def scores(values: Values) -> ig.Scores:
    topics, systems, shards = (tuple(map(str, range(n))) for n in values.shape)
    return ig.Scores(values[None], (Measure("AP"),), topics, tuple(f"s{name}" for name in systems), shards)


@cache
def drawn(systems: int = 5, shards: int = 1) -> Values:
    rng = np.random.default_rng(4)
    own = rng.normal(0, 1, (40, systems, 1)) * np.array(SPREADS[:systems])[:, None]
    values = 0.4 + rng.normal(0, 0.1, (40, 1, 1)) + own
    return np.asarray(
        values
        if shards == 1
        else values + rng.normal(0, 0.02, (1, systems, shards)) + rng.normal(0, 0.1, (40, systems, shards))
    )


@cache
def instance_scores(deterministic: tuple[str, ...] = ()) -> ig.InstanceScores:
    effects = Effects(("a", "b", "c"), (0.5, 0.48, 0.45), deterministic=deterministic, instance_sd=0.01)
    return simulate_scores(effects, topics=30, instances=6, seed=2)


def topics(result: Planned, replicates: int = 1, pair: int = 0) -> int | None:
    return next(one.topics for one in result.plans[pair].designs if one.replicates == replicates)


# which pair, and at which level


def test_two_systems_are_the_pair() -> None:
    found = plan(scores(drawn(2)), difference=0.03, assurance=0.5)
    assert [one.pair.role for one in found.plans] == ["only"]
    d = np.ptp(drawn(2)[:, :, 0], axis=1) * np.sign(drawn(2)[:, 0, 0] - drawn(2)[:, 1, 0])
    assert found.first.components["topic:system"] == pytest.approx(d.var(ddof=1))
    assert (found.planned_pairs, found.level) == (1, 0.05)
    solved = TTestPower().solve_power(0.03 / d.std(ddof=1), alpha=0.025, power=0.8, alternative="larger")
    assert topics(found) == pytest.approx(solved, rel=0.03)  # the median of what a pilot of 40 topics leaves open


def test_of_many_a_typical_pair_and_the_noisiest_are_planned_for() -> None:
    found, y = plan(scores(drawn()), difference=0.05), drawn()[:, :, 0]
    spread = {(i, j): (y[:, i] - y[:, j]).var(ddof=1) for i in range(5) for j in range(i)}
    typical, noisiest = found.plans
    assert typical.components["topic:system"] == pytest.approx(sorted(spread.values())[4])
    assert noisiest.components["topic:system"] == pytest.approx(max(spread.values()))
    assert [one.pair.role for one in found.plans] == ["typical", "noisiest"]
    assert (found.of_pairs, found.planned_pairs) == (10, 10)
    assert (topics(found) or 0) < (topics(found, pair=1) or 0)


def test_with_a_baseline_each_pair_with_it_is_planned_for() -> None:
    found = plan(scores(drawn()), difference=0.05, baseline="s2")
    assert {one.pair.system for one in found.plans} == {"s0", "s1", "s3", "s4"}
    assert {(one.pair.role, one.pair.against) for one in found.plans} == {("baseline", "s2")}
    assert found.planned_pairs == 4


def test_all_pairs_with_a_baseline_are_drawn() -> None:
    found = plan(scores(drawn()), difference=0.05, baseline="s2")
    needed = [topics(found, pair=pair) or 0 for pair in range(4)]
    chart = found.chart("goal")
    assert chart.title == (
        "To find a true difference of 0.05 in AP with a power of 80 % against s2 takes "
        f"{min(needed):,} to {max(needed):,} topics"
    )
    assert all(f"{one.pair.system} − s2" in chart.to_svg() for one in found.plans)


def test_many_systems_against_a_baseline_are_a_typical_one_and_the_noisiest() -> None:
    values = np.random.default_rng(1).random((20, 14, 1))
    found = plan(scores(values), width=0.1, baseline="s3")
    assert [one.pair.role for one in found.plans] == ["typical", "noisiest"]
    assert {one.pair.against for one in found.plans} == {"s3"}
    assert found.of_pairs == 13


def certain_topics(effect: float, level: float) -> int:
    """The fewest that find a difference of so many known deviations."""
    n = np.arange(2, 5000)
    power = stats.nct.sf(stats.t.isf(level / 2, n - 1), n - 1, effect * np.sqrt(n))
    return int(n[np.argmax(power >= 0.8)])


@pytest.mark.parametrize(("options", "pairs"), [({"systems": 2}, 1), ({"systems": 20}, 190), ({}, 10)])
def test_the_level_is_shared_by_the_pairs_planned_for(options: dict[str, Any], pairs: int) -> None:
    found = plan(scores(drawn()), difference=0.05, **options)
    assert (found.planned_pairs, found.level) == (pairs, 0.05 / pairs)
    deviation = float(np.sqrt(found.first.components["topic:system"]))
    certain = certain_topics(0.05 / deviation, 0.05 / pairs)
    assert certain < (topics(found) or 0) < 1.6 * certain  # more, for the assurance


def test_equal_systems_are_no_pair() -> None:
    values = np.repeat(drawn()[:, :2], 2, axis=1)  # s0 and s1 are the same, s2 and s3 too
    found = plan(scores(values), difference=0.05)
    assert all({one.pair.system, one.pair.against} not in ({"s0", "s1"}, {"s2", "s3"}) for one in found.plans)
    with pytest.raises(ig.DesignError, match="there is no variance to plan with"):
        plan(scores(np.repeat(drawn()[:, :1], 3, axis=1)), difference=0.05)


# goals


def test_without_a_goal_the_interval_is_halved() -> None:
    found = plan(scores(drawn()))
    now = found.first.now
    assert now is not None
    assert found.is_halving
    assert found.goal.kind == "width"
    assert found.goal.value == pytest.approx(now.width / 2)
    assert 4 * 40 < (topics(found) or 0) < 6 * 40  # four times as many by the estimate alone
    compared = ig.compare(scores(drawn()), test="t")
    names = compared.comparison.names
    place = names.index((found.first.pair.system, found.first.pair.against))
    assert now.width == pytest.approx(np.diff([compared.comparison.low[place], compared.comparison.high[place]])[0] / 2)
    assert now.difference == pytest.approx(compared.first.verdict.detectable[place], rel=1e-4)


def test_what_is_reached_with_what_is_needed_is_the_goal() -> None:
    goals: list[dict[str, Any]] = [{"width": 0.03}, {"difference": 0.04}, {"margin": 0.04}]
    for goal in goals:
        found = plan(scores(drawn(5, 4)), population="topics+shards", **goal)
        one = found.first
        assert one.goals[2].value == found.goal.value
        values = [other.value for other in one.goals]
        counts = [other.design.topics or 10**9 for other in one.goals]
        assert values == sorted(values)
        assert counts == sorted(counts, reverse=True)
        points = {point.topics: point for point in one.curve if point.replicates == 4}
        enough = topics(found, 4)
        for count, point in points.items():
            assert (point.reached <= found.goal.value) == (enough is not None and count >= enough)
            assert point.low <= point.reached <= point.high


# typed components


def test_typed_components_are_those_of_the_data() -> None:
    many = np.tile(drawn(2), (400, 1, 1))  # so many topics that the variance is as good as known
    pair = many[:, 0, 0] - many[:, 1, 0]
    typed = plan(components={"topic:system": float(pair.var(ddof=1)) / 2}, difference=0.03)
    assert topics(typed) == certain_topics(0.03 / float(pair.std(ddof=1)), 0.05)
    data = Observing(many, "topics", 2).pair(0, 1)
    assert topics_for(data.variances, 1, Goal("difference", 0.03, assurance=0.5)) == pytest.approx(topics(typed), abs=1)


def test_typed_components_of_shards_are_those_of_the_data() -> None:
    """With a pilot so large that it leaves hardly anything open."""
    rng = np.random.default_rng(3)
    y = rng.normal(0, 0.1, (300, 2, 1)) + rng.normal(0, 0.01, (1, 2, 1000)) + rng.normal(0, 0.1, (300, 2, 1000))
    seen = Observing(y, "both", 2)
    pair = seen.pair(0, 1)
    typed = plan(components={name: variance / 2 for name, variance in pair.components.items()}, difference=0.03)
    assert typed.first.components == pytest.approx(pair.components)
    for count in (5, 10, 50):
        by_data = topics_for(pair.variances, count, Goal("difference", 0.03, assurance=0.5))
        assert topics(typed, count) == pytest.approx(by_data, rel=0.02)


def test_typed_components_of_instances_are_those_of_the_data() -> None:
    rng = np.random.default_rng(6)
    first, second = (
        rng.normal(0, 0.05, 300) + rng.normal(0, 0.01, (900, 1)) + rng.normal(0, 0.05, (900, 300)) for _ in range(2)
    )
    squares = TwoAlgorithms.of(first, second)
    known = TopicsAndInstances.of(squares, is_certain=True)
    means = {"instance": known.instance[:, 0].mean(), "residual": known.residual[:, 0].mean()}
    typed = plan(components={"topic:system": known.over_topics[0] / 2, **means}, difference=0.02)
    for count in (10, 50):
        by_data = topics_for(TopicsAndInstances.of(squares), count, Goal("difference", 0.02, assurance=0.5))
        assert topics(typed, count) == pytest.approx(by_data, rel=0.02)


def test_a_text_and_a_mapping_are_the_same() -> None:
    text = plan(components="system:topic=0.01, residual=0.002", margin=0.05)
    assert topics(text) == topics(plan(components={"topic:system": 0.01, "residual": 0.002}, margin=0.05))


# instances


@pytest.mark.parametrize("deterministic", [(), ("a",)])
def test_instances_are_planned_for(deterministic: tuple[str, ...]) -> None:
    found = plan(instance_scores(deterministic), width=0.03)
    assert (found.replicates, found.here) == ("instances", (30, 6))
    counts = [one.topics or 10**9 for one in found.first.designs]
    assert counts == sorted(counts, reverse=True)
    random = [name for name in (found.first.pair.system, found.first.pair.against) if name not in deterministic]
    assert sum(name.startswith("instance of") for name in found.first.components) == len(random)


def test_replicates_of_a_table_are_shards_or_instances() -> None:
    table = scores(drawn(3, 4))
    assert plan(table, width=0.05).replicates == "shards"
    assert plan(table, width=0.05, replicates="instances").replicates == "instances"


# costs


def test_the_cheapest_design_costs_least() -> None:
    found = plan(instance_scores(), width=0.02, cost_topic=20.0, cost_instance=100.0)
    assert found.first.cheapest is not None
    assert found.first.cheapest.cost == 20 * (found.first.cheapest.topics or 0) + 300 * found.first.cheapest.replicates
    assert found.first.cheapest.cost <= min(one.cost for one in found.first.designs if one.cost is not None)
    dear = plan(instance_scores(), width=0.02, cost_topic=20.0, cost_instance=10_000.0)
    assert dear.first.cheapest is not None
    assert dear.first.cheapest.replicates < found.first.cheapest.replicates


def test_judgments_cost_by_topic_and_with_shards_in_each() -> None:
    alone = plan(scores(drawn(2)), width=0.03, cost_topic=1.0, cost_judgment=0.5, judgments=30)
    assert alone.first.designs[0].cost == 16 * (topics(alone) or 0)
    sharded = plan(scores(drawn(2, 4)), width=0.05, cost_judgment=0.5, judgments=30)
    design = next(one for one in sharded.first.designs if one.replicates == 20)
    assert design.cost == 15 * 20 * (design.topics or 0)


def test_the_judgments_are_counted() -> None:
    simulated = ig.simulate(systems=3, topics=8, depth=20, corpus_size=200, seed=1, families=1).collection()
    found = plan(simulated, "AP", width=0.05, cost_judgment=2.0)
    each = float(simulated.judged_bounds[-1]) / len(simulated.topics)
    assert found.first.designs[0].cost == pytest.approx(2 * each * (topics(found) or 0))


# what is refused


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "neither data nor components were given"),
    "no goal": ({"components": "residual=0.1"}, "give a goal"),
    "two goals": ({"components": "residual=0.1", "width": 0.1, "margin": 0.1}, "width and margin were asked for"),
    "no such component": ({"components": "topic:sistem=0.1", "width": 0.1}, "did you mean 'topic:system'"),
    "below 0": ({"components": "residual=-0.1", "width": 0.1}, "the variance -0.1 of residual is not possible"),
    "nothing that varies": ({"components": "topic=0.1", "width": 0.1}, "no variance of differences was given"),
    "both": ({"components": "instance=0.1,system:shard=0.1", "width": 0.1}, "shards and instances were both given"),
    "no number": ({"components": "residual=x", "width": 0.1}, "'x' of residual is not a number"),
    "no equals sign": ({"components": "residual", "width": 0.1}, "write name=variance"),
    "a width of 0": ({"components": "residual=0.1", "width": 0.0}, "the half width 0.0 is not possible"),
    "certainty": ({"components": "residual=0.1", "width": 0.1, "assurance": 1.0}, "the assurance 1.0 is not possible"),
    "no power": ({"components": "residual=0.1", "width": 0.1, "power": 0.0}, "the power 0.0 is not possible"),
    "a cost below 0": ({"components": "residual=0.1", "width": 0.1, "cost_topic": -1.0}, "the cost -1.0"),
    "no instances": ({"components": "residual=0.1", "width": 0.1, "cost_instance": 1.0}, "there are no instances"),
    "no judgments": ({"components": "residual=0.1", "width": 0.1, "cost_judgment": 1.0}, "say how many a topic has"),
    "shards": ({"components": "residual=0.1", "width": 0.1, "shards": "even:5"}, "the option 'shards' is of data"),
    "one system": ({"components": "residual=0.1", "width": 0.1, "systems": 1}, "systems is 1; it is at least 2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_planned_is_refused(case: str) -> None:
    options, message = REFUSED[case]
    with pytest.raises((ig.DesignError, ig.InputError), match=message):
        plan(**options)


def test_data_and_components_are_one_too_many() -> None:
    with pytest.raises(ig.DesignError, match="both data and components were given"):
        plan(scores(drawn()), components="residual=0.1", width=0.1)


def test_one_system_has_no_difference() -> None:
    with pytest.raises(ig.DesignError, match="there is one system, 's0'"):
        plan(scores(drawn(1)), width=0.1)


# what is shown


@cache
def result_of(name: str) -> Planned:
    if name == "shards":
        return plan(scores(drawn(5, 4)), difference=0.05, cost_topic=3.0)
    if name == "instances":
        return plan(instance_scores(), margin=0.02, cost_instance=2.0)
    return plan(scores(drawn())) if name == "topics" else plan(components="topic:system=0.01", width=0.01)


@pytest.mark.parametrize("name", ["topics", "shards", "instances", "typed"])
def test_everything_is_shown(name: str) -> None:
    found = result_of(name)
    assert found.findings()[0].kind == "needed"
    assert found.table().name == "needed"
    assert [row["topics"] for row in found.table().records()] == [d.topics for p in found.plans for d in p.designs]
    assert found.chart("goal").to_svg().startswith("<svg")
    shown = json.loads(to_json(found.to_dict()))
    assert shown["plans"][0]["designs"][0]["topics"] == found.first.designs[0].topics
    assert shown["level"] == found.level
    assert shown["provenance"]["assurance"] == 0.8
    assert "assurance" in found.to_text()
    if found.replicates is not None:
        assert found.chart("designs").to_svg().startswith("<svg")
    else:
        with pytest.raises(ig.DesignError, match="there are no shards or instances"):
            found.chart("designs")


def test_the_charts_are_named() -> None:
    assert "goal" in CHARTS


def test_the_answer_names_pairs_and_what_there_is() -> None:
    found = plan(scores(drawn(2)), difference=0.05, systems=2)
    assert found.findings()[0].text == (
        "To find a true difference of 0.05 in AP with a power of 80 %, with an assurance of 80 %, the next experiment "
        f"needs {topics(found)} topics for {found.first.pair.system} and {found.first.pair.against}; there are 40 "
        "topics."
    )


def test_it_is_told_when_no_number_of_topics_is_enough() -> None:
    found = plan(components="topic:system=0.01,system:shard=0.01,residual=0.01", width=0.1)
    (told,) = found.findings().of("never")
    few = [one.replicates for one in found.first.designs if one.topics is None]
    assert told.fields["counts"] == few
    assert told.tone == "warning"
    none = plan(components="topic:system=0.01,system:shard=1,residual=0.01", width=0.001)
    assert "the next experiment needs more topics than can be had" in none.findings()[0].text
    assert none.findings().of("never")[0].fields["is_all"]


def test_it_is_told_what_the_topics_at_hand_need() -> None:
    one = plan(scores(drawn(5, 4)), width=0.1)
    (told,) = one.findings().of("on-these-topics")
    enough = one.first.replicates
    assert enough is not None
    assert told.text.startswith(f"On the 40 topics here {enough} replicates are enough for a typical pair")
    none = plan(scores(drawn(5, 4)), width=0.001)
    (infeasible,) = none.findings().of("on-these-topics")
    assert infeasible.text.startswith("On the 40 topics here no number of replicates is enough")
    assert not plan(scores(drawn()), width=0.1).findings().of("on-these-topics")


def test_findings_are_made_of_their_fields() -> None:
    (told,) = result_of("shards").findings().of("needed")
    assert needed(**told.fields).text == told.to_dict()["text"]
