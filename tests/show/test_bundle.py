from __future__ import annotations

import csv
import json
from pathlib import Path

import altair as alt
import pytest
import vl_convert

from irgauge.errors import InputError
from irgauge.provenance import Provenance
from irgauge.replicates.facts import seed
from irgauge.show.bundle import file_names, write_bundle
from irgauge.show.figure import Figure
from irgauge.show.page import Front, Page, Panel, Section, Variant
from irgauge.show.table import Column, Table

TABLE = Table.of("means", "A table", [{"system": "a_b", "mean": 0.123456789}, {"system": "c", "mean": None}])


def figure() -> Figure:
    base = alt.Chart({"values": [{"x": 1, "y": 2}, {"x": 2, "y": 3}]}).encode(x="x:Q", y="y:Q")
    return Figure(base.mark_point(), "Points", ("All.",), width=300, provenance=Provenance.of(seed(7)))


def page(*panels: Panel) -> Page:
    return Page("A report", "", Front(()), (), (), (Section("one", "One", (), panels),), (), ())


@pytest.fixture
def small() -> Page:
    charts = tuple(Variant((("measure", name),), figure=figure()) for name in ("AP", "nDCG@10"))
    return page(Panel("points", "", "", charts), Panel("means", "", "", (Variant((), table=TABLE),)))


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_bundle_has_the_page_every_chart_every_table_and_the_results(small: Page, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    told: list[tuple[int, int]] = []
    write_bundle(folder, small, "<html>", {"a": 1.5}, progress=lambda done, total: told.append((done, total)))
    charts = [f"charts/points-{name}.{end}" for name in ("ap", "ndcg-10") for end in ("pdf", "png", "svg")]
    tables = [f"tables/means.{end}" for end in ("csv", "md", "tex")]
    assert names(folder) == sorted(["report.html", "results.json", *charts, *tables])
    assert told == [(1, 2), (2, 2)]
    assert (folder / "report.html").read_text() == "<html>"
    assert json.loads((folder / "results.json").read_text()) == {"a": 1.5}
    drawing = (folder / "charts/points-ap.svg").read_text()
    assert drawing.startswith("<svg")
    assert "Seed 7." in drawing  # a chart by itself says how it was made
    assert (folder / "charts/points-ap.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "charts/points-ap.pdf").read_bytes().startswith(b"%PDF")


def test_tables_are_in_full_precision_and_fit_for_a_paper(small: Page, tmp_path: Path) -> None:
    write_bundle(tmp_path / "out", small, "", {})
    with (tmp_path / "out/tables/means.csv").open() as file:
        assert list(csv.reader(file)) == [["system", "mean"], ["a_b", "0.123456789"], ["c", ""]]
    latex = (tmp_path / "out/tables/means.tex").read_text()
    assert r"\toprule" in latex
    assert r"a\_b" in latex
    assert "| system | mean |" in (tmp_path / "out/tables/means.md").read_text()


def test_an_empty_folder_is_filled(small: Page, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    write_bundle(folder, small, "", {})
    assert "report.html" in names(folder)


def test_a_folder_that_is_not_empty_is_refused(small: Page, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        write_bundle(tmp_path, small, "", {})
    assert names(tmp_path) == ["mine.txt"]
    with pytest.raises(InputError, match="there is a file of this name"):
        write_bundle(tmp_path / "mine.txt", small, "", {})


def test_a_folder_that_cannot_be_made_is_an_input_error(small: Page, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_bundle(tmp_path / "file" / "out", small, "", {})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_folders_above_a_bundle_are_made(small: Page, tmp_path: Path) -> None:
    write_bundle(tmp_path / "no" / "such" / "out", small, "", {})
    assert (tmp_path / "no" / "such" / "out" / "report.html").exists()


def test_a_failure_leaves_nothing(small: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> bytes:
        raise ValueError("no PDF")

    monkeypatch.setattr(vl_convert, "svg_to_pdf", fail)
    with pytest.raises(ValueError, match="no PDF"):
        write_bundle(tmp_path / "out", small, "", {})
    assert list(tmp_path.iterdir()) == []


def test_names_that_would_be_alike_are_numbered() -> None:
    measures = ("RBP(p=0.5)", "RBP(p=0,5)", "AP", "ap")
    panel = Panel("ranks", "", "", tuple(Variant((("measure", name),)) for name in measures))
    assert file_names(panel) == ["ranks-rbp-p-0-5", "ranks-rbp-p-0-5--2", "ranks-ap", "ranks-ap--2"]


def test_of_a_very_long_table_csv_has_all_rows_and_the_others_say_so(tmp_path: Path) -> None:
    table = Table("pairs", "Pairs", (Column("pair"), Column("p")), tuple((f"pair{i}", i / 7) for i in range(1234)))
    panel = Panel("pairs", "Pairs", "", (Variant((), table=table),))
    page = Page("Long", "", Front(()), (), (), (Section("s", "S", (), (panel,)),), (), ())
    write_bundle(tmp_path / "out", page, "", {})
    texts = {end: (tmp_path / f"out/tables/pairs.{end}").read_text() for end in ("csv", "md", "tex")}
    assert texts["csv"].splitlines()[-1] == f"pair1233,{1233 / 7}"
    for end in ("md", "tex"):
        assert "The first 1,000 of 1,234 rows; all are in pairs.csv." in texts[end].replace("\\allowbreak{}", "")
        assert "pair999 " in texts[end]
        assert "pair1000" not in texts[end]
