"""Charts of the partition method: their numbers, titles and captions, from two systems to many."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import vl_convert

from irgauge import Collection, DesignError
from irgauge.show.figure import Figure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition import STUDY, charts, matrices
from irgauge.studies.partition.lengths import IntervalLengths
from irgauge.studies.partition.side_by_side import SideBySide
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import Difference, Overlap, Partitioned, densities, partition

FEW: dict[str, Any] = {"draws": 500, "seed": 4}
SIZES = [2, 9, 70]
NAMES = ["effects", "densities", "decisions", "agreement"]


@cache
def simulated(systems: int) -> Collection:
    design = Design(
        systems=systems,
        families=min(systems, 3),
        topics=12,
        depth=60,
        corpus_size=900,
        relevant_median=30,
        relevant_sd=0.3,
        seed=1,
    )
    return simulate(design).collection()


@cache
def result(systems: int) -> Partitioned:
    return partition(simulated(systems), ["AP", "P@5"], splits=5, tests=True, **FEW)


def side_by_side(systems: int) -> SideBySide:
    tests = result(systems).first.tests
    assert tests is not None
    return tests


def splits_of(systems: int) -> tuple[Splits, Splits]:
    first, second = result(systems).measures
    return first.splits, second.splits


@cache
def lengths_of(systems: int, drawn: str = "residuals") -> IntervalLengths:
    lengths = partition(simulated(systems), "AP", splits=1, lengths_of=(2,), drawn=drawn, **FEW).first.lengths  # type: ignore[arg-type]  # any text
    assert lengths is not None
    return lengths


def spec_of(figure: Figure) -> dict[str, Any]:
    spec: dict[str, Any] = figure.to_dict()
    json.dumps(spec, allow_nan=False)
    return spec


def rows_of(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the largest dataset."""
    found: list[dict[str, Any]] = max(spec["datasets"].values(), key=len)
    return found


def text_of(spec: dict[str, Any], part: str) -> str:
    return " ".join(spec["title"][part]).replace("\u00a0", " ")


