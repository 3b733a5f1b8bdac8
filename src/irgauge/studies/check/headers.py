"""The main fields of an ir_metadata header, whatever of it a file has: https://www.ir-metadata.org."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irgauge.reading.comments import Header

_NAMES = ("name", "method")  # what an item of a list is called


def main_fields(header: Header) -> dict[str, str | None]:
    """Tag, retrieval pipeline, test collection, research goal and actor of a run, as text; None where there is none.

    >>> found = main_fields({"tag": "a", "method": {"retrieval": [{"name": "bm25"}, {"name": "monoT5"}]}})
    >>> found["tag"], found["retrieval"], found["goal"]
    ('a', 'bm25, monoT5', None)
    """
    return {
        "tag": _text(header.get("tag")),
        "retrieval": _text(_at(header, "method", "retrieval")),
        "collection": _text(_at(header, "data", "test collection", "name")),
        "goal": _joined(_at(header, "research goal", "venue", "name"), _at(header, "research goal", "venue", "year")),
        "baseline": _text(_at(header, "research goal", "evaluation", "baseline")),
        "team": _text(_at(header, "actor", "team")),
    }


def _at(header: Any, *keys: str) -> Any:  # noqa: ANN401  # a header may hold anything anywhere
    for key in keys:
        header = header.get(key) if isinstance(header, Mapping) else None
    return header


def _text(value: Any) -> str | None:  # noqa: ANN401  # as above
    """A text, the names of a list's items, or the name of a mapping."""
    if isinstance(value, list):
        return _joined(*value, between=", ")
    if isinstance(value, Mapping):
        return next((_text(value[name]) for name in _NAMES if name in value), None)
    return str(value) if value else None


def _joined(*values: Any, between: str = " ") -> str | None:  # noqa: ANN401  # as above
    return between.join(filter(None, map(_text, values))) or None
