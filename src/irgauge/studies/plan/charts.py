"""Charts of a plan: what more topics reach against the goal, and the topics needed by shards or instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.words import counted, listed, percent
from irgauge.studies.plan.pair_plan import BAND
from irgauge.studies.plan.reliability_chart import reliability
from irgauge.studies.plan.study import Planned
from irgauge.studies.plan.words import goal_said, named, number, who

_WIDE = 560  # pixels
_BANDS = 2  # lines that have bands
_AXES = {
    "width": "half width of the interval",
    "difference": "smallest difference that is found",
    "margin": "smallest margin that is shown",
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
    design = next(one for one in result.first.designs if result.replicates is None or one.replicates == count)
    beside = "" if result.replicates is None else f" with {count} {result.replicates}"
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
    drawn = list(dict.fromkeys(one.replicates for one in result.first.curve))
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
    title = _AXES[result.goal.kind]
    y = alt.Y("reached:Q", title=title, scale=alt.Scale(type="log", nice=False))
    legend = alt.Legend(orient="top", labelLimit=300) if len(lines) > 1 else None
    colour = alt.Color("line:N", title=None, scale=scale(style.series_colours(lines)), legend=legend)
    base = alt.Chart(data(rows)).encode(x=x, color=colour, tooltip=tips("line:N", "topics:Q", "reached:Q"))
    banded = base.transform_filter("datum.low != null")
    yield banded.mark_area(opacity=0.14).encode(y=alt.Y("low:Q", title=title), y2=alt.Y2("high:Q"))
    yield base.mark_line(strokeWidth=1.8).encode(y=y)
    yield from _goal_marks(result)


def _goal_marks(result: Planned) -> Iterator[alt.Chart]:
    text: dict[str, Any] = {"font": style.FONT, "fontSize": 11, "color": style.MUTED}
    rule = alt.Chart(data([{"reached": result.goal.value, "text": f"goal: {number(result.goal.value)}"}]))
    at = rule.encode(y=alt.Y("reached:Q"))
    yield at.mark_rule(strokeDash=[5, 4], color=style.MUTED)
    yield at.mark_text(align="right", x="width", dy=-7, **text).encode(text=alt.Text("text:N"))
    if result.here is not None:
        here = alt.Chart(data([{"topics": result.here.topics, "text": f"{result.here.topics} topics here"}]))
        there = here.encode(x=alt.X("topics:Q"))
        yield there.mark_rule(strokeDash=[2, 3], color=style.MUTED)
        yield there.mark_text(align="left", y=8, dx=4, **text).encode(text=alt.Text("text:N"))


def _rows(result: Planned) -> Iterator[Row]:
    plans = result.plans if result.replicates is None else result.plans[:1]
    for plan in plans:
        for one in plan.curve:
            line = who(plan.pair) if result.replicates is None else f"{one.replicates} {result.replicates}"
            row: Row = {"line": line, "topics": one.topics, "reached": one.reached}
            has_band = len(plans) <= _BANDS and (result.replicates is None or one.replicates == _banded(result))
            yield row | {"low": one.low if has_band else None, "high": one.high if has_band else None}


def designs(result: Planned) -> Figure:
    """The topics that are needed, by the number of shards or instances."""
    if result.replicates is None:
        raise DesignError("there are no shards or instances to plan with; draw the chart of the goal")
    few = [str(one.replicates) for one in result.first.designs if one.topics is None]
    none = f"None: no number of topics is enough with {listed(few, 'or')} {result.replicates}." if few else ""
    return Figure(
        layered(*_design_marks(result)).properties(width=_WIDE, height=320),
        f"Topics needed to {goal_said(result.goal, result.measure)}",
        tuple(filter(None, ("Points: the fewest topics that reach the goal; logarithmic axis.", none))),
        width=720,
        provenance=result.provenance,
        alternative=f"Topics needed, by the number of {result.replicates}.",
    )


def _design_marks(result: Planned) -> Iterator[alt.Chart]:
    text: dict[str, Any] = {"font": style.FONT, "fontSize": 11}
    pairs = [named(plan.pair) for plan in result.plans]
    counts = sorted({one.replicates for plan in result.plans for one in plan.designs})
    legend = alt.Legend(orient="top", labelLimit=300) if len(pairs) > 1 else None
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
    yield base.mark_text(dy=-10, dx=5, align="left", **text).encode(text=alt.Text("text:N"))
    yield none.mark_text(y=10, color=style.MUTED, **text).encode(x=x, text=alt.TextValue("none"))


def _design_rows(result: Planned) -> Iterator[Row]:
    for plan in result.plans:
        for one in plan.designs:
            if one.topics is not None:
                row: Row = {"pair": named(plan.pair), "replicates": one.replicates, "topics": one.topics}
                yield row | {"text": f"{one.topics:,}"}


CHARTS: Mapping[str, Callable[..., Figure]] = {"goal": goal, "reliability": reliability, "designs": designs}
