"""Charts of a bootstrap: how means, ranks and the scores on topics vary over images."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
import numpy as np
from altair import Undefined
from altair.utils.schemapi import UndefinedType
from numpy.typing import NDArray

from irgauge.present import style
from irgauge.present.precision import setting
from irgauge.present.precision_findings import extremes, percent, two_digits
from irgauge.present.sentences import counted, listed
from irgauge.present.style import Row, data, facts, finished, layered, level_axis, scale, tips, width_of
from irgauge.studies import boxes
from irgauge.studies.boxes import Boxes
from irgauge.studies.precision import precision
from irgauge.studies.reliability import Reliability

_PAIR = 470  # pixels: panels that are no wider stand two in a row
_BOX, _WHISKER = "#9ecae9", "#5b84a3"
_MEDIAN = "Title: standard deviations, the median over systems."
Floats = NDArray[np.float64]


def system_boxes(result: Reliability) -> alt.ConcatChart:
    """Each system's mean over images, best first, a panel a measure (Zobel and Rashidi, Fig. 3)."""
    panels = [
        _panel(_means_panel(result, m), f"mean {measure}", _systems_title(result), alt.Scale(zero=False))
        for m, measure in enumerate(result.measures)
    ]
    text = f"{_box_text(result, 'mean')} {_MEDIAN}"
    return _finished(panels, result, _means_title(result), text)


def rank_boxes(result: Reliability) -> alt.ConcatChart:
    """Each system's rank over images, in the order on the root, a panel a measure (Zobel and Rashidi, Fig. 5)."""
    n = len(result.systems)
    downwards = alt.Scale(domain=[n + 0.5, 0.5], nice=False)
    axis = alt.Axis(values=_ticks(n), format="d")
    panels = [
        _panel(_ranks_panel(result, m), f"rank by {measure}", _systems_title(result), downwards, axis)
        for m, measure in enumerate(result.measures)
    ]
    return _finished(panels, result, _ranks_title(result), _box_text(result, "rank"))


def _ticks(n: int) -> list[int]:
    """Some ranks from 1 to n, few enough to be labels."""
    step = next(step for step in (1, 5, 10, 20, 50, 100, 10**9) if n <= 8 * step)
    return sorted({1, *range(step, n + 1, step)})


def topic_boxes(result: Reliability, system: int) -> alt.ConcatChart:
    """The scores of one system on each topic, best first, a panel a measure (Zobel and Rashidi, Fig. 2)."""
    unit = alt.Scale(domain=[0, 1], nice=False)
    panels = [
        _panel(_topics_panel(result, m, system), measure, f"{len(result.topics)} topics, best first", unit)
        for m, measure in enumerate(result.measures)
    ]
    text = (
        "Boxes: quartiles over images, with the median; whiskers: mean ± 2 standard deviations, cut at 0 and 1; "
        "diamonds: the score on the root, the collection as it is. Title: standard deviations over images, mean ± "
        "their own over topics."
    )
    return _finished(panels, result, _topics_title(result, system), text, by_topic=True)


class _Levels:
    """Boxes of levels (systems or topics) in their order from left to right, with their values on the root."""

    def __init__(
        self,
        names: Sequence[str],
        box: Boxes,
        root: Floats,
        order: NDArray[np.intp],
        fields: tuple[str, str] = style.SYSTEM,
    ) -> None:
        self.names = [names[i] for i in order.tolist()]
        self.fields = fields
        ends = [end[order].tolist() for end in (*box, root)]
        self.rows: list[Row] = [
            dict(zip((*fields, "low", "lower", "median", "upper", "high", "root"), values, strict=True))
            for values in zip(self.names, range(1, len(self.names) + 1), *ends, strict=True)
        ]

    def opacity(self, full: float) -> dict[str, Any]:
        """Systems fade where others are marked."""
        return style.fading("system", opacity=full) if self.fields == style.SYSTEM else {"value": full}


def _means_panel(result: Reliability, m: int) -> _Levels:
    return _Levels(result.systems, boxes.mean_boxes(result, m), result.root_means[m], result.order(m))


