"""A table in which a column says what a row is of, such as whose score it holds: a table for each of its values."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from irgauge.choices import known
from irgauge.errors import DesignError, InputError
from irgauge.reading.tables.read import frame_sheet, is_frame, read_sheet

if TYPE_CHECKING:
    from irgauge.reading.tables.longtable import IsMeasure
    from irgauge.reading.tables.sheet import Sheet


def parted_by(data: object, column: str, is_measure: IsMeasure) -> dict[str, Sheet]:
    """The table of one file, or of a frame, by the values of a column, in the order in which they first appear."""
    import polars as pl

    sheet = _sheet(data, is_measure)
    name = known(column, tuple(sheet.names), "column of the table", error=InputError)
    values = sheet.frame[name].cast(pl.String)
    if values.null_count() or (values == "").any():
        row = int((values.is_null() | (values == "")).arg_max() or 0)
        raise sheet.origin.error(f"the column '{name}' is empty in some rows; write whose score each is", row)
    parts = {str(value): sheet.frame.filter(values == value).drop(name) for value in values.unique(maintain_order=True)}
    return {value: replace(sheet, frame=frame) for value, frame in parts.items()}


def _sheet(data: object, is_measure: IsMeasure) -> Sheet:
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(paths, list | tuple) and len(paths) == 1 and isinstance(paths[0], str | os.PathLike):
        return read_sheet(str(paths[0]), is_measure)
    if is_frame(data):
        return frame_sheet(data)
    raise DesignError("a column that says whose score it is takes one table of scores: a file, or a data frame")
