"""What was counted, as a long table: docs/calibration.csv, a row a method, world and design."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import cast

from benchmarks.calibration import ROOT
from benchmarks.calibration.cells import Asked, Row, What
from benchmarks.calibration.groups import GROUPS

TABLE = ROOT / "docs" / "calibration.csv"


def merged(rows: Sequence[Row], asked: Asked) -> list[Row]:
    """These rows, in their places of before, and those that were not asked for, by groups; all are kept."""
    counted = {row[:6]: row for row in rows}
    before = [row for row in read() if row.group in GROUPS and (row[:6] in counted or not asked.has(row))]
    old = [counted.pop(row[:6], row) for row in before]
    places = {name: place for place, name in enumerate(GROUPS)}
    every = sorted([*old, *counted.values()], key=lambda row: places[row.group])
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*Row._fields, "verdict"])
        writer.writerows(
            [*(f"{one:.5g}" if isinstance(one, float) else one for one in row), row.verdict] for row in every
        )
    return every


def read() -> list[Row]:
    """What was found before."""
    if not TABLE.exists():
        return []
    with TABLE.open(newline="") as file:
        return [_row(one) for one in csv.DictReader(file)]


def _row(cells: dict[str, str]) -> Row:
    names = [cells[name] for name in ("group", "method", "population")]
    where = cells["world"], cells["design"]
    numbers = float(cells["nominal"]), float(cells["observed"]), float(cells["error"])
    counts = int(cells["trials"]), int(cells["refused"])
    return Row(names[0], names[1], names[2], cast(What, cells["what"]), *where, *numbers, *counts)


def line(row: Row) -> str:
    """A row for people."""
    return f"{row.method}, {row.population}, {row.what}: {percent(row)} ({row.world}, {row.design}; {row.verdict})"


def percent(row: Row) -> str:
    """The share that was observed, with its Monte Carlo error."""
    return f"{100 * row.observed:.1f} ± {100 * row.error:.1f} %"
