"""All charts of a report on a phone: each fits its place, and what it shows stands apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from browser.tab import Opened, chromium, visited
from irgauge.reporting.report import report
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.report_part import BEST

WIDTH = 390  # pixels
DESIGN = Design(systems=45, families=5, topics=40, depth=60, corpus_size=800, relevant_median=20, seed=2)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from chromium()


@pytest.fixture(scope="module")
def phone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    runs, named = simulate(DESIGN).collection(), "{algorithm}-{instance}"
    found = report(runs, ["AP"], shards="even:3", resamples=2, images=10, pattern=named)
    path = tmp_path_factory.mktemp("phone") / "report.html"
    found.save(path)
    yield from visited(browser, path.as_uri(), WIDTH)


def boxes(phone: Opened, key: str, kind: str, start: str, end: str) -> list[tuple[float, float]]:
    """Where the marks of one kind in a chart begin and end, along an axis."""
    phone.draw(key)
    places: list[tuple[float, float]] = phone.panel(key).evaluate(
        """(panel, [kind, start, end]) => [...panel.querySelectorAll(`.mark-${kind}.role-mark path`)]
            .map((one) => one.getBoundingClientRect()).map((box) => [box[start], box[end]])""",
        [kind, start, end],
    )
    return sorted((begin, stop) for begin, stop in places)


def test_every_chart_fits_its_place(phone: Opened) -> None:
    keys = phone.tab.locator(".panel:has(.chart)").evaluate_all("panels => panels.map((one) => one.dataset.key)")
    assert {"mean-boxes", "topic-boxes", "pool-images", "pool-topics", "plan-instances-designs"} <= set(keys)
    for key in keys:
        phone.draw(key)
        drawn, place = phone.panel(key).evaluate(
            "panel => { const box = panel.querySelector('.chart-box'); return [box.scrollWidth, box.clientWidth]; }"
        )
        assert drawn <= place, key


@pytest.mark.parametrize(
    ("key", "start", "end"),
    [("mean-boxes", "top", "bottom"), ("rank-boxes", "top", "bottom"), ("topic-boxes", "left", "right")],
)
def test_boxes_side_by_side_do_not_overlap(phone: Opened, key: str, start: str, end: str) -> None:
    places = boxes(phone, key, "rect", start, end)
    assert len({round(begin) for begin, _ in places}) >= BEST
    middles = sorted({round((begin + stop) / 2, 1) for begin, stop in places})
    step = (middles[-1] - middles[0]) / (len(middles) - 1)
    assert all(stop - begin <= step for begin, stop in places)


def test_the_numbers_of_instances_stand_apart(phone: Opened) -> None:
    phone.draw("plan-instances-designs")
    places = phone.panel("plan-instances-designs").evaluate(
        """panel => [...panel.querySelectorAll(".mark-text.role-mark text")]
            .filter((one) => one.textContent === "none")
            .map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])
            .sort((a, b) => a[0] - b[0])"""
    )
    assert len(places) > 2
    assert all(right < left for (_, right), (left, _) in pairwise(places))
    assert 0 <= places[0][0] < places[-1][1] <= WIDTH


def test_pools_side_by_side_come_one_under_the_other(phone: Opened) -> None:
    phone.draw("pool-images")
    tops, rights = phone.panel("pool-images").evaluate(
        """panel => {
            const cells = [...panel.querySelectorAll(".cell > g > .background")];
            const places = cells.map((one) => one.getBoundingClientRect());
            return [places.map((one) => Math.round(one.top)), places.map((one) => one.right)];
        }"""
    )
    assert len(set(tops)) == len(tops) == 4  # three depths and all judgments
    assert max(rights) <= WIDTH


def test_axes_say_that_systems_stand_by_name(phone: Opened) -> None:
    phone.tab.get_by_text("Options").click()
    order = phone.tab.locator(".bar").get_by_label("Sort")
    order.select_option("by name")
    phone.draw("partition-agreement")
    expect(phone.panel("partition-agreement").locator(".chart")).to_contain_text("system by name")
    expect(phone.panel("partition-agreement").locator(".chart")).not_to_contain_text("by mean")
    order.select_option("by score")
