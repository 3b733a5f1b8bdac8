"""Sheet: a table as it was read, where its rows come from, and which column holds the topic, the system, the score.

With its cells, as users and other tools write them, and lazy frames.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from irgauge.choices import known
from irgauge.errors import InputError
from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import base_name

if TYPE_CHECKING:
    import polars as pl

SCORE = "score"
KEYS = ("measure", "topic", "system", "replicate")
# role -> its names; those of an earlier group go before those of a later one
_NAMES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "measure": (("measure", "metric"),),
    "topic": (
        ("topic",),
        ("topic_id", "query_id", "qid", "q_id", "topicid", "queryid", "question_id"),
        ("query", "question", "id"),
        ("user_input",),
        ("request_id",),
        ("query_text", "search_query", "search_term", "search_text", "searchtext", "keyword", "prompt"),
    ),
    "system": (("system", "algorithm"), ("name", "run", "model", "tag", "run_id", "runid")),
    "replicate": (("replicate", "instance"), ("seed", "shard", "fold"), ("epoch", "trial")),
    SCORE: ((SCORE,), ("value",)),
}
_DOCUMENTS = frozenset({"doc_id", "docid", "docno", "document", "document_id", "corpus_id", "pid", "did", "passage_id"})
_INDEX = re.compile(r"|unnamed:_[\d.]+|index")  # what pandas and R write over the names of rows, which come first
_INDEX_LEVEL = re.compile(r"__index_level_\d+__")  # what pandas calls them in Parquet, where they come last
_MOST_SAID = 60  # characters of a value in an error
_MOST_BITS = 1023  # of whole numbers that a double can hold
ROW = "number of the row"  # a column that tells where a row was before others were left out
_ENDS = (".csv", ".tsv", ".txt", ".parquet", ".jsonl", ".ndjson", ".json", ".eval", ".trec", ".res", ".out")


@dataclass(frozen=True)
class Columns:
    """The columns of a table: those that have a role, the name of the row, and all others."""

    of: Mapping[str, str]  # role -> the column that has it
    indexes: tuple[str, ...]  # columns that number or name the rows
    others: tuple[str, ...]
    twice: tuple[str, ...] = ()  # two columns of one role
    document: str | None = None  # a column of documents: such a table is a run or judgments

    @property
    def index(self) -> str | None:
        """The column that numbers or names the rows; of several the first."""
        return next(iter(self.indexes), None)


def plain(column: object) -> str:
    """The name of a column, without what tools differ in.

    >>> plain("Query-ID")
    'query_id'
    """
    return re.sub(r"[-\s]", "_", str(column).strip().lower())


def columns_of(names: Sequence[str]) -> Columns:
    """What the columns of these names hold.

    >>> found = columns_of(["Query-ID", "query", "Metric", "value"])
    >>> dict(found.of), found.others
    ({'measure': 'Metric', 'topic': 'Query-ID', 'score': 'value'}, ('query',))
    """
    named = {name: plain(name) for name in names}
    by_role: dict[str, str] = {}
    twice: tuple[str, ...] = ()
    for role, groups in _NAMES.items():
        there = next(filter(None, ([name for name in names if named[name] in group] for group in groups)), [])
        by_role |= {role: there[0]} if there else {}
        twice = twice or tuple(there[:2]) * (len(there) > 1)
    first = takewhile(lambda name: _INDEX.fullmatch(named[name]), names)
    indexes = (*first, *(name for name in names if _INDEX_LEVEL.fullmatch(named[name])))
    others = tuple(name for name in names if name not in by_role.values() and name not in indexes)
    document = next((name for name in names if named[name] in _DOCUMENTS), None)
    return Columns(by_role, indexes, others, twice, document)


def other_names(role: str) -> str:
    """What a column may be called besides.

    >>> other_names("replicate")
    'instance, seed, shard, fold, epoch, trial'
    """
    return ", ".join(name for group in _NAMES[role] for name in group if name != role)


def is_lazy(value: object) -> bool:
    """Whether an object is a frame that is not computed yet."""
    return hasattr(type(value), "collect_schema") and not hasattr(type(value), "shape")


def collected(value: Any) -> Any:  # noqa: ANN401  # any object
    """The frame that a lazy one gives; anything else as it is."""
    if not is_lazy(value):
        return value
    import polars as pl

    try:
        return value.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        message = str(error).partition("\n")[0]
        raise InputError(f"the lazy frame cannot be computed ({message}); fix its query") from None


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: None, NaN, or what pandas has for it.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0), is_missing("")
    (True, True, False, False)
    """
    if value is None or type(value).__name__ == "NAType":  # pandas.NA is neither equal nor unequal to anything
        return True
    try:
        return bool(value != value)
    except (ArithmeticError, TypeError, ValueError):  # an array, or a decimal that cannot be compared
        return False


