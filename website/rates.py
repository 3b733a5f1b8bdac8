"""How often methods err, from the table of calibration: of each the lowest and the highest cell."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

from website.markup import table, text

CELLS = Path(__file__).parents[1] / "docs" / "calibration.csv"
ERRORS = ("any pair", "each pair", "false discoveries")
Cell = Mapping[str, str]


@cache
def cells() -> tuple[Cell, ...]:
    """All cells that were promised something, and tried; not those that show what it does to ignore clusters."""
    with CELLS.open(encoding="utf-8", newline="") as lines:
        promised = [row for row in csv.DictReader(lines) if row["what"] in (*ERRORS, "coverage")]
    return tuple(row for row in promised if row["observed"] != "nan" and "ignored" not in row["method"])


def rates(is_chosen: Callable[[Cell], bool]) -> str:
    """A table of the methods that are chosen, a row for each population and promise; empty if there is none."""
    groups: dict[tuple[str, ...], list[Cell]] = {}
    for cell in filter(is_chosen, cells()):
        groups.setdefault((cell["method"], cell["population"], cell["what"]), []).append(cell)
    heads = ["method", "population", "what", "promised", "lowest", "highest", "liberal"]
    return table(heads, map(_row, groups.values())) if groups else ""


def _row(group: list[Cell]) -> list[str]:
    ordered = sorted(group, key=lambda cell: float(cell["observed"]))
    first, liberal = group[0], sum(cell["verdict"] == "liberal" for cell in group)
    sign = "≥" if first["what"] == "coverage" else "≤"
    told = [first["method"], first["population"], first["what"], f"{sign} {_percent(first['nominal'])}"]
    return [*map(text, told), _cell(ordered[0]), _cell(ordered[-1]), f"{liberal} of {len(group)}"]


def _cell(cell: Cell) -> str:
    return text(f"{_percent(cell['observed'])} ({cell['world']}, {cell['design']})")


def _percent(share: str) -> str:
    return f"{100 * float(share):.3g} %"


def named(label: str) -> Callable[[Cell], bool]:
    """Whether a cell is of a method of this name, alone or with what follows a comma."""
    return lambda cell: cell["method"] == label or cell["method"].startswith(f"{label}, ")


def corrected(label: str) -> Callable[[Cell], bool]:
    """Whether a cell is of a test with this correction, and nothing else."""
    return lambda cell: label in _corrections(cell["method"].split(", "))


def _corrections(parts: Iterable[str]) -> list[str]:
    _, *rest = parts
    return rest[0].split(" or ") if len(rest) == 1 else []
