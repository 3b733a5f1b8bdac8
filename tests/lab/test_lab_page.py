"""docs/lab.md: its commands and its Python run, and its tables say what the records say."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from irgauge.lab.feedback import FEEDBACK
from irgauge.lab.models import MODELS
from irgauge.lab.stemming import STEMMERS
from irgauge.lab.stopping import STOP_LISTS, stop_words

PAGE = (Path(__file__).parents[2] / "docs" / "lab.md").read_text()
PROGRAM = Path(sys.executable).with_name("irgauge")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


def test_the_commands_print_what_the_page_says(folder: Path) -> None:
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks("console")), re.MULTILINE)
    assert len(commands) == 4
    for command, expected in commands:
        shown = subprocess.run(  # noqa: S603  # our own program
            ["/bin/sh", "-c", command.replace("irgauge", str(PROGRAM), 1)],
            cwd=folder,
            env=os.environ | {"COLUMNS": "100"},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=True,
        )
        assert doctest.OutputChecker().check_output(expected, shown.stdout, doctest.ELLIPSIS), shown.stdout


def test_the_python_runs_on_what_the_commands_wrote(folder: Path) -> None:
    (example,) = blocks("python")
    told = "\nprint(half.n_documents, len(found.documents), len(docnos))"
    words = (folder / "text" / "topics.trec").read_text().split("<title>")[1].split("<")[0].strip()
    code = example.replace("some words", words) + told
    shown = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (shown.returncode, shown.stdout) == (0, "1500 10 10\n"), shown.stderr


@pytest.mark.parametrize("name", list(MODELS))
def test_the_table_of_models_is_that_of_the_records(name: str) -> None:
    parameters = ", ".join(f"{one}={parameter.default:g}" for one, parameter in MODELS[name].parameters.items())
    assert f"| `{name}` | {MODELS[name].formula} | {parameters} |\n" in PAGE


def test_stop_lists_stemmers_and_feedback_are_those_that_there_are() -> None:
    for name in STOP_LISTS:
        assert re.search(rf"^\| `{name}` \|", PAGE, re.MULTILINE)
    for name, told in STEMMERS.items():
        assert f"| `{name}` | {told} |\n" in PAGE
    assert f"| `short` | {len(stop_words('short'))} words " in PAGE
    assert f"| `long` | the {len(stop_words('long'))} English" in PAGE
    for name, parameter in FEEDBACK["rm3"].items():
        assert f"{name}={parameter.default:g}" in PAGE
