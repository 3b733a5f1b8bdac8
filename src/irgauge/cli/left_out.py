"""What a file of one table leaves out of a result, and how to get that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irgauge.studies.result import Result

_OF_ONE_TABLE = ("csv", "parquet")


def left_out(result: Result, form: str, output: Path | None) -> str:
    """The tables that a form does not hold, in a line that says how to get them; empty where it holds all."""
    others = [table.name for table in result.tables() if not table.is_main] if form in _OF_ONE_TABLE else []
    if not others:
        return ""
    written = "CSV" if output is None else output
    several = f"tables {', '.join(others)}: use" if len(others) > 1 else f"table {others[0]}: use"
    return f"note: {written} leaves out the {several} --table {others[0]} -o {others[0]}.csv"
