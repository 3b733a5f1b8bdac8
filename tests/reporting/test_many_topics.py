"""What a page of a report holds is bounded, whatever the number of topics."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import irgauge as ig
from irgauge.reporting.report import Report
from irgauge.show import abridged
from irgauge.show.page import Variant


def report_of(topics: int) -> Report:
    """Of two systems, which have the most charts of topics."""
    qrels = {f"t{t}": {f"d{(t * 7 + i) % 300}": 1 for i in range(5)} for t in range(topics)}
    runs = {
        f"s{s}": {f"t{t}": {f"d{(t * (s + 3) + i) % 300}": 20 - i for i in range(20)} for t in range(topics)}
        for s in range(2)
    }
    data = ig.load(qrels, runs, warn=False)
    return ig.report(data, "AP", baseline="s0", images=5, resamples=2, shards="even:2", sparse=True)


def sizes(report: Report) -> Iterator[tuple[str, int]]:
    """Every form of every panel, and its rows or the rows of its chart."""
    for panel in report.page.panels:
        for number, form in enumerate(panel.variants):
            if form.table is not None:
                yield f"{panel.key} {number}", len(form.table.rows)
            if form.figure is not None:
                yield f"{panel.key} {number}", str(form.figure.to_dict()).count("{")


def test_what_a_page_holds_does_not_grow_with_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abridged, "POINTS", 20)
    monkeypatch.setattr(abridged, "ROWS", 30)
    few, many = map(report_of, (60, 240))
    before = dict(sizes(few))
    assert {name: (before[name], size) for name, size in sizes(many) if size > 1.2 * before.get(name, 0) + 10} == {}
    assert len(many.to_html()) < 1.1 * len(few.to_html())
    told = [note for panel in many.page.panels for form in panel.variants for note in notes(form)]
    assert "Shown: 20 of 240 topics, at even distances in their order." in told
    assert "Here are the first and the last 15 of 240 topics; `-o report.json` has all." in told


def notes(form: Variant) -> tuple[str, ...]:
    return (*(form.table.notes if form.table else ()), *(form.figure.caption if form.figure else ()))


def test_few_topics_are_all_shown() -> None:
    assert abridged.spaced("abc") == abridged.ends("abc") == ["a", "b", "c"]
    places = abridged.spaced(range(100_000))
    assert (len(places), places[0], places[-1]) == (abridged.POINTS, 0, 99_999)
    kept = abridged.ends(range(100_000))
    assert (len(kept), kept[0], kept[-1]) == (abridged.ROWS, 0, 99_999)
