"""Long tables in a real browser: packed in the page, drawn as they are scrolled, printed whole."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from browser import pdf_text
from browser.tab import Opened, chromium, opened, visited
from irgauge.show.html import LONG, render, table_data
from irgauge.show.page import Front, Page, Panel, Section, Variant
from irgauge.show.safe_html import page_file
from irgauge.show.table import Cell, Column, Table, shown_column

ROWS = 5_000
BODY = "document.querySelector('tbody').textContent"


def long_table() -> Table:
    """Pairs with a difference, its interval, p, a count and a verdict."""
    numbers = random.Random(3)  # noqa: S311  # no secret
    rows: list[tuple[Cell, ...]] = []
    for i in range(ROWS):
        difference, half = numbers.gauss(0.1, 0.2), numbers.uniform(0.1, 0.2)
        p = 10 ** -numbers.uniform(0, 8)
        found = None if p < 0.05 else half * 1.2
        rows.append((f"pair{i}", difference, difference - half, difference + half, p, i * 7 % ROWS, i % 3 == 0, found))
    columns = ("pair", "difference", "low", "high", Column("p", below=1e-4), "count", "differs", "could_find")
    return Table("pairs", "Pairs", tuple(Column(one) if isinstance(one, str) else one for one in columns), tuple(rows))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    panel = Panel("pairs", "Pairs", "", (Variant((), table=long_table()),))
    page = Page("Long", "", Front(()), (), (), (Section("long", "Long tables", (), (panel,)),), (), ())
    path.write_text(render(page), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def report(browser: Browser, address: str) -> Iterator[Opened]:
    yield from visited(browser, address)


def texts() -> list[tuple[str, ...]]:
    table = long_table()
    return list(zip(*(shown_column(table, i) for i in range(len(table.columns))), strict=True))


def drawn(page: Opened) -> dict[int, tuple[str, ...]]:
    """The rows in the page, by their places."""
    found = page.panel("pairs").evaluate(
        """panel => [...panel.querySelectorAll("tbody tr:not(.space)")].map(row =>
            [Number(row.getAttribute("aria-rowindex")) - 2, [...row.cells].map(cell => cell.textContent)])"""
    )
    return {place: tuple(cells) for place, cells in found}


def scrolled_to(page: Opened, share: float) -> dict[int, tuple[str, ...]]:
    box = page.panel("pairs").locator(".table-box")
    box.evaluate("(box, share) => { box.scrollTop = share * box.scrollHeight; }", share)
    page.tab.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return drawn(page)


def test_rows_are_drawn_as_they_come_into_view(report: Opened) -> None:
    expected = texts()
    for share, place in ((0.0, 0), (0.5, ROWS // 2), (1.0, ROWS - 1), (0.2, ROWS // 5)):
        found = scrolled_to(report, share)
        assert len(found) < LONG
        assert found[place] == expected[place]
        assert all(expected[i] == row for i, row in found.items())
    table = report.panel("pairs").locator("table")
    assert table.get_attribute("aria-rowcount") == str(ROWS + 1)
    assert table.locator("thead tr").get_attribute("aria-rowindex") == "1"


def test_the_box_is_scrolled_by_keyboard_under_its_head(report: Opened) -> None:
    box = report.panel("pairs").locator(".table-box")
    box.focus()
    report.tab.keyboard.press("End")
    report.tab.wait_for_function(f"() => {BODY}.includes('pair{ROWS - 1}')")
    head, frame = box.locator("th").first.bounding_box(), box.bounding_box()
    assert head is not None
    assert frame is not None
    assert abs(head["y"] - frame["y"]) < 3
    report.tab.keyboard.press("Home")
    report.tab.wait_for_function(f"() => {BODY}.includes('pair0')")


def test_widths_stay_as_rows_come_and_go(report: Opened) -> None:
    widths = "[...document.querySelectorAll('th')].map(one => Math.round(one.getBoundingClientRect().width))"
    scrolled_to(report, 0)
    first = report.tab.evaluate(widths)
    for share in (0.3, 0.7, 1.0):
        scrolled_to(report, share)
        assert report.tab.evaluate(widths) == first


def test_nothing_moves_when_the_rows_are_there(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.add_init_script(
        """window.shifts = [];
        new PerformanceObserver(list => window.shifts.push(...list.getEntries().map(one => one.value)))
            .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(address)
    page.wait_for_function("() => document.querySelector('tbody tr')")
    page.wait_for_timeout(200)
    assert sum(page.evaluate("window.shifts")) < 0.01
    page.close()


def test_the_filter_finds_rows_far_down(report: Opened) -> None:
    panel = report.panel("pairs")
    panel.get_by_label("Filter rows").fill("pair2512")
    assert list(drawn(report).values()) == [texts()[2512]]
    assert panel.locator(".count").inner_text() == "1 of 5,000 rows"
    panel.get_by_label("Filter rows").fill("< 0.0001 yes")
    wanted = [row for row in texts() if row[4] == "< 0.0001" and row[6] == "yes"]
    assert panel.locator(".count").inner_text() == f"{len(wanted)} of 5,000 rows"
    assert list(drawn(report).values())[:50] == wanted[:50]


def test_sorting_is_of_all_rows(report: Opened) -> None:
    heads = report.panel("pairs").locator("th button")
    expected, numbers = texts(), long_table()
    heads.nth(5).click()
    order = sorted(range(ROWS), key=lambda i: int(str(numbers.rows[i][5])))
    assert scrolled_to(report, 0)[0] == expected[order[0]]
    assert scrolled_to(report, 1)[ROWS - 1] == expected[order[-1]]
    heads.nth(7).click()
    assert scrolled_to(report, 1)[ROWS - 1][7] == "–"  # undefined comes last
    heads.nth(0).click()
    heads.nth(0).click()
    assert scrolled_to(report, 0)[0] == expected[-1]  # pair4999


