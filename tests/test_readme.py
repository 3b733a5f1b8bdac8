"""The README, and the pages of docs/: their commands print what stands there, and their Python runs."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from website.commands import parameters

from golden import COMPILING
from golden import printed as printed_here
from irgauge.cli.app import CommandGroup, commands

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
LAB = ROOT / "docs" / "lab.md"
PAGES = (README, *sorted((ROOT / "docs").rglob("*.md")))  # in this order: they use what the README wrote
PROGRAM = Path(sys.executable).with_name("irgauge")


class Example(NamedTuple):
    """A command of the console blocks, with what it should print and what it printed."""

    page: str
    command: str
    expected: str
    code: int
    printed: str


class Played(NamedTuple):
    """All commands, run one after the other in a folder."""

    folder: Path
    examples: tuple[Example, ...]


def blocks(language: str, page: Path) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def commands_of(page: Path) -> Iterator[tuple[str, str]]:
    for block in blocks("console", page):
        yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def play(page: Path, command: str, expected: str, folder: Path) -> Example:
    """A command as a reader gives it; what needs no shell runs in this process, which has imported all already."""
    code, printed = (in_a_shell if re.search(r"[|;&>]|^(?!irgauge )", command) else printed_here)(command, folder)
    return Example(named(page), command, expected, code, printed.replace(COMPILING, ""))


def in_a_shell(command: str, folder: Path) -> tuple[int, str]:
    shown = subprocess.run(  # noqa: S603  # our own program
        ["/bin/sh", "-c", command.replace("irgauge", str(PROGRAM), 1)],
        cwd=folder,
        env=os.environ | {"COLUMNS": "100"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return shown.returncode, shown.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("readme")
    found = [(page, *one) for page in PAGES for one in commands_of(page)]
    return Played(folder, tuple(play(page, command, expected, folder) for page, command, expected in found))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks("console", page)], ids=named)
def test_the_commands_of_a_page_print_what_it_says(page: Path, played: Played) -> None:
    examples = [one for one in played.examples if one.page == named(page)]
    assert examples
    for _, command, expected, code, printed in examples:
        assert code == 0, f"{command}\n{printed}"
        matches = doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS)
        assert matches, f"{command}\nexpected:\n{expected}\nprinted:\n{printed}"


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "python.md"], ids=named)
def test_the_python_of_a_page_runs_on_what_commands_wrote(page: Path, played: Played, tmp_path: Path) -> None:
    for name in ("demo", "scores.parquet"):
        (tmp_path / name).symlink_to(played.folder / name)
    (example,) = [block for block in blocks("python", page) if not block.startswith(">>>")]
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    assert "By nDCG@10, for other topics, of 19 systems against F1-1, 12 are worse" in shown.stdout
    written = {"systems.svg", "compare.json"} | ({"for-paper"} if page != README else set())
    assert {path.name for path in tmp_path.iterdir()} == {"demo", "scores.parquet", *written}


def test_the_python_of_the_lab_runs_on_what_its_commands_wrote(played: Played) -> None:
    assert len(list(commands_of(LAB))) == 4
    (example,) = blocks("python", LAB)
    told = "\nprint(half.n_documents, len(found.documents), len(docnos))"
    words = (played.folder / "text" / "topics.trec").read_text().split("<title>")[1].split("<")[0].strip()
    code = example.replace("some words", words) + told
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-W", "error", "-c", code], cwd=played.folder, capture_output=True, text=True, check=False
    )
    assert (shown.returncode, shown.stdout) == (0, "1500 10 10\n"), shown.stderr


def sessions() -> list[tuple[str, str]]:
    found = [(named(page), block) for page in PAGES for block in blocks("python", page) if block.startswith(">>>")]
    assert len(found) >= 2
    return found


@pytest.mark.parametrize(("page", "session"), sessions(), ids=[page for page, _ in sessions()])
def test_the_sessions_of_a_page_print_what_it_says(page: str, session: str) -> None:
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(session, {}, page, page, 0))
    assert runner.summarize(verbose=False).failed == 0


def lines_of(page: Path) -> Iterator[str]:
    """The lines of shell blocks, those that go on put together."""
    for block in blocks("sh", page):
        yield from block.replace("\\\n", " ").splitlines()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks("sh", page)], ids=named)
def test_what_a_page_only_shows_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in lines_of(page):
        shown = line.partition("#")[0]
        for target in re.findall(r"\bmake ([a-z-]+)", shown):
            assert target in targets, line
        for first, rest in re.findall(r"\birgauge ([a-z]+)([^|]*)", shown):
            name = f"{first} {rest.split()[0]}" if isinstance(commands()[first], CommandGroup) else first
            flags = {flag for one in parameters(name) for flag in (*one.opts, *one.secondary_opts)}
            assert set(re.findall(r"(?<= )--?[a-z][a-z-]*", rest)) <= flags, line


def test_the_readme_is_short_and_names_every_command() -> None:
    text = README.read_text()
    assert len(text.splitlines()) <= 150
    assert re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text) == ["docs/report-light.png"]
    places = re.findall(r"\]\((docs/[^)]+)\)", text)
    assert [place for place in places if not (ROOT / place).is_file()] == []
    table = " ".join(re.findall(r"^\| `irgauge .*\|$", text, re.MULTILINE))
    assert [name for name in commands() if f"`{name}`" not in table and f"`irgauge {name}`" not in table] == []
