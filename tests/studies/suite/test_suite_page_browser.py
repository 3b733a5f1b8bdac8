"""The page of a suite in a real browser, wide and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import irgauge as ig
from browser.tab import chromium, opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def address(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("page") / "suite.html"
    ig.suite(suite, "AP", baseline="F1-1", margin=0.02).save(page)
    return page.as_uri()


@pytest.mark.parametrize("width", [1100, 390])
def test_it_draws_and_follows_the_population(width: int, browser: Browser, address: str) -> None:
    page = opened(browser, address, width)
    page.draw("answer", "ranks", "cells")
    headline = page.tab.locator("h1 span:visible")
    assert "for other topics of these collections" in headline.inner_text()
    page.tab.evaluate(
        """() => {
            const one = document.querySelector("select[data-name=population]");
            one.value = "collections";
            one.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    assert "for other collections" in headline.inner_text()
    assert page.errors == []
    assert page.barriers() == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
