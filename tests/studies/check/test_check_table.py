"""A check of tables of scores: how they were understood, what is missing, and how to say it otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import irgauge as ig
from irgauge.studies.check.study import Checked
from oracles.tool_files import inspect_archive, inspect_log

LONG = "qid,model,metric,f1,seed,kind,latency_ms\n" + "".join(
    f"q{topic},{model},f,{topic / 8},{seed},{'odd' if topic % 2 else 'even'},{topic + seed}\n"
    for topic in range(4)
    for model in ("a", "b")
    for seed in (1, 2)
)


def parts(result: Checked) -> dict[str, tuple[int, str]]:
    assert result.read_as is not None
    return {part.part: (part.count, part.source) for part in result.read_as.parts}


def test_a_long_table_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(LONG)
    result = ig.check(path, columns="score=f1")
    assert result.is_usable
    assert parts(result) == {
        "systems": (2, "the column 'model'"),
        "topics": (4, "the column 'qid'"),
        "measures": (1, "the column 'metric'"),
        "replicates": (2, "the column 'seed'"),
        "scores": (16, "the column 'f1'"),
        "columns of topics": (1, "one value for each topic"),
    }
    assert result.read_as is not None
    assert result.read_as.unused == ("latency_ms",)
    assert result.frame()["part"][0] == "systems"


def test_a_wide_table_and_what_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("topic,bm25,dph\n1,0.5,0.25\n2,,0.5\n3,0.75,1\n")
    result = ig.check(path)
    assert (result.is_usable, result.exit_code) == (False, 2)
    assert parts(result)["systems"] == (2, "the names of columns")
    texts = [str(finding) for finding in result.findings()]
    assert texts[0].startswith("The scores cannot be used as they are: 1 system lacks scores.")
    assert any("bm25 has no score of 1 topic (2)." in text for text in texts)
    assert ig.check(path, missing="drop").is_usable


def test_a_measure_whose_direction_is_in_doubt_is_named() -> None:
    result = ig.check({"latency_ms": {"a": {"1": 5, "2": 6}, "b": {"1": 4, "2": 7}}})
    assert result.read_as is not None
    assert result.read_as.doubtful == ("latency_ms",)
    assert any("latency_ms:lower" in str(finding) for finding in result.findings())


def test_the_command_says_what_a_tool_wrote(tmp_path: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    for model in ("a", "b"):
        (tmp_path / f"{model}.eval").write_bytes(inspect_archive(inspect_log(model)))
    logs = [str(tmp_path / f"{model}.eval") for model in ("a", "b")]
    _, text, _ = run("check", *logs)
    assert "Read as an Inspect AI log (the model is the system" in " ".join(text.split())
    content = json.loads(run("check", *logs, "--format", "json")[1])
    assert [part["count"] for part in content["read_as"]["parts"][:4]] == [2, 3, 4, 2]
    assert "judgments" not in content  # which scores do not have
    assert [part["otherwise"] for part in content["read_as"]["parts"]][2:5:2] == ["-m NAME, -m NAME:lower", ""]


def test_options_of_runs_are_refused_and_columns_of_runs(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("topic,bm25,dph\n1,0.5,0.25\n2,0.5,0.5\n")
    with pytest.raises(ig.DesignError, match="a table of scores was given"):
        ig.check(path, depth=10)
    with pytest.raises(ig.DesignError, match="columns are of a table of scores"):
        ig.check({"q1": {"d1": 1}}, {"mine": {"q1": {"d1": 0.5}}}, columns="topic=qid")


def test_a_saved_check_of_a_table_is_read_again(tmp_path: Path) -> None:
    result = ig.check({"a": {"1": 0.5, "2": 0.25}, "b": {"1": 0.75, "2": 0.5}})
    result.save(tmp_path / "check.json")
    assert ig.read(tmp_path / "check.json") == result
