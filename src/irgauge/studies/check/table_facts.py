"""How a table of scores was understood: its parts, where they were found, and how to say it otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from irgauge.reading.tables.read import GivenNames, is_to_be_read, table_of
from irgauge.reading.tables.understood import TableReading
from irgauge.replicates.given import Given, opened_with_gaps
from irgauge.scoring.measures import Measure
from irgauge.scoring.scores import Scores, is_measure

if TYPE_CHECKING:
    from irgauge.studies.check.options import CheckOptions

_SHOWN = 5  # examples of each part
_LONGEST = 40  # characters of an example
_OF_FILE = {"system": "the file, or its name", "measure": "the name of the file, or nothing", "replicate": "nothing"}


@dataclass(frozen=True)
class TablePart:
    """One part of a table."""

    part: str  # systems, topics, measures, replicates, scores, or columns
    count: int  # how many there are
    source: str  # where in the files they are
    examples: str  # some of them
    otherwise: str  # the option that says it otherwise


@dataclass(frozen=True)
class TableFacts:
    """How tables of scores were understood."""

    forms: tuple[str, ...]  # long, wide, or what a tool writes
    parts: tuple[TablePart, ...]  # what was read as what
    doubtful: tuple[str, ...] = ()  # measures whose names mean that less is better, and nothing says so
    unused: tuple[str, ...] = ()  # columns with several values for a topic

    def count(self, part: str) -> int:
        """How many there are of a part."""
        return next(own.count for own in self.parts if own.part == part)


def read_scores(data: object, options: CheckOptions) -> tuple[Scores, TableReading]:
    """The scores, some of which may be missing, and how their tables were understood, where that is known."""
    if is_to_be_read(data):
        table = table_of(data, is_measure, GivenNames(columns=options.columns))
        return Scores.of_table(table), table.reading
    opened = opened_with_gaps(cast("Given", data), options.workers, columns=options.columns)
    return opened.table("a check looks at them as they are"), TableReading(("scores that were read before",))


def table_facts(scores: Scores, reading: TableReading) -> TableFacts:
    """What is to be told of scores."""
    doubtful = tuple(str(measure) for measure in scores.measures if measure.needs_direction)
    return TableFacts(reading.forms, tuple(_parts(scores, reading.sources)), doubtful, scores.about.unused)


def _parts(scores: Scores, sources: Mapping[str, str]) -> Iterator[TablePart]:
    roles: Mapping[str, Sequence[str]] = {
        "system": scores.systems,
        "topic": scores.topics,
        "measure": [_directed(measure) for measure in scores.measures],
        "replicate": scores.replicates,
    }
    for role, names in roles.items():
        source = sources.get(role) or (_OF_FILE.get(role, "") if sources else "as the file says")
        yield TablePart(f"{role}s", len(names), source, _some(names), _otherwise(role, has_columns=bool(sources)))
    defined = scores.values[~np.isnan(scores.values)]
    span = f"{defined.min():g} to {defined.max():g}" if defined.size else "none"
    otherwise = _otherwise("score", has_columns=bool(sources))
    yield TablePart("scores", int(defined.size), sources.get("score", "as the file says"), span, otherwise)
    columns = list(scores.about.columns)
    of_topics = "one value for each topic" if columns else "nothing"
    yield TablePart("columns of topics", len(columns), of_topics, _some(columns), "--columns slice=NAME")


def _otherwise(role: str, *, has_columns: bool) -> str:
    """The option that says which column has a role; what a tool wrote names its measures and scores itself."""
    options = ["-m NAME, -m NAME:lower"] if role == "measure" else []
    is_of_columns = has_columns or role not in ("measure", "score")
    return "; ".join([*options, *([f"--columns {role}=NAME"] if is_of_columns else [])])


def _directed(measure: Measure) -> str:
    """A measure, and which scores of it are better."""
    return f"{measure} ({'no direction' if measure.direction is None else f'{measure.direction} is better'})"


def _some(names: Sequence[str]) -> str:
    cut = [name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…" for name in names[:_SHOWN]]
    return ", ".join(cut) + (", …" if len(names) > _SHOWN else "")
