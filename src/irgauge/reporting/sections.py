"""The parts of a report: the `section.py` of every study that has one, and those of `reporting/parts`.

A section has KEY, TITLE, REFERENCES, run, headline, section and methods. It may also have LEADS (what it says stands
first at the top of the page), ANSWERS (the kinds of findings that answer first), `references(reporting)` (where not all
of REFERENCES are used) and `record(result)` (what results.json holds, where `to_dict` would be too much, or not
enough). A part that finds nothing and misses nothing (`Ran(())`) is left out of the page. One that
builds on studies has USES, their names: its `run` takes what each of them found, a Ran, after the Reporting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType

from irgauge.studies.registry import studies
from irgauge.studies.reporting import Ran, Reporting

# a study -> the parts of no study that follow it, by their modules
_AFTER: Mapping[str, tuple[str, ...]] = {"compare": ("baseline", "pair", "teams", "topics", "measures")}


@cache
def sections() -> Mapping[str, ModuleType]:
    """The parts by the names of their studies, or of their modules, in their order."""
    return dict(_parts())


def _parts() -> Iterator[tuple[str, ModuleType]]:
    for study in studies().values():
        if study.has_section:
            yield study.name, study.part("section")
        for name in _AFTER.get(study.name, ()):
            yield name, import_module(f"irgauge.reporting.parts.{name}")


def used(part: ModuleType, ran: Mapping[str, Ran]) -> list[Ran]:
    """What the studies found that a part builds on; they ran before it."""
    return [ran[name] for name in getattr(part, "USES", ())]


def unanswerable(name: str, reporting: Reporting) -> str | None:
    """Why a study cannot answer, if it needs runs and there are none."""
    study = studies().get(name)
    if study is None or not study.needs_runs or reporting.data.has_runs:
        return None
    return study.without_runs
