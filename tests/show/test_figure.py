"""Figures: charts with titles and captions, drawn and saved."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import altair as alt
import pytest
import vl_convert

from irgauge.errors import InputError
from irgauge.inference import facts as tested
from irgauge.provenance import Provenance
from irgauge.reading.facts import order
from irgauge.replicates.facts import seed
from irgauge.show import style
from irgauge.show.figure import Figure, below_each_other

HOSTILE = '"><script>alert(1)</script>'


def figure(title: str = "A rises", caption: tuple[str, ...] = ("Points: means.",), alternative: str = "") -> Figure:
    rows = style.data([{"x": 1, "y": 2.0, "system": HOSTILE}, {"x": 2, "y": 3.0, "system": "b"}])
    chart = alt.Chart(rows).mark_point().encode(x="x:Q", y="y:Q", tooltip="system:N").properties(width=200, height=100)
    read = order("score", precision="double")
    facts = Provenance.of(tested.test("paired t-test"), tested.alpha(0.05), seed(7), read)
    return Figure(chart, title, caption, width=320, provenance=facts, alternative=alternative)


def test_title_and_caption_are_data_until_it_is_drawn() -> None:
    spec = figure().to_dict()
    assert spec["title"]["text"] == ["A rises"]
    shown = [line.replace("\u00a0", " ") for line in spec["title"]["subtitle"]]
    assert shown == ["Points: means.", "Paired t-test; α = 0.05; seed 7."]
    bare = figure().altair(with_method=False).to_dict()
    assert bare["title"]["subtitle"] == ["Points: means."]
    assert figure().method == "Paired t-test; α = 0.05; seed 7."
    assert Figure(figure().chart, "T", (), 300).method == ""


def test_long_titles_and_captions_are_wrapped_and_numbers_stay_with_their_signs() -> None:
    spec = figure("word " * 60, ("α = 0.05 " * 40,)).to_dict()
    assert len(spec["title"]["text"]) > 2
    assert len(spec["title"]["subtitle"]) > 2
    assert not any(line.startswith(("=", "0.05")) for line in spec["title"]["subtitle"])


def test_notes_are_added_to_a_new_figure() -> None:
    first = figure()
    more = first.noting("One.", "Two.")
    assert more.caption == ("Points: means.", "One.", "Two.")
    assert first.caption == ("Points: means.",)
    assert repr(more) == "Figure: A rises"


def test_nothing_is_marked_unless_a_page_marks_it() -> None:
    assert figure().to_dict()["params"] == [{"name": style.MARKED, "value": []}]


STARTS = [("c.svg", b"<svg"), ("c.PNG", b"\x89PNG"), ("c.pdf", b"%PDF"), ("c.html", b"<!DOCTYPE html>")]


@pytest.mark.parametrize(("name", "start"), STARTS)
def test_saves_in_all_formats(tmp_path: Path, name: str, start: bytes) -> None:
    figure().save(tmp_path / name)
    assert (tmp_path / name).read_bytes().lstrip().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_saved_page_works_offline(tmp_path: Path) -> None:
    figure().save(tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]*(src|href)=", page)
    assert "vegaEmbed" in page


@pytest.mark.parametrize("name", ["chart.gif", "chart", "chart.html.gz"])
def test_other_formats_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"end the name in \.html, \.svg, \.png, \.pdf"):
        figure().save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_save_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    target = tmp_path / "chart.svg"
    target.write_text("old")
    monkeypatch.setattr(vl_convert, "vegalite_to_svg", interrupted)
    with pytest.raises(KeyboardInterrupt):
        figure().save(target)
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]
    assert target.read_text() == "old"


def test_a_notebook_gets_an_image_that_runs_no_script() -> None:
    shown = figure(title=HOSTILE)._repr_html_()
    assert "<script" not in shown
    style, _, image = shown.partition("</style>")
    assert style.startswith("<style>")
    assert re.fullmatch(r'<img class="[a-z-]*" alt="[^"<>]*" src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]+">', image)
    svg = base64.b64decode(shown.partition("base64,")[2].removesuffix('">')).decode()
    assert svg.startswith("<svg")
    assert "<script" not in svg
    assert "http" not in re.sub(r"http://www\.w3\.org/[^\"]*", "", svg)


def test_the_alternative_is_what_is_seen() -> None:
    assert 'alt="Two points."' in figure(alternative="Two points.").to_html()
    assert 'alt="A rises"' in figure().to_html()


def test_data_that_are_not_numbers_are_null() -> None:
    rows = style.data([{"a": float("nan"), "b": float("inf"), "c": 1.0, "d": None, "e": "x"}])["values"]
    assert rows == ({"a": None, "b": None, "c": 1.0, "d": None, "e": "x"},)


def test_series_have_distinct_colours_in_order() -> None:
    colours = style.series_colours(["MD1", *(f"{s} shards" for s in (2, 3, 5, 10, 25, 50))])
    assert colours["MD1"] == style.MODELS["MD1"]
    assert len(set(colours.values())) == 7
    assert style.series_colours(["only"]) == {"only": style.ORDERED[0]}


def test_figures_below_each_other_keep_their_titles_and_say_once_what_captions_say() -> None:
    def of(title: str, width: float, *captions: str) -> Figure:
        chart = alt.Chart(style.data([{"x": 1}])).mark_point().encode(x="x:Q", color=alt.Color("x:N"))
        return Figure(chart, title, captions, width=width, provenance=Provenance.of(seed(1)), alternative="seen")

    facts = Provenance.of(seed(7))
    one, other = of("First", 300, "Bars.", "Of AP."), of("Second", 500, "Bars.", "Of RR.")
    assert below_each_other([one], "Both", facts, names=["AP"]) is one
    both = below_each_other([one, other], "Both", facts, names=["AP", "RR"])
    assert (both.title, both.caption, both.width) == ("Both", ("Bars.", "Of AP.", "Of RR."), 500)
    assert (both.provenance, both.alternative) == (facts, "seen")
    spec = both.to_dict()
    assert [panel["title"]["text"] for panel in spec["vconcat"]] == [["First"], ["Second"]]
    bare = both.untitled().to_dict()
    assert [panel["title"]["text"] for panel in bare["vconcat"]] == [["AP"], ["RR"]]
    assert spec["resolve"]["scale"]["color"] == "independent"  # a legend for each panel
    svg = both.to_svg()
    assert all(text in svg for text in ("Both", "First", "Second", "Of RR."))
