"""A table arranged for a paper: some of its systems and columns, in another order, under other names, rounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from irgauge.choices import known
from irgauge.errors import DesignError
from irgauge.show.marks import Marked, Noted
from irgauge.show.table import Cell, Column, Table, decimals_of

_MOST_DECIMALS = 15  # of a double


def arranged(
    table: Table,
    decimals: int | Mapping[str, int] | None,
    systems: Sequence[str] | Mapping[str, str] | None,
    columns: Sequence[str] | Mapping[str, str] | None,
) -> Table:
    """The table with these systems and columns, rounded to so many decimals; what is the best then is in bold."""
    if systems is not None:
        table = _with_systems(table, _titles(systems, "systems"))
    if columns is not None:
        table = _with_columns(table, _titles(columns, "columns"))
    if decimals is not None:
        table = _with_decimals(table, decimals)
    return with_best_bold(table)


def _titles(names: Sequence[str] | Mapping[str, str], option: str) -> dict[str, str]:
    """The names that are asked for, and what each is called."""
    if isinstance(names, str):
        raise DesignError(
            f"{option} is '{names}'; it is a list, such as ['{names}'], or a mapping from names to titles"
        )
    titles = dict(names) if isinstance(names, Mapping) else {name: name for name in names}
    if not titles:
        raise DesignError(f"{option} is empty; name one at least, or leave it out")
    return titles


def _with_systems(table: Table, titles: Mapping[str, str]) -> Table:
    """The rows that are of these systems alone, in their order within each block of rows."""
    places = [place for place, column in enumerate(table.columns) if column.role == "system"]
    if not places:
        raise DesignError(f"the table '{table.name}' has no column of systems; leave systems out")
    present = dict.fromkeys(str(row[place]) for row in table.rows for place in places)
    shown = {known(name, present, "system"): title for name, title in titles.items()}
    order = {name: number for number, name in enumerate(shown)}
    rows = [row for row in table.rows if all(row[place] in shown for place in places)]
    blocks = list(dict.fromkeys(_block(table, row) for row in rows))
    rows.sort(key=lambda row: (blocks.index(_block(table, row)), *(order[str(row[place])] for place in places)))
    return table.with_rows(
        tuple(_renamed(cell, shown) if place in places else cell for place, cell in enumerate(row)) for row in rows
    )


def _block(table: Table, row: Sequence[Cell]) -> Cell:
    return None if table.group_by is None else row[table.names.index(table.group_by)]


def _renamed(cell: Cell, titles: Mapping[str, str]) -> Cell:
    title = titles[str(cell)]
    return Noted(title, cell.note) if isinstance(cell, Noted) else title


def _with_columns(table: Table, titles: Mapping[str, str]) -> Table:
    """These columns, in their order."""
    shown = {known(name, table.names, "column"): title for name, title in titles.items()}
    places = [table.names.index(name) for name in shown]
    kept = [_titled(table.columns[place], shown[table.names[place]]) for place in places]
    rows = tuple(tuple(row[place] for place in places) for row in table.rows)
    group_by = table.group_by if table.group_by in shown else None
    return replace(table, columns=tuple(kept), rows=rows, group_by=group_by)


def _titled(column: Column, title: str) -> Column:
    return column if title == column.name else replace(column, title=title)


def _with_decimals(table: Table, decimals: int | Mapping[str, int]) -> Table:
    """The table with other decimals of all columns, or of those named."""
    asked = decimals if isinstance(decimals, Mapping) else dict.fromkeys(table.names, decimals)
    own = {known(name, table.names, "column"): _checked(count) for name, count in asked.items()}
    columns = (replace(column, decimals=own.get(column.name, column.decimals)) for column in table.columns)
    return replace(table, columns=tuple(columns))


def _checked(decimals: int) -> int:
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= _MOST_DECIMALS:
        raise DesignError(f"decimals is {decimals!r}; it is a whole number from 0 to {_MOST_DECIMALS}")
    return decimals


def with_best_bold(table: Table) -> Table:
    """The table with what is shown as the best of each column with marks in bold."""
    columns = [_bold(column, table.cells(place), table) for place, column in enumerate(table.columns)]
    return table.with_rows(zip(*columns, strict=True))


def _bold(column: Column, cells: Sequence[Cell], table: Table) -> Iterable[Cell]:
    marked = [cell for cell in cells if isinstance(cell, Marked)]
    if not marked:
        return cells
    decimals = decimals_of(table, column)
    best = f"{min(marked) if column.is_lower else max(marked):.{decimals}f}"
    return (
        Marked(cell, cell.mark, is_bold=f"{cell:.{decimals}f}" == best) if isinstance(cell, Marked) else cell
        for cell in cells
    )
