"""Charts in a paper or a notebook: what charts of altair can do, `result.chart()` can."""

from __future__ import annotations

import copy
import json
import math
import struct
from pathlib import Path

import altair as alt
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.show.figure import Figure
from irgauge.show.style import MARKED
from irgauge.show.vega import svg_of
from irgauge.studies.compare.study import Compared


@pytest.fixture(scope="module")
def result() -> Compared:
    simulated = ig.simulate(topics=8, systems=6, depth=50, seed=1)
    return ig.compare(simulated.collection(), ["AP", "P@5"])


@pytest.fixture(scope="module")
def chart(result: Compared) -> Figure:
    return result.chart(measure="AP")


def test_properties_and_configuration_are_altairs(chart: Figure) -> None:
    spec = chart.properties(width=333, title="Mine").configure_axis(labelFontSize=9).to_dict()
    assert (spec["width"], spec["title"], spec["config"]["axis"]["labelFontSize"]) == (333, "Mine", 9)
    assert chart.configure_legend(orient="left").to_dict()["config"]["legend"] == {"orient": "left"}
    assert json.loads(chart.to_json())["title"]["text"][0] == chart.title


def test_charts_stand_beside_and_below_each_other_and_those_of_others(result: Compared, chart: Figure) -> None:
    own = alt.Chart({"values": [{"x": 1}]}).mark_point().encode(x="x:Q")
    every = [result.chart(name, measure="AP") for name in ("intervals", "topics", "pairs")]
    for both in (
        chart | chart,
        chart & own,
        every[0] | every[1] | every[-1],
        (chart | own) & chart,
        (chart & chart) | chart,
    ):
        spec = both.to_dict()
        text = json.dumps(spec)
        assert f"({MARKED}" not in text
        assert f'"{MARKED}"' not in text
        assert svg_of(spec).startswith("<svg")


def test_a_mark_of_ones_own_is_drawn_over_it(chart: Figure) -> None:
    rule = alt.Chart({"values": [{"limit": 0.3}]}).mark_rule().encode(x="limit:Q")
    spec = (chart + rule).to_dict()
    assert spec["title"]["text"][0] == chart.title
    assert svg_of(spec).startswith("<svg")


def test_functions_of_altair_take_what_altair_gives(chart: Figure) -> None:
    assert alt.hconcat(chart.altair(), chart.altair()).to_dict().keys() >= {"hconcat"}


def test_what_is_drawn_without_the_parameter_is_what_is_drawn_with_it(chart: Figure) -> None:
    with alt.theme.enable("irgauge"):
        assert svg_of(chart.altair().to_dict()).count("<path") == chart.to_svg().count("<path")


def test_themes_are_followed(chart: Figure) -> None:
    with alt.theme.enable("opaque"):
        assert chart.properties(width=200).to_dict()["config"]["background"] == "white"
    with alt.theme.enable("irgauge"):
        assert chart.properties(width=200).to_dict()["config"]["axis"]["labelFontSize"] == 12


def test_width_and_height_are_of_the_plot(result: Compared, chart: Figure) -> None:
    sized = result.chart(measure="AP", width=321, height=123)
    assert (sized.to_dict()["width"], sized.to_dict()["height"]) == (321, 123)
    assert sized.caption == chart.caption
    for wrong in (0, True, "300", math.nan, 10**6):
        with pytest.raises(DesignError, match=f"width is {wrong!r}; it is a number of pixels from 1 to 100,000"):
            result.chart(measure="AP", width=wrong)  # type: ignore[arg-type]  # it is refused
    with pytest.raises(TypeError, match="no option 'widht'; did you mean width"):
        result.chart(widht=300)  # type: ignore[call-arg]  # it is refused
    with pytest.raises(DesignError, match="panels of several kinds"):
        result.chart(width=300)


def test_a_png_has_as_many_pixels_as_its_scale_says(chart: Figure, tmp_path: Path) -> None:
    widths: list[int] = []
    for scale in (1, 3):
        chart.save(tmp_path / "chart.png", scale=scale)
        widths.append(struct.unpack(">I", (tmp_path / "chart.png").read_bytes()[16:20])[0])
    assert widths[1] == pytest.approx(3 * widths[0], abs=3)
    with pytest.raises(DesignError, match=r"scale is of \.png"):
        chart.save(tmp_path / "chart.svg", scale=2)
    with pytest.raises(DesignError, match="scale is -1; it is a number above 0"):
        chart.save(tmp_path / "chart.png", scale=-1)


def test_it_has_no_other_attributes_and_can_be_copied(chart: Figure) -> None:
    with pytest.raises(AttributeError, match="a chart has no attribute 'propertys'"):
        chart.propertys  # noqa: B018  # it is looked up
    assert copy.deepcopy(chart).to_dict() == chart.to_dict()
