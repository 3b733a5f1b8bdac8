"""The report in a real browser: the Chromium of the system, driven without a network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser import pdf_text, sample
from browser.tab import DRAWN, Opened, chromium, opened, visited
from irgauge.show.html import render
from irgauge.show.table import FORMS

WIDTHS = (360, 800, 1400)
PAPER = 688  # pixels: A4 less its margins


def draw_all(page: Opened) -> None:
    page.panel("numbers")
    page.draw("answer", "bars", "wide")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(sample.page()), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def report(browser: Browser, address: str) -> Iterator[Opened]:
    yield from visited(browser, address)


def test_charts_are_drawn_when_they_come_into_view(report: Opened) -> None:
    draw_all(report)
    assert report.tab.locator(DRAWN).count() == 3
    chart = report.panel("bars").get_by_role("img")
    assert chart.get_attribute("aria-label") == "Bars of AP topics. Four bars that rise."
    assert report.panel("bars").locator(".seen").text_content() == "Bars of AP topics"
    assert "Drawn by hand." in report.panel("bars").locator("figcaption").inner_text()
    assert report.panel("wide").locator(".table-title").inner_text() == "Topics"
    caption = report.panel("wide").locator("figcaption").inner_text()
    assert caption == "Both. Side by side. Charts of bars, drawn by hand. All topics."  # once


def test_a_pointer_over_a_mark_shows_its_values(report: Opened) -> None:
    report.panel("bars").locator(".mark-rect path").last.hover()
    assert "s1" in report.tab.locator("#tip").inner_text()


def test_tables_sort_by_a_column_and_back(report: Opened) -> None:
    header = report.panel("numbers").locator("th").nth(0)
    button = header.get_by_role("button")
    given = list(sample.SYSTEMS)
    orders = [("ascending", [given[2], "s1", "s9", "s10"]), ("descending", ["s10", "s9", "s1", given[2]])]
    for name, order in [*orders, ("none", given)]:
        button.focus()
        report.tab.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == name
        assert report.column("numbers", 1) == order
    report.panel("numbers").locator("th").nth(1).get_by_role("button").click()
    assert report.column("numbers", 2) == ["1.0e-07", "0.0312", "1.0000", "–"]  # undefined comes last


def test_tables_filter_all_rows(report: Opened) -> None:
    wide = report.panel("wide")
    assert wide.locator(".count").inner_text() == f"{sample.LONG} rows"
    wide.get_by_label("Filter rows").fill("t24 long")
    assert report.column("wide", 1) == ["t24", *(f"t24{i}" for i in range(10))]
    assert wide.locator(".count").inner_text() == f"11 of {sample.LONG} rows"


def test_one_set_of_switches_sets_all_panels_and_findings(report: Opened) -> None:
    bar, headline = report.tab.locator(".bar"), report.tab.get_by_role("heading", level=1)
    answer = report.tab.locator("#section-systems .answer")
    assert headline.inner_text() == answer.inner_text() == "s1 is the best."
    assert report.tab.locator(".cards li:visible b").all_inner_texts() == ["4", "1"]
    bar.get_by_label("Population").select_option("other documents")
    assert report.panel("bars").locator(".seen").text_content() == "Bars of AP documents"
    assert report.tab.locator(".cards li:visible b").all_inner_texts() == ["5", "1"]
    bar.get_by_label("Measure").select_option("P@5")  # there is no P@5 for documents
    for key in ("bars", "answer"):
        assert report.panel(key).locator(".seen").text_content() == "Bars of P@5 topics"
    assert "P@5" in report.panel("bars").locator(".chart").inner_text()
    assert report.column("numbers", 2)[0] == "5.0000"
    assert headline.inner_text() == answer.inner_text() == "s9 is the best."
    told = report.tab.locator("#section-systems .told li:visible .quote")
    assert told.all_inner_texts() == ["None do."]


@pytest.mark.parametrize(("kind", "start"), [("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("PDF", b"%PDF-1.4")])
def test_charts_are_saved_with_title_and_caption(report: Opened, kind: str, start: bytes) -> None:
    name, content = report.saved(report.panel("bars").get_by_role("button", name=kind))
    assert name == f"bars-AP-topics.{kind.lower()}"
    assert content.startswith(start)
    if kind == "SVG":
        assert b"Bars of AP topics" in content
        assert b"Drawn by hand." in content
    if kind == "PDF":
        assert content.endswith(b"%%EOF\n")
        table = int(content.split(b"startxref\n")[1].split()[0])
        assert content[table:].startswith(b"xref")


@pytest.mark.parametrize(("word", "ending", "form"), [("Markdown", "md", "markdown"), ("LaTeX", "tex", "latex")])
def test_tables_are_saved_as_python_writes_them(report: Opened, word: str, ending: str, form: str) -> None:
    name, content = report.saved(report.panel("numbers").get_by_role("button", name=word))
    assert name == f"numbers-AP-topics.{ending}"
    assert content.decode() == FORMS[form](sample.table("AP topics", 1.0))
    _, content = report.saved(report.panel("wide").get_by_role("button", name=word))
    assert content.decode() == FORMS[form](sample.long_table())


def test_csv_has_the_rows_that_are_kept_in_their_order(report: Opened) -> None:
    numbers = report.panel("numbers")
    numbers.get_by_label("Filter rows").fill("s")
    numbers.locator("th").nth(2).get_by_role("button").click()
    _, content = report.saved(numbers.get_by_role("button", name="CSV"))
    lines = content.decode().splitlines()
    assert lines[:3] == ["system,mean,rank,extra,group", "s9,0.03125,1,two,a", f"{sample.EVIL},,2,0.5,b"]


def test_tables_and_findings_are_copied(browser: Browser, address: str) -> None:
    page = opened(browser, address, permissions=["clipboard-read", "clipboard-write"])
    page.panel("numbers").get_by_role("button", name="Copy", exact=True).click()
    page.tab.locator("#panel-numbers button:has-text('Copied')").wait_for()
    assert page.tab.evaluate("navigator.clipboard.readText()").startswith(
        "system\tmean\trank\textra\tgroup\ns10\t1.0000\t3"
    )
    page.tab.get_by_role("button", name="Copy the answer: Which systems differ?").click()
    page.tab.locator("#section-systems .copy-answer:has-text('Copied')").wait_for()
    assert page.tab.evaluate("navigator.clipboard.readText()") == "s1 is the best. (by hand; seed 3)"
    page.tab.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_only_charts_and_tables_scroll_sideways(browser: Browser, address: str, width: int) -> None:
    page = opened(browser, address, width)
    draw_all(page)
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    drawn, room = (page.tab.locator(name).first.bounding_box() for name in (DRAWN, ".chart-box"))
    assert drawn is not None
    assert room is not None
    assert drawn["width"] <= room["width"] + 1  # a single chart is fitted
    page.tab.close()


def cut_off(page: Opened) -> list[str]:
    """Charts, tables and boxes that reach over the paper or out of their boxes."""
    return page.tab.evaluate(
        """paper => [...document.querySelectorAll(".chart svg, .chart canvas, table, .chart-box, .table-box")]
            .filter(one => one.getBoundingClientRect().right > paper + 1 || one.getBoundingClientRect().height > 1000
                && one.closest(".chart") || one.matches("div") && (one.scrollWidth > one.clientWidth + 1
                || getComputedStyle(one).overflowX !== "visible"))
            .map(one => one.outerHTML.slice(0, 80))""",
        PAPER,
    )


def test_printing_shows_what_is_open_whole_and_light(browser: Browser, address: str, tmp_path: Path) -> None:
    page = opened(browser, address, 1400, color_scheme="dark")
    waiting = "[...document.querySelectorAll('.waiting')].map(one => one.closest('.panel').dataset.key)"
    assert page.tab.pdf(path=tmp_path / "page.pdf", format="A4").startswith(b"%PDF")
    assert page.tab.evaluate(waiting) == ["numbers"]  # it is closed
    assert page.tab.evaluate("document.documentElement.dataset.theme") == "dark"  # again
    page.open("numbers")
    page.tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.tab.evaluate(waiting) == []
    assert page.tab.evaluate("document.documentElement.dataset.theme") == "light"
    page.tab.emulate_media(media="print")
    page.tab.set_viewport_size({"width": PAPER, "height": 1000})
    assert cut_off(page) == []
    assert page.tab.locator(DRAWN).count() == 3
    page.tab.close()


def test_paper_has_warnings_methods_and_answers_whole_and_in_letters_of_seven_points(
    browser: Browser, tmp_path: Path
) -> None:
    methods = tuple((f"Step {i}", f"In step {i} we do as before. " * (5 + i % 4)) for i in range(40))
    written = replace(sample.page(), methods=methods)
    path = tmp_path / "report.html"
    path.write_text(render(written), encoding="utf-8")
    page = opened(browser, path.as_uri(), 1400)
    page.draw("answer", "bars")  # charts that were drawn for the screen are not scaled
    pdf = page.tab.pdf(format="A4")
    paper = [text.replace(" ", "") for text in pdf_text.pages(pdf)]
    assert len(paper) > 3
    for sentence in (*written.warnings, "s1 is the best.", *written.references, *(text for _, text in methods)):
        assert any(sentence.replace(" ", "") in text for text in paper), sentence
    assert pdf_text.smallest(pdf) >= 7
    assert page.tab.locator(".fold[open]").count() == 0  # again
    page.tab.close()


def test_a_page_that_prints_all_opens_what_is_closed(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "all.html"
    path.write_text(render(replace(sample.page(), prints_all=True)), encoding="utf-8")
    page = opened(browser, path.as_uri(), 1400)
    texts = " ".join(pdf_text.pages(page.tab.pdf(format="A4")))
    assert page.tab.locator(".waiting").count() == 0
    for text in ("Twice.", "0.0312", "A paper."):  # of the methods, of a closed table, of the references
        assert text.replace(" ", "") in texts.replace(" ", "")
    assert page.tab.locator(".fold[open]").count() == 0  # again
    page.tab.close()


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1400, "light")])
def test_axe_finds_no_barrier(browser: Browser, address: str, width: int, scheme: str) -> None:
    page = opened(browser, address, width, color_scheme=scheme)
    draw_all(page)
    assert page.barriers() == []
    assert page.errors == []
    page.tab.close()


def test_light_and_dark_change_page_and_charts(report: Opened) -> None:
    report.panel("bars").locator("svg").wait_for()
    colour = "getComputedStyle(document.querySelector('#panel-bars svg text')).fill"
    light = report.tab.evaluate(colour)
    button = report.tab.get_by_role("button", name="Dark")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    report.panel("bars").locator("svg").wait_for()
    assert report.tab.evaluate(colour) != light


def test_the_first_key_leads_past_the_contents(report: Opened) -> None:
    report.tab.keyboard.press("Tab")
    assert report.tab.evaluate("document.activeElement.textContent") == "Skip to the content"
    report.tab.keyboard.press("Enter")
    assert report.tab.evaluate("document.activeElement.id") == "main"
