"""What the studies' commands print, whole: the pages of tests/golden, which `make golden` writes anew."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from golden import PAGES, played, printed, write_collections


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    write_collections(folder)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_their_page_says(page: Path, collections: Path) -> None:
    expected = page.read_text(encoding="utf-8")
    assert played(expected, collections) == expected, "if this is what it should print, run make golden"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_commands_write_as_json_fits_the_schema_of_the_study(page: Path, collections: Path) -> None:
    schema = json.loads((files("irgauge") / "schemas" / f"{page.stem}.json").read_text("utf-8"))
    for command in re.findall(r"^\$ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        if "--table" not in command:  # which writes that alone
            written = printed(f"{command} --format json -q", collections)[1]
            Draft202012Validator(schema).validate(json.loads(written[written.index("{\n") :]))
