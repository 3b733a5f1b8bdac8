"""Charts that several draw: means with their intervals, quantiles of residuals, the studentized range."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from irgauge.inference import facts
from irgauge.inference.intervals import MeanInterval, Series
from irgauge.inference.studentized import RangeCurves
from irgauge.models.checks import Quantiles
from irgauge.provenance import Provenance
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.rows import in_rows
from irgauge.show.style import Row, data, layered, level_axis, scale, tips, width_of
from irgauge.show.table import Column, Table
from irgauge.show.words import best_note

_QUANTILES = 280  # pixels, the side of a panel of quantiles
READABLE = 20  # systems of many whose intervals are shown, where a chart is asked for by its name
_LINE, _APART = 7, 8  # pixels of each of a system's lines, and between systems
_WIDE = 700  # pixels, to which the title is wrapped


def interval_rows(interval: MeanInterval) -> Iterator[Row]:
    """Systems with their ranks, means and ends, in their order."""
    ends = zip(interval.systems, interval.mean, interval.low, interval.high, strict=True)
    for rank, (system, mean, low, high) in enumerate(ends, 1):
        yield {"system": system, "rank": rank, "mean": mean, "low": low, "high": high}


def interval_series(series: Series, measure: str, best: int | None = None) -> Figure:
    """Means of systems with their intervals, by model or by number of shards (Ferro and Sanderson, Fig. 4, 5).

    The systems stand in the order of their means in the first series.
    """
    first, interval = next(iter(series.items()))
    every = [interval.systems[i] for i in np.argsort(-interval.mean, kind="stable")]
    order = every[: best or len(every)]
    width = width_of(len(order), step=24, least=380, most=920)
    title = f"{len(order)} systems by their means in {first}, best first"
    rows = (row | {"series": name} for name, intervals in series.items() for row in interval_rows(intervals.of(order)))
    base = alt.Chart(data(rows)).encode(
        x=alt.X(**level_axis(order, title, fields=style.SYSTEM, angle=0)),
        xOffset=alt.XOffset("series:N", sort=list(series)),
        color=alt.Color("series:N", title=None, scale=scale(style.series_colours(list(series)))),
        opacity=style.fading("system"),
        tooltip=tips("series:N", "system:N", "mean:Q", "low:Q", "high:Q"),
    )
    y = alt.Y("low:Q", title=f"mean {measure}", scale=alt.Scale(zero=False))
    lines = base.mark_rule(strokeWidth=2).encode(y=y, y2=alt.Y2("high:Q"))
    points = base.mark_point(filled=True).encode(y=alt.Y("mean:Q"), size=style.growing("system", 30, 60))
    chart = layered(lines, points).properties(width=width, height=380)
    return Figure(
        in_rows(chart, len(order), row=_LINE * len(series) + _APART),
        _widths_title(series, measure),
        (*_series_caption(series), *best_note(len(order), len(every))),
        width=_WIDE,
        alternative="Means of systems with an interval for each model or number of shards.",
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
    other = ("Lines of different populations answer different questions.",) if len(of) > 1 else ()
    return (f"Lines: {interval.name} intervals, α = {interval.alpha:g}; population: {covers}.", *other)


_Critical = Mapping[tuple[int, float], float]  # systems, df -> Q


def critical_table(curves: RangeCurves) -> Table:
    """Critical values Q of the studentized range by numbers of systems and degrees of freedom."""
    return Table.of(
        "critical-values",
        f"Critical values of the studentized range, α = {curves.alpha:g}",
        [{"systems": r, "df": nu, "Q": value} for (r, nu), value in curves.critical.items()],
        [Column("systems"), Column("df", explained="degrees of freedom of the error"), Column("Q")],
        ["Two systems differ significantly by Tukey's test where their means differ by more than Q √(MS / n)."],
        is_main=True,
    )


def range_chart(curves: RangeCurves) -> Figure:
    """The distribution that Tukey's test looks up, with its critical values (Ferro and Sanderson, Fig. 1)."""
    critical, alpha = curves.critical, curves.alpha
    rows = [_row(r, nu, x, p) for (r, nu), of in curves.p.items() for x, p in zip(curves.q, of, strict=True)]
    marks = [_row(r, nu, value, 1 - alpha) for (r, nu), value in critical.items()]
    names = list(dict.fromkeys(str(row["systems"]) for row in marks))
    encoding: dict[str, Any] = {
        "x": alt.X("q:Q", title="q, the range of means in standard errors", axis=alt.Axis(grid=False)),
        "y": alt.Y("p:Q", title="P(Q ≤ q)", axis=alt.Axis(format=".0%")),
        "color": alt.Color("systems:N", title=None, scale=scale(style.series_colours(names))),
        "tooltip": tips("systems:N", "df:N", "q:Q", "p:Q"),
    }
    dash = alt.StrokeDash("df:N", title="df of the error", sort=list(dict.fromkeys(_freedom(nu) for _, nu in critical)))
    lines = alt.Chart(data(rows)).mark_line(strokeWidth=1.5).encode(**encoding, strokeDash=dash)
    points = alt.Chart(data(marks)).encode(**encoding)
    drops = points.mark_rule(strokeWidth=1).encode(y2=alt.Y2Datum(0))
    level = alt.Chart(data([{}])).mark_rule(strokeDash=[4, 3], color=style.MUTED).encode(y=alt.YDatum(1 - alpha))
    chart = layered(level, lines, drops, points.mark_point(size=36, filled=True, opacity=1))
    return Figure(
        chart.properties(width=620, height=340),
        _title(critical),
        tuple(_caption(critical)),
        width=740,
        provenance=Provenance.of(facts.alpha(alpha)),
        alternative="Curves of the distribution of the studentized range, one for each number of systems and df.",
    )


