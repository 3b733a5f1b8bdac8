"""Names that are made to run, to hide, to compute or to break: in every form that shows them."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

import altair as alt
import pytest
import vl_convert
from markdown_it import MarkdownIt

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.escapes import markdown_block, markdown_text
from irgauge.show.figure import Figure
from irgauge.show.saving import to_json
from irgauge.show.table import Column, Table
from irgauge.show.vega import JOINER, drawable, of_svg, plain_name
from irgauge.studies.compare.study import Compared
from irgauge.visible import visible
from latex.document import typeset
from oracles import hostile_names
from oracles.hostile_names import (
    NAMES,
    OF_GITHUB,
    OF_OBJECTS,
    OF_SCRIPTS,
    OF_TERMINALS,
    SEEN,
    is_unseen,
    unseen,
    written,
)

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.fixture(scope="module")
def compared() -> Compared:
    """A comparison of systems with hostile names on topics with hostile names."""
    scores = {name: {topic: (7 * s + 3 * t) % 11 / 10 for t, topic in enumerate(NAMES)} for s, name in enumerate(NAMES)}
    found = ig.compare(scores)
    assert isinstance(found, Compared)
    return found


def table_of(*names: str) -> Table:
    columns = (Column("system", title=names[0]), Column("mean", explained=names[-1]))
    return Table("t", names[0], columns, tuple((name, 0.5) for name in names), notes=(names[0],))


# what is seen


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_seen_is_written_as_python_does(name: str) -> None:
    assert visible(name) == written(name)
    assert not unseen(visible(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_table_for_readers_shows_the_name_in_one_line(name: str) -> None:
    shown = re.sub(r"\s", " ", name)
    for width in (None, 40):
        text = table_of(name).to_text(width=width)
        assert not unseen(text)
        assert re.sub(r"\s+", "", written(shown)) in re.sub(r"\s+", "", text)


def test_whole_results_hold_no_sign_that_is_not_seen(compared: Compared) -> None:
    for form in ("text", "markdown", "latex"):
        assert unseen(compared.to_text(form)) <= set()
    assert not unseen(repr(compared))
    assert not unseen(repr(compared.findings()))
    assert not unseen(compared._repr_html_())


def test_every_sign_of_unicode_is_seen_or_written() -> None:
    """What a later Unicode than Python's has may be written or not."""
    known = [sign for sign in map(chr, range(0x110000)) if unicodedata.category(sign) != "Cn" or is_unseen(sign)]
    assert [sign for sign in known if (visible(sign) != sign) != is_unseen(sign)] == []


# Markdown


