"""Columns that the options of a study name: by, cluster and weights those that describe topics; measures the scores.

They are known before tables are read, which may be far from where options are, so that they hold for a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from irgauge.reading.topic_table import described

if TYPE_CHECKING:
    from irgauge.reading.tables.sheet import Sheet

_OPTIONS = ("by", "cluster", "weights")
_NAMED: ContextVar[tuple[str, ...]] = ContextVar("columns that describe topics", default=())
_MEASURES: ContextVar[tuple[str, ...]] = ContextVar("columns that are measures", default=())
_IS_BESIDE: ContextVar[bool] = ContextVar("whether each table is of one system", default=False)


def columns_named(asked: Mapping[str, object]) -> list[str]:
    """The columns that options name.

    >>> columns_named({"by": ["type", "lang"], "cluster": "user", "weights": None, "alpha": 0.05})
    ['type', 'lang', 'user']
    """
    values = [asked.get(name) for name in _OPTIONS]
    several = [[value] if isinstance(value, str) else value for value in values]
    return [name for names in several if isinstance(names, Sequence) for name in names if isinstance(name, str)]


def measures_named(asked: Mapping[str, object]) -> list[str]:
    """What measures are called, without directions and margins.

    >>> measures_named({"measures": ["took:lower:5%", "nDCG@10"]})
    ['took:lower:5%', 'took:lower', 'took', 'nDCG@10']
    """
    value = asked.get("measures")
    names = list(value) if isinstance(value, list | tuple) else [] if value is None else [value]
    parts = [str(name).split(":") for name in names]
    return [":".join(own[:count]) for own in parts for count in range(len(own), 0, -1)]


@contextmanager
def naming_columns(asked: Mapping[str, object]) -> Iterator[None]:
    """Take columns that options name, meanwhile, for those that describe topics, where they do, or for measures."""
    topics = _NAMED.set((*_NAMED.get(), *columns_named(asked)))
    measures = _MEASURES.set((*_MEASURES.get(), *measures_named(asked)))
    try:
        yield
    finally:
        _MEASURES.reset(measures)
        _NAMED.reset(topics)


@contextmanager
def one_system_each() -> Iterator[None]:
    """Tables that are read meanwhile hold one system each."""
    token = _IS_BESIDE.set(True)
    try:
        yield
    finally:
        _IS_BESIDE.reset(token)


def are_measures(columns: Sequence[str], unknown: Sequence[str]) -> bool:
    """Whether columns some of which are no known measures are said to be measures, and no systems."""
    is_mixed = len(unknown) < len(columns)
    return any(name in _MEASURES.get() for name in unknown) or (is_mixed and _IS_BESIDE.get())


def named_measures(names: Sequence[str]) -> list[str]:
    """Those columns among some that measures are asked for by."""
    return [name for name in names if name in _MEASURES.get()]


def named_columns() -> tuple[str, ...]:
    """The columns that are said to describe topics."""
    return _NAMED.get()


def named_of_topics(sheet: Sheet, topic: str | None, others: Sequence[str]) -> tuple[str, ...]:
    """Those columns among others that are named, and have one value for each topic."""
    named = [name for name in others if name in _NAMED.get()]
    return () if topic is None or not named else tuple(described(sheet, topic, named).columns)


class NamesColumns:
    """Options some of which may name columns."""

    def while_running(self) -> AbstractContextManager[None]:
        """While a verb runs, the columns that are named describe topics, or are measures."""
        return naming_columns(vars(self))
