"""Kinds of topics: the topics that have a value in a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Indices
from irgauge.errors import DesignError
from irgauge.reading.topic_table import TopicTable

_MOST = 50  # slices of a column: with more it is a column of topics, not of kinds


class Slice(NamedTuple):
    """The topics that have a value in a column."""

    column: str
    value: str
    topics: Indices  # their places


def slices_of(about: TopicTable, columns: Sequence[str], topics: Sequence[str]) -> tuple[Slice, ...]:
    """The slices of each column, the largest first; topics without a value are in none."""
    return tuple(part for column in dict.fromkeys(columns) for part in _of_column(about, column, topics))


def _of_column(about: TopicTable, column: str, topics: Sequence[str]) -> list[Slice]:
    places = places_of_values(about, column, topics)
    check_kinds(column, len(places))
    parts = [Slice(column, value, own) for value, own in places.items()]
    return sorted(parts, key=lambda part: (-len(part.topics), part.value))


class NoKind(NamedTuple):
    """How many topics have no value in a column."""

    column: str
    without: int
    topics: int  # in all


def without_kind(about: TopicTable, columns: Iterable[str], topics: Sequence[str]) -> Iterator[NoKind]:
    """Of each column in which some topics have none."""
    for column in dict.fromkeys(columns):
        values = about.column(column)
        without = sum(topic not in values for topic in topics)
        if without:
            yield NoKind(column, without, len(topics))


def places_of_values(about: TopicTable, column: str, topics: Sequence[str]) -> dict[str, Indices]:
    """Value of a column -> the places of the topics that have it."""
    values = about.column(column)
    places: dict[str, list[int]] = {}
    for place, topic in enumerate(topics):
        if topic in values:
            places.setdefault(values[topic], []).append(place)
    return {value: np.array(own) for value, own in places.items()}


def check_kinds(column: str, values: int) -> None:
    """Refuse a column that tells no kinds apart."""
    if not 2 <= values <= _MOST:
        raise DesignError(
            f"the column '{column}' has {values} values on these topics; slices need 2 to {_MOST}: name another"
        )
