"""The part of a report that says what becomes of people's claims by other judgments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.errors import InputError
from irgauge.show.page import Panel, Variant, of_measure, panel
from irgauge.show.standing import tested_by
from irgauge.studies.judges import charts
from irgauge.studies.judges.findings import findings
from irgauge.studies.judges.study import Judged, judges
from irgauge.studies.judges.tables import agreement_table, judge_table
from irgauge.studies.report_part import Ran, Reporting, ReportPart, Shown

_DESCRIBE = ("judges-keep", "survival", "reversed", "judge-order", "graders", "grades", "judgments")


def run(reporting: Reporting) -> Ran:
    """Each judge by each measure; nothing where none is given."""
    given = reporting.judges
    if given is None:
        return Ran(())
    groups = None if reporting.groups is None else reporting.groups.groups

    def of_measure_named(measure: str) -> Judged:
        return judges(reporting.data, given, measure, baseline=reporting.baseline, groups=groups, **reporting.common)

    try:
        return reporting.each_measure(of_measure_named, "judges")
    except InputError as error:  # judgments that need an option which only the study has
        return Ran((), {"judges": f"{error} (`irgauge judges` takes it)"})


def shown(ran: Ran, _: Reporting) -> Shown:
    """What describes these judges; what is claimed of them stands in the study."""
    sentences = (finding for result in ran.results for finding in findings(result) if finding.kind in _DESCRIBE)
    where = tested_by(shown="What becomes of claims stands in the charts and tables.", command="judges")
    return (*sentences, where), _panels(ran.results)


def _panels(results: Sequence[Judged]) -> Iterator[Panel]:
    yield from panel(
        "judges-survival",
        "What becomes of people's claims",
        "Pairs of systems that people's judgments tell apart, and those that each judge's do.",
        [Variant(of_measure(result.measure), charts.survival(result)) for result in results],
    )
    yield from panel(
        "judges-table",
        "What becomes of people's claims, in numbers",
        "Claims kept, lost, reversed and added, and how well the orders of systems agree.",
        [Variant(of_measure(result.measure), table=judge_table(result), provenance=result.facts) for result in results],
    )
    graded = [result for result in results[:1] if result.grading]  # grades are the same by every measure
    yield from panel(
        "judges-grades",
        "Agreement on grades",
        "How well judges agree with people, and with each other, document by document.",
        [Variant((), table=agreement_table(result), provenance=result.facts) for result in graded],
    )


def methods(ran: Ran, reporting: Reporting) -> Iterator[tuple[str, str]]:
    """How it was done, fit for an appendix."""
    if ran.results:
        yield (
            "Judges",
            "Pairs of systems were compared by people's judgments and by each judge's, on the topics that both judged, "
            f"at α = {reporting.alpha:g}. A claim of people's is kept where the judge's judgments support it, too, "
            "lost where they do not, and reversed where they say the opposite.",
        )


PART = ReportPart("judges", "What do other judgments say?", run, shown, methods)
