"""The analysis of variance of a collection: what is asked for is what is fitted, and what cannot be is refused."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from irgauge import Collection, DesignError, Measure, Scores, load
from irgauge.models.anova import TERMS, Population, decompose, fit, populations_of
from irgauge.models.f_tests import TermTest, compare, system_test, term_tests
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import score
from irgauge.show.saving import to_json
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.anova.study import Analysed, Line, Nested, Shape, SystemTest, anova

SOURCES = "match:^(FBIS|FR|FT|LA)"
OF_SIMULATED = "match:^(BOOK|NEWS|WEB|WIRE)"
MODELS = ("MD2", "MD3", "MD4", "MD5", "MD6", "topic + system + shard")


@cache
def simulated() -> Collection:
    return simulate(Design(systems=6, families=2, topics=8, depth=60, corpus_size=900)).collection()


def with_settings(**settings: Any) -> Analysed:  # noqa: ANN401  # any setting
    return anova(simulated(), "AP", **settings)


def scored(spec: str, seed: int = 0, fill: Any = "zero", keep: int | None = None) -> Scores:  # noqa: ANN401  # any fill
    """AP in shards, of all systems or of the best on the whole corpus."""
    collection = simulated()
    scores = score(collection, ["AP"], sharding(collection, spec).split(seed, 0)).filled(fill)
    means = score(collection, ["AP"]).values[0].mean(axis=(0, 2))
    kept = sorted(np.argsort(-means, kind="stable")[:keep])
    systems = tuple(scores.systems[i] for i in kept)
    return replace(scores, values=np.ascontiguousarray(scores.values[:, :, kept]), systems=systems)


def undefined(spec: str, seed: int = 0) -> int:
    return int(np.isnan(score(simulated(), ["AP"], sharding(simulated(), spec).split(seed, 0)).values).sum())


# what is fitted


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("spec", ["even:3", OF_SIMULATED])
def test_the_table_is_that_of_the_model_on_the_scores_in_shards(model: str, spec: str) -> None:
    found = with_settings(shards=spec, model=model, seed=4)
    data = scored(spec, seed=4)
    expected = fit(data.values[0], model)
    assert found.fit.rows == expected.rows
    assert found.tests == term_tests(expected, "topics")
    assert (found.error, found.total, found.fit.mean) == (expected.error, expected.total, expected.mean)
    assert found.checks.jarque_bera == expected.jarque_bera()
    assert found.checks.levene == expected.levene()
    on_whole = fit(score(simulated(), ["AP"]).values[0], "MD1")
    first, *others = found.populations
    assert first == of_systems(system_test(on_whole, "topics"), "topics", "whole corpus")
    covered: tuple[Population, ...] = ("documents", "both") if spec == "even:3" else ("shards", "topics+shards")
    assert others == [of_systems(system_test(expected, one), one, "shards") for one in covered]
    assert (found.model, found.fit.model.formula) == (model, expected.model.formula)
    assert found.shape == Shape(topics=8, systems=6, shards=len(data.replicates))
    facts = found.provenance
    assert (facts["shards"], facts["seed"], facts["undefined"]) == (spec, 4, undefined(spec, 4))
    assert (facts["population"], facts["model"], facts["measures"]) == ("topics", model, ("AP",))
    assert facts["error"] == {test.source: test.against for test in found.tests}
    assert found.comparison is None


def of_systems(test: TermTest, population: Population, scores: str) -> SystemTest:
    return SystemTest(population, scores, test.against, test.df, test.df_error, test.f, test.p, test.epsilon)


@pytest.mark.parametrize("spec", ["even:3", OF_SIMULATED])
def test_a_population_that_is_asked_for_comes_first_and_its_tests_are_in_the_table(spec: str) -> None:
    expected = fit(scored(spec).values[0], "MD6")
    possible = populations_of(3, is_random=spec == "even:3")
    for population in possible:
        found = with_settings(shards=spec, population=population)
        assert found.population == found.provenance["population"] == population
        assert [(row.against, row.f, row.p) for row in found.rows] == [
            (test.against, test.f, test.p) for test in term_tests(expected, population)
        ]
        assert [row.omega2 for row in found.rows] == [row.omega2 for row in expected.rows]  # whatever the population
        others = [one for one in possible if one not in (population, "sources")]
        assert [one.population for one in found.populations] == [population, *others]


def test_the_papers_tests_are_those_of_documents_and_of_sources() -> None:
    for spec, population in (("even:3", "documents"), (OF_SIMULATED, "sources")):
        found = with_settings(shards=spec, population=population)
        assert [(row.f, row.p) for row in found.rows] == [(row.f, row.p) for row in found.fit.rows]
        assert {row.against for row in found.rows} == {"residual"}


def test_systems_are_compared_on_all_topics_of_the_whole_corpus() -> None:
    found = with_settings(shards=OF_SIMULATED, fill="drop", keep_systems="4")
    whole = with_settings(keep_systems="4")
    assert found.shape.topics < whole.shape.topics
    assert found.populations[0] == whole.populations[0]


def test_settings_reach_the_scores() -> None:
    found = anova(simulated(), "map", shards="die:8", fill="uq", keep_systems="top50%", seed=9, alpha=0.01)
    assert undefined("die:8", seed=9) > 0
    assert found.fit.rows == fit(scored("die:8", seed=9, fill="uq", keep=3).values[0], "MD6").rows
    assert (found.measure, found.model, found.shape.systems) == ("AP", "MD6", 3)
    facts = found.provenance
    assert (facts["fill"], facts["keep_systems"], facts["seed"], facts["alpha"]) == ("uq", "top50%", 9, 0.01)


def test_topics_that_are_dropped_are_not_counted() -> None:
    found = with_settings(shards=OF_SIMULATED, fill="drop")
    assert found.measured.undefined > 0
    assert 2 <= found.shape.topics < 8
    assert len(found.measured.dropped) == 8 - found.shape.topics
    assert found.total.df == found.shape.topics * 6 * 4 - 1


def test_another_seed_gives_other_random_shards() -> None:
    assert with_settings(shards="even:3", seed=0).rows == with_settings(shards="even:3", seed=0).rows
    assert with_settings(shards="even:3", seed=0).rows != with_settings(shards="even:3", seed=1).rows
    assert with_settings(shards=OF_SIMULATED, seed=0).rows == with_settings(shards=OF_SIMULATED, seed=1).rows


def test_without_shards_the_model_is_md1_on_the_whole_corpus() -> None:
    found = with_settings()
    expected = fit(score(simulated(), ["AP"]).values[0], "MD1")
    assert (found.model, found.fit.model.formula, found.population) == ("MD1", "topic + system", "topics")
    assert "shards" not in found.provenance
    assert found.fit.rows == expected.rows
    assert found.shape == Shape(8, 6, 1)
    assert [term.population for term in found.populations] == ["topics"]
    assert found.populations[0].f == pytest.approx(expected.row("system").f)  # its residual is topic:system
    assert found.populations[0].scores == "whole corpus"
    assert list(found.checks.levene) == ["topic", "system"]


def test_a_model_without_systems_tests_none() -> None:
    assert with_settings(shards="even:3", model="topic + shard").populations == ()


def test_replicates_of_a_table_of_scores_are_shards() -> None:
    found, runs = anova(scored("even:3")), with_settings(shards="even:3")
    assert (found.model, found.rows) == ("MD6", runs.rows)
    assert [one.population for one in found.populations] == ["topics", "shards", "topics+shards"]  # of unknown shards
    assert {one.scores for one in found.populations} == {"shards"}
    assert found.provenance["source"] == "a table of scores"
    whole = anova(score(simulated(), ["AP", "P@10"]), "AP")
    assert (whole.model, whole.rows) == ("MD1", with_settings().rows)


def test_a_bench_and_what_was_measured_give_the_same() -> None:
    bench = Bench(simulated(), ["AP", "P@10"])
    measured = bench.measured(Measuring((Measure.parse("AP"),), "even:3"))
    assert anova(bench, "AP", shards="even:3").rows == anova(measured).rows == with_settings(shards="even:3").rows


def test_the_frame_is_the_table_in_full_precision() -> None:
    found = with_settings(shards="even:3")
    frame = found.frame()
    assert frame.columns == ["source", "ss", "df", "ms", "against", "f", "p", "omega2", "size"]
    assert frame["source"].to_list() == [*TERMS, "error", "total"]
    assert tuple(Line(**row) for row in frame.to_dicts()[:6]) == found.rows
    error, total = frame.to_dicts()[6:]
    assert (error["ss"], error["df"], error["ms"], error["f"]) == (*asdict(found.error).values(), None)
    assert (total["ss"], total["df"], total["p"]) == (found.total.ss, found.total.df, None)
    assert found.table().frame().to_dicts() == frame.to_dicts()


# comparison of models


@pytest.mark.parametrize("alpha", [0.05, 0.001])
@pytest.mark.parametrize(("model", "against"), [("MD6", "MD4"), ("MD4", "MD6"), ("MD6", "topic + system + shard")])
def test_the_comparison_is_that_of_the_smaller_model_with_the_larger(model: str, against: str, alpha: float) -> None:
    found = with_settings(shards="even:3", model=model, against=against, alpha=alpha).comparison
    sums = decompose(scored("even:3").values[0])
    small, large = (model, against) if model == "MD4" else (against, model)
    expected = compare(sums.fit(small), sums.fit(large), alpha=alpha)
    tested = expected.f, expected.df, expected.df_error, expected.p, expected.critical
    assert found == Nested(against, small, large, *tested)


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
    again = json.loads(to_json(found.to_dict()))
    assert tuple(Line(**row) for row in again["rows"]) == found.rows
    assert tuple(SystemTest(**test) for test in again["populations"]) == found.populations
    assert again["population"] == found.population
    assert Shape(**again["shape"]) == found.shape
    assert again["comparison"] == (None if found.comparison is None else asdict(found.comparison))
    assert again["checks"] == asdict(found.checks)
    assert (again["error"], again["total"]) == (asdict(found.error), asdict(found.total))
    assert (again["study"], again["measure"], again["model"]) == ("anova", "AP", found.model)
    assert (again["formula"], again["mean"]) == (found.fit.model.formula, found.fit.mean)
    assert again["provenance"] == dict(found.provenance) | {"measures": ["AP"]}


def test_levels_are_named_and_the_fit_is_at_hand() -> None:
    found = with_settings(shards=OF_SIMULATED, keep_systems="4")
    scores = scored(OF_SIMULATED, keep=4)
    assert found.labels == {"topic": scores.topics, "system": scores.systems, "shard": ("BOOK", "NEWS", "WEB", "WIRE")}
    assert [row.source for row in found.fit.rows] == [row.source for row in found.rows]
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
    with pytest.raises(DesignError, match="for the whole corpus"):
        with_settings(model="MD1", shards="even:2")


@pytest.mark.parametrize(("topics", "systems", "factor"), [(1, 3, "topic"), (3, 1, "system")])
def test_one_topic_or_one_system_is_refused(topics: int, systems: int, factor: str) -> None:
    with pytest.raises(DesignError, match=f"at least 2 {factor}s; the values have 1"):
        anova(perfect(topics, systems), "AP")


def test_one_system_that_is_kept_is_refused() -> None:
    with pytest.raises(DesignError, match="at least 2 systems"):
        with_settings(keep_systems="1")


def test_scores_that_are_all_the_same_are_refused() -> None:
    with pytest.raises(DesignError, match="all values are the same"):
        anova(perfect(3, 3), "AP")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "MD9"}, "MD1 to MD6"),
        ({"shards": "odd:2"}, "shards 'odd:2' are unknown"),
        ({"shards": "even:2", "against": "MD0"}, "MD1 to MD6"),
        ({"shards": "even:2", "fill": "median"}, "fill 'median' is unknown"),
        ({"keep_systems": "7"}, "a number up to 6"),
        ({"alpha": 1.5}, "alpha"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        with_settings(**settings)


# TREC-8: Ferro, Kim and Sanderson (TOIS 2019)


def test_table_5(trec8_runs: Collection) -> None:
    found = anova(
        trec8_runs, "AP", shards=SOURCES, keep_systems="top75%", against="topic + system + shard", population="sources"
    )
    assert found.shape == Shape(topics=50, systems=96, shards=4)
    assert {source: f"{check.p:.4g}" for source, check in found.checks.levene.items()} == {
        "topic": "0",
        "system": "1.315e-143",
        "shard": "7.544e-06",
    }
    system = next(row for row in found.rows if row.source == "system")
    assert f"{system.ss:.4f} {system.df} {system.f:.4f} {system.omega2:.4f}" == "20.6407 95 16.8751 0.0728"
    best = np.sort(np.argsort(-score(trec8_runs, ["AP"]).values[0].mean(axis=(0, 2)), kind="stable")[:96])
    scores = score(trec8_runs, ["AP"], sharding(trec8_runs, SOURCES).split(0, 0)).filled("zero")
    sums = decompose(np.ascontiguousarray(scores.values[0][:, best]))
    expected = compare(sums.fit("topic + system + shard"), sums.fit("MD6"))
    assert found.comparison is not None
    assert (found.comparison.f, found.comparison.critical) == (expected.f, expected.critical)
    assert np.floor(100 * found.comparison.f) == 936  # printed: 9.36


def test_systems_of_trec8_on_the_whole_corpus(trec8_runs: Collection) -> None:
    found = anova(trec8_runs, "AP")
    assert f"{found.rows[1].omega2:.4f}" == "0.3991"
    assert found.shape == Shape(50, 129, 1)