def test_files_have_all_rows(report: Opened) -> None:
    _, content = report.saved(report.panel("pairs").get_by_role("button", name="CSV"))
    lines = content.decode().splitlines()
    assert lines[0] == "pair,difference,low,high,p,count,differs,could_find"
    assert len(lines) == ROWS + 1
    table = long_table()
    for line, row, shown in zip(lines[1:], table.rows, texts(), strict=True):
        pair, difference, _, _, p, count, differs, found = line.split(",")
        assert (pair, count, differs) == (row[0], str(row[5]), "true" if row[6] else "false")
        assert abs(float(difference) - float(str(row[1]))) <= 0.5e-4 + 1e-12
        assert p == shown[4] or float(p) == float(shown[4])
        assert (found == "") == (row[7] is None)
    _, content = report.saved(report.panel("pairs").get_by_role("button", name="Markdown"))
    assert content.decode() == table.to_markdown()


def test_all_rows_are_printed_under_their_head_on_every_page(browser: Browser, address: str) -> None:
    page = opened(browser, address)
    before = scrolled_to(page, 0.5)
    printed = pdf_text.pages(page.tab.pdf(format="A4"))
    whole = "".join(printed)
    assert all(f"pair{i}" in whole for i in range(ROWS))
    assert f"pair{ROWS - 1}" in printed[-1]
    heads = [text for text in printed if "pair1" in text or "pair4" in text]
    assert len(heads) > 20
    assert all("difference" in text and "could find" in text for text in heads)
    assert len(drawn(page)) == len(before)  # those in view again
    page.tab.close()


def test_tables_in_closed_parts_are_not_spread(browser: Browser, address: str) -> None:
    page = opened(browser, address)
    page.panel("pairs")
    page.tab.evaluate(
        """() => { const panel = document.getElementById("panel-pairs");
            const closed = document.createElement("details");
            panel.replaceWith(closed); closed.append(panel); window.dispatchEvent(new Event("beforeprint")); }"""
    )
    assert len(drawn_anyway(page)) < LONG
    page.tab.evaluate(
        "window.dispatchEvent(new Event('afterprint')); document.querySelector('details:has(.panel)').open = true"
    )
    page.tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert len(drawn_anyway(page)) == ROWS
    page.tab.close()


def drawn_anyway(page: Opened) -> list[Any]:
    return page.tab.locator("#panel-pairs tbody tr:not(.space)").all()


# packed and unpacked

numbers = (
    st.floats(-1, 1) | st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 0.5, 1e-7, -1e-7, 5e-5, 0.00005, 0.03125])
)
wild = st.floats() | st.sampled_from([1e300, -1e21, 123456789012.5, 2.0**31, math.inf, math.nan])
cells: dict[str, st.SearchStrategy[Cell]] = {
    "ints": st.integers(-(10**5), 10**5) | st.none(),
    "large": st.integers(-(2**53), 2**53),
    "floats": numbers | st.none(),
    "mixed": numbers | st.integers(-99, 99) | st.none(),
    "wild": wild | st.none(),
    "p": st.floats(0, 1) | st.floats(0, 1e-3) | st.sampled_from([0.0, 1e-4, 9.9999e-5, 1e-300]),
    "texts": st.text(max_size=9) | st.none(),
    "anything": st.text(max_size=3) | st.integers(0, 3) | st.booleans() | st.floats(0, 3) | st.none(),
    "flags": st.booleans() | st.none(),
}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Long tables of any cells; some columns are sums of others, with gaps."""
    chosen = draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=5))
    order = random.Random(draw(st.integers(0, 99)))  # noqa: S311  # no secret
    columns = [order.choices(draw(st.lists(cells[kind], min_size=1, max_size=30)), k=LONG + 60) for kind in chosen]
    for column in list(columns):
        found = [cell for cell in column if isinstance(cell, float) and math.isfinite(cell)]
        if len(found) == len(column):
            columns.append([None if order.random() < 0.3 else 2 * cell + order.random() for cell in found])
    decimals, p = draw(st.integers(0, 5)), {"p": 1e-4}
    heads = tuple(
        Column(f"c{i}", below=p.get(kind), decimals=draw(st.none() | st.integers(0, 4)))
        for i, kind in enumerate([*chosen, *[""] * (len(columns) - len(chosen))])
    )
    return Table("any", "Any", heads, tuple(zip(*columns, strict=True)), decimals=decimals)


@pytest.fixture(scope="module")
def reader(browser: Browser) -> Iterator[Tab]:
    """A page with the code that reads packed tables, and nothing else."""
    tab = browser.new_page()
    code = "\n".join(map(page_file, ("data.js", "inflate.js", "packing.js")))
    tab.add_script_tag(content=f"{code}\nwindow.tableOf = tableOf;")
    yield tab
    tab.close()


READ = """packed => { const table = tableOf(packed);
    return table.columns.map(column => Array.from({ length: table.rows }, (_, i) => column.text(i))); }"""


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(table=tables())
def test_a_page_shows_packed_cells_as_python_does(reader: Tab, table: Table) -> None:
    data = table_data(table)
    assert "packed" in data
    assert reader.evaluate(READ, data) == [shown_column(table, i) for i in range(len(table.columns))]


def test_packed_tables_are_small_and_always_the_same() -> None:
    table = long_table()
    packed = table_data(table)["packed"]
    assert packed == table_data(table)["packed"]
    assert isinstance(packed, dict)
    assert len(packed["data"]) < 16 * ROWS
