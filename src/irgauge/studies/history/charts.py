"""Charts of a history: the difference from the reference over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, tips
from irgauge.show.words import listed, percent
from irgauge.studies.history.study import Developed, Line

_WIDE, _HIGH = 560, 300  # pixels


def development(result: Developed, measure: str | None = None) -> Figure:
    """The difference at each entry with its interval, and where it changed; a line ends where it was cut."""
    lines = result.lines if measure is None else result[measure]
    names = tuple(dict.fromkeys(line.measure for line in lines))
    colour = alt.Color("measure:N", title=None, scale=style.scale(style.distinct_colours(names)))
    chart = layered(*_spans(lines, colour), *_series(lines, colour))
    first = lines[0].points[0]
    inside = percent(1 - result.alpha)
    return Figure(
        chart.properties(width=_WIDE, height=_HIGH),
        _title(lines, result),
        (
            f"Lines: difference from {first.reference}, mean over topics; bands: {inside} intervals of each entry by "
            f"itself; vertical lines: changes, grey: where these may lie ({inside}). Lines end where scores cannot be "
            "compared any more.",
        ),
        width=_WIDE + 160,
        provenance=result.provenance,
        alternative="A line over time for each measure, with bands around it, and vertical lines where it changed.",
    )


def _title(lines: Sequence[Line], result: Developed) -> str:
    count = sum(len(line.changes) for line in lines)
    found = "no change was found" if not count else f"{count:,} {'change' if count == 1 else 'changes'}"
    return f"{listed(list(dict.fromkeys(line.measure for line in lines)))} over {result.used:,} entries: {found}"


def _x() -> alt.X:
    axis = alt.Axis(tickMinStep=1, format="d")
    return alt.X("entry:Q", title="entry", axis=axis, scale=alt.Scale(zero=False, nice=False))


def _series(lines: Sequence[Line], colour: alt.Color) -> Iterator[alt.Chart]:
    base = alt.Chart(data(_rows(lines))).encode(x=_x(), color=colour, detail=alt.Detail("line:N"))
    band = base.mark_area(opacity=0.16)
    yield band.encode(y=alt.Y("low:Q", title=f"difference from {lines[0].points[0].reference}"), y2=alt.Y2("high:Q"))
    alone = [line for line in lines if len(line.points) == 1]
    if alone:  # an area has no width there
        rule = alt.Chart(data(_rows(alone))).mark_rule(opacity=0.4, strokeWidth=4)
        yield rule.encode(x=_x(), y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), color=colour)
    zero = alt.Chart(data([{"zero": 0.0}])).mark_rule(color=style.INK, strokeWidth=0.8)
    yield zero.encode(y=alt.Y("zero:Q"))
    yield base.mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=24)).encode(
        y=alt.Y("difference:Q"),
        tooltip=tips("measure:N", "entry:Q", "time:N", "commit:N", "difference:Q", "low:Q", "high:Q"),
    )


def _spans(lines: Sequence[Line], colour: alt.Color) -> Iterator[alt.Chart]:
    """Where changes may lie, and where they are likeliest."""
    rows: list[Row] = [
        {
            "measure": line.measure,
            "entry": line.points[change.place].entry,
            "from": line.points[change.first].entry - 0.5,
            "to": line.points[change.last].entry + 0.5,
        }
        for line in lines
        for change in line.changes
    ]
    if rows:
        base = alt.Chart(data(rows))
        yield base.mark_rect(color=style.MUTED, opacity=0.25).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
        yield base.mark_rule(strokeWidth=2, strokeDash=[5, 3]).encode(x=_x(), color=colour)


def _rows(lines: Sequence[Line]) -> Iterator[Row]:
    for number, line in enumerate(lines):
        for point, difference, low, high in zip(line.points, line.difference, line.low, line.high, strict=True):
            yield {
                "measure": line.measure,
                "line": str(number),
                "entry": point.entry,
                "time": point.time,
                "commit": point.checkout or "",
                "difference": float(difference),
                "low": float(low),
                "high": float(high),
            }


CHARTS: Mapping[str, Callable[..., Figure]] = {"development": development}
