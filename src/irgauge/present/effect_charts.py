"""Charts of effects: what topics, systems, shards and their interactions do to scores, and how much they matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import altair as alt
import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.models.anova import FACTORS, Fit
from irgauge.present import style
from irgauge.present.style import Row, data, finished, layered, level_axis, only, scale, tips, width_of
from irgauge.studies.effects import Effect, Effects

Labels = Mapping[str, Sequence[str]]  # factor -> its levels, in the order of the fit
_PANEL = 290  # pixels, the width of one of several panels


def main_effects(fit: Fit, labels: Labels, *, measure: str = "score", note: str = "") -> alt.HConcatChart:
    """Marginal means of topics, systems and shards, side by side (Ferro, Kim and Sanderson, Fig. 2)."""
    factors = [factor for factor in FACTORS if factor in fit.model.terms]
    ends = np.concatenate([_means(fit, factor) for factor in factors])
    domain = alt.Scale(domain=[float(ends.min()), float(ends.max())], nice=True)
    panels = (_main_effect(fit, factor, labels[factor], measure, domain) for factor in factors)
    sizes = sorted((fit.row(factor) for factor in factors), key=lambda row: -row.omega2)
    shares = (f"{row.source} {row.size} (ω² = {style.omega2_text(row.omega2)}, {style.p_text(row.p)})" for row in sizes)
    caption = [f"Effects: {', '.join(shares)}.", *style.fit_caption(fit, note)]
    title = f"{sizes[0].source.capitalize()} is the largest main effect on {measure}"
    return finished(alt.hconcat(*panels, spacing=24), title, caption, width=(_PANEL + 40) * len(factors))


def _main_effect(fit: Fit, factor: str, levels: Sequence[str], measure: str, domain: alt.Scale) -> alt.LayerChart:
    means, colour = _means(fit, factor), style.FACTORS[factor]
    order = np.argsort(-means, kind="stable")
    name, place = style.SYSTEM if factor == "system" else ("name", "rank")
    rows: list[Row] = [{name: levels[i], place: rank, "mean": means[i]} for rank, i in enumerate(order, 1)]
    x = level_axis([levels[i] for i in order], f"{len(levels)} {factor}s, best first", fields=(name, place), named=25)
    y = alt.Y("mean:Q", title=f"mean {measure}", scale=domain, axis=alt.Axis(grid=True))
    base = alt.Chart(data(rows)).encode(x=alt.X(**x), y=y, tooltip=tips(f"{name}:N", "rank:Q", "mean:Q"))
    line, points = (
        base.mark_line(color=colour, strokeWidth=1.2),
        base.mark_point(color=colour, filled=True, size=22, opacity=1),
    )
    if factor == "system":
        line, points = line.encode(opacity=style.receding()), points.encode(opacity=style.fading("system"))
    mean = alt.Chart(data([{}])).mark_rule(strokeDash=[4, 3], color=style.MUTED).encode(y=alt.datum(fit.mean))
    title = alt.TitleParams(f"{factor} (dashed: mean of all)", fontSize=12, fontWeight="normal")
    return layered(mean, line, points).properties(width=_PANEL, height=300, title=title)


def interaction(
    fit: Fit, term: str, labels: Labels, *, highlight: str | None = None, measure: str = "score", note: str = ""
) -> alt.LayerChart:
    """A line of marginal means for each level of one factor over the levels of another (same paper, Fig. 3).

    Lines are systems, or topics in topic:shard; `highlight` names one, by default the best.
    """
    row = fit.row(term)
    line, across = _line_and_axis(term)
    chosen = _highlighted(fit, line, labels[line], highlight)
    order = np.argsort(-_means(fit, across), kind="stable")
    kinds = {
        chosen: style.FACTORS[line],
        f"mean of all {line}s": style.INK,
        f"other {line}s ({len(labels[line]) - 1})": style.PALE,
    }
    levels = [labels[across][i] for i in order]
    width = width_of(len(levels), step=60 if len(levels) < 10 else 24, least=420, most=860)
    colour = alt.Color("kind:N", title=None, scale=scale(kinds))
    base = alt.Chart(data(_interaction_rows(fit, term, labels, order, list(kinds)))).encode(
        x=alt.X(**level_axis(levels, f"{len(levels)} {across}s, best first")),
        y=alt.Y("mean:Q", title=f"mean {measure}", scale=alt.Scale(zero=False)),
        color=colour,
        detail="line:N",
        tooltip=tips("line:N", "name:N", "mean:Q"),
    )
    bold, mean, others = (only(base, "kind", kind) for kind in kinds)
    others = others.mark_line(strokeWidth=0.8, strokeOpacity=0.55 if len(labels[line]) > 30 else 1)
    bold = bold.mark_line(strokeWidth=2.2, strokeJoin="round", point=alt.OverlayMarkDef(size=24))
    if line == "system":
        bold, others = (each.transform_calculate(system="datum.line") for each in (bold, others))
        bold, others = bold.encode(opacity=style.fading("line")), _standing_out(others, colour)
    chart = layered(others, mean.mark_line(strokeWidth=1.6, strokeDash=[5, 3]), bold)
    chart = chart.properties(width=width, height=360)
    title = f"How {line}s compare changes from {across} to {across}: a {row.size} effect"
    caption = [
        f"{term}: ω² = {style.omega2_text(row.omega2)}, {style.p_text(row.p)}. Parallel lines would be no interaction."
    ]
    return finished(chart, title, [*caption, *style.fit_caption(fit, note)], width=width + 110)


def _standing_out(lines: alt.Chart, colour: alt.Color) -> alt.Chart:
    """Thin lines of systems; those of marked systems are dark and wider."""
    return lines.encode(
        color=alt.condition(style.is_marked("line"), alt.value(style.MUTED), colour),
        opacity=style.fading("line"),
        size=style.growing("line", 0.8, 1.8),
    )


def _means(fit: Fit, term: str) -> NDArray[np.float64]:
    """Marginal means; where all scores are 0, the sum of effects may be −1e-17, and the axis would go below 0."""
    return np.round(fit.means(term), 12) + 0.0


def _line_and_axis(term: str) -> tuple[str, str]:
    """The factor of an interaction whose levels are lines, and the one on the axis."""
    first, second = term.split(":")
    return (second, first) if second == "system" else (first, second)


def _highlighted(fit: Fit, line: str, levels: Sequence[str], highlight: str | None) -> str:
    if highlight is None:
        return levels[int(np.argmax(_means(fit, line)))]
    if highlight not in levels:
        raise DesignError(f"there is no {line} '{highlight}' to highlight; they are {', '.join(levels[:5])}, ...")
    return highlight


def _interaction_rows(
    fit: Fit, term: str, labels: Labels, order: NDArray[np.intp], kinds: Sequence[str]
) -> Iterator[Row]:
    line, across = _line_and_axis(term)
    means = _means(fit, term) if term.startswith(line) else _means(fit, term).T  # line, across
    for rank, i in enumerate(order, 1):
        place: Row = {"name": labels[across][i], "rank": rank}
        yield place | {"line": kinds[1], "kind": kinds[1], "mean": _means(fit, across)[i]}
        for level, mean in zip(labels[line], means[:, i], strict=True):
            yield place | {"line": level, "kind": kinds[0] if level == kinds[0] else kinds[2], "mean": mean}


def effect_heatmap(effects: Effects) -> alt.FacetChart:
    """ω² by measure and source, a panel a way to split; coloured by size, grey if not significant (Tables 16 to 20)."""
    sources, measures, splits = (_distinct(effects.effects, field) for field in ("source", "measure", "shards"))
    plain = alt.Axis(ticks=False, domain=False, labelLimit=170)
    base = alt.Chart().encode(
        x=alt.X("source:N", title=None, sort=sources, axis=alt.Axis(labelAngle=-40, ticks=False, domain=False)),
        y=alt.Y("measure:N", title=None, sort=measures, axis=plain),
        tooltip=tips("split:N", "measure:N", "source:N", "omega2:Q", "p:Q", "class:N"),
    )
    size = alt.Color("class:N", title="effect", scale=scale(style.SIZES))
    ink = alt.condition("datum.class == 'large'", alt.value("white"), alt.value(style.INK))
    cells = base.mark_rect(stroke="white", strokeWidth=1.5).encode(color=size)
    panel = layered(cells, base.mark_text(fontSize=10).encode(text="text:N", color=ink))
    columns, width = min(3, len(splits)), 46 * len(sources)
    chart = panel.properties(width=width, height=21 * len(measures)).facet(
        facet=alt.Facet("split:N", sort=[f"shards {split}" for split in splits], header=alt.Header(title=None)),
        columns=columns,
        data=data(map(_row, effects.effects)),
    )
    return finished(chart, _sizes_title(effects), style.effects_caption(effects), width=columns * width + 180)


def _row(effect: Effect) -> Row:
    kind = effect.size if effect.significant else "not significant"
    text = "<0.001" if effect.omega2 < 0.001 else style.omega2_text(effect.omega2)  # an ω² below 0 is to be read as 0
    place: Row = {"measure": effect.measure, "split": f"shards {effect.shards}", "source": effect.source}
    return place | {"omega2": effect.omega2, "p": effect.p, "class": kind, "text": text}


def _distinct(effects: Iterable[Effect], field: str) -> list[str]:
    return list(dict.fromkeys(str(getattr(effect, field)) for effect in effects))


def _sizes_title(effects: Effects) -> str:
    classes = [_row(effect)["class"] for effect in effects.effects]
    counts = [f"{classes.count(name)} {name}" for name in style.SIZES if name in classes]
    return f"Of {len(classes)} effects {', '.join(counts)}"


def effect_curves(effects: Effects) -> alt.FacetChart:
    """ω² against the cut-off, a line a source, by measure and way to split (Ferro, Kim and Sanderson, Fig. 5, 6)."""
    curves = _curves(effects)
    shown = [effect for curve in curves for effect in curve]
    families, splits = list(dict.fromkeys(map(_family, shown))), _distinct(shown, "shards")
    colours = {source: style.FACTORS[source] for source in _distinct(shown, "source")}
    cutoffs = sorted({effect.cutoff for effect in shown if effect.cutoff})
    log = alt.Scale(type="log", nice=False, padding=10)
    base = alt.Chart().encode(
        x=alt.X("cutoff:Q", title="cut-off", scale=log, axis=alt.Axis(values=cutoffs, grid=False, format="d")),
        y=alt.Y("omega2:Q", title="ω²", scale=alt.Scale(domainMin=0, clamp=True, nice=True)),
        color=alt.Color("source:N", title=None, scale=scale(colours)),
        tooltip=tips("split:N", "measure:N", "source:N", "omega2:Q", "p:Q", "class:N"),
    )
    hollow = only(base, "class", "not significant").mark_point(size=34, fill="white", opacity=1, strokeWidth=1.4)
    panel = layered(base.mark_line(strokeWidth=1.6), base.mark_point(size=40, filled=True, opacity=1), hollow)
    chart = panel.properties(width=_PANEL, height=210).facet(
        row=alt.Row("family:N", sort=families, header=alt.Header(title=None)),
        column=alt.Column("split:N", sort=[f"shards {split}" for split in splits], header=alt.Header(title=None)),
        data=data(_row(effect) | {"cutoff": effect.cutoff, "family": _family(effect)} for effect in shown),
    )
    caption = [*style.effects_caption(effects), "Hollow points: not significant."]
    return finished(chart, _curves_title(curves), caption, width=len(splits) * (_PANEL + 20) + 140)


def _family(effect: Effect) -> str:
    """The measure without its cut-off."""
    return effect.measure.rpartition("@")[0]


def _curves(effects: Effects) -> list[list[Effect]]:
    """The effects of each source on a measure over its cut-offs, where there are several."""
    curves: dict[tuple[str, str, str], list[Effect]] = {}
    for effect in sorted(effects.effects, key=lambda effect: effect.cutoff or 0):
        if effect.cutoff is not None:
            curves.setdefault((_family(effect), effect.shards, effect.source), []).append(effect)
    if not (several := [curve for curve in curves.values() if len(curve) > 1]):
        raise DesignError("no measure has several cut-offs; ask for some, such as nDCG@5, nDCG@10 and nDCG@20")
    return several


def _curves_title(curves: Sequence[Sequence[Effect]]) -> str:
    larger = sum(curve[-1].omega2 > curve[0].omega2 for curve in curves)
    return f"{larger} of {len(curves)} effects are larger at the deepest cut-off than at the shallowest"
