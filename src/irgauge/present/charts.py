"""Charts of results, each with a title that says what is seen and a caption that says how it was computed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

import altair as alt
import numpy as np
from altair.typing import ChartType
from numpy.typing import NDArray

from irgauge.errors import DesignError, InputError
from irgauge.files import replacing
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import MeanInterval
from irgauge.inference.studentized import cdf, ppf
from irgauge.present import style
from irgauge.present.effect_charts import effect_curves, effect_heatmap, interaction, main_effects
from irgauge.present.style import (
    Row,
    counted,
    data,
    finished,
    layered,
    level_axis,
    only,
    scale,
    setting,
    tips,
    width_of,
)
from irgauge.studies.robustness import Robustness, Spread
from irgauge.studies.significance import Significance

__all__ = [
    "FORMATS",
    "baseline_differences",
    "effect_curves",
    "effect_heatmap",
    "interaction",
    "main_effects",
    "model_intervals",
    "pair_heatmap",
    "robustness_chart",
    "save",
    "setting",
    "studentized_range",
    "system_intervals",
]
FORMATS = (".html", ".svg", ".png", ".pdf")
Series = Mapping[str, tuple[Sequence[str], MeanInterval]]  # name -> systems, and their intervals in the same order
_PANEL = 290  # pixels, the width of one of several panels
_ANY = "all models"


def system_intervals(significance: Significance) -> alt.LayerChart:
    """The mean of each system with its three intervals, best first, and the top group (Ferro and Sanderson, Fig. 3)."""
    comparison = significance.comparison
    n = len(comparison.systems)
    width = width_of(n, step=24, least=380, most=920)
    bar = min(12.0, max(1.5, 0.75 * width / n))
    groups = _groups(comparison)
    base = alt.Chart(data(_interval_rows(significance, groups))).encode(
        x=alt.X(**level_axis(comparison.systems, f"{n} systems by their means, best first", fields=style.SYSTEM)),
        y=alt.Y("low:Q", title=f"mean {significance.measure}", scale=alt.Scale(zero=False)),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "interval:N", "mean:Q", "low:Q", "high:Q", "group:N"),
    )
    colour = alt.Color("interval:N", scale=scale(style.INTERVALS), legend=alt.Legend(symbolType="square"))
    tukey, anova, sem = (only(base.encode(color=colour), "interval", name) for name in style.INTERVALS)
    ticks = sem.mark_tick(thickness=1.2, width=bar).encode(opacity=style.fading("system", opacity=0.7))
    chart = layered(
        tukey.mark_rule(strokeWidth=bar).encode(y2="high:Q"),
        anova.mark_rule(strokeWidth=max(1.0, bar / 3)).encode(y2="high:Q"),
        ticks,
        ticks.encode(y="high:Q"),
        *_reach(significance),
        _mean_points(only(base, "interval", "Tukey"), groups, min(45.0, max(6.0, 3.2 * bar))),
    ).properties(width=width, height=380)
    caption = style.significance_caption(significance)
    if comparison.test == "tukey":
        caption.append(_reach_text(comparison))
    return finished(chart, _group_title(comparison, significance.measure), caption, width=width + 120)


def _mean_points(base: alt.Chart, groups: Mapping[str, str], size: float) -> alt.Chart:
    names = sorted(set(groups.values()))
    fill = alt.Fill("group:N", title="mean", scale=alt.Scale(domain=names, range=[style.ACCENT, "#ffffff"]))
    points = base.mark_point(size=size, filled=True, stroke=style.INK, strokeWidth=0.6)
    return points.encode(y="mean:Q", fill=fill)


def _reach(significance: Significance) -> list[alt.Chart]:
    """Lines at the ends of the Tukey interval that the others are compared with."""
    comparison, interval = significance.comparison, significance.intervals[0]
    if comparison.test != "tukey":
        return []
    i = significance.systems.index(comparison.baseline or comparison.systems[0])
    ends = [interval.low[i]] if comparison.baseline is None else [interval.low[i], interval.high[i]]
    rule = alt.Chart(data([{}])).mark_rule(strokeDash=[5, 4], strokeWidth=1, color=style.ACCENT)
    return [rule.encode(y=alt.datum(float(end))) for end in ends]


def _reach_text(comparison: Comparison) -> str:
    if comparison.baseline is None:
        return "Dashed: lower end of the Tukey interval of the best; whose bar reaches it is not told from the best."
    name = comparison.baseline
    return f"Dashed: ends of the Tukey interval of {name}; whose bar reaches between them is not told from {name}."


def _interval_rows(significance: Significance, groups: Mapping[str, str]) -> Iterator[Row]:
    place = {system: i for i, system in enumerate(significance.systems)}
    for interval in significance.intervals:
        for rank, system in enumerate(significance.comparison.systems, 1):
            row = _interval_row(rank, system, interval, place[system])
            yield row | {"interval": interval.name, "group": groups[system]}


def _interval_row(rank: int, system: str, interval: MeanInterval, i: int) -> Row:
    return {"system": system, "rank": rank, "mean": interval.mean[i], "low": interval.low[i], "high": interval.high[i]}


def _alike(comparison: Comparison) -> set[str]:
    """The best system, or the baseline, and those that cannot be told from it."""
    if comparison.baseline is None:
        return set(comparison.top_group)
    pairs = ~comparison.significant
    ends = np.concatenate((comparison.first[pairs], comparison.second[pairs]))
    return {comparison.baseline, *(comparison.systems[i] for i in ends)}


def _reference(comparison: Comparison) -> str:
    return "the best" if comparison.baseline is None else comparison.baseline


def _groups(comparison: Comparison) -> dict[str, str]:
    """The group of each system; its name says how many belong to it."""
    alike, n, reference = _alike(comparison), len(comparison.systems), _reference(comparison)
    names = f"not told from {reference} ({len(alike)})", f"told from {reference} ({n - len(alike)})"
    return {system: names[system not in alike] for system in comparison.systems}


def _group_title(comparison: Comparison, measure: str) -> str:
    alike, n = len(_alike(comparison)), len(comparison.systems)
    if comparison.baseline is not None:
        return f"{n - alike} of {counted(n - 1, 'other system')} differ from {comparison.baseline} in {measure}"
    if alike == 1:
        return f"The best of {n} systems in {measure}, {comparison.systems[0]}, differs from all others"
    others = counted(alike - 1, "other system")
    return f"{others} of {n} cannot be told from the best in {measure}, {comparison.systems[0]}"


def model_intervals(series: Series, *, measure: str = "score", note: str = "") -> alt.LayerChart:
    """Means of systems in a band of their intervals, by model or by number of shards (Ferro and Sanderson, Fig. 4, 5).

    The systems stand in the order of their means in the first series; `note` goes into the caption.
    """
    first = next(iter(series))
    order = [series[first][0][i] for i in np.argsort(-series[first][1].mean, kind="stable")]
    width = width_of(len(order), step=24, least=380, most=920)
    base = alt.Chart(data(_series_rows(series, order))).encode(
        x=alt.X(
            **level_axis(order, f"{len(order)} systems by their means in {first}, best first", fields=style.SYSTEM)
        ),
        color=alt.Color("series:N", title=None, scale=scale(style.series_colours(list(series)))),
        tooltip=tips("series:N", "system:N", "mean:Q", "low:Q", "high:Q"),
    )
    y = alt.Y("low:Q", title=f"mean {measure}", scale=alt.Scale(zero=False))
    band = base.mark_area().encode(y=y, y2="high:Q", opacity=style.receding(0.22))
    lines = base.encode(opacity=style.receding())
    edges = (lines.mark_line(strokeWidth=1).encode(y=end) for end in ("low:Q", "high:Q"))
    line = lines.mark_line(strokeWidth=1.8).encode(y="mean:Q")
    points = base.mark_point(filled=True).encode(
        y="mean:Q", opacity=style.fading("system"), size=style.growing("system", 10, 60)
    )
    chart = layered(band, *edges, line, points).properties(width=width, height=380)
    return finished(chart, _widths_title(series, measure), _series_caption(series, note), width=width + 100)


def _series_rows(series: Series, order: Sequence[str]) -> Iterator[Row]:
    rank = {system: i for i, system in enumerate(order, 1)}
    for name, (systems, interval) in series.items():
        for i, system in enumerate(systems):
            if system in rank:
                yield _interval_row(rank[system], system, interval, i) | {"series": name}


def _widths_title(series: Series, measure: str) -> str:
    """The first and the last series, by the half width of their widest interval."""
    names = list(dict.fromkeys((next(iter(series)), next(reversed(list(series))))))
    halves = [float(np.max(series[name][1].high - series[name][1].low)) / 2 for name in names]
    spans = " and ".join(f"± {half:.3f} with {name}" for name, half in zip(names, halves, strict=True))
    return f"{series[names[0]][1].name} intervals of mean {measure} are {spans}"


def _series_caption(series: Series, note: str) -> list[str]:
    interval = next(iter(series.values()))[1]
    of: dict[str, list[str]] = {}
    for name, (_, one) in series.items():
        of.setdefault(one.population or "none", []).append(name)
    covers = ", ".join(one if len(of) == 1 else f"{one} ({', '.join(names)})" for one, names in of.items())
    bands = f"Bands: {interval.name} intervals, α = {interval.alpha:g}", f"population: {covers}"
    other = "Bands of different populations answer different questions." if len(of) > 1 else ""
    return [style.facts(*bands, f"n = {len(interval.mean)} systems"), note, other]


def pair_heatmap(comparison: Comparison, *, note: str = "") -> alt.Chart:
    """Every pair tested, coloured by its p; systems best first on both axes. `note` goes into the caption."""
    n = len(comparison.systems)
    side = n * max(1, min(48, 660 // n))  # whole pixels for a cell, so that no seams show
    classes = _p_classes(comparison.alpha)
    legend = alt.Legend(title="p, adjusted") if n < 15 else _inside(side)
    by = "" if n <= style.NAMED else ", by rank"
    chart = alt.Chart(data(_pair_rows(comparison, list(classes)))).mark_rect()
    chart = chart.encode(
        x=alt.X(**level_axis(comparison.systems, f"better system{by}", fields=("better", "better_rank"))),
        y=alt.Y(**level_axis(comparison.systems, f"worse system{by}", fields=("worse", "worse_rank"), angle=0)),
        color=alt.Color("class:N", scale=scale(classes), legend=legend),
        opacity=style.fading("better", "worse"),
        tooltip=tips("better:N", "worse:N", "difference:Q", "low:Q", "high:Q", "p:Q", "class:N"),
    ).properties(width=side, height=side)
    caption = [*style.comparison_caption(comparison), note]
    return finished(chart, _pairs_title(comparison), caption, width=max(side, 340) + 120)


def _inside(side: int) -> alt.Legend:
    """A legend in the empty half of the chart."""
    return alt.Legend(title="p, adjusted", orient="none", legendX=round(0.6 * side), legendY=round(0.04 * side))


def _bounds(alpha: float) -> list[float]:
    return [*(bound for bound in (0.001, 0.01) if bound < alpha), alpha]


def _p_classes(alpha: float) -> dict[str, str]:
    """The colour of each class of p: from the smallest to α, and above."""
    names = [f"p ≤ {bound:g}" for bound in _bounds(alpha)]
    told = dict(zip(names, style.P_CLASSES[-len(names) :], strict=True))
    return told | {f"p > {alpha:g}: not told apart": style.NOT_TOLD_APART}


def _class(c: Comparison) -> NDArray[np.intp]:
    """The class of each pair, among those of `_p_classes`."""
    bounds = _bounds(c.alpha)
    return np.where(c.significant, np.searchsorted(bounds, c.p), len(bounds))


def _pair_rows(c: Comparison, classes: Sequence[str]) -> Iterator[Row]:
    index = _class(c)
    for pair, (first, second) in enumerate(zip(c.first.tolist(), c.second.tolist(), strict=True)):
        yield {
            "better": c.systems[first],
            "worse": c.systems[second],
            "better_rank": first + 1,
            "worse_rank": second + 1,
            "difference": c.difference[pair],
            "low": c.low[pair],
            "high": c.high[pair],
            "p": c.p[pair],
            "class": classes[index[pair]],
        }


def _pairs_title(comparison: Comparison) -> str:
    found, tested = comparison.significant_count, len(comparison.significant)
    if comparison.baseline is not None:
        return f"{found:,} of {counted(tested, 'system')} differ from the baseline {comparison.baseline}"
    return f"{found:,} of {counted(tested, 'pair')} of systems differ, {tested - found:,} cannot be told apart"


def baseline_differences(comparison: Comparison, *, note: str = "") -> alt.LayerChart:
    """The difference of each system from the baseline, with its interval, coloured by p; best first."""
    if comparison.baseline is None:
        raise DesignError("differences from a baseline need a comparison with one; name a baseline")
    systems = [system for system in comparison.systems if system != comparison.baseline]
    classes = _p_classes(comparison.alpha) | {list(_p_classes(comparison.alpha))[-1]: "#b58a4a"}  # thin marks
    width = width_of(len(systems), step=24, least=380, most=920)
    bar = min(6.0, max(1.2, 0.5 * width / len(systems)))
    base = alt.Chart(data(_baseline_rows(comparison, list(classes)))).encode(
        x=alt.X(
            **level_axis(systems, f"{counted(len(systems), 'system')} by their means, best first", fields=style.SYSTEM)
        ),
        color=alt.Color("class:N", title="p, adjusted", scale=scale(classes)),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "difference:Q", "low:Q", "high:Q", "p:Q", "class:N"),
    )
    y = alt.Y("low:Q", title=f"mean less that of {comparison.baseline}", axis=alt.Axis(grid=True))
    zero = alt.Chart(data([{}])).mark_rule(color=style.INK).encode(y=alt.datum(0))
    points = base.mark_point(filled=True, size=10 * bar).encode(y="difference:Q")
    chart = layered(base.mark_rule(strokeWidth=bar / 2).encode(y=y, y2="high:Q"), zero, points)
    caption = [*style.comparison_caption(comparison), f"Intervals: {comparison.interval}.", note]
    return finished(chart.properties(width=width, height=340), _pairs_title(comparison), caption, width=width + 120)


def _baseline_rows(c: Comparison, classes: Sequence[str]) -> Iterator[Row]:
    """The pairs as differences from the baseline: where it is the better one, the sign turns."""
    place, index = c.systems.index(str(c.baseline)), _class(c)
    for pair in np.argsort(c.first + c.second):  # one of the two is the baseline: by the other, best first
        better = c.first[pair] == place
        other = int(c.second[pair] if better else c.first[pair])
        low, high = (-c.high[pair], -c.low[pair]) if better else (c.low[pair], c.high[pair])
        difference = -c.difference[pair] if better else c.difference[pair]
        rank = other if other > place else other + 1
        row: Row = {"system": c.systems[other], "rank": rank, "difference": difference, "low": low, "high": high}
        yield row | {"p": c.p[pair], "class": classes[index[pair]]}


def robustness_chart(robustness: Robustness) -> alt.HConcatChart:
    """Significant pairs, and how well the order of systems agrees, against the number of shards, by model."""
    stability = robustness.stability
    pairs = [_spread_row(one.shards, one.model, one.significant) for one in stability]
    tau = list({str(row): row for row in (_spread_row(one.shards, _ANY, one.tau) for one in stability)}.values())
    if len(tau) > len({one.shards for one in stability}):  # else the models agree, as they do in a balanced design
        tau = [_spread_row(one.shards, one.model, one.tau) for one in stability]
    whole = robustness.whole.significant
    chart = alt.hconcat(
        _spread_panel(pairs, "significant pairs", f"pairs of {robustness.pairs:,} that differ; dashed: MD1", whole),
        _spread_panel(tau, "Kendall's τ", "agreement with the whole corpus; dashed: τ = 0.9", 0.9),
        spacing=30,
    ).resolve_scale(color="independent")
    title, caption = _robustness_title(robustness), style.robustness_caption(robustness)
    return finished(chart, title, caption, width=2 * (_PANEL + 160))


def _spread_row(shards: int, model: str, spread: Spread) -> Row:
    return {"shards": shards, "model": model, "mean": spread.mean, "low": spread.low, "high": spread.high}


def _spread_panel(rows: Sequence[Row], quantity: str, title: str, reference: float) -> alt.LayerChart:
    names = list(dict.fromkeys(str(row["model"]) for row in rows))
    colours = {_ANY: style.INK} if names == [_ANY] else style.series_colours(names)
    base = alt.Chart(data(rows)).encode(
        x=alt.X("shards:O", title="shards", axis=alt.Axis(labelAngle=0), scale=alt.Scale(paddingInner=0.35)),
        xOffset=alt.XOffset("model:N", sort=names),
        y=alt.Y("mean:Q", title=quantity, scale=alt.Scale(zero=False, nice=True)),
        color=alt.Color("model:N", title=None, scale=scale(colours)),
        tooltip=tips("model:N", "shards:O", "mean:Q", "low:Q", "high:Q"),
    )
    line = base.mark_line(strokeWidth=1.2, point=alt.OverlayMarkDef(size=30))
    bars = base.mark_rule(strokeWidth=1.6).encode(y="low:Q", y2="high:Q")
    dashed = alt.Chart(data([{}])).mark_rule(strokeDash=[5, 4], color=style.MODELS["MD1"])
    heading = alt.TitleParams(title, fontSize=12, fontWeight="normal")
    layers = layered(dashed.encode(y=alt.datum(reference)), line, bars)
    return layers.properties(width=_PANEL + 60, height=300, title=heading)


def _robustness_title(robustness: Robustness) -> str:
    last = max(robustness.outcomes, key=lambda outcome: (outcome.shards, outcome.model))
    shares = [100 * outcome.significant / robustness.pairs for outcome in (last, robustness.whole)]
    found = f"With {last.shards} shards {last.model} tells {shares[0]:.0f} % of pairs apart in {robustness.measure}"
    return f"{found}; MD1 on the whole corpus {shares[1]:.0f} %"


def studentized_range(systems: Sequence[int], df: Sequence[float], alpha: float = 0.05) -> alt.LayerChart:
    """The distribution that Tukey's test looks up, with its critical values (Ferro and Sanderson, Fig. 1)."""
    critical = {(r, nu): float(ppf(1 - alpha, r, nu)) for r in systems for nu in df}
    q = np.linspace(0, 1.25 * max(critical.values()), 251)
    curves: list[Row] = [_range_row(r, nu, x, p) for r, nu in critical for x, p in zip(q, cdf(q, r, nu), strict=True)]
    marks = [_range_row(r, nu, value, 1 - alpha) for (r, nu), value in critical.items()]
    names = list(dict.fromkeys(str(row["systems"]) for row in marks))
    encoding: dict[str, Any] = {
        "x": alt.X("q:Q", title="q, the range of means in standard errors", axis=alt.Axis(grid=False)),
        "y": alt.Y("p:Q", title="P(Q ≤ q)", axis=alt.Axis(format=".0%")),
        "color": alt.Color("systems:N", title=None, scale=scale(style.series_colours(names))),
        "tooltip": tips("systems:N", "df:N", "q:Q", "p:Q"),
    }
    dash = alt.StrokeDash("df:N", title="df of the error", sort=list(map(_freedom, df)))
    lines = alt.Chart(data(curves)).mark_line(strokeWidth=1.5).encode(**encoding, strokeDash=dash)
    points = alt.Chart(data(marks)).encode(**encoding)
    drops = points.mark_rule(strokeWidth=1).encode(y2=alt.Y2Datum(0))
    level = alt.Chart(data([{}])).mark_rule(strokeDash=[4, 3], color=style.MUTED).encode(y=alt.datum(1 - alpha))
    chart = layered(level, lines, drops, points.mark_point(size=36, filled=True, opacity=1))
    return finished(
        chart.properties(width=620, height=340),
        _range_title(critical),
        _range_caption(critical, alpha),
        width=740,
    )


