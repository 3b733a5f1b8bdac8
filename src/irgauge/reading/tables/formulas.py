"""Texts of CSV files that spreadsheets would take as formulas: an apostrophe stands before them, which we take away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_FORMULA = r"^'*[=+\-@＝＋－＠\t\r\n]"  # wide signs are signs of formulas too
_GUARDED = rf"^'({_FORMULA[1:]})"
_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"


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
