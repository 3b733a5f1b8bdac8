"""The studies, each named once: the command line, the report, the API and the docs iterate over them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import irgauge.studies
from irgauge.errors import DesignError
from irgauge.extensions.registry import Registry

if TYPE_CHECKING:
    from irgauge.show.finding import Sentence
    from irgauge.studies.report_part import ReportPart

HOMES = {"tables": "findings", "forms": "findings", "charts": "section"}  # of what has no file of its own


def said_of_tables(asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The options that are told when tables are read, so that their study is not told again."""
    return ("columns",) if asked.get("variants") is None else ("columns", "variants", "topics_table")


@dataclass(frozen=True)
class Study:
    """A question, and the folder that answers it.

    The folder has the name of the study, of its verb and of its command. In it `options.py` has the options, in a class
    such as `CompareOptions`, `study.py` the verb and its result. What shows it: `findings.py`, `tables.py`, `charts.py`
    (`CHARTS`), `section.py` with its part of the report (`PART`), and `forms.py` with forms (`FORMS`) and layouts
    (`LAYOUTS`, tables that are shown only where they are named) that no other study has. A small study has no file of
    its own for tables and forms, which stand with the findings, nor for charts, which stand in the section.
    """

    name: str
    question: str
    place: int  # among the commands, and among the sections of the report
    example: str  # of a command
    about: str = ""  # more help
    tells_more: bool = False  # whether `more_about` in options.py adds to it, from registries
    first: tuple[str, ...] = ()  # the options of its short help; where there are few, those of its question
    charts: Mapping[str, str] = field(default_factory=dict)  # name -> what is seen; the first is drawn if none is named
    forms: Mapping[str, str] = field(default_factory=dict)  # forms that only it has (FORMS): name -> what it holds
    form_reads: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # form -> how runs are read if not said
    form: str = "table"  # in which its command prints, if none is asked for
    layouts: Mapping[str, str] = field(default_factory=dict)  # tables for one use (LAYOUTS)
    pages: Mapping[str, str] = field(default_factory=dict)  # of its forms those that an option writes to a file besides
    needs_runs: bool = True  # else a table of scores will do
    runs_for: str = "it looks at documents"  # why it needs them
    documents: Literal["all", "judged", "needed"] = "all"  # judged: it scores the whole corpus only, and is read faster
    reads_runs: bool = True  # else it has no options of how runs are read
    reads: tuple[str, ...] = ()  # files that its verb takes as they are, such as QRELS and RUN...: the last, all others
    reads_told: str = ""  # what these files are, where they are not judgments and runs
    reads_with: str = ""  # an option with which its verb takes files as they are; empty where nothing changes that
    instead_of_data: str = ""  # an option with which its verb takes no data; empty where it always does
    starter: str = (
        ""  # what `--init` writes (`PLACE` and `text` in starter.py); empty where there is nothing to start with
    )
    package: str = ""  # that of its folder, where it is not one of ours
    has_section: bool = True
    unit: str = ""  # what its progress counts, such as images; told by the second

    def part(self, name: str) -> Any:  # noqa: ANN401  # a module
        """The module of the study's folder that has this: the file of that name, or in a small study its home."""
        folder = self.package or f"irgauge.studies.{self.name}"
        has_file = name not in HOMES or find_spec(f"{folder}.{name}") is not None
        return import_module(f"{folder}.{name if has_file else HOMES[name]}")

    @property
    def options(self) -> type:
        """The options."""
        return getattr(self.part("options"), f"{self.name.capitalize()}Options")

    def more_about(self) -> str:
        """What there is to be said besides, for the help of its command."""
        return f"\n\n{self.part('options').more_about()}" if self.tells_more else ""

    def documents_of(self, runs: Sequence[str], asked: Mapping[str, Any]) -> Literal["all", "judged"]:
        """Which documents of runs it needs told apart: all where it is asked for shards, or files are not large."""
        if self.documents != "needed":
            return self.documents
        from irgauge.reading.telling_apart import documents_needed

        return documents_needed(runs, are_drawn=asked.get("shards") is not None)

    def read_tables(self, paths: Sequence[str], asked: Mapping[str, Any], missing: str | None) -> Any:  # noqa: ANN401  # what the verb takes
        """Tables of scores, read as the study says (`read_tables` in options.py), or as tables of scores are."""
        from irgauge.reading.tables.named_columns import naming_columns

        with naming_columns(asked):
            return self._read_tables(paths, asked, missing)

    def _read_tables(self, paths: Sequence[str], asked: Mapping[str, Any], missing: str | None) -> Any:  # noqa: ANN401  # what the verb takes
        own = getattr(self.part("options"), "read_tables", None)
        if own is not None:
            return own(paths, asked, missing)
        from irgauge.reading.tables.read import GivenNames
        from irgauge.replicates.needs import opened_needs
        from irgauge.scoring.scores import Scores

        if asked.get("variants") is not None:
            return opened_needs(list(paths), missing=missing, **{name: asked[name] for name in said_of_tables(asked)})
        return Scores.of(list(paths), GivenNames(columns=asked.get("columns"))).under(missing)

    def sentences(self) -> Iterator[Sentence]:
        """All that it can say, whatever the data."""
        folder = import_module(self.package or f"irgauge.studies.{self.name}")
        for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
            members = vars(import_module(module.name)).values()
            own = (member for member in members if getattr(member, "__module__", None) == module.name)
            yield from (member.sentence for member in own if hasattr(member, "sentence"))

    @property
    def without_runs(self) -> str:
        """Why a table of scores will not do."""
        return f"this question needs judgments and runs, as {self.runs_for}; a table of scores is not enough"

    @property
    def verb(self) -> Callable[..., Any]:
        """The function that answers."""
        return getattr(self.part("study"), self.name)


def _own() -> Iterator[Study]:
    """The folders beside this file."""
    folders = [folder.name for folder in pkgutil.iter_modules(irgauge.studies.__path__) if folder.ispkg]
    return (import_module(f"irgauge.studies.{name}").STUDY for name in folders)


def _check_added(study: Study) -> None:
    """Refuse a study whose folder is not named, or whose verb or command would hide another."""
    if not study.package:
        raise DesignError(
            f"the study '{study.name}' does not name its folder; write package=__name__ in its __init__.py"
        )
    commands = [str(Path(folder, "cli", "commands")) for folder in irgauge.__path__]
    taken = {*irgauge.__all__, *(module.name for module in pkgutil.iter_modules([*irgauge.__path__, *commands]))}
    if study.name in taken:
        raise DesignError(f"the study '{study.name}' has the name of something else in irgauge; give it another name")


STUDIES = Registry("studies", _own, check=_check_added, order=lambda study: (study.place, study.name))


def report_parts() -> Mapping[str, ReportPart]:
    """The parts of a report by the names of their studies; further parts of a study follow it, by their keys."""
    return dict(_report_parts())


def _report_parts() -> Iterator[tuple[str, ReportPart]]:
    for study in studies().values():
        if study.has_section:
            part: ReportPart = study.part("section").PART
            yield study.name, part
            yield from ((more.key, more) for more in part.more)


def studies() -> Mapping[str, Study]:
    """All studies by their names, in their order: our own, and those that others add."""
    return STUDIES.all()
