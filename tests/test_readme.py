from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "plan.md")  # the second uses what the commands of the first wrote
PROGRAM = Path(sys.executable).with_name("irgauge")


class Example(NamedTuple):
    """A command of the console blocks, with what it should print and what it printed."""

    command: str
    expected: str
    code: int
    printed: str


class Played(NamedTuple):
    """All commands, run one after the other in a folder."""

    folder: Path
    examples: tuple[Example, ...]


def blocks(language: str) -> list[str]:
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [block for page in PAGES for block in pattern.findall(page.read_text())]


def python_examples() -> list[str]:
    """The Python blocks that read the demo data; those with prompts are doctests, which pytest collects."""
    return [block for block in blocks("python") if not block.startswith(">>>")]


def play(command: str, expected: str, folder: Path) -> Example:
    shown = subprocess.run(  # noqa: S603  # our own program
        ["/bin/sh", "-c", command.replace("irgauge", str(PROGRAM), 1)],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    printed = shown.stdout.replace("compiling for the first use; each command takes a few seconds more, once\n", "")
    return Example(command, expected, shown.returncode, printed)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("readme")
    commands = [
        found
        for block in blocks("console")
        for found in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]
    return Played(folder, tuple(play(command, expected, folder) for command, expected in commands))


def test_the_commands_of_the_readme_print_what_it_says(played: Played) -> None:
    assert len(played.examples) >= 6
    for command, expected, code, printed in played.examples:
        assert code == 0, f"{command}\n{printed}"
        matches = doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)
        assert matches, f"{command}\nexpected:\n{expected}\nprinted:\n{printed}"


def test_the_python_of_the_readme_runs_on_what_its_commands_wrote(played: Played, tmp_path: Path) -> None:
    for name in ("demo", "scores.parquet"):
        (tmp_path / name).symlink_to(played.folder / name)
    (example,) = python_examples()
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert "By nDCG@10, for other topics, of 19 systems against F1-1, 12 are worse" in shown.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"demo", "scores.parquet", "systems.svg", "compare.json"}
