"""Columns that the options of a study name, as by, cluster or weights: they describe topics, and are no measures.

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


def columns_named(asked: Mapping[str, object]) -> list[str]:
    """The columns that options name.

    >>> columns_named({"by": ["type", "lang"], "cluster": "user", "weights": None, "alpha": 0.05})
    ['type', 'lang', 'user']
    """
    values = [asked.get(name) for name in _OPTIONS]
    several = [[value] if isinstance(value, str) else value for value in values]
    return [name for names in several if isinstance(names, Sequence) for name in names if isinstance(name, str)]


@contextmanager
def describing_topics(names: Sequence[str]) -> Iterator[None]:
    """Take columns of these names, meanwhile, for those that describe topics, where they do."""
    token = _NAMED.set((*_NAMED.get(), *names))
    try:
        yield
    finally:
        _NAMED.reset(token)


def named_of_topics(sheet: Sheet, topic: str | None, others: Sequence[str]) -> tuple[str, ...]:
    """Those columns among others that are named, and have one value for each topic."""
    named = [name for name in others if name in _NAMED.get()]
    return () if topic is None or not named else tuple(described(sheet, topic, named).columns)


class NamesColumns:
    """Options some of which may name columns of topics."""

    def while_running(self) -> AbstractContextManager[None]:
        """While a verb runs, the columns that are named describe topics."""
        return describing_topics(columns_named(vars(self)))
