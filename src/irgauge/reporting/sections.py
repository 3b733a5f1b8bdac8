"""The parts of a report: the `section.py` of every study that has one.

A section has KEY, TITLE, REFERENCES, run, headline, section and methods. It may also have LEADS (what it says stands
first at the top of the page), `references(reporting)` (where not all of REFERENCES are used) and `record(result)` (what
results.json holds, where `to_dict` would be too much, or not enough).
"""

from __future__ import annotations

from types import ModuleType

from irgauge.replicates.measured import Bench
from irgauge.studies.registry import studies
from irgauge.studies.reporting import Reporting


def sections() -> dict[str, ModuleType]:
    """The parts by the names of their studies, in their order."""
    return {study.name: study.part("section") for study in studies().values() if study.has_section}


def unanswerable(name: str, reporting: Reporting) -> str | None:
    """Why a study cannot answer, if it needs runs and there are none."""
    study = studies()[name]
    return study.without_runs if study.needs_runs and not isinstance(reporting.data, Bench) else None
