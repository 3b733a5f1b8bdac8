"""Triples: rows of topic, docno and value, as objects and most files have them, made into runs and judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.errors import InputError
from irgauge.reading.name_order import ranks
from irgauge.reading.tables.sheet import Origin, is_missing, plain, quoted, text_of
from irgauge.reading.textfile import LARGEST_GRADE
from irgauge.reading.trec import Qrels, Run, no_iterations

# what columns are called, the usual names first; upper and lower case, and - and _, are the same
TOPIC = ("query_id", "qid", "q_id", "topic", "topic_id", "query_text", "query")
DOCNO = ("doc_id", "docno", "corpus_id", "document", "document_id", "docid")
SCORE = ("score",)
RANK = ("rank", "doc_position")
GRADE = ("relevance", "label", "grade", "rel", "qrel", "rating", "score")
SYSTEM = ("system", "name", "run", "model", "tag", "snapshot_name")
ITERATION = ("iteration", "subtopic_id", "subtopic")
_OF_QUEPID = ("query_text", "query", "doc_position", "rating")  # which nobody is told to write
OF_RUNS = (SCORE, RANK)  # what a row of a run may have, the first that is there
OF_QRELS = (GRADE,)


@dataclass(frozen=True)
class Triples:
    """Rows of topic, docno and value, and where they come from."""

    topics: Sequence[Any]
    docnos: Sequence[Any]
    values: Sequence[Any]
    origin: Origin
    iterations: Sequence[Any] | None = None  # the second column of qrels, where that is known

    def error(self, message: str, row: int) -> InputError:
        """An error that names the line of a row, or else its number; {} stands for it in the message."""
        known = self.origin.line_of is not None
        return self.origin.error(message.format("" if known else f" in row {row + 1}"), row)

    def only(self, rows: Sequence[int], path: str) -> Triples:
        """Some of the rows, which have a name of their own."""
        line_of = self.origin.line_of
        lines = None if line_of is None else lambda row: line_of(rows[row])
        origin = replace(self.origin, path=path, line_of=lines)
        topics, docnos, values = ([column[row] for row in rows] for column in (self.topics, self.docnos, self.values))
        return Triples(topics, docnos, values, origin)


def found(columns: Iterable[Any], names: Sequence[str]) -> Any | None:  # noqa: ANN401  # a column may be called anything
    """The column that has one of these names; the first name that is there goes before the others.

    >>> found(["qid", "docid", "docno"], DOCNO)
    'docno'
    """
    there = {plain(column): column for column in reversed(list(columns))}
    return next((there[name] for name in names if name in there), None)


def of_columns(columns: Mapping[Any, Sequence[Any]], kinds: Sequence[Sequence[str]], origin: Origin) -> Triples:
    """Rows from named columns; the value is that of the first kind that is there, and of a rank the negative."""
    topic, docno = (needed(columns, (names,), origin) for names in (TOPIC, DOCNO))
    value = needed(columns, kinds, origin)
    values = columns[value]
    iteration = found(columns, ITERATION) if GRADE in kinds else None
    rows = Triples(columns[topic], columns[docno], values, origin, None if iteration is None else columns[iteration])
    if plain(value) not in RANK:
        return rows
    return Triples(rows.topics, rows.docnos, [-number(rows, i, "rank") for i in range(len(values))], origin)


def of_mapping(mapping: Mapping[Any, Mapping[Any, Any]], origin: Origin) -> Triples:
    """Rows of a mapping from topics to documents to values."""
    topics: list[Any] = []
    docnos: list[Any] = []
    values: list[Any] = []
    for topic, documents in mapping.items():
        topics += [topic] * len(documents)
        docnos += documents.keys()
        values += documents.values()
    return Triples(topics, docnos, values, origin)


def needed(columns: Iterable[Any], kinds: Sequence[Sequence[str]], origin: Origin) -> Any:  # noqa: ANN401  # as above
    """The column that has a name of the first kind that is there; refuses a table that has none."""
    present = list(columns)
    for names in kinds:
        if (column := found(present, names)) is not None:
            return column
    allowed = " or ".join(f"'{name}'" for names in kinds for name in names if name not in _OF_QUEPID)
    raise origin.error(f"there is no column {allowed}; the columns are {', '.join(map(str, present))}")


def systems_of(columns: Mapping[Any, Sequence[Any]], origin: Origin) -> dict[str, list[int]]:
    """The rows of each system, where a column names the system of each row; else none."""
    name = found(columns, SYSTEM)
    rows: dict[str, list[int]] = {}
    for row, system in enumerate(() if name is None else columns[name]):
        if is_missing(system):
            raise origin.error(f"row {row + 1} has no {name}; fill it in", row)
        rows.setdefault(text_of(system), []).append(row)
    return rows


def number(rows: Triples, row: int, what: str) -> float:
    """The value of a row."""
    value = rows.values[row]
    try:
        is_none = value is np.ma.masked or (isinstance(value, str) and "_" in value)
        parsed = math.nan if is_none else float(value)
    except (TypeError, ValueError, OverflowError):
        parsed = math.nan
    if math.isnan(parsed):
        raise rows.error(f"the {what} {_braced(value)}{{}} is not a number", row)
    return parsed


def _braced(value: object) -> str:
    return quoted(value).replace("{", "{{").replace("}", "}}")


def run_of_triples(rows: Triples, tag: str | None, *, is_named: bool = False, notes: tuple[str, ...] = ()) -> Run:
    """A run of rows with scores."""
    scores = np.array([number(rows, row, "score") for row in range(len(rows.values))])
    order, fields = _fields(rows)
    return Run(**fields, tag=tag, scores=scores[order], is_named=is_named, notes=notes)


def qrels_of_triples(rows: Triples) -> Qrels:
    """Judgments of rows with grades."""
    numbers = [number(rows, row, "grade") for row in range(len(rows.values))]
    for row, grade in enumerate(numbers):
        if not grade.is_integer() or abs(grade) > LARGEST_GRADE:
            raise rows.error(f"the grade {grade!r}{{}} is not a whole number, as grades are", row)
    order, fields = _fields(rows)
    grades = np.array(numbers).astype(np.int64)[order]
    iterations = no_iterations() if rows.iterations is None else _iterations(rows.iterations)[order]
    return Qrels(**fields, grades=grades, strata=np.zeros_like(grades), iterations=iterations)


def _iterations(values: Sequence[Any]) -> Ints:
    """A number for each row's iteration, in the order of their names."""
    names, numbers = _numbered(values)
    return ranks(names)[numbers]


