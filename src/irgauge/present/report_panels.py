"""The charts and tables of a report in their forms: by measure, by population, for the best systems or for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import altair as alt
from altair.typing import ChartType

from irgauge.present import charts, gallery, precision_charts, style
from irgauge.present.page import Panel, Variant
from irgauge.present.style import finished
from irgauge.present.tables import Table
from irgauge.studies.ranked_subsets import best_compared, best_pairs, best_series, reliability_part
from irgauge.studies.reliability import Reliability
from irgauge.studies.report import OfMeasure, Settings
from irgauge.studies.significance import Significance
from irgauge.studies.variance import Variance

BEST = 30  # systems that a chart shows of many
FEW = 40  # systems that it shows all of
_LINES = 3000  # points of lines in a chart of an interaction
Choices = tuple[tuple[str, str], ...]


def panel(key: str, title: str, caption: str, seen: str, variants: Iterable[Variant]) -> Panel:
    """A panel; what is seen is told with the title of its first chart, or table."""
    forms = tuple(variants)
    return Panel(key, title, caption, f"{seen} {_first_title(forms)}".strip(), forms)


def _first_title(forms: Sequence[Variant]) -> str:
    for form in forms:
        if form.chart is not None:
            return f"{heading(form.chart)}."
        if form.table is not None:
            return f"{form.table.title}."
    return ""


def heading(chart: Any) -> str:  # noqa: ANN401  # charts of any kind
    """The title of a chart, in one line."""
    return " ".join(_lines(chart.title.text)).replace("\u00a0", " ")


def subtitle(chart: Any) -> str:  # noqa: ANN401  # charts of any kind
    """The caption of a chart, in one line."""
    return " ".join(_lines(chart.title.subtitle)).replace("\u00a0", " ")


def _lines(text: Any) -> list[str]:  # noqa: ANN401  # altair has one line as text, several as a list
    return [text] if isinstance(text, str) else list(text)


def of_measure(measure: str) -> Choices:
    """The choice of a measure."""
    return (("measure", measure),)


def tables(panel_tables: Iterable[tuple[Choices, Table]]) -> Iterator[Variant]:
    """Tables as forms; those without rows are left out."""
    return (Variant(choices, table=table) for choices, table in panel_tables if table.rows)


def table_panel(key: str, title: str, caption: str, table: Table) -> Panel:
    """A table that has one form."""
    return panel(key, title, caption, "A table.", tables([((), table)]))


def _ranked(choices: Choices, systems: int) -> Iterator[tuple[Choices, int]]:
    """Of many systems the best, then all; of few all."""
    if systems <= FEW:
        yield choices, systems
        return
    yield (*choices, ("systems", f"best {BEST}")), BEST
    yield (*choices, ("systems", "all")), systems


def _shown(part: Any, whole: Any, systems: int, more: str = "") -> ChartType:  # noqa: ANN401  # charts of any kind
    """A chart of the best systems under the title and the caption of the chart of all."""
    width = getattr(part, "width", 18 * BEST)  # a chart of several has none of its own
    note = f"Shown: the best {BEST} of {systems} systems{more}."
    caption = [" ".join(_lines(whole.title.subtitle)), note]
    return cast(ChartType, finished(part, " ".join(_lines(whole.title.text)), caption, width=width + 120))


def interval_forms(found: Sequence[Significance]) -> Iterator[Variant]:
    """The means of systems with their intervals, by population."""
    for result in found:
        choices = (*of_measure(result.measure), ("population", result.comparison.population))
        systems, whole = len(result.systems), charts.system_intervals(result)
        for chosen, count in _ranked(choices, systems):
            if count == systems:
                yield Variant(chosen, chart=whole)
            else:
                part = charts.system_intervals(best_compared(result, count))
                yield Variant(chosen, chart=_shown(part, whole, systems))


def pair_forms(found: Sequence[Significance]) -> Iterator[Variant]:
    """The pairs of systems, those of the best of many, by population."""
    for result in found:
        comparison, choices = result.comparison, of_measure(result.measure)
        systems, shown = len(comparison.systems), pairs_shown(len(comparison.systems))
        chart = charts.pair_heatmap(best_pairs(comparison, shown), note=charts.setting(result))
        if shown < systems:
            note = f"Shown: the pairs of the best {shown} of {systems} systems."
            caption = [*style.comparison_caption(comparison), charts.setting(result), note]
            chart = finished(chart, heading(chart).replace(" of systems", f" of the best {shown}"), caption, width=780)
        yield Variant((*choices, ("population", comparison.population)), chart=chart)


def pairs_shown(systems: int) -> int:
    """Of how many systems all pairs are shown."""
    return systems if systems <= FEW else BEST


def series_forms(one: OfMeasure, series: charts.Series, settings: Settings) -> Iterator[Variant]:
    """The intervals of models side by side."""
    note = f"Shards {settings.shards}, seed {settings.seed}, fill zero."
    systems = len(next(iter(series.values()))[0])
    whole = charts.model_intervals(series, measure=one.measure, note=note)
    for chosen, count in _ranked(of_measure(one.measure), systems):
        if count == systems:
            yield Variant(chosen, chart=whole)
        else:
            part = charts.model_intervals(best_series(dict(series), count), measure=one.measure, note=note)  # type: ignore[arg-type]  # the same, read only
            yield Variant(chosen, chart=_shown(part, whole, systems))


def interaction_forms(variance: Variance) -> Iterator[Variant]:
    """Each interaction of the model; of many lines the best."""
    for term in variance.fit.model.terms:
        if ":" in term:
            chart: Any = gallery.variance_chart(variance, term)
            choices = (*of_measure(variance.measure), ("interaction", term))
            yield Variant(choices, chart=_fewer_lines(chart, variance, term))


def _fewer_lines(chart: Any, variance: Variance, term: str) -> ChartType:  # noqa: ANN401  # a layered chart
    """The chart with the lines of the best levels only, where there are many."""
    line, across = ("topic", "shard") if term == "topic:shard" else ("system", term.replace("system", "").strip(":"))
    levels, most = variance.labels[line], max(5, _LINES // len(variance.labels[across]))
    most = min(most, len(levels) if len(levels) <= FEW else BEST)
    if len(levels) <= most:
        return cast(ChartType, chart)
    order = (-variance.fit.means(line).ravel()).argsort(kind="stable")[:most].tolist()
    others = set(levels) - {levels[i] for i in order}
    fewer = chart.copy(deep=False)
    fewer.data = {"values": [row for row in chart.data["values"] if row["line"] not in others]}
    note = f"Shown: the lines of the best {most} of {len(levels)} {line}s."
    caption = [" ".join(_lines(chart.title.subtitle)), note]
    return cast(ChartType, finished(fewer, heading(chart), caption, width=chart.width + 110))


def box_forms(found: Reliability, kind: str) -> Iterator[Variant]:
    """The means (`systems`) or ranks (`ranks`) of systems over images."""
    draw = {"systems": precision_charts.system_boxes, "ranks": precision_charts.rank_boxes}[kind]
    systems, cut = len(found.systems), "; boxes are cut at that rank" if kind == "ranks" else ""
    for m, measure in enumerate(found.measures):
        whole = draw(reliability_part(found, m))
        for chosen, count in _ranked((*of_measure(measure), ("population", found.resample)), systems):
            if count == systems:
                yield Variant(chosen, chart=whole)
            else:
                yield Variant(chosen, chart=_shown(draw(reliability_part(found, m, count)), whole, systems, cut))


def topic_forms(found: Reliability) -> Iterator[Variant]:
    """The scores of the best system on each topic."""
    for m, measure in enumerate(found.measures):
        part = reliability_part(found, m)
        yield Variant(of_measure(measure), chart=precision_charts.topic_boxes(part, int(part.order(0)[0])))


def one_form(chart: alt.TopLevelMixin, **choices: str) -> Variant:
    """A chart of all measures."""
    return Variant(tuple(choices.items()), chart=chart)
