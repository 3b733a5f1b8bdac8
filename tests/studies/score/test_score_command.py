"""`irgauge score`: its forms, its speed and its complaints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import irgauge
from conftest import without_made

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_text_has_the_answer_the_table_and_the_method(demo: Path, run: Irgauge) -> None:
    code, out, err = run("score", *paths(demo), "-m", "AP")
    assert code == 0
    assert err == ""
    assert re.match(r"- F\d-\d has the highest mean AP of 4 systems, 0\.\d{4}\.\n- Note: Intervals of means", out)
    shown = " ".join(out.split())
    for part in (
        "4 systems on 6 topics",
        "95 % interval of the mean",
        "Wilson's interval of the mean",
        "ties by docno descending",
        "double precision",
    ):
        assert part in shown


def test_json_has_the_fields_in_full_precision(demo: Path, run: Irgauge) -> None:
    qrels, runs = paths(demo)
    code, out, _ = run("score", qrels, runs, "-m", "AP", "-m", "P@10", "--format", "json")
    shown = json.loads(out)
    assert code == 0
    assert (shown["study"], shown["provenance"]["measures"]) == ("score", ["AP", "P@10"])
    assert list(shown["systems"][0])[:6] == ["measure", "system", "mean", "low", "high", "n"]
    scores = irgauge.score(irgauge.load(qrels, runs), ["AP", "P@10"]).scores
    for row in shown["systems"]:
        measure, system = [str(m) for m in scores.measures].index(row["measure"]), scores.systems.index(row["system"])
        assert row["mean"] == pytest.approx(scores.values[measure, :, system, 0].mean(), rel=1e-14)
        assert row["n"] == 6


def test_per_topic_json(demo: Path, run: Irgauge) -> None:
    qrels, runs = paths(demo)
    _, out, _ = run("score", qrels, runs, "-m", "AP", "--per-topic", "--format", "json")
    rows = json.loads(out)["topics"]
    assert list(rows[0]) == ["measure", "topic", "system", "replicate", "score"]
    values = irgauge.score(irgauge.load(qrels, runs), ["AP"]).values
    np.testing.assert_array_equal([row["score"] for row in rows], values.ravel())


def test_the_format_of_trec_eval(demo: Path, run: Irgauge) -> None:
    qrels, runs = paths(demo)
    _, out, _ = run("score", qrels, runs / "F1-1.run", "-m", "map", "-m", "ndcg_cut_10", "--format", "trec")
    lines = out.splitlines()
    assert len(lines) == 2 * (6 + 1)
    assert re.fullmatch(r"map {19}\t1\t[01]\.\d{4}", lines[0])
    assert re.fullmatch(r"ndcg_cut_10 {11}\tall\t[01]\.\d{4}", lines[-1])
    _, both, _ = run("score", qrels, runs, "-m", "map", "--format", "trec")
    assert re.findall(r"^runid {17}\tall\t(\S+)$", both, re.MULTILINE) == ["F1-1", "F1-2", "F2-1", "F2-2"]


@pytest.mark.parametrize("extension", ["txt", "md", "tex", "csv", "json", "trec"])
def test_the_extension_chooses_the_format(extension: str, demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / f"scores.{extension}"
    code, out, _ = run("score", *paths(demo), "-m", "AP", "-o", target)
    form = {"txt": "table", "md": "markdown", "tex": "latex"}.get(extension, extension)
    _, printed, _ = run("score", *paths(demo), "-m", "AP", "--format", form)
    assert (code, out) == (0, "")
    assert without_made(target.read_text()) == without_made(printed)


def test_scores_saved_as_parquet_load_again(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "scores.parquet"
    code, out, _ = run("score", *paths(demo), "-m", "AP", "-m", "nDCG@10", "--per-topic", "-o", target)
    assert (code, out) == (0, "")
    assert pl.read_parquet(target).columns == ["measure", "topic", "system", "replicate", "score"]
    again, direct = irgauge.Scores.load(target), irgauge.score(irgauge.load(*paths(demo)), ["AP", "nDCG@10"]).scores
    np.testing.assert_array_equal(again.values, direct.values)
    assert (again.measures, again.systems, again.topics) == (direct.measures, direct.systems, direct.topics)


def test_scores_of_topics_as_csv_are_what_other_studies_read(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    assert run("score", *paths(demo), "-m", "AP", "--per-topic", "-o", target)[0] == 0
    of_table = json.loads(run("compare", target, "-m", "AP", "--format", "json")[1])
    of_runs = json.loads(run("compare", *paths(demo), "-m", "AP", "--format", "json")[1])
    assert of_table["measures"][0]["pairs"] == of_runs["measures"][0]["pairs"]


def test_a_table_of_scores_is_summarised(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    run("score", *paths(demo), "-m", "AP", "--per-topic", "-o", tmp_path / "scores.parquet")
    of_table = json.loads(run("score", tmp_path / "scores.parquet", "--format", "json")[1])
    assert of_table["systems"] == json.loads(run("score", *paths(demo), "-m", "AP", "--format", "json")[1])["systems"]


def test_a_chart_is_drawn(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    assert run("score", *paths(demo), "--chart", tmp_path / "means.svg")[0] == 0
    assert (tmp_path / "means.svg").read_text().startswith("<svg")


def test_notes_go_to_stderr_unless_quiet(tmp_path: Path, run: Irgauge) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 1\n3 0 c 0\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 0.5 x\n")
    _, out, err = run("score", tmp_path / "qrels", tmp_path / "x.run", "-m", "AP")
    assert "note: x: 1 topic (2) not in the run, scored 0" in err
    assert "note: 1 topic (3) of the qrels without a relevant document left out" in err
    code, quiet_out, quiet_err = run("score", tmp_path / "qrels", tmp_path / "x.run", "-m", "AP", "--quiet")
    assert (code, quiet_out, quiet_err) == (0, out, "")


BAD = {
    "an unknown measure": (["-m", "nDGC@10"], "measure 'nDGC@10' is unknown; did you mean 'nDCG'?"),
    "an unknown parameter": (["-m", "RBP(P=0.5)"], "parameter 'P' is unknown; did you mean 'p'?"),
    "a fill that is not finite": (["--fill", "nan"], "fill is nan; it is a finite number"),
    "a grade that no document has": (["-m", "AP(rel=9)"], "AP(rel=9) is defined on no topic"),
    "an unknown fill": (["--fill", "nought"], "the fill 'nought' is unknown"),
    "an alpha out of range": (["--alpha", "2"], "it lies between 0 and 1"),
    "an unknown format": (["--format", "jsn"], "the format 'jsn' is unknown; did you mean 'json'?"),
    "an unknown precision": (["--precision", "half"], "the precision 'half' is unknown"),
    "Parquet on stdout": (["--format", "parquet"], "name a file with -o, such as -o scores.parquet"),
    "an unknown extension": (["-o", "scores.xls"], "no format is known for the extension '.xls'; use .txt, .md"),
    "a folder that does not exist": (["-m", "AP", "-o", "no/such/folder/x.csv"], "the folder of this file does not"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_options_exit_with_2(name: str, demo: Path, run: Irgauge) -> None:
    options, message = BAD[name]
    code, out, err = run("score", *paths(demo), *options)
    assert (code, out) == (2, "")
    assert message in err


def test_bad_files_exit_with_2_and_their_place(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = paths(demo)
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2 nan x\n")
    code, out, err = run("score", qrels, bad)
    assert (code, out) == (2, "")
    assert f"irgauge: {bad}:2: the score 'nan' is not a number; " in err
    code, _, err = run("score", qrels, qrels)
    assert code == 2
    assert "this looks like a qrels file" in err
    code, _, err = run("score", runs / "F1-1.run", runs)
    assert code == 2
    assert "this looks like a run" in err
    for name, message in ((tmp_path / "no.run", "no such file"), (tmp_path / "*.none", "matches no file")):
        code, _, err = run("score", qrels, name)
        assert code == 2
        assert f"{name}: " in err
        assert message in err
    code, _, err = run("score", qrels)
    assert code == 2
    assert "name the runs after the judgments" in err


HEAVY = ("polars", "scipy.special", "scipy.linalg", "pydantic", "altair", "jinja2", "rich.console")
LIGHT = f"""
import sys
from irgauge.cli.program import main
from irgauge.cli.terminal import claim_process
claim_process()
try:
    main()
except SystemExit as end:
    print(end.code, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json", "trec"])
def test_nothing_slow_is_imported_on_its_way(form: str, demo: Path) -> None:
    command = [sys.executable, "-c", LIGHT, "score", *map(str, paths(demo)), "-m", "AP", "-q", "--format", form]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own program
    assert shown.stderr == "0 []\n"
    assert "F1-1" in shown.stdout