def _range_row(systems: int, df: float, q: float, p: float) -> Row:
    return {"systems": f"{systems} systems", "df": _freedom(df), "q": q, "p": p}


def _freedom(df: float) -> str:
    return "∞" if np.isinf(df) else f"{df:g}"


def _range_title(critical: Mapping[tuple[int, float], float]) -> str:
    (few, _), least = min(critical.items(), key=lambda item: item[1])[0], min(critical.values())
    (many, _), most = max(critical.items(), key=lambda item: item[1])[0], max(critical.values())
    if few == many:
        return f"The critical value of Tukey's test lies between {least:.2f} and {most:.2f} for {few} systems"
    return f"The critical value of Tukey's test rises from {least:.2f} for {few} to {most:.2f} for {many} systems"


def _range_caption(critical: Mapping[tuple[int, float], float], alpha: float) -> list[str]:
    values: dict[int, list[str]] = {}
    for (r, nu), value in critical.items():
        values.setdefault(r, []).append(f"{value:.3f} (df {_freedom(nu)})")
    how = f"Distribution of the studentized range of R systems; points: critical values at α = {alpha:g}."
    return [how, style.facts(*(f"R = {r}: {', '.join(each)}" for r, each in values.items()))]


def save(chart: ChartType, path: str | os.PathLike[str]) -> None:
    """Write a chart as .html (works offline), .svg, .png or .pdf."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        given = f"'{suffix}' is not a format of charts" if suffix else "a chart needs a format"
        raise InputError(f"{given}; end the name in {', '.join(FORMATS)}", path=str(path))
    kind = cast(Literal["html", "svg", "png", "pdf"], suffix[1:])
    with replacing(path) as temporary:
        chart.save(temporary, format=kind, scale_factor=2 if kind == "png" else 1, inline=kind == "html")
