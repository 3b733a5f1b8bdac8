"""Charts of a comparison: systems with their intervals, differences from a baseline, pairs, intervals by model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import NO_POPULATION, MeanInterval
from irgauge.inference.tests.registry import TESTS
from irgauge.models.anova import populations_of
from irgauge.scoring.direction import HIGHER, opposite
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure, below_each_other
from irgauge.show.ratios import axis_of, is_ratio, margin_told, plain_name
from irgauge.show.rows import in_rows
from irgauge.show.shared_charts import READABLE, interval_rows, interval_series
from irgauge.show.style import Row, data, layered, level_axis, only, scale, tips, width_of
from irgauge.show.verdicts import COVERS, FOR
from irgauge.show.words import best_note, capital, counted, differing, listed, percent
from irgauge.studies.compare.records import alike, pair_records, shown_intervals
from irgauge.studies.compare.slice_charts import slices
from irgauge.studies.compare.study import Compared, MeasureCompared
from irgauge.studies.compare.tables import directed, held_with_width, named
from irgauge.studies.compare.topic_charts import topics
from irgauge.studies.interval_series import intervals_by_model


def intervals(
    result: Compared, population: str | None = None, best: int | None = None, measure: str | None = None
) -> Figure:
    """Means of systems with their intervals; with a baseline, differences from it; by every measure, or by one."""
    figures = [intervals_of(compared, population, best) for compared in _chosen(result, measure)]
    baseline = result.comparison.baseline
    what = "Systems" if baseline is None else f"Systems against {baseline}"
    return below_each_other(figures, _title(what, result), result.provenance_for(population), names=result.measures)


def _chosen(result: Compared, measure: str | None) -> tuple[MeasureCompared, ...]:
    """The measure that is named, or all."""
    return result.each if measure is None else (result.of(measure),)


def _title(what: str, result: Compared) -> str:
    """Of panels, one a measure."""
    return f"{what} by {listed(list(result.measures))}"


def intervals_of(result: MeasureCompared, population: str | None = None, best: int | None = None) -> Figure:
    """The same by one measure, under one population."""
    comparison = result.under(population)
    return (
        system_intervals(result, comparison, best)
        if comparison.baseline is None
        else baseline_differences(result, comparison, best)
    )


def system_intervals(result: MeasureCompared, comparison: Comparison, best: int | None = None) -> Figure:
    """The mean of each system with its intervals, best first, and the top group (Ferro and Sanderson, Fig. 3)."""
    systems = comparison.systems[: best or len(comparison.systems)]
    n = len(systems)
    width = width_of(n, step=24, least=380, most=920)
    bar = min(12.0, max(1.5, 0.75 * width / n))
    shown = {interval.name: interval for interval in shown_intervals(result, comparison)}
    groups = _groups(comparison)
    x = alt.X(**level_axis(systems, f"{n} systems by their means, best first", fields=style.SYSTEM, angle=0))
    points = alt.Chart(data(_mean_rows(comparison, systems, groups))).encode(
        x=x,
        y=alt.Y("mean:Q", title=f"mean {directed(result, comparison)}", scale=alt.Scale(zero=False)),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "mean:Q", "group:N"),
    )
    chart = layered(
        *_interval_marks(systems, shown, groups, x, bar),
        *_reach(comparison, shown),
        _mean_points(points, groups, min(45.0, max(6.0, 3.2 * bar))),
    ).properties(width=width, height=380)
    return Figure(
        in_rows(chart, n),
        _group_title(comparison, named(result, comparison)),
        (*_interval_caption(result, comparison, shown), *best_note(n, len(comparison.systems))),
        width=width + 120,
        provenance=result.provenance_of(comparison),
        alternative="Means of systems from best to worst, with intervals; the top group is marked.",
    )


def _interval_marks(
    systems: Sequence[str], shown: Mapping[str, MeanInterval], groups: Mapping[str, str], x: alt.X, bar: float
) -> Iterator[alt.Chart]:
    """Bars: Tukey's, or else those of the mean, the widest; ANOVA's inside; SEM's as ticks."""
    colours = {name: colour for name, colour in style.INTERVALS.items() if name in shown}
    legend = alt.Legend(title="interval", symbolType="stroke", symbolStrokeWidth=10)  # the marks are lines
    base = alt.Chart(data(_interval_rows(systems, shown.values(), groups))).encode(
        x=x,
        y=alt.Y("low:Q"),
        color=alt.Color("interval:N", scale=scale(colours), legend=legend),
        opacity=style.fading("system"),
        tooltip=tips("system:N", "interval:N", "mean:Q", "low:Q", "high:Q", "group:N"),
    )
    widths = {"Tukey": bar, "mean": bar if "Tukey" not in shown else 1.0, "ANOVA": max(1.0, bar / 3)}
    for name, width in widths.items():
        if name in shown:
            yield only(base, "interval", name).mark_rule(strokeWidth=width).encode(y2=alt.Y2("high:Q"))
    if "SEM" in shown:
        yield from _ticks(only(base, "interval", "SEM"), bar)


