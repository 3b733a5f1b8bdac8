"""Charts of random algorithms: scores on topics and over instances, differences, shares of the variance, sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.inference.instance_tests import Pair
from irgauge.inference.intervals import Boxes
from irgauge.inference.verdicts import Verdict
from irgauge.replicates.instances import InstanceScores
from irgauge.scoring.direction import sign_of
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure
from irgauge.show.rows import in_rows
from irgauge.show.style import Row, data, layered, level_axis, only, scale, tips, width_of
from irgauge.show.words import capital, counted, listed, lower_told, percent
from irgauge.studies.instances.findings import PARTS, share
from irgauge.studies.instances.records import component_records
from irgauge.studies.instances.study import AlgorithmsCompared

_PAIRS = 60  # that a chart shows
_COMPONENTS = {"topic": "#0072b2", "topic:algorithm": "#cc79a7", "instance": "#e69f00", "residual": "#6b6b6b"}
_WIDE = 560  # pixels
_OTHER = ("other_low", "other_high")  # fields: ends of the other kind of interval


# differences against the margin


def margins(result: AlgorithmsCompared) -> Figure:
    """Intervals of differences against the margin, by setting or by pair (Jayasinghe et al., Fig. 2)."""
    rows = _interval_rows(result)
    is_upright = bool(result.series) or result.baseline is not None
    place = _PairAxes([str(row["name"]) for row in rows], is_upright=is_upright, title=_pairs_title(result, len(rows)))
    title = f"difference in {result.measure}{lower_told(result.scores.direction)}" + (
        "" if result.baseline is None else f" from {result.baseline}"
    )
    chart = layered(*_margin_marks(result, place, title), *_interval_marks(result, rows, place, title))
    return Figure(
        chart.properties(**place.size()),
        _margins_title(result),
        tuple(_margins_caption(result, len(rows))),
        width=place.size()["width"] + 180,
        provenance=result.provenance,
        alternative="Differences of algorithms with their intervals, and a band of differences that do not matter.",
    )


class _PairAxes:
    """Where the pairs and the differences stand: upright over a row of names, or lying beside a column of them."""

    def __init__(self, names: Sequence[str], *, is_upright: bool, title: str) -> None:
        self.names, self.is_upright, self.title = list(names), is_upright, title

    def across(self) -> dict[str, Any]:
        """The axis of names."""
        if self.is_upright:
            return {"x": alt.X(**level_axis(self.names, self.title))}
        axis = alt.Axis(title=self.title, ticks=False, labelLimit=style.LONGEST, grid=False)
        return {"y": alt.Y("name:N", sort=self.names, scale=alt.Scale(domain=self.names), axis=axis)}

    def along(self, start: str, end: str | None, title: str) -> dict[str, Any]:
        """The axis of differences, from one field to another."""
        both = ("y", "y2") if self.is_upright else ("x", "x2")
        axis, other = (alt.Y, alt.Y2) if self.is_upright else (alt.X, alt.X2)
        ends = {} if end is None else {both[1]: other(f"{end}:Q")}
        return {both[0]: axis(f"{start}:Q", title=title, scale=alt.Scale(zero=False)), **ends}

    def size(self) -> dict[str, int]:
        """Width and height, in pixels."""
        if self.is_upright:
            return {"width": width_of(len(self.names), step=60, least=420, most=920), "height": 340}
        return {"width": 520, "height": width_of(len(self.names), step=26, least=100, most=1600)}


def _margin_marks(result: AlgorithmsCompared, place: _PairAxes, title: str) -> Iterator[alt.Chart]:
    limits: list[Row] = [{"from": -result.margin, "to": result.margin, "zero": 0.0}]
    lines = alt.Chart(data(limits))
    yield lines.mark_rect(color=verdicts.BAND, opacity=1).encode(**place.along("from", "to", title))
    yield lines.mark_rule(color=style.INK, strokeWidth=0.8).encode(**place.along("zero", None, title))
    for end in ("from", "to"):
        dashed = lines.mark_rule(color=verdicts.EDGE, strokeWidth=1.2, strokeDash=[5, 4])
        yield dashed.encode(**place.along(end, None, title))


def _interval_marks(
    result: AlgorithmsCompared, rows: Sequence[Row], place: _PairAxes, title: str
) -> Iterator[alt.Chart]:
    seen = {str(row["verdict"]) for row in rows}
    colours: dict[str, str] = {verdict: colour for verdict, colour in verdicts.COLOURS.items() if verdict in seen}
    by, other = "HPD interval" if _is_by_hpd(result) else "tests", () if result.hpd is None else _OTHER
    legend = alt.Legend(symbolType="stroke", symbolStrokeWidth=6)
    base = alt.Chart(data(rows)).encode(
        **place.across(),
        color=alt.Color("verdict:N", title=f"verdict by {by}", scale=scale(colours), legend=legend),
        tooltip=tips("name:N", "difference:Q", "low:Q", "high:Q", *(f"{end}:Q" for end in other), "verdict:N"),
    )
    yield base.mark_rule(strokeWidth=7).encode(**place.along("low", "high", title))
    ticks = base.mark_tick(size=15, thickness=1.6, orient="horizontal" if place.is_upright else "vertical")
    for end in other:
        yield ticks.encode(**place.along(end, None, title), color=alt.ColorValue(style.INK))
    points = base.mark_point(filled=True, size=34, opacity=1, color="#ffffff", stroke=style.INK, strokeWidth=0.8)
    yield points.encode(**place.along("difference", None, title), color=alt.ColorValue("#ffffff"))


def _is_by_hpd(result: AlgorithmsCompared) -> bool:
    """Are bars and verdicts those of HPD intervals? As in the paper, where variances are."""
    return result.variances == "common" and result.hpd is not None


def _verdicts(result: AlgorithmsCompared) -> Sequence[Verdict]:
    return result.verdicts if result.hpd_verdicts is None or not _is_by_hpd(result) else result.hpd_verdicts


def _interval_rows(result: AlgorithmsCompared) -> list[Row]:
    """The pairs, in the order of settings where there is a series; else as they are."""
    rows: list[Row] = []
    bars, marks = (result.hpd, result.intervals) if _is_by_hpd(result) else (result.intervals, result.hpd)
    for i, (pair, contrast) in enumerate(zip(result.pairs, result.contrasts, strict=True)):
        name = f"{pair.system} − {pair.against}" if result.baseline is None else pair.system
        row: Row = {"name": name, "difference": contrast.estimate, "verdict": _verdicts(result)[i]}
        for ends, values in ((("low", "high"), bars), (_OTHER, marks)):
            if values is not None:
                row |= dict(zip(ends, values[:, i].tolist(), strict=True))
        rows.append(row)
    order = [setting.algorithm for setting in result.series]
    if order:
        rows.sort(key=lambda row: order.index(str(row["name"])) if row["name"] in order else -1)
    return [row | {"rank": rank} for rank, row in enumerate(rows[:_PAIRS], 1)]


def _pairs_title(result: AlgorithmsCompared, shown: int) -> str:
    if result.baseline is None:
        return f"first − second, {counted(shown, 'pair')}"
    return "setting" if result.series else "algorithm"


def _margins_title(result: AlgorithmsCompared) -> str:
    """The smallest setting, or how many of each verdict there are."""
    outcomes = _verdicts(result)
    if result.series:
        return _series_title(result)
    if len(outcomes) == 1:
        first, second = result.pairs[0]
        return f"{first} against {second}: {outcomes[0]}, at a margin of {result.margin:g}"
    counts = [f"{outcomes.count(verdict)} {verdict}" for verdict in verdicts.COLOURS if verdict in outcomes]
    what = counted(len(outcomes), "pair" if result.baseline is None else "algorithm")
    against = "of algorithms" if result.baseline is None else f"against {result.baseline}"
    return f"{what} {against} at a margin of {result.margin:g}: {listed(counts)}"


def _series_title(result: AlgorithmsCompared) -> str:
    not_worse, equivalent = result.smallest(by_hpd=_is_by_hpd(result))
    last = result.series[-1].value
    if not_worse is None:
        return f"Up to {last:g}, no setting is shown to be not worse than {result.baseline} by {result.margin:g}"
    same = "" if equivalent is None else f", and from {equivalent:g} on equivalent"
    none = ", but none is shown to be equivalent" if equivalent is None else ""
    return f"From {not_worse:g} on, settings are not worse than {result.baseline} by {result.margin:g}{same}{none}"


def _margins_caption(result: AlgorithmsCompared, shown: int) -> Iterator[str]:
    inside = percent(1 - result.alpha)
    kinds = "intervals by t, each pair alone", "intervals of highest posterior density"
    bars, ends = kinds[::-1] if _is_by_hpd(result) else kinds
    marks = "" if result.hpd is None else f"; black marks: ends of {inside} {ends}"
    yield (
        f"Bars: {inside} {bars}{marks}; dots: differences of fitted means; dashed: ± the "
        f"margin of {result.margin:g}, within which a difference does not matter."
    )
    if shown < len(result.pairs):
        yield f"Shown: the first {shown} of {len(result.pairs)} pairs."


# variance


def variance(result: AlgorithmsCompared) -> Figure:
    """The share of each component in the variance of one score, with its posterior interval."""
    rows = list(_share_rows(result))
    names = [str(row["name"]) for row in rows]
    colours = {name: _COMPONENTS[part] for name in names for part in _COMPONENTS if PARTS[part] == name.split("\n")[0]}
    y = alt.Y(
        "name:N", sort=names, title=None, axis=alt.Axis(ticks=False, labelLimit=style.LONGEST, labelExpr=style.ON_LINES)
    )
    x = alt.X("share:Q", title=f"share of the variance of one {result.measure}", axis=alt.Axis(format="%"))
    base = alt.Chart(data(rows)).encode(
        y=y, tooltip=tips("name:N", "share:Q", "low:Q", "high:Q", "variance:Q", "sd:Q", "levels:Q")
    )
    bars = base.mark_bar(size=26).encode(x=x, color=alt.Color("name:N", scale=scale(colours), legend=None))
    lines = base.mark_rule(strokeWidth=1.6, color=style.INK).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    chart = layered(bars, *([lines] if result.posterior is not None else []))
    return Figure(
        chart.properties(width=_WIDE, height=46 * len(rows)),
        _variance_title(result),
        tuple(_variance_caption(result)),
        width=720,
        provenance=result.provenance,
        alternative="Bars of the shares of components in the variance of one score, the largest first.",
    )


def _share_rows(result: AlgorithmsCompared) -> Iterator[Row]:
    for record in sorted(component_records(result), key=lambda part: -float(part["share"] or 0)):
        own, sd = float(record["share"] or 0), float(record["sd"] or 0)
        low, high = (own if record[end] is None else record[end] for end in ("share_low", "share_high"))
        row: Row = {name: record[name] for name in ("share", "variance", "sd", "levels")}
        name = f"{PARTS[str(record['component'])]}\n{share(own)}, sd {sd:.3g}"
        yield {"name": name, **row, "low": low, "high": high}


def _variance_title(result: AlgorithmsCompared) -> str:
    parts = {component.name: component.share for component in result.fit.components}
    largest = max(parts, key=lambda name: parts[name])
    verb = "makes up" if largest == "residual" else "make up"
    rest = "instance" if "instance" in parts and largest != "instance" else "residual"
    other = "" if rest == largest else f", {PARTS[rest]} {share(parts[rest])}"
    return f"{capital(PARTS[largest])} {verb} {share(parts[largest])} of the variance of one {result.measure}{other}"


def _variance_caption(result: AlgorithmsCompared) -> Iterator[str]:
    lines = "" if result.posterior is None else f"; lines: {percent(1 - result.alpha)} HPD intervals of the shares"
    yield f"Bars: shares of the components by REML, with their standard deviations{lines}."
    yield "What topics have in common cancels in a difference of algorithms."


def topic_boxes(scores: InstanceScores, algorithm: str) -> Boxes:
    """The scores of an algorithm's instances on each topic, whiskers to the least and the largest (Figure 1).

    NaN on a topic that none of them has a score on.
    """
    cells = scores.cells()[scores.algorithm_of == scores.algorithms.index(algorithm)]
    ends = np.full((5, cells.shape[1]), np.nan)  # end, topic
    scored = np.isfinite(cells).any(axis=0)
    ends[:, scored] = np.nanquantile(cells[:, scored], (0, 0.25, 0.5, 0.75, 1), axis=0)
    return Boxes(*ends)


def topic_means(scores: InstanceScores, algorithms: Sequence[str]) -> Floats:
    """The mean over some algorithms of their mean scores on each topic; of those that have one."""
    cells, of = scores.cells(), scores.algorithm_of
    sums, counts = np.zeros(cells.shape[1]), np.zeros(cells.shape[1])
    for name in algorithms:
        own = cells[of == scores.algorithms.index(name)]
        scored = np.isfinite(own).any(axis=0)
        sums[scored] += np.nanmean(own[:, scored], axis=0)
        counts += scored
    return np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)


_TOPICS, _ROW = 25, 24  # topics that a chart shows, and pixels of each
_ENDS = ("low", "lower", "median", "upper", "high")
_FIRST, _SECOND = "#0072b2", "#d55e00"


def topics(result: AlgorithmsCompared, pair: tuple[str, str] | None = None) -> Figure:
    """Box plots over instances of the scores on each topic, two algorithms side by side (Jayasinghe et al., Fig. 1)."""
    names = result.scores.algorithms
    shown = _pair(result) if pair is None else Pair(*(known(name, names, "algorithm") for name in pair))
    places = _some_topics(result, shown)
    rows = [row for name in shown for row in _box_rows(result, name, places)]
    width = width_of(len(places), step=26, least=460, most=980)
    chart = in_rows(_boxes(result, rows, shown, places, width), len(places), row=_ROW)
    return Figure(
        chart,
        _title(result, rows),
        tuple(_caption(result, shown, len(places))),
        width=width + 130,
        provenance=result.provenance,
        alternative=f"Box plots over instances of {shown.system} and {shown.against}, side by side on each topic.",
    )


def _boxes(
    result: AlgorithmsCompared, rows: Sequence[Row], shown: Pair, places: Sequence[int], width: int
) -> alt.LayerChart:
    colours = {shown.system: _FIRST, shown.against: _SECOND}
    bar = min(9.0, 0.34 * width / len(places))
    names = [result.scores.topics[t] for t in places]
    base = alt.Chart(data(rows)).encode(
        x=alt.X("topic:N", sort=names, scale=alt.Scale(domain=names), axis=_topic_axis(result, len(places))),
        xOffset=alt.XOffset("algorithm:N", sort=list(colours), scale=alt.Scale(domain=list(colours))),
        y=alt.Y("low:Q", title=result.measure, scale=alt.Scale(zero=False)),
        color=alt.Color("algorithm:N", title=None, scale=scale(colours), legend=_squares()),
        tooltip=tips("topic:N", "algorithm:N", *(f"{end}:Q" for end in _ENDS)),
    )
    medians = {
        "no": base.mark_tick(thickness=1.6, width=bar).encode(y=alt.Y("median:Q"), color=alt.ColorValue(style.INK)),
        "yes": base.mark_point(size=26, filled=True, opacity=1, shape="diamond").encode(y=alt.Y("median:Q")),
    }
    there = {row["is_single"] for row in rows}
    return layered(
        base.mark_rule(strokeWidth=1).encode(y2=alt.Y2("high:Q")),
        base.mark_bar(size=bar, opacity=0.5).encode(y=alt.Y("lower:Q"), y2=alt.Y2("upper:Q")),
        *(only(mark, "is_single", single) for single, mark in medians.items() if single in there),
    ).properties(width=width, height=320)


def _squares() -> alt.Legend:
    return alt.Legend(symbolType="square")


def _pair(result: AlgorithmsCompared) -> Pair:
    """The pair asked for; else the first of which one is random, or the first."""
    if result.shown is not None:
        return result.shown
    single = set(result.scores.deterministic)
    return next((pair for pair in result.pairs if not set(pair) <= single), result.pairs[0])


def _some_topics(result: AlgorithmsCompared, shown: Pair) -> list[int]:
    """Topics by their means, best first; of many, those on which scores vary most."""
    means, sign = topic_means(result.scores, shown), sign_of(result.scores.direction)
    order = [int(t) for t in np.argsort(-sign * means, kind="stable") if np.isfinite(means[t])]
    boxes = [topic_boxes(result.scores, name) for name in shown]
    spans = np.fmax.reduce([box[-1] for box in boxes]) - np.fmin.reduce([box[0] for box in boxes])  # of topics
    kept = set(sorted(order, key=lambda topic: -spans[topic])[:_TOPICS])
    return [topic for topic in order if topic in kept]


def _topic_axis(result: AlgorithmsCompared, shown: int) -> alt.Axis:
    all_ = len(result.scores.topics)
    some = f"{all_} topics" if shown == all_ else f"{shown} of {all_} topics"
    return alt.Axis(title=f"{some}, by their mean, best first", labelLimit=style.LONGEST, ticks=False, grid=False)


def _box_rows(result: AlgorithmsCompared, algorithm: str, places: Sequence[int]) -> Iterator[Row]:
    boxes = topic_boxes(result.scores, algorithm)
    single = algorithm in result.scores.deterministic
    for t in places:
        ends = {end: values[t] for end, values in zip(_ENDS, boxes, strict=True)}
        row: Row = {"topic": result.scores.topics[t], "algorithm": algorithm, "is_single": "yes" if single else "no"}
        if np.isfinite(ends["median"]):
            yield row | ends


def _title(result: AlgorithmsCompared, rows: Sequence[Row]) -> str:
    """Where instances differ most."""
    if all(row["is_single"] == "yes" for row in rows):
        return "One instance each does not show how others would score"
    widest = max(rows, key=lambda row: float(row["high"] or 0) - float(row["low"] or 0))
    low, high = float(widest["low"] or 0), float(widest["high"] or 0)
    if high == low:
        return f"The instances of an algorithm do not differ in {result.measure}"
    what = f"{result.measure} of {widest['algorithm']} on topic {widest['topic']}"
    return f"One run says little: the {what} is from {low:.2f} to {high:.2f}, depending on the instance"


def _caption(result: AlgorithmsCompared, shown: Pair, topics: int) -> Iterator[str]:
    single = [name for name in shown if name in result.scores.deterministic]
    diamonds = f"; diamonds: {listed(single)}, with one instance" if single else ""
    yield f"Boxes: quartiles over instances, with the median; whiskers: the least and the largest{diamonds}."
    if topics < len(result.scores.topics):
        yield f"Shown: the {topics} topics on which scores vary most."


CHARTS: Mapping[str, Callable[..., Figure]] = {
    "topics": topics,
    "margins": margins,
    "variance": variance,
}
