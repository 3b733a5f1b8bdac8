"""Every chart of every study in a real browser: its texts are large enough, whole, inside of it and apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from website.examples import DESIGN, KINDS, Examples, result_of

import irgauge as ig
from browser.tab import chromium, opened
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
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
SLOW = {"bootstrap"}  # whose example takes seconds: a smaller one below
NAMES = ("SPLADE_P_P_ENSEMBLE_DISTIL", "BM25", "BM25_RM3", "D_BERT_KD_TASB", "OPEN_AI_ADA2", "REP_LLAMA")  # of DL 2020


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
    yield ig.score(runs, ["AP", "RR"])
    yield ig.compare(runs, "AP", baseline=runs.systems[60], margin=0.02, topics_table=KINDS, by="length")
    yield ig.holes(runs, "P@5", groups={system: system.split("-")[0] for system in runs.systems})
    yield ig.teams(runs, "AP", groups={system: system.split("-")[0] for system in runs.systems})
    yield ig.sensitivity(runs, ["AP", "RR"], draws=19)
    yield ig.bootstrap(runs, "AP", images=3)


@dataclass(frozen=True)
class LongNames(Examples):
    """Six systems on 25 topics, with the names of modern runs."""

    @cached_property
    def runs(self) -> Collection:
        return replace(simulate(replace(DESIGN, systems=6, equal=0)).collection(), systems=NAMES)


def long(folder: Path) -> Iterator[Result]:
    """What is asked of systems with long names, by several measures and against a baseline."""
    made = LongNames(folder)
    runs, groups = made.runs, {name: name.split("_")[0] for name in NAMES}
    for name in ("anova", "effects", "partition", "robustness", "score", "topics", "sensitivity", "thinning", "teams"):
        if (result := result_of(made, studies()[name])) is not None:
            yield result
    yield ig.compare(runs, ["AP", "nDCG@10"], baseline="BM25", margin=0.02, topics_table=KINDS, by="length")
    yield ig.compare(runs, "AP", shards="even:2", topics_table=KINDS, by="length")
    yield ig.holes(runs, "nDCG@10", groups=groups)
    yield ig.bootstrap(runs, ["AP", "RR"], images=5)
    yield ig.plan(runs, "AP", shards="even:3", difference=0.05)
    people, judge = (
        {name: {str(t): (0.3 + 0.1 * s + k * t) % 1 for t in range(25)} for s, name in enumerate(NAMES)}
        for k in (0.07, 0.11)
    )
    yield ig.judges(people, {"gpt-4o-prompt20": judge})
    yield ig.suite({name: ig.score(runs, "AP") for name in ("robust04", "trec-covid", "msmarco-passage-2020")})


def few(folder: Path) -> Iterator[Result]:
    """The example of each study."""
    made = Examples(folder)
    for study in studies().values():
        if study.name not in SLOW and (result := result_of(made, study)) is not None:
            yield result
    yield ig.bootstrap(made.runs, ["AP", "RR"], images=5)


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


@pytest.fixture(scope="module", params=["few", "long", "many"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("charts")
    path = folder / "charts.html"
    with pytest.MonkeyPatch.context() as patch:  # drawn of elements, whose places can be asked for
        patch.setattr(html, "page_file", lambda name: page_file(name).replace("const MANY = 3000", "const MANY = 1e9"))
        made: dict[str, Callable[[], Iterator[Result]]] = {
            "few": lambda: few(folder),
            "long": lambda: long(folder),
            "many": many,
        }
        path.write_text(html.render(page_of(made[request.param]())), encoding="utf-8")
    return path.as_uri()


MATRICES = ("-pairs", "-decisions", "-agreement", "-collections")  # with long names below
PAIRS = ("-slices", "-best", "-errors")  # names of two systems, of a team and its system, of a test and its correction


def has_no_room(fault: str, width: int) -> bool:
    """Long names below a small matrix, on a phone those of two things; there a grid of panels scrolls."""
    chart, kind = fault.split(": ")[:2]
    if kind == "cut":
        return chart.endswith(MATRICES if width == WIDE else PAIRS)
    return width == NARROW and kind == "scrolls" and chart.startswith("pools-")


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_texts_of_charts_are_large_whole_and_apart(browser: Browser, address: str, width: int) -> None:
    page = opened(browser, address, width)
    page.tab.wait_for_function(DRAWN, timeout=60_000)
    page.tab.wait_for_timeout(500)  # titles on several lines are drawn a second time
    faults: list[str] = page.tab.evaluate(MEASURED.read_text(encoding="utf-8"), SMALLEST)
    assert [fault for fault in faults if not has_no_room(fault, width)] == []
    assert page.errors == []
    page.tab.close()
