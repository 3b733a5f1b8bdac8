"""Charts of robustness: pairs and order against the number of shards, and intervals by number of shards."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import altair as alt

from irgauge.choices import known
from irgauge.inference.tests.tukey import TUKEY
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.shared_charts import interval_bands
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.verdicts import FOR
from irgauge.show.words import percent
from irgauge.studies.interval_series import intervals_by_shards
from irgauge.studies.robustness.findings import the
from irgauge.studies.robustness.options import MODELS
from irgauge.studies.robustness.outcomes import MeanOverSplits
from irgauge.studies.robustness.study import Robustness

_ANY = "all methods"
_PANEL = 360  # pixels
_AGREEING = 0.9  # Kendall's τ above which two orders are taken as equivalent


def stability(result: Robustness) -> Figure:
    """Significant pairs, and how well the order of systems agrees, by number of shards and method."""
    pairs = [_row(point.shards, point.method, point.significant.within(0, result.pairs)) for point in result.stability]
    taus = [(point.shards, point.method, point.tau.within(-1, 1)) for point in result.stability]
    tau = list({str(row): row for row in (_row(shards, _ANY, of) for shards, _, of in taus)}.values())
    if len(tau) > len(result.counts):  # else the methods agree, as they do in a balanced design
        tau = [_row(*tau) for tau in taus]
    dashed = f"of {result.pairs:,} pairs; dashed: whole corpus"
    agree = f"with the whole corpus; dashed: τ = {_AGREEING}"
    chart = alt.hconcat(
        _panel(pairs, "significant pairs", dashed, result.whole.significant),
        _panel(tau, "Kendall's τ", agree, _AGREEING),
        spacing=30,
    ).resolve_scale(color="independent")
    interval = ", with 95 % t intervals" if result.resamples > 1 else ""
    return Figure(
        chart,
        _title(result),
        (
            f"Points: means over splits{interval}. τ: order of systems against that on the whole corpus.",
            f"Whole corpus: {the(result.whole.method)}, {FOR['topics']}.",
        ),
        width=2 * (_PANEL + 100),
        provenance=result.provenance,
        alternative="Numbers of significant pairs and Kendall's τ against the number of shards, by method.",
    )


def _row(shards: int, method: str, of: MeanOverSplits) -> Row:
    return {"shards": shards, "method": method, "mean": of.mean, "low": of.low, "high": of.high}


def _panel(rows: Sequence[Row], quantity: str, title: str, reference: float) -> alt.LayerChart:
    names = list(dict.fromkeys(str(row["method"]) for row in rows))
    colours = {names[0]: style.INK} if len(names) == 1 else style.series_colours(names)
    base = alt.Chart(data(rows)).encode(
        x=alt.X(
            "shards:O", title="shards", axis=alt.Axis(labelAngle=0), scale=alt.Scale(type="band", paddingInner=0.35)
        ),
        xOffset=alt.XOffset("method:N", sort=names) if len(names) > 1 else alt.Undefined,
        y=alt.Y("mean:Q", title=quantity, scale=alt.Scale(zero=False, nice=True)),
        color=alt.Color(
            "method:N", title=None, scale=scale(colours), legend=None if len(names) == 1 else alt.Undefined
        ),
        tooltip=tips("method:N", "shards:O", "mean:Q", "low:Q", "high:Q"),
    )
    line = base.mark_line(strokeWidth=1.2, point=alt.OverlayMarkDef(size=30))
    bars = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"))
    dashed = alt.Chart(data([{}])).mark_rule(strokeDash=[5, 4], color=style.MODELS["MD1"])
    heading = alt.TitleParams(title, fontSize=12, fontWeight="normal")
    have_bars = any(row["low"] is not None and math.isfinite(float(row["low"])) for row in rows)
    layers = layered(dashed.encode(y=alt.YDatum(reference)), line, *([bars] if have_bars else []))
    return layers.properties(width=_PANEL, height=300, title=heading)


def _title(result: Robustness) -> str:
    last = result.outcome(max(result.counts), result.methods[-1])
    share, whole = (percent(round(outcome.significant / result.pairs, 2)) for outcome in (last, result.whole))
    return (
        f"{whole} of pairs differ significantly in {result.measure} on the whole corpus; with {last.shards} shards "
        f"{the(last.method)} finds {share}"
    )


def intervals(result: Robustness, model: str | None = None, best: int | None = None) -> Figure:
    """Tukey's intervals of a model, the last if none is named, by number of shards, on the first split of each."""
    models = result.methods if result.test == TUKEY.name else MODELS[-1:]
    chosen = models[-1] if model is None else known(model, models, "model")
    series = intervals_by_shards(
        result.corpus, result.splits, model=chosen, population=result.population, alpha=result.alpha
    )
    figure = interval_bands(series, result.measure, best)
    drawn = result.provenance.without("resamples", "models", "test", "family", "correction", "alpha", "population")
    return replace(
        figure.noting("Shards are those of the first split into each number; means are over shards."), provenance=drawn
    )


CHARTS: Mapping[str, Callable[..., Figure]] = {"stability": stability, "intervals": intervals}
