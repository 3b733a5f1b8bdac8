"""The chart of random algorithms on topics: scores over instances as box plots, two algorithms side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt
import numpy as np

from irgauge.choices import known
from irgauge.compute.arrays import Floats
from irgauge.inference.instance_tests import Pair
from irgauge.inference.intervals import Boxes
from irgauge.replicates.instances import InstanceScores
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, only, scale, tips, width_of
from irgauge.show.words import listed
from irgauge.studies.instances.study import AlgorithmsCompared


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


_TOPICS = 40  # that a chart shows side by side
_ENDS = ("low", "lower", "median", "upper", "high")
_FIRST, _SECOND = "#0072b2", "#d55e00"


def topics(result: AlgorithmsCompared, pair: tuple[str, str] | None = None) -> Figure:
    """Box plots over instances of the scores on each topic, two algorithms side by side (Jayasinghe et al., Fig. 1)."""
    names = result.scores.algorithms
    shown = _pair(result) if pair is None else Pair(*(known(name, names, "algorithm") for name in pair))
    places = _some_topics(result, shown)
    rows = [row for name in shown for row in _box_rows(result, name, places)]
    width = width_of(len(places), step=26, least=460, most=980)
    chart = _boxes(result, rows, shown, places, width)
    return Figure(
        chart,
        _title(result, rows),
        tuple(_caption(result, shown, len(places))),
        width=width + 130,
        provenance=result.provenance,
        alternative=f"Box plots over instances of {shown.first} and {shown.second}, side by side on each topic.",
    )


def _boxes(
    result: AlgorithmsCompared, rows: Sequence[Row], shown: Pair, places: Sequence[int], width: int
) -> alt.LayerChart:
    colours = {shown.first: _FIRST, shown.second: _SECOND}
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
    return alt.Legend(symbolType="square", orient="top", offset=4)


def _pair(result: AlgorithmsCompared) -> Pair:
    """The pair asked for; else the first of which one is random, or the first."""
    if result.shown is not None:
        return result.shown
    single = set(result.scores.deterministic)
    return next((pair for pair in result.pairs if not set(pair) <= single), result.pairs[0])


def _some_topics(result: AlgorithmsCompared, shown: Pair) -> list[int]:
    """Topics by their means, best first; of many, some at even steps of that order."""
    means = topic_means(result.scores, shown)
    order = [int(t) for t in np.argsort(-means, kind="stable") if np.isfinite(means[t])]
    if len(order) <= _TOPICS:
        return order
    return [order[round(i * (len(order) - 1) / (_TOPICS - 1))] for i in range(_TOPICS)]


def _topic_axis(result: AlgorithmsCompared, shown: int) -> alt.Axis:
    all_ = len(result.scores.topics)
    some = f"{all_} topics" if shown == all_ else f"{shown} of {all_} topics"
    return alt.Axis(title=f"{some}, by their mean, best first", labelAngle=-90, labelLimit=90, ticks=False, grid=False)


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
        yield f"Shown: {topics} topics at even steps of their order."
