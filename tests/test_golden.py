"""What the studies' commands print, whole: the pages of tests/golden, which `make golden` writes anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden import PAGES, played, write_collections


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    write_collections(folder)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_their_page_says(page: Path, collections: Path) -> None:
    expected = page.read_text(encoding="utf-8")
    assert played(expected, collections) == expected, "if this is what it should print, run make golden"
