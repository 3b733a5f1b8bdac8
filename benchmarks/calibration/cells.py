"""A method, a world to try it in, and what is counted there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar
from zlib import crc32

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError

Drawn = TypeVar("Drawn")
What = Literal[
    "any pair",
    "each pair",
    "false alarm",
    "false discoveries",
    "coverage",
    "power",
    "assurance",
    "any claim",
    "each claim",
]
Verdict = Literal["liberal", "conservative", "kept", "unclear", ""]
ALPHA = 0.05
SEED = 20140
TOLERANCE = 3.0  # Monte Carlo errors
NOMINAL: dict[What, float] = {
    "any pair": ALPHA,
    "each pair": ALPHA,
    "false alarm": ALPHA / 2,
    "false discoveries": ALPHA,
    "coverage": 1 - ALPHA,
    "power": math.nan,
    "assurance": 0.8,
    "any claim": 2 * ALPHA,
    "each claim": ALPHA,
}


@dataclass(frozen=True)
class Method(Generic[Drawn]):
    """A claim that the tool makes; `observe` takes what was drawn, and a seed, and gives the share that is counted."""

    name: str
    population: str
    what: What
    observe: Callable[[Drawn, int], float]
    is_slow: bool = False  # tried on a share of the draws


@dataclass(frozen=True)
class Cell(Generic[Drawn]):
    """A world with a design, and the methods that are tried in it, all on the same draws."""

    world: str
    design: str
    draw: Callable[[np.random.Generator], Drawn]
    methods: Sequence[Method[Drawn]]
    trials: int
    slow_trials: int


@dataclass(frozen=True)
class Group:
    """Claims of one kind: a table of the page."""

    name: str
    title: str
    text: str
    cells: Callable[[], list[Cell[Any]]]


class Row(NamedTuple):
    """What was counted of one method in one cell."""

    group: str
    method: str
    population: str
    what: What
    world: str
    design: str
    nominal: float
    observed: float
    error: float  # Monte Carlo
    trials: int
    refused: int  # draws for which the method gave no answer

    @property
    def verdict(self) -> Verdict:
        """Liberal or conservative beyond three Monte Carlo errors; unclear where too few draws could hide an α more."""
        if math.isnan(self.nominal) or math.isnan(self.observed):
            return ""
        is_error = self.what not in ("coverage", "assurance")
        off = (self.observed - self.nominal) * (1 if is_error else -1)  # above 0: more errors than promised
        within = TOLERANCE * self.error + 1e-12
        if abs(off) > within:
            return "liberal" if off > 0 else "conservative"
        return "unclear" if off > 0 and within > ALPHA else "kept"


class Asked(NamedTuple):
    """Which rows of the table are to be counted: of these groups, and of all worlds and methods where none is named."""

    groups: Sequence[str]
    worlds: Sequence[str] | None = None
    methods: Sequence[str] | None = None  # beginnings of names

    def has(self, row: Row) -> bool:
        """Whether a row is one of these."""
        in_world = self.worlds is None or row.world in self.worlds
        return row.group in self.groups and in_world and self.has_method(row.method)

    def has_method(self, name: str) -> bool:
        """Whether a method is one of these."""
        return self.methods is None or name.startswith(tuple(self.methods))


def measure(group: str, cell: Cell[Any], share: float) -> list[Row]:
    """Try all methods of a cell on a share of its draws, two at least."""
    trials, slow = (max(2, round(share * count)) for count in (cell.trials, cell.slow_trials))
    found: dict[str, list[float]] = {_key(method): [] for method in cell.methods}
    refused = dict.fromkeys(found, 0)
    key = crc32(f"{group}/{cell.world}/{cell.design}".encode())  # other cells do not matter
    for trial in range(trials):
        drawn = cell.draw(np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(key, trial))))
        for method in cell.methods:
            if trial < slow or not method.is_slow:
                try:
                    found[_key(method)].append(method.observe(drawn, trial))
                except DesignError:
                    refused[_key(method)] += 1
    return [_row(group, cell, method, found[_key(method)], refused[_key(method)]) for method in cell.methods]


def _key(method: Method[Any]) -> str:
    return f"{method.name}/{method.population}/{method.what}"


def _mean_and_error(found: Floats) -> tuple[float, float]:
    """The mean and its Monte Carlo error; where all are the same, less than one trial is not seen."""
    spread, n = float(found.std(ddof=1)), len(found)
    return float(found.mean()), spread / math.sqrt(n) if spread else 1 / n


def _row(group: str, cell: Cell[Any], method: Method[Any], found: Sequence[float], refused: int) -> Row:
    n = len(found)
    mean, error = _mean_and_error(np.array(found)) if n > 1 else (math.nan, math.nan)
    nominal = NOMINAL[method.what]
    where = (cell.world, cell.design)
    return Row(group, method.name, method.population, method.what, *where, nominal, mean, error, n, refused)