def _mean_rows(comparison: Comparison, systems: Sequence[str], groups: Mapping[str, str]) -> Iterator[Row]:
    for rank, (system, mean) in enumerate(zip(systems, comparison.means, strict=False), 1):
        yield {"system": system, "rank": rank, "mean": mean, "group": groups[system]}


def _ticks(sem: alt.Chart, bar: float) -> tuple[alt.Chart, alt.Chart]:
    ticks = sem.mark_tick(thickness=1.2, width=bar).encode(opacity=style.fading("system", opacity=0.7))
    return ticks, ticks.encode(y=alt.Y("high:Q"))


def _interval_caption(
    result: MeasureCompared, comparison: Comparison, shown: Mapping[str, MeanInterval]
) -> Iterator[str]:
    yield COVERS[result.scored.drawn(comparison.population)]
    if "mean" in shown:
        level = percent(1 - comparison.alpha)
        yield f"{level} intervals of each mean, {FOR[result.scored.drawn('topics')]}; two may overlap and yet differ."
    papers = [name for name in ("Tukey", "SEM", "ANOVA") if name in shown]
    if papers:
        yield f"{percent(1 - comparison.alpha)} intervals for comparing systems: {listed(papers)}."
    if "SEM" in shown and shown["SEM"].population is None:
        yield f"SEM {NO_POPULATION}."
    if TESTS[comparison.test].needs == "fit":
        yield (
            f"Dashed: {opposite(comparison.direction)} end of the Tukey interval of the best; systems whose bar "
            "reaches it do not differ significantly from the best."
        )


def _mean_points(base: alt.Chart, groups: Mapping[str, str], size: float) -> alt.Chart:
    names = sorted(set(groups.values()), reverse=True)
    colours = [style.ACCENT, "#ffffff"] if len(names) > 1 else [style.ACCENT]
    fill = alt.Fill("group:N", title="mean", scale=alt.Scale(domain=names, range=colours))
    points = base.mark_point(size=size, filled=True, stroke=style.INK, strokeWidth=0.6)
    return points.encode(fill=fill)


def _reach(comparison: Comparison, shown: Mapping[str, MeanInterval]) -> list[alt.Chart]:
    """A line at the worse end of the Tukey interval of the best system."""
    if "Tukey" not in shown:
        return []
    rule = alt.Chart(data([{}])).mark_rule(strokeDash=[5, 4], strokeWidth=1, color=style.ACCENT)
    end = "low" if comparison.direction == HIGHER else "high"
    return [rule.encode(y=alt.YDatum(float(getattr(shown["Tukey"].of(comparison.systems[:1]), end)[0])))]


