"""The wheel in an empty environment, as a stranger has it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from package.environment import Environment, printed
from package.test_project_files import PROJECT

SMALL = ("--systems", "4", "--families", "2", "--topics", "12", "--depth", "50", "--truth-topics", "50", "-q")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment.empty(tmp_path_factory.mktemp("installed"))
    environment.install(wheel)
    return environment


def test_the_program_and_the_module_know_their_version(installed: Environment) -> None:
    assert installed.run("irgauge", "--version").strip() == f"irgauge {PROJECT['version']}"
    assert installed.run("python", "-m", "irgauge", "--version").strip() == f"irgauge {PROJECT['version']}"


def test_the_marker_of_types_is_there(installed: Environment) -> None:
    code = "from importlib.resources import files; print(files('irgauge').joinpath('py.typed').is_file())"
    assert installed.run("python", "-c", code) == "True\n"


def test_it_makes_a_collection_and_gives_the_numbers_that_the_sources_give(
    installed: Environment, tmp_path: Path
) -> None:
    installed.run("irgauge", "simulate", "-o", "demo", *SMALL, folder=tmp_path)
    asked = ("compare", "demo/qrels.txt", "demo/runs", "-m", "nDCG@10", "-q", "--format", "json")
    there = json.loads(installed.run("irgauge", *asked, "--chart", "systems.html", folder=tmp_path))
    here = json.loads(printed(sys.executable, "-m", "irgauge", *asked, folder=tmp_path))
    assert len(there["measures"][0]["pairs"]) == 6
    assert {**there, "made": None} == {**here, "made": None}  # at another time
    assert "Content-Security-Policy" in (tmp_path / "systems.html").read_text()


def test_what_it_reads_of_its_own_is_there(installed: Environment) -> None:
    assert "voorhees-2017/table-1" in installed.run("irgauge", "reproduce", "--list")


def tables(folder: Path) -> Path:
    """A folder with a table of scores of each of two systems."""
    for name, score in (("old", 3), ("new", 4)):
        rows = [f"q{topic},{(score + topic % (score + 4)) / 20}\n" for topic in range(30)]
        (folder / f"{name}.csv").write_text("topic,score\n" + "".join(rows))
    return folder


GATE = ("irgauge", "gate", "old.csv", "new.csv", "--margin", "0.01", "-q")


def test_a_gate_on_two_tables_of_scores_needs_no_more_than_one_line(installed: Environment, tmp_path: Path) -> None:
    assert installed.run(*GATE, folder=tables(tmp_path)).startswith("pass: new is better than old")


def test_uvx_runs_the_wheel_without_installing_it(wheel: Path, tmp_path: Path) -> None:
    uv = pytest.importorskip("uv", reason="uv is not installed").find_uv_bin()
    said = printed(uv, "tool", "run", "--python", sys.executable, "--from", wheel, *GATE, folder=tables(tmp_path))
    assert said.startswith("pass: new is better than old")
