"""The reliability of rankings in a plan: from scores, with shards, from typed components; tables, chart, sentences."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge import DesignError, Scores
from irgauge.models.generalizability import Components, MeanSquares, bounds
from irgauge.scoring.measures import Measure
from irgauge.studies.plan.reliability import Reliability
from irgauge.studies.plan.study import Planned, plan
from oracles.printed_components import ADHOC3_BEST

Values = NDArray[np.float64]
SHAPES = ((30, 12, 1), (30, 12, 4))


def drawn(shape: tuple[int, int, int], seed: int = 1, between_shards: float = 0.02) -> Values:
    """Scores with effects of topics, systems, shards and both interactions of systems."""
    rng, (topics, systems, shards) = np.random.default_rng(seed), shape
    of_topics = rng.normal(0.4, 0.1, (topics, 1, 1)) + rng.normal(0, 0.08, (topics, systems, 1))
    of_shards = rng.normal(0, 0.03, (1, 1, shards)) + rng.normal(0, between_shards, (1, systems, shards))
    return np.asarray(rng.normal(0, 0.05, (1, systems, 1)) + of_topics + (of_shards if shards > 1 else 0.0))


def scores(values: Values) -> Scores:
    topics, systems, shards = (tuple(map(str, range(n))) for n in values.shape)
    return Scores(values[None], (Measure("AP"),), topics, tuple(f"s{name}" for name in systems), shards)


def noisy(shape: tuple[int, int, int]) -> Values:
    return drawn(shape) + (np.random.default_rng(2).normal(0, 0.05, shape) if shape[2] > 1 else 0.0)


@cache
def planned(shape: tuple[int, int, int], seed: int = 0) -> Planned:
    return plan(scores(noisy(shape)), "AP", seed=seed)


def found(result: Planned) -> Reliability:
    assert result.reliability is not None
    return result.reliability


@pytest.mark.parametrize("shape", SHAPES)
def test_components_and_reliabilities_are_those_of_the_values(shape: tuple[int, int, int]) -> None:
    one, squares = found(planned(shape)), MeanSquares.from_values(noisy(shape))
    components, intervals = Components.of(squares), bounds(squares)
    assert [source.variance for source in one.sources] == pytest.approx(list(components.variance.values()))
    assert sum(source.share for source in one.sources) == pytest.approx(1)
    assert sum(source.relative or 0 for source in one.sources) == pytest.approx(1)
    assert sum(source.absolute or 0 for source in one.sources) == pytest.approx(1)
    assert one.here is not None
    assert one.here.relative.value == pytest.approx(components.reliability("relative", 30, shape[2]))
    assert one.here.relative[1:] == pytest.approx(intervals.of("relative", 30, shape[2]))
    assert one.here.absolute is not None
    assert one.here.absolute[1:] == pytest.approx(intervals.of("absolute", 30, shape[2]))
    for needed in one.needed:
        assert needed.topics == components.topics_needed(0.95, needed.kind, needed.shards)
        assert needed.interval == intervals.needed(0.95, needed.kind, needed.shards)
    assert {needed.shards for needed in one.needed} == ({1} if shape[2] == 1 else {2, 4, 5, 20})


def test_typed_components_give_what_the_same_components_of_data_give() -> None:
    of_data = found(planned(SHAPES[1]))
    typed = ",".join(f"{one.name}={one.variance!r}" for one in of_data.sources)
    of_typed = found(plan(components=typed, width=0.1))
    at = {(one.topics, one.shards): one for one in of_data.curve}
    for one in of_typed.curve:
        same = at.get((one.topics, one.shards))
        if same is not None:
            assert one.relative.value == pytest.approx(same.relative.value)
            assert one.absolute is not None
            assert same.absolute is not None
            assert one.absolute.value == pytest.approx(same.absolute.value)
            assert one.relative.low is None
    needed = {(one.kind, one.shards): one.topics for one in of_data.needed}
    assert all(needed[one.kind, one.shards] == one.topics for one in of_typed.needed)


def test_typed_components_of_trec_3_need_the_topics_that_gt4ireval_prints() -> None:
    variance = Components.of(ADHOC3_BEST).variance
    one = found(plan(components=variance, width=0.05))
    assert {need.kind: need.topics for need in one.needed} == {"relative": 69, "absolute": 259}
    other = found(plan(components=variance, width=0.05, reliability=0.9))
    assert {need.kind: need.topics for need in other.needed} == {"relative": 33, "absolute": 123}


def test_typed_components_without_those_of_topics_tell_of_the_ranking_alone() -> None:
    result = plan(components="system=0.003,topic:system=0.01,residual=0.002", width=0.05)
    one = found(result)
    assert not one.is_complete
    assert [need.kind for need in one.needed] == ["relative"]
    assert {source.name: source.variance for source in one.sources} == {"system": 0.003, "topic:system": 0.012}
    assert result.table("reliability").names == ("topics", "relative", "tau")
    assert "of the variances given" in result.table("sources").caption


@pytest.mark.parametrize(
    "components", ["topic:system=0.01,topic=0.02", "system=0.01,instance=0.001,topic:system=0.01,residual=0.003"]
)
def test_components_without_systems_or_with_instances_say_nothing_of_rankings(components: str) -> None:
    result = plan(components=components, width=0.05)
    assert result.reliability is None
    assert not [table for table in result.tables() if table.name in ("sources", "reliability", "ranking-needed")]
    with pytest.raises(DesignError, match="no ranking"):
        result.chart("reliability")


def test_two_systems_and_fixed_topics_say_nothing_of_rankings() -> None:
    assert planned((30, 2, 1)).reliability is None
    assert plan(scores(drawn((30, 5, 4))), "AP", population="sources").reliability is None


def test_a_target_that_nothing_reaches_is_refused() -> None:
    with pytest.raises(DesignError, match="between 0 and 1"):
        plan(scores(noisy(SHAPES[0])), "AP", reliability=1.0)


def test_the_sentences_say_what_dominates_and_what_it_would_take() -> None:
    one = planned(SHAPES[0])
    told = [finding for finding in one.findings() if finding.kind in ("sources", "ranking")]
    here, (ranked, valued) = found(one).here, found(one).needed
    assert here is not None
    assert ranked.interval is not None
    assert valued.interval is not None
    shares = {source.name: source.share for source in found(one).sources}
    assert told[0].text == (
        f"Of the variance of one AP, {100 * shares['topic']:.1f} % comes from topics, "
        f"{100 * shares['topic:system']:.1f} % from topic:system and {100 * shares['system']:.1f} % from systems."
    )
    assert told[1].text.startswith(
        "The ranking of 12 systems by AP over 30 topics has a reliability Eρ² of "
        f"{here.relative.value:.3f} (95 % interval {here.relative.low:.3f} to {here.relative.high:.3f}), and Kendall's "
        f"τ with the true ranking is about {here.tau:.2f}; Eρ² of 0.95 takes {ranked.topics} topics"
    )


def test_the_sentences_say_when_shards_are_what_is_missing() -> None:
    """Systems that differ from shard to shard: topics alone do not make the ranking reliable."""
    noise = np.random.default_rng(2).normal(0, 0.01, (60, 12, 4))
    result = plan(scores(drawn((60, 12, 4), between_shards=0.1) + noise), "AP")
    (told,) = (finding for finding in result.findings() if finding.kind == "sources")
    assert "comes from system:replicate, which more replicates make smaller, and more topics do not." in told.text
    need = found(result).needing("relative", 4)
    assert need is not None
    assert need.topics is None
    (ranked,) = (finding for finding in result.findings() if finding.kind == "ranking")
    assert f"{need.most:.3f} is the most that they reach" in ranked.text
    assert result.chart("reliability").title == "No number of topics is enough for Eρ² = 0.95 on 4 shards"


def test_a_component_below_0_is_told_under_the_table() -> None:
    values = drawn((10, 4, 1)) * np.array([1.0])
    values = values - values.mean(axis=0) + 0.4  # no system is better than another
    result = plan(scores(values), "AP")
    assert "Estimated below 0, and taken as 0: system." in result.table("sources").caption
    assert found(result).needing("relative", 1) is not None


@pytest.mark.parametrize("shape", SHAPES)
def test_tables_chart_and_json_hold_the_same(shape: tuple[int, int, int]) -> None:
    result = planned(shape)
    one = found(result)
    table = result.table("reliability")
    assert ("shards" in table.names) == (shape[2] > 1)
    at = {(point.topics, point.shards): point for point in one.curve}
    for row in table.records():
        assert row["tau"] == at[row["topics"], row.get("shards", 1)].tau  # type: ignore[index]
    assert result.table("ranking-needed").column("topics") == [need.topics for need in one.needed]
    shown = json.loads(json.dumps(result.to_dict()["reliability"]))
    assert len(shown["curve"]) == len(one.curve)
    assert shown["here"]["relative"]["value"] == one.here.relative.value  # type: ignore[union-attr]
    figure = result.chart("reliability")
    need = one.needing("relative", shape[2])
    assert need is not None
    assert figure.title.startswith("Eρ² = 0.95 takes " if need.topics else "No number of topics is enough for Eρ² =")
    assert "<svg" in figure.to_svg()
    assert "variance components of random topics" in figure.method.lower()


def test_the_seed_alone_decides() -> None:
    again = found(plan(scores(noisy(SHAPES[1])), "AP", seed=0))
    assert again == found(planned(SHAPES[1]))
    assert again != found(planned(SHAPES[1], seed=1))