def _interval_rows(systems: Sequence[str], shown: Iterable[MeanInterval], groups: Mapping[str, str]) -> Iterator[Row]:
    for interval in shown:
        for row in interval_rows(interval.of(systems)):
            yield row | {"interval": interval.name, "group": groups[str(row["system"])]}


def _groups(comparison: Comparison) -> dict[str, str]:
    """The group of each system; its name says how many belong to it."""
    top, n = alike(comparison), len(comparison.systems)
    beyond = "below" if comparison.direction == HIGHER else "above"
    names = f"top group ({len(top)})", f"significantly {beyond} the best ({n - len(top)})"
    return {system: names[system not in top] for system in comparison.systems}


def _group_title(comparison: Comparison, measure: str) -> str:
    top, n = len(alike(comparison)), len(comparison.systems)
    if top == 1:
        return f"The best of {n} systems in {measure}, {comparison.systems[0]}, differs significantly from all others"
    others, verb = counted(top - 1, "other system"), "does" if top == 2 else "do"
    return f"{others} of {n} {verb} not differ significantly from the best in {measure}, {comparison.systems[0]}"


# intervals by model


def models(result: Compared, best: int | None = None, measure: str | None = None) -> Figure:
    """Intervals by model, on the shards asked for; by every measure, or by one; of many systems, of the best."""
    figures = [models_of(compared, best or READABLE) for compared in _chosen(result, measure)]
    return below_each_other(figures, _title("Intervals", result), result.provenance, names=result.measures)


def models_of(result: MeasureCompared, best: int | None = None) -> Figure:
    """The same by one measure."""
    asked = result.comparison.population
    possible = populations_of(result.measured.shards, is_random=result.measured.is_random)
    population = asked if asked != "topics" or len(possible) == 1 else possible[1]  # of topics all models say the same
    whole = None if result.whole is result.measured else result.whole
    series = intervals_by_model(whole, result.measured, population=population, alpha=result.alpha)
    figure = interval_series(series, result.measure, best)
    note = f"Means by MD1 are on the whole corpus, the others over {result.measured.shards} shards."
    return replace(figure.noting(note), provenance=result.measured.provenance)


# pairs


def pairs(
    result: Compared, population: str | None = None, best: int | None = None, measure: str | None = None
) -> Figure:
    """Every pair tested, coloured by its p; systems best first on both axes; by every measure, or by one."""
    figures = [pairs_of(compared, population, best) for compared in _chosen(result, measure)]
    return below_each_other(figures, _title("Pairs", result), result.provenance_for(population), names=result.measures)


def pairs_of(result: MeasureCompared, population: str | None = None, best: int | None = None) -> Figure:
    """The same by one measure, under one population."""
    whole = result.under(population)
    if whole.baseline is not None:
        raise DesignError("pairs with a baseline are one row, not a matrix; draw the chart 'intervals'")
    drawn, shown = result.scored.drawn(whole.population), whole if best is None else whole.best(best)
    figure = pair_heatmap(shown, drawn, plain_name(result.measure))
    note = best_note(len(whole.systems) if best is None else best, len(whole.systems))
    return replace(figure.noting(*note), provenance=result.provenance_of(whole))


