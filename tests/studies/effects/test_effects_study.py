"""Effect sizes by measure and sharding: those of the model's table, each with its size and significance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import polars as pl
import pytest

from irgauge import Collection, DesignError, InputError, Scores
from irgauge.models.anova import TERMS, fit
from irgauge.models.f_tests import term_tests
from irgauge.replicates.shards import sharding
from irgauge.scoring.scores import score
from irgauge.show.saving import to_json
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.anova.study import anova
from irgauge.studies.effects.study import Effect, EffectSizes, effects

SIZES = ("large", "medium", "small", "negligible", "not significant")
OF_SIMULATED = "match:^(BOOK|NEWS|WEB|WIRE)"
MEASURES = ("AP", "P@10", "nDCG@5")
SPECS = ("even:2", "die:3", OF_SIMULATED)


@cache
def simulated() -> Collection:
    return simulate(Design(systems=6, families=2, topics=10, depth=60, corpus_size=900)).collection()


def scored(measure: str, spec: str, seed: int = 0) -> Scores:
    """Raw scores in the shards of a split."""
    return score(simulated(), [measure], sharding(simulated(), spec).split(seed, 0))


@pytest.mark.parametrize("model", ["MD2", "MD4", "MD6", "topic + system + shard"])
def test_effects_are_those_of_the_table_of_each_measure_and_sharding(model: str) -> None:
    found = effects(simulated(), MEASURES, shards=SPECS, model=model, seed=3)
    expected = []
    for spec, measure in product(SPECS, MEASURES):
        fitted = fit(scored(measure, spec, seed=3).filled("zero").values[0], model)
        for row, test in zip(fitted.rows, term_tests(fitted, "topics"), strict=True):
            effect = (spec, measure, row.source, row.omega2, row.size, test.against, test.p, test.p <= 0.05)
            expected.append(effect)
    assert [
        (e.shards, e.measure, e.source, e.omega2, e.size, e.against, e.p, e.significant) for e in found.effects
    ] == expected
    assert (found.model, found.alpha, found.population, found.topics, found.systems) == (
        model,
        0.05,
        "topics",
        10,
        6,
    )
    facts = found.provenance
    assert (facts["fill"], facts["seed"], facts["population"], facts["model"]) == ("zero", 3, "topics", model)
    assert facts["error"] == {e.source: e.against for e in found.effects}
    assert (facts["measures"], facts["shards"]) == (MEASURES, SPECS)
    assert facts["undefined"] == sum(
        np.isnan(scored(measure, spec, seed=3).values).sum() for spec, measure in product(SPECS, MEASURES)
    )


@pytest.mark.parametrize(("spec", "population"), [("even:2", "documents"), (OF_SIMULATED, "sources")])
def test_the_papers_tests_are_a_choice(spec: str, population: str) -> None:
    found = effects(simulated(), "AP", shards=spec, population=population)  # type: ignore[arg-type]  # any text
    rows = fit(scored("AP", spec).filled("zero").values[0], "MD6").rows
    assert [(e.omega2, e.p, e.against) for e in found.effects] == [(row.omega2, row.p, "residual") for row in rows]
    assert (found.population, found.provenance["population"]) == (population, population)
    assert found.provenance["error"] == dict.fromkeys(TERMS, "residual")


@pytest.mark.parametrize(("spec", "population"), [(OF_SIMULATED, "documents"), ("even:2", "shards")])
def test_a_population_that_shards_do_not_speak_of_is_refused(spec: str, population: str) -> None:
    with pytest.raises(DesignError, match=f"these scores say nothing of '{population}': the shards"):
        effects(simulated(), "AP", shards=["die:2", spec] if population == "documents" else spec, population=population)  # type: ignore[arg-type]  # any text


def test_measures_carry_their_cutoff() -> None:
    found = effects(simulated(), MEASURES, shards=["even:2"])
    assert {(effect.measure, effect.cutoff) for effect in found.effects} == {("AP", None), ("P@10", 10), ("nDCG@5", 5)}


def test_systems_are_kept_and_cells_filled_before_the_model_is_fitted() -> None:
    found = effects(simulated(), ["AP"], shards=[OF_SIMULATED], fill="med", keep_systems="4")
    scores = scored("AP", OF_SIMULATED)
    assert np.isnan(scores.values).any()
    best = np.sort(np.argsort(-score(simulated(), ["AP"]).values[0].mean(axis=(0, 2)), kind="stable")[:4])
    expected = fit(np.ascontiguousarray(scores.filled("med").values[0][:, best]), "MD6").rows
    assert [effect.omega2 for effect in found.effects] == [row.omega2 for row in expected]
    assert (found.provenance["fill"], found.provenance["keep_systems"], found.systems) == ("med", "4", 4)


def test_systems_are_kept_by_another_measure_where_asked() -> None:
    def kept(by: str) -> list[int]:
        return sorted(np.argsort(-score(simulated(), [by]).values[0].mean(axis=(0, 2)), kind="stable")[:4].tolist())

    assert kept("P@10") != kept("AP")
    found = effects(simulated(), ["P@10"], shards=["even:2"], keep_systems="4", keep_by="AP")
    values = scored("P@10", "even:2").filled("zero").values[0][:, kept("AP")]
    expected = fit(np.ascontiguousarray(values), "MD6").rows
    assert [effect.omega2 for effect in found.effects] == [row.omega2 for row in expected]
    assert (found.provenance["keep_by"], found.systems) == ("AP", 4)
    of_whole = anova(simulated(), "P@10", shards="even:2", keep_systems="4", keep_by="AP")
    assert of_whole.measured.scores.systems == tuple(simulated().systems[i] for i in kept("AP"))
    assert of_whole.rows[0].omega2 == expected[0].omega2
    with pytest.raises(DesignError, match="kept by AP, but all are kept"):
        effects(simulated(), ["P@10"], shards=["even:2"], keep_by="AP")


def test_the_error_of_size_and_that_of_significance_are_both_shown() -> None:
    found = effects(simulated(), ["AP"], shards=["even:3"])
    rows = fit(scored("AP", "even:3").filled("zero").values[0], "MD6").rows
    assert [effect.p_residual for effect in found.effects] == [row.p for row in rows]
    (table,) = [table for table in found.tables() if table.name == "effects"]
    assert {"against", "p_residual"} <= {column.name for column in table.columns}
    assert "tested against" in found.to_text(width=100)
    weak = replace(found.effects[2], source="shard", against="topic:shard", p=0.3, significant=False, p_residual=0.001)
    (told,) = replace(found, effects=(weak,)).findings().of("two-errors")
    assert "shard (tested against topic:shard) can be large and not significant" in told.text
    strong = replace(weak, p_residual=0.2)
    assert not replace(found, effects=(strong,)).findings().of("two-errors")


@pytest.mark.parametrize("alpha", [0.05, 1e-6])
def test_an_effect_is_significant_where_p_is_at_most_alpha(alpha: float) -> None:
    found = effects(simulated(), MEASURES, shards=SPECS, alpha=alpha)
    significant = [effect for effect in found.effects if effect.significant]
    assert all(effect.p <= alpha for effect in significant)
    assert all(effect.p > alpha for effect in found.effects if not effect.significant)
    assert 0 < len(significant) < len(found.effects)
    largest = max(effect.p for effect in significant)
    assert effects(simulated(), MEASURES, shards=SPECS, alpha=largest).effects == found.effects


@pytest.mark.parametrize("model", ["MD5", "MD6"])
def test_counts_add_up(model: str) -> None:
    found = effects(simulated(), MEASURES, shards=SPECS, model=model)
    counts = found.counts()
    assert list(counts) == [term for term in TERMS if model == "MD6" or term != "topic:shard"]
    for source, sizes in counts.items():
        assert sum(sizes.values()) == len(MEASURES) * len(SPECS)
        for size in SIZES:
            of_source = [effect for effect in found.effects if effect.source == source]
            plain = [effect for effect in of_source if effect.significant and effect.size == size]
            missed = [effect for effect in of_source if not effect.significant]
            assert sizes.get(size, 0) == len(missed if size == "not significant" else plain)
    assert any("not significant" in sizes for sizes in counts.values())


def effects_of(sizes: Sequence[tuple[str, bool]]) -> EffectSizes:
    """Effects of systems with these sizes, each significant or not."""
    found = effects(simulated(), ["AP"], shards=["even:2"])
    system = next(effect for effect in found.effects if effect.source == "system")
    return replace(found, effects=tuple(replace(system, size=size, significant=is_so) for size, is_so in sizes))


def test_what_is_not_significant_is_counted_apart_whatever_its_size() -> None:
    found = effects_of([("large", True), ("large", False), ("small", True), ("negligible", False), ("large", True)])
    assert found.counts() == {"system": {"large": 2, "not significant": 2, "small": 1}}


def test_fields_go_through_json() -> None:
    found = effects(simulated(), MEASURES[:2], shards=SPECS[:2])
    again = json.loads(to_json(found.to_dict()))
    assert tuple(Effect(**effect) for effect in again["effects"]) == found.effects
    assert (again["study"], again["model"], again["topics"], again["systems"]) == ("effects", "MD6", 10, 6)
    assert again["counts"] == found.counts()
    assert again["provenance"]["shards"] == list(SPECS[:2])


def test_the_frame_has_a_row_for_each_effect_in_full_precision() -> None:
    found = effects(simulated(), MEASURES, shards=SPECS)
    frame = found.frame()
    assert [Effect(**row) for row in frame.to_dicts()] == list(found.effects)
    assert frame.schema["omega2"] == frame.schema["p"] == pl.Float64
    assert frame.schema["significant"] == pl.Boolean
    assert frame.schema["cutoff"] == pl.Int64
    assert found.table().frame().to_dicts() == frame.to_dicts()


def test_the_number_of_topics_does_not_depend_on_the_order_of_the_shardings() -> None:
    topics = {
        spec: effects(simulated(), ["AP"], shards=[spec], fill="drop").topics for spec in ("even:2", OF_SIMULATED)
    }
    assert topics[OF_SIMULATED] < topics["even:2"]
    both, turned = (
        effects(simulated(), ["AP"], shards=specs, fill="drop") for specs in (list(topics), [*topics][::-1])
    )
    assert both.topics == turned.topics


def test_results_do_not_depend_on_workers() -> None:
    one, two = (effects(simulated(), MEASURES, shards=SPECS, workers=workers) for workers in (1, 2))
    assert one.effects == two.effects


def test_another_seed_gives_other_effects_of_random_shards() -> None:
    one, other = (effects(simulated(), ["AP"], shards=["even:2", OF_SIMULATED], seed=seed).effects for seed in (0, 1))
    assert one[:6] != other[:6]
    assert one[6:] == other[6:]


def test_progress_is_told_for_every_sharding() -> None:
    told: list[tuple[int, int]] = []
    effects(simulated(), ["AP"], shards=SPECS, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_shards_are_needed() -> None:
    with pytest.raises(DesignError, match="effect sizes need shards"):
        effects(simulated(), ["AP"])
    with pytest.raises(DesignError, match="the scores have no replicates; give some, or the runs"):
        effects(score(simulated(), ["AP"]), ["AP"], shards="even:2")


def test_one_measure_and_one_way_to_split_need_no_list() -> None:
    one = effects(simulated(), "AP", shards="even:2")
    assert one.effects == effects(simulated(), ["AP"], shards=["even:2", "even:2"]).effects
    assert one.provenance["shard_count"] == 2


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0])
def test_a_level_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(DesignError, match="alpha"):
        effects(simulated(), ["AP"], shards="even:2", alpha=alpha)


def test_measures_are_needed() -> None:
    with pytest.raises(InputError, match="no measure was given"):
        effects(simulated(), [], shards="even:2")


@pytest.mark.parametrize(
    ("specs", "model", "message"),
    [
        (["even:1"], "MD6", "needs more than one shard"),
        (["even:2"], "MD1", "for the whole corpus"),
        (["even:2"], "MD7", "MD1 to MD6"),
        (["even:2", "odd:2"], "MD6", "shards 'odd:2' are unknown"),
    ],
    ids=["one shard", "MD1", "unknown model", "unknown shards"],
)
def test_wrong_settings_are_refused(specs: list[str], model: str, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        effects(simulated(), ["AP"], shards=specs, model=model)


def test_published_effects_of_the_sources_of_trec8(trec8_runs: Collection) -> None:
    found = effects(trec8_runs, ["AP"], shards=["match:^(FBIS|FR|FT|LA)"])
    omega2 = {effect.source: f"{effect.omega2:.4f}" for effect in found.effects}
    assert omega2 == {  # Ferro, Kim and Sanderson (TOIS 2019): all systems
        "topic": "0.5810",
        "system": "0.2857",
        "shard": "0.2649",
        "topic:system": "0.2361",
        "system:shard": "0.0714",
        "topic:shard": "0.5488",
    }
    assert found.counts() == {source: {"medium" if source == "system:shard" else "large": 1} for source in omega2}
