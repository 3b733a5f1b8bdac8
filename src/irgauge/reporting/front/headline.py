"""The headline of a report: by each measure and for each population, the answer of the study that leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irgauge.show.finding import Finding
from irgauge.studies.compare.answers import answers as compared
from irgauge.studies.instances.findings import best_over_instances
from irgauge.studies.score.findings import answers as scored

if TYPE_CHECKING:
    from irgauge.reporting.report import Report


def headlines(report: Report) -> tuple[Finding, ...]:
    """By each measure the headline for each population; of a measure that was not compared, what is true of it."""
    return tuple(finding for measure in map(str, report.reporting.measures) for finding in _of_measure(report, measure))


def _of_measure(report: Report, measure: str) -> Iterator[Finding]:
    """Of algorithms over their instances first, then against the baseline, then of all pairs, then of means alone."""
    for lead in (_instances, _compared, _scored):
        if findings := list(lead(report, measure)):
            yield from findings
            return


def _instances(report: Report, measure: str) -> Iterator[Finding]:
    """Nothing of a table: nobody says whether its replicates are instances."""
    if report.reporting.data.has_runs:
        results = report.ran["instances"].results
        yield from (best_over_instances(result) for result in results if result.measure == measure)


def _compared(report: Report, measure: str) -> Iterator[Finding]:
    """With the baseline, if that was possible."""
    for name in ("baseline", "compare"):
        for result in report.ran[name].results:
            if result.measures == (measure,):
                yield from compared(result.first)
                return


def _scored(report: Report, measure: str) -> Iterator[Finding]:
    for result in report.ran["score"].results:
        yield from scored(result, measure)
