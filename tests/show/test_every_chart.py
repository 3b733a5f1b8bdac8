"""Every chart of every study in a real browser: its texts are large enough, whole, inside of it and apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from website.examples import DESIGN, Examples, result_of

import irgauge as ig
from browser.tab import chromium, opened
from irgauge.errors import DesignError
from irgauge.show import html
from irgauge.show.page import Front, Page, Panel, Section, Variant
from irgauge.show.safe_html import page_file
from irgauge.simulation.collections import simulate
from irgauge.studies.registry import studies
from irgauge.studies.result import Result

SMALLEST = 12  # pixels
WIDE, NARROW = 1400, 390
MEASURED = Path(ig.__file__).parents[2] / "tests/browser/chart_texts.js"
DRAWN = """() => {
    const waiting = [...document.querySelectorAll(".chart-part.waiting")].filter((one) => one.checkVisibility());
    waiting[0]?.scrollIntoView();
    return !waiting.length && [...document.querySelectorAll(".chart")].every((one) => one.querySelector("svg"));
}"""
SLOW = {"calibrate", "check", "holes", "bootstrap"}  # whose examples take seconds: smaller ones below
LONG = "SPLADE_P_P_ENSEMBLE_DISTIL"  # of TREC DL 2020


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


def many() -> Iterator[Result]:
    """What is asked of 129 systems on 50 topics, one with a long name."""
    runs = simulate(replace(DESIGN, systems=129, families=30, topics=50, depth=20, corpus_size=600)).collection()
    yield ig.compare(runs, "AP", shards="even:2")
    yield ig.robustness(runs, "AP", shards=(2, 3), resamples=1)
    yield ig.anova(runs, "AP", shards="even:2")
    yield ig.topics(runs, "AP")
    yield ig.pools(runs.only([0, 100]), ["AP", "RR"], images=5, depths=[5, 10])


def few(folder: Path) -> Iterator[Result]:
    """The example of each study, and a table of scores whose systems have long names."""
    made = Examples(folder)
    for study in studies().values():
        if study.name not in SLOW and (result := result_of(made, study)) is not None:
            yield result
    yield ig.bootstrap(made.runs, ["AP", "RR"], images=5)
    names = (LONG, "BM25", "BM25_RM3", "D_BERT_KD_TASB", "OPEN_AI_ADA2", "REP_LLAMA")
    scores = {name: {str(t): (0.3 + 0.1 * s + 0.07 * t) % 1 for t in range(54)} for s, name in enumerate(names)}
    yield ig.compare(scores)


def page_of(results: Iterator[Result]) -> Page:
    """A section for each chart, so that each is seen small too, beside its answer."""
    sections = []
    for i, result in enumerate(results):
        for name in result.charts():
            key = f"{result.study}-{i}-{name.replace(':', '-')}"
            try:
                panel = Panel(key, name, "", (Variant(figure=result.chart(name)),))
            except DesignError:  # these data have none
                continue
            sections.append(Section(key, name, (), (panel,)))
    return Page("Charts", "", Front(()), (), (), tuple(sections), (), ())


@pytest.fixture(scope="module", params=["few", "many"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("charts")
    path = folder / "charts.html"
    with pytest.MonkeyPatch.context() as patch:  # drawn of elements, whose places can be asked for
        patch.setattr(html, "page_file", lambda name: page_file(name).replace("const MANY = 3000", "const MANY = 1e9"))
        path.write_text(html.render(page_of(few(folder) if request.param == "few" else many())), encoding="utf-8")
    return path.as_uri()


def has_no_room(fault: str, width: int) -> bool:
    """Long names below a small matrix, and on a phone at the side; there a grid of panels scrolls."""
    if width == WIDE:
        return "-pairs: cut: " in fault
    return ": cut: " in fault or (fault.startswith("pools-") and ": scrolls: " in fault)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_texts_of_charts_are_large_whole_and_apart(browser: Browser, address: str, width: int) -> None:
    page = opened(browser, address, width)
    page.tab.wait_for_function(DRAWN, timeout=60_000)
    page.tab.wait_for_timeout(500)  # titles on several lines are drawn a second time
    faults: list[str] = page.tab.evaluate(MEASURED.read_text(encoding="utf-8"), SMALLEST)
    assert [fault for fault in faults if not has_no_room(fault, width)] == []
    assert page.errors == []
    page.tab.close()
