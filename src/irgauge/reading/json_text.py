"""JSON as text: parsed, with a key that an object has twice refused, as the last one would hide the others."""

from __future__ import annotations

import json
from typing import Any


class TwiceError(ValueError):
    """A key that an object has twice."""


def loaded(text: str) -> Any:  # noqa: ANN401  # whatever JSON holds
    """What a text holds."""
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        again = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # None
        raise TwiceError(f"the key {again!r} appears twice in one object; remove one of the two")
    return made
