"""Long tables in a page: whole numbers by column, each less what the columns before it tell, deflated.

A number is kept at the decimals that readers see, a text as its place in a list. The page undoes it in `packing.js`.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.show.table import Cell, Column, Table, decimals_of, finite, is_numeric, shown_of


def deflated(content: bytes) -> dict[str, object]:
    """How many bytes they are, and these deflated, in base64."""
    packer = zlib.compressobj(wbits=-15)
    return {"size": len(content), "data": base64.b64encode(packer.compress(content) + packer.flush()).decode()}


_MOST = 2**31 - 1  # of the whole numbers that are kept so
_ODD = 50  # one number in so many may be written out
_FITTED = 5_000  # rows that a guess is fitted to, at most
_NEAR = 1e-4  # to a tie between two decimals: multiplied numbers are less exact than their digits


@dataclass(frozen=True)
class Whole:
    """A column as whole numbers."""

    kind: str  # int, float: in units of the last decimal; listed: places in the list of cells
    numbers: Ints  # row
    known: Bools  # row: whether there is a number
    odd: Mapping[int, tuple[Cell, str]] = field(default_factory=dict)  # row -> what is no such number, and as shown


@dataclass(frozen=True)
class Guess:
    """What is known of a column before it is read: its row above, or columns before it, each so many times."""

    of: dict[str, object]  # as the page is told
    numbers: Ints  # row


class Listed:
    """The cells that differ, with what readers see."""

    def __init__(self) -> None:
        self._places: dict[tuple[type, Cell, str], int] = {}

    def places(self, table: Table, place: int, cells: Sequence[Cell]) -> Ints:
        """Where the cells of a column stand in the list; row."""
        column, decimals = table.columns[place], decimals_of(table, table.columns[place])
        is_float = float in set(map(type, cells)) and is_numeric(table, place)
        keys = list(zip(map(type, cells), cells, strict=True))  # 1 is not True
        by_key = {key: self._place(key, column, decimals, is_float=is_float) for key in dict.fromkeys(keys)}
        return np.fromiter(map(by_key.__getitem__, keys), dtype=np.int64, count=len(keys))

    def _place(self, key: tuple[type, Cell], column: Column, decimals: int, *, is_float: bool) -> int:
        kind, cell = key
        text = shown_of(float(cell) if is_float and isinstance(cell, int) else cell, column, decimals)
        return self._places.setdefault((kind, cell, text), len(self._places))

    def text(self) -> str:
        """As JSON: the cells, and the texts of those that are shown as another text."""
        cells = [_plain(cell) for _, cell, _ in self._places]
        shown = {i: text for i, (_, cell, text) in enumerate(self._places) if text != cell}
        return json.dumps({"cells": cells, "shown": shown}, separators=(",", ":"))


def _plain(cell: Cell) -> Cell:
    return float(f"{cell:.7g}") if isinstance(cell, float) else cell


def packed(table: Table) -> tuple[list[dict[str, object]], dict[str, object]]:
    """What the page is told of each column, and all numbers: how many bytes they are, and these in base64.

    >>> rows = tuple((f"s{i % 7}", i / 8, 2 * i) for i in range(2000))
    >>> columns, numbers = packed(Table("t", "T", (Column("system"), Column("mean"), Column("rank")), rows))
    >>> [column["kind"] for column in columns], len(str(numbers['data'])) < 400
    (['listed', 'float', 'int'], True)
    """
    listed = Listed()
    wholes = [_whole(table, i, listed) for i in range(len(table.columns))]
    heads: list[dict[str, object]] = []
    parts: list[bytes] = []
    before: list[Whole] = []
    for whole in wholes:
        guess = _best_guess(whole, before)
        rest = np.where(whole.known, whole.numbers - guess.numbers, 0)
        planes = _planes(rest)
        gaps = [] if whole.known.all() else [np.packbits(~whole.known, bitorder="little").tobytes()]
        odd = {row: [_plain(cell), text] for row, (cell, text) in whole.odd.items()}
        head = {"kind": whole.kind, "guess": guess.of, "planes": len(planes), "gaps": bool(gaps), "odd": odd}
        heads.append(head)
        parts += [*gaps, *planes]
        before.append(Whole(whole.kind, guess.numbers + rest, whole.known))
    text = listed.text().encode()
    return heads, deflated(b"".join([len(text).to_bytes(4, "little"), text, *parts]))


# columns as whole numbers


def _whole(table: Table, place: int, listed: Listed) -> Whole:
    cells = table.cells(place)
    kinds = set(map(type, cells)) - {type(None)}
    if kinds <= {int}:
        made = _ints(cells, table.columns[place])
    elif kinds <= {int, float}:
        made = _floats(cells, table.columns[place], decimals_of(table, table.columns[place]))
    else:
        made = None
    return made or _places(table, place, cells, listed)


def _places(table: Table, place: int, cells: Sequence[Cell], listed: Listed) -> Whole:
    kept = [cell for cell in cells if finite(cell) is not None]
    if len(kept) == len(cells):
        return Whole("listed", listed.places(table, place, cells), np.ones(len(cells), dtype=bool))
    known = np.array([finite(cell) is not None for cell in cells], dtype=bool)
    numbers = np.zeros(len(cells), dtype=np.int64)
    numbers[known] = listed.places(table, place, kept)
    return Whole("listed", numbers, known)


def _ints(cells: Sequence[Cell], column: Column) -> Whole | None:
    if any(cell is not None and abs(cell) > _MOST for cell in cells):  # type: ignore[arg-type]  # they are int
        return None
    known = np.array([cell is not None for cell in cells], dtype=bool)
    numbers = np.array([cell or 0 for cell in cells], dtype=np.int64)
    return Whole("int", _bounded(numbers, numbers, column), known)


def _floats(cells: Sequence[Cell], column: Column, decimals: int) -> Whole | None:
    """Numbers in units of the last decimal; None if too many are too small or too large for that."""
    values = np.array(cells, dtype=float)  # None becomes NaN
    known = np.isfinite(values)
    with np.errstate(over="ignore"):  # what is too large is odd
        scaled = np.where(known, values, 0.0) * 10.0**decimals
    is_below = (values < column.below) if column.below is not None else np.zeros(len(values), dtype=bool)
    is_odd = known & ~is_below & ((np.abs(scaled) > _MOST) | ((np.abs(scaled) < 0.5 + _NEAR) & (scaled != 0)))
    odd = {i: (cells[i], shown_of(float(values[i]), column, decimals)) for i in np.flatnonzero(is_odd).tolist()}
    if len(odd) > len(cells) // _ODD:
        return None
    numbers = _rounded(np.where(is_odd, 0.0, values), np.where(is_odd, 0.0, scaled), decimals)
    return Whole("float", _bounded(numbers, values, column), known, odd)


def _rounded(values: Floats, scaled: Floats, decimals: int) -> Ints:
    """As Python rounds where it writes digits."""
    numbers = np.rint(scaled).astype(np.int64)
    for i in np.flatnonzero(np.abs(np.abs(scaled - np.rint(scaled)) - 0.5) < _NEAR).tolist():
        numbers[i] = int(f"{values[i]:.{decimals}f}".replace(".", ""))
    return numbers


def _bounded(numbers: Ints, values: Floats | Ints, column: Column) -> Ints:
    """What is shown as below a bound is -1."""
    return numbers if column.below is None else np.where(values < column.below, -1, np.maximum(numbers, 0))


# what is known of a column before


def _best_guess(whole: Whole, before: Sequence[Whole]) -> Guess:
    """The guess that leaves the fewest digits."""
    return min(_guesses(whole, before), key=lambda guess: _digits(whole, guess))


def _digits(whole: Whole, guess: Guess) -> float:
    return float(np.log2(1.0 + np.abs((whole.numbers - guess.numbers)[whole.known])).sum())


def _guesses(whole: Whole, before: Sequence[Whole]) -> Iterator[Guess]:
    yield Guess({"plus": 0, "columns": [], "times": []}, np.zeros_like(whole.numbers))
    yield Guess({"above": True}, _above(whole))
    for place, column in enumerate(before):
        yield _sum_of(before, [place], [1.0], 0.0)
        if column.kind != "listed" and whole.kind != "listed":
            yield from _fitted(whole, before, [place])
    several = [place for place, column in enumerate(before) if column.kind != "listed"]
    if len(several) > 1 and whole.kind != "listed":
        yield from _fitted(whole, before, several)


def _above(whole: Whole) -> Ints:
    """The last number above each row; 0 if there is none."""
    last = np.maximum.accumulate(np.where(whole.known, np.arange(len(whole.numbers)), -1))
    above = np.concatenate([[-1], last[:-1]])
    return np.where(above < 0, 0, whole.numbers[above])


def _fitted(whole: Whole, before: Sequence[Whole], places: Sequence[int]) -> Iterator[Guess]:
    """By least squares over some rows."""
    known = np.flatnonzero(whole.known)
    rows = known[:: max(1, len(known) // _FITTED)]
    if len(rows) < 10 * len(places):
        return
    columns = np.column_stack([np.ones(len(rows)), *(before[place].numbers[rows] for place in places)])
    plus, *times = np.linalg.lstsq(columns, whole.numbers[rows].astype(float), rcond=None)[0].tolist()
    if all(map(math.isfinite, (plus, *times))):
        yield _sum_of(before, places, times, plus)


def _sum_of(before: Sequence[Whole], places: Sequence[int], times: Sequence[float], plus: float) -> Guess:
    """Added up in the order in which the page does it, so that both round alike."""
    total = np.full(len(before[0].numbers), plus)
    for place, factor in zip(places, times, strict=True):
        total = total + factor * before[place].numbers
    of: dict[str, object] = {"plus": plus, "columns": list(places), "times": list(times)}
    return Guess(of, np.clip(np.floor(total + 0.5), -_MOST, _MOST).astype(np.int64))


def _planes(numbers: Ints) -> list[bytes]:
    """The lowest byte of all numbers, then the next; twice the number, and one less if it is below 0."""
    doubled = np.where(numbers < 0, -2 * numbers - 1, 2 * numbers)
    size = (int(doubled.max(initial=0)).bit_length() + 7) // 8
    return [(doubled >> (8 * i) & 255).astype(np.uint8).tobytes() for i in range(size)]
