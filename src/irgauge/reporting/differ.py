"""How many pairs differ, by population and method, and why these numbers are not the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import altair as alt

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.registry import TESTS
from irgauge.provenance import Provenance
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.style import Row, data, layered, tips
from irgauge.show.table import Column, Record, Table
from irgauge.show.verdicts import OTHER, SHORT

if TYPE_CHECKING:
    from irgauge.reporting.report import Report
    from irgauge.studies.compare.study import MeasureCompared

_WHY: Mapping[str, str] = {
    "topics": "a difference must hold for other topics, and scores vary much from topic to topic",
    "documents": "topics are fixed: only the luck of documents counts, so smaller differences can be found",
    "both": "the luck of topics and that of documents both count; scores over shards are other numbers than those on "
    "the whole corpus, so that it may be more pairs than for other topics",
    "shards": "topics are fixed: only what varies from shard to shard counts",
    "topics+shards": "what varies from topic to topic and from shard to shard both count",
    "sources": "topics and sources are fixed: only the luck of documents within sources counts",
}
_COLUMNS = (
    Column("covers", "for"),
    Column("method"),
    Column("place", explained="in the order of claims: secondary ones share α"),
    Column("differ", "pairs that differ"),
    Column("top_group", "top group", "the best system and those that do not differ significantly from it"),
    Column("why", "why this number"),
)


_TITLE = "How many pairs differ, by population and method"


def differ_panel(report: Report) -> Iterator[Panel]:
    """What stands side by side in the section on comparisons, where there are several pairs."""
    forms = (_form(report, str(measure)) for measure in report.reporting.measures)
    yield from panel(
        "differ",
        _TITLE,
        "Each number answers another question: which populations a difference must hold for, and which errors count.",
        (form for form in forms if form is not None),
    )


def _form(report: Report, measure: str) -> Variant | None:
    records = differ_records(report, measure)
    if len(records) < 2 or records[0]["pairs"] == 1:
        return None
    facts = next(result.provenance for result in report.ran["compare"].results if result.first.measure == measure)
    table = Table.of("differ", f"{_TITLE}: {measure}", records, _COLUMNS)
    return Variant(of_measure(measure), _bars(records, measure, facts), table, provenance=facts)


def _bars(records: Sequence[Record], measure: str, facts: Provenance) -> Figure:
    """A bar for each number."""
    rows: list[Row] = [dict(record) for record in records]
    names = [str(record["name"]) for record in records]
    base = alt.Chart(data(rows)).encode(
        y=alt.Y(
            "name:O", title=None, scale=alt.Scale(domain=names), axis=alt.Axis(labelLimit=style.LONGEST, ticks=False)
        ),
        x=alt.X("differ:Q", title=f"pairs that differ in {measure}, of {records[0]['pairs']:,}"),
        tooltip=tips("covers:N", "method:N", "place:N", "differ:Q", "pairs:Q", "top_group:Q", "why:N"),
    )
    numbers = base.mark_text(align="left", dx=4, color=style.INK).encode(text=alt.Text("differ:Q", format=","))
    chart = layered(base.mark_bar(color=style.INTERVALS["ANOVA"]), numbers)
    return Figure(
        chart.properties(width=520, height=28 * len(rows)),
        f"{_TITLE}: {measure}",
        (),
        width=700,
        provenance=facts,
        alternative="A bar for each population and method: how many pairs of systems differ.",
    )


def differ_records(report: Report, measure: str) -> list[Record]:
    """What is found by a measure, under each population."""
    return list(_records(report, measure))


def _records(report: Report, measure: str) -> Iterator[Record]:
    """The comparison under each population."""
    for result in report.ran["compare"].results:
        if result.first.measure == measure:
            yield from (_compared(result.first, comparison) for comparison in result.first.comparisons)


def _compared(result: MeasureCompared, comparison: Comparison) -> Record:
    drawn = result.scored.drawn(comparison.population)
    return {
        "covers": SHORT[drawn],
        "name": OTHER[drawn],
        "method": f"{TESTS[comparison.test].title}, {comparison.corrected_by.title}",
        "place": comparison.place,
        "differ": comparison.significant_count,
        "pairs": len(comparison.first),
        "top_group": len(comparison.top_group),
        "why": _WHY[comparison.population],
    }
