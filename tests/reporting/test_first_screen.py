"""A report as a reader meets it: the first screen, the page closed, scrolled through, and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from browser import pdf_text
from browser.tab import DRAWN, Opened, chromium, opened
from irgauge.reporting.report import Report, report
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate

DESIGN = Design(systems=129, families=9, topics=25, depth=50, corpus_size=600, relevant_median=20, seed=3)
FEW: dict[str, Any] = {"shards": "even:3", "resamples": 1, "images": 10}
WORDS = 60  # above the first chart
CLOSED = 4000  # pixels of the page, all questions closed
SHIFT = 0.05  # of the layout, while scrolling
PAGES = 12  # of paper
DESK, PHONE, WIDE = (1440, 900), (390, 844), (1600, 900)

VISIBLE_WORDS = """() => {
    const chart = document.querySelector(".chart svg, .chart canvas").getBoundingClientRect();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words = [];
    while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        const { top, bottom, width } = range.getBoundingClientRect();
        const isSeen = texts.currentNode.parentElement.checkVisibility() && width > 1 && top >= 0;
        if (isSeen && bottom <= chart.top) words.push(...texts.currentNode.textContent.match(/\\S+/g) ?? []);
    }
    for (const select of document.querySelectorAll("select")) {
        if (select.checkVisibility()) words.push(...select.selectedOptions[0].textContent.trim().split(/\\s+/));
    }
    return words;
}"""
SHIFTS = """new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; })
        .observe({ type: "layout-shift", buffered: true });
    const step = () => {
        const end = document.documentElement.scrollHeight;
        if (scrollY + innerHeight >= end - 1) return setTimeout(() => done(sum), 300);
        scrollBy(0, 400);
        setTimeout(step, 60);
    };
    step();
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def made() -> Report:
    return report(simulate(DESIGN).collection(), ["AP", "nDCG@10"], **FEW)


@pytest.fixture(scope="module")
def address(made: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("first") / "report.html"
    made.save(path)
    return path.as_uri()


def tab_of(browser: Browser, address: str, size: tuple[int, int], scheme: str = "light") -> Opened:
    page = opened(browser, address, size[0], height=size[1], color_scheme=scheme)
    page.tab.locator("#front").locator(DRAWN).first.wait_for()
    return page


def last_system(made: Report, measure: str = "AP") -> str:
    return made.ran["score"].results[0].of(measure)[-1].system


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_answer_the_picture_and_the_facts_need_no_scrolling(
    browser: Browser, address: str, made: Report, size: tuple[int, int]
) -> None:
    page = tab_of(browser, address, size)
    words = page.tab.evaluate(VISIBLE_WORDS)
    assert 10 < len(words) <= WORDS
    compared = made.ran["compare"].results[0].first.under("topics")
    headline = page.tab.get_by_role("heading", level=1).inner_text()
    assert headline.startswith(
        f"By AP, {compared.systems[0]} is the best of 129 systems (mean {compared.means[0]:.3f}); "
    )
    assert headline.endswith(" significantly from it.")
    assert " for other topics " in headline
    facts = page.tab.locator(".cards li:visible")
    assert 3 <= facts.count() <= 5
    bottom = facts.last.evaluate("one => one.getBoundingClientRect().bottom")
    assert bottom <= size[1]
    names = page.tab.locator("#panel-answer .chart").inner_text()
    assert sum(system in names for system in compared.systems[:20]) == 20
    assert last_system(made) not in names
    page.tab.close()


def test_the_rest_of_the_picture_is_one_click_away(browser: Browser, address: str, made: Report) -> None:
    page = tab_of(browser, address, DESK)
    page.tab.get_by_role("button", name="All 129 systems").click()
    page.tab.locator("#panel-answer .chart").get_by_text(last_system(made), exact=True).wait_for()
    assert page.tab.locator(".for-all[data-name=systems]").input_value() == "all"
    page.tab.get_by_role("button", name="All 129 systems").click()
    assert page.tab.locator(".for-all[data-name=systems]").input_value() == "best 20"
    page.tab.close()


def test_a_wide_screen_has_an_index_at_its_side(browser: Browser, address: str) -> None:
    page = tab_of(browser, address, WIDE)
    index = page.tab.locator("nav.index")
    assert index.is_visible()
    assert not page.tab.locator(".menu.contents").is_visible()
    assert index.bounding_box()["x"] == 0  # type: ignore[index]  # it is seen
    assert page.tab.locator("#front").bounding_box()["x"] >= index.bounding_box()["width"]  # type: ignore[index]
    index.get_by_text("How large must the next experiment be?").click()
    page.tab.locator("nav.index a[aria-current]").first.wait_for()
    page.tab.close()


def test_what_does_not_apply_is_a_line_not_a_section(browser: Browser, address: str) -> None:
    page = tab_of(browser, address, DESK)
    assert page.tab.locator(".question .note").count() == 0
    left_out = page.tab.locator(".left-out p")
    assert "Not shown: Which algorithm is better when each run of it differs?" in left_out.last.inner_text()
    assert page.tab.locator(".menu.contents a[href='#section-instances']").count() == 0
    page.tab.close()


def test_a_closed_page_is_short_and_stands_still(browser: Browser, address: str) -> None:
    page = tab_of(browser, address, DESK)
    height = "document.documentElement.scrollHeight"
    before = page.tab.evaluate(height)
    assert before <= CLOSED
    assert page.tab.evaluate(SHIFTS) <= SHIFT
    assert page.tab.evaluate(height) == pytest.approx(before, abs=20)  # nor does it grow
    assert page.tab.locator(".question .answer:visible").count() >= 8
    undrawn = ".question:has(.closed .chart) .closed:not(:has(svg, canvas))"
    assert page.tab.locator(undrawn).count() == 0
    assert page.errors == []
    assert page.requests == [address]
    page.tab.close()


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (DESK, "dark"), (PHONE, "light")])
def test_axe_finds_no_barrier(browser: Browser, address: str, size: tuple[int, int], scheme: str) -> None:
    page = tab_of(browser, address, size, scheme)
    page.tab.evaluate(SHIFTS)  # so that all is drawn
    assert page.barriers() == []
    page.tab.close()


