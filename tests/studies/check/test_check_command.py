"""`irgauge check`: its report and its exit code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl

Irgauge = Callable[..., tuple[int, str, str]]


def paths(demo: Path) -> tuple[Path, Path]:
    return demo / "qrels.txt", demo / "runs"


def test_text_has_the_verdict_first(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("check", *paths(demo))
    assert code == 0
    assert out.startswith("- The data can be used.\n- Warning: There are only 6 topics; ")
    for part in ("\nThe data\n", "\nThe runs\n", "Method: order: score descending"):
        assert part in out


def test_csv_has_the_runs(demo: Path, run: Irgauge) -> None:
    code, out, _ = run("check", *paths(demo), "--format", "csv")
    frame = pl.read_csv(out.encode())
    assert code == 0
    assert frame["system"].to_list() == ["F1-1", "F1-2", "F2-1", "F2-2"]
    assert frame["topics"].to_list() == [6] * 4
    assert frame["judged_10"].dtype == pl.Float64


def test_data_that_cannot_be_used_exit_with_2(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = paths(demo)
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 a 1 0.5 x\n1 Q0 a 2 0.4 x\n")
    code, out, _ = run("check", qrels, runs, bad, "--format", "json")
    report = json.loads(out)
    assert code == 2
    assert (report["usable"], report["systems"]) == (False, 4)
    verdict, error = report["findings"][:2]
    assert verdict["text"] == "The data cannot be used until 1 run is fixed or removed."
    assert (error["kind"], error["tone"], error["fields"]["path"], error["fields"]["line"]) == (
        "unusable",
        "error",
        str(bad),
        2,
    )
    _, text, _ = run("check", qrels, runs, bad)
    assert re.search(r"^- Error:\s+\S*bad\.run:2:", text, re.MULTILINE)


def test_bad_arguments_exit_with_2(demo: Path, run: Irgauge, tmp_path: Path) -> None:
    qrels, runs = paths(demo)
    for arguments, message in (
        ([qrels], "name the runs after the judgments"),
        ([tmp_path / "no.txt", runs], "there is no such file"),
        ([qrels, runs, "--precision", "half"], "the precision 'half' is unknown"),
        ([qrels, runs, "--corpus-size", "3"], "a corpus of 3 documents is too small"),
        ([qrels, runs, "--chart-of", "judged"], "needs a file to draw to"),
    ):
        code, out, err = run("check", *arguments)
        assert (code, out) == (2, "")
        assert message in err