def text_of(value: object) -> str:
    """A name as text; a whole number without a point, as pandas has them beside empty cells.

    >>> text_of(401.0), text_of("401"), text_of(0.5)
    ('401', '401', '0.5')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    try:
        return str(value)
    except ValueError:  # Python writes numbers of 4,300 digits and no longer ones
        raise InputError("a number of thousands of digits is no name; fix it") from None


def quoted(value: object) -> str:
    """A value as an error quotes it, cut where it is long.

    >>> quoted("high"), quoted(10**100)
    ("'high'", '10000000000000000000000000000000000000000000000000000000000...')
    """
    try:
        text = repr(value)
    except ValueError:  # as above
        return "of thousands of digits"
    return text if len(text) <= _MOST_SAID else text[: _MOST_SAID - 1] + "..."


@dataclass(frozen=True)
class Origin:
    """Where rows come from: a file, or an object that may have a name."""

    path: str | None = None
    name: str | None = None  # of a system or a measure that the table itself does not name
    line_of: Callable[[int], int | None] | None = None  # row -> its line
    place_of: Callable[[int], str | None] | None = None  # row -> where in an object of JSON it is

    def error(self, message: str, row: int | None = None) -> InputError:
        """An error that names the file and, where that can be known, the line of a row."""
        line = None if row is None or self.line_of is None else self.line_of(row)
        place = None if row is None or self.place_of is None else self.place_of(row)
        return InputError(message if place is None else f"{place}: {message}", path=self.path, line=line)


@dataclass(frozen=True)
class Recognized:
    """What is known of a table that a tool wrote, whose columns are called by their roles and else describe topics."""

    tool: str
    becomes: str  # what of its file the systems, topics, measures and replicates are
    task: str | None = None  # whose topics these are
    lower: frozenset[str] = frozenset()  # measures of which less is better
    asked: Mapping[str, str] = field(default_factory=dict)  # topic -> what it is, where its name may be but a number
    raw: Callable[[], Sheet] | None = None  # the table as it is in the file, for those who say what its columns are
    replicate: str | None = None  # what it calls a replicate


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table as it was read: its cells, each column text or numbers."""

    frame: pl.DataFrame  # with ROW
    origin: Origin
    tag: str | None = None  # what a file that holds one system calls it
    of_topics: tuple[str, ...] = ()  # columns that are said to describe topics, whatever they hold
    recognized: Recognized | None = None  # what else is known, where a tool wrote it
    is_score_said: bool = False  # whether the user says which column holds the scores
    written: Mapping[str, str] = field(default_factory=dict)  # what columns that were renamed are called in the file

    @classmethod
    def of(cls, frame: pl.DataFrame, origin: Origin) -> Sheet:
        """A table whose rows are numbered."""
        return cls(frame.drop(ROW, strict=False).with_row_index(ROW), origin)

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return [name for name in self.frame.columns if name != ROW]

    @property
    def replicate_column(self) -> str | None:
        """What its replicates are called, where their column is called otherwise than in the file."""
        return self.written.get("replicate") if self.recognized is None else self.recognized.replicate

    @property
    def columns(self) -> Columns:
        """What its columns hold: by their names, or as the reader of a tool's file says."""
        if self.recognized is None:
            return columns_of(self.names)
        roles = {role: role for role in (*KEYS, SCORE)}
        return Columns(roles, (), tuple(name for name in self.names if name not in roles))


