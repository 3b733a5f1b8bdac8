"""LongTable: one score in each row, with its measure, topic, system and replicate, and where each row comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.errors import InputError
from irgauge.files.opening import base_name
from irgauge.reading.name_order import in_name_order
from irgauge.reading.tables.columns import KEYS, SCORE
from irgauge.reading.tables.sheet import ROW, Origin, Sheet

if TYPE_CHECKING:
    import polars as pl

ALL = "all"  # how trec_eval and ir_measures call the average over topics
_ORIGIN = "number of the origin"
_LARGEST_WHOLE = 2.0**53  # up to which doubles hold every whole number
_LARGEST = 1e100  # size of a score
_UNDEFINED = "NA"  # how R writes what is missing


@dataclass(frozen=True, eq=False)
class LongTable:
    """Scores with their labels as text; what is empty is null, and so is a column that was not given."""

    frame: pl.DataFrame  # KEYS, SCORE, ROW, _ORIGIN
    origins: tuple[Origin, ...]

    @classmethod
    def of(cls, sheet: Sheet, columns: Mapping[str, str]) -> LongTable:
        """The columns of a sheet that hold the labels and the scores; averages over all topics are left out."""
        import polars as pl

        labels = [
            _labels(sheet, columns[key], key) if key in columns else pl.lit(None, pl.String).alias(key) for key in KEYS
        ]
        scores = numbers(sheet, columns[SCORE]).alias(SCORE)
        frame = sheet.frame.select(ROW, *labels, scores, pl.lit(0, pl.Int64).alias(_ORIGIN))
        return cls(_of_topics(frame, sheet.origin), (sheet.origin,))

    @property
    def path(self) -> str | None:
        """The file, where there is one."""
        return self.origins[0].path if len(self.origins) == 1 else None

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files."""
        return tuple(dict.fromkeys(map(base_name, self.paths)))

    @property
    def paths(self) -> tuple[str, ...]:
        """The files."""
        return tuple(dict.fromkeys(str(origin.path) for origin in self.origins if origin.path is not None))

    def has(self, key: str) -> bool:
        """Whether any row has a label."""
        return self.frame[key].null_count() < len(self.frame)

    def named(self, key: str, name: str | None) -> LongTable:
        """The same table; where no row has a label of this kind, all have this one."""
        import polars as pl

        if self.has(key):
            return self
        return replace(self, frame=self.frame.with_columns(pl.lit(name, pl.String).alias(key)))

    def error(self, message: str, row: int | None = None) -> InputError:
        """An error that names the file and, where that can be known, the line of a row."""
        if row is None:
            return InputError(message, path=self.path)
        return self.origins[self.frame[_ORIGIN][row]].error(message, self.frame[ROW][row])

    def only(self, column: str, value: str) -> LongTable:
        """The rows with this value in a column."""
        import polars as pl

        return replace(self, frame=self.frame.filter(pl.col(column) == value))

    def renamed(self, key: str, name: Callable[[str], str]) -> LongTable:
        """The same table with other labels in a column."""
        import polars as pl

        names = {label: name(label) for label in self.frame[key].unique()}
        return replace(self, frame=self.frame.with_columns(pl.col(key).replace_strict(names)))

    def refuse_empty(self, keys: Sequence[str], said: Mapping[str, str] | None = None) -> None:
        """Refuse rows without a label; `said` is what a key is called."""
        for key in keys:
            if count := self.frame[key].null_count():
                rows = f"{count} row{'s have' if count > 1 else ' has'} no {(said or {}).get(key, key)}; fill it in"
                raise self.error(rows, int(self.frame[key].is_null().arg_max() or 0))

    def refuse_infinite(self) -> None:
        """Refuse scores that no mean can be taken of."""
        bad = self.frame[SCORE].is_infinite().fill_null(value=False)
        if bad.any():
            row = int(bad.arg_max() or 0)
            raise self.error(f"the score {self.frame[SCORE][row]} is not finite; fix it, or leave it empty", row)

    def refuse_large(self) -> None:
        """Refuse scores whose squares and cubes are beyond what numbers hold."""
        sizes = self.frame[SCORE].abs()
        bad = ((sizes > _LARGEST) & sizes.is_finite()).fill_null(value=False)
        if bad.any():
            row = int(bad.arg_max() or 0)
            what = f"the score {self.frame[SCORE][row]} is too large to compute with"
            raise self.error(f"{what}; scale the scores to sizes up to {_LARGEST}", row)

    def refuse_twice(self, keys: Sequence[str], said: Mapping[str, str] | None = None) -> None:
        """Refuse two rows with the same labels; `said` is what a key is called."""
        import polars as pl

        again = ~self.frame.select(pl.struct(keys).is_first_distinct()).to_series()
        if again.any():
            row = int(again.arg_max() or 0)
            cell = ", ".join(f"{(said or {}).get(key, key)} '{self.frame[key][row]}'" for key in keys)
            raise self.error(f"the cell {cell} appears twice in the table; remove one of the two", row)

    def coded(self, key: str) -> tuple[list[str], Ints]:
        """The distinct labels of a column, and each row's place among them.

        They are in the order of names, but measures in that of their first appearance: the first is the main one.
        """
        import polars as pl

        labels = self.frame[key].unique(maintain_order=True).to_list()
        labels = labels if key == "measure" else [labels[place] for place in in_name_order(labels)]
        return labels, self.frame[key].cast(pl.Enum(labels)).to_physical().to_numpy().astype(np.int64)


