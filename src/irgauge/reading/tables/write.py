"""Long tables as files: CSV, TSV, JSON lines or Parquet."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.errors import InputError
from irgauge.files.writing import write
from irgauge.reading.tables.formulas import guarded_frame
from irgauge.reading.tables.text import SEPARATORS

if TYPE_CHECKING:
    import polars as pl


def write_table(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    """Write a long table, by the extension of the file; undefined scores stay empty in text.

    Texts of CSV and TSV that spreadsheets would take as formulas are guarded; `Scores.load` gives them as they were.
    """
    extension = Path(path).suffix.lower()
    if extension not in (*SEPARATORS, ".jsonl", ".parquet"):
        raise InputError(f"the extension '{extension}' is unknown; use .csv, .tsv, .jsonl or .parquet", path=str(path))
    out = io.BytesIO()
    if extension == ".parquet":
        frame.write_parquet(out)
    elif extension == ".jsonl":
        frame.fill_nan(None).write_ndjson(out)
    else:
        guarded_frame(frame.fill_nan(None)).write_csv(out, separator=SEPARATORS[extension])
    write(path, out.getbuffer())
