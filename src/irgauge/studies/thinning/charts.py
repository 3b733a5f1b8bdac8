"""Charts of thinned judgments: the order of systems and discriminative power, by what is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

import altair as alt
from altair import Undefined
from altair.utils.schemapi import UndefinedType

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import data, layered, tips
from irgauge.show.words import counted
from irgauge.studies.thinning.findings import kept
from irgauge.studies.thinning.study import Thinning

_WIDTH, _HEIGHT = 460, 300


def order(result: Thinning) -> Figure:
    """τ with the order by all judgments, with its range over repeats."""
    base = _base(result, "tau", "Kendall's τ with all judgments", most=1)
    ranges = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("tau_low:Q"), y2=alt.Y2("tau_high:Q"))
    return _figure(
        result,
        layered(ranges, _line(base)),
        _title(result, f"the order of {counted(result.systems, 'system')} agrees with that by all with τ =", "tau"),
        "Lines: means over repeats; bars: from the least to the largest.",
    )


def power(result: Thinning) -> Figure:
    """The share of pairs with a small p."""
    base = _base(result, "power", f"share of pairs with p ≤ {result.alpha:g}")
    title = _title(result, f"the share of pairs with p ≤ {result.alpha:g} is", "power")
    return _figure(result, layered(_line(base)), title, "By the randomised Tukey test; means over repeats.")


def _title(result: Thinning, what: str, field: str) -> str:
    """What is left with the fewest judgments, by the measure that keeps most, and the one that keeps least."""
    fewest = result.pools[-1]
    values = {measure: getattr(result.parts[measure, fewest], field) for measure in result.measures}
    known = sorted((value, measure) for measure, value in values.items() if value is not None)
    if not known:
        return f"With {kept(fewest)}, all systems have the same mean"
    each = [f"{value:.2f} by {measure}" for value, measure in (known if len(known) == 1 else (known[-1], known[0]))]
    return f"With {kept(fewest)}, {what} {' to '.join(each)}"


def _base(result: Thinning, field: str, title: str, *, most: float | UndefinedType = Undefined) -> alt.Chart:
    colours = style.distinct_colours(result.measures)
    return alt.Chart(data(asdict(row) for row in result.rows)).encode(
        x=alt.X("pool:O", title="judgments kept", sort=list(result.pools), axis=alt.Axis(labelAngle=0)),
        y=alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=False, nice=True, domainMax=most)),
        color=alt.Color("measure:N", title=None, scale=style.scale(colours)),
        tooltip=tips("measure:N", "pool:N", "judged:Q", "tau:Q", "tau_low:Q", "tau_high:Q", "power:Q"),
    )


def _line(base: alt.Chart) -> alt.Chart:
    return base.mark_line(strokeWidth=1.6, point=alt.OverlayMarkDef(size=30))


def _figure(result: Thinning, chart: alt.LayerChart, title: str, note: str) -> Figure:
    return Figure(
        chart.properties(width=_WIDTH, height=_HEIGHT),
        title,
        (note,),
        width=_WIDTH + 160,
        provenance=result.provenance,
        alternative="A line for each measure over fewer and fewer judgments.",
    )


CHARTS: Mapping[str, Callable[..., Figure]] = {"order": order, "power": power}
