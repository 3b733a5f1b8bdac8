"""Tables in a paper: own caption, label, decimals, systems and columns; and the same table as data."""

from __future__ import annotations

import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.studies.compare.study import Compared

ROWS = {"new": [0.9, 0.8, 0.85, 0.95], "old": [0.5, 0.45, 0.5, 0.55], "odd": [0.52, 0.46, 0.51, 0.56]}


@pytest.fixture(scope="module")
def result() -> Compared:
    frame = [
        {"measure": "AP", "topic": str(topic), "system": system, "score": score}
        for system, scores in ROWS.items()
        for topic, score in enumerate(scores)
    ]
    import polars as pl

    return ig.compare(pl.DataFrame(frame), ["AP"], baseline="old")


def test_caption_and_label_are_those_given_and_the_caption_may_hold_latex(result: Compared) -> None:
    text = result.to_latex("paper", caption=r"Our \emph{results} at 5\%.", label="tab:main")
    assert r"\caption{Our \emph{results} at 5\%.}" in text
    assert r"\label{tab:main}" in text
    assert r"\label{tab:paper}" in result.to_latex("paper")


def test_rows_are_the_systems_named_in_their_order_and_under_their_titles(result: Compared) -> None:
    text = result.to_latex("paper", systems={"old": "BM25", "odd": "Ours"})
    body = text.split(r"\midrule")[1]
    assert body.index("BM25 (baseline)") < body.index("Ours")
    assert "new" not in body


def test_the_best_of_the_systems_that_are_shown_is_bold_as_it_is_rounded(result: Compared) -> None:
    assert result.to_latex("paper").count(r"\textbf") == 1
    assert result.to_latex("paper", systems=["old", "odd"]).count(r"\textbf") == 1
    assert result.to_latex("paper", systems=["old", "odd"], decimals=1).count(r"\textbf") == 2


def test_columns_are_those_named_and_rounded_each_for_itself(result: Compared) -> None:
    text = result.to_latex("paper", columns={"AP": "MAP", "system": "Run"}, decimals={"AP": 2})
    head = text.split(r"\toprule")[1].split(r"\midrule")[0]
    assert head.strip() == r"MAP & Run \\"
    assert r"0.50 & old (baseline) \\" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": ["nwe"]}, "the system 'nwe' is unknown; did you mean 'new'"),
        ({"columns": ["systm"]}, "the column 'systm' is unknown; did you mean 'system'"),
        ({"systems": "new"}, r"systems is 'new'; it is a list, such as \['new'\]"),
        ({"columns": []}, "columns is empty"),
        ({"decimals": -1}, "decimals is -1; it is a whole number from 0 to 15"),
        ({"decimals": {"PA": 2}}, "the column 'PA' is unknown; did you mean 'AP'"),
        ({"caption": "5% better"}, r"the caption '5% better' does not end in LaTeX; write \\% for a per cent sign"),
        ({"caption": r"\emph{ours"}, "close every brace"),
        ({"label": "tab{x"}, "the label 'tab{x' cannot be one in LaTeX"),
    ],
)
def test_what_a_table_does_not_have_is_refused(result: Compared, options: dict[str, object], message: str) -> None:
    with pytest.raises(DesignError, match=message):
        result.table("paper").to_latex(**options)  # type: ignore[arg-type]  # wrong on purpose


def test_the_table_of_a_paper_as_a_frame_has_names_alone_and_marks_in_columns_of_their_own(result: Compared) -> None:
    frame = result.frame("paper")
    assert frame.columns == ["system", "system_note", "AP", "AP_mark"]
    assert sorted(frame["system"]) == sorted(ROWS)
    assert dict(zip(frame["system"], frame["system_note"], strict=True))["old"] == "baseline"
    assert dict(zip(frame["system"], frame["AP_mark"], strict=True)) == {"new": "†", "odd": "†", "old": ""}
    assert result.table("paper").to_csv().splitlines()[0] == "system,system_note,AP,AP_mark"
