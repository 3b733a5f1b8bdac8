"""Charts of a bootstrap: how means, ranks and the scores on topics vary over images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from altair import Undefined
from altair.utils.schemapi import UndefinedType

from irgauge.choices import known
from irgauge.compute.arrays import Floats, Indices
from irgauge.inference.intervals import Boxes
from irgauge.provenance import Provenance
from irgauge.show import style
from irgauge.show.abridged import spaced, spaced_note
from irgauge.show.figure import Figure
from irgauge.show.rows import in_rows
from irgauge.show.style import Row, data, layered, level_axis, scale, tips, width_of
from irgauge.show.words import best_note, counted, listed, percent, two_digits
from irgauge.studies.bootstrap.precision import mean_boxes, rank_boxes, topic_boxes
from irgauge.studies.bootstrap.study import Bootstrapped

_PAIR = 470  # pixels: panels that are no wider are put two in a row
_BOX, _WHISKER = "#9ecae9", "#5b84a3"
_SCORES, _RANKS = ".4~g", ".1~f"  # digits under the pointer
_MEDIAN = "Title: standard deviations, the median over systems."


def systems(result: Bootstrapped, measure: str | None = None, best: int | None = None) -> Figure:
    """Each system's mean over images, best first, a panel a measure (Zobel and Rashidi, Fig. 3)."""
    chosen = _chosen(result, measure)
    panels = [
        _panel(
            _LevelBoxes.of_systems(result, mean_boxes(result, m), result.root_means[m], result.order(m)[:best]),
            f"mean {result.measures[m]} over images",
            _systems_title(result, best),
            alt.Scale(zero=False),
            are_of_root=True,
        )
        for m in chosen
    ]
    return _figure(
        panels,
        _means_title(result, chosen),
        (_mean_text(result), *_bias_text(result, chosen), _MEDIAN, *_best_note(result, best)),
        result.provenance_of(chosen),
        "Box plots of the means of systems over images, best first.",
    )


def ranks(result: Bootstrapped, measure: str | None = None, best: int | None = None) -> Figure:
    """Each system's rank over images, in the order on the root, a panel a measure (Zobel and Rashidi, Fig. 5)."""
    chosen, n = _chosen(result, measure), min(best or len(result.systems), len(result.systems))
    downwards = alt.Scale(domain=[n + 0.5, 0.5], nice=False)
    axis = alt.Axis(values=_ticks(n), format="d")
    panels = [
        _panel(
            _LevelBoxes.of_systems(result, rank_boxes(result, m), result.root_ranks[m], result.order(m)[:best]),
            f"rank by {result.measures[m]}",
            _systems_title(result, best),
            downwards,
            axis,
        )
        for m in chosen
    ]
    cut = [f"Boxes are cut at rank {n}."] if n < len(result.systems) else []
    return _figure(
        panels,
        _ranks_title(result, chosen),
        (_rank_text(result), *_bias_text(result, chosen), *_best_note(result, best), *cut),
        result.provenance_of(chosen),
        "Box plots of the ranks of systems over images, best first.",
    )


def topics(result: Bootstrapped, system: str | None = None, measure: str | None = None) -> Figure:
    """The scores of one system on each topic, best first, a panel a measure (Zobel and Rashidi, Fig. 2).

    If none is named, it is the one whose topics were asked for, or the best by the first measure shown.
    """
    chosen = _chosen(result, measure)
    place = _place(result, system, chosen[0])
    unit = alt.Scale(domain=[0, 1], nice=False)
    panels = [
        _panel(
            _LevelBoxes.of_topics(result, m, place),
            result.measures[m],
            f"{len(result.topics)} topics, best first",
            unit,
        )
        for m in chosen
    ]
    text = (
        "Boxes: quartiles over images, with the median; whiskers: mean ± 2 standard deviations, cut at 0 and 1; "
        "diamonds: the score on the collection as it is.",
        "Title: standard deviations over images, mean ± their own over topics.",
        *spaced_note(len(result.topics)),
    )
    seen = f"Box plots of the scores of {result.systems[place]} on each topic over images."
    return _figure(
        panels, _topics_title(result, chosen, place), text, result.provenance_of(chosen, by_topic=True), seen
    )


