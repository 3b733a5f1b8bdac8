"""JSON of any result: in full precision, null for what is undefined, lists of numbers on one line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from irgauge.visible import visible


def to_json(value: object) -> str:
    """Any result, indented; signs that are not seen, and would command a terminal, are escaped."""
    return _escaped(_json(plain(value), "")) + "\n"


def _escaped(text: str) -> str:
    """JSON that means the same, without such signs; json.dumps escapes only those of ASCII."""
    return re.sub("[^\n -~]", lambda sign: _escape(sign[0]), text) if not text.isascii() or "\x7f" in text else text


def _escape(sign: str) -> str:
    return sign if visible(sign) == sign else json.dumps(sign)[1:-1]


def plain(value: object) -> Any:  # noqa: ANN401  # whatever a field holds
    """Dataclasses and mappings as objects, arrays and tuples as lists, NaN and infinities as None, at any depth."""
    if value is None or type(value) in (str, int, bool):  # first, for these and floats are the most
        return value
    if isinstance(value, float) and not isinstance(value, np.generic):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type) and not isinstance(value, Mapping):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, np.ndarray):
        is_plain = value.dtype.kind in "biu" or (value.dtype.kind == "f" and bool(np.isfinite(value).all()))
        return value.tolist() if is_plain else plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value), key=str)  # a set has no order of its own
    if isinstance(value, list | tuple | range):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int) else str(value)


def _json(value: object, indent: str) -> str:
    """Indented JSON. json.dumps indents in Python, number by number; here it writes whole lists of numbers."""
    deeper = indent + "  "
    if isinstance(value, Mapping) and value:
        items = [f"{json.dumps(key, ensure_ascii=False)}: {_json(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, list | Mapping) for item in value):
        return "[\n" + ",\n".join(deeper + _json(item, deeper) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
