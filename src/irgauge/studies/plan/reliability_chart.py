"""The chart of reliability: Eρ², Φ and Kendall's τ by the number of topics, with shards a line for each number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import counted, percent
from irgauge.studies.plan.reliability import Reached, Reliability
from irgauge.studies.plan.study import Planned

_WIDE, _PANEL, _HIGH = 560, 250, 320  # pixels
_LEGEND = {
    "relative": "Eρ²: reliability of the ranking",
    "absolute": "Φ: reliability of the means",
    "tau": "τ with the true ranking",
}
_TEXT: dict[str, Any] = {"font": style.FONT, "fontSize": 11, "color": style.MUTED}


def reliability(result: Planned) -> Figure:
    """Eρ², Φ and τ against topics."""
    found = result.reliability
    if found is None:
        raise DesignError(
            "there is no ranking of which the reliability could be drawn: it takes three systems, and topics as a "
            "sample; of typed components, that of 'system'"
        )
    draw = _one_panel if result.replicates is None else _panels
    return Figure(
        draw(found),
        _title(found),
        tuple(_caption(result, found)),
        width=720 if result.replicates is None else 3 * _PANEL + 100,
        provenance=result.ranking_provenance,
        alternative="Curves that rise with the number of topics; a dashed line is the reliability wanted.",
    )


def _title(found: Reliability) -> str:
    own = found.needing("relative", found.size.replicates)
    on = "" if own is None or own.shards == 1 else f" on {counted(own.shards, 'shard')}"
    if own is None or own.topics is None:
        return f"No number of topics is enough for Eρ² = {found.target:g}{on}"
    there = "" if found.here is None else f"; there {'is' if found.here.topics == 1 else 'are'} {found.here.topics:,}"
    return f"Eρ² = {found.target:g} takes {counted(own.topics, 'topic')}{on}{there}"


def _caption(result: Planned, found: Reliability) -> Iterator[str]:
    systems = "these systems" if found.systems is not None else "systems whose true means are normal"
    if found.here is not None:
        on = "" if found.here.shards == 1 else f" on {found.here.shards} shards"
        yield f"Bands: {percent(1 - result.alpha)} intervals{on}, as of normal scores."
    yield f"τ: Kendall's, of the ranking by so many topics with the true one, as expected for {systems}."


def _rows(found: Reliability) -> Iterator[Row]:
    for one in found.curve:
        for kind in _LEGEND:
            yield from _row(one, kind)


def _row(one: Reached, kind: str) -> Iterator[Row]:
    value: Any = getattr(one, kind)
    if value is not None:
        estimate = (value, None, None) if kind == "tau" else value
        place: Row = {"what": _LEGEND[kind], "shards": str(one.shards), "topics": one.topics}
        yield place | dict(zip(("value", "low", "high"), estimate, strict=True))


def _base(rows: list[Row]) -> alt.Chart:
    return alt.Chart(data(rows)).encode(
        x=alt.X("topics:Q", title="topics", scale=alt.Scale(type="log", nice=False), axis=style.topics_axis()),
        tooltip=tips("what:N", "shards:N", "topics:Q", "value:Q", "low:Q", "high:Q"),
    )


def _y(field: str, found: Reliability) -> alt.Y:
    """From the tenth below all that is shown up to 1."""
    ends = [end for one in found.curve for end in (*one.relative, *(one.absolute or ()), one.tau) if end is not None]
    least = math.floor(10 * min(*ends, found.target)) / 10
    return alt.Y(f"{field}:Q", title=None, scale=alt.Scale(domain=[least, 1], nice=False))


def _one_panel(found: Reliability) -> alt.LayerChart:
    """A line for each of the three."""
    rows = list(_rows(found))
    names = list(dict.fromkeys(str(row["what"]) for row in rows))
    colour = alt.Color(
        "what:N",
        title=None,
        scale=scale(style.distinct_colours(names)),
        legend=alt.Legend(orient="top", labelLimit=300),
    )
    base = _base(rows).encode(color=colour)
    layers = [
        *_bands(base, found),
        base.mark_line(strokeWidth=1.8).encode(y=_y("value", found)),
        *_target(found, has_text=True),
        *_here(found, has_text=True),
    ]
    return layered(*layers).properties(width=_WIDE, height=_HIGH)


def _bands(base: alt.Chart, found: Reliability) -> Iterator[alt.Chart]:
    if found.here is not None:
        banded = base.transform_filter(f"datum.shards == '{found.here.shards}' && datum.low != null")
        yield banded.mark_area(opacity=0.14).encode(y=_y("low", found), y2=alt.Y2("high:Q"))


def _target(found: Reliability, *, has_text: bool) -> Iterator[alt.Chart]:
    rule = alt.Chart(data([{"value": found.target, "text": f"wanted: {found.target:g}"}])).encode(y=_y("value", found))
    yield rule.mark_rule(strokeDash=[5, 4], color=style.MUTED)
    if has_text:
        yield rule.mark_text(align="left", x=4, dy=-7, **_TEXT).encode(text=alt.Text("text:N"))


def _here(found: Reliability, *, has_text: bool) -> Iterator[alt.Chart]:
    """The topics that there are."""
    if found.here is not None:
        rows: list[Row] = [{"topics": found.here.topics, "text": f"{found.here.topics:,} topics here"}]
        rule = alt.Chart(data(rows)).encode(x=alt.X("topics:Q"))
        yield rule.mark_rule(strokeDash=[2, 3], color=style.MUTED)
        if has_text:
            yield rule.mark_text(align="left", y=_HIGH - 8, dx=4, **_TEXT).encode(text=alt.Text("text:N"))


def _panels(found: Reliability) -> alt.HConcatChart:
    """A panel for each of the three, with a line for each number of shards."""
    rows = list(_rows(found))
    names = list(dict.fromkeys(str(row["what"]) for row in rows))
    counts = list(dict.fromkeys(str(row["shards"]) for row in rows))
    colour = alt.Color(
        "shards:N",
        title="shards",
        scale=scale(style.series_colours(counts)),
        legend=alt.Legend(orient="right", labelLimit=300),
        sort=counts,
    )
    panels = []
    for i, name in enumerate(names):
        base = _base([row for row in rows if row["what"] == name]).encode(color=colour)
        lines = base.mark_line(strokeWidth=1.8).encode(y=_y("value", found))
        is_tau = name == _LEGEND["tau"]  # which has no interval, and is not what is wanted
        beside = [] if is_tau else [*_bands(base, found), *_target(found, has_text=i == 0)]
        layers = [*beside, lines, *_here(found, has_text=i == 0)]
        heading = alt.TitleParams(text=name, fontSize=12, anchor="start")
        panels.append(layered(*layers).properties(width=_PANEL, height=_HIGH, title=heading))
    return alt.HConcatChart(hconcat=panels, spacing=16)
