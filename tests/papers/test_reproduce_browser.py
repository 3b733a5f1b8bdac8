"""The page of a reproduction in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.tab import Opened, chromium, visited
from irgauge.papers.reproduce import reproduce

KEY = "zobel-rashidi-2020-figure-1"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def page(browser: Browser, demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Simulated data in place of TREC-8: a figure with values that differ, and tables that need data."""
    folder = tmp_path_factory.mktemp("collections")
    (folder / "trec8").symlink_to(demo)
    names = ["zobel-rashidi-2020/figure-1", "zobel-rashidi-2020/figure-7", "jayasinghe-2014"]
    path = tmp_path_factory.mktemp("page") / "reproduction.html"
    reproduce(names, folder).save(path)
    yield from visited(browser, path.as_uri())


def test_the_page_shows_values_and_draws_figures(page: Opened) -> None:
    verdicts = page.column(f"{KEY}-values", 7)
    assert "differs" in verdicts
    assert "needs data" in verdicts
    page.draw(f"{KEY}-trec8-1")
    assert "Not shown:" in page.tab.locator("#section-zobel-rashidi-2020-figure-7").inner_text()
    assert "gov2-csi" in page.panel("data").inner_text()


def test_the_page_has_no_barriers(page: Opened) -> None:
    page.draw(f"{KEY}-trec8-1")
    assert page.barriers() == []
