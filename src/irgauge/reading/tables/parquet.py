"""Parquet files as frames; of damaged ones polars panics, which is no Exception in Python."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from irgauge.errors import InputError
from irgauge.reading.tables.parquet_sizes import WrongSizeError, check_sizes

if TYPE_CHECKING:
    import polars as pl

START = b"PAR1"


def read_parquet(data: bytes, path: str) -> pl.DataFrame:
    """The table that a Parquet file holds."""
    import polars as pl

    try:
        check_sizes(data, path)
        return pl.read_parquet(io.BytesIO(data))
    except (WrongSizeError, pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise InputError(f"this is not a readable Parquet file ({error})", path=path) from None


def column_names(data: bytes) -> list[str]:
    """The names of its columns; none where it is damaged, which reading it says."""
    import polars as pl

    try:
        check_sizes(data, "")
        return list(pl.read_parquet_schema(io.BytesIO(data)))
    except (WrongSizeError, InputError, pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return []