def _ranks_panel(result: Reliability, m: int) -> _Levels:
    return _Levels(result.systems, boxes.rank_boxes(result, m), result.root_ranks[m], result.order(m))


def _topics_panel(result: Reliability, m: int, system: int) -> _Levels:
    root = result.root[m, :, system]
    order, box = np.argsort(-root, kind="stable"), boxes.topic_boxes(result, m, system)
    return _Levels(result.topics, box, root, order, ("name", "rank"))


def _panel(
    levels: _Levels, title: str, x_title: str, y_scale: alt.Scale, y_axis: alt.Axis | UndefinedType = Undefined
) -> alt.LayerChart:
    """Box plots of levels side by side."""
    n = len(levels.names)
    width = width_of(n, step=18, least=380, most=920)
    bar = min(14.0, max(2.0, 0.62 * width / n))
    size = min(40.0, bar * bar / 2 + 2)
    base = alt.Chart(data(levels.rows)).encode(
        x=alt.X(**level_axis(levels.names, x_title, fields=levels.fields)),
        y=alt.Y("low:Q", title=title, scale=y_scale, axis=y_axis),
        opacity=levels.opacity(1),
        tooltip=tips(f"{levels.fields[0]}:N", "root:Q", "low:Q", "lower:Q", "median:Q", "upper:Q", "high:Q"),
    )
    return layered(
        base.mark_rule(strokeWidth=min(1.5, bar / 3), color=_WHISKER, clip=True).encode(y2="high:Q"),
        base.mark_bar(size=bar, color=_BOX, clip=True).encode(y="lower:Q", y2="upper:Q"),
        base.mark_tick(thickness=1.5, width=bar, color=style.INK).encode(y="median:Q", opacity=levels.opacity(0.7)),
        base.mark_point(shape="diamond", size=size, filled=True, color=style.ACCENT).encode(y="root:Q"),
    ).properties(width=width, height=260 if n <= style.NAMED else 380)


def _systems_title(result: Reliability) -> str:
    return f"{counted(len(result.systems), 'system')} by their means on the root, best first"


def _finished(
    panels: Sequence[alt.LayerChart], result: Reliability, title: str, text: str, *, by_topic: bool = False
) -> alt.ConcatChart:
    """Panels one below the other, or two in a row where they are narrow."""
    width: Any = panels[0].width
    columns = 2 if len(panels) > 1 and width <= _PAIR else 1
    chart = alt.ConcatChart(concat=list(panels), columns=columns, spacing=24)
    return finished(chart, title, [text, facts(*setting(result, by_topic=by_topic))], width=columns * (width + 60))


def _box_text(result: Reliability, what: str) -> str:
    inside = percent(1 - result.alpha)
    return (
        f"Boxes: quartiles of a system's {what} over images, with the median; whiskers: its {inside} percentile "
        f"interval; diamonds: its {what} on the root, the collection as it is."
    )


def _means_title(result: Reliability) -> str:
    measures = precision(result)
    least, most = extremes(measures, lambda one: one.mean_sd)
    low, high = two_digits(least.mean_sd), two_digits(most.mean_sd)
    if len(measures) == 1:
        return f"The mean {least.measure} of a system varies over images with a standard deviation of {low}"
    return f"Means of {least.measure} vary least over images, those of {most.measure} most: by {low} and {high}"


def _ranks_title(result: Reliability) -> str:
    measures = precision(result)
    least, most = extremes(measures, lambda one: one.rank_width)
    if len(measures) == 1:
        return f"Intervals of a system's rank by {least.measure} are {least.rank_width:.1f} places wide on average"
    wide = f"intervals {least.rank_width:.1f} places wide on average, {most.rank_width:.1f} in {most.measure}"
    return f"Ranks are steadiest in {least.measure}: {wide}"


