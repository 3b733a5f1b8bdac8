from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import vl_convert
from altair.typing import ChartType

from irgauge.present import gallery, precision_charts
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.reliability import Reliability, bootstrap

MEASURES = ["AP", "P@5", "RBP(p=0.95)"]
ALL: dict[str, Callable[[Reliability], ChartType]] = {
    "systems": precision_charts.system_boxes,
    "ranks": precision_charts.rank_boxes,
    "topics": lambda result: precision_charts.topic_boxes(result, 0),
    "spread": precision_charts.topic_spread,
    "deviations": precision_charts.deviations,
}


def result_of(systems: int, measures: list[str], *, topics: int = 8, families: int = 1) -> Reliability:
    design = Design(systems=systems, families=families, topics=topics, depth=40, corpus_size=800, seed=1)
    return bootstrap(simulate(design).collection(), measures, images=25, seed=6)


@pytest.fixture(scope="module")
def two() -> Reliability:
    return result_of(2, ["AP"])


@pytest.fixture(scope="module")
def some() -> Reliability:
    return result_of(9, MEASURES, families=3)


@pytest.fixture(scope="module")
def many() -> Reliability:
    return result_of(70, ["AP", "P@5"], families=5)


def spec_of(chart: ChartType) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    return spec


def rows_of(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return list(spec["datasets"].values())


def panels_of(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The rows of each panel, in the order of the panels."""
    return [spec["datasets"][panel["data"]["name"]] for panel in spec["concat"]]


def text_of(spec: dict[str, Any], part: str) -> str:
    return " ".join(spec["title"][part]).replace("\u00a0", " ")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("size", ["two", "some", "many"])
def test_every_chart_is_drawn_and_captioned(name: str, size: str, request: pytest.FixtureRequest) -> None:
    result: Reliability = request.getfixturevalue(size)
    spec = spec_of(ALL[name](result))
    svg = vl_convert.vegalite_to_svg(spec)
    assert svg.startswith("<svg")
    assert not re.search("NaN|undefined", svg)
    caption = text_of(spec, "subtitle")
    for part in (
        "Corpus bootstrap: 25 images",
        "seed 6",
        "population: documents (these topics, other documents)",
        "α = 0.05",
        f"n = {len(result.systems)} systems (all) × 8 topics",
        "in runs and qrels",
        "scores 0 (",
        "ties by docno descending, scores in double precision",
    ):
        assert part in caption
    assert text_of(spec, "text")


def test_data_do_not_grow_with_images(some: Reliability) -> None:
    for name, make in ALL.items():
        cells = len(MEASURES) * max(len(some.systems), len(some.topics))
        assert sum(map(len, rows_of(spec_of(make(some))))) <= cells, name


def test_boxes_of_means_stand_best_first_in_each_panel(some: Reliability) -> None:
    panels = panels_of(spec_of(precision_charts.system_boxes(some)))
    assert len(panels) == 3
    for rows, means, root in zip(panels, some.means, some.root.mean(axis=1), strict=True):
        assert [row["root"] for row in rows] == pytest.approx(sorted(root, reverse=True))
        for row in rows:
            drawn = [row[end] for end in ("low", "lower", "median", "upper", "high")]
            expected = np.percentile(means[some.systems.index(row["system"])], [2.5, 25, 50, 75, 97.5])
            assert drawn == pytest.approx(expected.tolist())


def test_boxes_of_ranks_are_whole_numbers_of_places(some: Reliability) -> None:
    for rows in panels_of(spec_of(precision_charts.rank_boxes(some))):
        assert sum(row["root"] for row in rows) == 9 * 10 / 2
        assert all(1 <= row["low"] <= row["median"] <= row["high"] <= 9 for row in rows)


def test_boxes_of_topics_are_of_one_system(some: Reliability) -> None:
    for m, rows in enumerate(panels_of(spec_of(precision_charts.topic_boxes(some, 4)))):
        assert [row["root"] for row in rows] == pytest.approx(sorted(some.root[m, :, 4], reverse=True))
        assert {row["name"] for row in rows} == set(some.topics)
    title = text_of(spec_of(precision_charts.topic_boxes(some, 4)), "text")
    sd = some.topic_sd()[0, :, 4]
    assert some.systems[4] in title
    assert f"{sd.mean():.2f} ± {sd.std(ddof=1):.2f} in AP" in title


def test_spread_is_the_percentile_over_systems(some: Reliability) -> None:
    spec = spec_of(precision_charts.topic_spread(some))
    (rows,) = rows_of(spec)
    expected = np.percentile(some.topic_sd(), 95, axis=2)
    for row in rows:
        value = expected[MEASURES.index(row["measure"]), some.topics.index(row["name"])]
        assert row["sd"] == pytest.approx(value)
    spans = expected.max(axis=1) - expected.min(axis=1)
    assert f"in {MEASURES[int(spans.argmax())]} from " in text_of(spec, "text")


def test_deviations_go_by_the_rank_in_their_measure(some: Reliability) -> None:
    (rows,) = rows_of(spec_of(precision_charts.deviations(some)))
    for m, measure in enumerate(MEASURES):
        own = [row for row in rows if row["measure"] == measure]
        order = np.argsort(-some.root[m].mean(axis=0), kind="stable")
        assert [row["system"] for row in own] == [some.systems[s] for s in order]
        assert [row["sd"] for row in own] == pytest.approx(some.means[m].std(axis=1, ddof=1)[order].tolist())


def test_titles_name_the_steadiest_measure(some: Reliability) -> None:
    medians = np.median(some.means.std(axis=2, ddof=1), axis=1)
    title = text_of(spec_of(precision_charts.system_boxes(some)), "text")
    assert title.startswith(f"Means of {MEASURES[int(medians.argmin())]} vary least over images")
    widths = [some.rank_width(m) for m in range(3)]
    title = text_of(spec_of(precision_charts.rank_boxes(some)), "text")
    assert title.startswith(f"Ranks are steadiest in {MEASURES[int(np.argmin(widths))]}: intervals {min(widths):.1f}")


@pytest.mark.parametrize("name", ALL)
def test_where_systems_are_marked_the_others_fade(name: str, some: Reliability) -> None:
    spec = spec_of(ALL[name](some))
    assert 'opacity="0.15"' not in vl_convert.vegalite_to_svg(spec)
    spec["params"][0]["value"] = [some.systems[0]]
    of_systems = name in ("systems", "ranks", "deviations")
    assert ('opacity="0.15"' in vl_convert.vegalite_to_svg(spec)) == of_systems


def test_many_systems_have_their_ranks_on_the_axis(many: Reliability, some: Reliability) -> None:
    def field(result: Reliability) -> str:
        layer = spec_of(precision_charts.system_boxes(result))["concat"][0]["layer"][0]
        found: str = layer["encoding"]["x"]["field"]
        return found

    assert (field(many), field(some)) == ("rank", "system")


def test_topics_alone_have_no_chart_of_topics() -> None:
    collection = simulate(Design(systems=3, families=1, topics=5, depth=30, corpus_size=300)).collection()
    result = bootstrap(collection, ["AP"], images=10, resample="topics")
    with pytest.raises(ValueError, match="there are systems, ranks, deviations"):
        gallery.reliability_chart(result, "topics", 0)
    spec = spec_of(gallery.reliability_chart(result, None, 0))
    assert "population: topics (other topics, these documents)" in text_of(spec, "subtitle")
