"""The notebooks run, and say what is stored in them."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from examples.run import executed, notebooks


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")  # of what runs notebooks
@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_notebook_says_what_is_stored_in_it(path: Path, tmp_path: Path) -> None:
    stored, found = nbformat.read(path, as_version=4), executed(path, tmp_path)
    for cell, run in zip(stored.cells, found.cells, strict=True):
        assert cell.get("outputs") == run.get("outputs"), cell.source


def test_there_is_a_notebook_for_each_question() -> None:
    assert len(notebooks()) >= 5


def test_notebooks_that_are_run_in_one_folder_write_to_folders_of_their_own() -> None:
    folders = [folder for path in notebooks() for folder in re.findall(r'\.write\(\\"(\w+)', path.read_text())]
    assert len(folders) >= 4
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_what_is_stored_names_no_machine(path: Path) -> None:
    text = path.read_text()
    assert not [word for word in (str(Path.home()), "/tmp", "image/") if word in text]  # noqa: S108  # not used
    assert len(text) < 100_000
