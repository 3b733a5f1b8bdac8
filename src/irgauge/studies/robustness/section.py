"""The part of a report that says whether conclusions hold for other choices, and its charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import altair as alt
from altair import Undefined
from altair.utils.schemapi import UndefinedType

from irgauge.choices import known
from irgauge.inference.tests.registry import default_test
from irgauge.inference.tests.tukey import TUKEY
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures
from irgauge.show import style
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.shared_charts import READABLE, interval_series
from irgauge.show.standing import tested_by
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.verdicts import FOR
from irgauge.show.words import counted, percent
from irgauge.studies.interval_series import intervals_by_shards
from irgauge.studies.report_part import Missing, Ran, Reporting, ReportPart, Shown, tried
from irgauge.studies.robustness.findings import described, findings, outcome_table, split_table, the
from irgauge.studies.robustness.options import MODELS
from irgauge.studies.robustness.outcomes import CORRECTION, MeanOverSplits
from irgauge.studies.robustness.study import Robustness, robustness

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
        _panel(tau, "Kendall's τ", agree, _AGREEING, most=1),
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


def _panel(
    rows: Sequence[Row], quantity: str, title: str, reference: float, *, most: float | UndefinedType = Undefined
) -> alt.LayerChart:
    names = list(dict.fromkeys(str(row["method"]) for row in rows))
    colours = {names[0]: style.INK} if len(names) == 1 else style.series_colours(names)
    base = alt.Chart(data(rows)).encode(
        x=alt.X(
            "shards:O", title="shards", axis=alt.Axis(labelAngle=0), scale=alt.Scale(type="band", paddingInner=0.35)
        ),
        xOffset=alt.XOffset("method:N", sort=names) if len(names) > 1 else alt.Undefined,
        y=alt.Y("mean:Q", title=quantity, scale=alt.Scale(zero=False, nice=True, domainMax=most)),
        color=alt.Color(
            "method:N", title=None, scale=scale(colours), legend=None if len(names) == 1 else alt.Undefined
        ),
        tooltip=tips("method:N", "shards:O", "mean:Q", "low:Q", "high:Q"),
    )
    line = base.mark_line(strokeWidth=1.2, point=alt.OverlayMarkDef(size=30))
    bars = base.mark_rule(strokeWidth=1.6).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"))
    dashed = alt.Chart(data([{}])).mark_rule(strokeDash=[5, 4], color=style.MODELS["MD1"])
    heading = alt.TitleParams(title, fontSize=style.SMALLEST, fontWeight="normal")
    have_bars = any(row["low"] is not None and math.isfinite(float(row["low"])) for row in rows)
    layers = layered(dashed.encode(y=alt.YDatum(reference)), line, *([bars] if have_bars else []))
    return layers.properties(width=_PANEL, height=300, title=heading)


def _title(result: Robustness) -> str:
    last = result.outcome(max(result.counts), result.methods[-1])
    share, whole = (percent(round(outcome.significant / result.pairs, 2)) for outcome in (last, result.whole))
    return (
        f"Pairs with an adjusted p ≤ {result.alpha:g} in {result.measure}: {whole} on the whole corpus; with "
        f"{last.shards} shards {share} by {the(last.method)}"
    )


def intervals(result: Robustness, model: str | None = None, best: int | None = None) -> Figure:
    """Tukey's intervals of a model, the last if none is named, by number of shards, on the first split of each."""
    models = result.methods if result.test == TUKEY.name else MODELS[-1:]
    chosen = models[-1] if model is None else known(model, models, "model")
    series = intervals_by_shards(
        result.corpus, result.splits, model=chosen, population=result.population, alpha=result.alpha
    )
    figure = interval_series(series, result.measure, best or READABLE)
    drawn = result.provenance.without("resamples", "models", "test", "family", "correction", "alpha", "population")
    return replace(
        figure.noting("Shards are those of the first split into each number; means are over shards."), provenance=drawn
    )


CHARTS: Mapping[str, Callable[..., Figure]] = {"stability": stability, "intervals": intervals}


def run(reporting: Reporting) -> Ran:
    """Random even splits into two, into as many parts as there are shards, and into twice as many, by each measure."""
    return reporting.each_measure(
        lambda measure: robustness(
            reporting.bench,
            measure,
            shards=_counts(reporting, measure),
            resamples=reporting.resamples,
            **reporting.replicated,
        ),
        "splits",
        reporting.unsharded,
    )


def _counts(reporting: Reporting, measure: str) -> list[int]:
    """The numbers of shards that are not too many: for the corpus, and for scores to be defined."""
    shards = len(reporting.bench.sharding(str(reporting.shards)).names)
    most = reporting.bench.collection.corpus_size
    possible = [count for count in sorted({2, shards, 2 * shards}) if count <= most]
    return [count for count in possible if _is_defined(reporting, measure, count)] or possible


def _is_defined(reporting: Reporting, measure: str, count: int) -> bool:
    """Whether the first split into so many shards is not refused, as most scores in it would be undefined."""
    wanted = Measuring(parse_measures([measure]), f"even:{count}", seed=reporting.seed, sparse=reporting.sparse)
    return not isinstance(tried(lambda: reporting.bench.measured(wanted)), Missing)


def headline(result: Robustness) -> Iterator[Finding]:
    """What stands at the top of the page."""
    yield described(result)


def shown(ran: Ran, _: Reporting) -> Shown:
    """Sentences, a chart and tables."""
    sentences = [finding for result in ran.results for finding in (*headline(result), *_notes(result))]
    where = tested_by(shown="How many pairs tests find on each split stands in the charts.", command="robustness")
    return (*sentences, where, *remarks(ran.reasons())), _panels(ran.results)


def _notes(result: Robustness) -> Iterator[Finding]:
    """What to beware of; what tests find is no part of the page."""
    yield from (finding for finding in findings(result) if finding.tone != "finding")


def _panels(results: tuple[Robustness, ...]) -> Iterator[Panel]:
    yield from panel(
        "stability",
        "Differences and order over splits",
        "By method and number of shards.",
        (Variant(of_measure(result.measure), stability(result)) for result in results),
    )
    made = (
        ("outcomes", "Outcomes", "By method and number of shards.", outcome_table),
        ("splits", "Over splits", "How much depends on the split.", split_table),
    )
    for key, title, caption, table in made:
        forms = (
            Variant(of_measure(result.measure), table=table(result), provenance=result.provenance) for result in results
        )
        yield from panel(key, title, caption, forms)


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Robustness", _robustness(reporting)


def _robustness(reporting: Reporting) -> str:
    return (
        f"The corpus was split at random into equal parts, {counted(reporting.resamples, 'time')} into each of several "
        "numbers (Voorhees, Samarov and Soboroff 2017; Ferro and Sanderson 2019). On each split, and on the whole "
        f"corpus, all pairs of systems were compared by {default_test('topics').the} over topics with "
        f"{CORRECTION.title}; the score of a topic on a split is its mean over the parts. Reported are means over "
        "splits with 95 % t intervals, the pairs that differ significantly in every split, and Kendall's τ between the "
        "orders of systems on a split and on the whole corpus."
    )


PART = ReportPart(
    key="robustness",
    title="Do conclusions hold whatever the split?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    references=("voorhees-2017", "ferro-sanderson-2019"),
)
