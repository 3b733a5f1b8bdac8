"""Numbers as people and spreadsheets write them: decimal commas, per cents, units, yes and no.

Decimal commas are read where semicolons are between columns, flags where a measure is asked for by the name of their
column, per cents as shares where a column holds nothing else. What else looks like numbers is refused: as text it would
describe topics, and a gate would not see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from irgauge.reading.tables.sheet import KEYS, ROW, Sheet, columns_of

if TYPE_CHECKING:
    import polars as pl

_WHOLE = re.compile(r"[-+]?[0-9]+")
_COMMA = re.compile(r"[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)?")
_THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")  # or three decimals: nobody can tell
_UNITS = r"%|ms|msec|µs|us|ns|s|sec|secs|seconds|[kKMG]i?B|€|\$|£"
_WRITTEN = re.compile(rf"[€$£]?\s?[-+]?[0-9]*([.,][0-9]{{3}})*([.,][0-9]+)?\s?({_UNITS})?")
_PER_CENT = re.compile(r"[-+]?[0-9]+([.,][0-9]+)?\s?%")
_FLAGS = {
    **dict.fromkeys(("true", "yes", "pass", "passed", "correct"), 1.0),
    **dict.fromkeys(("false", "no", "fail", "failed", "incorrect"), 0.0),
}  # as people, spreadsheets and judges write them


def with_points(frame: pl.DataFrame) -> pl.DataFrame:
    """A table of text with points for decimal commas, in columns of numbers; labels stay as they are.

    >>> import polars as pl
    >>> with_points(pl.DataFrame({"topic": ["1,5"], "a": ["0,25"], "note": ["1, 2"]})).row(0)
    ('1,5', '0.25', '1, 2')
    """
    of = columns_of(frame.columns).of
    labels = {of[key] for key in KEYS if key in of}
    cells = {name: frame[name].drop_nulls().unique().to_list() for name in frame.columns if name not in labels}
    numbers = {name: own for name, own in cells.items() if all(_WHOLE.fullmatch(x) or _COMMA.fullmatch(x) for x in own)}
    fractions = [cell for own in numbers.values() for cell in own if "," in cell]
    if all(map(_THOUSANDS.fullmatch, fractions)):
        return frame
    return frame.with_columns(frame[name].str.replace(",", ".", literal=True) for name in numbers)


def with_shares(sheet: Sheet) -> Sheet:
    """The table, with shares for per cents in columns that hold nothing else: 64.8 % is 0.648.

    >>> from irgauge.reading.tables.sheet import Origin, sheet_of
    >>> with_shares(sheet_of({"topic": ["1 %"], "ctr": ["64,8 %"], "hits": ["1,234%"]}, Origin())).frame.row(0)
    (0, '1 %', 0.648, '1,234%')
    """
    import polars as pl

    labels = {*sheet.of_topics, *(name for key, name in sheet.columns.of.items() if key in KEYS)}
    texts = [name for name in sheet.names if sheet.frame[name].dtype == pl.String and name not in labels]
    shares = [own for name in texts for own in _shares(sheet.frame[name])] if sheet.recognized is None else []
    return replace(sheet, frame=sheet.frame.with_columns(shares)) if shares else sheet


def _shares(cells: pl.Series) -> Iterator[pl.Series]:
    """The same as numbers, if these are per cents."""
    import polars as pl

    name = cells.name
    cells = cells.alias("").str.strip_chars().replace("", None)  # polars takes a name such as ^b.*$ for a pattern
    first = cells.drop_nulls().head(1).to_list()
    if first and _PER_CENT.fullmatch(first[0]):  # most columns are something else, and some are long
        there = cells.drop_nulls().unique().to_list()
        numbers = {cell: cell.removesuffix("%").strip() for cell in there}
        is_thousands = any("," in own for own in there) and any(map(_THOUSANDS.fullmatch, numbers.values()))
        if all(map(_PER_CENT.fullmatch, there)) and not is_thousands:
            values = {cell: float(own.replace(",", ".")) / 100 for cell, own in numbers.items()}
            yield cells.replace_strict(values, default=None, return_dtype=pl.Float64).alias(name)


def with_flags(sheet: Sheet, names: Sequence[str]) -> Sheet:
    """The table, whose columns of these names hold 1 and 0 where they are true and false, or yes and no."""
    import polars as pl

    there = [name for name in names if name in sheet.names]
    cells = {name: sheet.frame[name].cast(pl.String, strict=False).alias("").str.to_lowercase() for name in there}
    there = [name for name in there if _are_flags(cells[name])]
    flags = [cells[name].replace_strict(_FLAGS, return_dtype=pl.Float64).alias(name) for name in there]
    return replace(sheet, frame=sheet.frame.with_columns(flags)) if flags else sheet


def _are_flags(cells: pl.Series) -> bool:
    values = cells.drop_nulls().unique().to_list()
    return bool(values) and all(value in _FLAGS for value in values)


def refuse_written(sheet: Sheet, columns: Sequence[str]) -> None:
    """Refuse columns of text most of whose values are numbers that are written otherwise than scores are."""
    import polars as pl

    for name in columns:
        cells = sheet.frame.select(ROW, pl.Series(name, sheet.frame[name]).cast(pl.String, strict=False).alias("cell"))
        values = cells["cell"].drop_nulls().unique(maintain_order=True).to_list()
        written = [value for value in values if _is_written(value)]
        if len(written) * 2 > len(values):
            row = int(cells.filter(pl.col("cell") == written[0])[ROW][0])
            what = f"the column '{name}' holds '{written[0]}'{_why(written[0])}, which is not read as a number"
            advice = f"write numbers such as 0.25; if it describes topics, say --columns slice={name}"
            raise sheet.origin.error(f"{what}; {advice}", row)


def _is_written(cell: str) -> bool:
    """Whether it is a number with something else to it.

    >>> [_is_written(cell) for cell in ("0,25", "54.2%", "56.7 ms", "$ 3", "3 words", "q1", "2024-01-05", "1.2.3")]
    [True, True, True, True, False, False, False, False]
    """
    return any(map(str.isdigit, cell)) and _WRITTEN.fullmatch(cell.strip()) is not None


def _why(cell: str) -> str:
    return " with a comma" if _COMMA.fullmatch(cell) else " with its unit" if not cell[-1].isdigit() else ""
