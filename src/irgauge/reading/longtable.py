"""LongTable: one score in each row, with its labels, from CSV, TSV and Parquet files or from data frames."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.arrays import Ints
from irgauge.errors import InputError
from irgauge.files import COMPRESSED, read_bytes, replacing

if TYPE_CHECKING:
    import polars as pl

SCORE = "score"
_ROW = "number of the row"  # a column that tells where a row was before others were left out
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_UNDEFINED = "NA"  # how R writes what is missing


@dataclass(frozen=True, eq=False)
class LongTable:
    """A table of scores, and the file that it comes from."""

    frame: pl.DataFrame
    path: str | None = None
    text: bytes | None = None  # of a file, if that is not Parquet

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> LongTable:
        """Read a file, compressed or not: Parquet by its extension or its first bytes, otherwise CSV or TSV."""
        data = read_bytes(path).tobytes()
        if _extension(path) == ".parquet" or data.startswith(b"PAR1"):
            return cls(_numbered(_parquet(data, str(path))), str(path))
        return cls(_numbered(_csv(data, str(path))), str(path), data)

    @classmethod
    def of(cls, frame: Any, columns: Sequence[str], path: str | None = None) -> LongTable:  # noqa: ANN401  # any frame
        """Columns of a data frame of polars or pandas; NaN is how pandas marks what is missing."""
        import polars as pl

        if isinstance(frame, pl.DataFrame):
            return cls(_numbered(frame), path)
        if not hasattr(frame, "columns"):
            raise InputError(f"a {type(frame).__name__} cannot be read; give a polars or pandas data frame", path=path)
        there = [name for name in columns if name in frame.columns]
        cells = {name: [None if value != value else value for value in frame[name]] for name in there}
        return cls(_numbered(pl.DataFrame(cells, strict=False)), path)

    def error(self, message: str, row: int | None = None) -> InputError:
        """An error that names the file and, where that can be known, the line of a row."""
        if row is None or self.text is None:
            return InputError(message, path=self.path)
        line, _ = next(islice(_records(self.text), self.frame[_ROW][row] + 1, None))
        return InputError(message, path=self.path, line=line)

    def having(self, column: str, value: str | None) -> LongTable:
        """The same table, with this value in a column that it may lack."""
        import polars as pl

        if column in self.frame.columns:
            return self
        return replace(self, frame=self.frame.with_columns(pl.lit(value, pl.String).alias(column)))

    def only(self, column: str, value: str) -> LongTable:
        """The rows with this value in a column."""
        import polars as pl

        return replace(self, frame=self.frame.filter(pl.col(column).cast(pl.String) == value))

    def renamed(self, key: str, name: Callable[[str], str]) -> LongTable:
        """The same table with other labels in a column."""
        import polars as pl

        names = {label: name(label) for label in self.frame[key].unique()}
        return replace(self, frame=self.frame.with_columns(pl.col(key).replace_strict(names)))

    def typed(self, keys: Sequence[str], needs: str) -> LongTable:
        """Labels as text and scores as numbers; what is empty is null. `needs` says which columns there must be."""
        missing = [column for column in (*keys, SCORE) if column not in self.frame.columns]
        if missing or self.frame.is_empty():
            lacks = f"column '{missing[0]}'" if missing else "rows"
            raise self.error(f"the table has no {lacks}; {needs}")
        labels = [self._labels(key) for key in keys]
        return replace(self, frame=self.frame.select(_ROW, *labels, self._numbers()))

    def _labels(self, key: str) -> pl.Series:
        """Labels as text, empty ones as null; whole numbers without a point, as pandas has them beside empty cells."""
        import polars as pl

        given = self.frame[key]
        if given.dtype.is_float() and (given.drop_nulls() % 1 == 0).all():
            given = given.cast(pl.Int64)
        try:
            return given.cast(pl.String).replace("", None)
        except pl.exceptions.PolarsError:
            raise self.error(f"the column {key} is of type {given.dtype}; it must be text or numbers") from None

    def _numbers(self) -> pl.Series:
        import polars as pl

        given = self.frame[SCORE]
        if given.dtype == pl.String:
            given = given.str.strip_chars().replace(["", _UNDEFINED], None)
        try:
            numbers = given.cast(pl.Float64, strict=False)
        except pl.exceptions.PolarsError:
            raise self.error(f"the scores are of type {given.dtype}; they must be numbers") from None
        bad = numbers.is_null() & given.is_not_null()
        if bad.any():
            row = int(bad.arg_max() or 0)
            raise self.error(f"the score '{given[row]}' is not a number; fix it, or leave it empty if missing", row)
        return numbers

    def refuse_empty(self, keys: Sequence[str]) -> None:
        """Refuse rows without a label."""
        for key in keys:
            if count := self.frame[key].null_count():
                rows = f"{count} row{'s have' if count > 1 else ' has'} no {key}; fill it in"
                raise self.error(rows, int(self.frame[key].is_null().arg_max() or 0))

    def refuse_infinite(self) -> None:
        """Refuse scores that no mean can be taken of."""
        bad = self.frame[SCORE].is_infinite().fill_null(value=False)
        if bad.any():
            row = int(bad.arg_max() or 0)
            raise self.error(f"the score {self.frame[SCORE][row]} is not finite; fix it, or leave it empty", row)

    def refuse_twice(self, keys: Sequence[str]) -> None:
        """Refuse two rows with the same labels."""
        again = ~_firsts(self.frame, keys)
        if again.any():
            row = int(again.arg_max() or 0)
            cell = ", ".join(f"{key} '{self.frame[key][row]}'" for key in keys)
            raise self.error(f"the cell {cell} appears twice in the table; remove one of the two", row)

    def coded(self, key: str) -> tuple[list[str], Ints]:
        """The distinct labels of a column in the order of their first appearance, and each row's place among them."""
        import polars as pl

        labels = self.frame[key].unique(maintain_order=True).to_list()
        return labels, self.frame[key].cast(pl.Enum(labels)).to_physical().to_numpy().astype(np.int64)


