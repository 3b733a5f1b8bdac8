"""Means of systems in bands of their intervals, by model or by number of shards: a chart that several studies draw."""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt
import numpy as np

from irgauge.inference.intervals import MeanInterval, Series
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, level_axis, scale, tips, width_of
from irgauge.show.words import best_note


def interval_rows(interval: MeanInterval) -> Iterator[Row]:
    """Systems with their ranks, means and ends, in their order."""
    ends = zip(interval.systems, interval.mean, interval.low, interval.high, strict=True)
    for rank, (system, mean, low, high) in enumerate(ends, 1):
        yield {"system": system, "rank": rank, "mean": mean, "low": low, "high": high}


def interval_bands(series: Series, measure: str, best: int | None = None) -> Figure:
    """Means of systems in a band of their intervals, by model or by number of shards (Ferro and Sanderson, Fig. 4, 5).

    The systems stand in the order of their means in the first series.
    """
    first, interval = next(iter(series.items()))
    every = [interval.systems[i] for i in np.argsort(-interval.mean, kind="stable")]
    order = every[: best or len(every)]
    width = width_of(len(order), step=24, least=380, most=920)
    rows = (row | {"series": name} for name, intervals in series.items() for row in interval_rows(intervals.of(order)))
    base = alt.Chart(data(rows)).encode(
        x=alt.X(
            **level_axis(order, f"{len(order)} systems by their means in {first}, best first", fields=style.SYSTEM)
        ),
        color=alt.Color("series:N", title=None, scale=scale(style.series_colours(list(series)))),
        tooltip=tips("series:N", "system:N", "mean:Q", "low:Q", "high:Q"),
    )
    y = alt.Y("low:Q", title=f"mean {measure}", scale=alt.Scale(zero=False))
    band = base.mark_area().encode(y=y, y2=alt.Y2("high:Q"), opacity=style.receding(0.22))
    lines = base.encode(opacity=style.receding())
    edges = (lines.mark_line(strokeWidth=1).encode(y=alt.Y(end)) for end in ("low:Q", "high:Q"))
    line = lines.mark_line(strokeWidth=1.8).encode(y=alt.Y("mean:Q"))
    points = base.mark_point(filled=True).encode(
        y=alt.Y("mean:Q"), opacity=style.fading("system"), size=style.growing("system", 10, 60)
    )
    return Figure(
        layered(band, *edges, line, points).properties(width=width, height=380),
        _widths_title(series, measure),
        (*_series_caption(series), *best_note(len(order), len(every))),
        width=width + 100,
        alternative="Means of systems in a band for each model or number of shards.",
    )


def _widths_title(series: Series, measure: str) -> str:
    """The first and the last series, by the half width of their widest interval."""
    names = list(dict.fromkeys((next(iter(series)), next(reversed(list(series))))))
    halves = [float(np.max(series[name].length)) / 2 for name in names]
    spans = " and ".join(f"± {half:.3f} with {name}" for name, half in zip(names, halves, strict=True))
    return f"{series[names[0]].name} intervals for comparing systems in mean {measure} are {spans}"


def _series_caption(series: Series) -> tuple[str, ...]:
    interval = next(iter(series.values()))
    of: dict[str, list[str]] = {}
    for name, intervals in series.items():
        of.setdefault(intervals.population or "none", []).append(name)
    covers = ", ".join(
        population if len(of) == 1 else f"{population} ({', '.join(names)})" for population, names in of.items()
    )
    other = ("Bands of different populations answer different questions.",) if len(of) > 1 else ()
    return (f"Bands: {interval.name} intervals, α = {interval.alpha:g}; population: {covers}.", *other)
