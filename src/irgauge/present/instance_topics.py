"""The chart of random algorithms on topics: scores over instances as box plots, two algorithms side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt
import numpy as np

from irgauge.present import style
from irgauge.present.instance_findings import Answer, measure, setting
from irgauge.present.sentences import listed
from irgauge.present.style import Row, data, facts, finished, layered, only, scale, tips, width_of
from irgauge.studies.instances import Instances

_TOPICS = 40  # that a chart shows side by side
_ENDS = ("low", "lower", "median", "upper", "high")
_FIRST, _SECOND = "#0072b2", "#d55e00"


def topic_scores(answer: Answer, pair: tuple[str, str] | None = None) -> alt.LayerChart:
    """Box plots over instances of the scores on each topic, two algorithms side by side (Jayasinghe et al., Fig. 1)."""
    found = answer.found
    first, second = pair or _pair(found)
    topics = _some_topics(found, (first, second))
    rows = [row for name in (first, second) for row in _box_rows(found, name, topics)]
    colours = {first: _FIRST, second: _SECOND}
    width = width_of(len(topics), step=26, least=460, most=980)
    bar = min(9.0, 0.34 * width / len(topics))
    names = [found.scores.topics[t] for t in topics]
    base = alt.Chart(data(rows)).encode(
        x=alt.X("topic:N", sort=names, scale=alt.Scale(domain=names), axis=_topic_axis(found, len(topics))),
        xOffset=alt.XOffset("algorithm:N", sort=list(colours), scale=alt.Scale(domain=list(colours))),
        y=alt.Y("low:Q", title=measure(found), scale=alt.Scale(zero=False)),
        color=alt.Color("algorithm:N", title=None, scale=scale(colours), legend=_squares()),
        tooltip=tips("topic:N", "algorithm:N", *(f"{end}:Q" for end in _ENDS)),
    )
    medians = {
        "no": base.mark_tick(thickness=1.6, width=bar).encode(y="median:Q", color=alt.value(style.INK)),
        "yes": base.mark_point(size=26, filled=True, opacity=1, shape="diamond").encode(y="median:Q"),
    }
    there = {row["is_single"] for row in rows}
    chart = layered(
        base.mark_rule(strokeWidth=1).encode(y2="high:Q"),
        base.mark_bar(size=bar, opacity=0.5).encode(y="lower:Q", y2="upper:Q"),
        *(only(mark, "is_single", single) for single, mark in medians.items() if single in there),
    ).properties(width=width, height=320)
    return finished(chart, _title(found, rows), _caption(answer, (first, second), len(topics)), width=width + 130)


def _squares() -> alt.Legend:
    return alt.Legend(symbolType="square", orient="top", offset=4)


def _pair(found: Instances) -> tuple[str, str]:
    """The first pair of which one is random; else the first pair."""
    single = found.scores.deterministic
    chosen = next((pair for pair in found.pairs if not set(pair) <= set(single)), found.pairs[0])
    return chosen.first, chosen.second


def _some_topics(found: Instances, pair: tuple[str, str]) -> list[int]:
    """Topics by their means, best first; of many, some at even steps of that order."""
    means = found.topic_means(pair)
    order = [int(t) for t in np.argsort(-means, kind="stable") if np.isfinite(means[t])]
    if len(order) <= _TOPICS:
        return order
    return [order[round(i * (len(order) - 1) / (_TOPICS - 1))] for i in range(_TOPICS)]


def _topic_axis(found: Instances, shown: int) -> alt.Axis:
    all_ = len(found.scores.topics)
    some = f"{all_} topics" if shown == all_ else f"{shown} of {all_} topics"
    return alt.Axis(title=f"{some}, by their mean, best first", labelAngle=-90, labelLimit=90, ticks=False, grid=False)


def _box_rows(found: Instances, algorithm: str, topics: Sequence[int]) -> Iterator[Row]:
    boxes = found.topic_boxes(algorithm)
    single = algorithm in found.scores.deterministic
    for t in topics:
        ends = {end: values[t] for end, values in zip(_ENDS, boxes, strict=True)}
        row: Row = {"topic": found.scores.topics[t], "algorithm": algorithm, "is_single": "yes" if single else "no"}
        if np.isfinite(ends["median"]):
            yield row | ends


def _title(found: Instances, rows: Sequence[Row]) -> str:
    """Where instances differ most."""
    if all(row["is_single"] == "yes" for row in rows):
        return "One instance each does not show how others would score"
    widest = max(rows, key=lambda row: float(row["high"] or 0) - float(row["low"] or 0))
    low, high = float(widest["low"] or 0), float(widest["high"] or 0)
    if high == low:
        return f"The instances of an algorithm do not differ in {measure(found)}"
    what = f"{measure(found)} of {widest['algorithm']} on topic {widest['topic']}"
    return f"One run says little: the {what} is from {low:.2f} to {high:.2f}, depending on the instance"


def _caption(answer: Answer, pair: tuple[str, str], shown: int) -> list[str]:
    scores = answer.found.scores
    single = [name for name in pair if name in scores.deterministic]
    diamonds = f"; diamonds: {listed(single)}, with one instance" if single else ""
    some = "" if shown == len(scores.topics) else f" {shown} topics at even steps of their order."
    return [
        f"Boxes: quartiles over instances, with the median; whiskers: the least and the largest{diamonds}.{some}",
        facts(*setting(answer)),
    ]
