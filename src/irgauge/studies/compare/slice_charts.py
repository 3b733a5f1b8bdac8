"""Kinds of topics as a forest: every pair on every slice with its interval."""

from __future__ import annotations

from typing import Any

import altair as alt

from irgauge.show import style, verdicts
from irgauge.show.figure import Figure, below_each_other
from irgauge.show.ratios import axis_of, difference_of, is_ratio, plain_name
from irgauge.show.style import data, layered, scale, tips
from irgauge.show.words import best_note, lower_told, percent
from irgauge.studies.compare.records import pair_records
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.tested import slice_records

_WIDE, _ROW, _MOST = 480, 34, 60  # pixels of a chart and of a row; rows


def slices(result: Compared, best: int | None = None, measure: str | None = None) -> Figure:
    """A forest: a row for each pair on each slice, with its interval, coloured by its verdict."""
    chosen = result.each if measure is None else (result.of(measure),)
    figures, names = [forest(compared, best) for compared in chosen], [compared.measure for compared in chosen]
    return below_each_other(figures, "Kinds of topics", result.provenance, names=names)


def forest(compared: MeasureCompared, best: int | None) -> Figure:
    """The rows by one measure; of many systems those of the best."""
    every = [row for row in _rows(compared) if best is None or max(row["rank"], row["worse_rank"]) <= best]
    rows = every[:_MOST]
    seen = {row["verdict"] for row in rows}
    colours = {verdict: colour for verdict, colour in verdicts.COLOURS.items() if verdict in seen}
    names = [row["row"] for row in rows]
    axis = alt.Axis(title=None, ticks=False, labelLimit=1.4 * style.LONGEST, labelExpr=style.ON_LINES, grid=False)
    base = alt.Chart(data(rows)).encode(
        y=alt.Y("row:N", sort=names, scale=alt.Scale(domain=names), axis=axis),
        color=alt.Color("verdict:N", scale=scale(colours)),
        opacity=style.fading("system"),
        tooltip=tips("slice:N", "n:Q", "system:N", "difference:Q", "low:Q", "high:Q", "p_adjusted:Q", "verdict:N"),
    )
    title = f"{difference_of(compared.measure)}{lower_told(compared.direction)}"
    chart = layered(
        alt.Chart(data([{}])).mark_rule(color=style.INK).encode(x=alt.XDatum(0)),
        base.mark_rule(strokeWidth=3).encode(
            x=alt.X("low:Q", title=title, axis=axis_of(compared.measure)), x2=alt.X2("high:Q")
        ),
        base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("difference:Q")),
    )
    first, many = compared.comparison, "Ratios" if is_ratio(compared.measure) else "Differences"
    return Figure(
        chart.properties(width=_WIDE, height=_ROW * len(rows) + 10),
        f"{many} in {plain_name(compared.measure)} on kinds of topics",
        (
            f"{percent(first.confidence)} intervals, of kinds for all kinds and pairs together; "
            "numbers of topics in brackets.",
            *([f"Shown: the first {_MOST} of {len(every)} rows."] if len(every) > _MOST else []),
            *best_note(best or len(first.systems), len(first.systems)),
        ),
        width=_WIDE + 320,
        provenance=compared.provenance,
        alternative=f"{many} on kinds of topics, each with its interval, coloured by its verdict.",
    )


def _rows(compared: MeasureCompared) -> list[dict[str, Any]]:
    """All topics first, then each kind; a pair has the ranks of its two systems."""
    every = [record | {"slice": "all topics"} for record in pair_records(compared)]
    sign = "/" if is_ratio(compared.measure) else "−"
    rank = {system: i for i, system in enumerate(compared.comparison.systems, 1)}
    return [
        record
        | {
            "row": f"{record['slice']} ({record['n']})\n{record['system']} {sign} {record['against']}",
            "rank": rank[record["system"]],
            "worse_rank": rank[record["against"]],
        }
        for record in (*every, *slice_records(compared.measure, compared.sliced.slices))
    ]
