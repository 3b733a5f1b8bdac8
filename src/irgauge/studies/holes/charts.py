"""The charts of holes: how far unjudged documents could move each system, groups, and whether likely grades hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import altair as alt

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import data, layered, tips
from irgauge.show.words import best_note
from irgauge.studies.holes.likely_findings import WAYS
from irgauge.studies.holes.study import Bounded

_WIDTH, _STEP = 560, 17  # pixels: of the chart, of a row


def bounds(result: Bounded, measure: str | None = None, best: int | None = None) -> Figure:
    """A row a system, best first: its mean, and between which means it lies whatever unjudged documents are."""
    name = result.measures[0] if measure is None else measure
    every = result[name].systems
    shown = every[:best]
    rows = data(
        {"system": row.system, "mean": row.mean, "least": row.least, "most": row.most, "holes": row.holes}
        for row in shown
    )
    y = alt.Y("system:N", sort=[row.system for row in shown], axis=alt.Axis(title="systems, best first", ticks=False))
    base = alt.Chart(rows).encode(y=y, tooltip=tips("system:N", "mean:Q", "least:Q", "most:Q", "holes:Q"))
    x = alt.X("least:Q", title=f"mean {name}", scale=alt.Scale(zero=False))
    chart = layered(
        base.mark_rule(strokeWidth=5, color=style.INTERVALS["Tukey"]).encode(x=x, x2=alt.X2("most:Q")),
        base.mark_point(filled=True, size=50, opacity=1, color=style.ACCENT).encode(x=alt.X("mean:Q")),
    )
    return Figure(
        chart.properties(width=_WIDTH, height=_STEP * len(shown)),
        f"How far unjudged documents could move {name}",
        (
            "Points: means with unjudged documents as not relevant; bars: all means that grades of them allow.",
            *best_note(len(shown), len(every)),
        ),
        width=_WIDTH + 240,
        provenance=result.provenance,
        alternative="Systems from best to worst: the mean of each, and a bar over the means that are possible.",
    )


def groups(result: Bounded, measure: str | None = None) -> Figure:
    """A row a group, those that fall most first: the change of its runs without what it alone brought."""
    if not result.groups:
        raise DesignError("no groups were left out of the pool; name the group of each system by 'groups'")
    name = result.measures[0] if measure is None else known(measure, result.measures, "measure")
    shown = [group for group in result.groups if group.measure == name]
    columns = ("group", "difference", "low", "high", "judged", "relevant", "ranks", "changed")
    rows = data({column: getattr(group, column) for column in columns} for group in shown)
    y = alt.Y("group:N", sort=[group.group for group in shown], axis=alt.Axis(title="groups", ticks=False))
    counts = ("judged:Q", "relevant:Q", "ranks:Q", "changed:Q")
    base = alt.Chart(rows).encode(y=y, tooltip=tips("group:N", "difference:Q", "low:Q", "high:Q", *counts))
    x = alt.X("low:Q", title=f"change of mean {name}")
    chart = layered(
        base.mark_rule(strokeWidth=2, color=style.INTERVALS["Tukey"]).encode(x=x, x2=alt.X2("high:Q")),
        base.mark_point(filled=True, size=50, opacity=1, color=style.ACCENT).encode(x=alt.X("difference:Q")),
    )
    return Figure(
        chart.properties(width=_WIDTH, height=_STEP * len(shown)),
        f"Groups left out of the pool, by {name}",
        ("Points: change of the mean of a group's runs; lines: intervals for other topics.",),
        width=_WIDTH + 240,
        provenance=result.provenance,
        alternative="Groups, those that fall most first: the change of each, with its interval.",
    )


def calibration(result: Bounded) -> Figure:
    """Hidden documents by their chance to be relevant, and the share that is: on the line where the model holds."""
    if result.likely is None or not result.likely.curve:
        raise DesignError("no judgments were hidden to check likely grades; ask for these by 'likely'")
    rows = data(
        {"hidden": WAYS[row.way], "documents": row.documents, "chance": row.chance, "share": row.share}
        for row in result.likely.curve
    )
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("chance:Q", title="chance to be relevant, by the model", scale=scale)
    y = alt.Y("share:Q", title="share that is relevant", scale=scale)
    ends = alt.Chart(data([{"chance": 0.0, "share": 0.0}, {"chance": 1.0, "share": 1.0}])).encode(x=x, y=y)
    colour = alt.Color("hidden:N", title=None, scale=alt.Scale(range=list(style.DISTINCT[:2])))
    base = alt.Chart(rows).encode(x=x, y=y, color=colour)
    points = base.mark_point(filled=True, opacity=1).encode(
        size=alt.Size("documents:Q", legend=None, scale=alt.Scale(range=[25, 250])),
        tooltip=tips("hidden:N", "documents:Q", "chance:Q", "share:Q"),
    )
    chart = layered(ends.mark_line(strokeDash=[4, 4], color=style.INTERVALS["Tukey"]), base.mark_line(), points)
    return Figure(
        chart.properties(width=_WIDTH, height=_WIDTH * 2 // 3),
        "Likely grades where judgments are hidden",
        ("Points: hidden documents with about the same chance; dashed: where chance and share are the same.",),
        width=_WIDTH + 240,
        provenance=result.provenance,
        alternative="The share of relevant documents by their chance, for each way of hiding, beside the diagonal.",
    )


CHARTS: Mapping[str, Callable[..., Figure]] = {"bounds": bounds, "groups": groups, "calibration": calibration}
