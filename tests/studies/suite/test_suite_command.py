"""`irgauge suite`: what it prints and writes, and what it refuses without leaving anything behind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

Irgauge = Callable[..., tuple[int, str, str]]


def test_the_answer_comes_first(suite: Path, run: Irgauge) -> None:
    code, out, err = run("suite", suite, "-m", "AP")
    assert (code, err) == (0, "")
    assert out.startswith("- By AP over 3 collections, ")
    assert "Method: t-test over topics, stratified by collection" in out
    assert "3 collections (one, three and two)" in " ".join(out.split())


def test_json_csv_chart_and_page(suite: Path, tmp_path: Path, run: Irgauge) -> None:
    code, out, _ = run("suite", suite, "--baseline", "F1-1", "--margin", "2%", "-f", "json")
    assert (code, json.loads(out)["baseline"], json.loads(out)["measure"]) == (0, "F1-1", "nDCG@10")
    assert run("suite", suite, "-o", tmp_path / "pairs.csv", "-q")[0] == 0
    assert (tmp_path / "pairs.csv").read_text().startswith("measure,system,against,n,difference,low,high,p,p_adjusted,")
    assert (
        run("suite", suite, "-o", tmp_path / "suite.html", "--chart", tmp_path / "ranks.svg", "--chart-of", "ranks")[0]
        == 0
    )
    assert "What does each collection say" in (tmp_path / "suite.html").read_text()
    assert (tmp_path / "ranks.svg").exists()


def test_help_tells_the_layout(run: Irgauge) -> None:
    code, out, _ = run("suite", "--help")
    told = " ".join(out.replace("│", " ").split())
    assert code == 0
    assert "DIR..." in told
    assert "A folder of collections; or several, or the collections themselves." in told
    assert "irgauge suite collections/ -m nDCG@10 --baseline bm25 -o suite.html" in told


def without_qrels(folder: Path) -> None:
    (folder / "two" / "qrels.txt").unlink()


def without_runs(folder: Path) -> None:
    shutil.rmtree(folder / "two" / "runs")


def only_one(folder: Path) -> None:
    shutil.rmtree(folder / "two")
    shutil.rmtree(folder / "three")


def nothing(folder: Path) -> None:
    for one in folder.iterdir():
        shutil.rmtree(one)


def no_table(folder: Path) -> None:
    (folder / "four.csv").write_text("not a table\n")


def of_one_name(folder: Path) -> None:
    (folder / "two.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.5,0.125\n")


def bad_run(folder: Path) -> None:
    (folder / "two" / "runs" / "F1-1.run").write_text("1 Q0 d1 1 high F1-1\n")


def same(_: Path) -> None:
    """Leave the folder as it is."""


@pytest.mark.parametrize(
    ("change", "options", "said"),
    [
        (nothing, (), "the folder holds no collections; a collection is a folder with `qrels` and `runs`"),
        (without_qrels, (), "two/qrels: this file is needed, plain or compressed"),
        (without_runs, (), "two/runs: this file is needed, plain or compressed"),
        (only_one, (), "a suite has at least 2 collections, and there is 1 (one); for one use `irgauge compare`"),
        (no_table, (), "four.csv"),
        (of_one_name, (), "two collections have the name 'two'"),
        (bad_run, (), "the score 'high' is not a number"),
        (same, ("--baseline", "F1-9"), "the baseline 'F1-9' is unknown; did you mean 'F1-"),
        (same, ("--margin", "2%"), "is a share of the baseline's mean; name a baseline"),
        (same, ("-m", "nDGC@10"), "did you mean"),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_what_is_refused_leaves_nothing(
    change: Callable[[Path], None], options: tuple[str, ...], said: str, suite: Path, tmp_path: Path, run: Irgauge
) -> None:
    shutil.copytree(suite, tmp_path / "given")
    change(tmp_path / "given")
    outputs = ("-o", tmp_path / "suite.html", "--chart", tmp_path / "chart.svg")
    code, out, err = run("suite", tmp_path / "given", *options, *outputs)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err
    assert [one.name for one in tmp_path.iterdir()] == ["given"]


def test_a_place_that_is_not_there_is_refused(tmp_path: Path, run: Irgauge) -> None:
    code, out, err = run("suite", tmp_path / "nowhere")
    assert (code, out, err) == (2, "", f"irgauge: {tmp_path / 'nowhere'}: there is no such folder; check the path\n")
    (tmp_path / "notes.txt").write_text("hello\n")
    code, _, err = run("suite", tmp_path / "notes.txt")
    assert (code, "this is neither a folder nor a table of scores" in err) == (2, True)
