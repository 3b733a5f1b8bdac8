"""The analysis of variance of a collection: what is asked for is what is fitted, and what cannot be is refused."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irgauge import Collection, DesignError, load, score
from irgauge.models.anova import ErrorTerm, Row, compare, decompose, fit
from irgauge.replicates.shards import sharding
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.measurement import measure_shards
from irgauge.studies.variance import Nested, Shape, Variance, analyse

SOURCES = "match:^(FBIS|FR|FT|LA)"
OF_SIMULATED = "match:^(BOOK|NEWS|WEB|WIRE)"
MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6", "topic + system + shard")


@cache
def simulated() -> Collection:
    return simulate(Design(systems=6, families=2, topics=8, depth=60, corpus_size=900)).collection()


def with_settings(**settings: Any) -> Variance:  # noqa: ANN401  # any setting
    return analyse(simulated(), "AP", **settings)


# what is fitted


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("spec", ["even:3", OF_SIMULATED])
def test_the_table_is_that_of_the_model_on_the_scores_in_shards(model: str, spec: str) -> None:
    found = with_settings(shards=spec, model=model, seed=4)
    data = measure_shards(simulated(), ["AP"], sharding(simulated(), spec), seed=4)
    expected = fit(data.values(), model)
    assert found.rows == expected.rows
    assert (found.error, found.total, found.mean) == (expected.error, expected.total, expected.mean)
    assert found.checks.jarque_bera == expected.jarque_bera()
    assert found.checks.levene == expected.levene()
    assert found.populations == tuple(expected.error_term(one) for one in ("documents", "topics", "both"))
    assert (found.model, found.formula) == (model, expected.model.formula)
    assert found.shape == Shape(topics=8, systems=6, shards=len(data.scores.replicates))
    assert (found.shards, found.seed, found.undefined) == (spec, 4, data.undefined_cells)
    assert found.comparison is None


def test_settings_reach_the_scores() -> None:
    found = analyse(simulated(), "map", shards="die:8", fill="uq", keep="top50%", seed=9, alpha=0.01)
    data = measure_shards(simulated(), ["AP"], sharding(simulated(), "die:8"), fill="uq", keep="top50%", seed=9)
    assert found.undefined > 0
    assert found.rows == fit(data.values(), "MD6").rows
    assert (found.measure, found.model, found.shape.systems) == ("AP", "MD6", 3)
    assert (found.fill, found.kept, found.seed, found.alpha) == ("uq", "top50%", 9, 0.01)


def test_topics_that_are_dropped_are_not_counted() -> None:
    found = with_settings(shards=OF_SIMULATED, fill="drop")
    assert found.undefined > 0
    assert 2 <= found.shape.topics < 8
    assert found.total.df == found.shape.topics * 6 * 4 - 1


def test_another_seed_gives_other_random_shards() -> None:
    assert with_settings(shards="even:3", seed=0).rows == with_settings(shards="even:3", seed=0).rows
    assert with_settings(shards="even:3", seed=0).rows != with_settings(shards="even:3", seed=1).rows
    assert with_settings(shards=OF_SIMULATED, seed=0).rows == with_settings(shards=OF_SIMULATED, seed=1).rows


def test_without_shards_the_model_is_md1_on_the_whole_corpus() -> None:
    found = with_settings()
    expected = fit(score(simulated(), ["AP"]).values[0], "MD1")
    assert (found.model, found.formula, found.shards) == ("MD1", "topic + system", "whole corpus")
    assert found.rows == expected.rows
    assert found.shape == Shape(8, 6, 1)
    assert [term.population for term in found.populations] == ["topics"]
    assert found.populations[0].p == pytest.approx(expected.row("system").p)  # its residual is topic:system
    assert list(found.checks.levene) == ["topic", "system"]


def test_a_model_without_systems_tests_none() -> None:
    assert with_settings(shards="even:3", model="topic + shard").populations == ()


# comparison of models


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize(("model", "against"), [("MD6", "MD4"), ("MD4", "MD6"), ("MD6", "topic + system + shard")])
def test_the_comparison_is_that_of_the_smaller_model_with_the_larger(model: str, against: str, alpha: float) -> None:
    found = with_settings(shards="even:3", model=model, against=against, alpha=alpha).comparison
    sums = decompose(measure_shards(simulated(), ["AP"], sharding(simulated(), "even:3")).values())
    small, large = (model, against) if model == "MD4" else (against, model)
    expected = compare(sums.fit(small), sums.fit(large), alpha=alpha)
    assert found == Nested(against, expected.f, expected.df, expected.df_error, expected.p, expected.critical)


@pytest.mark.parametrize("against", ["MD6", "topic + shard + topic:shard"])
def test_models_that_are_not_nested_are_refused(against: str) -> None:
    model = "MD6" if against == "MD6" else "MD3"
    with pytest.raises(DesignError, match="is not nested in"):
        with_settings(shards="even:3", model=model, against=against)


# fields


@pytest.mark.parametrize(
    "settings",
    [{}, {"shards": "even:3", "against": "MD4"}, {"shards": OF_SIMULATED, "fill": 0.5, "model": "topic + shard"}],
    ids=["whole", "compared", "without systems"],
)
def test_fields_go_through_json(settings: dict[str, Any]) -> None:
    found = with_settings(**settings)
    plain = {field.name: getattr(found, field.name) for field in fields(found) if field.name != "fit"}  # has arrays
    again = json.loads(json.dumps(plain, default=asdict, allow_nan=False))
    assert tuple(Row(**row) for row in again["rows"]) == found.rows
    assert tuple(ErrorTerm(**term) for term in again["populations"]) == found.populations
    assert Shape(**again["shape"]) == found.shape
    assert again["comparison"] == (None if found.comparison is None else asdict(found.comparison))
    assert again["checks"] == asdict(found.checks)
    simple = ("model", "formula", "measure", "shards", "seed", "fill", "undefined", "kept", "alpha", "mean")
    assert [again[name] for name in simple] == [plain[name] for name in simple]


def test_levels_are_named_and_the_fit_is_at_hand() -> None:
    found = with_settings(shards=OF_SIMULATED, keep="4")
    scores = measure_shards(simulated(), ["AP"], sharding(simulated(), OF_SIMULATED), keep="4").scores
    assert found.labels == {"topic": scores.topics, "system": scores.systems, "shard": ("BOOK", "NEWS", "WEB", "WIRE")}
    assert found.fit.rows == found.rows
    np.testing.assert_allclose(found.fit.means("system"), scores.values[0].mean(axis=(0, 2)))


# what is refused


def perfect(topics: int, systems: int) -> Collection:
    """Every system finds the one relevant document of each topic first."""
    qrels = {f"t{topic}": {f"d{topic}": 1} for topic in range(topics)}
    run = {topic: dict.fromkeys(judged, 1.0) for topic, judged in qrels.items()}
    return load(qrels, {f"s{system}": run for system in range(systems)})


@pytest.mark.parametrize("model", ["MD2", "MD4", "MD5", "MD6", "topic + shard"])
def test_a_model_that_needs_shards_is_refused_on_the_whole_corpus(model: str) -> None:
    with pytest.raises(DesignError, match="needs more than one shard"):
        with_settings(model=model)
    with pytest.raises(DesignError, match="needs more than one shard"):
        with_settings(model=model, shards="even:1")


def test_interaction_of_topics_and_systems_is_refused_on_the_whole_corpus() -> None:
    with pytest.raises(DesignError, match="saturated on one shard"):
        with_settings(model="MD3")


def test_md1_is_refused_on_shards() -> None:
    with pytest.raises(DesignError, match="of the whole corpus"):
        with_settings(model="MD1", shards="even:2")


@pytest.mark.parametrize(("topics", "systems", "factor"), [(1, 3, "topic"), (3, 1, "system")])
def test_one_topic_or_one_system_is_refused(topics: int, systems: int, factor: str) -> None:
    with pytest.raises(DesignError, match=f"at least 2 {factor}s; the values have 1"):
        analyse(perfect(topics, systems), "AP")


def test_one_system_that_is_kept_is_refused() -> None:
    with pytest.raises(DesignError, match="at least 2 systems"):
        with_settings(keep="1")


def test_scores_that_are_all_the_same_are_refused() -> None:
    with pytest.raises(DesignError, match="all values are the same"):
        analyse(perfect(3, 3), "AP")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "MD9"}, "MD1 to MD6"),
        ({"shards": "odd:2"}, "shards 'odd:2' are unknown"),
        ({"shards": "even:2", "against": "MD0"}, "MD1 to MD6"),
        ({"shards": "even:2", "fill": "median"}, "fill 'median' is unknown"),
        ({"keep": "7"}, "a number up to 6"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        with_settings(**settings)


# TREC-8: Ferro, Kim and Sanderson (TOIS 2019)


@pytest.fixture(scope="module")
def data(trec8: Path) -> Collection:
    return load(trec8 / "qrels.txt.gz", trec8 / "runs", precision="single")


def test_table_5(data: Collection) -> None:
    found = analyse(data, "AP", shards=SOURCES, keep="top75%", against="topic + system + shard")
    assert found.shape == Shape(topics=50, systems=96, shards=4)
    assert {source: f"{check.p:.4g}" for source, check in found.checks.levene.items()} == {
        "topic": "0",
        "system": "1.315e-143",
        "shard": "7.544e-06",
    }
    system = next(row for row in found.rows if row.source == "system")
    assert f"{system.ss:.4f} {system.df} {system.f:.4f} {system.omega2:.4f}" == "20.6407 95 16.8751 0.0728"
    sums = decompose(measure_shards(data, ["AP"], sharding(data, SOURCES), keep="top75%").values())
    expected = compare(sums.fit("topic + system + shard"), sums.fit("MD6"))
    assert found.comparison is not None
    assert (found.comparison.f, found.comparison.critical) == (expected.f, expected.critical)
    assert np.floor(100 * found.comparison.f) == 936  # printed: 9.36


def test_systems_of_trec8_on_the_whole_corpus(data: Collection) -> None:
    found = analyse(data, "AP")
    assert f"{found.rows[1].omega2:.4f}" == "0.3991"
    assert found.shape == Shape(50, 129, 1)