def sheet_of(columns: Mapping[str, Iterable[Any]], origin: Origin) -> Sheet:
    """A table from columns of Python objects."""
    import polars as pl

    try:
        frame = pl.DataFrame([_series(name, list(cells)) for name, cells in columns.items()])
    except UnicodeEncodeError as error:
        raise origin.error(f"the name {error.object!r} is not valid Unicode; fix it") from None
    return Sheet.of(frame, origin)


def _series(name: str, cells: Sequence[Any]) -> pl.Series:
    """Numbers where all are numbers, else text."""
    import polars as pl

    there = [None if is_missing(cell) else cell for cell in cells]
    kinds = {type(cell) for cell in there if cell is not None}
    for numbers, dtype in (((int, np.integer), pl.Int64), ((int, float, np.number), pl.Float64)):
        if all(issubclass(kind, numbers) and kind is not bool for kind in kinds):
            try:
                series = pl.Series(name, there, dtype=dtype, strict=False)
            except OverflowError:
                break
            if series.null_count() == there.count(None):  # else some number is too large
                return series
    return pl.Series(name, [None if cell is None else _text(cell) for cell in there], dtype=pl.String)


def _text(cell: object) -> str:
    """A cell as text; a number that is too large for a double is quoted, as it is no score."""
    return quoted(cell) if isinstance(cell, int) and cell.bit_length() > _MOST_BITS else str(cell)


def stem(path: str) -> str:
    """The name of a file without the ends that tell its form.

    >>> stem("scores/adhoc8_ap.csv.gz"), stem("bm25.v2.jsonl"), stem("bm25.v2")
    ('adhoc8_ap', 'bm25.v2', 'bm25.v2')
    """
    name = base_name(path)
    for ends in (COMPRESSED, _ENDS):
        end = next((end for end in ends if name.lower().endswith(end)), "")
        name = name[: len(name) - len(end)] or name
    return name


SLICE = "slice"  # what a column that describes topics is called in `columns`
Roles = Mapping[str, tuple[str, ...]]  # role -> the columns that are said to have it


def roles_of(given: str | Mapping[str, str] | None) -> Roles:
    """Which columns have which role, as it is written: topic=qid,system=model,score=f1,slice=type.

    >>> roles_of("topic=qid,slice=type,slice=lang")
    {'topic': ('qid',), 'slice': ('type', 'lang')}
    """
    if given is None:
        return {}
    written = [] if isinstance(given, Mapping) else [part.partition("=") for part in given.split(",")]
    pairs = list(given.items()) if isinstance(given, Mapping) else [(role, column) for role, _, column in written]
    roles: dict[str, tuple[str, ...]] = {}
    for role, column in pairs:
        name = known(role.strip(), (*KEYS, SCORE, SLICE), "role of a column", error=InputError)
        if not column.strip():
            raise InputError(f"'{role}' names no column; write columns like topic=qid,system=model,score=f1,slice=type")
        roles[name] = (*roles.get(name, ()), column.strip())
    for role, columns in roles.items():
        if role != SLICE and len(columns) > 1:
            raise InputError(f"the columns {' and '.join(columns)} are both said to hold the {role}; name one")
    return roles


def with_roles(sheet: Sheet, roles: Roles) -> Sheet:
    """The table with its columns called by the roles that they are said to have; a score by its name as the measure."""
    import polars as pl

    if sheet.recognized is not None and sheet.recognized.raw is not None:
        sheet = sheet.recognized.raw()
    elif sheet.recognized is not None and not roles.keys().isdisjoint(("measure", SCORE)):
        raise sheet.origin.error(f"{sheet.recognized.tool} names its measures; choose among them by 'measures'")
    roles = {
        role: tuple(known(column, sheet.names, "column", error=sheet.origin.error) for column in columns)
        for role, columns in roles.items()
    }
    names = {columns[0]: role for role, columns in roles.items() if role != SLICE}
    others = {role: f"{role} (other)" for column, role in names.items() if role in sheet.names and column != role}
    frame = sheet.frame.rename(others | names)
    if SCORE in roles and "measure" not in sheet.columns.of and "measure" not in roles:
        frame = frame.with_columns(pl.lit(roles[SCORE][0]).alias("measure"))
    written = {role: column for column, role in names.items()}
    return replace(sheet, frame=frame, of_topics=roles.get(SLICE, ()), is_score_said=SCORE in roles, written=written)