def _chosen(result: Bootstrapped, measure: str | None) -> Sequence[int]:
    """The places of the measures that are shown: of one, or of all."""
    return range(len(result.measures)) if measure is None else [result.place(measure)]


def _place(result: Bootstrapped, system: str | None, measure: int) -> int:
    named = system or result.topics_of
    if named is None:
        return int(result.order(measure)[0])
    return result.systems.index(known(named, result.systems, "system"))


def _ticks(n: int) -> list[int]:
    """Some ranks from 1 to n, few enough to be labels."""
    step = next(step for step in (1, 5, 10, 20, 50, 100, 10**9) if n <= 8 * step)
    return sorted({1, *range(step, n + 1, step)})


class _LevelBoxes:
    """Boxes of levels (systems or topics) in their order from left to right, with their values on the root."""

    def __init__(self, names: Sequence[str], box: Boxes, root: Floats, order: Indices, fields: tuple[str, str]) -> None:
        self.names = [names[i] for i in order.tolist()]
        self.fields = fields
        self.have_ends = not np.isnan(box[0][order]).all()  # whether some level has a line
        ends = [end[order].tolist() for end in (*box, root)]
        self.rows: list[Row] = [
            dict(zip((*fields, "low", "lower", "median", "upper", "high", "root"), values, strict=True))
            for values in zip(self.names, range(1, len(self.names) + 1), *ends, strict=True)
        ]

    @property
    def are_systems(self) -> bool:
        """Whether its levels are systems."""
        return self.fields == style.SYSTEM

    @property
    def shown(self) -> tuple[str, ...]:
        """The fields under the pointer."""
        return (f"{self.fields[0]}:N", "root:Q", "low:Q", "lower:Q", "median:Q", "upper:Q", "high:Q")

    @classmethod
    def of_systems(cls, result: Bootstrapped, box: Boxes, root: Floats, order: Indices) -> _LevelBoxes:
        return cls(result.systems, box, root, order, style.SYSTEM)

    @classmethod
    def of_topics(cls, result: Bootstrapped, m: int, system: int) -> _LevelBoxes:
        root = result.root[m, :, system]
        box = topic_boxes(result, m, system)
        order = np.array(spaced(np.argsort(-root, kind="stable").tolist()))
        return cls(result.topics, box, root, order, ("name", "rank"))

    def opacity(self, full: float) -> alt.OpacityValue:
        """Systems fade where others are marked."""
        return style.fading("system", opacity=full) if self.are_systems else alt.OpacityValue(full)


def _panel(
    levels: _LevelBoxes,
    title: str,
    x_title: str,
    y_scale: alt.Scale,
    y_axis: alt.Axis | UndefinedType = Undefined,
    *,
    are_of_root: bool = False,
) -> alt.LayerChart:
    """Box plots of levels side by side; lines are whiskers, or intervals of the values on the root."""
    n = len(levels.names)
    width = width_of(n, step=18, least=380, most=920)
    bar = min(14.0, max(2.0, 0.62 * width / n))
    size = min(40.0, bar * bar / 2 + 2)
    base = alt.Chart(data(levels.rows)).encode(
        x=alt.X(**level_axis(levels.names, x_title, fields=levels.fields, angle=0 if levels.are_systems else -90)),
        y=alt.Y("lower:Q", title=title, scale=y_scale, axis=y_axis),
        opacity=levels.opacity(1),
        tooltip=tips(*levels.shown, digits=_SCORES if y_axis is Undefined else _RANKS, root="as is"),
    )
    colour = style.ACCENT if are_of_root else _WHISKER
    lines = base.mark_rule(strokeWidth=min(1.5, bar / 3), color=colour, clip=True)
    lines = lines.encode(y=alt.Y("low:Q", title=title, scale=y_scale, axis=y_axis), y2=alt.Y2("high:Q"))
    bars = base.mark_bar(size=bar, color=_BOX, clip=True).encode(y2=alt.Y2("upper:Q"))
    ticks = base.mark_tick(thickness=1.5, width=bar, color=style.INK, clip=True)
    medians = ticks.encode(y=alt.Y("median:Q"), opacity=levels.opacity(0.7))
    roots = base.mark_point(shape="diamond", size=size, filled=True, color=style.ACCENT).encode(y=alt.Y("root:Q"))
    ends = [lines] if levels.have_ends else []
    layers = (bars, medians, *ends, roots) if are_of_root else (*ends, bars, medians, roots)
    chart = layered(*layers).properties(width=width, height=260 if n <= style.NAMED else 380)
    return in_rows(chart, n) if levels.are_systems else chart


