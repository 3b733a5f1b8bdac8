"""Compiling, told while it lasts on a terminal: how many functions so far, beside the bar or on a line of its own."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

_CLEAR = "\r\x1b[K"  # the line, on every terminal that shows bars


class _Compiling:
    functions = 0  # that were compiled so far, or are being
    is_under_way = False


_compiling = _Compiling()


def told() -> str:
    """What is being compiled; empty where nothing is."""
    return f"compiling function {_compiling.functions}" if _compiling.is_under_way else ""


def show(functions: int, *, is_under_way: bool) -> None:
    """Take note of it, and say it on the line of a terminal unless that line has a bar."""
    _compiling.functions, _compiling.is_under_way = functions, is_under_way
    line = sys.__stderr__
    if line is not None and line is sys.stderr and line.isatty():  # a bar puts a stream of its own there
        with suppress(OSError):
            line.write(f"{_CLEAR}{told()}")
            line.flush()


def column() -> ProgressColumn:
    """The part of a bar that tells of compiling."""
    from rich.progress import ProgressColumn
    from rich.text import Text

    class Column(ProgressColumn):
        def render(self, task: object) -> Text:  # noqa: ARG002  # rich's interface
            return Text(told())

    return Column()
