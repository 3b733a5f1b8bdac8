"""Charts of the partition method: effects with their intervals, and two systems with their p."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.rows import in_rows
from irgauge.show.style import Row, data, layered, level_axis, only, scale, tips, width_of
from irgauge.show.words import p_text, percent
from irgauge.studies.partition import matrices
from irgauge.studies.partition.lengths import IntervalLengths, ModelIntervals
from irgauge.studies.partition.splits import Splits
from irgauge.studies.partition.study import Difference, Overlap, Partitioned
from irgauge.studies.partition.study import densities as pair_of
from irgauge.studies.partition.tables import WITH, WITHOUT, model, where

_MODELS = {WITHOUT: "#9ecae9", WITH: "#0b4f8a"}
_BETTER, _WORSE = "#0072b2", "#d55e00"
_BARS = alt.Legend(symbolType="stroke", symbolStrokeWidth=8)
_LINES = alt.Legend(symbolType="stroke", symbolSize=400, symbolStrokeWidth=2)
_TIGHT = alt.Scale(zero=False, nice=False)


def effects(result: Partitioned, measure: str | None = None) -> Figure:
    """Effects of systems in the first split, with intervals of the models without and with interactions."""
    return effect_intervals(result.of(measure).effects)


def effect_intervals(lengths: IntervalLengths) -> Figure:
    """Effects of systems with intervals of the models without and with interactions (Voorhees et al., Fig. 2).

    Of several numbers of parts the first is drawn.
    """
    lengths = lengths.of(lengths.parts[0])
    models, n = lengths.models, len(lengths.systems)
    width = width_of(n, step=24, least=380, most=920)
    bar = min(12.0, max(2.4, 0.72 * width / n))
    colours = {name: _MODELS[name] for name in (model(interactions=intervals.interactions) for intervals in models)}
    axis = f"{n} systems by mean {lengths.measure} {where(lengths.drawing)}, best first"
    y = alt.Y("low:Q", title=f"effect of the system in {lengths.measure}", scale=alt.Scale(zero=False))
    base = alt.Chart(data(row for model in models for row in _effect_rows(lengths, model))).encode(
        x=alt.X(**level_axis(lengths.systems, axis, fields=style.SYSTEM, angle=0)),
        y=y,
        color=alt.Color("model:N", title=None, scale=scale(colours), legend=_BARS),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "model:N", "effect:Q", "low:Q", "high:Q", "outer_low:Q", "outer_high:Q"),
    )
    layers = [layer for name in colours for layer in _bars(only(base, "model", name), bar, is_wide=name == WITHOUT)]
    points = only(base, "model", model(interactions=models[-1].interactions))
    dot = points.mark_point(filled=True, size=min(26.0, 2.2 * bar)).encode(
        y=alt.Y("effect:Q"), color=alt.ColorValue("#ffffff")
    )
    return Figure(
        in_rows(layered(*layers, dot).properties(width=width, height=380), n),
        _effects_title(lengths.measure, models),
        (_effects_caption(lengths.drawing.alpha, models),),
        width=width + 120,
        provenance=lengths.provenance,
        alternative="Effects of systems from best to worst, each with two intervals.",
    )


def _bars(own: alt.Chart, bar: float, *, is_wide: bool) -> tuple[alt.Chart, alt.Chart]:
    """The intervals of one model: the adjusted ones thin, the plain ones over them."""
    return (
        own.mark_rule(strokeWidth=max(0.8, bar / 8)).encode(y=alt.Y("outer_low:Q"), y2=alt.Y2("outer_high:Q")),
        own.mark_rule(strokeWidth=bar if is_wide else bar / 2).encode(y2=alt.Y2("high:Q")),
    )


def _effect_rows(lengths: IntervalLengths, model_intervals: ModelIntervals) -> Iterator[Row]:
    for i, system in enumerate(lengths.systems):
        yield {
            "system": system,
            "rank": i + 1,
            "model": model(interactions=model_intervals.interactions),
            "effect": model_intervals.plain.mean[i],
            "low": model_intervals.plain.low[i],
            "high": model_intervals.plain.high[i],
            "outer_low": model_intervals.adjusted.low[i],
            "outer_high": model_intervals.adjusted.high[i],
        }


def _effects_title(measure: str, models: Sequence[ModelIntervals]) -> str:
    means = [
        f"{intervals.lengths[0].mean:.3f} {model(interactions=intervals.interactions)}"
        for intervals in reversed(models)
    ]
    return f"Intervals of effects in {measure} have a mean length of {' and '.join(means)}"


def _effects_caption(alpha: float, models: Sequence[ModelIntervals]) -> str:
    adjusted = " and ".join(f"{model.lengths[1].mean:.3f}" for model in reversed(models))
    return (
        "Dots: effects, means over topics and parts less the grand mean. Bars: plain "
        f"{percent(1 - alpha)} {models[0].plain.name} intervals; thin lines: the same adjusted by k/N, {adjusted} "
        f"long. The inner bars are of the model {WITH} of system and topic"
        f"{', the outer ones of that without' if len(models) > 1 else ''}."
    )


def densities(result: Partitioned, measure: str | None = None) -> Figure:
    """Two systems in the first split, and what the p of their pair is; the closest decision where none is asked for."""
    splits = result.of(measure).splits
    shown = pair_of(splits, *(result.pair or splits.closest)) if measure else result.densities
    figure = pair_densities(splits, shown) if isinstance(shown, Overlap) else difference_density(splits, shown)
    closest = f"Of all pairs that whose corrected p is nearest to α = {splits.alpha:g}."
    return figure if result.pair else figure.noting(closest)


def difference_density(splits: Splits, shown: Difference) -> Figure:
    """Where the difference of two systems may lie, what is beyond no difference shaded."""
    rows: list[Row] = [
        {"difference": at, "density": density}
        for at, density in zip(shown.at.tolist(), shown.density.tolist(), strict=True)
    ]
    x = alt.X(
        "difference:Q",
        title=f"mean {splits.measure} over parts, {shown.better} less {shown.worse}",
        scale=_TIGHT,
        axis=alt.Axis(tickCount=8),
    )
    base = alt.Chart(data(rows)).encode(
        x=x, y=alt.Y("density:Q", title="density"), tooltip=tips("difference:Q", "density:Q")
    )
    lines: dict[str, tuple[float, str]] = {"no difference": (0.0, _WORSE), "found": (shown.difference, _BETTER)}
    marks: list[Row] = [{"line": name, "difference": at} for name, (at, _) in lines.items()]
    colours = scale({name: colour for name, (_, colour) in lines.items()})
    rules = alt.Chart(data(marks)).mark_rule(strokeWidth=1.6)
    chart = layered(
        base.transform_filter("datum.difference <= 0").mark_area(opacity=0.45, line=False, color=_WORSE),
        base.mark_line(strokeWidth=1.8, color=style.INK),
        rules.encode(x=x, color=alt.Color("line:N", title=None, scale=colours, legend=_LINES)),
    ).properties(width=620, height=320)
    return Figure(
        chart,
        _difference_title(splits, shown),
        (_difference_caption(splits, shown),),
        width=760,
        provenance=splits.provenance,
        alternative="The density of the difference of two systems, and how much of it is beyond no difference.",
    )


def _difference_title(splits: Splits, shown: Difference) -> str:
    ahead = f"{shown.better} is ahead of {shown.worse} by {shown.difference:.4f} in {splits.measure}"
    return f"{ahead}, {p_text(shown.p, least=1e-4)} before correction"


def _difference_caption(splits: Splits, shown: Difference) -> str:
    return (
        "Curve: where the difference of the two means over topics and parts may lie, by the first split; upright "
        f"lines: no difference, and the difference found. Shaded: what is beyond no difference, half of "
        f"{_p_values(splits, shown.better, shown.worse)}."
    )


def _p_values(splits: Splits, better: str, worse: str) -> str:
    """The p of a pair before and after correction, and of all splits."""
    pair = splits.place(better, worse)
    values = (float(splits.p[0, pair]), float(splits.p_adjusted[0, pair]), float(splits.combined_p()[pair]))
    least = splits.least_p
    single, split, together = (f"p = {p:.3g}" if p >= least else f"p < {least:g}" for p in values)
    return f"{single} before correction, {split} corrected over all pairs, and {together} by all splits together"


def pair_densities(splits: Splits, overlap: Overlap) -> Figure:
    """The densities of two systems' means, the area behind their p-value shaded (Voorhees et al., Fig. 3)."""
    curves = {f"{overlap.better}, ahead": _BETTER, overlap.worse: _WORSE}
    x = alt.X("score:Q", title=f"mean {splits.measure} over topics and parts", scale=_TIGHT, axis=alt.Axis(tickCount=8))
    base = alt.Chart(data(_density_rows(overlap, list(curves)))).encode(
        x=x,
        y=alt.Y("density:Q", title="density"),
        color=alt.Color("system:N", title=None, scale=scale(curves), legend=_LINES),
        tooltip=tips("system:N", "score:Q", "density:Q"),
    )
    worse = only(base, "system", overlap.worse)
    reached = worse.transform_filter(f"datum.score >= {overlap.effects[0] + overlap.mean}")
    dash = alt.StrokeDash(
        "system:N", title=None, legend=_LINES, scale=alt.Scale(domain=list(curves), range=[[1, 0], [6, 3]])
    )
    means: list[Row] = [
        {"system": name, "score": effect + overlap.mean} for name, effect in zip(curves, overlap.effects, strict=True)
    ]
    rules = alt.Chart(data(means)).mark_rule(strokeWidth=1.2)
    chart = layered(
        reached.mark_area(opacity=0.45, line=False),
        base.mark_line(strokeWidth=1.8).encode(strokeDash=dash),
        rules.encode(x=x, color=alt.Color("system:N", title=None, scale=scale(curves)), strokeDash=dash),
    ).properties(width=620, height=320)
    return Figure(
        chart,
        _density_title(splits, overlap),
        (_density_caption(splits, overlap),),
        width=760,
        provenance=splits.provenance,
        alternative="Two densities, and what the worse system reaches of the better one's mean.",
    )


def _density_rows(overlap: Overlap, names: Sequence[str]) -> Iterator[Row]:
    for name, density in zip(names, overlap.densities, strict=True):
        for at, value in zip(overlap.at.tolist(), density.tolist(), strict=True):
            yield {"system": name, "score": at + overlap.mean, "density": value}


def _density_title(splits: Splits, overlap: Overlap) -> str:
    share = f"{100 * overlap.p:.2g} %" if overlap.p else f"less than {100 / splits.drawing.draws:g} %"
    return f"{overlap.worse} reaches the mean {splits.measure} of {overlap.better} in {share} of draws"


def _density_caption(splits: Splits, overlap: Overlap) -> str:
    return (
        f"Curves: densities of the two means over draws in the first split; upright lines: the means as fitted. Shaded:"
        f" what {overlap.worse} reaches of the mean of {overlap.better}, "
        f"{_p_values(splits, overlap.better, overlap.worse)}."
    )


CHARTS: Mapping[str, Callable[..., Figure]] = {
    "effects": effects,
    "densities": densities,
    "decisions": matrices.decisions,
    "agreement": matrices.agreement,
}