def _row(systems: int, df: float, q: float, p: float) -> Row:
    return {"systems": f"{systems} systems", "df": _freedom(df), "q": q, "p": p}


def _freedom(df: float) -> str:
    return "∞" if np.isinf(df) else f"{df:g}"


def _title(critical: _Critical) -> str:
    (few, _), least = min(critical.items(), key=lambda item: item[1])
    (many, _), most = max(critical.items(), key=lambda item: item[1])
    if few == many:
        return f"The critical value of Tukey's test lies between {least:.2f} and {most:.2f} for {few} systems"
    return f"The critical value of Tukey's test rises from {least:.2f} for {few} to {most:.2f} for {many} systems"


def _caption(critical: _Critical) -> Sequence[str]:
    values: dict[int, list[str]] = {}
    for (r, nu), value in critical.items():
        values.setdefault(r, []).append(f"{value:.3f} (df {_freedom(nu)})")
    each = "; ".join(f"R = {r}: {', '.join(of)}" for r, of in values.items())
    return "Distribution of the studentized range of R systems; points: critical values.", f"{each}."


def quantile_plot(series: Mapping[str, Quantiles], model: str, provenance: Provenance) -> Figure:
    """Quantiles of residuals against those of normal ones, a panel a series (Voorhees et al. 2017, footnote 4)."""
    rows: list[Row] = [
        {"series": name, "normal": normal, "residual": residual}
        for name, quantiles in series.items()
        for normal, residual in zip(quantiles.normal, quantiles.residual, strict=True)
    ]
    x = alt.X("normal:Q", title="normal quantile")
    base = alt.Chart().encode(x=x)
    line = base.mark_line(color=style.MUTED, strokeDash=[4, 3]).encode(y=alt.Y("normal:Q", title="residual quantile"))
    points = base.mark_point(filled=True, size=18, opacity=1, color=style.INK).encode(
        y=alt.Y("residual:Q"), tooltip=tips("normal:Q", "residual:Q")
    )
    columns = min(3, len(series))
    chart = layered(line, points).properties(width=_QUANTILES, height=_QUANTILES)
    furthest = max(abs(end) for quantiles in series.values() for end in quantiles.residual)
    return Figure(
        chart.facet(
            facet=alt.Facet("series:N", sort=list(series), header=alt.Header(title=None)),
            columns=columns,
            data=data(rows),
        ),
        f"The residuals of {model} reach up to {furthest:.1f} standard deviations",
        (
            "Points: sorted residuals, in standard deviations. Dashed: where normal ones would lie.",
            "Points below the line at the left and above it at the right are tails longer than normal.",
        ),
        width=columns * (_QUANTILES + 40) + 40,
        provenance=provenance,
        alternative="Sorted residuals against normal quantiles; on the dashed line they would be normal.",
    )
