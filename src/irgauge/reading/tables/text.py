"""Tables as text: CSV, TSV and semicolons, with comments above the header; and long tables written as files.

Before texts that spreadsheets would take as formulas stands an apostrophe, which we take away.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.compute.polars_pool import check_pool
from irgauge.errors import InputError
from irgauge.files.writing import write
from irgauge.reading.tables.sheet import Origin, Sheet, stem
from irgauge.reading.tables.written_numbers import with_points

if TYPE_CHECKING:
    import polars as pl

_FORMULA = r"^'*[=+\-@＝＋－＠\t\r\n]"  # wide signs are signs of formulas too
_GUARDED = rf"^'({_FORMULA[1:]})"
_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"
SEPARATORS = {".csv": ",", ".tsv": "\t"}
_MOST_COLUMNS = 50_000
_MOST_SAID = 100  # characters of an error of polars, which may hold the whole file
_WHITE = (  # what str.strip takes away; polars knows fewer
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028"
    "\u2029\u202f\u205f\u3000"
)


def guarded(text: str) -> str:
    """A text that no spreadsheet computes.

    A text that starts with = + - @ or an end of a line, and is no number, has an apostrophe before it, as is the
    custom; one that starts so behind apostrophes has one more. Our readers of tables take it away again. A carriage
    return, which programs take as the end of a row even in quotes, is written out.

    >>> guarded("=1+1"), guarded("-x"), guarded("-1.5"), guarded("bm25"), guarded("'-x")
    ("'=1+1", "'-x", '-1.5', 'bm25', "''-x")
    """
    whole = text.replace("\r", r"\r")
    return f"'{whole}" if re.match(_FORMULA, text) and not re.match(_NUMBER, text) else whole


def unguarded(text: str) -> str:
    """The text that was guarded.

    >>> unguarded("'=1+1"), unguarded("'quoted'")
    ('=1+1', "'quoted'")
    """
    return re.sub(_GUARDED, r"\1", text)


def guarded_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with its texts guarded, and the names of its columns."""
    import polars as pl

    texts = pl.col(pl.String)
    whole = texts.str.replace_all("\r", r"\r", literal=True)
    is_formula = texts.str.contains(_FORMULA) & ~texts.str.contains(_NUMBER)
    cells = frame.with_columns(pl.when(is_formula).then(pl.lit("'") + whole).otherwise(whole).name.keep())
    return cells.rename(guarded)


def unguarded_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame, all text, as it was before its texts were guarded."""
    import polars as pl

    return frame.select(pl.all().str.replace(_GUARDED, "${1}")).rename(unguarded)


def read_text(data: bytes, path: str) -> Sheet:
    """All columns as text without the spaces around it; blank lines are skipped, empty fields are null.

    Between semicolons numbers may have decimal commas, as spreadsheets write them.
    """
    import polars as pl

    check_pool()
    body = data[start_of(data) :]
    lines = data[: start_of(data)].count(b"\n")  # above the header
    try:
        _check_header(body, path, lines)
        frame = pl.read_csv(io.BytesIO(body), infer_schema=False, separator=separator(body)).rename(str.strip)
    except pl.exceptions.NoDataError:
        raise InputError("the file is empty; was it written to the end?", path=path) from None
    except (pl.exceptions.PolarsError, OSError) as error:  # polars decompresses what looks compressed
        _refuse_other_encodings(data, path)
        _refuse_uneven(body, path, lines)
        message = str(error).partition("\n")[0][:_MOST_SAID]
        hint = "; is a quote not closed?" if b'"' in body else ""
        raise InputError(f"this is not a readable CSV file ({message}){hint}", path=path) from None
    if sum(frame.null_count().row(0)):
        _refuse_uneven(body, path, lines)  # polars fills short lines up
    stripped = frame.select(pl.all().str.strip_chars(_WHITE).replace("", None))
    kept = stripped.filter(~pl.all_horizontal(pl.all().is_null()))
    origin = Origin(path, stem(path), lambda row: _line(body, row, lines))
    cells = unguarded_frame(kept)
    return Sheet.of(with_points(cells) if separator(body) == ";" else cells, origin)


def start_of(data: bytes) -> int:
    """Where the header starts: after blank lines and lines with #."""
    place = 0
    while place < len(data):
        end = data.find(b"\n", place)
        line = data[place : len(data) if end < 0 else end + 1]
        if line.strip() and not line.startswith(b"#"):
            return place
        place += len(line)
    return place


def separator(body: bytes) -> str:
    """What the first line has most of."""
    header = body.partition(b"\n")[0].decode(errors="replace")
    return max(",\t;", key=header.count)


def _check_header(body: bytes, path: str, lines: int) -> None:
    """Refuse names of columns that are the same, or that are numbers; and more columns than can be read soon."""
    if (count := body.partition(b"\n")[0].count(separator(body).encode())) > _MOST_COLUMNS:
        message = f"the table has some {count:,} columns, and at most {_MOST_COLUMNS:,} are read"
        raise InputError(f"{message}; write a row for each score instead", path=path, line=lines + 1)
    _, fields = next(records(body), (0, []))
    names = [field.strip() for field in fields]
    again = [name for name, count in Counter(names).items() if count > 1]
    if again:
        raise InputError(f"two columns are called '{again[0]}'; rename one of them", path=path, line=lines + 1)
    if names and all(map(is_number, names)):
        message = "the first line holds numbers, and no names of columns; add a line with the names of the systems"
        raise InputError(message, path=path, line=lines + 1)


def is_number(text: str) -> bool:
    """Whether a field holds a number."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def records(body: bytes) -> Iterator[tuple[int, list[str]]]:
    """The lines of a CSV file that are not blank, the header first, with their numbers; up to what is no CSV."""
    reader = csv.reader(io.StringIO(body.decode(errors="replace"), newline=""), delimiter=separator(body))
    with suppress(csv.Error):  # such as a quote that is not closed for 100 KB
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, fields


def _line(body: bytes, row: int, lines: int) -> int | None:
    """The line of a row below others; None where polars and the csv module see other rows."""
    record = next(islice(records(body), row + 1, None), None)
    return None if record is None else lines + record[0]


def _refuse_uneven(body: bytes, path: str, lines: int) -> None:
    rows = records(body)
    _, header = next(rows, (0, []))
    for line, fields in rows:
        if len(fields) != len(header):
            columns = f"{len(fields)} column{'s' * (len(fields) != 1)} where the header has {len(header)}"
            raise InputError(f"{columns}; fix this line", path=path, line=lines + line)


def _refuse_other_encodings(data: bytes, path: str) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path, line=line) from None


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names, cut after some."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def write_table(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    """Write a long table, by the extension of the file; undefined scores stay empty in text.

    Texts of CSV and TSV that spreadsheets would take as formulas are guarded; `Scores.load` gives them as they were.
    """
    extension = Path(path).suffix.lower()
    if extension not in (*SEPARATORS, ".jsonl", ".parquet"):
        raise InputError(f"the extension '{extension}' is unknown; use .csv, .tsv, .jsonl or .parquet", path=str(path))
    check_pool()
    out = io.BytesIO()
    if extension == ".parquet":
        frame.write_parquet(out)
    elif extension == ".jsonl":
        frame.fill_nan(None).write_ndjson(out)
    else:
        guarded_frame(frame.fill_nan(None)).write_csv(out, separator=SEPARATORS[extension])
    write(path, out.getbuffer())
