"""An analysis of variance as readers see it: findings, tables, files, and its part of the report."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.rates import assert_at_most
from conftest import Golden
from irgauge.errors import DesignError
from irgauge.models.anova import fit
from irgauge.models.checks import Check
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import Measure
from irgauge.show.page import Section
from irgauge.show.words import omega2_text
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.anova.findings import assumptions, effects, nested, systems_differ
from irgauge.studies.anova.section import PART
from irgauge.studies.anova.study import Analysed, Checks, Line, SystemTest, anova
from irgauge.studies.report_part import BEST, Reporting

DESIGN = Design(systems=6, families=3, topics=10, depth=60, corpus_size=500, relevant_median=20, seed=4)
MANY = Design(systems=45, families=5, topics=8, depth=40, corpus_size=400, relevant_median=15, seed=6)


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def result(collection: Collection) -> Analysed:
    return anova(collection, "AP", shards="even:3", against="MD4")


def reporting(collection: Collection, *measures: str, shards: str | None = "even:3") -> Reporting:
    unsharded = "no shards were asked for" if shards is None else None
    return Reporting(Bench(collection), tuple(map(Measure.parse, measures)), shards=shards, unsharded=unsharded)


# findings


def test_findings_are_data(result: Analysed) -> None:
    first, *tested = result.findings()
    assert (first.kind, first.measure, first.population) == ("effects", "AP", "topics")
    assert first.fields == {"measure": "AP", "rows": result.rows, "alpha": 0.05}
    differ = result.findings().of("systems-differ")
    assert [one.population for one in differ] == ["topics", "documents", "both"]
    for one, test in zip(differ, result.populations, strict=True):
        assert (one.population, one.fields["test"]) == (test.population, test)
        assert one.fields["differ"] == (test.p <= 0.05)
    assert "scores on the whole corpus" in differ[0].text
    assert "scores on shards" in differ[1].text
    (models,) = result.findings().of("nested-models")
    assert models.fields["models"] == result.comparison
    assert {one.kind for one in tested} <= {"systems-differ", "nested-models", "assumptions"}


def test_effects_are_named_with_their_sizes(result: Analysed) -> None:
    text = result.findings()[0].text
    for row in result.rows:
        assert f"{row.source} ({row.size}, ω² = {max(0, row.omega2):.3f}" in text
    factors, interactions = text.removeprefix("Effects on AP, the largest first: ").split("; interactions: ")
    assert ":" not in factors
    assert all(term in interactions for term in ("topic:system", "system:shard", "topic:shard"))


def row(source: str, omega2: float, size: str, p: float) -> Line:
    return Line(source, 1.0, 1, 1.0, "residual", 1.0, p, omega2, size)  # type: ignore[arg-type]  # a size


def test_the_sentence_of_effects(golden: Golden) -> None:
    rows = [row("system", 0.2, "large", 0.001), row("topic", 0.5, "large", 0.0), row("shard", -0.1, "negligible", 0.7)]
    golden(effects(measure="AP", rows=rows, alpha=0.05).text)


def test_an_effect_below_a_bound_is_not_shown_as_large_as_it() -> None:
    rows = [row("topic", 0.00996, "negligible", 0.0), row("system", 0.0, "negligible", 0.0)]
    assert "topic (negligible, ω² = 0.0099) and" in effects(measure="AP", rows=rows, alpha=0.05).text
    assert [omega2_text(value) for value in (0.01, 0.0594, 0.0599, 0.13996, 0.761, -0.2)] == [
        "0.010",
        "0.059",
        "0.0599",
        "0.1399",
        "0.761",
        "0.000",
    ]


def test_whether_systems_differ(golden: Golden) -> None:
    fields: dict[str, Any] = {"measure": "AP", "systems": 20}
    test = SystemTest("topics", "whole corpus", "topic:system", 9.5, 465.5, 26.279, 1e-9, 0.5)
    golden(systems_differ(test=replace(test, df=9.6), differ=True, **fields).text)
    both = replace(test, population="both", scores="shards", f=1.2, p=0.31, df=19, df_error=931)
    golden(systems_differ(test=both, differ=False, **fields).text)


def test_whether_a_larger_model_explains_more(result: Analysed, golden: Golden) -> None:
    found = result.comparison
    assert found is not None
    better = nested(measure="AP", models=replace(found, f=15.746, df=272, df_error=3724, p=0.0), alpha=0.05).text
    golden(better)
    assert nested(measure="AP", models=replace(found, p=0.4), alpha=0.05).text.startswith("MD6 does not explain AP")


def test_assumptions_that_do_not_hold_are_noted(result: Analysed, golden: Golden) -> None:
    golden(assumptions(model="MD6").text)
    fine, bad = Check(1.0, 0.5), Check(9.0, 0.001)
    for normal, shard in ((fine, fine), (bad, fine), (fine, bad)):
        checked = replace(result, checks=Checks(normal, {"topic": fine, "shard": shard}))
        notes = checked.findings().of("assumptions")
        assert [note.tone for note in notes] == ["note"] * (normal is bad)


def test_residuals_that_meet_the_assumptions_are_rarely_noted(result: Analysed) -> None:
    rng = np.random.default_rng(5)
    fits = [fit(rng.normal(size=(30, 5, 4)), "MD6") for _ in range(100)]
    checked = [replace(result, checks=Checks(own.jarque_bera(), own.levene())) for own in fits]
    assert_at_most(sum(len(own.findings().of("assumptions")) for own in checked), len(fits))


# tables, files, notebooks


def test_tables_hold_the_numbers(result: Analysed) -> None:
    assert [table.name for table in result.tables()] == ["anova", "populations", "checks", "models"]
    assert result.table("populations").column("f") == [term.f for term in result.populations]
    assert result.table("populations").column("population") == ["topics", "documents", "both"]
    assert result.table("populations").column("against") == [test.against for test in result.populations]
    assert result.table("anova").column("against")[:3] == ["residual", "topic:system", "topic:shard"]
    checks = result.table("checks")
    assert checks.column("p") == [result.checks.jarque_bera.p, *(one.p for one in result.checks.levene.values())]
    assert checks.column("assumption")[1:] == [f"equal variance over {name}s" for name in ("topic", "system", "shard")]
    (nested_row,) = result.table("models").records()
    assert result.comparison is not None
    assert (nested_row["f"], nested_row["critical"]) == (result.comparison.f, result.comparison.critical)


def test_a_model_without_systems_has_no_test_of_them(collection: Collection) -> None:
    plain = anova(collection, "AP", shards="even:3", model="topic + shard")
    assert [table.name for table in plain.tables()] == ["anova", "checks"]
    assert not plain.findings().of("systems-differ")


def test_every_kind_of_file(result: Analysed, tmp_path: Path) -> None:
    for suffix in ("json", "csv", "md", "tex", "txt", "parquet", "png", "html"):
        result.save(tmp_path / f"anova.{suffix}")
    saved = json.loads((tmp_path / "anova.json").read_text())
    assert [one["p"] for one in saved["rows"]] == [one.p for one in result.rows]
    lines = list(csv.DictReader((tmp_path / "anova.csv").read_text().splitlines()))
    assert [float(line["omega2"]) for line in lines[:6]] == [one.omega2 for one in result.rows]
    assert [line["f"] for line in lines[6:]] == ["", ""]
    assert "| topic |" in (tmp_path / "anova.md").read_text()
    assert r"\toprule" in (tmp_path / "anova.tex").read_text()
    assert (tmp_path / "anova.png").read_bytes().startswith(b"\x89PNG")


def test_it_shows_itself_shortly(result: Analysed) -> None:
    assert repr(result).startswith("Analysed:\n- Effects on AP, the largest first: ")
    assert len(repr(result)) < 1000
    shown = result._repr_html_()
    assert "<script" not in shown
    assert "Effects on AP, the largest first" in shown


# the report


def made(collection: Collection, *measures: str, shards: str | None = "even:3") -> Section:
    asked = reporting(collection, *measures, shards=shards)
    return PART.section(PART.run(asked), asked)


def test_the_section_has_its_panels_by_measure(collection: Collection) -> None:
    found = made(collection, "AP", "nDCG@10")
    panels = {panel.key: panel for panel in found.panels}
    assert list(panels) == ["main-effects", "interactions", "anova", "error-terms", "checks"]
    for panel in panels.values():
        assert {dict(form.choices)["measure"] for form in panel.variants} == {"AP", "nDCG@10"}
        assert len({form.choices for form in panel.variants}) == len(panel.variants)
        assert all(form.figure is not None or form.provenance is not None for form in panel.variants)
    terms = [dict(form.choices)["interaction"] for form in panels["interactions"].variants]
    assert terms == ["topic:system", "system:shard", "topic:shard"] * 2
    expected = anova(collection, "AP", shards="even:3")
    table = panels["anova"].variants[0].table
    assert table is not None
    assert table.column("omega2")[:6] == [one.omega2 for one in expected.rows]
    other = anova(collection, "nDCG@10", shards="even:3")
    for text, one in zip(found.texts, (expected, other), strict=True):
        assert text.startswith(f"In these scores of {one.measure}, ω² is: ")
        assert all(f"{row.source} {max(0, row.omega2):.3f}" in text for row in one.rows)


def test_a_page_describes_and_the_command_claims(result: Analysed) -> None:
    assert [finding.kind for finding in PART.headline(result)] == ["variance-shares"]
    effects = result.findings()[0]
    (claim,) = effects.claims
    assert (effects.kind, effects.place, claim.kind) == ("effects", "primary", "effect")
    assert set(claim.terms) == {row.source for row in result.rows if row.p <= 0.05}


def test_without_shards_there_are_no_interactions(collection: Collection) -> None:
    found = made(collection, "AP", shards=None)
    assert [panel.key for panel in found.panels] == ["main-effects", "anova", "error-terms", "checks"]
    assert "Without shards there are no interactions: no shards were asked for." in found.texts
    asked = reporting(collection, "AP", shards=None)
    ((heading, text),) = PART.methods(PART.run(asked), asked)
    assert (heading, text[:20]) == ("Analysis of variance", "MD1 (topic + system)")


def test_of_many_lines_the_best_are_shown() -> None:
    panels = {panel.key: panel for panel in made(simulate(MANY).collection(), "AP").panels}
    figure = panels["interactions"].variants[0].figure
    assert figure is not None
    rows = max(figure.to_dict()["datasets"].values(), key=len)
    assert len({one["line"] for one in rows}) == BEST + 1  # and the mean
    assert f"Shown: the lines of the best {BEST} of 45 systems." in figure.caption


def test_a_measure_that_cannot_be_analysed_is_named(collection: Collection) -> None:
    one = collection.only([0])
    with pytest.raises(DesignError, match="at least 2 systems"):
        anova(one, "AP", shards="even:3")
    found = made(one, "AP", "P@10")
    assert found.panels == ()
    assert found.reason is not None
    assert found.reason.startswith("AP, P@10: an analysis of variance needs at least 2 systems")
