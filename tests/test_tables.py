from __future__ import annotations

import csv
import io
import json
import math

import pytest

from irgauge.present.tables import Table, latex_text, render, to_text

TABLE = Table(
    title="A & B",
    columns=("system", "mean", "n"),
    rows=(("x_1", 0.123456789, 3), ("y|z", math.nan, None), ("y|z", 1.0, 4)),
    caption="95 % of α",
    group_by=0,
)


def test_text_lines_up_and_ends_groups() -> None:
    assert to_text(TABLE) == (
        "A & B\n"
        "\n"
        "system    mean  n\n"
        "─────────────────\n"
        "x_1     0.1235  3\n"
        "─────────────────\n"
        "y|z          –  –\n"
        "y|z     1.0000  4\n"
        "\n"
        "95 % of α\n"
    )


def test_long_texts_are_wrapped_to_the_width() -> None:
    table = Table("T", ("name", "text"), (("a", "word " * 30),), "c")
    lines = to_text(table, width=50).splitlines()
    assert max(map(len, lines)) <= 50
    assert sum(line.count("word") for line in lines) == 30


def test_a_table_that_fits_is_not_stretched() -> None:
    assert to_text(TABLE, width=80) == to_text(TABLE)


def test_numbers_are_never_wrapped() -> None:
    table = Table("T", ("first", "second"), ((0.5, 12345678), (0.25, 1)), "c")
    assert "0.5000  12345678" in to_text(table, width=5)


def test_small_numbers_are_not_shown_as_zero() -> None:
    table = Table("T", ("p",), ((0.0,), (3.2e-9,), (-0.00004,), (0.00005,)), "c")
    assert to_text(table).split()[3:7] == ["0.0000", "3.2e-09", "-4.0e-05", "0.0001"]


def test_markdown_escapes_bars_and_aligns_numbers() -> None:
    lines = render([TABLE], "markdown").splitlines()
    assert lines[2:5] == ["| system | mean | n |", "| :--- | ---: | ---: |", "| x_1 | 0.1235 | 3 |"]
    assert lines[5] == "| y\\|z | – | – |"


def test_latex_is_booktabs_with_signs_escaped() -> None:
    latex = render([TABLE], "latex")
    assert r"\caption{A \& B. 95 \% of $\alpha$}" in latex
    assert r"x\_1 & 0.1235 & 3 \\ \midrule" in latex
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1


def test_latex_has_commands_for_signs_of_other_alphabets() -> None:
    assert latex_text("ω² ≤ τ × 2") == r"$\omega$$^2$ $\leq$ $\tau$ $\times$ 2"
    assert latex_text("<b>|") == r"\textless{}b\textgreater{}\textbar{}"


def test_csv_has_full_precision() -> None:
    rows = list(csv.reader(io.StringIO(render([TABLE], "csv"))))
    assert rows == [["system", "mean", "n"], ["x_1", "0.123456789", "3"], ["y|z", "", ""], ["y|z", "1.0", "4"]]


def test_json_has_full_precision_and_null_for_what_is_undefined() -> None:
    assert json.loads(render([TABLE], "json")) == [
        {"system": "x_1", "mean": 0.123456789, "n": 3},
        {"system": "y|z", "mean": None, "n": None},
        {"system": "y|z", "mean": 1.0, "n": 4},
    ]


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json"])
def test_a_table_without_rows_is_drawn(form: str) -> None:
    assert render([Table("T", ("a", "b"), (), "c")], form)
