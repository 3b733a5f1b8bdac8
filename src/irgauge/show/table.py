"""One Table with named columns, many renderers: text, Markdown, LaTeX, CSV, HTML and records."""

from __future__ import annotations

import csv
import html
import io
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from irgauge.nouns import NONE, Nouns
from irgauge.reading.tables.text import guarded
from irgauge.show.escapes import markdown_text
from irgauge.show.marks import Noted, data_columns, html_of, markdown_of, noted_text
from irgauge.show.words import capital
from irgauge.visible import encodable, visible
from irgauge.wording import digits_of

if TYPE_CHECKING:
    import polars as pl


Cell = str | int | float | bool | None
Record = Mapping[str, Cell]
Role = Literal["", "system"]  # what a page does with the cells of a column: systems can be marked
LEAST_P = 1e-4  # a smaller p is shown as below it; data keep it in full
MORE = 20  # rows of a long table that a terminal shows


@dataclass(frozen=True)
class Column:
    """A column: the name by which code finds it, the title that readers see, what it means."""

    name: str
    title: str = ""  # the name, if not given
    explained: str = ""  # told once, under the table
    explained_as: str = ""  # what is explained, if more than this column; such as "low, high"
    role: Role = ""
    decimals: int | None = None  # those of the table, if not given
    is_minor: bool = False  # left out where a terminal or a page is too narrow
    below: float | None = None  # numbers below it are shown so
    is_lower: bool = False  # whether lower numbers are better

    @property
    def least(self) -> str:
        """What readers see for a number below the bound."""
        return "" if self.below is None else _least(self.below)

    @property
    def shown(self) -> str:
        """What stands at its head."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True)
class Table:
    """Rows under named columns, with a title; `notes` are sentences that belong to this table alone."""

    name: str  # of the table among those of its result: letters, digits and hyphens
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    decimals: int = 4
    group_by: str | None = None  # a column whose change starts a new block of rows
    is_long: bool = False  # a terminal shows the first rows only
    is_main: bool = False  # what CSV and frames hold
    in_column: bool = False  # LaTeX sets it for one column of a two-column page
    nouns: Nouns = field(default=NONE, repr=False, compare=False)  # what people read for topics and shards

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        records: Iterable[Record],
        columns: Iterable[Column | str] = (),
        notes: Sequence[str] = (),
        *,
        decimals: int = 4,
        group_by: str | None = None,
        is_long: bool = False,
        is_main: bool = False,
    ) -> Table:
        """A table of records: their columns in the order given, or all as they are.

        >>> Table.of("means", "Means", [{"system": "a", "mean": 0.5}], ["mean"]).rows
        ((0.5,),)
        """
        record_list = list(records)
        named = [column if isinstance(column, Column) else Column(column) for column in columns]
        chosen = tuple(named or [Column(key) for key in (record_list[0] if record_list else ())])
        rows = tuple(tuple(record[column.name] for column in chosen) for record in record_list)
        return cls(name, title, chosen, rows, tuple(notes), decimals, group_by, is_long, is_main)

    @classmethod
    def of_columns(
        cls,
        name: str,
        title: str,
        cells: Mapping[str, Sequence[Cell]],
        columns: Sequence[Column],
        notes: Sequence[str] = (),
        *,
        group_by: str | None = None,
        is_long: bool = False,
        is_main: bool = False,
    ) -> Table:
        """A table of the cells of each column; of many rows this is faster than by records.

        >>> Table.of_columns("means", "Means", {"system": ["a", "b"], "mean": [0.5, 0.25]}, [Column("mean")]).rows
        ((0.5,), (0.25,))
        """
        rows = tuple(zip(*(cells[column.name] for column in columns), strict=True))
        return cls(name, title, tuple(columns), rows, tuple(notes), 4, group_by, is_long, is_main)

    def with_rows(self, rows: Iterable[tuple[Cell, ...]]) -> Table:
        """The table with other rows."""
        return replace(self, rows=tuple(rows))

    def in_words(self) -> Table:
        """The table as people read it: with the nouns of its data."""
        if not self.nouns.words:
            return self
        said = self.nouns.said
        columns = tuple(
            replace(each, title=said(each.shown), explained=said(each.explained), explained_as=said(each.explained_as))
            for each in self.columns
        )
        is_name = [column.role == "system" for column in self.columns]
        rows = [
            tuple(cell if fixed else _in_words(cell, said) for cell, fixed in zip(row, is_name, strict=True))
            for row in self.rows
        ]
        notes = tuple(map(said, self.notes))
        return replace(self, title=said(self.title), columns=columns, rows=tuple(rows), notes=notes, nouns=NONE)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def cells(self, place: int) -> list[Cell]:
        """The cells of a column, by its place."""
        return [row[place] for row in self.rows]

    def column(self, name: str) -> list[Cell]:
        """The cells of a column."""
        return self.cells(self.names.index(name))

    def records(self) -> list[dict[str, Cell]]:
        """The rows as objects, in full precision; marks and notes stand in columns of their own."""
        names, rows = data_columns(self.names, self.rows)
        return [dict(zip(names, map(finite, row), strict=True)) for row in rows]

    def frame(self) -> pl.DataFrame:
        """The rows as a data frame, in full precision; marks and notes stand in columns of their own."""
        import polars as pl

        names, rows = data_columns(self.names, self.rows)
        columns = zip(*rows, strict=True) if rows else [()] * len(names)
        return pl.DataFrame({name: _series(cells) for name, cells in zip(names, columns, strict=True)})

    def where(self, **cells: Cell) -> Table:
        """The rows with these cells, without the columns that are then the same in all."""
        places = {self.names.index(name): cell for name, cell in cells.items()}
        rows = tuple(row for row in self.rows if all(row[i] == cell for i, cell in places.items()))
        return replace(self, rows=rows).without(*cells)

    def without(self, *names: str) -> Table:
        """The table without some columns."""
        kept = [i for i, name in enumerate(self.names) if name not in names]
        if len(kept) == len(self.columns):
            return self
        return replace(
            self,
            columns=tuple(self.columns[i] for i in kept),
            rows=tuple(zip(*map(self.cells, kept), strict=True)) if kept else ((),) * len(self.rows),
            group_by=None if self.group_by in names else self.group_by,
        )

    @property
    def legend(self) -> str:
        """What the columns mean, in one line."""
        return "; ".join(f"{_label(column)}: {column.explained}" for column in self.columns if column.explained)

    @property
    def legend_sentence(self) -> str:
        """The same as a sentence."""
        first = next((_label(column) for column in self.columns if column.explained), "")
        return f"{capital(self.legend) if len(first) > 2 else self.legend}." if first else ""

    @property
    def caption(self) -> str:
        """The notes, then what the columns mean."""
        return " ".join(filter(None, (*self.notes, self.legend_sentence)))

    def to_text(
        self,
        *,
        width: int | None = None,
        rows: int | None = None,
        more: str = "",
        heading: Callable[[str], str] = str,
    ) -> str:
        """For the terminal: no wider than `width`, at most so many `rows`, with a word on how to get `more`.

        `heading` makes the lines of the title stand out.
        """
        from irgauge.show.plain import text_of

        table = self.in_words()
        title = [heading(line) for line in textwrap.wrap(visible(table.title, keep="\n"), width or 100)]
        return "\n".join([*title, "", text_of(table, width, rows, more)])

    def to_markdown(self) -> str:
        """For a README or an issue."""
        table = self.in_words()
        rule = ["---:" if right else ":---" for right in numeric_columns(table)]
        head = [markdown_text(column.shown) for column in table.columns]
        rows = [head, rule, *_rows_in(table, markdown_text, markdown_of)]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        notes = [markdown_text(table.caption), ""] if table.caption else []
        return "\n".join([f"**{markdown_text(table.title)}**", "", *lines, "", *notes])

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        decimals: int | Mapping[str, int] | None = None,
        systems: Sequence[str] | Mapping[str, str] | None = None,
        columns: Sequence[str] | Mapping[str, str] | None = None,
    ) -> str:
        """For a paper: a booktabs table that fits the page, a longtable where it is longer than that.

        Parameters
        ----------
        caption : the caption in LaTeX, taken as it is; in place of the title and the notes
        label : what `\\ref` names, such as tab:main; the name of the table after `tab:` if not given
        decimals : of all numbers that are no counts, or of the columns that are named
        systems : those that are shown, in this order; a mapping gives each the name that is shown
        columns : those that are shown, in this order; a mapping gives each its title
        """
        from irgauge.show.arranging import arranged
        from irgauge.show.latex import table_text

        return table_text(arranged(self.in_words(), decimals, systems, columns), caption, label)

    def to_csv(self) -> str:
        """The rows in full precision, under the names of the columns.

        A text that spreadsheets would take as a formula, such as `=1+1` or `-x`, has an apostrophe before it, which
        our own readers take away again (see `irgauge.reading.tables.text`).
        """
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names, rows = data_columns(self.names, self.rows)
        writer.writerow(map(_csv, names))
        writer.writerows([_csv(cell) for cell in row] for row in rows)
        return encodable(out.getvalue())

    def to_html(self) -> str:
        """A table element, names escaped; for notebooks."""
        return _html(self.in_words())

    _repr_html_ = to_html

    def __str__(self) -> str:
        return self.to_text()


def _in_words(cell: Cell, said: Callable[[str], str]) -> Cell:
    """A cell as people read it; a name with a note stays, and numbers do."""
    if isinstance(cell, Noted):
        return Noted(str(cell), said(cell.note))
    return said(cell) if type(cell) is str else cell


def _series(cells: Sequence[Cell]) -> pl.Series:
    """A column of a data frame; numbers stay numbers where none of them is finite."""
    import polars as pl

    kind = pl.Float64 if set(map(type, cells)) == {float} else None
    return pl.Series([finite(cell) for cell in cells], dtype=kind, strict=False)


def finite(cell: Cell) -> Cell:
    """The cell; None for NaN and infinities, which JSON has not."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _csv(cell: Cell) -> Cell:
    """As data frames write it; no text is a formula."""
    if isinstance(cell, str):
        return guarded(cell)
    return str(cell).lower() if isinstance(cell, bool) else finite(cell)


