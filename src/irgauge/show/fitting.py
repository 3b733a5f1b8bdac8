"""How a table fits a page: in which type, with what wrapped, and whether it needs the page's long side."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from irgauge.show.escapes import printable
from irgauge.show.marked import Marked
from irgauge.show.table import Cell, Table, is_numeric, shown_column
from irgauge.show.typeset import BOLD, RAISED, levelled, narrowest, width_of

# points of LaTeX's article, which are fewer than those of most journals; a page has 345 and its long side 550, but in
# documents of 11 and 12 points the type grows faster than the page
COLUMN, PAGE, LONG_SIDE = 220.0, 328.0, 450.0
INDENT = 0.5  # ems of the second and later lines of a wrapped text
_SLIGHT = 0.01  # ems that make no difference
_MOST_LINES = 40  # of a table that is not broken over pages
_DIGITS = str.maketrans(dict.fromkeys("123456789", "0"))


class Size(NamedTuple):
    """A size of type, and the space between columns."""

    command: str
    em: float  # points, in a document of 10 points
    gap: float  # points on either side of a column


USUAL = Size("", 10, 6)
_SMALL, _SMALLEST = Size(r"\small", 9.25, 4), Size(r"\footnotesize", 8.5, 3)
_SIZES = (USUAL, Size(r"\small", 9.25, 5), _SMALL, Size(r"\footnotesize", 8.5, 4), _SMALLEST)
_LAST = Size(r"\scriptsize", 8, 2.5)


@dataclass(frozen=True)
class SetColumn:
    """A column as it is set; widths are in ems."""

    head: str
    is_number: bool
    shown: tuple[str, ...]
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, table: Table, place: int) -> SetColumn:
        """A column of a table; negative numbers have a minus sign."""
        is_number = is_numeric(table, place)
        texts = shown_column(table, place)
        shown = (re.sub("^-", "−", text) for text in texts) if is_number else map(printable, texts)
        head = printable(table.columns[place].shown)
        return cls(head, is_number, tuple(shown), tuple(row[place] for row in table.rows))

    @cached_property
    def has_marks(self) -> bool:
        """Whether some of its numbers stand out."""
        return any(isinstance(cell, Marked) for cell in self.cells)

    @cached_property
    def _widest(self) -> float:
        numbers = max(map(width_of, _shapes(self.shown)), default=0.0)
        if not self.has_marks:
            return numbers
        marks = (width_of(cell.mark) for cell in self.cells if isinstance(cell, Marked))
        return BOLD * numbers + RAISED * max(marks)

    def most(self, *, is_folded: bool) -> float:
        """The width that it takes if nothing is wrapped but, where that is folded, its head."""
        return max(_widest_word(self.head) if is_folded else width_of(self.head), self._widest)

    @cached_property
    def least(self) -> float:
        """The width that a column of texts takes at least."""
        return max(_widest_word(self.head), max(map(narrowest, _shapes(self.shown)), default=0.0) + INDENT)

    def head_lines(self, width: float) -> list[str]:
        """The head on lines of that width."""
        lines: list[str] = []
        for word in self.head.split():
            if lines and width_of(f"{lines[-1]} {word}") <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines


def _widest_word(text: str) -> float:
    return max(map(width_of, text.split()), default=0.0)


def _shapes(texts: Iterable[str]) -> set[str]:
    """Texts that differ in more than their digits, which are all as wide."""
    return {text.translate(_DIGITS) for text in texts}


@dataclass(frozen=True)
class Setting:
    """A way to set a table: its type, whether heads and texts are wrapped, and the room that there is."""

    table: Table
    columns: tuple[SetColumn, ...]
    room: float  # points
    size: Size
    has_folded_heads: bool
    wraps: bool = False

    @cached_property
    def _most(self) -> list[float]:
        return [column.most(is_folded=self.has_folded_heads) for column in self.columns]

    @cached_property
    def widths(self) -> list[float]:
        """The width of each column, in ems; numbers are never wrapped."""
        if not self.wraps:
            return self._most
        each = zip(self.columns, self._most, strict=True)
        least = [most if column.is_number else min(column.least, most) for column, most in each]
        return levelled(least, self._most, (self.room - self.gaps) / self.size.em)

    @cached_property
    def wrapped(self) -> tuple[int, ...]:
        """The columns that are narrower than their texts."""
        return tuple(i for i, width in enumerate(self.widths) if width < self._most[i] - _SLIGHT)

    @property
    def gaps(self) -> float:
        """The points between columns."""
        return 2 * self.size.gap * (len(self.columns) - 1)

    @property
    def points(self) -> float:
        """The width of the table."""
        return sum(self.widths) * self.size.em + self.gaps

    @property
    def fits(self) -> bool:
        """Whether there is room for it."""
        return self.points <= self.room

    @property
    def is_long(self) -> bool:
        """Whether it is broken over pages."""
        return self.room == LONG_SIDE or self._lines() > _MOST_LINES

    def _lines(self) -> int:
        """About how many lines the rows take."""
        if not self.wrapped:
            return len(self.table.rows)
        wrapped = [(self.columns[i].shown, self.widths[i]) for i in self.wrapped]
        return sum(
            max(math.ceil(width_of(shown[row]) / width) for shown, width in wrapped)
            for row in range(len(self.table.rows))
        )


def setting_of(table: Table) -> Setting:
    """The first way to set a table that fits; where none does, the last.

    In order: in a column, if it is made for one, then on a page; there without minor columns; then along the page's
    long side. Each with smaller type, heads on several lines, and texts wrapped.
    """
    ways = _ways(table)
    last = next(ways)
    while not last.fits and (way := next(ways, None)):
        last = way
    return last


def _ways(table: Table) -> Iterator[Setting]:
    columns = tuple(SetColumn.of(table, i) for i in range(len(table.columns)))
    fewer = table.without(*(column.name for column in table.columns if column.is_minor))
    of_fewer = tuple(
        set_column for set_column, column in zip(columns, table.columns, strict=True) if not column.is_minor
    )
    if table.in_column:
        yield from _sizes(table, columns, COLUMN)
    yield from _sizes(table, columns, PAGE)
    if len(fewer.columns) < len(columns):
        yield from _sizes(fewer, of_fewer, PAGE)
    yield from _sizes(table, columns, LONG_SIDE)
    yield Setting(fewer, of_fewer, LONG_SIDE, _LAST, has_folded_heads=True, wraps=True)


def _sizes(table: Table, columns: tuple[SetColumn, ...], room: float) -> Iterator[Setting]:
    for size in _SIZES:
        for is_folded in (False, True):
            yield Setting(table, columns, room, size, is_folded)
    for size in (_SMALL, _SMALLEST):
        for is_folded in (False, True):
            yield Setting(table, columns, room, size, is_folded, wraps=True)
