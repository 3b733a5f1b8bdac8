"""Sheet: a table as it was read, before it is known what its columns hold, and where its rows come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.errors import InputError
from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import base_name
from irgauge.reading.cells import is_missing, quoted

if TYPE_CHECKING:
    import polars as pl

_MOST_BITS = 1023  # of whole numbers that a double can hold
ROW = "number of the row"  # a column that tells where a row was before others were left out
_ENDS = (".csv", ".tsv", ".txt", ".parquet", ".jsonl", ".ndjson", ".json", ".eval", ".trec", ".res", ".out")


@dataclass(frozen=True)
class Origin:
    """Where rows come from: a file, or an object that may have a name."""

    path: str | None = None
    name: str | None = None  # of a system or a measure that the table itself does not name
    line_of: Callable[[int], int | None] | None = None  # row -> its line

    def error(self, message: str, row: int | None = None) -> InputError:
        """An error that names the file and, where that can be known, the line of a row."""
        line = None if row is None or self.line_of is None else self.line_of(row)
        return InputError(message, path=self.path, line=line)


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table as it was read: its cells, each column text or numbers."""

    frame: pl.DataFrame  # with ROW
    origin: Origin
    tag: str | None = None  # what a file that holds one system calls it

    @classmethod
    def of(cls, frame: pl.DataFrame, origin: Origin) -> Sheet:
        """A table whose rows are numbered."""
        return cls(frame.drop(ROW, strict=False).with_row_index(ROW), origin)

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [name for name in self.frame.columns if name != ROW]


def sheet_of(columns: Mapping[str, Iterable[Any]], origin: Origin) -> Sheet:
    """A table from columns of Python objects."""
    import polars as pl

    try:
        frame = pl.DataFrame([_series(name, list(cells)) for name, cells in columns.items()])
    except UnicodeEncodeError as error:
        raise origin.error(f"the name {error.object!r} is not valid Unicode; fix it") from None
    return Sheet.of(frame, origin)


def _series(name: str, cells: Sequence[Any]) -> pl.Series:
    """Numbers where all are numbers, else text."""
    import polars as pl

    there = [None if is_missing(cell) else cell for cell in cells]
    kinds = {type(cell) for cell in there if cell is not None}
    for numbers, dtype in (((int, np.integer), pl.Int64), ((int, float, np.number), pl.Float64)):
        if all(issubclass(kind, numbers) and kind is not bool for kind in kinds):
            try:
                found = pl.Series(name, there, dtype=dtype, strict=False)
            except OverflowError:
                break
            if found.null_count() == there.count(None):  # else some number is too large
                return found
    return pl.Series(name, [None if cell is None else _text(cell) for cell in there], dtype=pl.String)


def _text(cell: object) -> str:
    """A cell as text; a number that is too large for a double is quoted, as it is no score."""
    return quoted(cell) if isinstance(cell, int) and cell.bit_length() > _MOST_BITS else str(cell)


def stem(path: str) -> str:
    """The name of a file without the ends that tell its form.

    >>> stem("scores/adhoc8_ap.csv.gz"), stem("bm25.v2.jsonl"), stem("bm25.v2")
    ('adhoc8_ap', 'bm25.v2', 'bm25.v2')
    """
    name = base_name(path)
    for ends in (COMPRESSED, _ENDS):
        end = next((end for end in ends if name.lower().endswith(end)), "")
        name = name[: len(name) - len(end)] or name
    return name
