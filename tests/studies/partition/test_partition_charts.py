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
from altair.typing import ChartType

from irgauge import Collection
from irgauge.present import partition_charts, partition_matrices
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition_tests import SideBySide, compare_tests
from irgauge.studies.partitions import Partitions, partitions
from irgauge.studies.splits import IntervalLengths, interval_lengths

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
def side_by_side(systems: int) -> SideBySide:
    return compare_tests(simulated(systems), "AP", splits=5, **FEW)


@cache
def second(systems: int) -> Partitions:
    return partitions(simulated(systems), "P@5", splits=5, **FEW)


@cache
def lengths_of(systems: int, resample: Any = "residuals") -> IntervalLengths:  # noqa: ANN401  # a literal
    return interval_lengths(simulated(systems), "AP", parts=[2], resample=resample, **FEW)


def chart_of(name: str, systems: int) -> ChartType:
    found = side_by_side(systems).many
    if name == "effects":
        return partition_charts.effects(lengths_of(systems))
    if name == "densities":
        return partition_charts.densities(found, found.overlap(found.systems[0], found.systems[1]))
    if name == "decisions":
        return partition_matrices.decisions(side_by_side(systems))
    return partition_matrices.agreement([found, second(systems)])


def spec_of(chart: ChartType) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
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
    spec = spec_of(chart_of(name, systems))
    svg = vl_convert.vegalite_to_svg(spec)
    assert svg.startswith("<svg")
    assert not re.search("NaN|undefined", svg)
    caption = text_of(spec, "subtitle")
    for part in (
        "seed 4",
        "α = 0.05",
        "500 draws",
        f"n = {systems} systems",
        "12 topics",
        "these topics, other documents",
    ):
        assert part in caption, part
    assert "AP" in text_of(spec, "text")


def test_effects_have_an_inner_and_an_outer_interval_for_each_model() -> None:
    spec, lengths = spec_of(chart_of("effects", 9)), lengths_of(9)
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
    spec = spec_of(partition_charts.effects(lengths_of(9, "topics")))
    assert {row["model"] for row in rows_of(spec)} == {"with interactions"}
    assert "population: both (other topics, other documents)" in text_of(spec, "subtitle")
    assert "outer ones" not in text_of(spec, "subtitle")


def test_the_area_that_is_shaded_is_the_p_value() -> None:
    found = side_by_side(9).many
    shares = []
    for first in range(8):
        overlap = found.overlap(found.systems[first], found.systems[first + 1])
        spec = spec_of(partition_charts.densities(found, overlap))
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
    spec = spec_of(chart_of("decisions", 9))
    trio = ("unpaired t", "randomization, one-sided", "2 parts")
    counted: Counter[frozenset[str]] = Counter()
    for pair in range(len(tests.first)):
        counted[frozenset(name for name in trio if tests.test(name).p[pair] <= 0.05)] += 1
    panel = spec["hconcat"][0]
    rows = spec["datasets"][panel["data"]["name"]]
    assert len(rows) == 36  # no test is against another here
    shown = {row["tests"] for row in rows}
    assert f"all three: {counted[frozenset(trio)]}" in shown
    assert f"none: {counted[frozenset()]}" in shown
    assert f"2 parts only: {counted[frozenset(['2 parts'])]}" in shown
    assert set(panel["encoding"]["color"]["scale"]["domain"]) == shown
    title = text_of(spec, "text")
    assert f"all tell {counted[frozenset(trio)]} of 36 pairs apart in AP" in title
    caption = text_of(spec, "subtitle")
    assert "Population topics: unpaired t (correction: none)" in caption
    assert "2 parts (correction: Benjamini-Hochberg)" in caption


def test_decisions_against_the_order_stand_above_the_diagonal() -> None:
    tests = side_by_side(9)
    sure = int(np.argmin(tests.test("2 parts").p))
    turned = tuple(
        replace(test, direction=np.where(np.arange(36) == sure, -1, test.direction).astype(np.int8))
        if test.name == "2 parts"
        else test
        for test in tests.tests
    )
    spec = spec_of(partition_matrices.decisions(replace(tests, tests=turned)))
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
    results = side_by_side(9).many, second(9)
    spec = spec_of(chart_of("agreement", 9))
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
            said = Counter(one.direction[pair] if one.p[pair] <= 0.05 else 0 for one in found.inferences)
            few = 5 - max(said.values())
            assert row["splits"] == f"{few}:{5 - few}"
        share = sum(row["minority"] == 0 for row in own) / 36
        assert f"{round(100 * share, 1):g} % of pairs in {found.measure}" in text_of(spec, "text")


def test_agreement_of_one_measure_has_one_half() -> None:
    rows = rows_of(spec_of(partition_matrices.agreement([side_by_side(9).many])))
    assert len(rows) == 36
    assert all(row["row_rank"] < row["column_rank"] for row in rows)


def test_many_splits_have_a_gradient() -> None:
    found = partitions(simulated(2), "AP", splits=30, draws=100)
    spec = spec_of(partition_matrices.agreement([found]))
    assert spec["layer"][0]["encoding"]["color"]["type"] == "quantitative"
    assert vl_convert.vegalite_to_svg(spec).startswith("<svg")


@pytest.mark.parametrize("name", ["effects", "decisions", "agreement"])
def test_many_systems_have_their_ranks_on_the_axis(name: str) -> None:
    assert "rank" in json.dumps(spec_of(chart_of(name, 70))["hconcat" if name == "decisions" else "layer"])
    fields = {}
    for systems in (9, 70):
        spec = spec_of(chart_of(name, systems))
        panel = (spec.get("hconcat") or spec["layer"])[0]
        fields[systems] = panel["encoding"]["x"]["field"]
    assert fields[70].endswith("rank")
    assert not fields[9].endswith("rank")
