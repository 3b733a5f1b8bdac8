"""The part of a report that says which test keeps its promise on these data; only where it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from irgauge.inference.margins import margin_of
from irgauge.show.figure import Figure
from irgauge.show.finding import Finding, remarks
from irgauge.show.page import Choices, Panel, Variant, of_measure, panel
from irgauge.show.table import Table
from irgauge.show.words import counted, percent
from irgauge.studies.calibrate import charts, tables
from irgauge.studies.calibrate.findings import advice, findings
from irgauge.studies.calibrate.study import Calibrated, calibrate
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown

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
    for number, one in enumerate(result.each):
        yield advice(result, one, is_first=number == 0)


def shown(ran: Ran, reporting: Reporting) -> Shown:  # noqa: ARG001  # as all sections
    """Sentences, charts and tables."""
    told = [finding for result in ran.results for finding in findings(result)]
    return (*told, *remarks(ran.reasons())), _panels(ran.results)


def _panels(results: Sequence[Calibrated]) -> Iterator[Panel]:
    yield from _drawn("corner", "Errors against power", "The good corner is at the top left.", results, charts.corner)
    yield from _drawn("worlds-chart", "Errors by world", "Where systems are equally good.", results, charts.errors)
    yield from panel(
        "calibrate-power",
        "Power",
        "How often a difference is found, by its size and the number of topics.",
        (
            Variant(of_measure(result.measure), charts.power(result, one.population))
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
        Variant(_choices(result, one.population), draw(result, one.population))
        for result in results
        for one in result.each
    )
    yield from panel(f"calibrate-{key}", title, caption, forms)


def _choices(result: Calibrated, population: str) -> Choices:
    return (*of_measure(result.measure), ("population", population))


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:  # noqa: ARG001  # as all sections
    """How it was done, fit for an appendix."""
    if ran.results:
        yield "Calibration", _method(ran.results[0])


def _method(result: Calibrated) -> str:
    one, alpha = result.first, result.alpha
    return (
        f"Every test of pairs was tried on {counted(one.trials, 'experiment')} of each of several kinds, drawn from "
        "the scores at hand so that systems are equally good: systems permuted within topics, signs of topics flipped, "
        "topics resampled around equal means; for other documents, the parts of shards were drawn in these ways. A "
        f"test is liberal if it errs in more than {percent(1.1 * alpha)} of experiments of any kind, conservative if "
        f"in fewer than {percent(0.9 * alpha)} of all kinds (within a tenth of α = {alpha:g}, as in Bradley 1978), "
        f"each beyond a 99.7 % Monte Carlo interval, and unclear if errors may be more than {percent(2 * alpha)}. "
        "Power was taken from real pairs of systems moved to differ by a known amount, on topics drawn with "
        "replacement, and from experiments in which half of the systems are better (on the question, and for another "
        "way to simulate, see Urbano, Lima and Hanjalic 2019). Claims from random halves of the topics, or of the "
        "shards, were looked up in the other half."
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
