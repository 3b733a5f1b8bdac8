"""The numbers that papers print, typed into the files of `printed`; and whether one of ours is the printed one."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import copysign, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from irgauge.inference.intervals import critical_t
from irgauge.show.references import REFERENCES

Key = tuple[str, ...]
_FILES = files("irgauge.papers") / "printed"
_NOTHING, _ILLEGIBLE = "-", "?"  # a cell that is empty, and one that the stored text does not give
_NUMBER = re.compile(r"(?P<below><)?(?P<digits>[+-]?\d+(?:\.(?P<decimals>\d+))?(?:e(?P<exponent>[+-]?\d+))?)%?")


@dataclass(frozen=True)
class Number:
    """A number as printed: its value, and the unit of its last digit."""

    value: float
    unit: float
    below: bool  # printed as "less than"


@dataclass(frozen=True)
class Printed:
    """One printed value: `text` is a number, or "yes" or "no": whether the paper says that `key` holds."""

    collection: str
    key: Key  # such as row and column
    text: str

    @property
    def number(self) -> Number | None:
        """What the text says; None for a statement."""
        return None if self.text in ("yes", "no") else number(self.text)


@dataclass(frozen=True)
class Exhibit:
    """A table or a figure of a paper, with every number that can be read in it."""

    name: str  # "paper/table-5"
    shows: str
    values: tuple[Printed, ...]
    illegible: int  # cells that the stored text of the paper does not give


@dataclass(frozen=True)
class Paper:
    """A paper, and its tables and figures that show data."""

    key: str
    short: str
    reference: str
    exhibits: Mapping[str, Exhibit]  # "table-5" -> what it prints


def number(text: str) -> Number:
    """Read a number as it is printed.

    >>> number("0.3675")
    Number(value=0.3675, unit=0.0001, below=False)
    >>> number("2.4e-27").unit
    1e-28
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a number as papers print them")
    places = int(match["exponent"] or 0) - len(match["decimals"] or "")
    return Number(float(match["digits"]), float(f"1e{places}"), match["below"] is not None)


@cache
def papers() -> Mapping[str, Paper]:
    """All papers, by their keys."""
    names = sorted(file.name for file in _FILES.iterdir() if file.name.endswith(".toml"))
    return {name.removesuffix(".toml"): _paper(name.removesuffix(".toml")) for name in names}


def exhibit(name: str) -> Exhibit:
    """What the table or figure "paper/table-5" prints."""
    paper, _, which = name.partition("/")
    return papers()[paper].exhibits[which]


def _paper(key: str) -> Paper:
    typed = tomllib.loads((_FILES / f"{key}.toml").read_text(encoding="utf-8"))
    about = typed.pop("paper")
    exhibits = {name: _exhibit(f"{key}/{name}", fields) for name, fields in typed.items()}
    return Paper(key, about["short"], REFERENCES[about.get("of", key)], exhibits)


def _exhibit(name: str, typed: Mapping[str, Any]) -> Exhibit:
    cells = [cell for grid in typed.get("grid", []) for cell in _cells(name, grid)]
    read = tuple(cell for cell in cells if cell.text != _ILLEGIBLE)
    if len({(cell.collection, cell.key) for cell in cells}) < len(cells):
        raise ValueError(f"{name} has two values of one name")
    return Exhibit(name, typed["shows"], read, illegible=len(cells) - len(read))


def _cells(name: str, grid: Mapping[str, Any]) -> Iterator[Printed]:
    """The cells of a grid: a row is its label and one value for each column."""
    columns = grid["columns"]
    for line in grid["rows"].strip().splitlines():
        label, *values = shlex.split(line)
        if len(values) != len(columns):
            raise ValueError(f"{name}: '{line}' has {len(values)} values for {len(columns)} columns")
        for column, text in zip(columns, values, strict=True):
            if text != _NOTHING:
                yield Printed(grid["collection"], (*grid.get("under", []), label, column), text)


