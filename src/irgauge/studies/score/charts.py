"""Charts of scores: the means of systems with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import altair as alt

from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.style import Row, data, layered, level_axis, tips, width_of
from irgauge.show.words import best_note, counted, listed, percent
from irgauge.studies.score.study import Scored


def means(result: Scored, measure: str | None = None, best: int | None = None) -> Figure:
    """The mean of each system with its interval, best first, by one measure or by each of them."""
    measures = [str(measure) for measure in result.measures] if measure is None else [measure]
    systems = len(result.scores.systems)
    shown = systems if best is None else min(best, systems)
    width = width_of(shown, step=24, least=380, most=920)
    charts = [_means(result, measure, shown, width) for measure in measures]
    first = [f"{result.of(measure)[0].system} by {measure}" for measure in measures]
    return Figure(
        alt.VConcatChart(vconcat=charts) if len(charts) > 1 else charts[0],
        f"Means of {counted(systems, 'system')}; the highest: {listed(first)}",
        (
            f"Points: means over topics; bars: {percent(1 - result.alpha)} intervals of each mean, for other topics.",
            *best_note(shown, systems),
        ),
        width=width + 120,
        provenance=result.provenance,
        alternative="Means of systems from best to worst, each with its interval.",
    )


def _means(result: Scored, measure: str, shown: int, width: int) -> alt.LayerChart:
    rows = list(_rows(result, measure, shown))
    systems = [str(row["system"]) for row in rows]
    base = alt.Chart(data(rows)).encode(
        x=alt.X(**level_axis(systems, f"{counted(shown, 'system')} by mean {measure}", fields=style.SYSTEM)),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "mean:Q", "se:Q", "low:Q", "high:Q"),
    )
    y = alt.Y("low:Q", title=f"mean {measure}", scale=alt.Scale(zero=False))
    bars = base.mark_rule(strokeWidth=min(6.0, max(1.5, 0.5 * width / shown)), color=style.INTERVALS["Tukey"])
    points = base.mark_point(filled=True, size=30, color=style.INK, opacity=1)
    return layered(bars.encode(y=y, y2=alt.Y2("high:Q")), points.encode(y=alt.Y("mean:Q"))).properties(
        width=width, height=280
    )


def _rows(result: Scored, measure: str, shown: int) -> Iterator[Row]:
    for rank, one in enumerate(result.of(measure)[:shown], 1):
        yield {"system": one.system, "rank": rank, "mean": one.mean, "se": one.se, "low": one.low, "high": one.high}


CHARTS: Mapping[str, Callable[..., Figure]] = {"means": means}
