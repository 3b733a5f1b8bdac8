"""The parts of a report, those of every study that has a section, and what they warn of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from irgauge.show import gaps
from irgauge.show.words import sentence
from irgauge.studies.cautions import holes_told
from irgauge.studies.compare.list_findings import lists_told
from irgauge.studies.registry import report_parts, studies
from irgauge.studies.report_part import Reporting, ReportPart

if TYPE_CHECKING:
    from irgauge.reporting.report import Report
    from irgauge.studies.compare.study import Compared


def sections() -> Mapping[str, ReportPart]:
    """The parts by the names of their studies."""
    return report_parts()


def unanswerable(name: str, reporting: Reporting) -> str | None:
    """Why a study cannot answer, if it needs runs and there are none."""
    study = studies().get(name)
    if study is None or not study.needs_runs or reporting.data.has_runs:
        return None
    return study.without_runs


TONES = ("error", "warning")  # of findings that stand among the warnings


def warnings_of(report: Report) -> Iterable[str]:
    """Each once: what studies warn of, what was noted when data were read, and measures left out."""
    return dict.fromkeys(_warnings(report))


def _warnings(report: Report) -> Iterator[str]:
    yield from (
        finding.text
        for name, part in sections().items()
        for result in report.ran[name].results
        for finding in part.headline(result)
        if finding.tone in TONES
    )
    yield from _of_holes(report)
    yield from (finding.text for result in _compared(report) for finding in lists_told(result))
    results = [result for name in sections() for result in report.ran[name].results]
    notes = (gaps.sparse_notes, gaps.sparse_notes_beside)
    yield from (note for of in notes for result in results for note in of(result.provenance))
    if report.reporting.checked is None:
        yield from (sentence(str(note)) for note in report.reporting.data.notes)
    for measure, reason in report.left_out.items():
        yield f"{measure} is left out: {reason}."


def _of_holes(report: Report) -> Iterator[str]:
    """Verdicts that unjudged documents could change: with the baseline, or of all pairs."""
    for result in _compared(report):
        yield from (finding.text for finding in holes_told(result.first.measure, result.first.holes))


def _compared(report: Report) -> Sequence[Compared]:
    """The comparisons with the baseline, or of all pairs."""
    return report.ran["baseline"].results or report.ran["compare"].results
