"""Charts of random algorithms: differences against the margin, shares of the variance, topics needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt

from irgauge.inference.equivalence import Verdict
from irgauge.present import style
from irgauge.present.instance_findings import PARTS, Answer, measure, setting, share
from irgauge.present.precision_findings import percent
from irgauge.present.sentences import counted, listed
from irgauge.present.style import Row, data, facts, finished, layered, level_axis, scale, tips, width_of
from irgauge.studies.instances import NOT_WORSE, Instances
from irgauge.studies.sample_size import Plan

_PAIRS = 60  # that a chart shows
_COMPONENTS = {"topic": "#0072b2", "topic:algorithm": "#cc79a7", "instance": "#e69f00", "residual": "#6b6b6b"}
_VERDICTS: dict[Verdict, str] = {
    "better": "#0072b2",
    "not worse": "#56b4e9",
    "equivalent": "#009e73",
    "not better": "#e69f00",
    "worse": "#d55e00",
    "inconclusive": "#8a8a8a",
}
_BAND = "#eef3ee"
_WIDE = 560  # pixels


# differences against the margin


def margins(answer: Answer) -> alt.LayerChart:
    """Intervals of differences against the margin, by setting or by pair (Jayasinghe et al., Fig. 2)."""
    found = answer.found
    rows = _interval_rows(found)
    names = [str(row["name"]) for row in rows]
    is_series = bool(found.series())
    seen = {str(row["verdict"]) for row in rows}
    colours: dict[str, str] = {verdict: colour for verdict, colour in _VERDICTS.items() if verdict in seen}
    by = "HPD interval" if found.hpd is not None else "tests"
    colour = alt.Color("verdict:N", title=f"verdict by {by}", scale=scale(colours), legend=_strokes())
    base = alt.Chart(data(rows)).encode(
        color=colour, tooltip=tips("name:N", "difference:Q", "low:Q", "high:Q", "t_low:Q", "t_high:Q", "verdict:N")
    )
    place = _Place(names, is_upright=is_series or found.baseline is not None, title=_pairs_title(found, len(rows)))
    title = f"difference in {measure(found)}" + ("" if found.baseline is None else f" from {found.baseline}")
    limits: list[Row] = [{"from": -found.margin, "to": found.margin, "zero": 0.0}]
    lines = alt.Chart(data(limits))
    chart = layered(
        lines.mark_rect(color=_BAND, opacity=1).encode(**place.along("from", "to", title)),
        lines.mark_rule(color=style.INK, strokeWidth=0.8).encode(**place.along("zero", None, title)),
        *(
            lines.mark_rule(color="#3d7a4f", strokeWidth=1.2, strokeDash=[5, 4]).encode(**place.along(end, None, title))
            for end in ("from", "to")
        ),
        base.mark_rule(strokeWidth=7).encode(**place.across(), **place.along("low", "high", title)),
        *(
            base.mark_tick(size=15, thickness=1.6, orient="horizontal" if place.is_upright else "vertical").encode(
                **place.across(), **place.along(end, None, title), color=alt.value(style.INK)
            )
            for end in ("t_low", "t_high")
        ),
        base.mark_point(filled=True, size=34, opacity=1, color="#ffffff", stroke=style.INK, strokeWidth=0.8).encode(
            **place.across(), **place.along("difference", None, title), color=alt.value("#ffffff")
        ),
    ).properties(**place.size())
    width = place.size()["width"] + 180
    return finished(chart, _margins_title(found), _margins_caption(answer, len(rows)), width=width)


class _Place:
    """Where the pairs and the differences stand: upright over a row of names, or lying beside a column of them."""

    def __init__(self, names: Sequence[str], *, is_upright: bool, title: str) -> None:
        self.names, self.is_upright, self.title = list(names), is_upright, title

    def across(self) -> dict[str, Any]:
        """The axis of names."""
        if self.is_upright:
            return {"x": alt.X(**level_axis(self.names, self.title))}
        axis = alt.Axis(title=self.title, ticks=False, labelLimit=320, grid=False)
        return {"y": alt.Y("name:N", sort=self.names, scale=alt.Scale(domain=self.names), axis=axis)}

    def along(self, start: str, end: str | None, title: str) -> dict[str, Any]:
        """The axis of differences, from one field to another."""
        both = ("y", "y2") if self.is_upright else ("x", "x2")
        axis = alt.Y if self.is_upright else alt.X
        ends = {} if end is None else {both[1]: f"{end}:Q"}
        return {both[0]: axis(f"{start}:Q", title=title, scale=alt.Scale(zero=False)), **ends}

    def size(self) -> dict[str, int]:
        """Width and height, in pixels."""
        if self.is_upright:
            return {"width": width_of(len(self.names), step=60, least=420, most=920), "height": 340}
        return {"width": 520, "height": width_of(len(self.names), step=26, least=100, most=1600)}


def _strokes() -> alt.Legend:
    return alt.Legend(symbolType="stroke", symbolStrokeWidth=6)


def _interval_rows(found: Instances) -> list[Row]:
    """The pairs, in the order of settings where there is a series; else as they are."""
    rows: list[Row] = []
    said = found.verdicts if found.hpd_verdicts is None else found.hpd_verdicts
    for i, (pair, one) in enumerate(zip(found.pairs, found.contrasts, strict=True)):
        inner = (found.intervals if found.hpd is None else found.hpd)[:, i].tolist()
        t_low, t_high = found.intervals[:, i].tolist()
        name = f"{pair.first} − {pair.second}" if found.baseline is None else pair.first
        row: Row = {"name": name, "difference": one.estimate, "low": inner[0], "high": inner[1]}
        rows.append(row | {"t_low": t_low, "t_high": t_high, "verdict": said[i]})
    order = [one.algorithm for one in found.series()]
    if order:
        rows.sort(key=lambda row: order.index(str(row["name"])) if row["name"] in order else -1)
    return [row | {"rank": rank} for rank, row in enumerate(rows[:_PAIRS], 1)]


def _pairs_title(found: Instances, shown: int) -> str:
    if found.baseline is None:
        return f"first − second, {counted(shown, 'pair')}" + ("" if shown == len(found.pairs) else " of those that are")
    return "setting" if found.series() else "algorithm"


def _margins_title(found: Instances) -> str:
    """The smallest setting, or how many of each verdict there are."""
    said = found.verdicts if found.hpd_verdicts is None else found.hpd_verdicts
    if found.series():
        return _series_title(found)
    if len(said) == 1:
        first, second = found.pairs[0]
        return f"{first} against {second}: {said[0]}, at a margin of {found.margin:g}"
    counts = [f"{said.count(one)} {one}" for one in _VERDICTS if one in said]
    what = counted(len(said), "pair" if found.baseline is None else "algorithm")
    against = "of algorithms" if found.baseline is None else f"against {found.baseline}"
    return f"{what} {against} at a margin of {found.margin:g}: {listed(counts)}"


def _series_title(found: Instances) -> str:
    by_hpd = found.hpd is not None
    not_worse = found.smallest(NOT_WORSE, by_hpd=by_hpd)
    equivalent = found.smallest(("equivalent",), by_hpd=by_hpd)
    last = found.series()[-1].value
    if not_worse is None:
        return f"Up to {last:g}, no setting is shown to be not worse than {found.baseline} by {found.margin:g}"
    same = "" if equivalent is None else f", and from {equivalent:g} on equivalent"
    none = ", but none is shown to be equivalent" if equivalent is None else ""
    return f"From {not_worse:g} on, settings are not worse than {found.baseline} by {found.margin:g}{same}{none}"


def _margins_caption(answer: Answer, shown: int) -> list[str]:
    found, inside = answer.found, percent(1 - answer.found.alpha)
    thick = "by t" if found.hpd is None else "of highest posterior density"
    thin = "" if found.hpd is None else f"; black marks: ends of {inside} intervals by t, each pair alone"
    some = "" if shown == len(found.pairs) else f" The first {shown} of {len(found.pairs)} pairs."
    return [
        f"Bars: {inside} intervals {thick}{thin}; dots: differences of fitted means; dashed: ± the margin of "
        f"{found.margin:g}, within which a difference is of no consequence.{some}",
        facts(*setting(answer)),
    ]


# variance


def variance(answer: Answer) -> alt.LayerChart:
    """The share of each component in the variance of one score, with its posterior interval."""
    found = answer.found
    rows = list(_share_rows(found))
    names = [str(row["name"]) for row in rows]
    colours = {PARTS[name]: colour for name, colour in _COMPONENTS.items() if PARTS[name] in names}
    y = alt.Y("name:N", sort=names, title=None, axis=alt.Axis(ticks=False, labelFontSize=12, labelLimit=200))
    x = alt.X("share:Q", title=f"share of the variance of one {measure(found)}", axis=alt.Axis(format="%"))
    base = alt.Chart(data(rows)).encode(
        y=y, tooltip=tips("name:N", "share:Q", "low:Q", "high:Q", "variance:Q", "sd:Q", "levels:Q")
    )
    bars = base.mark_bar(size=26).encode(x=x, color=alt.Color("name:N", scale=scale(colours), legend=None))
    labels = base.mark_text(align="left", dx=8, font=style.FONT, fontSize=12, color=style.INK)
    layers = [bars, labels.encode(x="label_at:Q", text="text:N")]
    if found.posterior is not None:
        layers.insert(1, base.mark_rule(strokeWidth=1.6, color=style.INK).encode(x="low:Q", x2="high:Q"))
    chart = layered(*layers).properties(width=560, height=46 * len(rows))
    return finished(chart, _variance_title(found), _variance_caption(answer), width=720)


def _share_rows(found: Instances) -> Iterator[Row]:
    drawn = {} if found.posterior is None else {one.name: one for one in found.posterior.shares(alpha=found.alpha)}
    for one in sorted(found.fit.components, key=lambda part: -part.share):
        row: Row = {"name": PARTS[one.name], "share": one.share, "variance": one.variance, "sd": one.sd}
        low, high = (drawn[one.name].low, drawn[one.name].high) if drawn else (one.share, one.share)
        text = f"{share(one.share)}, sd {one.sd:.3g}"
        yield row | {
            "levels": one.levels,
            "low": low,
            "high": high,
            "label_at": max(one.share, high),
            "text": text,
        }


def _variance_title(found: Instances) -> str:
    parts = {one.name: one.share for one in found.fit.components}
    largest = max(parts, key=lambda name: parts[name])
    told = f"{PARTS[largest].removeprefix('the ').capitalize()} make up {share(parts[largest])}"
    if largest == "residual":
        told = f"The residual makes up {share(parts[largest])}"
    rest = "instance" if "instance" in parts and largest != "instance" else "residual"
    other = "" if rest == largest else f", {PARTS[rest]} {share(parts[rest])}"
    return f"{told} of the variance of one {measure(found)}{other}"


def _variance_caption(answer: Answer) -> list[str]:
    found = answer.found
    lines = "" if found.posterior is None else f"; lines: {percent(1 - found.alpha)} HPD intervals of the shares"
    return [
        f"Bars: shares of the components by REML, with their standard deviations{lines}. What topics have in common "
        "cancels in a difference of algorithms.",
        facts(*setting(answer)),
    ]


# sizes


def needed(answer: Answer) -> alt.LayerChart:
    """The topics that an interval of the width asked for needs, by the number of instances."""
    found = answer.found
    rows = list(_needed_rows(answer))
    kinds = [plan.kind for plan in answer.plans]
    counts = list(dict.fromkeys(one.instances for plan in answer.plans for one in plan.needed))
    x = alt.X(
        "instances:O",
        title="instances of each random algorithm",
        scale=alt.Scale(domain=sorted(counts)),
        axis=alt.Axis(labelAngle=0, ticks=False),
    )
    here = len(found.scores.topics)
    most = max([here, *(int(row["topics"] or 0) for row in rows)])
    least = min([here, *(int(row["topics"] or here) for row in rows)])
    y = alt.Y(
        "topics:Q",
        title="topics needed",
        scale=alt.Scale(type="log", domain=[0.7 * least, 1.5 * most], nice=False),
        axis=alt.Axis(grid=False, tickCount=6),
    )
    legend = alt.Legend(orient="top") if len(kinds) > 1 else None
    colour = alt.Color("kind:N", title=None, scale=scale(style.distinct_colours(kinds)), legend=legend)
    base = alt.Chart(data(rows)).encode(
        x=x, y=y, color=colour, tooltip=tips("kind:N", "instances:O", "topics:Q", "text:N")
    )
    rule = alt.Chart(data([{"topics": here, "text": f"{here} topics here"}])).encode(y=y)
    none = alt.Chart(data({"instances": count} for count in _never(answer.plans)))
    text: dict[str, Any] = {"font": style.FONT, "fontSize": 11}
    chart = layered(
        rule.mark_rule(strokeDash=[5, 4], color=style.MUTED),
        rule.mark_text(align="right", x="width", dy=-7, color=style.MUTED, **text).encode(text="text:N"),
        base.mark_line(strokeWidth=1.6),
        base.mark_point(size=46, filled=True, opacity=1),
        base.mark_text(dy=-12, **text).encode(text="text:N"),
        none.mark_text(y=10, color=style.MUTED, **text).encode(x=x, text=alt.value("none")),
    ).properties(width=_WIDE, height=320)
    return finished(chart, _needed_title(answer), _needed_caption(answer), width=720)


def _needed_rows(answer: Answer) -> Iterator[Row]:
    for plan in answer.plans:
        for one in plan.needed:
            if one.topics is not None:
                row: Row = {"kind": plan.kind, "instances": one.instances, "topics": one.topics}
                yield row | {"text": f"{one.topics:,}"}


def _needed_title(answer: Answer) -> str:
    width = f"± {answer.width:g} in {measure(answer.found)}"
    plan = answer.plans[0]
    possible = [one for one in plan.needed if one.topics is not None]
    if not possible:
        return f"No number of topics gives an interval of {width} for {plan.kind}"
    first, last = possible[0], possible[-1]
    ends = f"{first.topics:,} topics"
    if len(plan.needed) > 1:
        ends += f" with {counted(first.instances, 'instance')}"
    if last != first:
        ends += f", {last.topics:,} with {last.instances}"
    return f"An interval of {width} for {plan.kind} needs {ends}"


def _needed_caption(answer: Answer) -> list[str]:
    inside, missing = percent(1 - answer.found.alpha), _impossible(answer.plans)
    return [
        f"Points: the fewest topics for a {inside} interval of a difference within ± {answer.width:g}, by the normal "
        f"distribution, from the components fitted by REML.{missing} Logarithmic axis.",
        facts(*setting(answer)),
    ]


def _never(plans: Sequence[Plan]) -> list[int]:
    """The numbers of instances with which no kind of comparison has enough topics."""
    possible = {one.instances for plan in plans for one in plan.needed if one.topics is not None}
    given = dict.fromkeys(one.instances for plan in plans for one in plan.needed)
    return [count for count in given if count not in possible]


def _impossible(plans: Sequence[Plan]) -> str:
    """For how many instances no number of topics is enough."""
    told = []
    for plan in plans:
        few = [str(one.instances) for one in plan.needed if one.topics is None]
        if few:
            told.append(f" No number of topics is enough for {plan.kind} with {listed(few)}.")
    return "".join(told)
