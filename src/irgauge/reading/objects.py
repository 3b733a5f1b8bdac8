"""Runs and qrels that are Python objects: dicts, data frames, Hugging Face datasets, ranx objects, named tuples.

And judgments, topics and documents by the name that ir_datasets gives them, where that package is installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Literal

from irgauge.errors import InputError
from irgauge.reading.formats import read_run
from irgauge.reading.tables.sheet import Origin, collected, quoted
from irgauge.reading.trec import Qrels, Run
from irgauge.reading.triples import (
    DOCNO,
    ITERATION,
    OF_QRELS,
    OF_RUNS,
    TOPIC,
    Triples,
    found,
    of_columns,
    of_mapping,
    qrels_of_triples,
    run_of_triples,
    systems_of,
)

_ALLOWED = "give a path, a dict of dicts, a data frame, a ranx object, or tuples of topic, docno and value"

Kinds = Sequence[Sequence[str]]
_NO_FILE = "there is no such file"
_KINDS = {"docs": "documents", "queries": "topics"}
_ALIKE = 0.8  # a name less like the given one than this is no help


def run_of(run: object, name: str) -> Run:
    """The run that an object holds.

    >>> run_of({"q1": {"d1": 0.5, "d2": 0.7}}, "mine").topics
    ('q1',)
    """
    if isinstance(run, str | os.PathLike):
        return replace(read_run(run), tag=name, is_named=True)
    return run_of_triples(_triples(run, OF_RUNS, Origin(f"run '{name}'")), name, is_named=True)


def qrels_of(qrels: object, origin: str = "the qrels") -> Qrels:
    """The judgments that an object holds.

    >>> qrels_of({"q1": {"d1": 1, "d2": 0}}).grades.tolist()
    [1, 0]
    """
    return qrels_of_triples(_triples(qrels, OF_QRELS, Origin(origin)))


def runs_of(runs: object) -> list[Run]:
    """All runs that an object holds: one, a mapping from names to runs, a sequence of named runs, or a stacked frame.

    A stacked frame has a column `system` (or name, run, model, tag) and the rows of several runs.
    """
    if isinstance(runs, Mapping) and not is_run(runs):
        return [run_of(run, str(name)) for name, run in runs.items()]
    runs = _as_columns(runs)
    if isinstance(runs, _Columns) and (systems := systems_of(runs, Origin("the runs"))):
        rows = of_columns(runs, OF_RUNS, Origin("the runs"))
        return [run_of_triples(rows.only(of, f"run '{name}'"), name, is_named=True) for name, of in systems.items()]
    if isinstance(runs, list | tuple) and runs and not _is_triple(runs[0]):
        return [run_of(run, _name(run, f"run{number}")) for number, run in enumerate(runs, 1)]
    return [run_of(runs, _name(runs, "run"))]


def is_run(mapping: Mapping[Any, Any]) -> bool:
    """Whether a mapping is one run, from topics to documents, rather than from names to runs."""
    inner = [value for topic in mapping.values() if isinstance(topic, Mapping) for value in topic.values()]
    return all(isinstance(topic, Mapping) for topic in mapping.values()) and not any(
        isinstance(value, Mapping) for value in inner
    )


def _name(run: object, otherwise: str) -> str:
    name = getattr(run, "name", None)  # ranx runs have one; a data frame's column of that name is no str
    return name if isinstance(name, str) and name else otherwise


class _Columns(dict[str, list[Any]]):
    """The columns of a frame or of rows that name their fields."""


def _as_columns(data: Any) -> Any:
    """The columns of a frame, of a Hugging Face dataset or of rows that are dicts; anything else as it is."""
    if isinstance(data, Mapping):
        return data
    data = collected(data)
    names = getattr(data, "column_names", None)  # Hugging Face datasets, and Arrow tables
    if isinstance(names, list):
        return _Columns({str(name): list(data[name]) for name in names})
    if hasattr(data, "columns"):
        return _Columns({str(name): list(data[name]) for name in data.columns})
    if isinstance(data, list | tuple) and data and _is_row(data[0]):
        return _of_dicts(data)
    return data


def _is_row(item: object) -> bool:
    """Whether an item is a row that names its fields, and no run from topics to documents."""
    return isinstance(item, Mapping) and found(item, TOPIC) is not None and found(item, DOCNO) is not None


def _of_dicts(rows: Sequence[Any]) -> _Columns:
    names = dict.fromkeys(name for row in rows if isinstance(row, Mapping) for name in row)
    return _Columns(
        {str(name): [row.get(name) if isinstance(row, Mapping) else None for row in rows] for name in names}
    )


def _triples(data: Any, kinds: Kinds, origin: Origin) -> Triples:
    data = _as_columns(data)
    if isinstance(data, _Columns):
        return of_columns(data, kinds, origin)
    if not isinstance(data, Mapping) and hasattr(data, "to_dict"):
        data = data.to_dict()  # ranx
    if isinstance(data, Mapping):
        _refuse_flat(data, origin)
        return of_mapping(data, origin)
    try:
        rows = list(data)
    except TypeError:  # an array without axes has the method for it, too
        raise origin.error(f"a {type(data).__name__} cannot be read; {_ALLOWED}") from None
    return _from_tuples(rows, kinds, origin)


def _refuse_flat(topics: Mapping[Any, Any], origin: Origin) -> None:
    """Refuse topics that hold no documents with their values."""
    for topic, documents in topics.items():
        if not isinstance(documents, Mapping):
            raise origin.error(f"topic '{topic}' holds a {type(documents).__name__}, not a dict; {_ALLOWED}")


def _is_triple(item: object) -> bool:
    return isinstance(item, tuple) and len(item) >= 3


def _named(row: object) -> tuple[str, ...]:
    """The fields that a row names, if it is a named tuple."""
    return getattr(row, "_fields", ())


def _from_tuples(rows: list[Any], kinds: Kinds, origin: Origin) -> Triples:
    for row in rows:
        if not _is_triple(row):
            raise origin.error(f"{quoted(row)} is not a tuple of topic, docno and value; {_ALLOWED}")
    fields = _named(rows[0]) if rows else ()
    for row in rows:
        if _named(row) != fields:
            raise origin.error(f"{quoted(row)} names other fields than the first tuple; give all the same")
    value = next((found(fields, names) for names in kinds if found(fields, names)), None)
    if found(fields, TOPIC) and found(fields, DOCNO) and value:
        wanted = [found(fields, TOPIC), found(fields, DOCNO), value, found(fields, ITERATION)]
        return of_columns({name: [getattr(row, name) for row in rows] for name in wanted if name}, kinds, origin)
    return Triples([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], origin)


def dataset_qrels(name: str) -> Qrels:
    """The judgments of a dataset, such as msmarco-passage/trec-dl-2020/judged; they are fetched on first use."""
    dataset = _dataset(name, "judgments")
    if not dataset.has_qrels():
        raise InputError("ir_datasets has no judgments for this dataset; name one of its parts that has", path=name)
    try:
        rows = list(dataset.qrels_iter())
    except Exception as error:  # noqa: BLE001  # whatever another package raises when it fetches files
        raise _not_given(name, error, "judgments") from None
    return qrels_of(rows, f"ir_datasets {name}")


def dataset_items(name: str, kind: Literal["docs", "queries"]) -> Iterator[Any]:
    """The documents or topics of a dataset, in their order; they are fetched on first use."""
    dataset = _dataset(name, _KINDS[kind])
    if not getattr(dataset, f"has_{kind}")():
        raise InputError(f"ir_datasets has no {_KINDS[kind]} for this dataset; name one that has", path=name)
    try:
        yield from getattr(dataset, f"{kind}_iter")()
    except Exception as error:  # noqa: BLE001  # whatever another package raises when it fetches files
        raise _not_given(name, error, _KINDS[kind]) from None


def _dataset(name: str, wanted: str) -> Any:  # a package without types
    try:
        import ir_datasets
    except ImportError:
        advice = "check the path; to name a dataset of ir_datasets, install it (pip install ir_datasets)"
        raise InputError(f"{_NO_FILE}; {advice}", path=name) from None
    try:
        return ir_datasets.load(name)
    except KeyError:
        near = get_close_matches(name, list(ir_datasets.registry), n=3, cutoff=_ALIKE)
        advice = f"did you mean {' or '.join(map(repr, near))}?" if near else "check the path"
        raise InputError(f"{_NO_FILE}, and ir_datasets knows no dataset of this name; {advice}", path=name) from None
    except Exception as error:  # noqa: BLE001  # some datasets are fetched as soon as they are named
        raise _not_given(name, error, wanted) from None


def _not_given(name: str, error: Exception, what: str) -> InputError:
    return InputError(f"ir_datasets could not give the {what} ({error})", path=name)
