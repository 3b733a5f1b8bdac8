"""LongTable: one score in each row, with its measure, topic, system and replicate, and where each row comes from.

It is made of a sheet, by the columns of that: long, or wide with a column for each system or for each measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.errors import InputError
from irgauge.files.opening import base_name
from irgauge.reading.name_order import in_name_order
from irgauge.reading.tables.across import across_of, crossing_of
from irgauge.reading.tables.named_columns import named_columns, named_measures, named_of_topics
from irgauge.reading.tables.no_scores import no_scores, without_totals
from irgauge.reading.tables.sheet import KEYS, ROW, SCORE, Columns, Origin, Sheet, other_names
from irgauge.reading.tables.system_column import with_system
from irgauge.reading.tables.text import is_number, listed
from irgauge.reading.tables.understood import TableReading, joined_reading, long_reading, wide_reading
from irgauge.reading.tables.written_numbers import refuse_written, with_flags, with_shares
from irgauge.reading.topic_table import TopicTable, described

if TYPE_CHECKING:
    import polars as pl

ALL = "all"  # how trec_eval and ir_measures call the average over topics
_ORIGIN = "number of the origin"
_LARGEST_WHOLE = 2.0**53  # up to which doubles hold every whole number
_LARGEST = 1e100  # size of a score
_UNDEFINED = "NA"  # how R writes what is missing
IsMeasure = Callable[[str], bool]  # whether a text is the name of a measure that we know
_CELL, _COLUMN = "score in the cell", "name of the column"  # for a while; a system may be called 'score'
LONG = "scores have the columns measure, topic, system, replicate, score"


@dataclass(frozen=True, eq=False)
class LongTable:
    """Scores with their labels as text; what is empty is null, and so is a column that was not given."""

    frame: pl.DataFrame  # KEYS, SCORE, ROW, _ORIGIN
    origins: tuple[Origin, ...]
    about: TopicTable = field(default_factory=TopicTable)  # what else its columns say of topics
    is_nameless: bool = False  # whether neither a column nor the name of its file says the measure
    lower: frozenset[str] = frozenset()  # measures of which less is better, as a tool says
    reading: TableReading = field(default_factory=TableReading)  # how it was understood
    replicate_column: str | None = None  # what its column of replicates is called; of several tables, that of the first

    @classmethod
    def of(cls, sheet: Sheet, columns: Mapping[str, str]) -> LongTable:
        """The columns of a sheet that hold the labels and the scores; averages over all topics are left out."""
        import polars as pl

        labels = [
            labels_of(sheet, columns[key], key) if key in columns else pl.lit(None, pl.String).alias(key)
            for key in KEYS
        ]
        scores = numbers(sheet, columns[SCORE]).alias(SCORE)
        frame = sheet.frame.select(ROW, *labels, scores, pl.lit(0, pl.Int64).alias(_ORIGIN))
        column = sheet.replicate_column or columns.get("replicate")
        return cls(_of_topics(frame, sheet.origin), (sheet.origin,), replicate_column=column)

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

    def refuse_empty(self, keys: Sequence[str], names: Mapping[str, str] | None = None) -> None:
        """Refuse rows without a label; `names` is what a key is called."""
        for key in keys:
            if count := self.frame[key].null_count():
                rows = f"{count} row{'s have' if count > 1 else ' has'} no {(names or {}).get(key, key)}; fill it in"
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

    def refuse_twice(self, keys: Sequence[str], names: Mapping[str, str] | None = None) -> None:
        """Refuse two rows with the same labels; `names` is what a key is called."""
        import polars as pl

        again = ~self.frame.select(pl.struct(keys).is_first_distinct()).to_series()
        if again.any():
            row = int(again.arg_max() or 0)
            cell = ", ".join(f"{(names or {}).get(key, key)} '{self.frame[key][row]}'" for key in keys)
            raise self.error(f"the cell {cell} appears twice in the table; {self._apart}", row)

    @property
    def _apart(self) -> str:
        """What to do with rows of one cell: columns that no topic has one value of may tell them apart."""
        if not self.about.unused:
            return "remove one of the two"
        column = self.about.unused[-1]
        return (
            f"keep one row of each, or name what tells them apart ({', '.join(self.about.unused)}): variants "
            f"'{column}' (of compare, gate, score, plan and report), if these are wordings or prompts; if they are "
            f"repetitions or judges, say --columns replicate={column}; if they are systems, --columns system={column}"
        )

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
    abouts = [table.about for table in tables]
    about = reduce(TopicTable.beside, abouts).unless_contradicted(abouts, named_columns())
    is_nameless = all(table.is_nameless for table in tables)
    lower = frozenset[str]().union(*(table.lower for table in tables))
    origins = tuple(table.origins[0] for table in tables)
    reading = joined_reading([table.reading for table in tables])
    return LongTable(pl.concat(frames), origins, about, is_nameless, lower, reading, tables[0].replicate_column)


def numbers(sheet: Sheet, column: str) -> pl.Series:
    """A column of scores, as numbers."""
    import polars as pl

    scores = sheet.frame[column].alias(SCORE)  # polars takes some names, such as ^b.*$, as patterns
    if scores.dtype == pl.String:
        scores = scores.str.strip_chars().replace(["", _UNDEFINED], None)
    try:
        values = scores.cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError:
        values = scores
    if values.dtype != pl.Float64:  # a struct stays one when it is cast
        raise sheet.origin.error(f"the scores are of type {scores.dtype}; they must be numbers")
    bad = values.is_null() & scores.is_not_null()
    if bad.any():
        place = int(bad.arg_max() or 0)
        message = f"the score '{scores[place]}' is not a number; fix it, or leave it empty if missing"
        raise sheet.origin.error(message, sheet.frame[ROW][place])
    return values


def labels_of(sheet: Sheet, column: str, key: str) -> pl.Series:
    """Labels as text, empty ones as null; whole numbers without a point, as pandas has them beside empty cells."""
    import polars as pl

    labels = sheet.frame[column].alias("")  # polars takes a name such as ^b.*$ for a pattern
    there = labels.drop_nulls()
    if labels.dtype.is_float() and (there % 1 == 0).all() and (there.abs() < _LARGEST_WHOLE).all():
        labels = labels.cast(pl.Int64)
    try:
        return labels.cast(pl.String).replace("", None).alias(key)
    except pl.exceptions.PolarsError:
        raise sheet.origin.error(f"the column {column} is of type {labels.dtype}; it must be text or numbers") from None


def _of_topics(frame: pl.DataFrame, origin: Origin) -> pl.DataFrame:
    """Without the averages over all topics."""
    import polars as pl

    if frame.is_empty():
        raise origin.error("the table has no rows; was it written to the end?")
    left = without_totals(frame.filter((pl.col("topic") != ALL).fill_null(value=True)), origin)
    if left.is_empty():
        raise origin.error("the table has averages over all topics only; write the scores of topics (-q, per query)")
    return left


def long_table(sheet: Sheet, is_measure: IsMeasure) -> LongTable:
    """The scores of a table; its measure or its system is missing where neither a column nor a header names it."""
    sheet = with_shares(with_system(sheet))
    columns = sheet.columns
    _refuse(sheet, columns)
    sheet = with_flags(sheet, [*named_measures(columns.others), *([SCORE] if sheet.is_score_said else [])])
    named = named_of_topics(sheet, columns.of.get("topic"), columns.others)
    sheet = replace(sheet, of_topics=(*sheet.of_topics, *named))
    if SCORE in columns.of and "topic" in columns.of:
        _refuse_two_readings(sheet, columns)
        about = described(sheet, columns.of["topic"], columns.others)
        lower = sheet.recognized.lower if sheet.recognized is not None else frozenset[str]()
        reading = long_reading(sheet, columns.of)
        return replace(LongTable.of(sheet, columns.of), about=about, lower=lower, reading=reading)
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
    if "system" in columns.of or sheet.is_score_said:
        return
    more = [name for name in columns.others if name not in sheet.of_topics and _is_numeric(sheet, name)]
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
    is_of_topics = "topic" in labels
    texts = [name for name in scores if is_of_topics and (name in sheet.of_topics or _is_text(sheet, name))]
    scores = [name for name in scores if name not in texts]
    refuse_written(sheet, [name for name in texts if name not in sheet.of_topics])
    if not scores or {"measure", "system"} <= labels.keys():
        raise _lacks(sheet, SCORE)
    if "topic" not in labels and "system" in labels:
        raise _lacks(sheet, "topic")
    sheet, labels = _with_topics(sheet, columns, labels, scores)
    _refuse_fractions(sheet, labels)
    others = no_scores(sheet, labels, scores, is_measure)
    texts, scores = [*texts, *others], [name for name in scores if name not in others]
    crossing = {} if {"measure", "system"} & labels.keys() else crossing_of(scores, is_measure)
    crossing = crossing if crossing.keys() == set(scores) else {}
    across = ("measure", "system") if crossing else (across_of(sheet, labels, scores, is_measure),)
    long = _unpivoted(sheet, list(labels.values()), crossing or {name: (name,) for name in scores}, across)
    table = LongTable.of(long, {**labels, **{role: role for role in across}, SCORE: SCORE})
    about = described(sheet, labels["topic"], texts)
    name = sheet.origin.name
    is_nameless = not table.has("measure") and not (name is not None and is_measure(name))
    reading = wide_reading(sheet, labels, across, is_numbered="topic" not in columns.of and columns.index is None)
    return replace(table.named("measure", name), about=about, is_nameless=is_nameless, reading=reading)


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
    return replace(sheet, frame=sheet.frame.with_columns(topics)), labels | {"topic": "topic"}


def _refuse_numbered(sheet: Sheet, scores: Sequence[str]) -> None:
    """Refuse a table without topics that has one column only, or whose first column could hold the topics."""
    if len(scores) == 1:
        raise _lacks(sheet, "topic")
    first = scores[0]
    if not _is_numeric(sheet, first):
        raise sheet.origin.error(
            f"no column is called 'topic', and '{first}' does not hold scores; say which column holds the topics "
            f"(--columns topic={first}), and the systems (system=NAME) if one does; remove columns of neither"
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


def _unpivoted(
    sheet: Sheet, labels: list[str], scores: Mapping[str, tuple[str, ...]], across: tuple[str, ...]
) -> Sheet:
    """One score in each row; `scores`: column -> what it is called in each role that names of columns have."""
    import polars as pl
    from polars.selectors import by_name

    cells = [numbers(sheet, name).alias(name) for name in scores]
    frame = sheet.frame.select(ROW, *labels, *cells)
    long = frame.unpivot(on=by_name(*scores), index=[ROW, *labels], variable_name=_COLUMN, value_name=_CELL)
    names = [
        pl.col(_COLUMN).replace_strict({column: own[place] for column, own in scores.items()}).alias(role)
        for place, role in enumerate(across)
    ]
    score = pl.col(_CELL).cast(pl.Float64).alias(SCORE)
    return Sheet(long.select(ROW, *labels, *names, score), sheet.origin, sheet.tag)


def _is_numeric(sheet: Sheet, name: str) -> bool:
    """Whether a column holds numbers alone."""
    try:
        return numbers(sheet, name).null_count() < len(sheet.frame)
    except InputError:
        return False


def _is_text(sheet: Sheet, name: str) -> bool:
    """Whether a column describes topics, as no cell of it is a number: broken scores have some that are."""
    cells = labels_of(sheet, name, "").drop_nulls()
    return len(cells) > 0 and not any(is_number(cell) or cell == _UNDEFINED for cell in cells.unique().to_list())
