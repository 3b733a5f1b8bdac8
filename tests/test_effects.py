"""Effect sizes by measure and sharding: those of the model's table, each with its size and significance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from irgauge import Collection, DesignError, load
from irgauge.models.anova import TERMS, fit
from irgauge.replicates.shards import sharding
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.effects import Effect, Effects, effect_sizes
from irgauge.studies.measurement import measure_shards

SIZES = ("large", "medium", "small", "negligible", "not significant")
OF_SIMULATED = "match:^(BOOK|NEWS|WEB|WIRE)"
MEASURES = ("AP", "P@10", "nDCG@5")
SPECS = ("even:2", "die:3", OF_SIMULATED)


@cache
def simulated() -> Collection:
    return simulate(Design(systems=6, families=2, topics=10, depth=60, corpus_size=900)).collection()


@pytest.mark.parametrize("model", ["MD2", "MD4", "MD6", "topic + system + shard"])
def test_effects_are_those_of_the_table_of_each_measure_and_sharding(model: str) -> None:
    found = effect_sizes(simulated(), MEASURES, SPECS, model=model, seed=3)
    expected = []
    for spec, measure in product(SPECS, MEASURES):
        data = measure_shards(simulated(), [measure], sharding(simulated(), spec), seed=3)
        for row in fit(data.values(), model).rows:
            expected.append((spec, measure, row.source, row.omega2, row.size, row.p, row.p <= 0.05))
    assert [(e.shards, e.measure, e.source, e.omega2, e.size, e.p, e.significant) for e in found.effects] == expected
    assert (found.model, found.alpha, found.fill, found.seed, found.population) == (model, 0.05, "zero", 3, "documents")
    assert (found.topics, found.systems) == (10, 6)


def test_measures_carry_their_cutoff() -> None:
    found = effect_sizes(simulated(), MEASURES, ["even:2"])
    assert {(effect.measure, effect.cutoff) for effect in found.effects} == {("AP", None), ("P@10", 10), ("nDCG@5", 5)}


def test_systems_are_kept_and_cells_filled_before_the_model_is_fitted() -> None:
    found = effect_sizes(simulated(), ["AP"], [OF_SIMULATED], fill="med", keep="4")
    scheme = sharding(simulated(), OF_SIMULATED)
    data = measure_shards(simulated(), ["AP"], scheme, fill="med", keep="4")
    assert data.undefined_cells > 0
    assert [effect.omega2 for effect in found.effects] == [row.omega2 for row in fit(data.values(), "MD6").rows]
    assert (found.fill, found.kept, found.systems) == ("med", "4", 4)


@pytest.mark.parametrize("alpha", [0.05, 1e-6])
def test_an_effect_is_significant_where_p_is_at_most_alpha(alpha: float) -> None:
    found = effect_sizes(simulated(), MEASURES, SPECS, alpha=alpha)
    significant = [effect for effect in found.effects if effect.significant]
    assert all(effect.p <= alpha for effect in significant)
    assert all(effect.p > alpha for effect in found.effects if not effect.significant)
    assert 0 < len(significant) < len(found.effects)
    largest = max(effect.p for effect in significant)
    assert effect_sizes(simulated(), MEASURES, SPECS, alpha=largest).effects == found.effects


@pytest.mark.parametrize("model", ["MD5", "MD6"])
def test_counts_add_up(model: str) -> None:
    found = effect_sizes(simulated(), MEASURES, SPECS, model=model)
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


def effects_of(sizes: Sequence[tuple[str, bool]]) -> Effects:
    """Effects of systems with these sizes, each significant or not."""
    found = effect_sizes(simulated(), ["AP"], ["even:2"])
    system = next(effect for effect in found.effects if effect.source == "system")
    return replace(found, effects=tuple(replace(system, size=size, significant=is_so) for size, is_so in sizes))


def test_what_is_not_significant_is_counted_apart_whatever_its_size() -> None:
    found = effects_of([("large", True), ("large", False), ("small", True), ("negligible", False), ("large", True)])
    assert found.counts() == {"system": {"large": 2, "not significant": 2, "small": 1}}


def test_fields_go_through_json() -> None:
    found = effect_sizes(simulated(), MEASURES[:2], SPECS[:2])
    again = json.loads(json.dumps(asdict(found), allow_nan=False))
    assert tuple(Effect(**effect) for effect in again.pop("effects")) == found.effects
    assert again == {key: value for key, value in asdict(found).items() if key != "effects"}


def test_the_number_of_topics_does_not_depend_on_the_order_of_the_shardings() -> None:
    topics = {spec: effect_sizes(simulated(), ["AP"], [spec], fill="drop").topics for spec in ("even:2", OF_SIMULATED)}
    assert topics[OF_SIMULATED] < topics["even:2"]
    both, turned = (effect_sizes(simulated(), ["AP"], specs, fill="drop") for specs in (list(topics), [*topics][::-1]))
    assert both.topics == turned.topics


def test_results_do_not_depend_on_workers() -> None:
    one, two = (effect_sizes(simulated(), MEASURES, SPECS, workers=workers) for workers in (1, 2))
    assert one == two


def test_another_seed_gives_other_effects_of_random_shards() -> None:
    one, other = (effect_sizes(simulated(), ["AP"], ["even:2", OF_SIMULATED], seed=seed).effects for seed in (0, 1))
    assert one[:6] != other[:6]
    assert one[6:] == other[6:]


def test_progress_is_told_for_every_sharding() -> None:
    told: list[tuple[int, int]] = []
    effect_sizes(simulated(), ["AP"], SPECS, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_shards_are_needed() -> None:
    with pytest.raises(DesignError, match="effect sizes need shards"):
        effect_sizes(simulated(), ["AP"], [])


@pytest.mark.parametrize(
    ("specs", "model", "message"),
    [
        (["even:1"], "MD6", "needs more than one shard"),
        (["even:2"], "MD1", "of the whole corpus"),
        (["even:2"], "MD7", "MD1 to MD6"),
        (["even:2", "odd:2"], "MD6", "shards 'odd:2' are unknown"),
    ],
    ids=["one shard", "MD1", "unknown model", "unknown shards"],
)
def test_wrong_settings_are_refused(specs: list[str], model: str, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        effect_sizes(simulated(), ["AP"], specs, model=model)


def test_published_effects_of_the_sources_of_trec8(trec8: Path) -> None:
    data = load(trec8 / "qrels.txt.gz", trec8 / "runs", precision="single")
    found = effect_sizes(data, ["AP"], ["match:^(FBIS|FR|FT|LA)"])
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