def shown_cell(cell: Cell, decimals: int, below: float | None = None) -> str:
    """A cell as tables for readers show it.

    >>> shown_cell(0.25, 4), shown_cell(1e-9, 4), shown_cell(1e-9, 4, below=1e-4), shown_cell(None, 4)
    ('0.2500', '1.0e-09', '< 0.0001', '–')
    """
    if finite(cell) is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int | float) and below is not None and cell < below:
        return _least(below)
    if isinstance(cell, float):
        return digits_of(cell, 2) if 0 < abs(cell) < 0.5 * 10**-decimals else f"{cell:z.{decimals}f}"
    return visible(re.sub(r"\s", " ", noted_text(cell)))  # a row is a line


def _least(below: float) -> str:
    return f"< {below:g}"


def decimals_of(table: Table, column: Column) -> int:
    """The decimals with which a column is shown."""
    return table.decimals if column.decimals is None else column.decimals


def _label(column: Column) -> str:
    return column.explained_as or column.shown


def _rows_in(table: Table, escaped: Callable[[str], str], dressed: Callable[[str, Cell], str]) -> list[list[str]]:
    """The rows as readers see them in another language."""
    columns = [shown_column(table, i) for i in range(len(table.columns))]
    shown = zip(*columns, strict=True)
    return [
        [dressed(escaped(text), cell) for text, cell in zip(texts, row, strict=True)]
        for texts, row in zip(shown, table.rows, strict=True)
    ]


