"""The picture of a report: systems in their order, coloured by what is said of each.

Of a few systems it shows the differences that are tested, from the baseline or the best; of many their means.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import altair as alt

from irgauge.inference.comparison import Comparison
from irgauge.provenance import Provenance
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure
from irgauge.show.page import Panel, Ranking, Reasons, Variant, of_measure, panel
from irgauge.show.style import Row, data, layered, level_axis, scale, tips
from irgauge.show.verdicts import FOR
from irgauge.show.words import best_note, counted, percent
from irgauge.studies.bootstrap.records import system_records
from irgauge.studies.compare.reasons import Against, reasons
from irgauge.studies.compare.records import alike
from irgauge.studies.compare.tables import held_with_width
from irgauge.studies.compare.topic_charts import topics
from irgauge.studies.instances.charts import margins
from irgauge.studies.report_part import FEW, ranked

if TYPE_CHECKING:
    from irgauge.reporting.report import Report
    from irgauge.studies.compare.study import Compared, MeasureCompared
    from irgauge.studies.means import SystemMean
    from irgauge.studies.score.study import Scored

KEY = "answer"
_TITLE, _PAIRED_TITLE = "Systems with their means", "Systems and their differences"
_TOP, _BELOW = "top group", "significantly worse"
_ROW, _LEAST = 14, 300  # pixels: of a row where there are many, of the whole where there are few
_BASELINE = "the baseline"
_FEW = 10  # systems, of which differences are shown


@dataclass(frozen=True)
class _Systems:
    """What is drawn: systems in the order of their means on the whole corpus, and what is said of each."""

    measure: str
    population: str | None
    means: Sequence[SystemMean]
    bounds: Mapping[str, tuple[float | None, float | None]]  # of a mean, for the population
    said: Mapping[str, str]  # a verdict, or the group
    numbers: Mapping[str, Row]  # what is shown under the pointer besides
    baseline: str | None
    against: str | None  # the baseline, or the best for the population
    is_of_shards: bool  # whether differences are over shards
    where: str  # the means are
    alpha: float
    provenance: Provenance
    drawn: str  # what claims are for, by a name of FOR
    held: str = ""  # what the intervals of differences are and hold for

    @property
    def is_paired(self) -> bool:
        """Whether differences are shown, not means."""
        return bool(self.numbers) and len(self.means) <= _FEW

    def row(self, rank: int, mean: SystemMean) -> Row:
        low, high = self.bounds.get(mean.system, (None, None))
        own: Row = {"system": mean.system, "rank": rank, "mean": mean.mean, "low": low, "high": high}
        same: Row = {"difference": 0.0} if self.is_paired and mean.system == self.against else {}
        return own | {"said": self.said.get(mean.system, "")} | same | self.numbers.get(mean.system, {})

    def first(self, best: int | None) -> list[Row]:
        """The best systems and the baseline, or all."""
        rows = [self.row(rank, mean) for rank, mean in enumerate(self.means, 1)]
        return [row for row in rows if best is None or int(str(row["rank"])) <= best or row["system"] == self.baseline]


def picture(report: Report) -> Panel | None:
    """What answers at a glance: of instances their differences, of two systems those on topics, else the means."""
    if report.reporting.labels and report.ran["instances"].results:
        made = panel(KEY, "Differences of algorithms", "Against the margin.", _of_instances(report))
    elif report.ran["pair"].results:
        made = panel(KEY, "Differences on topics, sorted", "A bar is a topic.", _of_pairs(report))
    else:
        each = list(_each(report))
        title = _PAIRED_TITLE if any(systems.is_paired for systems in each) else _TITLE
        made = panel(KEY, title, "A row is a system.", (form for systems in each for form in _forms(systems)))
    return next(made, None)


def _of_instances(report: Report) -> Iterator[Variant]:
    return (Variant(of_measure(result.measure), margins(result)) for result in report.ran["instances"].results)


def _of_pairs(report: Report) -> Iterator[Variant]:
    return (Variant(of_measure(result.first.measure), topics(result)) for result in report.ran["pair"].results)


def rankings(report: Report) -> tuple[Ranking, ...]:
    """All systems by each measure, where the picture shows the best only."""
    scored: Scored | None = next(iter(report.ran["score"].results), None)
    if scored is None or len(scored.scores.systems) <= FEW:
        return ()
    means = {str(measure): scored.of(str(measure)) for measure in scored.measures}
    return tuple(Ranking(name, tuple((mean.system, mean.mean) for mean in own)) for name, own in means.items())


def why(report: Report) -> tuple[Reasons, ...]:
    """Why each system stands where it does, where the picture is of systems."""
    if report.ran["pair"].results or (report.reporting.labels and report.ran["instances"].results):
        return ()
    return tuple(
        Reasons(measure, comparison.population, _of_what(compared, comparison), tuple(reasons(compared, comparison)))
        for measure, compared in _compared(report).items()
        for comparison in compared.comparisons
    )


def _of_what(compared: MeasureCompared, comparison: Comparison) -> str:
    covers = FOR[compared.scored.drawn(comparison.population)]
    over = " over shards" if compared.shards_of(comparison.population) > 1 else ""
    ends = f"{percent(comparison.confidence)} intervals for {held_with_width(comparison)}"
    return f"By {compared.measure}{over}, {covers}: {ends}"


def _forms(systems: _Systems) -> Iterator[Variant]:
    population = () if systems.population is None else (("population", systems.population),)
    for more, best in ranked(len(systems.means)):
        yield Variant((*of_measure(systems.measure), *population, *more), systems_in_order(systems, best))


def _each(report: Report) -> Iterator[_Systems]:
    """Every measure under every population that systems are compared for."""
    scored: Scored | None = next(iter(report.ran["score"].results), None)
    if scored is None:
        return
    by_measure = _compared(report)
    for measure in map(str, scored.measures):
        compared = by_measure.get(measure)
        if compared is None:
            yield _alone(scored, measure, _where(report))
            continue
        for comparison in compared.comparisons:
            yield _of_population(report, scored, compared, comparison)


def _compared(report: Report) -> dict[str, MeasureCompared]:
    """The comparisons with the baseline, if there is one, or those of all pairs, by measure."""
    results: Sequence[Compared] = report.ran["baseline"].results or report.ran["compare"].results
    return {result.first.measure: result.first for result in results}


def _where(report: Report) -> str:
    return " on the whole corpus" if report.reporting.data.has_runs else ""


def _alone(scored: Scored, measure: str, where: str) -> _Systems:
    means = scored.of(measure)
    return _Systems(
        measure=measure,
        population=None,
        means=means,
        bounds=_of_topics(means),
        said={},
        numbers={},
        baseline=None,
        against=None,
        is_of_shards=False,
        where=where,
        alpha=scored.alpha,
        provenance=scored.provenance,
        drawn=scored.drawn,
    )


def _of_population(report: Report, scored: Scored, compared: MeasureCompared, comparison: Comparison) -> _Systems:
    means = scored.of(compared.measure)
    is_of_topics = comparison.population == "topics"
    return _Systems(
        compared.measure,
        comparison.population,
        means,
        _of_topics(means) if is_of_topics else _of_images(report, compared.measure, comparison.population),
        _groups(comparison) if comparison.baseline is None else _verdicts(compared, comparison),
        _against(compared, comparison),
        comparison.baseline,
        comparison.baseline or comparison.systems[0],
        compared.shards_of(comparison.population) > 1,
        _where(report),
        comparison.alpha,
        compared.provenance_of(comparison),
        compared.scored.drawn(comparison.population),
        f"{percent(comparison.confidence)} intervals of differences, for {held_with_width(comparison)}",
    )


def _of_topics(means: Sequence[SystemMean]) -> dict[str, tuple[float | None, float | None]]:
    return {mean.system: (mean.low, mean.high) for mean in means if math.isfinite(mean.high - mean.low)}


def _of_images(report: Report, measure: str, population: str) -> dict[str, tuple[float | None, float | None]]:
    """Intervals of means for other documents, or for both, from images of the corpus, where there are some."""
    drawn = [result for result in report.ran["bootstrap"].results if result.draw == population]
    records: list[dict[str, Any]] = [dict(row) for result in drawn for row in system_records(result)]
    return {row["system"]: (row["low"], row["high"]) for row in records if row["measure"] == measure}


def _groups(comparison: Comparison) -> dict[str, str]:
    top = alike(comparison)
    return {system: _TOP if system in top else _BELOW for system in comparison.systems}


def _verdicts(compared: MeasureCompared, comparison: Comparison) -> dict[str, str]:
    verdicts = dict(
        zip((name for name, _ in comparison.names), compared.verdicts[comparison.population].verdicts, strict=True)
    )
    return {**verdicts, str(comparison.baseline): _BASELINE}


def _against(compared: MeasureCompared, comparison: Comparison) -> dict[str, Row]:
    """The difference from the best, or from the baseline, with its interval and its adjusted p."""
    return {
        each.system: {
            "difference": each.difference,
            "p_adjusted": each.p_adjusted,
            "least": _finite(each.low),
            "most": _finite(each.high),
        }
        for each in Against.best(compared, comparison)
    }


def _finite(end: float) -> float | None:
    return float(end) if math.isfinite(end) else None


def systems_in_order(systems: _Systems, best: int | None) -> Figure:
    """A row for each system: its mean and its interval."""
    rows = systems.first(best)
    names = [str(row["system"]) for row in rows]
    y = alt.Y(**level_axis(names, "", fields=style.SYSTEM, named=len(names), angle=0))
    base = alt.Chart(data(rows)).encode(
        y=y,
        color=alt.Color("said:N", **_colours(rows)),
        opacity=style.fading("system"),
        tooltip=_tips(systems),
    )
    drawn = _difference_marks(systems, rows, base) if systems.is_paired else _mean_marks(systems, rows, base)
    chart = layered(*drawn)
    return Figure(
        chart.properties(width=760, height=max(_LEAST, _ROW * len(rows))),
        _seen(systems),
        (*_caption(systems, rows), *best_note(best or len(rows), len(systems.means))),
        width=960,
        provenance=systems.provenance,
        alternative=f"Systems from best to worst, each with its {'difference' if systems.is_paired else 'mean'} and "
        "its interval, coloured by what is said of it.",
    )


def _mean_marks(systems: _Systems, rows: Sequence[Row], base: alt.Chart) -> Iterator[alt.Chart]:
    """Means on their axis, and a line at the baseline or the best."""
    yield from _baseline(systems, rows)
    if any(row["low"] is not None for row in rows):
        yield base.mark_rule(strokeWidth=3).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    x = alt.X(
        "mean:Q", title=f"mean {systems.measure}", scale=alt.Scale(zero=False), axis=alt.Axis(grid=True, tickCount=8)
    )
    yield base.mark_point(filled=True, size=60, opacity=1).encode(x=x)


def _difference_marks(systems: _Systems, rows: Sequence[Row], base: alt.Chart) -> Iterator[alt.Chart]:
    """Differences from the baseline or the best, with means as numbers, and a line at 0."""
    yield alt.Chart(data([{"at": 0.0}])).mark_rule(strokeDash=[5, 4], color=style.MUTED).encode(x=alt.X("at:Q"))
    if any(row.get("least") is not None for row in rows):
        yield base.mark_rule(strokeWidth=3).encode(x=alt.X("least:Q"), x2=alt.X2("most:Q"))
    over = ", over shards" if systems.is_of_shards else ""
    title = f"difference in {systems.measure} from {systems.against}{over}"
    x = alt.X("difference:Q", title=title, axis=alt.Axis(grid=True, tickCount=8))
    yield base.mark_point(filled=True, size=60, opacity=1).encode(x=x)
    yield base.mark_text(dy=-11).encode(x=x, text=alt.Text("mean:Q", format=".3f"))


def _colours(rows: Sequence[Row]) -> dict[str, Any]:
    known = {_TOP: style.ACCENT, _BELOW: style.MUTED, **verdicts.COLOURS, _BASELINE: style.INK}
    seen = {str(row["said"]) for row in rows}
    colours = {name: colour for name, colour in known.items() if name in seen}
    legend = alt.Legend(title=None, orient="top", columns=3) if colours else None
    return {"scale": scale(colours or {"": style.INK}), "legend": legend}


def _tips(systems: _Systems) -> list[alt.Tooltip]:
    names = ["system:N", "rank:Q", "mean:Q", "low:Q", "high:Q"]
    of = f"less {systems.against}{', over shards' if systems.is_of_shards else ''}"
    return tips(
        *names,
        *(["difference:Q", "least:Q", "most:Q", "p_adjusted:Q", "said:N"] if systems.said else []),
        difference=of,
        least="at least",
        most="at most",
        said="is",
        **style.ADJUSTED,
    )


def _baseline(systems: _Systems, rows: Sequence[Row]) -> Iterator[alt.Chart]:
    """A line at the mean of the baseline, or of the best."""
    for row in (row for row in rows if row["system"] == systems.against):
        rule = alt.Chart(data([{"at": row["mean"]}])).mark_rule(strokeDash=[5, 4], color=style.MUTED)
        yield rule.encode(x=alt.X("at:Q"))


def _seen(systems: _Systems) -> str:
    covers = "" if systems.population is None else f" {FOR[systems.drawn]}"
    if not systems.said:
        return f"Means of {counted(len(systems.means), 'system')} by {systems.measure}"
    against = f"against {systems.baseline}" if systems.baseline is not None else "against the best"
    return f"{counted(len(systems.means), 'system')} by {systems.measure}, {against}{covers}"


def _caption(systems: _Systems, rows: Sequence[Row]) -> Iterator[str]:
    """What points, bars and colours are."""
    if systems.is_paired:
        yield f"Points: differences of means over topics{systems.where} from {systems.against}. Numbers: the means."
        yield f"Bars: {systems.held}."
        return
    yield f"Points: means over topics{systems.where}."
    if any(row["low"] is not None for row in rows):
        of = "for other documents" if systems.population == "documents" else FOR[systems.drawn]
        yield f"Bars: {percent(1 - systems.alpha)} intervals of each mean {of}; two may overlap and yet differ."
    if systems.said:
        yield f"Dashed: the mean of {systems.against}."