CONFIDENCE = 0.95  # that all values of a table which depend on draws are inside their intervals
_ROUNDING = 1e-9  # of a unit: what binary fractions lose
_NIL = 1e-300  # a p printed as "0" fell below what double precision holds


class Verdict(StrEnum):
    """How a printed value compares with ours, from best to worst."""

    EXACT = "exact"
    SAMPLING = "within sampling"
    DIFFERS = "differs"
    NEEDS = "needs data"


@dataclass(frozen=True)
class Computed:
    """Our value: fixed, or a mean over draws (splits, images, seeds) with their standard deviation."""

    value: float
    sd: float = 0.0
    draws: int = 1
    printed_draws: int = 1  # draws that the printed value is a mean of

    @classmethod
    def over(cls, values: ArrayLike, printed_draws: int = 1) -> Self:
        """The mean of what several draws gave."""
        draws = np.asarray(values, float)
        sd = float(draws.std(ddof=1)) if np.ptp(draws) else 0.0  # where draws agree, not what rounding leaves
        return cls(float(draws.mean()), sd, draws.size, printed_draws)

    @property
    def error(self) -> float:
        """The standard error of the difference to the printed value."""
        return self.sd * sqrt(1 / self.draws + 1 / self.printed_draws)


@dataclass(frozen=True)
class Lacking:
    """What the data would need to have before a statement can be asked of them."""

    what: str


@dataclass(frozen=True)
class JudgedValue:
    """A printed value beside ours."""

    printed: Printed
    ours: float | None  # None: not computed
    difference: float | None  # ours less the printed one
    z: float | None  # from ours to what rounds to the printed value, in standard errors, where ours depends on draws
    verdict: Verdict
    reason: str = ""  # why it differs, or what is needed


def judge(printed: Printed, ours: Computed | bool | Lacking, values: int, why: str) -> JudgedValue:  # noqa: FBT001  # a result
    """Compare; `values` of one table are to be inside their intervals together, `why` is the known reason if not."""
    if isinstance(ours, Lacking):
        return JudgedValue(printed, None, None, None, Verdict.NEEDS, ours.what)
    if isinstance(ours, bool):
        holds = ours == (printed.text == "yes")
        verdict = Verdict.EXACT if holds else Verdict.DIFFERS
        return JudgedValue(printed, float(ours), None, None, verdict, "" if holds else why)
    number = printed.number
    if number is None:
        raise TypeError(f"{printed.key} is a statement; it needs yes or no, not {ours.value}")
    difference = ours.value - number.value
    z = _beyond(difference, number.unit / 2) / ours.error if ours.error else None
    verdict = _verdict(number, ours, values)
    return JudgedValue(printed, ours.value, difference, z, verdict, "" if verdict != Verdict.DIFFERS else why)


def _beyond(difference: float, rounding: float) -> float:
    """What rounding does not explain of a difference."""
    return copysign(max(0.0, abs(difference) - rounding), difference)


def _verdict(number: Number, ours: Computed, values: int) -> Verdict:
    if ours.draws == 1:
        return Verdict.EXACT if is_printed(number, ours.value) else Verdict.DIFFERS
    reached = reach(ours, values)
    if number.below:
        inside = ours.value - reached < number.value
    else:
        inside = abs(ours.value - number.value) <= reached + number.unit / 2
    return Verdict.SAMPLING if inside else Verdict.DIFFERS


def is_printed(number: Number, value: float) -> bool:
    """Whether a value is printed as these digits."""
    if number.below:
        return value < number.value
    if number.value == 0 and number.unit == 1:
        return abs(value) < _NIL
    return abs(value - number.value) <= number.unit * (0.5 + _ROUNDING)


def reach(ours: Computed, values: int) -> float:
    """Half the width of the interval for the printed value, one of so many (Bonferroni, Student's t)."""
    return critical_t((1 - CONFIDENCE) / values, ours.draws - 1) * ours.error