def shown_column(table: Table, place: int) -> list[str]:
    """The cells of a column as readers see them: numbers with the same decimals, counts with separators."""
    column, cells = table.columns[place], table.cells(place)
    if is_numeric(table, place) and any(isinstance(cell, float) for cell in cells):
        cells = [float(cell) if isinstance(cell, int) else cell for cell in cells]
    return [shown_of(cell, column, decimals_of(table, column)) for cell in cells]


def shown_of(cell: Cell, column: Column, decimals: int) -> str:
    """A cell of a column as readers see it."""
    if type(cell) is int and (column.below is None or cell >= column.below):
        return f"{cell:,}"
    return shown_cell(cell, decimals, column.below)


def is_numeric(table: Table, column: int) -> bool:
    """Whether a column holds numbers only."""
    kinds = set(map(type, table.cells(column)))
    return all(issubclass(kind, int | float | None) and kind is not bool for kind in kinds)


def numeric_columns(table: Table) -> list[bool]:
    """Which columns hold numbers only."""
    return [is_numeric(table, i) for i in range(len(table.columns))]


def ends_group(table: Table, row: int) -> bool:
    """Whether a row is the last of its block, and another follows."""
    if table.group_by is None or row + 1 >= len(table.rows):
        return False
    by = table.names.index(table.group_by)
    return table.rows[row][by] != table.rows[row + 1][by]


def _html(table: Table) -> str:
    numeric = numeric_columns(table)
    style = ['style="text-align:right"' if right else 'style="text-align:left"' for right in numeric]
    head = "".join(
        f"<th {attribute}>{html.escape(visible(c.shown))}</th>"
        for attribute, c in zip(style, table.columns, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(f"<td {attribute}>{cell}</td>" for attribute, cell in zip(style, row, strict=True)) + "</tr>"
        for row in _rows_in(table, html.escape, html_of)
    )
    notes = f"<p><small>{html.escape(visible(table.caption))}</small></p>" if table.caption else ""
    title = f"<caption>{html.escape(visible(table.title))}</caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


FORMS: Mapping[str, Callable[[Table], str]] = {
    "markdown": Table.to_markdown,
    "latex": Table.to_latex,
    "csv": Table.to_csv,
}
