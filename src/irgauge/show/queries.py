"""The texts of queries, where they are known, beside the ids of topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irgauge.show.table import Column

_LONGEST = 60  # characters of a query in a sentence


def query_column(records: Sequence[Mapping[str, Any]]) -> list[Column]:
    """A column for the texts of queries, where a row has one."""
    return [Column("query")] if any(record.get("query") for record in records) else []


def topic_told(topic: str, query: str | None) -> str:
    """A topic in a sentence, with the text of its query.

    >>> topic_told("q1", "who sang it"), topic_told("q2", None)
    ("q1 ('who sang it')", 'q2')
    """
    if query is None:
        return topic
    return f"{topic} ('{query if len(query) <= _LONGEST else query[: _LONGEST - 1] + '…'}')"
