"""The Chromium of the system, driven without a network, and a page that it opened."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, sync_playwright
from playwright.sync_api import Page as Tab

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DRAWN = ".chart svg, .chart canvas"


@dataclass(frozen=True)
class Opened:
    tab: Tab
    errors: list[str] = field(default_factory=list)  # and warnings
    requests: list[str] = field(default_factory=list)

    def panel(self, key: str) -> Locator:
        panel = self.tab.locator(f"#panel-{key}")
        self.open(key)
        panel.scroll_into_view_if_needed()
        panel.locator(".seen").wait_for(state="attached")
        self.tab.wait_for_function("key => !document.querySelector(`#panel-${key} .waiting`)", arg=key)
        return panel

    def open(self, key: str) -> None:
        """Open what the panel is closed in, and what is said about it."""
        self.tab.evaluate(
            """key => {
                const panel = document.getElementById(`panel-${key}`);
                for (let one = panel; (one = one.parentElement?.closest("details")); ) one.open = true;
                panel.querySelector(".about").open = true;
            }""",
            key,
        )

    def draw(self, *keys: str) -> None:
        for key in keys:
            self.panel(key)
            self.tab.locator(f"#panel-{key}").locator(DRAWN).first.wait_for()

    def column(self, key: str, index: int) -> list[str]:
        return self.panel(key).locator(f"tbody td:nth-child({index})").all_inner_texts()

    def saved(self, button: Locator) -> tuple[str, bytes]:
        with self.tab.expect_download() as download:
            button.click()
        return download.value.suggested_filename, Path(download.value.path()).read_bytes()

    def barriers(self) -> list[tuple[str, list[str]]]:
        """What axe-core finds."""
        self.tab.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        found = self.tab.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
        return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]


def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("there is no Chromium; make browser installs it where it can")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium's sandbox refuses root
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


def opened(browser: Browser, address: str, width: int = 1000, height: int = 800, **settings: Any) -> Opened:  # noqa: ANN401  # playwright's
    page = Opened(browser.new_page(viewport={"width": width, "height": height}, **settings))
    page.tab.set_default_timeout(10_000)
    page.tab.on("console", lambda one: page.errors.append(one.text) if one.type in ("error", "warning") else None)
    page.tab.on("pageerror", lambda error: page.errors.append(str(error)))
    page.tab.on("request", lambda request: page.requests.append(request.url))
    page.tab.goto(address)
    return page


def visited(browser: Browser, address: str, width: int = 1000) -> Iterator[Opened]:
    """A page for one test: without errors or warnings at its end, and without a word to any network."""
    page = opened(browser, address, width)
    yield page
    page.tab.close()
    assert page.errors == []
    assert [url for url in page.requests if url.split(":")[0] not in ("file", "data", "blob")] == []
