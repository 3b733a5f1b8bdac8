"""Plain data as Python and R write them, so that a script holds them whatever names they have."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from irgauge.visible import encodable, visible

_WIDTH = 116  # columns
_CONSTANTS: Mapping[object, str] = {True: "TRUE", False: "FALSE", None: "NULL", math.inf: "Inf", -math.inf: "-Inf"}


def in_python(data: Mapping[str, object]) -> str:
    """Each value assigned to its name, in Python.

    >>> in_python({"ALPHA": 0.05, "TOPICS": [1, 2]})
    'ALPHA = 0.05\\nTOPICS = [1, 2]\\n'
    """
    return "".join(f"{name} = {_python(value)}\n" for name, value in data.items())


def _python(value: object, indent: str = "") -> str:
    deeper = indent + "    "
    if isinstance(value, dict):
        items = (f"{key!a}: {_python(item, deeper)}" for key, item in value.items())
        return "{\n" + "".join(f"{deeper}{item},\n" for item in items) + f"{indent}}}"
    if isinstance(value, list) and _is_nested(value):
        return "[\n" + "".join(f"{deeper}{_python(item, deeper)},\n" for item in value) + f"{indent}]"
    if isinstance(value, list):
        return f"[{_filled(map(_python, value), indent, deeper)}]"
    is_endless = isinstance(value, float) and not math.isfinite(value)
    return f'float("{value}")' if is_endless else ascii(_plain(value))


def in_r(data: Mapping[str, object]) -> str:
    """The same in R.

    >>> in_r({"ALPHA": 0.05, "NAMES": ['a"b', "c"], "MARGIN": None})
    'ALPHA <- 0.05\\nNAMES <- c("a\\\\U{22}b", "c")\\nMARGIN <- NULL\\n'
    """
    return "".join(f"{name} <- {_r(value)}\n" for name, value in data.items())


def _r(value: object, indent: str = "") -> str:
    deeper = indent + "  "
    if isinstance(value, dict):
        items = [f"\n{deeper}{key.replace(' ', '_')} = {_r(item, deeper)}" for key, item in value.items()]
        return f"list({','.join(items)}\n{indent})"
    if isinstance(value, list) and _is_nested(value):
        return "list(" + ",".join(f"\n{deeper}{_r(item, deeper)}" for item in value) + f"\n{indent})"
    if isinstance(value, list):
        return f"c({_filled(map(_r, value), indent, deeper)})"
    if isinstance(value, str):
        return f'"{_r_text(value)}"'
    is_constant = isinstance(value, bool) or value is None or value in (math.inf, -math.inf)
    return _CONSTANTS[value] if is_constant else repr(_plain(value))


def _plain(value: object) -> object:
    """A number of numpy as one of Python, which is written without its type."""
    return value.item() if isinstance(value, np.generic) else value


def _r_text(text: str) -> str:
    """What stands between quotes in R: ASCII, other signs by their numbers; R has no sign of number 0."""
    signs = encodable(text).replace("\0", visible("\0"))
    return re.sub(r'[^ -~]|["\\]', lambda sign: rf"\U{{{ord(sign[0]):x}}}", signs)


def _is_nested(values: list[object]) -> bool:
    return any(isinstance(value, dict | list) for value in values)


def _filled(values: Iterable[str], indent: str, deeper: str) -> str:
    """Values with commas between them; on lines of their own where they are many."""
    lines = list(_lines(values, _WIDTH - len(deeper)))
    return lines[0] if len(lines) == 1 else "\n" + ",\n".join(f"{deeper}{line}" for line in lines) + f"\n{indent}"


def _lines(values: Iterable[str], width: int) -> Iterator[str]:
    """As many values on a line as fit."""
    line = ""
    for value in values:
        if line and len(line) + len(value) > width:
            yield line
            line = ""
        line = f"{line}, {value}" if line else value
    yield line


ASSIGNED: Mapping[str, Callable[[Mapping[str, object]], str]] = {"python": in_python, "r": in_r}
