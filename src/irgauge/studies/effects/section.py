"""The part of a report on how much factors and interactions matter, and its charts of ω²."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import altair as alt

from irgauge.errors import DesignError
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.page import Panel, Variant, panel
from irgauge.show.shared_charts import quantile_plot
from irgauge.show.style import Row, data, layered, only, scale, tips
from irgauge.show.words import SIZES, counted, listed, omega2_text
from irgauge.studies.effects.findings import described, errors, omega2_table
from irgauge.studies.effects.study import NOT_SIGNIFICANT, Effect, EffectSizes, effects
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown, ran, tried

_PANEL = 290  # pixels, the width of one of several panels
_BOUNDS = f"ω² before rounding is {SIZES}."


def _grey(result: EffectSizes) -> str:
    return f"Not significant: p > {result.alpha:g} {errors(result)}."


_ON_LINES = "split(replace(datum.label, ':', ':\\n'), '\\n')"  # topic: above system


def sizes(result: EffectSizes) -> Figure:
    """ω² by measure and source, a panel a way to split; coloured by size, grey if not significant (Tables 16 to 20)."""
    sources, measures, splits = (list(result.distinct(field)) for field in ("source", "measure", "shards"))
    plain = alt.Axis(ticks=False, domain=False, labelLimit=style.LONGEST)
    names = alt.Axis(labelAngle=0, ticks=False, domain=False, labelOverlap=False, labelExpr=_ON_LINES)
    base = alt.Chart().encode(
        x=alt.X("source:N", title=None, sort=sources, axis=names),
        y=alt.Y("measure:N", title=None, sort=measures, axis=plain),
        tooltip=tips("split:N", "measure:N", "source:N", "omega2:Q", "p:Q", "class:N"),
    )
    size = alt.Color("class:N", title="effect", scale=scale(style.SIZES))
    ink = alt.ColorValue(style.INK, condition={"test": "datum.class == 'large'", "value": "white"})
    cells = base.mark_rect(stroke="white", strokeWidth=1.5).encode(color=size)
    panel = layered(cells, base.mark_text().encode(text=alt.Text("text:N"), color=ink))
    columns, width = min(3, len(splits)), 46 * len(sources)
    return Figure(
        panel.properties(width=width, height=21 * len(measures)).facet(
            facet=alt.Facet("split:N", sort=list(map(_split, splits)), header=alt.Header(title=None)),
            columns=columns,
            data=data(map(_row, result.effects)),
        ),
        _sizes_title(result),
        ("Cells: ω² of a factor or interaction on a measure.", _grey(result), _BOUNDS),
        width=columns * width + 180,
        provenance=result.provenance,
        alternative="A grid of measures by factors and interactions; cells that stand out are larger effects.",
    )


def _split(shards: str) -> str:
    return f"shards {shards}"


def _row(effect: Effect) -> Row:
    text = "<0.001" if effect.omega2 < 0.001 else omega2_text(effect.omega2)  # an ω² below 0 is to be read as 0
    place: Row = {"measure": effect.measure, "split": _split(effect.shards), "source": effect.source}
    return place | {"omega2": effect.omega2, "p": effect.p, "class": effect.kind, "text": text}


def _sizes_title(result: EffectSizes) -> str:
    kinds = [effect.kind for effect in result.effects]
    counts = [f"{kinds.count(name)} {name}" for name in style.SIZES if name in kinds and name != NOT_SIGNIFICANT]
    above = kinds.count(NOT_SIGNIFICANT)
    counts += [f"{above} with p > {result.alpha:g}"] if above else []
    return f"ω² of {counted(len(kinds), 'effect')}: {listed(counts)}"


def curves(result: EffectSizes) -> Figure:
    """ω² against the cut-off, a line a source, by measure and way to split (Ferro, Kim and Sanderson, Fig. 5, 6)."""
    lines = cutoff_curves(result)
    if not lines:
        raise DesignError("no measure has several cut-offs; ask for some, such as nDCG@5, nDCG@10 and nDCG@20")
    shown = [effect for curve in lines for effect in curve]
    families, sources = list(dict.fromkeys(map(_family, shown))), {effect.source for effect in shown}
    splits = list(dict.fromkeys(_split(effect.shards) for effect in shown))
    rows = (_row(effect) | {"cutoff": effect.cutoff, "family": _family(effect)} for effect in shown)
    chart = _curves_panel(sorted({effect.cutoff for effect in shown if effect.cutoff}), sources).facet(
        row=alt.Row("family:N", sort=families, header=alt.Header(title=None)),
        column=alt.Column("split:N", sort=splits, header=alt.Header(title=None)),
        data=data(rows),
    )
    return Figure(
        chart,
        _curves_title(lines),
        ("Lines: ω² of a factor or interaction; hollow points: not significant.", _grey(result), _BOUNDS),
        width=len(splits) * (_PANEL + 20) + 140,
        provenance=result.provenance,
        alternative="Lines of ω² against the cut-off of measures.",
    )


def _curves_panel(cutoffs: Sequence[int], sources: set[str]) -> alt.LayerChart:
    colours = {source: colour for source, colour in style.FACTORS.items() if source in sources}
    log = alt.Scale(type="log", nice=False, padding=10)
    base = alt.Chart().encode(
        x=alt.X("cutoff:Q", title="cut-off", scale=log, axis=alt.Axis(values=cutoffs, grid=False, format="d")),
        y=alt.Y("omega2:Q", title="ω²", scale=alt.Scale(domainMin=0, clamp=True, nice=True)),
        color=alt.Color("source:N", title=None, scale=scale(colours)),
        tooltip=tips("split:N", "measure:N", "source:N", "omega2:Q", "p:Q", "class:N"),
    )
    hollow = only(base, "class", NOT_SIGNIFICANT).mark_point(size=34, fill="white", opacity=1, strokeWidth=1.4)
    panel = layered(base.mark_line(strokeWidth=1.6), base.mark_point(size=40, filled=True, opacity=1), hollow)
    return panel.properties(width=_PANEL, height=210)


def _family(effect: Effect) -> str:
    """The measure without its cut-off."""
    return effect.measure.rpartition("@")[0]


def cutoff_curves(result: EffectSizes) -> list[list[Effect]]:
    """The effects of each source on a measure over its cut-offs, where there are several."""
    curves: dict[tuple[str, str, str], list[Effect]] = {}
    for effect in sorted(result.effects, key=lambda effect: effect.cutoff or 0):
        if effect.cutoff is not None:
            curves.setdefault((_family(effect), effect.shards, effect.source), []).append(effect)
    return [curve for curve in curves.values() if len(curve) > 1]


def _curves_title(effects: Sequence[Sequence[Effect]]) -> str:
    larger = sum(curve[-1].omega2 > curve[0].omega2 for curve in effects)
    return f"{larger} of {len(effects)} effects are larger at the deepest cut-off than at the shallowest"


def residuals(result: EffectSizes) -> Figure:
    """Quantiles of the residuals of every analysis against those of normal ones (QQ plots)."""
    if not result.quantiles:
        raise DesignError("this result was saved without its residuals; compute it again")
    return quantile_plot(result.quantiles, result.model, result.provenance)


CHARTS: Mapping[str, Callable[..., Figure]] = {"sizes": sizes, "curves": curves, "residuals": residuals}


def run(reporting: Reporting) -> Ran:
    """The effects on all measures, on the shards of the report."""
    unless = None if reporting.has_replicates else reporting.unsharded or "no shards were asked for"
    with reporting.telling("effect sizes") as progress:
        result = tried(
            lambda: effects(
                reporting.data,
                reporting.measures,
                shards=() if reporting.shards is None else reporting.shards,
                progress=progress,
                **reporting.replicated,
            ),
            unless,
        )
    return ran({"effect sizes": result})


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as all sections
    """Sentences, charts and a table."""
    (result,) = ran.results
    return [described(result)], _panels(result)


def _panels(result: EffectSizes) -> Iterator[Panel]:
    yield from panel(
        "effect-sizes",
        "Sizes of effects",
        "ω² of each factor and interaction, by measure.",
        [Variant(figure=sizes(result))],
    )
    yield from panel(
        "effect-table",
        "Sizes of effects in numbers",
        "ω² of each factor and interaction.",
        [Variant(table=omega2_table(result), provenance=result.provenance)],
    )
    if cutoff_curves(result):
        yield from panel(
            "effect-curves",
            "Effects by cut-off",
            "ω² of each factor and interaction against the cut-off of measures.",
            [Variant(figure=curves(result))],
        )


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:  # noqa: ARG001  # as all sections
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Effect sizes",
            "The size of an effect is ω² = df(F − 1)/(df(F − 1) + N), with F against the residual of MD6 and N scores; "
            f"it is {SIZES} (Ferro, Kim and Sanderson 2019). Values below 0 are to be read as 0. Whether it is "
            "significant was tested with topics as a sample: systems against topic:system, shards against topic:shard "
            "(degrees of freedom times ε of Huynh and Feldt), all else against the residual.",
        )


PART = ReportPart(  # without a headline: the analyses of variance say at the top of the page how large effects are
    key="effects",
    title="How much do topic, system, shard and their interactions matter?",
    run=run,
    shown=shown,
    methods=methods,
    references=("ferro-kim-sanderson-2019",),
    joins="anova",
)