def _systems_title(result: Bootstrapped, best: int | None) -> str:
    shown = min(best or len(result.systems), len(result.systems))
    return f"{counted(shown, 'system')} by their means on the collection as it is, best first"


def _best_note(result: Bootstrapped, best: int | None) -> tuple[str, ...]:
    return best_note(best or len(result.systems), len(result.systems))


def _figure(
    panels: Sequence[alt.LayerChart], title: str, caption: tuple[str, ...], provenance: Provenance, seen: str
) -> Figure:
    """Panels one below the other, or two in a row where they are narrow."""
    width: Any = panels[0].width
    columns = 2 if len(panels) > 1 and width <= _PAIR else 1
    chart = panels[0] if len(panels) == 1 else alt.ConcatChart(concat=list(panels), columns=columns, spacing=24)
    return Figure(chart, title, caption, columns * (width + 60), provenance, seen)


def _mean_text(result: Bootstrapped) -> str:
    return (
        "Boxes: quartiles of a system's mean over images, with the median; diamonds: its mean on the collection as it "
        f"is; lines: the {percent(1 - result.alpha)} interval around that."
    )


def _rank_text(result: Bootstrapped) -> str:
    return (
        "Boxes: quartiles of a system's rank over images, with the median; whiskers: its "
        f"{percent(1 - result.alpha)} percentile interval, where images are not too biased; diamonds: its rank on the "
        "collection as it is."
    )


def _bias_text(result: Bootstrapped, chosen: Sequence[int]) -> Iterator[str]:
    """How biased images are, where documents are drawn."""
    if result.moments is not None:
        biases = {result.measures[m]: float(np.median(result.bias_in_sds[m])) for m in chosen}
        text = listed([f"{bias:+.2f} in {name}".replace("-", "−") for name, bias in biases.items()])
        yield f"Bias of images, in standard deviations, median over systems: {text}."


def _means_title(result: Bootstrapped, chosen: Sequence[int]) -> str:
    order = sorted(chosen, key=result.typical_sd)
    least, most = (result.measures[m] for m in (order[0], order[-1]))
    low, high = (two_digits(result.typical_sd(m)) for m in (order[0], order[-1]))
    if len(order) == 1:
        return f"The mean {least} of a system varies over images with a standard deviation of {low}"
    return f"Means of {least} vary least over images, those of {most} most: by {low} and {high}"


def _ranks_title(result: Bootstrapped, chosen: Sequence[int]) -> str:
    widths = {result.measures[m]: width for m in chosen if (width := result.rank_width(m)) is not None}
    if not widths:
        return f"Ranks by {listed([result.measures[m] for m in chosen])} have no interval: images are too biased"
    least, *others = sorted(widths, key=widths.__getitem__)
    if not others:
        return f"Intervals of a system's rank by {least} are {widths[least]:.1f} places wide on average"
    most = others[-1]
    ends = f"intervals {widths[least]:.1f} places wide on average, {widths[most]:.1f} in {most}"
    return f"Ranks are most stable in {least}: {ends}"


def _topics_title(result: Bootstrapped, chosen: Sequence[int], system: int) -> str:
    mean, sd = (values[:, system].tolist() for values in result.system_spread())
    spreads = {m: f"{mean[m]:.2f} ± {sd[m]:.2f}" for m in chosen}
    scores = f"The scores of {result.systems[system]} on a topic vary"
    if len(chosen) <= 3:
        return f"{scores} by {listed([f'{spread} in {result.measures[m]}' for m, spread in spreads.items()])}"
    order = sorted(chosen, key=mean.__getitem__)
    least, most = order[0], order[-1]
    ends = f"least in {result.measures[least]}, by {spreads[least]}, and most in {result.measures[most]}"
    return f"{scores} {ends}, by {spreads[most]}"


