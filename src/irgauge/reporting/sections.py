"""The parts of a report: those of every study that has a section, in the order of the studies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from irgauge.studies.registry import studies
from irgauge.studies.report_part import Reporting, ReportPart


@cache
def sections() -> Mapping[str, ReportPart]:
    """The parts by the names of their studies; further parts of a study follow it, by their keys."""
    return dict(_parts())


def _parts() -> Iterator[tuple[str, ReportPart]]:
    for study in studies().values():
        if study.has_section:
            part: ReportPart = study.part("section").PART
            yield study.name, part
            yield from ((more.key, more) for more in part.more)


def unanswerable(name: str, reporting: Reporting) -> str | None:
    """Why a study cannot answer, if it needs runs and there are none."""
    study = studies().get(name)
    if study is None or not study.needs_runs or reporting.data.has_runs:
        return None
    return study.without_runs
