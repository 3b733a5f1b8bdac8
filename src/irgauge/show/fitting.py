"""How a table fits a page: how wide its texts are when typeset, in which type, with what wrapped, and turned or not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from irgauge.show.escapes import latex_text, printable
from irgauge.show.marks import Marked
from irgauge.show.table import Cell, Table, is_numeric, shown_column

# ems of Computer Modern, rounded up, which is wider than Times and Libertine: letters about as wide
_EMS = {
    0.28: "il.,:;!'`|[]",
    0.4: "fjrstI()-_ ",
    0.45: "cez",
    0.5: 'ago0123456789/$?*\\~^{}–"',
    0.53: "kqvxyJ†‡",
    0.56: "bdhnpuS",
    0.69: "EFLPZ",
    0.79: "wABCDGHKNOQRTUVXY&+=@<>",
    0.84: "m%#−",
    1.03: "MW",
}
_WIDTHS = {sign: width for width, signs in _EMS.items() for sign in signs}
_OTHERS = 0.85  # of a sign that is not among them
BOLD = 1.16  # how much wider bold type is
RAISED = 0.9  # and that of superscripts, in the small sizes of type
_STEPS = 40  # of halving the range of a width
_SHORT, _WHOLE = 9, 16  # letters of a word that is never broken, and of one that is broken at signs only
_AT_SIGNS = re.compile(r"(?<=[_\-/+|])(?=[^_\-/+|])|(?<=[.:])(?=[A-Za-z])")
_LONG = re.compile(rf"([^\s_\-/+|]{{{_WHOLE + 1},}})")


def width_of(text: str) -> float:
    """The width of a text in ems.

    >>> round(width_of("0.25"), 2)
    1.78
    """
    return sum(_WIDTHS.get(sign, _OTHERS) for sign in text)


def pieces(word: str) -> list[str]:
    """A word cut where a line may end: a long one after signs, and a very long one anywhere.

    >>> pieces("SPLADE_P/en-US"), pieces("BM25_RM3")
    (['SPLADE_', 'P/', 'en-', 'US'], ['BM25_RM3'])
    """
    if len(word) <= _SHORT:
        return [word]
    parts = [part for piece in _AT_SIGNS.split(word) for part in _LONG.split(piece) if part]
    return [piece for part in parts for piece in (part if _LONG.fullmatch(part) else [part])]


def narrowest(text: str) -> float:
    """The width of the widest part that is never broken, in ems."""
    return max((width_of(piece) for word in text.split() for piece in pieces(word)), default=0.0)


def breakable(text: str) -> str:
    r"""A text in LaTeX, whose long names may be broken at the end of a line; LaTeX itself breaks after hyphens.

    >>> breakable("of SPLADE_P/en-US")
    'of SPLADE\\_\\allowbreak{}P/\\allowbreak{}en-US'
    """
    broken = (r"\allowbreak{}".join(map(latex_text, pieces(word))) for word in printable(text).split(" "))
    return " ".join(broken).replace(r"-\allowbreak{}", "-")


def levelled(least: Sequence[float], most: Sequence[float], room: float) -> list[float]:
    """Widths of columns that share some room: all the same, but none below its least and none above its most.

    They are wider than the room where that holds less than the least of all.

    >>> [round(width, 3) for width in levelled([1.0, 1.0, 4.0], [2.0, 9.0, 9.0], 11.0)]
    [2.0, 4.5, 4.5]
    """
    low, high = 0.0, max(most, default=0.0)
    for _ in range(_STEPS):
        level = (low + high) / 2
        low, high = (level, high) if sum(_between(level, least, most)) <= room else (low, level)
    return _between(low, least, most)


def _between(level: float, least: Sequence[float], most: Sequence[float]) -> list[float]:
    return [min(max(level, low), high) for low, high in zip(least, most, strict=True)]


# points of LaTeX's article, which are fewer than those of most journals; a page has 345 and its long side 550, but in
# documents of 11 and 12 points the type grows faster than the page
COLUMN, PAGE, LONG_SIDE = 220.0, 328.0, 450.0
INDENT = 0.5  # ems of the second and later lines of a wrapped text
_SLIGHT = 0.01  # ems that make no difference
_MOST_LINES = 40  # of a table that is not broken over pages
_DIGITS = str.maketrans(dict.fromkeys("123456789", "0"))


class TypeSize(NamedTuple):
    """A size of type, and the space between columns."""

    command: str
    em: float  # points, in a document of 10 points
    gap: float  # points on either side of a column


USUAL = TypeSize("", 10, 6)
_SMALL, _SMALLEST = TypeSize(r"\small", 9.25, 4), TypeSize(r"\footnotesize", 8.5, 3)
_SIZES = (USUAL, TypeSize(r"\small", 9.25, 5), _SMALL, TypeSize(r"\footnotesize", 8.5, 4), _SMALLEST)
_LAST = TypeSize(r"\scriptsize", 8, 2.5)


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
class TableSetting:
    """A way to set a table: its type, whether heads and texts are wrapped, and the room that there is."""

    table: Table
    columns: tuple[SetColumn, ...]
    room: float  # points
    size: TypeSize
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


def setting_of(table: Table) -> TableSetting:
    """The first way to set a table that fits; where none does, the last.

    In order: in a column, if it is made for one, then on a page; there without minor columns; then along the page's
    long side. Each with smaller type, heads on several lines, and texts wrapped.
    """
    ways = _ways(table)
    last = next(ways)
    while not last.fits and (way := next(ways, None)):
        last = way
    return last


def _ways(table: Table) -> Iterator[TableSetting]:
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
    yield TableSetting(fewer, of_fewer, LONG_SIDE, _LAST, has_folded_heads=True, wraps=True)


def _sizes(table: Table, columns: tuple[SetColumn, ...], room: float) -> Iterator[TableSetting]:
    for size in _SIZES:
        for is_folded in (False, True):
            yield TableSetting(table, columns, room, size, is_folded)
    for size in (_SMALL, _SMALLEST):
        for is_folded in (False, True):
            yield TableSetting(table, columns, room, size, is_folded, wraps=True)
