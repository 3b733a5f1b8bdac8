"""The page on the gate: its script, its test and the command of its workflow do what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irgauge.testing import UndecidedGateWarning
from oracles.gate_runs import BASE, lower, ranked, write_qrels, write_run, write_scores

Irgauge = Callable[..., tuple[int, str, str]]
PAGE = (Path(__file__).parents[3] / "docs" / "questions" / "gate.md").read_text()
PROGRAM = Path(sys.executable).with_name("irgauge")


def block(language: str, holding: str) -> str:
    """The block of code that holds some text."""
    (found,) = [
        one for one in re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE) if holding in one
    ]
    return str(found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments and runs as the page names them, in the current folder."""
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "eval" / "baseline.run", ranked(BASE))
    write_qrels(tmp_path / "eval" / "qrels.txt")
    write_run(tmp_path / "candidate.run", ranked([rank + (rank == 5) for rank in BASE[:20]] + BASE[20:]))
    scores = {"old": BASE, "new": lower(BASE)}
    write_scores(tmp_path / "scores.csv", scores)
    for path, system in {"eval/baseline.csv": "old", "candidate.csv": "new"}.items():
        write_scores(tmp_path / path, {system: scores[system]})
    return tmp_path


def in_shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = script.replace("irgauge gate", f"'{PROGRAM}' gate")
    return subprocess.run(["sh", "-ec", line], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603, S607  # our own program


def test_the_script_says_what_is_to_be_done(folder: Path) -> None:
    script = block("sh", "case $code")
    wide = script.replace("nDCG@10:1%", "nDCG@10:5%")
    assert in_shell(wide, folder).stdout.splitlines()[-1] == "ship it"
    assert {path.name for path in folder.rglob("gate.*")} == {"gate.lock", "gate.md"}
    changed = in_shell(script, folder)  # the margin is not that of the lock
    assert (changed.returncode, changed.stdout) == (2, "the evaluation is broken\n")


@pytest.mark.parametrize("holding", ["scores.csv old", "baseline.csv"])
@pytest.mark.usefixtures("folder")
def test_tables_of_scores_are_gated_as_the_page_says(holding: str, run: Irgauge) -> None:
    code, out, _ = run(*shlex.split(block("sh", holding))[1:])
    assert (code, out.startswith("fail: new is worse than old in faithfulness (")) == (1, True)


@pytest.mark.usefixtures("folder")
def test_the_test_is_a_test() -> None:
    names: dict[str, Any] = {}
    exec(block("python", "def test_"), names)  # noqa: S102  # our own page
    with pytest.warns(UndecidedGateWarning, match="undecided: candidate is"):
        names["test_the_candidate_is_not_worse"]()
    write_run(Path("candidate.run"), ranked(lower(BASE)))
    with pytest.raises(AssertionError, match="fail: candidate is worse than baseline in nDCG@10"):
        names["test_the_candidate_is_not_worse"]()