def _topics_title(result: Reliability, system: int) -> str:
    mean, sd = (values[:, system].tolist() for values in result.system_spread())
    spreads = [f"{one:.2f} ± {its:.2f}" for one, its in zip(mean, sd, strict=True)]
    scores = f"The scores of {result.systems[system]} on a topic vary"
    if len(mean) <= 3:
        named = zip(spreads, result.measures, strict=True)
        return f"{scores} by {listed([f'{spread} in {measure}' for spread, measure in named])}"
    least, most = mean.index(min(mean)), mean.index(max(mean))
    ends = f"least in {result.measures[least]}, by {spreads[least]}, and most in {result.measures[most]}"
    return f"{scores} {ends}, by {spreads[most]}"


def topic_spread(result: Reliability) -> alt.LayerChart:
    """The 95th percentile over systems of the deviation on each topic, a line a measure (Fig. 1)."""
    spread = result.spread_by_topic()
    order = np.argsort(-spread[0], kind="stable").tolist()
    topics = [result.topics[t] for t in order]
    width = width_of(len(topics), step=18, least=420, most=920)
    x_title = f"{len(topics)} topics, by their value in {result.measures[0]}"
    x, y_title = alt.X(**level_axis(topics, x_title)), "95th percentile of standard deviations"
    line, points = _lines(result, _spread_rows(result, spread, order), x, y_title, "name")
    text = "Points: of the standard deviations over images of all systems on a topic, the 95th percentile."
    caption = [text, facts(*setting(result, by_topic=True))]
    chart = layered(line, points).properties(width=width, height=340)
    return finished(chart, _spread_title(result, spread), caption, width=width + 130)


def _spread_rows(result: Reliability, spread: Floats, order: Sequence[int]) -> Iterator[Row]:
    for m, measure in enumerate(result.measures):
        for rank, t in enumerate(order, 1):
            yield {"measure": measure, "name": result.topics[t], "rank": rank, "sd": spread[m, t]}


def _spread_title(result: Reliability, spread: Floats) -> str:
    """The measure whose deviations differ most from topic to topic."""
    ends = [
        (float(np.nanmin(of)), float(np.nanmax(of)), name) for of, name in zip(spread, result.measures, strict=True)
    ]
    low, high, name = max(ends, key=lambda end: end[1] - end[0])
    most = "" if len(ends) == 1 else ", more than in any other measure"
    return f"How much scores vary differs from topic to topic: in {name} from {low:.2f} to {high:.2f}{most}"


def deviations(result: Reliability) -> alt.LayerChart:
    """The deviation of each system's mean, by its rank, a line a measure (Zobel and Rashidi, Fig. 4)."""
    n = len(result.systems)
    width = width_of(n, step=18, least=560, most=920)
    x = alt.X("rank:Q", title="rank of the system on the root", axis=alt.Axis(grid=False, values=_ticks(n), format="d"))
    x = x.scale(domain=[1, max(n, 2)], nice=False, padding=8)
    line, points = _lines(result, _deviation_rows(result), x, "standard deviation over images", "system")
    chart = layered(line.encode(opacity=style.receding()), points.encode(opacity=style.fading("system")))
    text = (
        "Points: the standard deviation over images of a system's mean, by its rank in that measure on the root, the "
        "collection as it is."
    )
    caption = [f"{text} {_MEDIAN}", facts(*setting(result))]
    return finished(chart.properties(width=width, height=340), _means_title(result), caption, width=width + 130)


def _deviation_rows(result: Reliability) -> Iterator[Row]:
    for m, measure in enumerate(result.measures):
        for rank, s in enumerate(result.order(m).tolist(), 1):
            yield {"measure": measure, "system": result.systems[s], "rank": rank, "sd": result.sd[m, s]}


def _lines(result: Reliability, rows: Iterator[Row], x: alt.X, y_title: str, name: str) -> tuple[alt.Chart, alt.Chart]:
    """A line for each measure, and its points; `name` is the field of their names."""
    colours = scale(style.distinct_colours(result.measures))
    base = alt.Chart(data(rows)).encode(
        x=x,
        y=alt.Y("sd:Q", title=y_title, scale=alt.Scale(zero=True)),
        color=alt.Color("measure:N", title=None, scale=colours),
        tooltip=tips("measure:N", f"{name}:N", "rank:Q", "sd:Q"),
    )
    return base.mark_line(strokeWidth=1.3), base.mark_point(size=22, filled=True, opacity=1)
