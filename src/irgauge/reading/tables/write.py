"""Long tables as files: CSV, TSV, JSON lines or Parquet."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.errors import InputError
from irgauge.files import replacing
from irgauge.reading.tables.text import SEPARATORS

if TYPE_CHECKING:
    import polars as pl


def write_table(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    """Write a long table, by the extension of the file; undefined scores stay empty in text."""
    extension = Path(path).suffix.lower()
    if extension not in (*SEPARATORS, ".jsonl", ".parquet"):
        raise InputError(f"the extension '{extension}' is unknown; use .csv, .tsv, .jsonl or .parquet", path=str(path))
    with replacing(path) as temporary:
        if extension == ".parquet":
            frame.write_parquet(temporary)
        elif extension == ".jsonl":
            frame.fill_nan(None).write_ndjson(temporary)
        else:
            frame.fill_nan(None).write_csv(temporary, separator=SEPARATORS[extension])
