"""Tables, files and the section of a comparison, against its numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from irgauge import Scores
from irgauge.errors import DesignError
from irgauge.replicates.bench import Bench
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.studies.compare.section import PART
from irgauge.studies.compare.study import compare
from irgauge.studies.compare.tables import neighbour_table
from irgauge.studies.report_part import Reporting
from oracles.compared_systems import (
    POPULATIONS,
    RESULTS,
    as_in_the_papers,
    by_t,
    on_shards,
    simulated,
    with_baseline,
)


def test_tables_are_named_and_the_pairs_are_the_main_one() -> None:
    assert [table.name for table in on_shards().tables()] == ["systems", "populations", "pairs", "topics"]
    assert [table.name for table in by_t().tables()] == ["systems", "pairs", "topics"]
    assert [table.name for table in with_baseline().tables()] == ["pairs", "populations", "topics", "systems"]
    assert on_shards().table().name == "pairs"
    with pytest.raises(DesignError, match="the table 'pair' is unknown; did you mean 'pairs'"):
        on_shards().table("pair")


def test_the_frame_has_the_pairs() -> None:
    one = on_shards().comparison
    frame = on_shards().frame().filter(population="topics")
    assert list(zip(frame["system"], frame["against"], strict=True)) == one.names
    np.testing.assert_array_equal(frame["p_adjusted"], one.p_adjusted)
    table = on_shards().table()
    assert table.column("p_adjusted") == one.p_adjusted.tolist()
    assert table.title == f"{one.significant_count} of 28 pairs differ significantly by AP"


def test_neighbours_have_their_p_for_each_population() -> None:
    table = neighbour_table(on_shards().first)
    assert len(table.rows) == 7
    for record in table.records():
        differ = [name for name in POPULATIONS if float(str(record[f"p_adjusted_{name}"])) <= 0.05]
        assert record["differ"] == (", ".join(differ) or "no")


def test_json_has_every_number_in_full_precision(tmp_path: Path) -> None:
    on_shards().save(tmp_path / "compare.json")
    whole = json.loads((tmp_path / "compare.json").read_text())
    [read] = whole["measures"]
    one = on_shards().comparison
    assert (whole["study"], read["measure"]) == ("compare", "AP")
    assert [row["p_adjusted"] for row in read["pairs"][:28]] == one.p_adjusted.tolist()
    assert [row["mean"] for row in read["systems"][:8]] == one.means.tolist()
    assert [row["population"] for row in read["pairs"][::28]] == list(POPULATIONS)
    assert set(read["populations"]) == set(POPULATIONS)
    first = read["systems"][0]
    assert first["low"] < first["mean"] < first["high"]
    assert (read["test"], read["spread"]) == ("skewed-t", [])
    assert whole["provenance"]["population"] == "topics"
    assert [record["test"] for record in read["populations"].values()] == ["skewed-t", "crossed-t", "crossed-t"]
    assert [told["kind"] for told in whole["findings"]] == [told.kind for told in on_shards().findings()]


def test_json_has_the_check_of_equal_spread(tmp_path: Path) -> None:
    as_in_the_papers().save(tmp_path / "compare.json")
    whole = json.loads((tmp_path / "compare.json").read_text())
    [read] = whole["measures"]
    checks = as_in_the_papers().first.scored.spreads(as_in_the_papers().first.comparisons)
    assert [one["population"] for one in read["spread"]] == ["documents", "topics", "both"]
    for told_, check in zip(read["spread"], checks, strict=True):
        values = (told_["statistic"], told_["p"], told_["least"], told_["most"])
        assert values == (check.statistic, check.p, check.least, check.most)
    assert whole["provenance"]["model"] == "MD6"
    assert {"tukey_low", "tukey_high", "anova_low"} <= set(read["systems"][0])


@pytest.mark.parametrize("extension", ["json", "csv", "parquet", "md", "tex", "txt", "png", "svg", "pdf", "html"])
def test_results_are_saved(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"compare.{extension}"
    on_shards().save(path)
    starts = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "json": b"{", "md": b"- By AP", "txt": b"- By AP"}
    assert path.read_bytes().startswith(starts.get(extension, b""))
    assert path.stat().st_size > 1000
    if extension == "csv":
        assert pl.read_csv(path, schema=on_shards().frame().schema).equals(on_shards().frame())
    if extension == "parquet":
        assert pl.read_parquet(path).equals(on_shards().frame())


def test_the_result_shows_itself_shortly_and_safely() -> None:
    assert repr(on_shards()).startswith("Compared:\n- By AP, ")
    assert len(repr(on_shards())) < 1000
    table = Bench(simulated()).whole(parse_measures(["AP"]))
    hostile = Scores(
        table.values,
        table.measures,
        table.topics,
        ("<script>alert(1)</script>", "a\n|b_*", *table.systems[2:]),
        table.replicates,
    )
    found = compare(hostile)
    assert "<script" not in found._repr_html_()
    assert found._repr_html_().count("<img ") == 1
    assert "<script>" not in re.sub(r"\\<", "", found.to_text("markdown"))
    assert r"\textless{}script" in found.to_text("latex")


@pytest.mark.parametrize("width", [80, 120])
def test_text_fits_a_terminal(width: int) -> None:
    for result in (of() for of in RESULTS.values()):
        assert max(map(len, result.to_text(width=width).splitlines())) <= width


# the report


def test_the_section_of_a_report() -> None:
    measures = parse_measures(["AP", "P@5"])
    asked = Reporting(Bench(simulated(), measures), measures, shards="even:3")
    ran = PART.run(asked)
    assert [found.measures for found in ran.results] == [("AP",), ("P@5",)]
    made = PART.section(ran, asked)
    keys = ["systems", "neighbours", "pairs-map", "pairs", "models"]
    assert [panel.key for panel in made.panels if panel.key in keys] == [panel.key for panel in made.panels]
    assert {"systems", "pairs", "models"} <= {panel.key for panel in made.panels}
    assert [variant.choices[-1] for variant in made.panels[0].variants][:3] == [
        ("population", population) for population in POPULATIONS
    ]
    by_population = next(panel for panel in made.panels if panel.key == "pairs-map").variants
    assert len(by_population) == 2 * 3
    every = ran.results[0].findings()
    told = [one.text for one in every if one.tone != "note" and one.kind != "topics"]  # these stand in the section
    assert [one.text for one in PART.headline(ran.results[0])] == told
    assert {one.text for one in every} <= set(made.texts)
    assert len(every.of("topics")) == 1
    assert [heading for heading, _ in PART.methods(ran, asked)] == ["Comparison of systems"]


def test_a_report_without_shards_says_what_it_covers() -> None:
    measures = parse_measures(["AP"])
    asked = Reporting(Bench(simulated(), measures), measures, shards=None, unsharded="no shards were asked for")
    ran = PART.run(asked)
    made = PART.section(ran, asked)
    assert made.texts[-1].endswith("cover other topics only: no shards were asked for.")
    assert "models" not in {panel.key for panel in made.panels}
    told_ = dict(PART.methods(ran, asked))["Comparison of systems"]
    test = "the guarded t-test (the more cautious of the paired t-test and its correction for skewness; Hall 1992)"
    assert f"on the whole corpus by {test} with Holm's correction" in told_
    assert "shards" not in told_


def test_measuring_before_comparing_is_the_same() -> None:
    measured = Bench(simulated()).measured(Measuring(parse_measures(["AP"]), "even:3", seed=7))
    again, direct = (
        compare(data, test="tukey", population="documents").content()
        for data in (measured, as_in_the_papers().first.measured)
    )
    assert again == direct
    pairs = [content["measures"][0]["pairs"][:28] for content in (again, as_in_the_papers().content())]
    assert pairs[0] == pairs[1]