@pytest.mark.parametrize("systems", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_drawn_and_captioned(name: str, systems: int) -> None:
    found = result(systems)
    spec = spec_of(found.chart(name))
    svg = replace(found.chart(name), caption=(), provenance=None).to_svg()  # a caption may tell of undefined scores
    assert svg.startswith("<svg")
    assert not re.search("NaN|undefined", svg)
    caption = text_of(spec, "subtitle")
    for part in (
        "seed 4",
        "α = 0.05",
        "500 draws" if name == "decisions" else "t-test of differences over parts",
        f"{systems} systems × 12 topics",
        "these topics, other documents",
    ):
        assert part in caption, part
    assert "AP" in text_of(spec, "text")
    assert len(found.chart(name).alternative) > 30


def test_effects_have_an_inner_and_an_outer_interval_for_each_model() -> None:
    spec, lengths = spec_of(result(9).chart("effects")), lengths_of(9)
    rows = rows_of(spec)
    assert len(rows) == 2 * 9
    for one in lengths.models:
        name = "with interactions" if one.interactions else "without interactions"
        own = [row for row in rows if row["model"] == name]
        assert [row["system"] for row in own] == list(lengths.systems)
        assert [row["low"] for row in own] == one.plain.low.tolist()
        assert [row["outer_high"] for row in own] == one.adjusted.high.tolist()
        assert all(row["outer_low"] <= row["low"] <= row["effect"] <= row["high"] <= row["outer_high"] for row in own)
    means = {one.interactions: float((one.plain.high - one.plain.low).mean()) for one in lengths.models}
    expected = f"{means[True]:.3f} with interactions and {means[False]:.3f} without interactions"
    assert expected in text_of(spec, "text")


def test_effects_where_topics_are_drawn_have_one_model() -> None:
    spec = spec_of(charts.effect_intervals(lengths_of(9, "topics")))
    assert {row["model"] for row in rows_of(spec)} == {"with interactions"}
    assert "population: both (other topics, other documents)" in text_of(spec, "subtitle")
    assert "outer ones" not in text_of(spec, "subtitle")


def test_the_area_that_is_shaded_is_half_of_p() -> None:
    found, _ = splits_of(9)
    shown = [densities(found, *found.systems[first : first + 2]) for first in range(8)]
    for one in shown:
        assert isinstance(one, Difference)
        spec = spec_of(charts.difference_density(found, one))
        filters = [step["filter"] for step in spec["layer"][0]["transform"]]
        assert "datum.difference <= 0" in filters
        shaded = [row for row in rows_of(spec) if row["difference"] <= 0]
        area = np.trapezoid([row["density"] for row in shaded], [row["difference"] for row in shaded])
        assert area == pytest.approx(one.p / 2, abs=0.01)
        assert f"{one.better} is ahead of {one.worse} by {one.difference:.4f} in AP" in text_of(spec, "text")
        marks = [rows for rows in spec["datasets"].values() if len(rows) == 2]
        assert [[row["difference"] for row in rows] for rows in marks] == [[0, one.difference]]
    assert max(one.p for one in shown) > 0.1


def test_every_chart_of_the_papers_p_says_what_it_is() -> None:
    found = partition(simulated(9), "AP", splits=2, tests=True, p="paper", **FEW)
    for name in NAMES:
        assert "as in the paper: a ranking of evidence, not an error rate" in text_of(
            spec_of(found.chart(name)), "subtitle"
        )
    assert "percentile intervals" in text_of(spec_of(found.chart("effects")), "subtitle")


def test_the_area_that_the_paper_shades_is_its_p_value() -> None:
    found = partition(simulated(9), "AP", splits=1, p="paper", **FEW).first.splits
    shares = []
    for first in range(8):
        overlap = densities(found, found.systems[first], found.systems[first + 1])
        assert isinstance(overlap, Overlap)
        spec = spec_of(charts.pair_densities(found, overlap))
        rows = [row for row in rows_of(spec) if row["system"] == overlap.worse]
        bound = overlap.effects[0] + overlap.mean
        filters = [step["filter"] for step in spec["layer"][0]["transform"]]
        assert f"datum.score >= {bound}" in filters
        shaded = [row for row in rows if row["score"] >= bound]
        area = np.trapezoid([row["density"] for row in shaded], [row["score"] for row in shaded])
        assert area == pytest.approx(overlap.p, abs=0.03)
        shares.append(overlap.p)
        if overlap.p:
            assert f"in {100 * overlap.p:.2g} % of draws" in text_of(spec, "text")
    assert max(shares) > 0.1


def test_decisions_are_those_of_the_tests() -> None:
    tests = side_by_side(9)
    spec = spec_of(result(9).chart("decisions"))
    trio = ("unpaired t", "randomization, one-sided", "2 parts")
    counted: Counter[frozenset[str]] = Counter()
    for pair in range(len(tests.first)):
        counted[frozenset(name for name in trio if tests.test(name).p_adjusted[pair] <= 0.05)] += 1
    panel = spec["hconcat"][0]
    rows = spec["datasets"][panel["data"]["name"]]
    assert len(rows) == 36  # no test is against another here
    shown = {row["tests"] for row in rows}
    assert f"all three: {counted[frozenset(trio)]}" in shown
    assert f"none: {counted[frozenset()]}" in shown
    assert f"2 parts only: {counted[frozenset(['2 parts'])]}" in shown
    assert set(panel["encoding"]["color"]["scale"]["domain"]) == shown
    title = text_of(spec, "text")
    assert f"all have an adjusted p ≤ 0.05 in {counted[frozenset(trio)]} of 36 pairs in AP" in title
    caption = text_of(spec, "subtitle")
    assert "Population topics: unpaired t (no correction)" in caption
    assert "2 parts (Benjamini and Hochberg's correction)" in caption


def test_decisions_against_the_order_stand_above_the_diagonal() -> None:
    tests = side_by_side(9)
    sure = int(np.argmin(tests.test("2 parts").p_adjusted))
    turned = tuple(
        replace(test, direction=np.where(np.arange(36) == sure, -1, test.direction).astype(np.int8))
        if test.name == "2 parts"
        else test
        for test in tests.tests
    )
    spec = spec_of(matrices.decision_matrix(replace(tests, tests=turned)))
    rows = spec["datasets"][spec["hconcat"][0]["data"]["name"]]
    (above,) = [row for row in rows if row["better_rank"] > row["worse_rank"]]
    assert (above["worse"], above["better"]) == (tests.systems[tests.first[sure]], tests.systems[tests.second[sure]])
    assert above["tests"].startswith("2 parts only")
    below = [row for row in rows if (row["better"], row["worse"]) == (above["worse"], above["better"])]
    assert [row["tests"].split(":")[0] for row in below] in (
        [],
        ["randomization only"],
        ["unpaired t and randomization"],
    )


def test_agreement_has_a_measure_in_each_half() -> None:
    results = splits_of(9)
    spec = spec_of(result(9).chart("agreement"))
    rows = rows_of(spec)
    order = results[0].systems
    for found, is_above in zip(results, (True, False), strict=True):
        own = [row for row in rows if row["measure"] == found.measure]
        assert len(own) == 36
        assert all((row["row_rank"] < row["column_rank"]) == is_above for row in own)
        pairs = {
            frozenset((found.systems[a], found.systems[b])): pair
            for pair, (a, b) in enumerate(zip(found.first, found.second, strict=True))
        }
        for row in own:
            assert order[row["row_rank"] - 1] == row["row"]
            pair = pairs[frozenset((row["row"], row["column"]))]
            said = Counter(one.direction[pair] if one.p_adjusted[pair] <= 0.05 else 0 for one in found.inferences)
            few = 5 - max(said.values())
            assert row["splits"] == f"{few}:{5 - few}"
        share = sum(row["minority"] == 0 for row in own) / 36
        assert f"{round(100 * share, 1):g} % of pairs in {found.measure}" in text_of(spec, "text")


def test_agreement_of_one_measure_has_one_half() -> None:
    rows = rows_of(spec_of(matrices.agreement_matrix(splits_of(9)[:1])))
    assert len(rows) == 36
    assert all(row["row_rank"] < row["column_rank"] for row in rows)


def test_many_splits_have_a_gradient() -> None:
    found = partition(simulated(2), "AP", splits=30, draws=100).first.splits
    spec = spec_of(matrices.agreement_matrix([found]))
    assert spec["layer"][0]["encoding"]["color"]["type"] == "quantitative"
    assert vl_convert.vegalite_to_svg(spec).startswith("<svg")


@pytest.mark.parametrize("name", ["effects", "decisions", "agreement"])
def test_many_systems_have_their_ranks_on_the_axis(name: str) -> None:
    assert "rank" in json.dumps(spec_of(result(70).chart(name))["hconcat" if name == "decisions" else "layer"])
    fields = {}
    for systems in (9, 70):
        spec = spec_of(result(systems).chart(name))
        panel = (spec.get("hconcat") or spec["layer"])[0]
        fields[systems] = panel["encoding"]["x"]["field"]
    assert fields[70].endswith("rank")
    assert not fields[9].endswith("rank")


def test_charts_have_the_names_of_the_study() -> None:
    assert list(charts.CHARTS) == list(STUDY.charts)


def test_effects_are_those_of_the_lengths_where_these_are_there() -> None:
    one = result(9).first.effects  # without lengths: the model without interactions is drawn for the chart
    for ours, theirs in zip(one.models, lengths_of(9).models, strict=True):
        assert (ours.interactions, ours.split) == (theirs.interactions, theirs.split)
        np.testing.assert_array_equal(ours.adjusted.low, theirs.adjusted.low)


def test_agreement_of_the_best_systems_keeps_the_title_of_all() -> None:
    whole, part = (result(9).chart("agreement", measure="AP", best=best) for best in (None, 4))
    assert (part.title, part.provenance) == (whole.title, whole.provenance)
    assert part.caption == (*whole.caption, "Shown: the best 4 of 9 systems.")
    rows, every = rows_of(spec_of(part)), rows_of(spec_of(whole))
    assert len(rows) == 6
    assert all(row in every for row in rows)


def test_decisions_need_tests() -> None:
    with pytest.raises(DesignError, match="ask for tests too"):
        partition(simulated(2), "AP", splits=1, draws=100).chart("decisions")


def test_densities_are_of_the_pair_asked_for() -> None:
    first, *_, last = simulated(9).systems
    found = partition(simulated(9), ["AP", "P@5"], splits=1, pair=(first, last), **FEW)
    for figure in (found.chart("densities"), found.chart("densities", measure="P@5")):
        assert first in figure.title
        assert last in figure.title
    assert "P@5" in found.chart("densities", measure="P@5").title
