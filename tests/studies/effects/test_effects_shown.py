"""Effect sizes as readers see them: charts, findings, tables, files, and their part of the report."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import Golden
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import Measure
from irgauge.show.figure import Figure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.effects import STUDY
from irgauge.studies.effects.findings import Sized, largest, sizes
from irgauge.studies.effects.section import CHARTS, PART
from irgauge.studies.effects.study import EffectSizes, effects
from irgauge.studies.report_part import Reporting

MEASURES = ["AP", "P@5", "P@10", "nDCG@5", "nDCG@10", "ERR@20"]


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(Design(systems=8, topics=10, depth=100, corpus_size=2000)).collection()


@pytest.fixture(scope="module")
def small(collection: Collection) -> EffectSizes:
    return effects(collection, MEASURES, shards=["even:3", "even:2"])


@pytest.fixture(scope="module")
def two() -> EffectSizes:
    collection = simulate(Design(systems=2, families=1, topics=6, depth=50, corpus_size=1000)).collection()
    return effects(collection, MEASURES, shards="even:3")


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    """The largest of the inline data of a chart."""
    spec = figure.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    rows: list[dict[str, Any]] = max(spec["datasets"].values(), key=len)
    return rows


# charts


def test_charts_are_those_that_the_study_names() -> None:
    assert tuple(CHARTS) == tuple(STUDY.charts) == ("sizes", "curves", "residuals")


def test_residuals_are_drawn_for_each_analysis(small: EffectSizes) -> None:
    figure = small.chart("residuals")
    assert figure.to_svg().startswith("<svg")
    assert {row["series"] for row in rows_of(figure)} == set(small.quantiles)
    assert len(small.quantiles) == 2 * len(MEASURES)


@pytest.mark.parametrize("name", ["sizes", "curves"])
@pytest.mark.parametrize("data", ["small", "two"])
def test_every_chart_is_drawn_and_captioned(
    name: str, data: str, request: pytest.FixtureRequest, golden: Golden
) -> None:
    result: EffectSizes = request.getfixturevalue(data)
    figure = result.chart(name)
    svg = figure.to_svg()
    assert svg.startswith("<svg")
    assert "NaN" not in svg
    assert "undefined" not in re.sub(r"undefined(<[^>]*>| )*scores", "", svg)  # which a line may break
    errors = "error: topic:system for system, topic:shard for shard, else residual"
    assert f"F tests; {errors}; α = 0.05; population: topics" in figure.method
    own = "for other topics, each term against its own error; ω² is against the residual"
    assert figure.caption[1] == f"Not significant: p > 0.05 {own}."
    golden(figure.caption[-1])
    assert figure.alternative


def test_effects_have_their_size_class_and_value(small: EffectSizes) -> None:
    figure = small.chart()
    rows = rows_of(figure)
    assert len(rows) == len(small.effects) == len(MEASURES) * 6 * 2
    for row, effect in zip(rows, small.effects, strict=True):
        assert (row["omega2"], row["p"], row["source"]) == (effect.omega2, effect.p, effect.source)
        assert row["class"] == (effect.size if effect.significant else "not significant")
        assert row["text"] == (f"{effect.omega2:.3f}" if effect.omega2 >= 0.001 else "<0.001")
    counts = [row["class"] for row in rows]
    assert figure.title.startswith(f"ω² of 72 effects: {counts.count('large')} large, ")
    assert figure.title.endswith(f" and {counts.count('not significant')} with p > 0.05")


def test_curves_are_of_measures_with_several_cutoffs(small: EffectSizes) -> None:
    rows = rows_of(small.chart("curves"))
    assert {(row["family"], row["cutoff"]) for row in rows} == {("P", 5), ("P", 10), ("nDCG", 5), ("nDCG", 10)}
    assert len(rows) == 4 * 6 * 2
    only_ap = replace(small, effects=tuple(effect for effect in small.effects if effect.cutoff is None))
    with pytest.raises(DesignError, match="several cut-offs"):
        only_ap.chart("curves")


# findings


def test_findings_are_data(small: EffectSizes) -> None:
    first, *others = small.findings()
    best: dict[str, int] = {}
    for spec in ("even:3", "even:2"):
        for measure in MEASURES:
            of = [effect for effect in small.effects if (effect.shards, effect.measure) == (spec, measure)]
            top = max(of, key=lambda effect: effect.omega2).source
            best[top] = best.get(top, 0) + 1
    assert (first.kind, first.fields["counts"], first.population) == ("largest-effect", best, "topics")
    assert [(one.kind, one.population) for one in others] == [("effect-sizes", "topics"), ("two-errors", "topics")]
    sized = others[0].fields["effects"]
    assert list(sized) == list(small.distinct("source"))
    for source, one in sized.items():
        values = [effect.omega2 for effect in small.effects if effect.source == source]
        assert (one.least, one.most) == (min(values), max(values))
        assert set(one.kinds) == set(small.counts()[source])


def test_the_sentences_of_effects(golden: Golden) -> None:
    shards = ["even:2", "even:5"]
    golden(largest(counts={"topic": 4}, measures=["AP", "P@10"], shards=shards).text)
    golden(largest(counts={"topic": 3, "topic:shard": 1}, measures=["AP", "P@10"], shards=shards).text)
    assert largest(counts={"system": 1}, measures=["AP"], shards=["even:2"]).text == (
        "System has the largest effect on AP."
    )
    effects = {
        "topic": Sized(0.7, 0.9, ["large"]),
        "shard": Sized(0.002, 0.046, ["negligible", "small"]),
        "system:shard": Sized(-0.1, -0.1, ["not significant"]),
    }
    golden(sizes(effects=effects).text)


# tables, files, notebooks


def test_tables_hold_the_numbers(small: EffectSizes) -> None:
    assert [table.name for table in small.tables()] == ["omega2", "sizes", "effects"]
    wide = small.table("omega2")
    assert wide.names[:5] == ("shards", "measure", "topic", "system", "shard")
    assert wide.column("topic_by_shard") == [e.omega2 for e in small.effects if e.source == "topic:shard"]
    for record in wide.records():
        of = [e for e in small.effects if (e.shards, e.measure) == (record["shards"], record["measure"])]
        assert record["not_significant"] == ", ".join(effect.source for effect in of if not effect.significant)
    for record in small.table("sizes").records():
        counts = small.counts()[str(record["source"])]
        assert record["not_significant"] == counts.get("not significant", 0)
        assert (record["large"], record["small"]) == (counts.get("large", 0), counts.get("small", 0))


def test_every_kind_of_file(small: EffectSizes, tmp_path: Path) -> None:
    for suffix in ("json", "csv", "md", "tex", "txt", "parquet", "png", "html"):
        small.save(tmp_path / f"effects.{suffix}")
    saved = json.loads((tmp_path / "effects.json").read_text())
    assert [one["omega2"] for one in saved["effects"]] == [one.omega2 for one in small.effects]
    lines = list(csv.DictReader((tmp_path / "effects.csv").read_text().splitlines()))
    assert [(line["shards"], line["measure"], line["source"]) for line in lines] == [
        (one.shards, one.measure, one.source) for one in small.effects
    ]
    assert [(float(line["omega2"]), float(line["p"])) for line in lines] == [(e.omega2, e.p) for e in small.effects]
    assert {line["significant"] for line in lines} == {"true", "false"}
    assert "| even:3 |" in (tmp_path / "effects.md").read_text()
    assert r"\toprule" in (tmp_path / "effects.tex").read_text()
    assert (tmp_path / "effects.png").read_bytes().startswith(b"\x89PNG")


def test_it_shows_itself_shortly(small: EffectSizes) -> None:
    assert repr(small).startswith("EffectSizes:\n- ")
    assert "has the largest effect" in repr(small)
    assert len(repr(small)) < 1000
    shown = small._repr_html_()
    assert "<script" not in shown
    assert "has the largest effect" in shown


# the report


def reporting(collection: Collection, *measures: str, shards: str | None = "even:3") -> Reporting:
    unsharded = "no shards were asked for" if shards is None else None
    return Reporting(Bench(collection), tuple(map(Measure.parse, measures)), shards=shards, unsharded=unsharded)


def test_the_section_has_sizes_and_curves(collection: Collection, small: EffectSizes) -> None:
    asked = reporting(collection, *MEASURES)
    ran = PART.run(asked)
    found = PART.section(ran, asked)
    assert [panel.key for panel in found.panels] == ["effect-sizes", "effect-table", "effect-curves"]
    (result,) = ran.results
    assert result.effects == tuple(effect for effect in small.effects if effect.shards == "even:3")
    (text,) = found.texts
    assert text.startswith("ω² in these scores, from the least to the most of 6 analyses: topic ")
    for source in {effect.source for effect in result.effects}:
        values = [max(0, effect.omega2) for effect in result.effects if effect.source == source]
        assert f"{source} {min(values):.3f} to {max(values):.3f}" in text
    assert not list(PART.headline(result))
    assert [heading for heading, _ in PART.methods(ran, asked)] == ["Effect sizes"]
    table = found.panels[1].variants[0].table
    assert table is not None
    assert table.column("measure") == MEASURES


def test_without_cutoffs_there_are_no_curves(collection: Collection) -> None:
    asked = reporting(collection, "AP")
    found = PART.section(PART.run(asked), asked)
    assert [panel.key for panel in found.panels] == ["effect-sizes", "effect-table"]


def test_without_shards_the_reason_stands_in_its_place(collection: Collection) -> None:
    asked = reporting(collection, "AP", shards=None)
    ran = PART.run(asked)
    assert PART.section(ran, asked).reason == "effect sizes: no shards were asked for."
    assert not list(PART.methods(ran, asked))
