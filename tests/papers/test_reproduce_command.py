from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from irgauge.papers.published import papers

Irgauge = Callable[..., tuple[int, str, str]]
TABLE = "zobel-rashidi-2020/table-1"


@pytest.fixture(scope="module")
def folder(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of test collections; what it calls trec8 is simulated."""
    folder = tmp_path_factory.mktemp("collections")
    (folder / "trec8").mkdir()
    for name in ("qrels.txt", "runs"):
        (folder / "trec8" / name).symlink_to(demo / name)
    return folder


def test_the_list_names_every_table_with_method_and_data(run: Irgauge) -> None:
    code, out, _ = run("reproduce", "--list", "--format", "json")
    rows = json.loads(out)
    assert code == 0
    assert {row["name"].partition("/")[0] for row in rows} == set(papers())
    assert all(row["method"] and row["data"] and row["shows"] for row in rows)
    code, out, _ = run("reproduce", "--list", "voorhees-2017")
    assert code == 0
    assert "voorhees-2017/table-4" in out
    assert "zobel" not in out


def test_one_table_is_shown_with_its_verdict(folder: Path, run: Irgauge) -> None:
    code, out, err = run("reproduce", TABLE, "--data", folder)
    assert code == 0
    assert f"({TABLE}): differs" in out  # the simulated data are not the paper's
    assert "Of " in out
    assert "need" in out
    assert "trec8 has 4 systems on 6 topics, the papers' has 129 on 50" in err
    assert run("reproduce", TABLE, "--data", folder, "--quiet")[2] == ""


def test_all_values_as_csv_and_json(folder: Path, run: Irgauge) -> None:
    _, out, _ = run("reproduce", TABLE, "--data", folder, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    _, out, _ = run("reproduce", TABLE, "--data", folder, "--format", "json", "--seed", 4)
    found = json.loads(out)
    assert found["settings"]["seed"] == 4
    (table,) = found["tables"]
    assert [row["printed"] for row in rows] == [value["printed"] for value in table["values"]]
    assert {row["verdict"] for row in rows} >= {"differs", "needs data"}


@pytest.mark.parametrize("name", ["all.html", "all.md", "all.tex", "all.txt"])
def test_the_comparison_is_written(name: str, folder: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / name
    assert run("reproduce", TABLE, "--data", folder / "trec8", "-o", target, "--quiet") == (0, "", "")
    assert "differs" in target.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((TABLE,), "name their folder with --data DIR"),
        (("no-such/table-1", "--data", "."), "'no-such/table-1' is no table or figure"),
        ((TABLE, "--data", "nowhere"), "nowhere: this folder does not exist"),
        (("--list", "-o", "list.html"), "a list is no page"),
        ((TABLE, "--data", ".", "-o", "none/all.html"), "none/all.html: the folder of this file does not exist"),
        ((TABLE, "--data", ".", "-o", "all.docx"), "'.docx'; use .txt, .md, .tex, .csv, .json, .html, .htm"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[str, ...], message: str, run: Irgauge) -> None:
    code, out, err = run("reproduce", *arguments)
    assert (code, out) == (2, "")
    assert message in err
