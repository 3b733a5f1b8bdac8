"""The numbers that papers print, as they print them; typed into the files of `printed`."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from irgauge.show.references import REFERENCES

Key = tuple[str, ...]
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
    names = sorted(file.name for file in files("irgauge.papers.printed").iterdir() if file.name.endswith(".toml"))
    return {name.removesuffix(".toml"): _paper(name.removesuffix(".toml")) for name in names}


def exhibit(name: str) -> Exhibit:
    """What the table or figure "paper/table-5" prints."""
    paper, _, which = name.partition("/")
    return papers()[paper].exhibits[which]


def _paper(key: str) -> Paper:
    typed = tomllib.loads((files("irgauge.papers.printed") / f"{key}.toml").read_text(encoding="utf-8"))
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