def pair_heatmap(comparison: Comparison, drawn: str | None = None, measure: str = "") -> Figure:
    """A cell for each pair; it stands out the more, the smaller its p."""
    n = len(comparison.systems)
    side = n * max(1, min(48, 660 // n))  # whole pixels for a cell, so that no seams show
    classes = _p_classes(comparison.alpha)
    legend = alt.Legend(title="p, adjusted") if n < 15 else _inside(side)
    by = "" if n <= style.NAMED else ", by rank"
    chart = alt.Chart(data(_pair_rows(comparison, list(classes)))).mark_rect()
    chart = chart.encode(
        x=alt.X(**level_axis(comparison.systems, f"the better mean{by}", fields=("better", "better_rank"))),
        y=alt.Y(**level_axis(comparison.systems, f"the worse mean{by}", fields=("worse", "worse_rank"), angle=0)),
        color=alt.Color("class:N", scale=scale(classes), legend=legend),
        opacity=style.fading("better", "worse"),
        tooltip=tips(
            "better:N", "worse:N", "difference:Q", "low:Q", "high:Q", "p_adjusted:Q", "class:N", **style.ADJUSTED
        ),
    ).properties(width=side, height=side)
    seen = "A triangle of cells, one a pair, systems best first on both axes; those that stand out have a smaller p."
    covers = COVERS[drawn or comparison.population]
    return Figure(chart, _pairs_title(comparison, measure), (covers,), width=max(side, 340) + 120, alternative=seen)


def _inside(side: int) -> alt.Legend:
    """A legend in the empty half of the chart."""
    return alt.Legend(title="p, adjusted", orient="none", legendX=round(0.6 * side), legendY=round(0.04 * side))


def _bounds(alpha: float) -> list[float]:
    return [*(bound for bound in (0.001, 0.01) if bound < alpha), alpha]


def _p_classes(alpha: float) -> dict[str, str]:
    """The colour of each class of p: from the smallest to α, and above."""
    names = [f"p ≤ {bound:g}" for bound in _bounds(alpha)]
    below = dict(zip(names, style.P_CLASSES[-len(names) :], strict=True))
    return below | {f"p > {alpha:g}: not significant": style.NOT_DIFFERENT}


def _class(significant: NDArray[np.bool_], p: NDArray[np.float64], alpha: float) -> NDArray[np.intp]:
    """The class of each pair, among those of `_p_classes`."""
    bounds = _bounds(alpha)
    return np.where(significant, np.searchsorted(bounds, p), len(bounds))


def _pair_rows(comparison: Comparison, classes: Sequence[str]) -> Iterator[Row]:
    rank = {system: i for i, system in enumerate(comparison.systems, 1)}
    index = _class(comparison.significant, comparison.p_adjusted, comparison.alpha)
    for i, pair in enumerate(comparison.frame().iter_rows(named=True)):
        names: Row = {"better": pair["system"], "worse": pair["against"]}
        ranks: Row = {"better_rank": rank[pair["system"]], "worse_rank": rank[pair["against"]]}
        values: Row = {name: pair[name] for name in ("difference", "low", "high", "p_adjusted")}
        yield names | ranks | values | {"class": classes[index[i]]}


def _pairs_title(comparison: Comparison, measure: str) -> str:
    where = f" in {measure}" if measure else ""
    count, tested = comparison.significant_count, len(comparison.significant)
    rest = f", {tested - count:,} do not" if tested > 1 else ""
    return capital(f"{differing(count, tested, 'pair', ' of systems')}{where}{rest}")


_WIDE = 560  # pixels


def baseline_differences(result: MeasureCompared, comparison: Comparison, best: int | None = None) -> Figure:
    """A row for each system, best first: its difference from the baseline, its interval, coloured by its verdict."""
    records = pair_records(result, comparison.population)
    rows = [record | {"rank": rank} for rank, record in enumerate(records, 1)][:best]
    step = max(6.0, min(26.0, 900 / len(rows)))
    margin = result.verdicts[comparison.population].margin
    chart = layered(*_margin_marks(margin), *_marks(result, comparison, rows, step))
    return Figure(
        chart.properties(width=_WIDE, height=round(step * len(rows)) + 12),
        _baseline_title(result, comparison),
        (
            COVERS[result.scored.drawn(comparison.population)],
            f"Bars: {percent(comparison.confidence)} intervals for {held_with_width(comparison)}.",
            *_margin_said(result, comparison),
            *best_note(len(rows), len(records)),
        ),
        width=_WIDE + 260,
        provenance=result.provenance_of(comparison),
        alternative="Differences of systems from the baseline, each with its interval, coloured by its verdict.",
    )


def _marks(
    result: MeasureCompared, comparison: Comparison, rows: list[dict[str, Any]], step: float
) -> Iterator[alt.Chart]:
    seen = {row["verdict"] for row in rows}
    colours = {verdict: colour for verdict, colour in verdicts.COLOURS.items() if verdict in seen}
    systems = [str(row["system"]) for row in rows]
    title = f"{counted(len(rows), 'system')}, best first"
    base = alt.Chart(data(rows)).encode(
        y=alt.Y(**level_axis(systems, title if len(rows) > style.NAMED else "", fields=style.SYSTEM, angle=0)),
        color=alt.Color("verdict:N", title=f"against {comparison.baseline}", scale=scale(colours)),
        opacity=style.fading("system"),
        tooltip=tips(
            *(
                "system:N",
                "difference:Q",
                "low:Q",
                "high:Q",
                "p_adjusted:Q",
                "wins:Q",
                "ties:Q",
                "losses:Q",
                "verdict:N",
            ),
            **style.ADJUSTED,
        ),
    )
    x = alt.X(
        "low:Q",
        title=_axis_title(result, comparison),
        axis=axis_of(result.measure),
    )
    thick = max(1.5, step / 5)
    has_inner = "margin_low" in rows[0]
    yield base.mark_rule(strokeWidth=thick / 2 if has_inner else thick).encode(x=x, x2=alt.X2("high:Q"))
    if has_inner:
        yield base.mark_rule(strokeWidth=thick).encode(x=alt.X("margin_low:Q"), x2=alt.X2("margin_high:Q"))
    yield alt.Chart(data([{}])).mark_rule(color=style.INK).encode(x=alt.XDatum(0))
    yield base.mark_point(filled=True, size=max(14.0, 4 * step)).encode(x=alt.X("difference:Q"))


def _axis_title(result: MeasureCompared, comparison: Comparison) -> str:
    is_log, by = is_ratio(result.measure), directed(result, comparison)
    return f"{'ratio' if is_log else 'difference'} in {by}, system {'/' if is_log else '−'} {comparison.baseline}"


def _margin_marks(margin: float | None) -> Iterator[alt.Chart]:
    """A band of differences that do not matter."""
    if margin is None:
        return
    base = alt.Chart(data([{"from": -margin, "to": margin}]))
    yield base.mark_rect(color=verdicts.BAND, opacity=1).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
    for end in ("from", "to"):
        yield base.mark_rule(color=verdicts.EDGE, strokeWidth=1.2, strokeDash=[5, 4]).encode(x=alt.X(f"{end}:Q"))


def _margin_said(result: MeasureCompared, comparison: Comparison) -> Iterator[str]:
    verdicts = result.verdicts[comparison.population]
    if verdicts.margin is None or verdicts.confidence is None:
        return
    inner = f"; thick bars: the {percent(verdicts.confidence)} intervals that claims about it rest on"
    is_other = verdicts.confidence != comparison.confidence
    is_log = is_ratio(result.measure)
    size = margin_told(verdicts.margin, is_ratio=True) if is_log else f"± {verdicts.margin:.3g}"
    yield f"Dashed lines: the margin, {size}{inner if is_other else ''}."


def _baseline_title(result: MeasureCompared, comparison: Comparison) -> str:
    """How many systems have each verdict."""
    tally: Counter[str] = Counter(result.verdicts[comparison.population].verdicts)
    counts = [f"{tally[verdict]} {verdict}" for verdict in verdicts.COLOURS if tally[verdict]]
    against = f"against {comparison.baseline} in {named(result, comparison)}"
    if len(comparison.first) == 1:
        return f"{comparison.names[0][0]} {against}: {next(iter(tally))}"
    return f"Of {counted(len(comparison.first), 'system')} {against}: {listed(counts)}"


CHARTS: Mapping[str, Callable[..., Figure]] = {
    "intervals": intervals,
    "topics": topics,
    "pairs": pairs,
    "models": models,
    "slices": slices,
}
