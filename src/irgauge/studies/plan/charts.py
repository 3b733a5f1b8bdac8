"""Charts of a plan: what more topics reach against the goal, and the topics needed by shards or instances."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import counted, listed, percent
from irgauge.studies.plan.pair_plan import BAND
from irgauge.studies.plan.reliability import Reached, Reliability
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import goal_said, named, number, of_ratios, shown_size, who

_WIDE = 560  # pixels
_BANDS = 2  # lines that have bands
_AXES = {
    "width": "half width of the interval",
    "difference": "smallest difference that is found",
    "margin": "smallest margin that is shown",
}


_RATIO_AXES = {
    "width": "factor that the interval is within",
    "difference": "smallest ratio that is found",
    "margin": "smallest factor that is shown as a margin",
}


def goal(result: Planned) -> Figure:
    """What is reached by the number of topics, with the goal as a line."""
    return Figure(
        layered(*_marks(result)).properties(width=_WIDE, height=320),
        _title(result),
        tuple(_caption(result)),
        width=720,
        provenance=result.provenance,
        alternative="Curves that fall as topics grow; a dashed line is the goal.",
    )


def _title(result: Planned) -> str:
    """What the goal takes for the first pair, with as many shards or instances as have a band."""
    count = _banded(result)
    if result.replicates is None and len(result.plans) > _BANDS:
        return _title_of_all(result)
    design = next(design for design in result.first.designs if result.replicates is None or design.replicates == count)
    beside = "" if result.replicates is None else f" with {count:,} {result.replicates}"
    aim = f"To {goal_said(result.goal, result.measure)}"
    if design.topics is None:
        return f"{aim} no number of topics is enough{beside}"
    return f"{aim} takes {counted(design.topics, 'topic')}{beside} for {who(result.first.pair)}"


def _title_of_all(result: Planned) -> str:
    """What the goal takes against a baseline, from the fewest to the most."""
    needed = [design.topics for plan in result.plans for design in plan.designs]
    possible = [topics for topics in needed if topics is not None]
    aim = f"To {goal_said(result.goal, result.measure)} against {result.baseline}"
    if len(possible) < len(needed):
        return f"{aim} no number of topics is enough for {len(needed) - len(possible)} of {len(needed)} systems"
    return f"{aim} takes {min(possible):,} to {max(possible):,} topics"


def _banded(result: Planned) -> int:
    """The number of shards or instances whose line has a band: those at hand, or the second that is drawn."""
    drawn = list(dict.fromkeys(point.replicates for point in result.first.curve))
    return result.here.replicates if result.here is not None else drawn[len(drawn) // 2]


def _caption(result: Planned) -> Iterator[str]:
    low, high = map(percent, BAND)
    bands = "bands" if result.replicates is None else f"band of {_banded(result)} {result.replicates}"
    lines = f"Lines: reached with a chance of {percent(result.assurance)}"
    has_bands = result.replicates is not None or len(result.plans) <= _BANDS
    yield f"{lines}; {bands}: with chances of {low} to {high}." if has_bands else f"{lines}."


def _marks(result: Planned) -> Iterator[alt.Chart]:
    rows = list(_rows(result))
    lines = list(dict.fromkeys(str(row["line"]) for row in rows))
    x = alt.X("topics:Q", title="topics", scale=alt.Scale(type="log", nice=False), axis=style.topics_axis())
    title = (_RATIO_AXES if of_ratios(result.measure) else _AXES)[result.goal.kind]
    y = alt.Y("reached:Q", title=title, scale=alt.Scale(type="log", nice=False))
    legend = _legend() if len(lines) > 1 else None
    colour = alt.Color("line:N", title=None, scale=scale(style.series_colours(lines)), legend=legend)
    base = alt.Chart(data(rows)).encode(x=x, color=colour, tooltip=tips("line:N", "topics:Q", "reached:Q"))
    banded = base.transform_filter("datum.low != null")
    yield banded.mark_area(opacity=0.14).encode(y=alt.Y("low:Q", title=title), y2=alt.Y2("high:Q"))
    yield base.mark_line(strokeWidth=1.8).encode(y=y)
    yield from _goal_marks(result)


def _goal_marks(result: Planned) -> Iterator[alt.Chart]:
    text: dict[str, Any] = {"color": style.MUTED}
    value = shown_size(result.goal.value, result.measure)
    rule = alt.Chart(data([{"reached": value, "text": f"goal: {number(value)}"}]))
    at = rule.encode(y=alt.Y("reached:Q"))
    yield at.mark_rule(strokeDash=[5, 4], color=style.MUTED)
    yield at.mark_text(align="right", x="width", dy=-7, **text).encode(text=alt.Text("text:N"))
    if result.here is not None:
        here = alt.Chart(data([{"topics": result.here.topics, "text": f"{result.here.topics} topics here"}]))
        there = here.encode(x=alt.X("topics:Q"))
        yield there.mark_rule(strokeDash=[2, 3], color=style.MUTED)
        yield there.mark_text(align="left", y=8, dx=4, **text).encode(text=alt.Text("text:N"))


def _legend() -> alt.Legend:
    """Pairs on two lines each: which they are, and of what systems."""
    return alt.Legend(orient="top", labelLimit=300, labelExpr="split(replace(datum.label, ' (', '\\n('), '\\n')")


def _rows(result: Planned) -> Iterator[Row]:
    plans = result.plans if result.replicates is None else result.plans[:1]
    for plan in plans:
        for point in plan.curve:
            line = who(plan.pair) if result.replicates is None else f"{point.replicates} {result.replicates}"
            reached, low, high = (shown_size(value, result.measure) for value in (point.reached, point.low, point.high))
            row: Row = {"line": line, "topics": point.topics, "reached": reached}
            has_band = len(plans) <= _BANDS and (result.replicates is None or point.replicates == _banded(result))
            yield row | {"low": low if has_band else None, "high": high if has_band else None}


def designs(result: Planned) -> Figure:
    """The topics that are needed, by the number of shards or instances."""
    if result.replicates is None:
        raise DesignError("there are no shards or instances to plan with; draw the chart of the goal")
    few = [str(design.replicates) for design in result.first.designs if design.topics is None]
    none = f"None: no number of topics is enough with {listed(few, 'or')} {result.replicates}." if few else ""
    return Figure(
        layered(*_design_marks(result)).properties(width=_WIDE, height=320),
        _designs_title(result),
        tuple(filter(None, ("Points: the fewest topics that reach the goal; logarithmic axis.", none))),
        width=720,
        provenance=result.provenance,
        alternative=f"Topics needed, by the number of {result.replicates}.",
    )


def _designs_title(result: Planned) -> str:
    """How many topics it takes with the fewest replicates that are enough, and with the most."""
    enough = [design for design in result.first.designs if design.topics is not None]
    head = f"To {goal_said(result.goal, result.measure)}"
    if not enough:
        return f"{head}, no number of topics is enough"
    few, many = enough[0], enough[-1]
    more = f", {many.topics:,} with {many.replicates}" if many is not few else ""
    return f"{head} takes {few.topics:,} topics with {few.replicates} {result.replicates}{more}"


def _design_marks(result: Planned) -> Iterator[alt.Chart]:
    pairs = [named(plan.pair) for plan in result.plans]
    counts = sorted({design.replicates for plan in result.plans for design in plan.designs})
    legend = _legend() if len(pairs) > 1 else None
    x = alt.X("replicates:O", title=result.replicates, scale=alt.Scale(domain=counts), axis=alt.Axis(labelAngle=0))
    base = alt.Chart(data(_design_rows(result))).encode(
        x=x,
        y=alt.Y("topics:Q", title="topics needed", scale=alt.Scale(type="log", nice=True), axis=alt.Axis(tickCount=6)),
        color=alt.Color("pair:N", title=None, scale=scale(style.distinct_colours(pairs)), legend=legend),
        tooltip=tips("pair:N", "replicates:O", "topics:Q"),
    )
    never = [count for count in counts if count not in {row["replicates"] for row in _design_rows(result)}]
    none = alt.Chart(data({"replicates": count} for count in never))
    yield base.mark_line(strokeWidth=1.6)
    yield base.mark_point(size=46, filled=True, opacity=1)
    yield base.mark_text(dy=-12).encode(text=alt.Text("text:N"))
    yield none.mark_text(y=10, color=style.MUTED).encode(x=x, text=alt.TextValue("none"))


def _design_rows(result: Planned) -> Iterator[Row]:
    for plan in result.plans:
        for design in plan.designs:
            if design.topics is not None:
                row: Row = {"pair": named(plan.pair), "replicates": design.replicates, "topics": design.topics}
                yield row | {"text": f"{design.topics:,}"}


_WIDE_RELIABILITY, _PANEL, _HIGH = 560, 250, 320  # pixels
_LEGEND = {
    "relative": "Eρ²: reliability of the ranking",
    "absolute": "Φ: reliability of the means",
    "tau": "τ with the true ranking",
}
_TEXT: dict[str, Any] = {"color": style.MUTED}


def reliability(result: Planned) -> Figure:
    """Eρ², Φ and τ against topics."""
    ranking = result.reliability
    if ranking is None:
        raise DesignError(
            "there is no ranking of which the reliability could be drawn: it takes three systems, and topics as a "
            "sample; of typed components, that of 'system'"
        )
    draw = _one_panel if result.replicates is None else _panels
    return Figure(
        draw(ranking),
        _reliability_title(ranking),
        tuple(_reliability_caption(result, ranking)),
        width=720 if result.replicates is None else 3 * _PANEL + 100,
        provenance=result.ranking_provenance,
        alternative="Curves that rise with the number of topics; a dashed line is the reliability wanted.",
    )


def _reliability_title(reliability: Reliability) -> str:
    own = reliability.needing("relative", reliability.size.replicates)
    on = "" if own is None or own.shards == 1 else f" on {counted(own.shards, 'shard')}"
    if own is None or own.topics is None:
        return f"No number of topics is enough for Eρ² = {reliability.target:g}{on}"
    there = (
        ""
        if reliability.here is None
        else f"; there {'is' if reliability.here.topics == 1 else 'are'} {reliability.here.topics:,}"
    )
    return f"Eρ² = {reliability.target:g} takes {counted(own.topics, 'topic')}{on}{there}"


def _reliability_caption(result: Planned, reliability: Reliability) -> Iterator[str]:
    systems = "these systems" if reliability.systems is not None else "systems whose true means are normal"
    if reliability.here is not None:
        on = "" if reliability.here.shards == 1 else f" on {reliability.here.shards} shards"
        yield f"Bands: {percent(1 - result.alpha)} intervals{on}, as of normal scores."
    yield f"τ: Kendall's, of the ranking by so many topics with the true one, as expected for {systems}."


def _reliability_rows(reliability: Reliability) -> Iterator[Row]:
    for point in reliability.curve:
        for kind in _LEGEND:
            yield from _row(point, kind)


def _row(reached: Reached, kind: str) -> Iterator[Row]:
    value: Any = getattr(reached, kind)
    if value is not None:
        estimate = (value, None, None) if kind == "tau" else value
        place: Row = {"what": _LEGEND[kind], "shards": str(reached.shards), "topics": reached.topics}
        yield place | dict(zip(("value", "low", "high"), estimate, strict=True))


def _base(rows: list[Row]) -> alt.Chart:
    return alt.Chart(data(rows)).encode(
        x=alt.X("topics:Q", title="topics", scale=alt.Scale(type="log", nice=False), axis=style.topics_axis()),
        tooltip=tips("what:N", "shards:N", "topics:Q", "value:Q", "low:Q", "high:Q"),
    )


def _y(field: str, reliability: Reliability) -> alt.Y:
    """From the tenth below all that is shown up to 1."""
    ends = [
        end
        for point in reliability.curve
        for end in (*point.relative, *(point.absolute or ()), point.tau)
        if end is not None
    ]
    least = math.floor(10 * min(*ends, reliability.target)) / 10
    return alt.Y(f"{field}:Q", title=None, scale=alt.Scale(domain=[least, 1], nice=False))


def _one_panel(reliability: Reliability) -> alt.LayerChart:
    """A line for each of the three."""
    rows = list(_reliability_rows(reliability))
    names = list(dict.fromkeys(str(row["what"]) for row in rows))
    colour = alt.Color(
        "what:N",
        title=None,
        scale=scale(style.distinct_colours(names)),
        legend=alt.Legend(orient="top", labelLimit=300),
    )
    base = _base(rows).encode(color=colour)
    layers = [
        *_bands(base, reliability),
        base.mark_line(strokeWidth=1.8).encode(y=_y("value", reliability)),
        *_target(reliability, has_text=True),
        *_here(reliability, has_text=True),
    ]
    return layered(*layers).properties(width=_WIDE_RELIABILITY, height=_HIGH)


def _bands(base: alt.Chart, reliability: Reliability) -> Iterator[alt.Chart]:
    if reliability.here is not None:
        banded = base.transform_filter(f"datum.shards == '{reliability.here.shards}' && datum.low != null")
        yield banded.mark_area(opacity=0.14).encode(y=_y("low", reliability), y2=alt.Y2("high:Q"))


def _target(reliability: Reliability, *, has_text: bool) -> Iterator[alt.Chart]:
    rule = alt.Chart(data([{"value": reliability.target, "text": f"wanted: {reliability.target:g}"}])).encode(
        y=_y("value", reliability)
    )
    yield rule.mark_rule(strokeDash=[5, 4], color=style.MUTED)
    if has_text:
        yield rule.mark_text(align="left", x=4, dy=-7, **_TEXT).encode(text=alt.Text("text:N"))


def _here(reliability: Reliability, *, has_text: bool) -> Iterator[alt.Chart]:
    """The topics that there are."""
    if reliability.here is not None:
        rows: list[Row] = [{"topics": reliability.here.topics, "text": f"{reliability.here.topics:,} topics here"}]
        rule = alt.Chart(data(rows)).encode(x=alt.X("topics:Q"))
        yield rule.mark_rule(strokeDash=[2, 3], color=style.MUTED)
        if has_text:
            yield rule.mark_text(align="left", y=_HIGH - 8, dx=4, **_TEXT).encode(text=alt.Text("text:N"))


def _panels(reliability: Reliability) -> alt.HConcatChart:
    """A panel for each of the three, with a line for each number of shards."""
    rows = list(_reliability_rows(reliability))
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
        lines = base.mark_line(strokeWidth=1.8).encode(y=_y("value", reliability))
        is_tau = name == _LEGEND["tau"]  # which has no interval, and is not what is wanted
        beside = [] if is_tau else [*_bands(base, reliability), *_target(reliability, has_text=i == 0)]
        layers = [*beside, lines, *_here(reliability, has_text=i == 0)]
        heading = alt.TitleParams(text=name, fontSize=style.SMALLEST, anchor="start")
        panels.append(layered(*layers).properties(width=_PANEL, height=_HIGH, title=heading))
    return alt.HConcatChart(hconcat=panels, spacing=16)


CHARTS: Mapping[str, Callable[..., Figure]] = {"goal": goal, "reliability": reliability, "designs": designs}
