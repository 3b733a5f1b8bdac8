"""Systems marked and sorted in the charts of a report, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from browser.tab import Opened, chromium, opened, visited
from irgauge.inference.intervals import MeanInterval, tukey_interval
from irgauge.reading.collection import Collection
from irgauge.show.figure import Figure
from irgauge.show.html import render
from irgauge.show.page import Front, Page, Panel, Reasons, Section, Variant
from irgauge.show.shared_charts import interval_series
from irgauge.show.table import Column, Record, Table
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.anova.section import interaction, main
from irgauge.studies.anova.study import anova
from irgauge.studies.bootstrap.charts import deviations, systems
from irgauge.studies.bootstrap.study import bootstrap
from irgauge.studies.compare.charts import intervals, pairs
from irgauge.studies.compare.reasons import reasons
from irgauge.studies.compare.study import Compared, compare

MANY = 70  # systems, more than have their names on an axis
KEYS = ("intervals", "pairs", "effects", "lines", "models", "boxes", "deviations", "many")
FADED = 0.15


@dataclass(frozen=True)
class Made:
    collection: Collection
    compared: Compared

    @property
    def means(self) -> dict[str, float]:
        means = self.compared.first.measured.values().mean(axis=(0, 2))  # of topic, system, shard
        return dict(zip(self.collection.systems, means.tolist(), strict=True))


@pytest.fixture(scope="module")
def made() -> Made:
    collection = simulate(Design(systems=12, families=1, topics=8, depth=60, corpus_size=900)).collection()
    return Made(collection, compare(collection, "AP", shards="even:3", test="tukey", population="documents"))


@pytest.fixture(scope="module")
def best(made: Made) -> list[str]:
    """The systems, best first."""
    return sorted(made.means, key=lambda name: -made.means[name])


def drawn(made: Made) -> dict[str, Figure]:
    analysed = anova(made.collection, "AP", shards="even:3")
    images = bootstrap(made.collection, ["AP"], images=20, seed=1)
    interval = tukey_interval(analysed.fit, made.collection.systems, population="documents")
    falling, names = np.linspace(0.9, 0.1, MANY), tuple(f"s{(9 * i) % MANY}" for i in range(MANY))
    wide = MeanInterval(names, "Tukey", falling, falling - 0.05, falling + 0.05, 0.05, "documents")
    return {
        "intervals": intervals(made.compared),
        "pairs": pairs(made.compared),
        "effects": main(analysed),
        "lines": interaction(analysed, "system:shard"),
        "models": interval_series({"MD6": interval}, "AP"),
        "boxes": systems(images),
        "deviations": deviations(images),
        "many": interval_series({"MD6": wide}, "AP"),
    }


def page(made: Made, best: list[str]) -> Page:
    panels = tuple(Panel(key, key, "", (Variant((), figure),)) for key, figure in drawn(made).items())
    rows: list[Record] = [{"rank": i, "system": name, "mean": made.means[name]} for i, name in enumerate(best, 1)]
    means = Table.of("means", "Means", rows, ["rank", Column("system", role="system"), "mean"])
    near: list[Record] = [{"upper": upper, "lower": lower, "best": best[0]} for upper, lower in pairwise(best)]
    columns = [Column("upper", role="system"), Column("lower", role="system"), Column("best")]  # best: only a text
    neighbours = Table.of("next", "Next", near, columns)
    tables = (
        Panel("means", "Means", "", (Variant((), table=means),)),
        Panel("next", "Next", "", (Variant((), table=neighbours),)),
    )
    sections = (Section("charts", "Charts", (), panels), Section("tables", "Tables", (), tables))
    compared = made.compared.first
    own = Reasons("AP", None, "By AP", tuple(reasons(compared, compared.comparison)))
    return Page("Systems", "", Front((), reasons=(own,)), (), (), sections, (), ())


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, made: Made, best: list[str]) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(page(made, best)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def report(browser: Browser, address: str) -> Iterator[Opened]:
    yield from visited(browser, address)


def opacities(report: Opened, key: str, field: str = "system") -> dict[str, float]:
    """The opacity of each system's last mark in a chart, as drawn."""
    report.draw(key)
    found: dict[str, float] = report.panel(key).evaluate(
        """(panel, field) => Object.fromEntries([...panel.querySelectorAll(".role-mark path, .role-mark line")]
            .filter(one => one.__data__.datum?.[field])
            .map(one => [one.__data__.datum[field], Number(getComputedStyle(one).opacity)]))""",
        field,
    )
    return found