# lines, one for each measure


def spread(result: Bootstrapped) -> Figure:
    """The 95th percentile over systems of the deviation on each topic, a line a measure (Fig. 1)."""
    values = result.spread_by_topic()  # measure, topic
    order = spaced(np.argsort(-values[0], kind="stable").tolist())
    names = [result.topics[t] for t in order]
    width = width_of(len(names), step=18, least=420, most=920)
    x_title = f"{len(result.topics)} topics, by their value in {result.measures[0]}"
    x, y_title = alt.X(**level_axis(names, x_title)), "95th percentile of standard deviations"
    line, points = _lines(result, _spread_rows(result, values, order), x, y_title, "name")
    return Figure(
        layered(line, points).properties(width=width, height=340),
        _spread_title(result, values),
        (
            "Points: of the standard deviations over images of all systems on a topic, the 95th percentile.",
            *spaced_note(len(result.topics)),
        ),
        width + 130,
        result.provenance_of(range(len(result.measures)), by_topic=True),
        "Lines of standard deviations over topics, one for each measure.",
    )


def _spread_rows(result: Bootstrapped, values: Floats, order: Sequence[int]) -> Iterator[Row]:
    for m, measure in enumerate(result.measures):
        for rank, t in enumerate(order, 1):
            yield {"measure": measure, "name": result.topics[t], "rank": rank, "sd": values[m, t]}


def _spread_title(result: Bootstrapped, values: Floats) -> str:
    """The measure whose deviations differ most from topic to topic."""
    ends = [
        (float(np.nanmin(of)), float(np.nanmax(of)), name) for of, name in zip(values, result.measures, strict=True)
    ]
    low, high, name = max(ends, key=lambda end: end[1] - end[0])
    most = "" if len(ends) == 1 else ", more than in any other measure"
    return f"How much scores vary differs from topic to topic: in {name} from {low:.2f} to {high:.2f}{most}"


def deviations(result: Bootstrapped) -> Figure:
    """The deviation of each system's mean, by its rank, a line a measure (Zobel and Rashidi, Fig. 4)."""
    n = len(result.systems)
    width = width_of(n, step=18, least=560, most=920)
    axis = alt.Axis(grid=False, values=_ticks(n), format="d")
    x = alt.X("rank:Q", title="rank of the system on the collection as it is", axis=axis)
    x = x.scale(domain=[1, max(n, 2)], nice=False, padding=8)
    line, points = _lines(result, _deviation_rows(result), x, "standard deviation over images", "system")
    chart = layered(line.encode(opacity=style.receding()), points.encode(opacity=style.fading("system")))
    text = "Points: the standard deviation over images of a system's mean, by its rank in that measure."
    return Figure(
        chart.properties(width=width, height=340),
        _means_title(result, range(len(result.measures))),
        (text, _MEDIAN),
        width + 130,
        result.provenance,
        "Lines of standard deviations of means by rank, one for each measure.",
    )


def _deviation_rows(result: Bootstrapped) -> Iterator[Row]:
    for m, measure in enumerate(result.measures):
        for rank, s in enumerate(result.order(m).tolist(), 1):
            yield {"measure": measure, "system": result.systems[s], "rank": rank, "sd": result.sd[m, s]}


def _lines(result: Bootstrapped, rows: Iterator[Row], x: alt.X, y_title: str, name: str) -> tuple[alt.Chart, alt.Chart]:
    """A line for each measure, and its points; `name` is the field of their names."""
    colours = scale(style.distinct_colours(result.measures))
    base = alt.Chart(data(rows)).encode(
        x=x,
        y=alt.Y("sd:Q", title=y_title, scale=alt.Scale(zero=True)),
        color=alt.Color("measure:N", title=None, scale=colours),
        tooltip=tips("measure:N", f"{name}:N", "rank:Q", "sd:Q"),
    )
    return base.mark_line(strokeWidth=1.3), base.mark_point(size=22, filled=True, opacity=1)


CHARTS: Mapping[str, Callable[..., Figure]] = {
    "systems": systems,
    "ranks": ranks,
    "deviations": deviations,
    "topics": topics,
    "spread": spread,
}
