"""The chart of verdicts: differences of systems from the baseline with their intervals, against the margin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import altair as alt

from irgauge.inference.comparison import Comparison
from irgauge.inference.verdicts import Verdicts
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure
from irgauge.show.populations import COVERS
from irgauge.show.style import data, layered, level_axis, scale, tips
from irgauge.show.words import best_note, counted, listed, percent
from irgauge.studies.compare.interval_words import held_for, is_wider_than_test
from irgauge.studies.compare.named import named
from irgauge.studies.compare.records import pair_records
from irgauge.studies.compare.study import MeasureCompared

_WIDE = 560  # pixels


def baseline_differences(result: MeasureCompared, one: Comparison, best: int | None = None) -> Figure:
    """A row for each system, best first: its difference from the baseline, its interval, coloured by its verdict."""
    records = pair_records(result, one.population)
    rows = [record | {"system": record["first"], "rank": rank} for rank, record in enumerate(records, 1)][:best]
    step = max(6.0, min(26.0, 900 / len(rows)))
    margin = result.verdicts[one.population].margin
    chart = layered(*_margin_marks(margin), *_marks(result, one, rows, step))
    wider = f", wider than {one.corrected_by.label}'s test" if is_wider_than_test(one) else ""
    return Figure(
        chart.properties(width=_WIDE, height=round(step * len(rows)) + 12),
        _title(result, one),
        (
            COVERS[one.population],
            f"Bars: {percent(one.confidence)} intervals for {held_for(one)}{wider}.",
            *_margin_said(result.verdicts[one.population], one),
            *best_note(len(rows), len(records)),
        ),
        width=_WIDE + 260,
        provenance=result.provenance_of(one),
        alternative="Differences of systems from the baseline, each with its interval, coloured by its verdict.",
    )


def _marks(result: MeasureCompared, one: Comparison, rows: list[dict[str, Any]], step: float) -> Iterator[alt.Chart]:
    seen = {row["verdict"] for row in rows}
    colours = {verdict: colour for verdict, colour in verdicts.COLOURS.items() if verdict in seen}
    systems = [str(row["system"]) for row in rows]
    title = f"{counted(len(rows), 'system')}, best first"
    base = alt.Chart(data(rows)).encode(
        y=alt.Y(
            **level_axis(systems, title if len(rows) > style.NAMED else "", fields=style.SYSTEM, angle=0, limit=230)
        ),
        color=alt.Color("verdict:N", title=f"against {one.baseline}", scale=scale(colours)),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "difference:Q", "low:Q", "high:Q", "p:Q", "wins:Q", "ties:Q", "losses:Q", "verdict:N"),
    )
    x = alt.X("low:Q", title=f"difference in {named(result, one)}, system − {one.baseline}", axis=alt.Axis(grid=True))
    thick = max(1.5, step / 5)
    has_inner = "margin_low" in rows[0]
    yield base.mark_rule(strokeWidth=thick / 2 if has_inner else thick).encode(x=x, x2=alt.X2("high:Q"))
    if has_inner:
        yield base.mark_rule(strokeWidth=thick).encode(x=alt.X("margin_low:Q"), x2=alt.X2("margin_high:Q"))
    yield alt.Chart(data([{}])).mark_rule(color=style.INK).encode(x=alt.XDatum(0))
    yield base.mark_point(filled=True, size=max(14.0, 4 * step)).encode(x=alt.X("difference:Q"))


def _margin_marks(margin: float | None) -> Iterator[alt.Chart]:
    """A band of differences that do not matter."""
    if margin is None:
        return
    base = alt.Chart(data([{"from": -margin, "to": margin}]))
    yield base.mark_rect(color=verdicts.BAND, opacity=1).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
    for end in ("from", "to"):
        yield base.mark_rule(color=verdicts.EDGE, strokeWidth=1.2, strokeDash=[5, 4]).encode(x=alt.X(f"{end}:Q"))


def _margin_said(found: Verdicts, one: Comparison) -> Iterator[str]:
    if found.margin is None or found.confidence is None:
        return
    inner = f"; thick bars: the {percent(found.confidence)} intervals that claims about it rest on"
    yield f"Dashed lines: the margin, ± {found.margin:.3g}{inner if found.confidence != one.confidence else ''}."


def _title(result: MeasureCompared, one: Comparison) -> str:
    """How many systems have each verdict."""
    found: Counter[str] = Counter(result.verdicts[one.population].verdicts)
    counts = [f"{found[verdict]} {verdict}" for verdict in verdicts.COLOURS if found[verdict]]
    if len(one.first) == 1:
        return f"{one.names[0][0]} against {one.baseline} in {named(result, one)}: {next(iter(found))}"
    return f"Of {counted(len(one.first), 'system')} against {one.baseline} in {named(result, one)}: {listed(counts)}"
