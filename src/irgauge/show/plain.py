"""A table in plain text: for a terminal, whose width it keeps to."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from irgauge.show.fitting import pieces
from irgauge.show.marks import plain_of
from irgauge.show.table import Cell, Table, ends_group, numeric_columns, shown_column
from irgauge.visible import visible

_NARROWEST = 12  # a wrapped column is no narrower
_NUMBER = re.compile(r"[-+−]?[0-9][-+0-9.,e]*")  # as cells show it
_FEW_BLOCKS = 6  # of a long table, that are cut each by itself


def text_of(table: Table, width: int | None, limit: int | None, more: str) -> str:
    """The rows and notes of a table, no wider than that, at most so many rows, with a word on how to get more."""
    count = len(table.rows)
    table = _narrowed(_cut(table, limit), width)
    ends = [ends_group(table, i) for i in range(len(table.rows))]
    parts = [table] if width is None else _parts(table, width)
    lines = [line for i, part in enumerate(parts) for line in (*([""] if i else []), *_grid(part, ends, width))]
    if len(table.rows) < count:
        lines.append(f"… {count - len(table.rows):,} more" + (f": {more}" if more else ""))
    texts = [visible(text, keep="\n") for text in (*table.notes, table.legend) if text]
    notes = [line for text in texts for line in textwrap.wrap(text, width or 100)]
    return "\n".join([*lines, *([""] if notes else []), *notes, ""])


def _grid(table: Table, ends: Sequence[bool], width: int | None) -> list[str]:
    """The head and the rows, some of which end their group."""
    numeric = numeric_columns(table)
    head = _heads(table)
    shown = _shown_rows(table)
    widths = _fitted([head, *shown], numeric, width)
    rule = "─" * _total(widths)
    lines = [*_lines(head, widths, numeric), rule]
    for row, is_end in zip(shown, ends, strict=True):
        lines += _lines(row, widths, numeric)
        if is_end:
            lines.append(rule)
    return lines


def _parts(table: Table, width: int) -> list[Table]:
    """The table; where it is too wide still, its columns in parts, each behind those that name the rows."""
    if _fits(table, width):
        return [table]
    named = _naming(table)
    parts: list[list[str]] = [[]]
    for name in table.names[named:]:
        if parts[-1] and not _fits(_only(table, [*table.names[:named], *parts[-1], name]), width):
            parts.append([])
        parts[-1].append(name)
    return [_only(table, [*table.names[:named], *part]) for part in parts]


def _naming(table: Table) -> int:
    """How many columns name the rows: the first, up to the last text that stands before numbers."""
    numeric = [*numeric_columns(table), True]
    first = next((i for i, is_number in enumerate(numeric) if not is_number), 0)
    return next(i for i, is_number in enumerate(numeric) if is_number and i >= first)


def _only(table: Table, names: Sequence[str]) -> Table:
    return table.without(*(name for name in table.names if name not in names))


def _fits(table: Table, width: int) -> bool:
    return _total(_fitted([_heads(table), *_shown_rows(table)], numeric_columns(table), width)) <= width


def _cut(table: Table, limit: int | None) -> Table:
    """The first rows of a table; of one with a few blocks, the first of each."""
    if limit is None or len(table.rows) <= limit:
        return table
    by = table.names.index(table.group_by) if table.group_by else None
    blocks: dict[Cell, list[tuple[Cell, ...]]] = {}
    for row in table.rows:
        blocks.setdefault(None if by is None else row[by], []).append(row)
    if len(blocks) > _FEW_BLOCKS:
        return replace(table, rows=table.rows[:limit])
    return replace(table, rows=tuple(row for rows in blocks.values() for row in rows[:limit]))


def _narrowed(table: Table, width: int | None) -> Table:
    """The table without its minor columns where it would be too wide with them."""
    minor = [column.name for column in table.columns if column.is_minor]
    return table.without(*minor) if width is not None and minor and not _fits(table, width) else table


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * len(widths) - 2


def _fitted(rows: Sequence[Sequence[str]], numeric: Sequence[bool], width: int | None) -> list[int]:
    """The width of each column: where the table is too wide, texts are wrapped, then heads; numbers never are."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if width is None:
        return widths
    floors = [_floor(rows, i, is_number=right) for i, right in enumerate(numeric)]
    while _total(widths) > width:
        room = [size - floor for size, floor in zip(widths, floors, strict=True)]
        widest = max(range(len(widths)), key=lambda i: (room[i] > 0, not numeric[i], widths[i]))
        if room[widest] <= 0:
            break
        widths[widest] -= 1
    return widths


def _floor(rows: Sequence[Sequence[str]], column: int, *, is_number: bool) -> int:
    """A column is no narrower than the words of its head; numbers are not broken, texts have some letters."""
    words = max(map(len, rows[0][column].split()), default=1)
    longest = max((len(row[column]) for row in rows[1:]), default=1)
    numbers = max((len(row[column]) for row in rows[1:] if _NUMBER.fullmatch(row[column])), default=1)
    return max(words, longest if is_number else max(numbers, min(_NARROWEST, longest)))


def _wrapped(cell: str, size: int) -> list[str]:
    """The lines of a cell; long names are broken after signs where that is possible."""
    lines = [""]
    for word in cell.split():
        for i, piece in enumerate(pieces(word)):
            joined = f"{lines[-1]}{' ' if i == 0 and lines[-1] else ''}{piece}"
            lines[-1:] = [joined] if len(joined) <= size else [lines[-1], *textwrap.wrap(piece, size)]
    return [line for line in lines if line]


def _lines(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> list[str]:
    """The lines of a row: several where a cell is wrapped."""
    cells = [_wrapped(cell, size) if len(cell) > size else [cell] for cell, size in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    lines = []
    for i in range(height):
        parts = [cell[i] if i < len(cell) else "" for cell in cells]
        padded = [
            part.rjust(size) if right else part.ljust(size)
            for part, size, right in zip(parts, widths, numeric, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return lines


def _heads(table: Table) -> list[str]:
    return [visible(column.shown) for column in table.columns]


def _shown_rows(table: Table) -> list[list[str]]:
    columns = [_text_column(table, i) for i in range(len(table.columns))]
    return list(map(list, zip(*columns, strict=True)))


def _text_column(table: Table, place: int) -> list[str]:
    """The cells of a column in plain text; numbers stay in line, whatever stands behind them."""
    cells = [row[place] for row in table.rows]
    parts = [plain_of(shown, cell) for shown, cell in zip(shown_column(table, place), cells, strict=True)]
    behind = max((len(mark) for _, mark in parts), default=0)
    return [f"{number}{mark:<{behind}}" for number, mark in parts]
