from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import vl_convert

from irgauge.errors import DesignError
from irgauge.show.figure import Figure
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.bootstrap import STUDY, charts
from irgauge.studies.bootstrap.study import Bootstrapped, bootstrap

MEASURES = ["AP", "P@5", "RBP(p=0.95)"]


DESIGN = Design(systems=9, families=3, topics=8, depth=40, corpus_size=800, seed=1)


def result_of(systems: int, measures: list[str], *, topics: int = 8, families: int = 1) -> Bootstrapped:
    design = Design(systems=systems, families=families, topics=topics, depth=40, corpus_size=800, seed=1)
    return bootstrap(simulate(design).collection(), measures, images=25, seed=6)


@pytest.fixture(scope="module")
def two() -> Bootstrapped:
    return result_of(2, ["AP"])


@pytest.fixture(scope="module")
def some() -> Bootstrapped:
    return result_of(9, MEASURES, families=3)


@pytest.fixture(scope="module")
def many() -> Bootstrapped:
    return result_of(70, ["AP", "P@5"], families=5)


def spec_of(chart: Figure) -> dict[str, Any]:
    spec: dict[str, Any] = chart.to_dict()
    json.dumps(spec, allow_nan=False)  # NaN is not JSON, and browsers refuse it
    return spec


def rows_of(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return list(spec["datasets"].values())


def panels_of(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The rows of each panel, in the order of the panels."""
    return [spec["datasets"][(panel.get("data") or spec["data"])["name"]] for panel in spec.get("concat", [spec])]


def text_of(spec: dict[str, Any], part: str) -> str:
    return " ".join(spec["title"][part]).replace("\u00a0", " ")


@pytest.mark.parametrize("name", charts.CHARTS)
@pytest.mark.parametrize("size", ["two", "some", "many"])
def test_every_chart_is_drawn_and_captioned(name: str, size: str, request: pytest.FixtureRequest) -> None:
    result: Bootstrapped = request.getfixturevalue(size)
    spec = spec_of(charts.CHARTS[name](result))
    svg = vl_convert.vegalite_to_svg(spec)
    assert svg.startswith("<svg")
    assert not re.search("NaN|undefined", svg)
    caption = text_of(spec, "subtitle")
    for part in (
        "Corpus bootstrap; α = 0.05; population: documents (these topics, other documents)",
        "25 images; each draws as many documents as there are, with replacement; seed 6",
        "scores 0 (",
        f"{len(result.systems)} systems × 8 topics",
    ):
        assert part in caption
    assert text_of(spec, "text")
    assert charts.CHARTS[name](result).alternative


def test_the_charts_are_those_that_the_study_names() -> None:
    assert list(charts.CHARTS) == list(STUDY.charts)


def test_data_do_not_grow_with_images(some: Bootstrapped) -> None:
    for name, make in charts.CHARTS.items():
        cells = len(MEASURES) * max(len(some.systems), len(some.topics))
        assert sum(map(len, rows_of(spec_of(make(some))))) <= cells, name


def test_boxes_of_means_stand_best_first_in_each_panel(some: Bootstrapped) -> None:
    panels = panels_of(spec_of(charts.systems(some)))
    assert len(panels) == 3
    for rows, means, root in zip(panels, some.means, some.root.mean(axis=1), strict=True):
        assert [row["root"] for row in rows] == pytest.approx(sorted(root, reverse=True))
        for row in rows:
            drawn = [row[end] for end in ("lower", "median", "upper")]
            expected = np.percentile(means[some.systems.index(row["system"])], [25, 50, 75])
            assert drawn == pytest.approx(expected.tolist())


def test_lines_of_means_are_intervals_around_the_root(some: Bootstrapped) -> None:
    for m, rows in enumerate(panels_of(spec_of(charts.systems(some)))):
        for row in rows:
            place = some.systems.index(row["system"])
            assert row["low"] < row["root"] < row["high"]
            assert (row["low"], row["high"]) == tuple(some.interval[:, m, place])
    caption = text_of(spec_of(charts.systems(some)), "subtitle")
    assert "Bias of images, in standard deviations, median over systems: " in caption
    median = float(np.median(some.bias_in_sds[0]))
    assert f"{median:+.2f} in AP".replace("-", "−") in caption


def test_boxes_of_ranks_are_whole_numbers_of_places(some: Bootstrapped) -> None:
    for rows in panels_of(spec_of(charts.ranks(some))):
        assert sum(row["root"] for row in rows) == 9 * 10 / 2
        assert all(1 <= row["lower"] <= row["median"] <= row["upper"] <= 9 for row in rows)
        assert all(row["low"] is None or 1 <= row["low"] <= row["median"] <= row["high"] <= 9 for row in rows)


def test_boxes_of_topics_are_of_one_system(some: Bootstrapped) -> None:
    for m, rows in enumerate(panels_of(spec_of(charts.topics(some, some.systems[4])))):
        assert [row["root"] for row in rows] == pytest.approx(sorted(some.root[m, :, 4], reverse=True))
        assert {row["name"] for row in rows} == set(some.topics)
    title = text_of(spec_of(charts.topics(some, some.systems[4])), "text")
    sd = some.topic_sd()[0, :, 4]
    assert some.systems[4] in title
    assert f"{sd.mean():.2f} ± {sd.std(ddof=1):.2f} in AP" in title


def test_spread_is_the_percentile_over_systems(some: Bootstrapped) -> None:
    spec = spec_of(charts.spread(some))
    (rows,) = rows_of(spec)
    expected = np.percentile(some.topic_sd(), 95, axis=2)
    for row in rows:
        value = expected[MEASURES.index(row["measure"]), some.topics.index(row["name"])]
        assert row["sd"] == pytest.approx(value)
    spans = expected.max(axis=1) - expected.min(axis=1)
    assert f"in {MEASURES[int(spans.argmax())]} from " in text_of(spec, "text")


def test_deviations_go_by_the_rank_in_their_measure(some: Bootstrapped) -> None:
    (rows,) = rows_of(spec_of(charts.deviations(some)))
    for m, measure in enumerate(MEASURES):
        own = [row for row in rows if row["measure"] == measure]
        order = np.argsort(-some.root[m].mean(axis=0), kind="stable")
        assert [row["system"] for row in own] == [some.systems[s] for s in order]
        assert [row["sd"] for row in own] == pytest.approx(some.means[m].std(axis=1, ddof=1)[order].tolist())


def test_titles_name_the_steadiest_measure(some: Bootstrapped) -> None:
    medians = np.median(some.means.std(axis=2, ddof=1), axis=1)
    title = text_of(spec_of(charts.systems(some)), "text")
    assert title.startswith(f"Means of {MEASURES[int(medians.argmin())]} vary least over images")
    widths = {name: width for m, name in enumerate(MEASURES) if (width := some.rank_width(m)) is not None}
    least = min(widths, key=widths.__getitem__)
    title = text_of(spec_of(charts.ranks(some)), "text")
    assert title.startswith(f"Ranks are most stable in {least}: intervals {widths[least]:.1f}")


@pytest.mark.parametrize("name", charts.CHARTS)
def test_where_systems_are_marked_the_others_fade(name: str, some: Bootstrapped) -> None:
    spec = spec_of(charts.CHARTS[name](some))
    assert 'opacity="0.15"' not in vl_convert.vegalite_to_svg(spec)
    spec["params"][0]["value"] = [some.systems[0]]
    of_systems = name in ("systems", "ranks", "deviations")
    assert ('opacity="0.15"' in vl_convert.vegalite_to_svg(spec)) == of_systems


def test_many_systems_have_their_ranks_on_the_axis(many: Bootstrapped, some: Bootstrapped) -> None:
    def field(result: Bootstrapped, axis: str) -> str:
        layer = spec_of(charts.systems(result))["concat"][0]["layer"][0]
        name: str = layer["encoding"][axis]["field"]
        return name

    assert (field(many, "x"), field(some, "y")) == ("rank", "system")  # names stand in rows


@pytest.mark.parametrize("draw", [charts.systems, charts.ranks])
def test_the_best_systems_of_one_measure_have_the_numbers_and_the_title_of_all(
    draw: Callable[..., Figure], some: Bootstrapped
) -> None:
    whole, part = draw(some, "P@5"), draw(some, "P@5", 3)
    assert part.title == whole.title
    assert "Shown: the best 3 of 9 systems." in part.caption
    assert not any("Shown" in sentence for sentence in whole.caption)
    assert panels_of(spec_of(part))[0] == panels_of(spec_of(whole))[0][:3]  # ranks stay those among all
    assert panels_of(spec_of(whole)) == [panels_of(spec_of(draw(some)))[1]]
    assert whole.provenance is not None
    assert whole.provenance["measures"] == ("P@5",)


def test_ranks_beyond_those_of_the_best_are_cut(some: Bootstrapped) -> None:
    part = charts.ranks(some, "AP", 3)
    assert part.caption[-1] == "Boxes are cut at rank 3."
    assert spec_of(part)["layer"][0]["encoding"]["x"]["scale"]["domain"] == [3.5, 0.5]


def test_topics_are_of_the_system_asked_for_or_of_the_best(some: Bootstrapped) -> None:
    best = some.systems[some.order(1)[0]]
    assert charts.topics(some, measure="P@5").title.startswith(f"The scores of {best} on a topic vary by ")
    asked = bootstrap(simulate(DESIGN).collection(), MEASURES, images=5, system="F2-1")
    assert charts.topics(asked).title.startswith("The scores of F2-1 on a topic vary by ")
    with pytest.raises(DesignError, match="the system 'F9' is unknown"):
        charts.topics(some, "F9")
    with pytest.raises(DesignError, match="the measure 'RR' is unknown"):
        charts.topics(some, measure="RR")


def test_topics_alone_have_no_chart_of_topics() -> None:
    result = bootstrap(simulate(DESIGN).collection(), ["AP"], images=10, draw="topics")
    for name in ("topics", "spread"):
        with pytest.raises(DesignError, match="vary only where documents are drawn"):
            result.chart(name)
    spec = spec_of(result.chart())
    assert "population: topics (other topics, these documents)" in text_of(spec, "subtitle")
    assert "each draws as many topics as there are" in text_of(spec, "subtitle")
