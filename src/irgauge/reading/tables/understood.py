"""TableReading: how a table was understood, so that it can be told: its form, and what holds each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irgauge.reading.tables.sheet import Sheet

_LONG = "a long table, with a score in each row"
_ACROSS = "the names of columns"


@dataclass(frozen=True)
class TableReading:
    """The form of a table, and role -> where in it the labels or the scores are."""

    forms: tuple[str, ...] = ()  # of several tables, each once
    sources: Mapping[str, str] = field(default_factory=dict)  # of the first

    @property
    def has_systems_across(self) -> bool:
        """Whether names of columns are those of systems, which nothing but their form says."""
        return self.sources.get("system") == _ACROSS and "measure" not in self.sources

    @property
    def has_measures_across(self) -> bool:
        """Whether names of columns are those of measures."""
        return self.sources.get("measure") == _ACROSS


def long_reading(sheet: Sheet, columns: Mapping[str, str]) -> TableReading:
    """That of a table whose columns have these roles, or that a tool wrote."""
    if sheet.recognized is not None:
        return TableReading((f"{sheet.recognized.tool} ({sheet.recognized.becomes})",))
    return TableReading((_LONG,), _named(sheet, columns))


def wide_reading(
    sheet: Sheet, labels: Mapping[str, str], across: tuple[str, ...], *, is_numbered: bool
) -> TableReading:
    """That of a table with a column for each system or measure, or both; its topics may be the numbers of rows.

    >>> from irgauge.reading.tables.sheet import Origin, sheet_of
    >>> sheet = sheet_of({"qid": ["1"], "a": [0.5]}, Origin())
    >>> wide_reading(sheet, {"topic": "qid"}, ("system",), is_numbered=False).sources
    {'topic': "the column 'qid'", 'system': 'the names of columns', 'score': 'their cells'}
    """
    topics = {"topic": "the numbers of rows"} if is_numbered else {}
    sources = _named(sheet, labels) | topics | dict.fromkeys(across, _ACROSS) | {"score": "their cells"}
    column = " of each ".join(across)
    return TableReading((f"a wide table, with a row for each topic and a column for each {column}",), sources)


def _named(sheet: Sheet, columns: Mapping[str, str]) -> dict[str, str]:
    return {role: f"the column '{sheet.written.get(column, column)}'" for role, column in columns.items()}


def joined_reading(readings: Sequence[TableReading]) -> TableReading:
    """That of several tables."""
    forms = tuple(dict.fromkeys(form for reading in readings for form in reading.forms))
    return TableReading(forms, readings[0].sources)
