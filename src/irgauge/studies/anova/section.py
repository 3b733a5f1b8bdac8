"""The part of a report that says what makes scores vary, and its charts: means of levels, and interactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial

import altair as alt
import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.models.anova import FACTORS, TERMS, Fit
from irgauge.models.checks import normal_quantiles
from irgauge.show import style
from irgauge.show.abridged import spaced, spaced_note
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, remark, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.rows import in_rows
from irgauge.show.shared_charts import quantile_plot
from irgauge.show.style import Row, data, layered, level_axis, only, scale, tips, width_of
from irgauge.show.table import Table
from irgauge.show.words import SIZES, omega2_text, over_shards, p_text
from irgauge.studies.anova.findings import anova_table, check_table, described, population_table
from irgauge.studies.anova.study import Analysed, anova
from irgauge.studies.report_part import BEST, FEW, Ran, Reporting, ReportPart, Shown

_MANY = 30  # lines, which hide each other
_PANEL, _NAMED = 290, 20  # pixels, the width of one of several panels; so many levels have their names in it


def main(result: Analysed) -> Figure:
    """Marginal means of topics, systems and shards, side by side (Ferro, Kim and Sanderson, Fig. 2)."""
    fit, measure = result.fit, _measure(result)
    factors = [factor for factor in FACTORS if factor in fit.model.terms]
    ends = np.concatenate([_means(fit, factor) for factor in factors])
    domain = alt.Scale(domain=[float(ends.min()), float(ends.max())], nice=True)
    panels = (_panel(fit, factor, result.labels[factor], measure, domain) for factor in factors)
    sizes = sorted(map(result.row, factors), key=lambda row: -row.omega2)
    shares = (f"{row.source} {row.size} (ω² = {omega2_text(row.omega2)}, {p_text(row.p)})" for row in sizes)
    return Figure(
        alt.hconcat(*panels, spacing=24),
        f"{sizes[0].source.capitalize()} is the largest main effect on {measure}",
        ("Points: means of levels.", *_means_said(result), f"Effects: {', '.join(shares)}.", *_spaced(result)),
        width=(_PANEL + 40) * len(factors),
        provenance=result.provenance,
        alternative="Means of the levels of each factor, from best to worst.",
    )


def _measure(result: Analysed) -> str:
    return result.measure if result.shape.shards == 1 else f"{result.measure} in shards"


def _means_said(result: Analysed) -> Iterator[str]:
    """The mean over shards, and beside it that on the whole corpus."""
    if result.whole_mean is not None:
        over = over_shards(result.measure, result.shape.shards)
        yield f"The mean of {over} is {result.fit.mean:.3f}; on the whole corpus it is {result.whole_mean:.3f}."


def _spaced(result: Analysed) -> tuple[str, ...]:
    return spaced_note(len(result.labels["topic"]))


def _panel(fit: Fit, factor: str, levels: Sequence[str], measure: str, domain: alt.Scale) -> alt.LayerChart:
    means, colour = _means(fit, factor), style.FACTORS[factor]
    order = spaced(np.argsort(-means, kind="stable").tolist())
    name, place = style.SYSTEM if factor == "system" else ("name", "rank")
    rows: list[Row] = [{name: levels[i], place: rank, "mean": means[i]} for rank, i in enumerate(order, 1)]
    head, are_rows = f"{len(levels)} {factor}s, best first", factor == "system" and len(levels) <= _NAMED
    x = level_axis([levels[i] for i in order], head, fields=(name, place), named=_NAMED, angle=0 if are_rows else -90)
    y = alt.Y("mean:Q", title=f"mean {measure}", scale=domain, axis=alt.Axis(grid=True))
    base = alt.Chart(data(rows)).encode(x=alt.X(**x), y=y, tooltip=tips(f"{name}:N", "rank:Q", "mean:Q"))
    line = base.mark_line(color=colour, strokeWidth=1.2)
    points = base.mark_point(color=colour, filled=True, size=22, opacity=1)
    if factor == "system":
        line, points = line.encode(opacity=style.receding()), points.encode(opacity=style.fading("system"))
    mean = alt.Chart(data([{}])).mark_rule(strokeDash=[4, 3], color=style.MUTED).encode(y=alt.YDatum(fit.mean))
    title = alt.TitleParams(f"{factor} (dashed: mean of all)", fontSize=style.SMALLEST, fontWeight="normal")
    chart = layered(mean, line, points)
    return (in_rows(chart, len(levels)) if are_rows else chart).properties(width=_PANEL, height=300, title=title)


def interaction(result: Analysed, term: str, *, highlight: str | None = None, best: int | None = None) -> Figure:
    """A line of marginal means for each level of one factor over the levels of another (same paper, Fig. 3).

    Lines are systems, or topics in topic:shard; `highlight` names one, by default the best, and `best` is how many of
    the best are drawn beside it.
    """
    fit, labels, row = result.fit, result.labels, result.row(term)
    line, across = line_and_axis(term)
    order = spaced(np.argsort(-_means(fit, across), kind="stable").tolist())
    width = _interaction_width(len(order))
    levels = [labels[across][i] for i in order]
    chosen = _highlighted(fit, line, labels[line], highlight)
    kinds = {
        chosen: style.FACTORS[line],
        f"mean of all {line}s": style.INK,
        f"other {line}s ({len(labels[line]) - 1})": style.PALE,
    }
    shown = _best_levels(fit, line, labels[line], best)
    rows = _interaction_rows(result, term, order, [chosen, *list(kinds)[1:]], {*shown, chosen})
    base = alt.Chart(data(rows)).encode(
        x=alt.X(**level_axis(levels, f"{len(labels[across])} {across}s, best first")),
        y=alt.Y("mean:Q", title=f"mean {_measure(result)}", scale=alt.Scale(zero=False)),
        color=alt.Color("kind:N", title=None, scale=scale(kinds)),
        detail=alt.Detail("line:N"),
        tooltip=tips("line:N", "name:N", "mean:Q"),
    )
    is_many = len(shown) > _MANY
    note = f"Shown: the lines of the best {len(shown)} of {len(labels[line])} {line}s."
    return Figure(
        _lines(base, line, list(kinds), is_many=is_many).properties(width=width, height=360),
        f"How {line}s compare changes from {across} to {across}: a {row.size} effect",
        (
            f"{_drawn_as(line, is_many=is_many)} Parallel lines would be no interaction.",
            f"{term}: ω² = {omega2_text(row.omega2)}, {p_text(row.p)}.",
            *((note,) if len(shown) < len(labels[line]) else ()),
            *(_spaced(result) if across == "topic" else ()),
        ),
        width=width + 110,
        provenance=result.provenance,
        alternative=f"A line for each {line} over {across}s.",
    )


def _drawn_as(line: str, *, is_many: bool) -> str:
    if not is_many:
        return f"Lines: means of {line}s."
    return f"Lines: means; bands: from the least to the largest of the other {line}s, and the middle half of them."


def _interaction_width(levels: int) -> int:
    return width_of(levels, step=60 if levels < 10 else 24, least=420, most=860)


def _lines(base: alt.Chart, line: str, kinds: Sequence[str], *, is_many: bool) -> alt.LayerChart:
    """The line that is pointed out over the mean of all, over the others; of many, which hide each other, bands."""
    bold, mean, others = (only(base, "kind", kind) for kind in kinds)
    bold = bold.mark_line(strokeWidth=2.2, strokeJoin="round", point=alt.OverlayMarkDef(size=24))
    thin = others.mark_line(strokeWidth=0.8)
    if line == "system":
        bold, thin = (each.transform_calculate(system="datum.line") for each in (bold, thin))
        bold, thin = bold.encode(opacity=style.fading("line")), _standing_out(thin, are_seen=not is_many)
    below = [*_bands(others), *([thin] if line == "system" else [])] if is_many else [thin]
    return layered(*below, mean.mark_line(strokeWidth=1.6, strokeDash=[5, 3]), bold)


def _bands(others: alt.Chart) -> Iterator[alt.Chart]:
    """From the least to the largest of the others, and inside the half of them in the middle."""
    ends = others.transform_aggregate(
        least="min(mean)", low="q1(mean)", high="q3(mean)", most="max(mean)", groupby=["name", "rank", "kind"]
    )
    for low, high, opacity in (("least", "most", 0.3), ("low", "high", 0.6)):
        yield ends.mark_area(opacity=opacity, color=style.PALE).encode(
            y=alt.Y(f"{low}:Q"),
            y2=alt.Y2(f"{high}:Q"),
            color=alt.ColorValue(style.PALE),
            detail=alt.Detail("kind:N"),
            tooltip=tips("name:N", f"{low}:Q", f"{high}:Q"),
        )


def _standing_out(lines: alt.Chart, *, are_seen: bool) -> alt.Chart:
    """Thin lines of systems; those of marked systems are dark and wider, and of many the only ones that are seen."""
    colour = lines.encoding.color
    return lines.encode(
        color=alt.condition(style.is_marked("line"), alt.value(style.MUTED), colour),
        opacity=style.fading("line") if are_seen else style.only_marked("line"),
        size=style.growing("line", 0.8, 1.8),
    )


def _means(fit: Fit, term: str) -> Floats:
    """Marginal means; where all scores are 0, the sum of effects may be −1e-17, and the axis would go below 0."""
    return np.round(fit.means(term), 12) + 0.0


def line_and_axis(term: str) -> tuple[str, str]:
    """The factor of an interaction whose levels are lines, and the one on the axis."""
    first, second = term.split(":")
    return (second, first) if second == "system" else (first, second)


def _highlighted(fit: Fit, line: str, levels: Sequence[str], highlight: str | None) -> str:
    if highlight is None:
        return levels[int(np.argmax(_means(fit, line)))]
    if highlight not in levels:
        raise DesignError(f"there is no {line} '{highlight}' to highlight; they are {', '.join(levels[:5])}, ...")
    return highlight


def _best_levels(fit: Fit, line: str, levels: Sequence[str], best: int | None) -> list[str]:
    order = np.argsort(-_means(fit, line), kind="stable")
    return [levels[i] for i in order[: best or len(levels)]]


def _interaction_rows(
    result: Analysed, term: str, order: Sequence[int], kinds: Sequence[str], shown: Set[str]
) -> Iterator[Row]:
    line, across = line_and_axis(term)
    fit, labels, (chosen, every, others) = result.fit, result.labels, kinds
    means = _means(fit, term) if term.startswith(line) else _means(fit, term).T  # line, across
    of_all, lines = _means(fit, across), [(i, level) for i, level in enumerate(labels[line]) if level in shown]
    for rank, i in enumerate(order, 1):
        place: Row = {"name": labels[across][i], "rank": rank}
        yield place | {"line": every, "kind": every, "mean": of_all[i]}
        for number, level in lines:
            yield place | {"line": level, "kind": chosen if level == chosen else others, "mean": means[number, i]}


def residuals(result: Analysed) -> Figure:
    """Quantiles of residuals against those of normal ones, of which the F tests assume that they are (QQ plot)."""
    return quantile_plot({_measure(result): normal_quantiles(result.fit.residuals())}, result.model, result.provenance)


CHARTS: Mapping[str, Callable[..., Figure]] = {
    "main": main,
    **{term: partial(interaction, term=term) for term in TERMS if ":" in term},
    "residuals": residuals,
}


_POINTS = 3000  # of lines in a chart of an interaction


def run(reporting: Reporting) -> Ran:
    """An analysis of each measure."""
    return reporting.each_measure(
        lambda measure: anova(reporting.data, measure, shards=reporting.shards, **reporting.replicated),
        "analyses of variance",
    )


def headline(result: Analysed) -> Iterator[Finding]:
    """What stands at the top of the page."""
    yield described(result)


def shown(ran: Ran, reporting: Reporting) -> Shown:
    """Sentences, charts and tables."""
    sentences = [finding for result in ran.results for finding in headline(result)]
    if reporting.unsharded is not None:
        why = f"Without {reporting.replicates} there are no interactions: {reporting.unsharded}."
        sentences.append(remark(text=why))
    return (*sentences, *remarks(ran.reasons())), _panels(ran.results)


def _panels(results: tuple[Analysed, ...]) -> Iterator[Panel]:
    yield from panel(
        "main-effects",
        "Means of topics, systems and shards",
        "A steep line is a large effect.",
        (Variant(of_measure(result.measure), main(result)) for result in results),
    )
    yield from panel(
        "interactions",
        "Interactions",
        "Lines that are not parallel are an interaction.",
        (
            Variant(choices, interaction(result, term, best=_most_lines(result, term)))
            for result, term, choices in _each(results)
        ),
    )
    made: dict[tuple[str, str, str], Callable[[Analysed], Table]] = {
        ("anova", "Analysis of variance", "Sums of squares, F, p and ω² of each term."): anova_table,
        ("error-terms", "Tests of systems", "Whether systems differ, for each population."): population_table,
        ("checks", "Assumptions", "Tests of what F tests assume."): check_table,
    }
    for texts, make in made.items():
        yield from panel(*texts, (_table(result, make(result)) for result in results))


def _table(result: Analysed, table: Table) -> Variant:
    return Variant(of_measure(result.measure), table=table, provenance=result.provenance)


def _each(results: tuple[Analysed, ...]) -> Iterator[tuple[Analysed, str, Choices]]:
    """Every measure with every interaction of its model."""
    for result in results:
        for term in TERMS:
            if ":" in term and term in result.fit.model.terms:
                yield result, term, (*of_measure(result.measure), ("interaction", term))


def _most_lines(result: Analysed, term: str) -> int:
    """How many lines a chart of an interaction shows: fewer where they have many points."""
    line, across = line_and_axis(term)
    lines, points = len(result.labels[line]), len(result.labels[across])
    return min(lines if lines <= FEW else BEST, max(5, _POINTS // points))


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        model = "MD6 (all factors and their interactions)" if reporting.has_replicates else "MD1 (topic + system)"
        yield "Analysis of variance", _method(model)


def _method(model: str) -> str:
    return (
        f"{model} was fitted to the scores of each measure, balanced, in closed form. Every term was tested by F with "
        "topics as a sample: against its interaction with topics, or, where it has none, against the residual. Whether "
        "systems differ for other topics was asked of the scores on the whole corpus, with topic:system as the error; "
        "for other documents the error is the residual, for other shards like these system:shard, for both their sum "
        "with Satterthwaite's degrees of freedom. Where differences of systems do not vary alike, degrees of freedom "
        "are multiplied by ε (Huynh and Feldt 1976, Lecoutre 1991). The size of a term is "
        f"ω² = df(F − 1)/(df(F − 1) + N) of N scores, with F against the residual: {SIZES} (Ferro, Kim and Sanderson "
        "2019). Values below 0 are to be read as 0. The residuals were tested for normality (Jarque-Bera) and for "
        "equal variance at all levels of each factor (Levene, deviations from group means, as in papers)."
    )


PART = ReportPart(
    key="anova",
    title="What makes scores vary?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    references=("ferro-kim-sanderson-2019",),
)
