"""The charts of holes: how far unjudged documents could move each system, groups, and whether likely grades hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import altair as alt

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import data, layered, tips
from irgauge.show.words import best_note, counted
from irgauge.studies.holes.likely import HiddenCheck
from irgauge.studies.holes.likely_findings import WAYS
from irgauge.studies.holes.reuse import GroupFall
from irgauge.studies.holes.study import Bounded

_WIDTH, _STEP, _LEAST = 560, 17, 7  # pixels: of the chart, of a row, and of one of very many


def bounds(result: Bounded, measure: str | None = None, best: int | None = None) -> Figure:
    """A row a system, best first: its mean, and between which means it lies whatever unjudged documents are."""
    name = result.measures[0] if measure is None else measure
    every = result[name].systems
    shown = every[:best]
    rows = data(
        {
            "system": row.system,
            "rank": rank,
            "mean": row.mean,
            "least": row.least,
            "most": row.most,
            "holes": row.holes,
        }
        for rank, row in enumerate(shown, 1)
    )
    y = _rows([row.system for row in shown], f"{counted(len(shown), 'system')}, best first", style.SYSTEM)
    base = alt.Chart(rows).encode(y=y, tooltip=tips("system:N", "mean:Q", "least:Q", "most:Q", "holes:Q"))
    x = alt.X("least:Q", title=f"mean {name}", scale=alt.Scale(zero=False))
    chart = layered(
        base.mark_rule(strokeWidth=5, color=style.INTERVALS["Tukey"]).encode(x=x, x2=alt.X2("most:Q")),
        base.mark_point(filled=True, size=50, opacity=1, color=style.ACCENT).encode(x=alt.X("mean:Q")),
    )
    return Figure(
        chart.properties(width=_WIDTH, height=_high(len(shown))),
        _bounds_title(result, name),
        (
            "Points: means with unjudged documents as not relevant; bars: all means that grades of them allow.",
            *best_note(len(shown), len(every)),
        ),
        width=_WIDTH + 240,
        provenance=result.provenance,
        alternative="Systems from best to worst: the mean of each, and a bar over the means that are possible.",
    )


def _rows(names: Sequence[str], title: str, fields: tuple[str, str]) -> alt.Y:
    """An axis of rows with their names; of very many, with their ranks, which a title explains."""
    return alt.Y(**style.level_axis(names, title if len(names) > style.NAMED else "", fields=fields, angle=0))


def _high(rows: int) -> int:
    return (_LEAST if rows > style.NAMED else _STEP) * rows


def _bounds_title(result: Bounded, measure: str) -> str:
    """Of how many pairs the order is certain, or of one system, where its mean may lie."""
    own = result[measure]
    if not own.pairs:
        (row,) = own.systems
        return f"The mean {measure} of {row.system} lies between {row.least:.3f} and {row.most:.3f}"
    kept, of = sum(pair.keeps_order for pair in own.pairs), counted(len(own.pairs), "pair")
    against = f" with {result.baseline}" if result.baseline else ""
    least = "" if own.pairs[0].is_exact else "At least "
    keep = "keeps its" if kept == 1 else "keep their"
    return f"{least}{kept:,} of {of}{against} {keep} order by {measure}, whatever unjudged documents are"


def groups(result: Bounded, measure: str | None = None) -> Figure:
    """A row a group, those that fall most first: the change of its runs without what it alone brought."""
    if not result.groups:
        raise DesignError("no groups were left out of the pool; name the group of each system by 'groups'")
    name = result.measures[0] if measure is None else known(measure, result.measures, "measure")
    shown = [group for group in result.groups if group.measure == name]
    columns = ("group", "difference", "low", "high", "judged", "relevant", "ranks", "changed")
    rows = data(
        {column: getattr(group, column) for column in columns} | {"place": place}
        for place, group in enumerate(shown, 1)
    )
    y = _rows([group.group for group in shown], "groups, those that fall most first", ("group", "place"))
    counts = ("judged:Q", "relevant:Q", "ranks:Q", "changed:Q")
    base = alt.Chart(rows).encode(y=y, tooltip=tips("group:N", "difference:Q", "low:Q", "high:Q", *counts))
    x = alt.X("low:Q", title=f"change of mean {name}")
    chart = layered(
        base.mark_rule(strokeWidth=2, color=style.INTERVALS["Tukey"]).encode(x=x, x2=alt.X2("high:Q")),
        base.mark_point(filled=True, size=50, opacity=1, color=style.ACCENT).encode(x=alt.X("difference:Q")),
    )
    return Figure(
        chart.properties(width=_WIDTH, height=_high(len(shown))),
        _groups_title(name, shown),
        ("Points: change of the mean of a group's runs; lines: intervals for other topics.",),
        width=_WIDTH + 240,
        provenance=result.provenance,
        alternative="Groups, those that fall most first: the change of each, with its interval.",
    )


def _groups_title(measure: str, shown: Sequence[GroupFall]) -> str:
    worst = shown[0]
    if worst.difference >= 0:
        return f"No group falls in {measure} without what it alone brought to the pool"
    fall = f"by {-worst.difference:.3f} in {measure}"
    return f"Without what it alone brought to the pool, {worst.group} falls most, {fall}"


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
        _calibration_title(result.likely.checks),
        ("Points: hidden documents with about the same chance; dashed: where chance and share are the same.",),
        width=_WIDTH + 240,
        provenance=result.provenance,
        alternative="The share of relevant documents by their chance, for each way of hiding, beside the diagonal.",
    )


def _calibration_title(checks: Sequence[HiddenCheck]) -> str:
    """How many relevant documents likely grades expect among those whose judgments are hidden, and how many are."""
    each = {check.way: check for check in checks}.values()
    counts = [f"{check.expected:,.0f} and {check.relevant:,.0f} ({WAYS[check.way]})" for check in each]
    return f"Relevant documents by likely grades and in truth: {', '.join(counts)}"


CHARTS: Mapping[str, Callable[..., Figure]] = {"bounds": bounds, "groups": groups, "calibration": calibration}
