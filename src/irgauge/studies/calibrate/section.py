"""The part of a report that says which test keeps its promise on these data, if asked for; and its charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import altair as alt

from irgauge.calibrating.trials import TOLERATED
from irgauge.errors import DesignError
from irgauge.inference.corrections import DEFAULT, Promise
from irgauge.inference.margins import margin_of
from irgauge.inference.tests.registry import TESTS
from irgauge.show import style, verdicts
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.style import Row, data, layered, scale, tips
from irgauge.show.table import Table
from irgauge.show.verdicts import FOR
from irgauge.show.words import capital, counted, percent
from irgauge.studies.calibrate import tables
from irgauge.studies.calibrate.calibration import Calibration, MethodPromise
from irgauge.studies.calibrate.findings import advice, findings
from irgauge.studies.calibrate.study import Calibrated, calibrate
from irgauge.studies.calibrate.tables import KINDS, rate_of
from irgauge.studies.calibrate.words import COLOURS, ON_KINDS, PROMISED, named, short, the, the_test
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown


def apart(places: Sequence[float], least: float, most: float) -> list[float]:
    """The places of labels, at least so far apart, as near as they can be to where they belong, from 0 to most.

    >>> apart([50.0, 50.0, 10.0], 4.0, 100.0)
    [52.0, 48.0, 10.0]
    >>> apart([99.0, 100.0], 10.0, 100.0)
    [90.0, 100.0]
    """
    order = sorted(range(len(places)), key=lambda i: (places[i], -i))
    blocks: list[tuple[float, int]] = []  # the lowest place of labels that touch, and their number
    for i in order:
        blocks.append((places[i], 1))
        while len(blocks) > 1 and blocks[-2][0] + blocks[-2][1] * least > blocks[-1][0]:
            (low, count), (high, more) = blocks[-2:]
            centre = (low * count + (high - count * least) * more) / (count + more)
            blocks[-2:] = [(_within(centre, count + more, least, most), count + more)]
        blocks[-1] = (_within(*blocks[-1], least, most), blocks[-1][1])
    lowest = [low + k * least for low, count in blocks for k in range(count)]
    positions = dict(zip(order, lowest, strict=True))
    return [positions[i] for i in range(len(places))]


def _within(low: float, count: int, least: float, most: float) -> float:
    return max(0.0, min(low, most - (count - 1) * least))


_CORNER: Mapping[Promise, str] = {
    "any pair": "all pairs together",
    "each pair": "each pair by itself",
}
_WIDTH, _HEIGHT = 400, 320  # pixels of a panel
_PLOTTED = 0.58  # of the width: points, and names in the rest, which are not cut off where a chart is made narrower
_EDGE = 4.0  # per cent of the height without names, above and below
_APART = 9.5  # per cent of the height between names, which are apart too where a page makes the chart low
_FAMILY = f"Solid: one pair chosen beforehand; dashed: one among all pairs, by the first step of {DEFAULT.title}."
_ROW = 32  # pixels of a method, in all worlds
_TICKS = (0, 1, 2, 5, 10, 20, 50, 100)  # per cent


# errors against power


def corner(result: Calibrated, population: str | None = None) -> Figure:
    """Errors in the worst world against power: who errs as seldom as promised, and finds most?"""
    calibration = result.of(population)
    with_power = [kept for kept in calibration.kept if kept.method.way not in ON_KINDS]
    shown = {promise: [kept for kept in with_power if kept.method.promise == promise] for promise in _CORNER}
    most = max(kept.worst.rate.high for rows in shown.values() for kept in rows)
    seen = {kept.verdict for rows in shown.values() for kept in rows}
    colours: dict[str, str] = {verdict: colour for verdict, colour in COLOURS.items() if verdict in seen}
    panels = [_corner(rows, _CORNER[promise], result.alpha, most, colours) for promise, rows in shown.items() if rows]
    return Figure(
        alt.HConcatChart(hconcat=panels, spacing=24),
        _corner_title(calibration),
        tuple(_corner_caption(result, calibration)),
        width=len(panels) * (_WIDTH + 60),
        provenance=result.provenance,
        alternative="Points of methods, errors across and power up, with a line at the level that is promised.",
    )


def _corner_caption(result: Calibrated, calibration: Calibration) -> Iterator[str]:
    yield (
        f"{result.measure}. Across: errors where {counted(calibration.systems, 'system')} are equally good, in the "
        "worst world, with 95 % Monte Carlo intervals."
    )
    for delta in {kept.found.delta for kept in calibration.kept if kept.found is not None}:
        yield f"Up: share of true differences that are found where half of the systems are better by {delta:g}."
    yield f"Dashed: the {percent(result.alpha)} that are promised; the good corner is at the top left of it."


def _corner_title(calibration: Calibration) -> str:
    advised = calibration.advised
    test = the_test(advised.method.test) if calibration.pairs == 1 else the(advised.method)
    errors = percent(round(advised.worst.rate.observed, 3))
    finds = "" if advised.found is None else f" and finds {percent(round(advised.power, 2))} of true differences"
    return f"{capital(test)} errs in {errors} of experiments in the worst world{finds}, {FOR[calibration.population]}"


def _corner(
    rows: Sequence[MethodPromise], title: str, alpha: float, most: float, colours: Mapping[str, str]
) -> alt.LayerChart:
    """One panel: the corner, points, and their names beside it."""
    room = 100.0 - 2 * _EDGE
    heights = apart([100 * kept.power - _EDGE for kept in rows], min(_APART, room / len(rows)), room)
    points = data(
        {
            "promise": kept.method.promise,
            "method": named(kept.method),
            "name": short(kept.method),
            "errors": 100 * kept.worst.rate.observed,
            "low": 100 * kept.worst.rate.low,
            "high": 100 * kept.worst.rate.high,
            "power": 100 * kept.power,
            "height": height + _EDGE,
            "edge": 100 * most,
            "world": kept.worst.world,
            "verdict": kept.verdict,
        }
        for kept, height in zip(rows, heights, strict=True)
    )
    across = _errors_scale(most / _PLOTTED**2)
    x = alt.X("errors:Q", title="errors in the worst world (%)", scale=across, axis=_errors_axis(most))
    y = alt.Y(
        "power:Q", title="true differences found (%)", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(grid=False)
    )
    colour = alt.Color("verdict:N", title=None, scale=scale(colours), legend=alt.Legend(orient="top"))
    base = alt.Chart(points).encode(
        x=x,
        y=y,
        tooltip=tips("method:N", "errors:Q", "low:Q", "high:Q", "world:N", "power:Q", "verdict:N", digits=".3~g"),
    )
    leaders = base.mark_rule(color=style.PALE, strokeWidth=0.8).encode(
        x2=alt.X2("edge:Q"), y=alt.Y("power:Q"), y2=alt.Y2("height:Q")
    )
    bars = base.mark_rule(strokeWidth=1.4, opacity=0.7).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), color=colour)
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(color=colour)
    names = base.mark_text(align="left", dx=5, color=style.INK).encode(
        x=alt.X("edge:Q"), y=alt.Y("height:Q"), text=alt.Text("name:N")
    )
    layers = layered(*_good(alpha), leaders, bars, dots, names)
    heading = alt.TitleParams(title, fontSize=style.SMALLEST, fontWeight="normal")
    return layers.properties(width=_WIDTH, height=_HEIGHT, title=heading)


def _good(alpha: float) -> Iterator[alt.Chart]:
    """What is promised, shaded up to the line."""
    kept = alt.Chart(data([{"from": 0, "to": 100 * alpha}]))
    yield kept.mark_rect(color=verdicts.BAND, opacity=1).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
    yield kept.mark_rule(color=verdicts.EDGE, strokeDash=[5, 4]).encode(x=alt.X("to:Q"))


def _errors_scale(most: float) -> alt.Scale:
    """Roots of errors: small ones have room, and large ones stay on the chart."""
    return alt.Scale(type="sqrt", domain=[0, 100 * most], nice=False)


def _errors_axis(most: float) -> alt.Axis:
    return alt.Axis(values=[tick for tick in _TICKS if tick <= 100 * most], grid=False)


# power by size and topics


def power(result: Calibrated, population: str | None = None) -> Figure:
    """How often a difference is found, by its size, the number of topics and the test."""
    calibration = result.of(population)
    if not calibration.powers:
        raise DesignError(f"power by number of topics is of the population topics; this is of {calibration.population}")
    counts = sorted({row.topics for row in calibration.powers})
    colours = dict(zip(map(str, counts), style.series_colours([str(n) for n in counts]).values(), strict=True))
    tests = list(dict.fromkeys(row.test for row in calibration.powers))
    panels = [_power_panel(result, calibration, test, colours) for test in tests]
    rows = [alt.HConcatChart(hconcat=panels[i : i + 2], spacing=24) for i in range(0, len(panels), 2)]
    return Figure(
        alt.VConcatChart(vconcat=rows, spacing=20),
        _power_title(result, calibration),
        (
            f"Real pairs of systems, moved to differ by δ in {result.measure}, on topics drawn anew.",
            *([_FAMILY] if calibration.pairs > 1 else []),
        ),
        width=min(2, len(panels)) * 380,
        provenance=result.provenance,
        alternative="Curves of power against the size of a difference, by number of topics, one panel a test.",
    )


def _power_title(result: Calibrated, calibration: Calibration) -> str:
    at = next((row for row in calibration.detectable.values() if row.single is not None), None)
    if at is None or at.single is None:
        return f"How often a difference in {result.measure} is found"
    return (
        f"On {counted(at.topics, 'topic')}, {the_test(at.test)} finds a difference of {at.single:.2g} in "
        f"{result.measure} in 80 % of experiments"
    )


def _power_panel(result: Calibrated, calibration: Calibration, test: str, colours: Mapping[str, str]) -> alt.LayerChart:
    rows = [row for row in calibration.powers if row.test == test]
    points: list[Row] = [
        {"topics": str(row.topics), "of": kind, "delta": row.delta, "power": 100 * rate.observed}
        for kind in KINDS
        for row in rows
        if (rate := rate_of(row, kind)) is not None
    ]
    dashes = alt.Scale(domain=list(KINDS), range=[[1, 0], [4, 3]])
    base = alt.Chart(data(points)).encode(
        x=alt.X("delta:Q", title=f"δ in {result.measure}"),
        y=alt.Y("power:Q", title="found (%)", scale=alt.Scale(domain=[0, 100])),
        color=alt.Color("topics:N", title="topics", scale=scale(colours)),
        detail=alt.Detail("of:N"),
        tooltip=tips("topics:N", "of:N", "delta:Q", "power:Q", digits=".3~g"),
    )
    lines = base.mark_line(strokeWidth=1.6, point=alt.OverlayMarkDef(size=24)).encode(
        strokeDash=alt.StrokeDash("of:N", scale=dashes, legend=None)
    )
    level = alt.Chart(data([{}])).mark_rule(color=style.PALE, strokeDash=[2, 3]).encode(y=alt.YDatum(80))
    heading = alt.TitleParams(TESTS[test].title, fontSize=style.SMALLEST, fontWeight="normal")
    return layered(level, lines).properties(width=290, height=200, title=heading)


# errors in every world


def errors(result: Calibrated, population: str | None = None) -> Figure:
    """Errors of each method in each world, with Monte Carlo intervals."""
    calibration = result.of(population)
    worlds = list(dict.fromkeys(row.world for row in calibration.errors))
    colours = style.distinct_colours(worlds)
    most = max(row.rate.high for row in calibration.errors)
    panels = [_error_panel(calibration, promise, result.alpha, most, colours) for promise in PROMISED]
    return Figure(
        alt.VConcatChart(vconcat=[panel for panel in panels if panel is not None], spacing=14),
        _errors_title(calibration, result),
        (
            "Points: share of experiments, with 95 % Monte Carlo intervals; dashed: the "
            f"{percent(result.alpha)} that are promised.",
        ),
        width=720,
        provenance=result.provenance,
        alternative="Points with intervals for each method and world, and a line at the level that is promised.",
    )


def _errors_title(calibration: Calibration, result: Calibrated) -> str:
    """How many methods are shown to err more often than they promise, in some world."""
    above = len({row.method for row in calibration.errors if row.verdict == "liberal"})
    of = f"{above or 'none'} of {counted(len({row.method for row in calibration.errors}), 'method')}"
    err = f"{of} {'is' if above < 2 else 'are'} shown to err more often than the {percent(result.alpha)} promised"
    return capital(f"{err}, by {result.measure} {FOR[calibration.population]}")


def _error_panel(
    calibration: Calibration, promise: Promise, alpha: float, most: float, colours: Mapping[str, str]
) -> alt.LayerChart | None:
    rows = [row for row in calibration.errors if row.method.promise == promise]
    if not rows:
        return None
    names = list(dict.fromkeys(named(row.method) for row in rows))
    points = data(
        {
            "method": named(row.method),
            "world": row.world,
            "errors": 100 * row.rate.observed,
            "low": 100 * row.rate.low,
            "high": 100 * row.rate.high,
            "verdict": row.verdict,
        }
        for row in rows
    )
    base = alt.Chart(points).encode(
        y=alt.Y("method:N", sort=names, title=None, axis=alt.Axis(labelLimit=420, labelPadding=8, ticks=False)),
        yOffset=alt.YOffset("world:N", sort=list(colours)),
        color=alt.Color("world:N", title="world", scale=scale(colours)),
        tooltip=tips("method:N", "world:N", "errors:Q", "low:Q", "high:Q", "verdict:N", digits=".3~g"),
    )
    x = alt.X("errors:Q", title=f"errors (%): {PROMISED[promise]}", scale=_errors_scale(most), axis=_errors_axis(most))
    dots = base.mark_point(filled=True, size=28, opacity=1).encode(x=x)
    bars = base.mark_rule(strokeWidth=1.2).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    line = alt.Chart(data([{}])).mark_rule(color=verdicts.EDGE, strokeDash=[5, 4]).encode(x=alt.XDatum(100 * alpha))
    return layered(line, bars, dots).properties(width=380, height=_ROW * len(names))


CHARTS: Mapping[str, Callable[..., Figure]] = {"corner": corner, "power": power, "errors": errors}


_TABLES: tuple[tuple[str, str, str, Callable[[Calibrated], Table]], ...] = (
    ("promises", "Every method", "Errors in the worst world, and what is found.", tables.promise_table),
    ("worlds", "Errors in every world", "Where systems are equally good.", tables.error_table),
    ("power-table", "Power in numbers", "By test, size of the difference and topics.", tables.power_table),
    ("detectable", "What can be detected", "With a chance of 80 %.", tables.detectable_table),
    ("covered", "Do intervals hold the truth?", "By kind of interval.", tables.coverage_table),
    ("holds-up", "Do claims hold up?", "Claims of one half, looked up in the other.", tables.hold_table),
    ("margin-verdicts", "Verdicts against the margin", "How often any is false.", tables.margin_table),
)


def run(reporting: Reporting) -> Ran:
    """Few experiments by each measure, if a calibration is asked for; else nothing, and no section."""
    if not reporting.calibrate:
        return Ran(())
    options = {"shards": reporting.shards, "baseline": reporting.baseline, **reporting.replicated}
    return reporting.each_measure(
        lambda measure: calibrate(
            reporting.data, measure, quick=True, margin=margin_of(reporting.margin, measure), **options
        ),
        "experiments",
    )


def headline(result: Calibrated) -> Iterator[Finding]:
    """What stands at the top of the page: which test to use, for each population."""
    for number, calibration in enumerate(result.each):
        yield advice(result, calibration, is_first=number == 0)


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as all sections
    """Sentences, charts and tables."""
    sentences = [finding for result in ran.results for finding in findings(result)]
    return (*sentences, *remarks(ran.reasons())), _panels(ran.results)


def _panels(results: Sequence[Calibrated]) -> Iterator[Panel]:
    yield from _drawn("corner", "Errors against power", "The good corner is at the top left.", results, corner)
    yield from _drawn("worlds-chart", "Errors by world", "Where systems are equally good.", results, errors)
    yield from panel(
        "calibrate-power",
        "Power",
        "How often a difference is found, by its size and the number of topics.",
        (
            Variant(of_measure(result.measure), power(result, one.population))
            for result in results
            for one in result.each
            if one.powers
        ),
    )
    for key, title, caption, table in _TABLES:
        forms = (
            Variant(of_measure(result.measure), table=table(result), provenance=result.provenance) for result in results
        )
        yield from panel(f"calibrate-{key}", title, caption, forms)


def _drawn(
    key: str, title: str, caption: str, results: Sequence[Calibrated], draw: Callable[[Calibrated, str], Figure]
) -> Iterator[Panel]:
    """A chart by measure and population."""
    forms = (
        Variant(_choices(result, calibration.population), draw(result, calibration.population))
        for result in results
        for calibration in result.each
    )
    yield from panel(f"calibrate-{key}", title, caption, forms)


def _choices(result: Calibrated, population: str) -> Choices:
    return (*of_measure(result.measure), ("population", population))


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:  # noqa: ARG001  # as all sections
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Calibration", _method(ran.results[0])


def _method(result: Calibrated) -> str:
    first, alpha = result.first, result.alpha
    return (
        f"Every test of pairs was tried on {counted(first.trials, 'experiment')} of each of several kinds, drawn from "
        "the scores at hand so that systems are equally good: systems permuted within topics, signs of topics flipped, "
        "topics resampled around equal means; for other documents, the parts of shards were drawn in these ways. A "
        f"test is liberal if it errs in more than {percent(1.1 * alpha)} of experiments of any kind, conservative if "
        f"in fewer than {percent(0.9 * alpha)} of all kinds (within a tenth of α = {alpha:g}, as in Bradley 1978), "
        "each beyond a 99.7 % Monte Carlo interval, and unclear if errors may be more than "
        f"{percent(TOLERATED * alpha)}. Power was taken from real pairs of systems moved to differ by a known amount, "
        "on topics drawn with replacement, and from experiments in which half of the systems are better (on the "
        "question, and for another way to simulate, see Urbano, Lima and Hanjalic 2019). Claims from random halves of "
        "the topics, or of the shards, were looked up in the other half."
    )


PART = ReportPart(
    key="calibrate",
    title="Which test keeps its promise on these data, and what can it find?",
    run=run,
    shown=shown,
    methods=methods,
    headline=headline,
    references=("urbano-lima-hanjalic-2019", "bradley-1978"),
)
