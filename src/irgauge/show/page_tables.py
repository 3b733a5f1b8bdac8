"""How a table stands in the data of a page: by column; long ones packed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from irgauge.show.fitting import setting_of
from irgauge.show.latex import frame_of
from irgauge.show.packing import packed
from irgauge.show.table import Cell, Column, Table, decimals_of, is_numeric, shown_cell, shown_column
from irgauge.visible import visible

LONG = 200  # rows of a table that is drawn whole; longer ones are packed
_DIGITS = 7  # significant digits of numbers in the page


def table_data(table: Table) -> dict[str, object]:
    """The table as the page reads it."""
    by = None if table.group_by is None else table.names.index(table.group_by)
    head: dict[str, object] = {"title": visible(table.title), "caption": visible(table.caption), "group_by": by}
    head |= {"rows": len(table.rows), "latex": _latex(table)}
    heads = [_head(table, i) for i in range(len(table.columns))]
    if len(table.rows) <= LONG:
        columns = [_table_column(table, i) for i in range(len(table.columns))]
        return head | {"columns": [own | more for own, more in zip(heads, columns, strict=True)]}
    columns, numbers = packed(table)
    return head | {"columns": [own | more for own, more in zip(heads, columns, strict=True)], "packed": numbers}


def _head(table: Table, place: int) -> dict[str, object]:
    column = table.columns[place]
    bound = {} if column.below is None else {"below": column.below, "least": column.least}
    head = {
        "name": visible(column.shown),
        "id": column.name,
        "role": column.role,
        "decimals": decimals_of(table, column),
        "numeric": is_numeric(table, place),
    }
    return head | bound


def _latex(table: Table) -> dict[str, object]:
    """What stands around the rows in LaTeX, the columns that are set, and those whose names may be broken."""
    setting = setting_of(_widest(table))
    before, after = frame_of(setting)
    kept = [table.names.index(name) for name in setting.table.names]
    return {"before": before, "after": after, "columns": kept, "wrapped": [kept[i] for i in setting.wrapped]}


def _widest(table: Table) -> Table:
    """The first rows of a long table, and those with the widest cells: they are set as the whole is."""
    if len(table.rows) <= LONG:
        return table
    rows = dict.fromkeys(range(LONG))
    for place in range(len(table.columns)):
        rows |= dict.fromkeys(_extremes(table.cells(place), is_number=is_numeric(table, place)))
    return table.with_rows(table.rows[i] for i in sorted(rows))


def _extremes(cells: Sequence[Cell], *, is_number: bool) -> list[int]:
    """Where the least and the largest number stand, or the longest text."""
    if not is_number:
        return [cells.index(max(set(cells), key=lambda cell: (len(str(cell)), str(cell))))]
    numbers = np.array(cells, dtype=float)
    if not np.isfinite(numbers).any():
        return []
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    return [int(np.nanargmin(finite)), int(np.nanargmax(finite))]


def _table_column(table: Table, place: int) -> dict[str, object]:
    """A column with its kind; where the page could not write its cells as Python does, with their texts."""
    cells, texts = table.cells(place), shown_column(table, place)
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int}:
        return {"kind": "int"} | column_data(cells)
    if kinds <= {float, int} and not any(isinstance(cell, float) and math.isinf(cell) for cell in cells):
        decimals = decimals_of(table, table.columns[place])
        return {"kind": "float", "values": [_brief(cell, table.columns[place], decimals) for cell in cells]}
    if texts == ["–" if cell is None else cell for cell in cells]:
        return {"kind": "text"} | column_data(cells)
    return {"kind": "text", "values": [rounded(cell) for cell in cells], "shown": texts}


def _brief(cell: Cell, column: Column, decimals: int) -> Cell:
    """The number in few digits, unless these would be shown as another number."""
    brief: Cell = rounded(cell)
    if brief is None or shown_cell(brief, decimals, column.below) == shown_cell(cell, decimals, column.below):
        return brief
    return cell


def column_data(cells: Sequence[Any]) -> dict[str, object]:
    """Texts by their numbers in a list of those that differ, if that is shorter; numbers rounded."""
    texts = dict.fromkeys(cell for cell in cells if isinstance(cell, str))
    if all(cell is None or isinstance(cell, str) for cell in cells) and 2 * len(texts) < len(cells):
        place = {text: i for i, text in enumerate(texts)}
        return {"of": list(texts), "at": [None if cell is None else place[cell] for cell in cells]}
    return {"values": [rounded(cell) for cell in cells]}


def rounded(cell: Any) -> Any:  # noqa: ANN401  # of any data
    """A number in few digits; None for what is none."""
    if not isinstance(cell, float):
        return cell
    return float(f"{cell:.{_DIGITS}g}") if math.isfinite(cell) else None