OUTSIDE_CODE = re.compile(  # what GitHub looks for in a page, as its documentation has it
    r"[a-z]+://|www\.|mailto:|[\w.+-]+@[\w-]+\.\w*[a-z]|(^|\W)@[a-z\d]|(^|\W|\w/\w+)#\d+|GH-\d|\b[\da-f]*\d[\da-f]{6,39}\b"
    r"|:[\w+-]+:|\$",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", [*NAMES, *OF_GITHUB])
def test_markdown_shows_the_name_as_it_is(name: str) -> None:
    shown = written(re.sub(r"\s", " ", name))
    for before, around in (
        ("- ", r"<ul>\n<li>(.*)</li>\n</ul>\n"),
        ("", "<p>(.*)</p>\n"),
        ("**a** ", "<p>.*</strong> (.*)</p>\n"),
    ):
        page = MARKDOWN.render(before + markdown_text(name))
        found = re.fullmatch(around, page, re.DOTALL)
        assert found is not None, page
        assert html.unescape(re.sub("</?code>", "", found[1])) == shown.strip()
        assert not OUTSIDE_CODE.search(html.unescape(re.sub("<code>.*?</code>", "`", found[1])))


def test_ordinary_names_are_no_code_in_markdown() -> None:
    for name in ("bm25", "nDCG@10", "IPrec@0.1", "bm25+rm3", "F1-1.run", "input.csv", "GH", "#", "a:b"):
        assert "`" not in markdown_text(name)


def test_a_command_in_a_summary_ends_where_it_ends() -> None:
    page = MARKDOWN.render(markdown_block("irgauge gate '```\x1b'\n```\n@user", "sh"))
    assert (
        html.unescape(page) == "<pre><code class=\"language-sh\">irgauge gate '```\\x1b'\n```\n@user\n</code></pre>\n"
    )


def test_tables_in_markdown_have_names_for_cells() -> None:
    page = MARKDOWN.render(table_of(*NAMES, *OF_GITHUB).to_markdown())
    cells = re.findall("<td[^>]*>(.*?)</td>", page, re.DOTALL)[::2]
    texts = [html.unescape(re.sub("</?code>", "", cell)) for cell in cells]
    assert texts == [written(re.sub(r"\s", " ", name)).strip() for name in (*NAMES, *OF_GITHUB)]
    assert not re.search("<(script|img|a|em|svg)", page)


# CSV and JSON


def test_a_table_of_scores_is_read_again_with_its_names(tmp_path: Path) -> None:
    names = [name for name in NAMES if name == name.strip() and not re.search("[\0\r]", name)]
    scores = ig.load_scores({name: dict.fromkeys(names, 0.25) for name in names}, measure="=cmd|' /C calc'!A0")
    for end in ("csv", "tsv"):
        scores.save(tmp_path / f"scores.{end}")
        again = ig.load_scores(tmp_path / f"scores.{end}")
        assert set(again.systems) == set(names)
        assert set(again.topics) == set(names)
    (tmp_path / "scored.csv").write_text(ig.score(scores, per_topic=True).to_csv(), encoding="utf-8")
    assert set(ig.load_scores(tmp_path / "scored.csv").systems) == set(names)


def test_no_cell_of_a_csv_is_a_formula(compared: Compared) -> None:
    for text in (compared.to_csv(), table_of(*NAMES).to_csv()):
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert "'=1+1" in cells
        assert not [cell for cell in cells if cell[:1] in tuple("=+@-\t") and not re.fullmatch(r"-?[\d.e-]+", cell)]


def test_json_means_the_names_and_commands_no_terminal(compared: Compared) -> None:
    text = to_json({"names": NAMES, "of": dict.fromkeys(NAMES, 1), "half": "\udcff"})
    assert not unseen(text)
    assert json.loads(text) == {"names": list(NAMES), "of": dict.fromkeys(NAMES, 1), "half": "\udcff"}
    assert not unseen(to_json(compared.to_dict()))


# LaTeX


def test_names_compile_and_none_is_a_command(tmp_path: Path) -> None:
    names = [name for name in NAMES if name not in OF_SCRIPTS[:2]]  # letters of other scripts need a document for them
    for i, of in enumerate((names, [*names, "x" * 30], names * 3)):
        folder = tmp_path / str(i)
        folder.mkdir()
        typeset(table_of(*of).to_latex(), folder, passes=1)
    items = "\n".join(rf"\item {table_of(name).to_latex().splitlines()[-4].partition(' &')[0]}" for name in names)
    typeset(rf"\begin{{itemize}}{items}\end{{itemize}}", tmp_path, passes=1)


# charts


def test_names_that_vega_trips_over_are_marked_by_a_sign_that_is_not_seen() -> None:
    spec = drawable({"values": [{"system": name} for name in NAMES], "constructor": 1})
    drawn = [row["system"] for row in spec["values"]]
    assert not set(drawn) & set(OF_OBJECTS)
    assert [name.removesuffix(JOINER) for name in drawn] == [written(n).replace("two\\n", "two\n") for n in NAMES]
    assert list(map(plain_name, drawn[: len(SEEN)])) == list(SEEN)
    assert "constructor" in spec


@pytest.mark.parametrize("of", ["intervals", "pairs", "topics"])
def test_charts_are_drawn_and_show_the_names(compared: Compared, of: str) -> None:
    drawing = ET.fromstring(compared.chart(of).to_svg())  # noqa: S314  # our own
    texts = " ".join(drawing.itertext())
    assert not unseen(texts) - {JOINER, "\t"}
    if of == "intervals":
        assert all(name in texts for name in OF_OBJECTS)


def test_a_system_is_drawn_whatever_it_is_called() -> None:
    def marks(names: tuple[str, ...]) -> int:
        scores = {name: {str(t): (7 * s + 3 * t) % 11 / 10 for t in range(6)} for s, name in enumerate(names)}
        return ig.compare(scores, baseline=names[1]).chart("topics").to_svg().count("<path")

    assert marks(OF_OBJECTS) == marks(tuple("abcdef"))


@pytest.mark.parametrize("name", [*OF_TERMINALS, "\\x1b", "\\u", '\\"', '"+1+"', "a\nb"])
def test_a_measure_can_have_any_name_and_its_charts_say_it_as_it_is_seen(name: str) -> None:
    """Vega-Lite writes titles into expressions, where what is written out would mean the sign again."""
    scores = ig.load_scores({system: {"1": 0.5, "2": 0.25, "3": s / 9} for s, system in enumerate("abc")}, measure=name)
    for of in ("intervals", "topics"):
        drawing = ET.fromstring(ig.compare(scores).chart(of).to_svg())  # noqa: S314  # our own
        said = " ".join([*drawing.itertext(), *(value for node in drawing.iter() for value in node.attrib.values())])
        assert not unseen(said) - {JOINER}
        assert written(name) in said.replace(JOINER, "")


def test_what_fails_to_draw_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):  # as Rust's failures are called in Python
        pass

    def panic(*_: object) -> None:
        raise PanicException("no glyph\nin text.rs")

    monkeypatch.setattr(vl_convert, "svg_to_pdf", panic)
    with pytest.raises(DesignError, match=r"the chart cannot be drawn \(no glyph in text.rs\)"):
        of_svg("<svg/>", ".pdf")
    with pytest.raises(DesignError, match="the chart cannot be drawn"):
        of_svg("no drawing", ".png")


def test_a_name_of_many_pictures_is_drawn() -> None:
    """Vega cuts it between the halves of one."""
    scores = {name: {"1": 0.5, "2": 0.25, "3": len(name) / 99} for name in ("😀" * 40, f"a{'😀' * 40}", "😀")}
    assert r"\U0001f600" in ig.compare(scores).chart().to_svg()


@pytest.mark.parametrize("name", OF_OBJECTS)
def test_a_line_is_drawn_whatever_it_is_called(name: str) -> None:
    base = alt.Chart(style.data([{"system": name, "x": x, "y": x} for x in (1, 2)]))
    line = style.only(base, "system", name).mark_line(stroke="#123456").encode(x="x:Q", y="y:Q", detail="system:N")
    bars = base.mark_bar(fill="#654321").encode(x="system:N", y="y:Q")
    drawing = Figure(alt.hconcat(line, bars), name, (), 300).to_svg()
    assert drawing.count('stroke="#123456"') == 1
    assert drawing.count('fill="#654321"') == 2


def test_a_picture_is_written_with_controls_in_names(tmp_path: Path) -> None:
    found = ig.compare({name: {str(t): t / 9 for t in range(4)} for name in OF_TERMINALS})
    found.chart().save(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_the_list_is_as_hostile_as_it_says() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(unseen(name) or "\n" in name for name in hostile_names.OF_TERMINALS)
    assert not any(unseen(name) for name in SEEN)