def _fields(rows: Triples) -> tuple[Ints, dict[str, Any]]:
    """The order that brings a topic's rows together, and the fields of `Rows`."""
    if not len(rows.topics):
        raise rows.origin.error("there are no rows")
    _refuse_missing(rows)
    topics, of_row = _numbered(rows.topics)
    order = np.argsort(of_row, kind="stable")
    encoded = _encoded(rows)
    stops = np.cumsum([len(docno) for docno in encoded])
    starts = np.concatenate([[0], stops[:-1]])
    return order, {
        "path": rows.origin.path,
        "line_of": _line_of(rows.origin, order),
        "topics": topics,
        "bounds": np.concatenate([[0], np.cumsum(np.bincount(of_row))]),
        "text": np.frombuffer(b"".join(encoded), np.uint8).copy(),  # can be written to, as the text of files can
        "starts": starts[order],
        "stops": stops[order],
    }


def _line_of(origin: Origin, order: Ints) -> Callable[[int], int | None]:
    return lambda row: None if origin.line_of is None else origin.line_of(int(order[row]))


def _refuse_missing(rows: Triples) -> None:
    for what, column in (("topic", rows.topics), ("docno", rows.docnos)):
        for row, value in enumerate(column):
            if is_missing(value):
                raise rows.error(f"there is no {what}{{}}; fill it in", row)


def _numbered(values: Sequence[Any]) -> tuple[tuple[str, ...], Ints]:
    """The distinct values as text, and the number of each row's."""
    texts = list(map(text_of, values))
    numbers = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    return tuple(numbers), np.array([numbers[text] for text in texts], np.int64)


def _encoded(rows: Triples) -> list[bytes]:
    try:
        for name in rows.topics:
            text_of(name).encode()
        encoded = [text_of(docno).encode() for docno in rows.docnos]
    except UnicodeEncodeError as error:
        raise rows.origin.error(f"the name {error.object!r} is not valid Unicode; fix it") from None
    for row, docno in enumerate(encoded):
        if b"\n" in docno:
            raise rows.error(f"the docno {_braced(docno.decode())}{{}} holds a line break; remove it", row)
    return encoded
