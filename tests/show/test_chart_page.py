"""A chart as a page of its own, in a real browser: whatever names it holds, nothing runs but our own scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import irgauge as ig
from browser.tab import Opened, chromium, visited
from oracles.hostile_names import NAMES, OF_OBJECTS, OF_PAGES


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The chart of a comparison whose systems and topics have hostile names."""
    topics = list(enumerate(NAMES[:20]))
    scores = {name: {topic: 0.1 * (t + s) % 0.9 for t, topic in topics} for s, name in enumerate(NAMES)}
    path = tmp_path_factory.mktemp("chart") / "chart.html"
    ig.compare(scores).chart().save(path)
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Opened]:
    yield from visited(browser, address)


def test_the_chart_is_drawn_and_no_name_runs(page: Opened) -> None:
    page.tab.locator("#chart canvas, #chart svg").first.wait_for()
    assert page.tab.title() != "ran"
    assert page.tab.locator("script:not([type])").count() == 2  # Vega, and what draws
    assert page.tab.locator("img[src=x]").count() == 0


def test_a_pointer_over_marks_shows_their_names_as_they_are(page: Opened) -> None:
    chart = page.tab.locator("#chart canvas, #chart svg").first
    chart.wait_for()
    box = chart.bounding_box()
    assert box is not None
    texts = []
    for y in range(0, int(box["height"]), 6):
        page.tab.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + y)
        texts += page.tab.locator("#vg-tooltip-element.visible").all_inner_texts()
    shown = "\n".join(texts)
    assert sum(name in shown for name in (*OF_OBJECTS, *OF_PAGES)) >= 3
    assert page.tab.locator("#vg-tooltip-element").locator("img, svg, script").count() == 0
    assert page.tab.title() != "ran"


def test_another_script_is_refused(browser: Browser, address: str, tmp_path: Path) -> None:
    before, after = Path(address.removeprefix("file://")).read_text(encoding="utf-8").rsplit("</body>", 1)
    more = f"{before}<script>document.title = 'ran'</script></body>{after}"
    (tmp_path / "more.html").write_text(more, encoding="utf-8")
    tab = browser.new_page()
    refused: list[str] = []
    tab.on("console", lambda one: refused.append(one.text))
    tab.goto((tmp_path / "more.html").as_uri())
    tab.locator("#chart canvas, #chart svg").first.wait_for()
    assert tab.title() != "ran"
    assert any("Content Security Policy" in text for text in refused)
    tab.close()


def test_pages_may_not_ask_the_network_nor_make_functions_of_texts(browser: Browser, address: str) -> None:
    policy = browser.new_page()
    policy.goto(address)
    rules = policy.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content") or ""
    policy.close()
    assert rules.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in rules
    assert "http" not in rules
    assert "'unsafe-inline'" not in rules.split("style-src")[0]