def full(report: Opened, key: str) -> set[str]:
    return {name for name, opacity in opacities(report, key).items() if opacity > 0.5}


def point(report: Opened, key: str, system: str) -> tuple[float, float]:
    """Where the mark of a system is on the screen."""
    report.draw(key)
    x, y = report.panel(key).evaluate(
        """(panel, system) => {
            const own = [...panel.querySelectorAll(".mark-symbol.role-mark path")]
                .find(one => one.__data__.datum?.system === system);
            own.scrollIntoView({ block: "center" });
            const box = own.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        system,
    )
    return x, y


def height_of(report: Opened, system: str) -> float:
    """How far below the top of the chart of intervals the mark of a system is."""
    _, y = point(report, "intervals", system)
    top: float = report.panel("intervals").locator(".chart").evaluate("chart => chart.getBoundingClientRect().y")
    return y - top


def labels(report: Opened, key: str, axis: int = 0) -> list[str]:
    report.draw(key)
    names = (
        report.panel(key)
        .locator(".role-axis-label")
        .evaluate_all("all => all.map(one => [...one.querySelectorAll('text')].map(text => text.textContent))")
    )
    named = [texts for texts in names if any(re.match("[A-Za-z]", text) for text in texts)]
    return list(named[axis])


def marked(report: Opened) -> list[str]:
    return report.tab.locator("#marks .names button").all_inner_texts()


def drag(report: Opened, start: tuple[float, float], end: tuple[float, float], key: str | None = None) -> None:
    mouse = report.tab.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=5)
    assert report.tab.locator(".brush").count() == 1
    if key:
        report.tab.keyboard.down(key)
    mouse.up()
    if key:
        report.tab.keyboard.up(key)
    assert report.tab.locator(".brush").count() == 0


def test_a_click_marks_a_system_in_all_charts_and_tables_and_again_unmarks_it(report: Opened, best: list[str]) -> None:
    system = best[2]
    report.tab.mouse.click(*point(report, "intervals", system))
    for key in ("intervals", "effects", "models", "boxes", "deviations"):
        assert full(report, key) == {system}
    assert min(opacities(report, "boxes").values()) == FADED
    assert report.tab.locator("#said").inner_text().startswith(f"Marked: {system}. {system} is ")
    row = report.panel("means").locator("tr.marked")
    assert row.locator("mark").all_inner_texts() == [system]
    assert report.panel("next").locator("tr.marked").count() == 2
    report.tab.mouse.click(*point(report, "intervals", system))
    assert full(report, "boxes") == set(best)
    assert report.tab.locator("tr.marked, mark").count() == 0
    assert not report.tab.locator("#marks").is_visible()


def test_dragging_marks_the_systems_inside_and_with_shift_adds_to_them(report: Opened, best: list[str]) -> None:
    order = list(opacities(report, "intervals"))
    assert order == best
    below = height_of(report, best[2]) - height_of(report, best[0])
    x, y = point(report, "intervals", best[0])
    drag(report, (x + 20, y - 1), (x - 60, y + below + 1))
    assert full(report, "boxes") == set(best[:3])
    last = point(report, "intervals", best[-1])
    drag(report, (last[0] - 12, last[1] - 3), (last[0] + 12, last[1] + 3), "Shift")
    assert full(report, "intervals") == {*best[:3], best[-1]}
    assert report.tab.locator("#marks .names").inner_text().endswith("and 1 more")
    last = point(report, "intervals", best[-1])  # the names of what is marked may have moved it
    drag(report, (last[0] - 12, last[1] - 3), (last[0] + 12, last[1] + 3))
    assert full(report, "intervals") == {best[-1]}


def test_a_finger_scrolls_and_marks_nothing(report: Opened) -> None:
    report.draw("intervals")
    count = (
        report.panel("intervals")
        .locator(".markable")
        .evaluate(
            """chart => {
            const { x, y, width, height } = chart.getBoundingClientRect();
            const send = (name, at) => chart.dispatchEvent(new PointerEvent(name, {
                bubbles: true, pointerType: "touch", clientX: x + at * width, clientY: y + at * height }));
            send("pointerdown", 0.1);
            send("pointermove", 0.8);
            const boxes = document.querySelectorAll(".brush").length;
            send("pointerup", 0.8);
            return boxes;
        }"""
        )
    )
    assert count == 0
    assert marked(report) == []


def test_systems_are_marked_and_unmarked_by_keyboard(report: Opened, best: list[str]) -> None:
    report.tab.get_by_label("Mark", exact=True).focus()
    report.tab.keyboard.type(best[0])
    report.tab.keyboard.press("Enter")
    report.tab.keyboard.type("f1-0")  # of F1-01 to F1-09
    report.tab.keyboard.press("Enter")
    nine = {f"F1-0{i}" for i in range(1, 10)}
    assert full(report, "boxes") == {best[0], *nine}
    report.tab.keyboard.type("nobody")
    report.tab.keyboard.press("Enter")
    assert report.tab.locator("#said").inner_text() == "No system has nobody in its name"
    report.tab.get_by_role("button", name=f"Unmark {best[0]}").focus()
    report.tab.keyboard.press("Enter")
    assert full(report, "boxes") == nine - {best[0]}
    assert report.tab.evaluate("document.activeElement.id") == "mark"
    report.tab.get_by_role("button", name="Clear").press("Enter")
    assert full(report, "boxes") == set(best)


def test_a_click_and_the_keyboard_say_why_a_system_is_outside_the_top_group(
    report: Opened, made: Made, best: list[str]
) -> None:
    rows = made.compared.frame().filter(system=best[0], against=best[-1]).to_dicts()  # a pair has the better one first
    low, high, p = rows[0]["low"], rows[0]["high"], rows[0]["p_adjusted"]
    assert 1e-4 < p < 1e-3
    numbers = f"{low:.3f} to {high:.3f} below it, p = {p:.1g}"
    why = f"is outside the top group: significantly worse than {best[0]}, the best ({numbers})"
    report.tab.mouse.click(*point(report, "intervals", best[-1]))
    reason = report.tab.locator("#reason")
    assert reason.inner_text() == f"{best[-1]} {why}"
    report.tab.get_by_role("button", name="Clear").click()
    assert not reason.is_visible()
    report.tab.locator(".why summary").press("Enter")
    for key in ("Tab", "Enter"):
        report.tab.keyboard.press(key)
    assert reason.inner_text() == f"{best[0]} is the best"
    assert report.tab.locator(".why button[aria-pressed=true]").all_inner_texts() == [best[0]]


def test_without_scripts_reasons_are_a_plain_table(browser: Browser, address: str, best: list[str]) -> None:
    page = opened(browser, address, java_script_enabled=False)
    page.tab.locator(".why summary").click()
    assert page.tab.locator(".why th").all_inner_texts() == best
    assert page.tab.locator(".why table").is_visible()
    page.tab.close()


def test_a_pair_marks_its_two_systems(report: Opened) -> None:
    report.draw("pairs")
    cell = report.panel("pairs").locator(".mark-rect.role-mark path").first
    pair = cell.evaluate("one => [one.__data__.datum.better, one.__data__.datum.worse]")
    cell.click()
    assert full(report, "boxes") == set(pair)
    seen = (
        report.panel("pairs")
        .locator(".mark-rect.role-mark path")
        .evaluate_all(
            """all => all.map(one => one.__data__.datum).map((datum, i) =>
                [datum.better, datum.worse, getComputedStyle(all[i]).opacity])"""
        )
    )
    for better, worse, opacity in seen:
        assert float(opacity) == (1 if {better, worse} & set(pair) else FADED)


def on_line(line: Locator, share: float) -> tuple[float, float]:
    x, y = line.evaluate(
        """(one, share) => {
            one.scrollIntoView({ block: "center" });
            const at = one.getPointAtLength(share * one.getTotalLength()).matrixTransform(one.getScreenCTM());
            return [at.x, at.y];
        }""",
        share,
    )
    return x, y


def test_a_line_marks_its_system_and_a_line_of_all_the_nearest(report: Opened, best: list[str]) -> None:
    report.draw("lines", "effects")
    line = report.panel("lines").locator(".mark-line.role-mark path").first
    system = line.evaluate("one => (one.__data__.datum ?? one.__data__[0].datum).system")
    report.tab.mouse.click(*on_line(line, 0.0))
    assert marked(report) == [f"{system} ×"]
    report.tab.get_by_role("button", name="Clear").click()
    report.tab.mouse.click(*on_line(report.panel("effects").locator(".mark-line.role-mark path").nth(1), 1.0))
    assert marked(report) == [f"{best[-1]} ×"]


def test_a_click_on_a_name_in_a_table_marks_it(report: Opened, best: list[str]) -> None:
    report.panel("next").get_by_role("cell", name=best[1]).first.click()
    assert full(report, "boxes") == {best[1]}
    report.panel("means").get_by_role("cell", name=best[1]).click()
    assert full(report, "boxes") == set(best)
    report.panel("means").locator("td.number").first.click()
    assert marked(report) == []


def test_systems_are_sorted_by_name_and_by_score_again(report: Opened, best: list[str]) -> None:
    assert labels(report, "intervals") == best
    order = report.tab.locator(".bar").get_by_label("Sort")
    order.select_option("by name")
    for key in ("intervals", "effects", "models", "boxes"):
        expect(report.panel(key)).to_contain_text("12 systems by name")
        assert labels(report, key) == sorted(best)
    assert labels(report, "pairs", 0) == labels(report, "pairs", 1) == sorted(best)
    assert list(opacities(report, "intervals")) == best  # the data are the same
    at = [height_of(report, name) for name in sorted(best)]
    assert at == sorted(at)
    order.select_option("by score")
    expect(report.panel("intervals")).to_contain_text("best first")
    assert labels(report, "intervals") == best


def test_many_systems_by_name_have_some_names_on_the_axis(report: Opened) -> None:
    report.draw("many")
    report.tab.locator(".bar").get_by_label("Sort").select_option("by name")
    expect(report.panel("many")).to_contain_text(f"{MANY} systems by name")
    assert labels(report, "many") == [f"s{i}" for i in range(0, MANY, 6)]  # s6 before s12
    at = report.panel("many").evaluate(
        """panel => Object.fromEntries([...panel.querySelectorAll(".mark-symbol.role-mark path")]
            .map(one => [one.__data__.datum.system, one.getBoundingClientRect().x]))"""
    )
    assert [at[f"s{i}"] for i in range(MANY)] == sorted(at.values())


def test_marks_outlast_another_order_and_are_saved_with_a_chart(report: Opened, best: list[str]) -> None:
    report.tab.mouse.click(*point(report, "boxes", best[0]))
    report.tab.locator(".bar").get_by_label("Sort").select_option("by name")
    expect(report.panel("boxes")).to_contain_text("by name")
    assert full(report, "boxes") == {best[0]}
    _, content = report.saved(report.panel("boxes").get_by_role("button", name="SVG"))
    assert f'opacity="{FADED}"'.encode() in content
    assert b"12 systems by name" in content
    report.tab.get_by_role("button", name="Clear").click()
    _, content = report.saved(report.panel("boxes").get_by_role("button", name="SVG"))
    assert f'opacity="{FADED}"'.encode() not in content


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_axe_finds_no_barrier_where_systems_are_marked(
    browser: Browser, address: str, best: list[str], width: int, scheme: str
) -> None:
    page = opened(browser, address, width, color_scheme=scheme)
    page.draw(*KEYS)
    page.panel("means").get_by_role("cell", name=best[0]).click()
    assert marked(page) == [f"{best[0]} ×"]
    assert page.barriers() == []
    assert page.tab.evaluate("document.documentElement.scrollWidth") <= width
    assert page.errors == []  # nor warnings of any chart
    page.tab.close()