def joined(tables: Sequence[LongTable]) -> LongTable:
    """The rows of all tables, one after the other."""
    import polars as pl

    if len(tables) == 1:
        return tables[0]
    frames = [table.frame.with_columns(pl.lit(i, pl.Int64).alias(_ORIGIN)) for i, table in enumerate(tables)]
    return LongTable(pl.concat(frames), tuple(table.origins[0] for table in tables))


def numbers(sheet: Sheet, column: str) -> pl.Series:
    """A column of scores, as numbers."""
    import polars as pl

    given = sheet.frame[column].alias(SCORE)  # polars takes some names, such as ^b.*$, as patterns
    if given.dtype == pl.String:
        given = given.str.strip_chars().replace(["", _UNDEFINED], None)
    try:
        found = given.cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError:
        found = given
    if found.dtype != pl.Float64:  # a struct stays one when it is cast
        raise sheet.origin.error(f"the scores are of type {given.dtype}; they must be numbers")
    bad = found.is_null() & given.is_not_null()
    if bad.any():
        place = int(bad.arg_max() or 0)
        message = f"the score '{given[place]}' is not a number; fix it, or leave it empty if missing"
        raise sheet.origin.error(message, sheet.frame[ROW][place])
    return found


def _labels(sheet: Sheet, column: str, key: str) -> pl.Series:
    """Labels as text, empty ones as null; whole numbers without a point, as pandas has them beside empty cells."""
    import polars as pl

    given = sheet.frame[column].alias(key)
    there = given.drop_nulls()
    if given.dtype.is_float() and (there % 1 == 0).all() and (there.abs() < _LARGEST_WHOLE).all():
        given = given.cast(pl.Int64)
    try:
        return given.cast(pl.String).replace("", None)
    except pl.exceptions.PolarsError:
        raise sheet.origin.error(f"the column {column} is of type {given.dtype}; it must be text or numbers") from None


def _of_topics(frame: pl.DataFrame, origin: Origin) -> pl.DataFrame:
    """Without the averages over all topics."""
    import polars as pl

    if frame.is_empty():
        raise origin.error("the table has no rows; was it written to the end?")
    left = frame.filter((pl.col("topic") != ALL).fill_null(value=True))
    if left.is_empty():
        raise origin.error("the table has averages over all topics only; write the scores of topics (-q, per query)")
    return left
