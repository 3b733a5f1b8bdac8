"""What was counted: docs/tests-of-means.csv, a row a kind of experiments and α, a column a test."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.tests_of_means import ROOT
from benchmarks.tests_of_means.decisions import TESTS

TABLE = ROOT / "docs" / "tests-of-means.csv"
SAME_MARGIN, SAME_MEAN = "type I, same margin", "type I, same mean"
TIES_LOST = "type I, same margin, ties lost to rounding"
POWER, TYPE_III = "power", "type III"
FITTING, RUNNING = "fitting", "running"  # rows of times alone
_HEAD = ("what", "measure", "topics", "difference", "alpha", "trials", "cpu seconds", "seconds")


class Row(NamedTuple):
    """Shares of trials that are significant at α, one of each test; or what something took."""

    what: str
    measure: str
    topics: int
    difference: float  # of the means
    alpha: float
    trials: int
    cpu_seconds: float
    seconds: float
    shares: tuple[float, ...]  # test

    def share(self, test: str) -> float:
        """That of a test."""
        return self.shares[TESTS.index(test)]

    def error(self, test: str) -> float:
        """Its Monte Carlo error; that of less than one trial where there is none."""
        share = self.share(test)
        return math.sqrt(share * (1 - share) / self.trials) if 0 < share < 1 else 1 / self.trials


def write(rows: Sequence[Row], path: Path = TABLE) -> None:
    """Keep them."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*_HEAD, *TESTS])
        for row in rows:
            numbers = [f"{one:.6g}" for one in row[3:8]]
            writer.writerow([*row[:3], *numbers, *(f"{share:.6g}" for share in row.shares)])


def read(path: Path = TABLE) -> list[Row]:
    """What was found before."""
    with path.open(newline="") as file:
        return [_row(cells) for cells in csv.DictReader(file)]


def _row(cells: dict[str, str]) -> Row:
    shares = tuple(float(cells[test]) for test in TESTS if cells[test])
    times = float(cells["cpu seconds"]), float(cells["seconds"])
    counts = int(cells["topics"]), float(cells["difference"]), float(cells["alpha"]), int(cells["trials"])
    return Row(cells["what"], cells["measure"], *counts, *times, shares)