def test_paper_has_few_pages_and_every_system(browser: Browser, address: str, made: Report) -> None:
    page = tab_of(browser, address, DESK)
    height = page.tab.evaluate("document.documentElement.scrollHeight")
    printed = pdf_text.pages(page.tab.pdf(format="A4"))
    assert len(printed) <= PAGES
    page.tab.wait_for_function("height => document.documentElement.scrollHeight === height", arg=height)  # as before
    assert page.tab.locator(".about[open]").count() == 0
    assert last_system(made) in " ".join(printed)
    page.open("mean-table")
    page.panel("mean-table")
    opened_too = pdf_text.pages(page.tab.pdf(format="A4"))
    assert len(opened_too) > len(printed)
    heads = [text for text in opened_too if "system" in text and "high" in text]
    assert len(heads) > 1  # on every page of the table
    assert " ".join(opened_too).count(last_system(made)) > " ".join(printed).count(last_system(made))
    page.tab.close()


def test_a_table_of_one_population_shows_its_facts(browser: Browser, tmp_path: Path) -> None:
    runs = simulate(Design(systems=3, families=3, topics=8, depth=30, corpus_size=300, seed=1)).collection()
    report(score(runs, ["AP"])).save(tmp_path / "table.html")
    page = tab_of(browser, f"{(tmp_path / 'table.html').as_uri()}#100%", DESK)  # whatever the address says
    labels = " ".join(page.tab.locator(".cards li:visible").all_inner_texts())
    assert "in the top group" in labels
    assert "of 3 pairs differ" in labels
    assert "In these scores of AP, ω² is" in page.tab.locator("#section-anova .answer").inner_text()
    assert page.errors == []
    page.tab.close()


def test_each_fact_is_shown_once_whatever_is_chosen(browser: Browser, address: str) -> None:
    page = tab_of(browser, address, DESK)
    for population in ("documents", "both", "topics"):
        page.tab.locator(".for-all[data-name=population]").select_option(population)
        facts = page.tab.locator(".cards li:visible").evaluate_all("all => all.map((one) => one.dataset.fact)")
        assert len(facts) == len(set(facts)) >= 3
    page.tab.close()
