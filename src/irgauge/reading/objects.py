"""Runs and qrels that are Python objects: dicts, data frames, ranx objects, ir_measures tuples."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irgauge.arrays import Ints
from irgauge.errors import InputError
from irgauge.reading.trec import LARGEST_GRADE, Qrels, Run, read_run

_TOPIC = ("query_id", "qid", "topic")
_DOCNO = ("doc_id", "docno", "document")
_SCORE = ("score",)
_GRADE = ("relevance", "label", "grade")

Triples = tuple[Sequence[Any], Sequence[Any], Sequence[Any]]  # topics, docnos, values


def run_of(given: object, name: str) -> Run:
    """The run that an object holds.

    >>> run_of({"q1": {"d1": 0.5, "d2": 0.7}}, "mine").topics
    ('q1',)
    """
    if isinstance(given, str | os.PathLike):
        return replace(read_run(given), tag=name)
    origin = f"run '{name}'"
    topics, docnos, values = _triples(given, _SCORE, origin)
    scores = np.array([_number(value, row, "score", origin) for row, value in enumerate(values)])
    order, parts = _rows(topics, docnos, origin)
    return Run(**parts, tag=name, scores=scores[order])


def qrels_of(given: object) -> Qrels:
    """The judgments that an object holds.

    >>> qrels_of({"q1": {"d1": 1, "d2": 0}}).grades.tolist()
    [1, 0]
    """
    origin = "the qrels"
    topics, docnos, values = _triples(given, _GRADE, origin)
    numbers = [_number(value, row, "grade", origin) for row, value in enumerate(values)]
    for row, number in enumerate(numbers):
        if not number.is_integer() or abs(number) > LARGEST_GRADE:
            raise InputError(f"the grade {number!r} in row {row + 1} is not a whole number, as grades are", path=origin)
    order, parts = _rows(topics, docnos, origin)
    grades = np.array(numbers).astype(np.int64)[order]
    return Qrels(**parts, grades=grades, strata=np.zeros_like(grades))


def runs_of(given: object) -> list[Run]:
    """All runs that an object holds: one run, a mapping from names to runs, or a sequence of named runs."""
    if isinstance(given, Mapping) and not _is_run(given):
        return [run_of(run, str(name)) for name, run in given.items()]
    if isinstance(given, list | tuple) and given and not _is_triple(given[0]):
        return [run_of(run, _name(run, f"run{number}")) for number, run in enumerate(given, 1)]
    return [run_of(given, _name(given, "run"))]


def _is_run(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping is one run, from topics to documents, rather than from names to runs."""
    inner = [value for topic in given.values() if isinstance(topic, Mapping) for value in topic.values()]
    return all(isinstance(topic, Mapping) for topic in given.values()) and not any(
        isinstance(value, Mapping) for value in inner
    )


def _name(run: object, otherwise: str) -> str:
    name = getattr(run, "name", None)  # ranx runs have one; a data frame's column of that name is no str
    return name if isinstance(name, str) and name else otherwise


def _triples(given: Any, value_names: tuple[str, ...], origin: str) -> Triples:
    if not isinstance(given, Mapping) and hasattr(given, "to_dict") and not hasattr(given, "columns"):
        given = given.to_dict()  # ranx
    if isinstance(given, Mapping):
        return _from_mapping(given, origin)
    if hasattr(given, "columns"):
        return tuple(_column(given, names, origin) for names in (_TOPIC, _DOCNO, value_names))  # type: ignore[return-value]  # three
    if isinstance(given, Iterable):
        return _from_tuples(given, value_names, origin)
    raise InputError(f"a {type(given).__name__} cannot be read; {_ALLOWED}", path=origin)


_ALLOWED = "give a path, a dict of dicts, a data frame, a ranx object, or tuples of topic, docno and value"


def _from_mapping(given: Mapping[Any, Any], origin: str) -> Triples:
    topics: list[Any] = []
    docnos: list[Any] = []
    values: list[Any] = []
    for topic, documents in given.items():
        if not isinstance(documents, Mapping):
            raise InputError(f"topic '{topic}' holds a {type(documents).__name__}, not a dict; {_ALLOWED}", path=origin)
        topics += [topic] * len(documents)
        docnos += documents.keys()
        values += documents.values()
    return topics, docnos, values


def _column(frame: Any, names: tuple[str, ...], origin: str) -> list[Any]:
    present = [str(column) for column in frame.columns]
    for name in names:
        if name in present:
            return list(frame[name])
    allowed = " or ".join(f"'{name}'" for name in names)
    raise InputError(f"the data frame has no column {allowed}; it has {', '.join(present)}", path=origin)


def _is_triple(item: object) -> bool:
    return isinstance(item, tuple) and len(item) >= 3


def _from_tuples(given: Iterable[Any], value_names: tuple[str, ...], origin: str) -> Triples:
    rows = list(given)
    for row in rows:
        if not _is_triple(row):
            raise InputError(f"{row!r} is not a tuple of topic, docno and value; {_ALLOWED}", path=origin)
    named = bool(rows) and hasattr(rows[0], "query_id")
    value_of = next((name for name in value_names if rows and hasattr(rows[0], name)), None)
    if named and value_of:
        return [r.query_id for r in rows], [r.doc_id for r in rows], [getattr(r, value_of) for r in rows]
    return [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]


def _number(value: Any, row: int, what: str, origin: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise InputError(f"the {what} {value!r} in row {row + 1} is not a number", path=origin)
    return number


def _rows(topics: Sequence[Any], docnos: Sequence[Any], origin: str) -> tuple[Ints, dict[str, Any]]:
    """The order that brings a topic's rows together, and the fields of `Rows`."""
    if not topics:
        raise InputError("there are no rows", path=origin)
    for what, column in (("topic", topics), ("docno", docnos)):
        for row, value in enumerate(column, 1):
            if value is None or value != value:  # NaN is how pandas marks what is missing
                raise InputError(f"row {row} has no {what}; fill it in", path=origin)
    names = [str(topic) for topic in topics]
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    of_row = np.array([number[name] for name in names])
    order = np.argsort(of_row, kind="stable")
    try:
        encoded = [str(docno).encode() for docno in docnos]
    except UnicodeEncodeError as error:
        raise InputError(f"the docno {error.object!r} is not valid Unicode; fix it", path=origin) from None
    if broken := [docno for docno in encoded if b"\n" in docno]:
        raise InputError(f"the docno {broken[0].decode()!r} holds a line break; remove it", path=origin)
    stops = np.cumsum([len(docno) for docno in encoded])
    starts = np.concatenate([[0], stops[:-1]])
    return order, {
        "path": origin,
        "is_file": False,
        "topics": tuple(number),
        "bounds": np.concatenate([[0], np.cumsum(np.bincount(of_row))]),
        "text": np.frombuffer(b"".join(encoded), np.uint8).copy(),  # can be written to, as the text of files can
        "starts": starts[order],
        "stops": stops[order],
    }
