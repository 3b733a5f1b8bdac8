"""A report whose systems, topics and measure have hostile names: in a real browser, and as a bundle of files."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import irgauge as ig
from browser.tab import Opened, chromium, visited
from irgauge.reporting.report import Report, report
from irgauge.show.bundle import write_bundle
from irgauge.show.html import render
from irgauge.show.table import FORMS, Table
from oracles.hostile_names import OF_CHARTS, OF_LATEX, OF_MARKDOWN, OF_OBJECTS, OF_PAGES, OF_TERMINALS, unseen, written

MEASURE = "</script>\u202e"
SYSTEMS = (*OF_OBJECTS[:3], *OF_PAGES[:5], "white", "=1+1", "a.b[0]", *OF_TERMINALS[:5])
TOPICS = (*OF_OBJECTS, *OF_CHARTS, *OF_MARKDOWN[:3], *OF_LATEX[:3], *OF_TERMINALS[:3])
CHARTS = ("answer", "means", "pairs-map", "main-effects")


@pytest.fixture(scope="module")
def found() -> Report:
    scores = {system: {topic: score(s, t) for t, topic in enumerate(TOPICS)} for s, system in enumerate(SYSTEMS)}
    return report(ig.load_scores(scores, measure=MEASURE))


def score(system: int, topic: int) -> float:
    """Some score, with effects and an error."""
    return system / 60 + (7 * topic % 11) / 40 + ((5 * system + 3 * topic) ** 2 % 13) / 40


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def address(found: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    path.write_text(render(found.page), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Opened]:
    yield from visited(browser, address)


def table_of(found: Report, key: str) -> Table:
    tables = {panel.key: panel.variants[0].table for section in found.page.sections for panel in section.panels}
    table = tables[key]
    assert table is not None
    return table


def test_nothing_runs_and_every_panel_shows_the_names(page: Opened) -> None:
    keys = page.tab.evaluate("[...document.querySelectorAll('.panel')].map((one) => one.dataset.key)")
    assert set(CHARTS) < set(keys)
    for key in keys:
        page.panel(key)
    page.draw(*CHARTS)
    assert sorted(page.column("mean-table", 1)) == sorted(written(re.sub(r"\s", " ", name)) for name in SYSTEMS)
    assert page.tab.title() != "ran"
    assert page.tab.locator("script:not([type])").count() == 3  # the theme, Vega, and ours
    assert page.tab.locator("img, svg[onload]").count() == 0
    assert not unseen(page.tab.locator("main").inner_text()) - {"\u2060", "\t"}
    drawn = page.panel("means").locator(".chart").inner_text()
    assert all(name in drawn for name in OF_OBJECTS[:3])


def test_a_system_of_any_name_is_marked_in_charts_and_tables(page: Opened) -> None:
    page.draw("means")
    full = "one => +getComputedStyle(one).opacity > 0.5"
    for name in ("constructor", "__proto__", r"abc\u202edef"):
        page.tab.locator("#mark").fill(name)
        page.tab.keyboard.press("Enter")
        assert page.panel("mean-table").locator("tbody mark").all_inner_texts() == [name]
        bars = "[...document.querySelectorAll('#panel-means .mark-rule line')]"
        page.tab.wait_for_function(f"{bars}.length > {bars}.filter({full}).length && {bars}.some({full})")
        page.tab.get_by_role("button", name="Clear").click()


def test_charts_of_systems_by_name_and_dark_are_drawn(page: Opened) -> None:
    page.draw(*CHARTS)
    before = page.panel("means").locator(".chart path").count()
    page.tab.locator("#order").select_option("name")
    page.tab.locator("#theme").click()
    page.draw(*CHARTS)
    page.tab.wait_for_function(
        "count => document.querySelectorAll('#panel-means .chart path').length === count", arg=before
    )
    assert "white" in page.panel("means").locator(".chart").inner_text()


@pytest.mark.parametrize(("word", "form"), [("CSV", "csv"), ("Markdown", "markdown"), ("LaTeX", "latex")])
def test_tables_are_saved_with_their_names_as_python_writes_them(
    page: Opened, found: Report, word: str, form: str
) -> None:
    _, content = page.saved(page.panel("anova").get_by_role("button", name=word))
    assert content.decode().splitlines()[0] == FORMS[form](table_of(found, "anova")).splitlines()[0]
    _, content = page.saved(page.panel("mean-table").get_by_role("button", name=word))
    saved, expected = content.decode(), FORMS[form](table_of(found, "mean-table"))
    if form == "csv":  # numbers of a page have fewer digits
        saved, expected = ("\n".join(line.rsplit(",", 5)[0] for line in text.split("\n")) for text in (saved, expected))
    assert saved == expected


def test_a_bundle_has_files_of_plain_names_that_hold_the_names(found: Report, tmp_path: Path) -> None:
    page = found.page
    write_bundle(tmp_path / "bundle", page, render(page), found.to_dict())
    files = {str(path.relative_to(tmp_path / "bundle")) for path in tmp_path.rglob("*") if path.is_file()}
    assert all(file.isascii() and file.replace("/", "").replace(".", "").replace("-", "").isalnum() for file in files)
    assert {"report.html", "results.json"} < files
    assert any(file.startswith("charts/means-") and file.endswith(".png") for file in files)
    assert json.loads((tmp_path / "bundle" / "results.json").read_text(encoding="utf-8"))
    text = (tmp_path / "bundle" / "tables").glob("mean-table*.md").__next__().read_text(encoding="utf-8")
    assert r"\_\_proto\_\_" in text
    assert not unseen(text)


def test_the_page_has_no_sign_that_is_not_seen(found: Report) -> None:
    texts = re.sub("<script.*?</script>", "", render(found.page), flags=re.DOTALL)
    assert not unseen(html.unescape(texts))
