from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import altair as alt
import pytest

from browser import sample
from irgauge.errors import DesignError
from irgauge.show.figure import Figure
from irgauge.show.html import render
from irgauge.show.page import Front, Page, Panel, Section, Variant
from irgauge.show.style import SYSTEM_FIELDS, Row, data

VOID = {"meta", "link", "input", "br"}


class Reader(HTMLParser):
    """Elements with their attributes, scripts with their texts; refuses wrong nesting."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append((self.elements[-1][1], data))
        elif self.open and self.open[-1] != "style":
            self.text += data

    def attributes(self, name: str) -> Iterator[str]:
        yield from (value for _, given in self.elements if (value := given.get(name)) is not None)

    def contents(self) -> list[dict[str, Any]]:
        return [json.loads(text) for given, text in self.scripts if given.get("class") == "variant"]


@pytest.fixture(scope="module")
def html() -> str:
    return render(sample.page())


@pytest.fixture(scope="module")
def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def test_elements_are_nested_and_addresses_are_unique(read: Reader) -> None:
    ids = list(read.attributes("id"))
    assert len(ids) == len(set(ids))
    links = [address for address in read.attributes("href") if address.startswith("#")]
    assert {link[1:] for link in links} <= set(ids)
    assert set(read.attributes("aria-labelledby")) <= set(ids)


def test_nothing_is_loaded_from_elsewhere(read: Reader, html: str) -> None:
    assert not list(read.attributes("src"))
    assert [given["href"] for tag, given in read.elements if tag == "link"] == ["data:,"]
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_every_part_of_the_page_is_there(read: Reader) -> None:
    page = sample.page()
    texts = [page.title, page.subtitle, *page.warnings, *page.references, "By hand.", "Twice.", "irgauge: 0.1"]
    texts += [one.text for one in page.front.headlines]
    texts += [text for card in page.front.cards for text in (card.value, card.label, card.covers)]
    assert page.claims[0].method in set(read.attributes("title"))
    for section in page.sections:
        texts += [section.title, *section.texts, section.reason or ""]
        texts += [text for panel in section.panels for text in (panel.title, panel.caption)]
    for text in texts:
        assert text in read.text
    panels = page.panels
    assert panels[0].key == "answer"
    assert list(read.attributes("data-key")) == [panel.key for panel in panels]
    drawn = {panel.alternative for panel in panels if panel.variants[0].figure is not None}
    assert drawn <= set(read.attributes("aria-label"))
    assert len(read.contents()) == sum(len(panel.variants) for panel in panels)


def test_headings_stand_in_order(read: Reader) -> None:
    levels = [int(tag[1]) for tag, _ in read.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_names_end_no_script_and_make_no_element(read: Reader) -> None:
    assert "b" not in {tag for tag, given in read.elements if tag == "b" and given}
    tables = [content["table"] for content in read.contents() if "table" in content]
    assert sample.EVIL in tables[0]["columns"][0]["values"]
    assert sample.EVIL in read.text  # in the subtitle


def test_data_of_charts_are_kept_once_by_their_names(read: Reader) -> None:
    kept = {given["id"]: text for given, text in read.scripts if str(given.get("id")).startswith("data-")}
    charts = [content["chart"] for content in read.contents() if "chart" in content]
    assert {name for chart in charts for name in chart["usedData"]} == set(kept)
    assert len(set(kept.values())) == len(kept)
    assert all("values" not in json.dumps(chart) for chart in charts)


def test_switches_offer_what_the_variants_have(read: Reader) -> None:
    selects = [given for tag, given in read.elements if tag == "select"]
    assert [given["data-name"] for given in selects] == ["measure", "population"]  # for all, none in a panel
    assert [given.get("class") for given in selects] == ["for-all"] * 2
    own = Panel("own", "Own", "", tuple(Variant((("way", name),), sample.figure(name, 1)) for name in "ab"))
    with_own = Reader()
    with_own.feed(render(replace(sample.page(), sections=(Section("own", "Own", (), (own,)),))))
    assert [given["data-name"] for tag, given in with_own.elements if tag == "select"][-1] == "way"


def test_systems_of_charts_can_be_marked_and_sorted(read: Reader) -> None:
    assert "order" not in read.attributes("id")  # no chart says which of its names are systems
    rows: list[Row] = [{"system": name, "rank": i} for i, name in enumerate(sample.SYSTEMS, 1)]
    others: list[Row] = [{"system": "a group"}, {"name": "a topic", "rank": 1}]
    pairs: list[Row] = [{"better": "s0", "better_rank": 1}]
    figures = [Figure(alt.Chart(data(part)).mark_point(), "", (), width=100) for part in (rows, others, pairs)]
    panels = tuple(Panel(f"chart-{i}", "", "", (Variant((), one),)) for i, one in enumerate(figures))
    marked = Reader()
    marked.feed(render(replace(sample.page(), sections=(Section("charts", "", (), panels),))))
    assert {"order", "mark", "marks"} <= set(marked.attributes("id"))
    options = [given["value"] for tag, given in marked.elements if tag == "option" and "value" in given]
    assert options == ["AP", "P@5", "topics", "documents", "score", "name", *sorted([*sample.SYSTEMS, "s0"])]


def test_the_fields_of_systems_are_those_of_the_charts(read: Reader) -> None:
    text = next(text for given, text in read.scripts if given.get("id") == "fields")
    fields = json.loads(text)
    assert [(one["system"], one["rank"]) for one in fields["systems"]] == [one[:2] for one in SYSTEM_FIELDS]
    assert fields["marked"] == "marked"


def test_what_is_seen_and_how_are_data_beside_the_chart(read: Reader) -> None:
    first, *_, last = read.contents()
    assert first["seen"] == "Bars of AP topics"
    assert first["how"] == "Drawn by hand. By hand; seed 3."
    assert first["chart"]["title"]["subtitle"] == ["Drawn by hand."]  # the method stands on the page
    assert last["how"] == "Side by side. Charts of bars, drawn by hand. All topics."  # each sentence once
    table = next(content for content in read.contents() if "table" in content)
    assert table["seen"] == "Systems in AP topics"
    assert table["how"] == "Mean: ± 5 %. By hand; seed 3."


def test_the_same_page_gives_the_same_html(html: str) -> None:
    page = sample.page()
    assert render(page) == render(page)
    assert len(render(page)) == len(html)


def test_an_empty_page_is_a_page() -> None:
    reader = Reader()
    reader.feed(render(Page("Nothing", "", Front(()), (), (), (), (), ())))
    assert reader.open == []
    assert "Nothing" in reader.text


def test_two_panels_of_one_key_are_refused() -> None:
    page = sample.page()
    first = page.sections[0]
    doubled = replace(first, panels=(*first.panels, first.panels[0]))
    with pytest.raises(DesignError, match="two panels of a report have the key 'bars'"):
        render(replace(page, sections=(doubled,)))
    with pytest.raises(DesignError, match="two sections of a report have the key 'systems'"):
        render(replace(page, sections=(first, first)))
