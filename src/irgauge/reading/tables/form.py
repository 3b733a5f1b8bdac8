"""The form of a table, by its columns: long, or wide with a column for each system or for each measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from irgauge.errors import InputError
from irgauge.reading.tables.columns import KEYS, SCORE, Columns, columns_of, other_names
from irgauge.reading.tables.longtable import LongTable, numbers
from irgauge.reading.tables.sheet import ROW, Sheet
from irgauge.reading.tables.text import listed

if TYPE_CHECKING:
    import polars as pl

IsMeasure = Callable[[str], bool]  # whether a text is the name of a measure that we know
_CELL = "score in the cell"  # for a while; a system may be called 'score'
LONG = "scores have the columns measure, topic, system, replicate, score"


def long_table(sheet: Sheet, is_measure: IsMeasure) -> LongTable:
    """The scores of a table; its measure or its system is missing where neither a column nor a header names it."""
    columns = columns_of(sheet.names)
    _refuse(sheet, columns)
    if SCORE in columns.of and "topic" in columns.of:
        _refuse_two_readings(sheet, columns)
        return LongTable.of(sheet, columns.of)
    if SCORE in columns.of and "system" in columns.of:
        raise _lacks(sheet, "topic")
    return _of_wide(sheet, columns, is_measure)


def _refuse(sheet: Sheet, columns: Columns) -> None:
    """Refuse tables that are no scores, or whose columns could be either of two."""
    if columns.document is not None:
        raise sheet.origin.error(
            f"the table has documents (column '{columns.document}'): it is a run or judgments, not scores of topics; "
            "name judgments and runs, in this order"
        )
    if columns.twice:
        first, second = columns.twice
        raise sheet.origin.error(f"the columns '{first}' and '{second}' hold the same label; remove or rename one")
    if sheet.frame.is_empty():
        raise sheet.origin.error(f"the table has no rows; {LONG}")


def _lacks(sheet: Sheet, role: str) -> InputError:
    return sheet.origin.error(
        f"the table has no column '{role}' (or {other_names(role)}); it has {listed(sheet.names, 8)}; {LONG}"
    )


def _refuse_two_readings(sheet: Sheet, columns: Columns) -> None:
    """Refuse a table that could be long or wide: beside 'score', and without systems, there are other numbers."""
    if "system" in columns.of:
        return
    more = [name for name in columns.others if _is_numeric(sheet, name)]
    if more:
        score = columns.of[SCORE]
        raise sheet.origin.error(
            f"the table can be read in two ways: '{score}' is the score of one system, or '{score}' and "
            f"'{more[0]}' are two systems; remove the other columns, or rename '{score}'"
        )


def _of_wide(sheet: Sheet, columns: Columns, is_measure: IsMeasure) -> LongTable:
    """A table with a row for each topic, and a column for each system or each measure."""
    labels = {key: columns.of[key] for key in KEYS if key in columns.of}
    scores = [name for name in sheet.names if name in columns.others or name == columns.of.get(SCORE)]
    if "topic" in labels:  # a text beside it that could have been a topic, such as the query itself
        scores = [name for name in scores if columns_of([name]).of.keys() != {"topic"} or _is_numeric(sheet, name)]
    if not scores or {"measure", "system"} <= labels.keys():
        raise _lacks(sheet, SCORE)
    if "topic" not in labels and "system" in labels:
        raise _lacks(sheet, "topic")
    sheet, labels = _with_topics(sheet, columns, labels, scores)
    _refuse_fractions(sheet, labels)
    across = _across(sheet, labels, scores, is_measure)
    long = _unpivoted(sheet, list(labels.values()), scores, across)
    table = LongTable.of(long, {**labels, across: across, SCORE: SCORE})
    return table.named("measure", sheet.origin.name)


def _with_topics(
    sheet: Sheet, columns: Columns, labels: dict[str, str], scores: Sequence[str]
) -> tuple[Sheet, dict[str, str]]:
    """The sheet with topics: those that it names, its names of rows, or 1 to n."""
    import polars as pl

    if "topic" in labels:
        return sheet, labels
    if columns.index is not None:
        return sheet, labels | {"topic": columns.index}
    _refuse_numbered(sheet, scores)
    topics = (pl.col(ROW).cast(pl.Int64) + 1).alias("topic")
    return Sheet(sheet.frame.with_columns(topics), sheet.origin, sheet.tag), labels | {"topic": "topic"}


def _refuse_numbered(sheet: Sheet, scores: Sequence[str]) -> None:
    """Refuse a table without topics that has one column only, or whose first column could hold the topics."""
    if len(scores) == 1:
        raise _lacks(sheet, "topic")
    first = scores[0]
    if not _is_numeric(sheet, first):
        raise sheet.origin.error(
            f"the column '{first}' does not hold scores; if it holds the topics, call it 'topic', else remove it"
        )
    if _is_counted(numbers(sheet, first), [numbers(sheet, name) for name in scores[1:]]):
        raise sheet.origin.error(
            f"the column '{first}' can be read in two ways: as the topics, or as the scores of a system; call it "
            "'topic', or add a column 'topic' before it"
        )


def _is_counted(cells: pl.Series, others: Sequence[pl.Series]) -> bool:
    """Whether a column holds whole numbers, each once, and larger ones than all others do."""
    there = cells.drop_nulls()
    is_whole = len(there) > 2 and bool((there % 1 == 0).all()) and there.n_unique() == len(there)
    largest: Any = max((other.max() for other in others if other.count()), default=1.0)  # type: ignore[type-var]  # numbers
    return is_whole and max(there) > max(largest, 1.0)


def _refuse_fractions(sheet: Sheet, labels: dict[str, str]) -> None:
    """Refuse labels that look like scores: a system may be called 'model'."""
    for role, name in labels.items():
        if _is_numeric(sheet, name) and bool((numbers(sheet, name).drop_nulls() % 1 != 0).any()):
            raise sheet.origin.error(
                f"the column '{name}' can be read in two ways: as the {role} of each row, or as the scores of a system "
                "of that name; rename it"
            )


def _across(sheet: Sheet, labels: dict[str, str], scores: Sequence[str], is_measure: IsMeasure) -> str:
    """What the columns of a wide table are: systems or measures."""
    if "system" in labels:
        return "measure"
    if "measure" in labels:
        return "system"
    known = [name for name in scores if is_measure(name)]
    if len(known) == len(scores) or len(scores) == 1:
        return "measure"
    if known:
        other = next(name for name in scores if name not in known)
        raise sheet.origin.error(
            f"the columns can be read in two ways: '{known[0]}' is a measure, and '{other}' may be a measure or a "
            "system; add a column 'system' if they are measures, or a column 'measure' if they are systems"
        )
    return "system"


def _unpivoted(sheet: Sheet, labels: list[str], scores: Sequence[str], across: str) -> Sheet:
    """One score in each row."""
    import polars as pl
    from polars.selectors import by_name

    cells = [numbers(sheet, name).alias(name) for name in scores]
    frame = sheet.frame.select(ROW, *labels, *cells)
    long = frame.unpivot(on=by_name(*scores), index=[ROW, *labels], variable_name=across, value_name=_CELL)
    return Sheet(long.select(pl.exclude(_CELL), pl.col(_CELL).cast(pl.Float64).alias(SCORE)), sheet.origin, sheet.tag)


def _is_numeric(sheet: Sheet, name: str) -> bool:
    """Whether a column holds numbers alone."""
    try:
        return numbers(sheet, name).null_count() < len(sheet.frame)
    except InputError:
        return False
