"""One table in all its forms: what readers see, and what programs read."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge.show.escapes import markdown_text
from irgauge.show.table import FORMS, Cell, Column, Table
from oracles import hostile_names

TABLE = Table(
    "means",
    title="A & B",
    columns=(Column("system", role="system"), Column("mean", explained="over topics"), Column("n")),
    rows=(("x_1", 0.123456789, 3), ("y|z", math.nan, None), ("y|z", 1.0, 4)),
    notes=("95 % of α.",),
    group_by="system",
)


def of(*rows: tuple[Cell, ...], names: tuple[str, ...] = ("a", "b")) -> Table:
    return Table("t", "T", tuple(map(Column, names)), rows)


# text


def test_text_lines_up_and_ends_groups() -> None:
    assert TABLE.to_text() == (
        "A & B\n"
        "\n"
        "system    mean  n\n"
        "─────────────────\n"
        "x_1     0.1235  3\n"
        "─────────────────\n"
        "y|z          –  –\n"
        "y|z     1.0000  4\n"
        "\n"
        "95 % of α.\n"
        "mean: over topics\n"
    )


def test_long_texts_are_wrapped_to_the_width() -> None:
    lines = of(("a", "word " * 30)).to_text(width=50).splitlines()
    assert max(map(len, lines)) <= 50
    assert sum(line.count("word") for line in lines) == 30


def test_long_titles_and_notes_are_wrapped() -> None:
    table = Table("t", "title " * 30, (Column("a"),), ((1,),), notes=("note " * 30,))
    assert max(map(len, table.to_text(width=40).splitlines())) <= 40


def test_a_table_that_fits_is_not_stretched() -> None:
    assert TABLE.to_text(width=80) == TABLE.to_text()


def test_numbers_are_never_wrapped() -> None:
    lines = [line.strip() for line in of((0.5, 12345678), (0.25, 1)).to_text(width=5).splitlines()]
    assert {"0.5000", "12,345,678"} <= set(lines)


def test_a_table_that_is_too_wide_still_comes_in_parts_behind_the_names_of_its_rows() -> None:
    names = ("rank", "system", "mean", "low", "high", "verdict")
    rows = [(i, name, 0.5, 0.25, 0.75, "inconclusive") for i, name in enumerate(("bm25", "bm25", "dph"), 1)]
    table = replace(of(*rows, names=names), group_by="system")
    assert table.to_text(width=30) == (
        "T\n"
        "\n"
        "rank  system    mean     low\n"
        "────────────────────────────\n"
        "   1  bm25    0.5000  0.2500\n"
        "   2  bm25    0.5000  0.2500\n"
        "────────────────────────────\n"
        "   3  dph     0.5000  0.2500\n"
        "\n"
        "rank  system    high\n"
        "────────────────────\n"
        "   1  bm25    0.7500\n"
        "   2  bm25    0.7500\n"
        "────────────────────\n"
        "   3  dph     0.7500\n"
        "\n"
        "rank  system  verdict\n"
        "──────────────────────────\n"
        "   1  bm25    inconclusive\n"
        "   2  bm25    inconclusive\n"
        "──────────────────────────\n"
        "   3  dph     inconclusive\n"
    )
    assert max(map(len, table.to_text(width=48).splitlines())) <= 48
    assert table.to_text(width=60).count("rank") == 1


def test_counts_have_separators_for_readers_and_none_for_programs() -> None:
    table = of((46670, "a"), (5, "b"))
    assert "46,670" in table.to_text()
    assert "46670,a" in table.to_csv()


def test_a_column_of_numbers_has_the_same_decimals_in_every_row() -> None:
    table = Table("t", "T", (Column("rank", decimals=1),), ((3,), (3.04,)))
    assert table.to_text().split()[-2:] == ["3.0", "3.0"]
    assert table.to_csv().split() == ["rank", "3", "3.04"]


def test_a_p_of_0_is_shown_as_what_it_is_below() -> None:
    table = Table("t", "T", (Column("p", below=0.0001), Column("n")), ((0.0, 0), (0.5, 1)))
    for shown in (table.to_text(), table.to_markdown(), table.to_latex(), table.to_html()):
        assert re.search(r"(<|textless\{\}|&lt;|\\<) 0\.0001", shown)
        assert "0.5000" in shown
    assert table.to_csv().splitlines()[1] == "0.0,0"
    assert table.records()[0] == {"p": 0.0, "n": 0}


def test_one_explanation_can_be_of_several_columns() -> None:
    columns = (Column("low", explained="the interval", explained_as="low, high"), Column("high"))
    assert Table("t", "T", columns, ((1, 2),)).legend == "low, high: the interval"


_CELLS: dict[str, st.SearchStrategy[Cell]] = {
    "whole": st.integers(-(10**14), 10**14),
    "real": st.floats(-1e6, 1e6),
    "text": st.text("abcdefgh _-", max_size=40),
    "mixed": st.integers(0, 10**15) | st.text("abc ", max_size=30),
}
_KINDS = st.lists(st.sampled_from(list(_CELLS)), min_size=1, max_size=12)


@given(kinds=_KINDS, data=st.data())
@settings(deadline=None)
def test_no_number_is_broken_in_two_at_80_columns(kinds: list[str], data: st.DataObject) -> None:
    columns = tuple(Column(f"{kind}_{i}", title=f"a long head {i}") for i, kind in enumerate(kinds))
    row = tuple(data.draw(_CELLS[kind]) for kind in kinds)
    lines = Table("t", "T", columns, (row,)).to_text(width=80).splitlines()
    seen = " ".join(lines[3:]).split()
    for cell in row:
        if isinstance(cell, int):
            assert f"{cell:,}" in seen
        elif isinstance(cell, float):
            assert any(re.fullmatch(r"-?\d+\.\d{4}|-?0\.0{4}\d+|-?\d\.\de-\d+", word) for word in seen)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=30), min_size=1, max_size=5))
@settings(deadline=None)
def test_texts_fit_80_columns_where_there_is_room(names: list[str]) -> None:
    table = Table("t", "T", tuple(Column(f"c{i}") for i in range(len(names))), (tuple(names),))
    lines = table.to_text(width=80).splitlines()
    assert max(map(len, lines)) <= 80
    letters = sorted("".join(names))
    assert sorted("".join(lines[4:]).replace(" ", "")) == letters  # nothing is lost


def test_minor_columns_are_left_out_where_there_is_no_room() -> None:
    columns = (Column("name"), Column("extra", is_minor=True), Column("other", is_minor=True))
    table = Table("t", "T", columns, ((1, 10**12, 10**12),))
    assert table.to_text(width=80).splitlines()[2].split() == ["name", "extra", "other"]
    assert table.to_text(width=20).splitlines()[2].split() == ["name"]
    assert table.to_text().splitlines()[2].split() == ["name", "extra", "other"]


def test_small_numbers_are_not_shown_as_zero() -> None:
    table = of((0.0,), (3.2e-9,), (-0.00004,), (0.00005,), names=("p",))
    assert table.to_text().split()[3:7] == ["0.0000", "3.2e-09", "-0.000040", "0.0001"]


def test_columns_have_their_own_decimals() -> None:
    table = Table("t", "T", (Column("a", decimals=1), Column("b")), ((0.25, 0.25),), decimals=3)
    assert table.to_text().split()[-2:] == ["0.2", "0.250"]


def test_truth_is_yes_or_no_and_a_row_is_a_line() -> None:
    lines = of((True, "two\nlines"), (False, "one")).to_text().splitlines()
    assert lines[4:6] == ["yes  two lines", "no   one"]


def test_a_long_table_is_cut_with_a_word_on_how_to_get_all() -> None:
    table = of(*((i, i) for i in range(1000)))
    text = table.to_text(rows=3, more="-o all.csv")
    assert text.endswith("  2    2\n… 997 more: -o all.csv\n") or "… 997 more: -o all.csv" in text
    assert "997" not in table.to_text(rows=1000, more="x").splitlines()[-1]


def test_few_blocks_are_cut_each_by_itself() -> None:
    rows = [(block, i) for block in ("u", "v") for i in range(10)]
    table = Table("t", "T", (Column("a"), Column("b")), tuple(rows), group_by="a")
    shown = [line.split() for line in table.to_text(rows=2, more="x").splitlines()[4:]]
    assert shown[:2] == [["u", "0"], ["u", "1"]]
    assert shown[3:5] == [["v", "0"], ["v", "1"]]
    assert "… 16 more: x" in table.to_text(rows=2, more="x")


# Markdown, HTML


def test_markdown_escapes_marks_and_aligns_numbers() -> None:
    lines = TABLE.to_markdown().splitlines()
    assert lines[0] == "**A & B**"
    assert lines[2:5] == ["| system | mean | n |", "| :--- | ---: | ---: |", r"| x\_1 | 0.1235 | 3 |"]
    assert lines[5] == r"| y\|z | – | – |"
    assert lines[-1] == "95 % of α. Mean: over topics."


@given(st.text(min_size=1, max_size=30))
@settings(deadline=None)
def test_a_row_of_markdown_has_its_cells_whatever_they_hold(name: str) -> None:
    row = of((name, 1)).to_markdown().split("\n")[4]
    assert len(re.split(r"(?<!\\)(?:\\\\)*\|", row)) == 4


def test_markdown_heads_titles_and_notes_are_escaped() -> None:
    table = Table("t", "<b>*T*", (Column("a|b", title="a|b"),), ((1,),), notes=("<script>",))
    text = table.to_markdown()
    assert r"**\<b\>\*T\***" in text
    assert r"| a\|b |" in text
    assert r"\<script\>" in text
    assert markdown_text("[x](y)") == r"\[x\](y)"


def test_html_escapes_everything() -> None:
    hostile = "<script>alert('x')</script>"
    table = Table(hostile, hostile, (Column(hostile, explained=hostile),), ((hostile,),), notes=(hostile,))
    shown = table.to_html()
    assert "<script" not in shown
    assert shown.count(html.escape(hostile)) >= 5
    assert shown == table._repr_html_()


@given(st.text(max_size=30))
@settings(deadline=None)
def test_html_holds_the_text_of_a_cell(text: str) -> None:
    cell = re.findall(r"<td[^>]*>(.*?)</td>", of((text, 1)).to_html(), re.DOTALL)[0]
    seen = "".join(" " if sign.isspace() else hostile_names.written(sign) for sign in text)
    assert html.unescape(cell) == seen or "&" in text  # unescaping is not unique


# what programs read


def test_csv_has_full_precision_and_the_names_of_columns() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows == [["system", "mean", "n"], ["x_1", "0.123456789", "3"], ["y|z", "", ""], ["y|z", "1.0", "4"]]


_NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\r"), max_size=10
)  # Python's csv does not quote it before 3.13


@given(st.lists(st.tuples(_NAMES, st.floats(allow_nan=False, allow_infinity=False)), max_size=5))
@settings(deadline=None)
def test_csv_and_frames_hold_what_the_table_holds(rows: list[tuple[str, float]]) -> None:
    table = of(*rows)
    read = list(csv.reader(io.StringIO(table.to_csv(), newline="")))[1:]
    assert [(as_given(name), float(value)) for name, value in read] == rows
    assert not any(name.startswith(tuple(FORMULAS)) and not is_number(name) for name, _ in read)
    assert table.frame().rows() == rows


FORMULAS = "=+-@＝＋－＠\t\n"


def as_given(name: str) -> str:
    """A cell without the apostrophe that stands before formulas."""
    return name[1:] if name.startswith("'") and name.lstrip("'").startswith(tuple(FORMULAS)) else name


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "written"),
    [("=1+1", "'=1+1"), ("-x", "'-x"), ("-1.5", "-1.5"), ("'@x", "''@x"), ("'quoted'", "'quoted'"), ("--", "'--")],
)
def test_no_text_of_csv_is_a_formula(name: str, written: str) -> None:
    assert of((name, -1.5)).to_csv() == f"a,b\n{written},-1.5\n"


def test_infinite_values_are_missing_in_frames_as_in_csv_and_json() -> None:
    table = of((math.inf, 1.0), (-math.inf, math.nan), (math.inf, -math.inf))
    assert (
        table.frame().rows() == [tuple(row.values()) for row in table.records()] == [(None, 1.0), *[(None, None)] * 2]
    )
    assert table.frame().dtypes == [pl.Float64, pl.Float64]
    assert table.to_csv() == "a,b\n,1.0\n,\n,\n"


def test_a_frame_takes_numbers_and_texts_in_one_column() -> None:
    assert of((5, 1), ("> 100,000", 2)).frame()["a"].to_list() == ["5", "> 100,000"]


def test_records_have_full_precision_and_null_for_what_is_undefined() -> None:
    assert json.loads(json.dumps(TABLE.records(), allow_nan=False)) == [
        {"system": "x_1", "mean": 0.123456789, "n": 3},
        {"system": "y|z", "mean": None, "n": None},
        {"system": "y|z", "mean": 1.0, "n": 4},
    ]


# tables of tables


def test_a_table_of_records_has_the_columns_asked_for() -> None:
    records = [{"a": 1, "b": 2, "c": 3}]
    assert Table.of("t", "T", records).names == ("a", "b", "c")
    table = Table.of("t", "T", records, ["c", Column("a", "first")], ["A note."], is_main=True, is_long=True)
    assert (table.names, table.rows, table.notes) == (("c", "a"), ((3, 1),), ("A note.",))
    assert (table.is_main, table.is_long) == (True, True)
    assert [column.shown for column in table.columns] == ["c", "first"]
    assert Column("top_group").shown == "top group"


def test_rows_and_columns_are_left_out_by_their_names() -> None:
    assert TABLE.column("n") == [3, None, 4]
    some = TABLE.where(system="y|z")
    assert (some.names, some.rows[1:], some.group_by) == (("mean", "n"), ((1.0, 4),), None)
    assert TABLE.without("mean").rows == (("x_1", 3), ("y|z", None), ("y|z", 4))
    assert TABLE.without("mean").group_by == "system"


@pytest.mark.parametrize("form", FORMS)
def test_a_table_without_rows_is_drawn(form: str) -> None:
    empty = of()
    assert FORMS[form](empty)
    assert "a" in empty.to_text(width=80)
    assert "<th" in empty.to_html()
    assert empty.frame().is_empty()