def write_table(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    """Write a long table as CSV, TSV or Parquet, by the extension of the file; undefined scores stay empty in text."""
    extension = Path(path).suffix.lower()
    if extension not in (*_SEPARATORS, ".parquet"):
        raise InputError(f"the extension '{extension}' is unknown; use .csv, .tsv or .parquet", path=str(path))
    with replacing(path) as temporary:
        if extension == ".parquet":
            frame.write_parquet(temporary)
        else:
            frame.fill_nan(None).write_csv(temporary, separator=_SEPARATORS[extension])


def _extension(path: str | os.PathLike[str]) -> str:
    """The extension of a file, that of its compression aside."""
    name = Path(path).name.lower()
    return Path(next((name.removesuffix(one) for one in COMPRESSED if name.endswith(one)), name)).suffix


def _numbered(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_row_index(_ROW)


def _parquet(data: bytes, path: str) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"this is not a readable Parquet file ({error})", path=path) from None


def _csv(data: bytes, path: str) -> pl.DataFrame:
    """All columns as text without the spaces around it; blank lines are skipped, empty fields are null."""
    import polars as pl

    try:
        frame = pl.read_csv(io.BytesIO(data.lstrip()), infer_schema=False, separator=_separator(data))
    except pl.exceptions.NoDataError:
        raise InputError("the file is empty; was it written to the end?", path=path) from None
    except pl.exceptions.PolarsError as error:
        _refuse_other_encodings(data, path)
        _refuse_uneven(data, path)
        raise InputError(f"this is not a readable CSV file ({error})", path=path) from None
    if sum(frame.null_count().row(0)):
        _refuse_uneven(data, path)  # polars fills short lines up
    stripped = frame.rename(str.strip).select(pl.all().str.strip_chars().replace("", None))
    return stripped.filter(~pl.all_horizontal(pl.all().is_null()))


def _separator(data: bytes) -> str:
    """What the first line has most of."""
    header = data.lstrip().partition(b"\n")[0].decode(errors="replace")
    return max(",\t;", key=header.count)


def _records(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """The lines of a CSV file that are not blank, the header first, with their numbers."""
    reader = csv.reader(io.StringIO(data.decode(errors="replace"), newline=""), delimiter=_separator(data))
    return ((reader.line_num, fields) for fields in reader if any(field.strip() for field in fields))


def _refuse_uneven(data: bytes, path: str) -> None:
    records = _records(data)
    _, header = next(records)
    for line, fields in records:
        if len(fields) != len(header):
            columns = f"{len(fields)} column{'s' * (len(fields) != 1)} where the header has {len(header)}"
            raise InputError(f"{columns}; fix this line", path=path, line=line)


def _refuse_other_encodings(data: bytes, path: str) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path, line=line) from None


def _firsts(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    """Which rows are the first with their labels."""
    import polars as pl

    return frame.select(pl.struct(keys).is_first_distinct()).to_series()
