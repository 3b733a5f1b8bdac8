"""TREC files: runs and qrels, read into columns with every fault located, and written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bytes, Floats, Ints
from irgauge.errors import InputError
from irgauge.files import COMPRESSED, read_bytes, replacing
from irgauge.reading import tokens
from irgauge.reading.docnos import Names, hashes
from irgauge.reading.ordering import first_duplicate

if TYPE_CHECKING:
    import polars as pl

_RUN = "a run has 6: topic Q0 docno rank score tag"
_QRELS = "qrels have 4: topic 0 docno grade (or 5, with strata: topic 0 docno stratum grade)"
_DOCNO = 2  # the column of the docno
LARGEST_GRADE = 2**31
_RUN_SUFFIXES = (".run", ".txt", ".trec", ".res")
_ARCHIVE_PREFIX = "input."  # how NIST's archive names the runs of a track


@dataclass(frozen=True)
class Rows:
    """Rows of topic and docno, the rows of a topic together; `text` holds the docnos' bytes."""

    path: str
    is_file: bool  # not a Python object
    topics: tuple[str, ...]
    bounds: Ints  # topic + 1: its rows start and stop here
    text: Bytes
    starts: Ints  # row
    stops: Ints  # row

    def error(self, row: int, message: str) -> InputError:
        """An error that names the place of the row."""
        line = int(tokens.line_at(self.text, self.starts[row])) if self.is_file else None
        return InputError(message, path=self.path, line=line)

    def docno(self, row: int) -> str:
        """The docno of one row."""
        return self.text[self.starts[row] : self.stops[row]].tobytes().decode()

    def topic(self, row: int) -> str:
        """The topic of one row."""
        return self.topics[int(np.searchsorted(self.bounds, row, side="right")) - 1]


@dataclass(frozen=True)
class Run(Rows):
    """A run: the documents that one system retrieved, with their scores."""

    tag: str | None  # None where the lines of one file carry several
    scores: Floats  # row


@dataclass(frozen=True)
class Qrels(Rows):
    """Relevance judgments; a grade below zero marks a document of the pool that was not judged."""

    grades: Ints  # row
    strata: Ints  # row; 0 where the file has none


def read_run(path: str | os.PathLike[str]) -> Run:
    """Read one run file, plain or compressed."""
    file = _File.read(path)
    if file.width != 6:
        looks = "; this looks like a qrels file: name the qrels first, then the runs" if file.width in (4, 5) else ""
        raise file.wrong_width(0, file.width, _RUN + looks)
    columns = file.columns(numbers=(4,), groups=(0, 5))
    file.refuse_nan(columns, columns.numbers[0], 4, "score")
    rows, order = file.rows(columns)
    tag = tokens.fields_at(file.text, columns.starts[0])[5] if len(columns.changes[1]) == 1 else None
    return Run(**rows, tag=tag, scores=columns.numbers[0][order])


def read_qrels(path: str | os.PathLike[str]) -> Qrels:
    """Read a qrels file, plain or compressed, with or without strata."""
    file = _File.read(path)
    if file.width not in (4, 5):
        looks = "; this looks like a run: name the qrels first, then the runs" if file.width == 6 else ""
        raise file.wrong_width(0, file.width, _QRELS + looks)
    names = ("grade",) if file.width == 4 else ("stratum", "grade")
    columns = file.columns(numbers=tuple(range(3, file.width)), groups=(0,))
    for i, name in enumerate(names):
        file.refuse_nan(columns, columns.numbers[i], 3 + i, name)
        file.refuse_fractions(columns, columns.numbers[i], 3 + i, name)
    rows, order = file.rows(columns)
    numbers = columns.numbers[:, order].astype(np.int64)
    strata = numbers[0] if file.width == 5 else np.zeros_like(numbers[0])
    return Qrels(**rows, grades=numbers[-1], strata=strata)


@dataclass(frozen=True)
class ShardMap:
    """The shard of each document, as a file `docno shard` says."""

    path: str
    docnos: pl.Series
    labels: NDArray[np.int32]  # document: the place of its shard in `shards`
    shards: tuple[str, ...]  # in byte order


def read_map(path: str | os.PathLike[str]) -> ShardMap:
    """Read a shard map: a document and its shard on each line."""

    file = _File.read(path)
    if file.width != 2:
        raise file.wrong_width(0, file.width, "a shard map has 2: docno shard")
    columns = file.columns(name=0, numbers=(), groups=(1,))
    values = hashes(file.text, columns.starts, columns.stops)
    row = first_duplicate(file.text, columns.starts, columns.stops, values, np.array([0, len(values)]))
    if row >= 0:
        raise file.error(columns.starts[row], "this document appears twice in the map; remove one of the two")
    names = Names()
    names.intern(file.text, columns.starts, columns.stops, values)
    firsts = columns.changes[0]
    blocks = [tokens.fields_at(file.text, columns.starts[first])[1] for first in firsts]
    shards = tuple(sorted(set(blocks), key=str.encode))
    place = {shard: i for i, shard in enumerate(shards)}
    sizes = np.diff(firsts, append=len(values))
    labels = np.repeat(np.array([place[block] for block in blocks], np.int32), sizes)
    return ShardMap(str(path), names.to_series(), labels, shards)


def write_map(path: str | os.PathLike[str], docnos: pl.Series, shards: pl.Series) -> None:
    """Write a shard map."""
    import polars as pl

    _write_columns(path, pl.DataFrame({"docno": docnos, "shard": shards}))


@dataclass(frozen=True)
class _File:
    """A file's text, and errors that say where in it something is wrong."""

    path: str
    text: Bytes
    width: int  # fields in the first line

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> _File:
        text = read_bytes(path)
        width = tokens.first_width(text)
        if width == 0:
            raise InputError("the file is empty; was it written to the end?", path=str(path))
        file = cls(str(path), text, width)
        file._refuse_other_encodings()
        return file

    def _refuse_other_encodings(self) -> None:
        if self.text.max() > 127:
            try:
                self.text.tobytes().decode()
            except UnicodeDecodeError as error:
                raise self.error(error.start, "this is not UTF-8 text; convert the file to UTF-8") from None

    def error(self, offset: int, message: str) -> InputError:
        """An error that names the line of a byte."""
        return InputError(message, path=self.path, line=int(tokens.line_at(self.text, offset)))

    def wrong_width(self, offset: int, width: int, expected: str) -> InputError:
        """A line with a wrong number of columns; `offset` is where it starts, or blank lines before it."""
        blank = int(np.argmax(self.text[offset:] > ord(" ")))
        return self.error(offset + blank, f"{width} column{'s' * (width != 1)} where {expected}")

    def columns(self, *, name: int = _DOCNO, numbers: tuple[int, ...], groups: tuple[int, ...]) -> tokens.Columns:
        """Docnos, numbers and the changes of groups."""
        try:
            return tokens.columns(self.text, self.width, name, numbers, groups)
        except tokens.WidthError as error:
            expected = f"the lines above have {self.width}; fix this line"
            raise self.wrong_width(error.offset, error.width, expected) from None

    def refuse_nan(self, columns: tokens.Columns, values: Floats, column: int, name: str) -> None:
        """Refuse a field that is not a number."""
        bad = np.flatnonzero(np.isnan(values))
        if len(bad):
            field = tokens.fields_at(self.text, columns.starts[bad[0]])[column]
            more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
            raise self.error(columns.starts[bad[0]], f"the {name} '{field}' is not a number{more}; fix the file")

    def refuse_fractions(self, columns: tokens.Columns, values: Floats, column: int, name: str) -> None:
        """Refuse a number that is not whole."""
        bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > LARGEST_GRADE))
        if len(bad):
            field = tokens.fields_at(self.text, columns.starts[bad[0]])[column]
            message = f"the {name} '{field}' is not a whole number up to {LARGEST_GRADE}; fix the file"
            raise self.error(columns.starts[bad[0]], message)

    def rows(self, columns: tokens.Columns) -> tuple[dict[str, Any], slice | Ints]:
        """The fields of `Rows`, and the order that brings the rows of a topic together."""
        topics, bounds, order = self._by_topic(columns)
        return {
            "path": self.path,
            "is_file": True,
            "topics": topics,
            "bounds": bounds,
            "text": self.text,
            "starts": columns.starts[order],
            "stops": columns.stops[order],
        }, order

    def _by_topic(self, columns: tokens.Columns) -> tuple[tuple[str, ...], Ints, slice | Ints]:
        """Topics in order of appearance, their bounds, and the order that brings their rows together."""
        firsts, rows = columns.changes[0], len(columns.starts)
        blocks = [tokens.fields_at(self.text, columns.starts[row])[0] for row in firsts]
        topics = tuple(dict.fromkeys(blocks))
        if len(topics) == len(blocks):
            return topics, np.append(firsts, rows), slice(None)
        number = {topic: i for i, topic in enumerate(topics)}
        of_row = np.repeat([number[block] for block in blocks], np.diff(firsts, append=rows))
        bounds = np.concatenate([[0], np.cumsum(np.bincount(of_row))])
        return topics, bounds, np.argsort(of_row, kind="stable")


def system_names(runs: Sequence[tuple[str | None, str]]) -> list[str]:
    """Names of systems, from the tag and path of each run.

    A run is named by its tag. Where several files share a tag, or the lines of one file carry several,
    those files are named after the file: without a compression suffix, without `.run`, `.txt`, `.trec`
    or `.res`, and without the leading `input.` of NIST's archive.

    >>> system_names([("bm25", "a.run.gz"), ("mine", "b.run"), ("mine", "c.run")])
    ['bm25', 'b', 'c']
    """
    shared = Counter(tag for tag, _ in runs)
    names = [tag if tag is not None and shared[tag] == 1 else file_name(path) for tag, path in runs]
    for name, count in Counter(names).items():
        if count > 1:
            paths = [path for (_, path), other in zip(runs, names, strict=True) if other == name]
            message = f"two runs have the same name '{name}' (the other: {paths[0]}); change a tag or a file name"
            raise InputError(message, path=paths[1])
    return names


def file_name(path: str) -> str:
    """A system's name after its file.

    >>> file_name("runs/input.ok8alx.gz")
    'ok8alx'
    """
    name = Path(path).name
    for suffixes in (COMPRESSED, _RUN_SUFFIXES):
        for suffix in suffixes:
            name = name.removesuffix(suffix) or name
    return name.removeprefix(_ARCHIVE_PREFIX) or name


def write_run(
    path: str | os.PathLike[str], lists: Iterable[tuple[str, Sequence[str], Sequence[float]]], tag: str
) -> None:
    """Write a run: for each topic its name, docnos in rank order and scores."""
    import polars as pl

    rows = [
        (topic, docno, rank, score)
        for topic, docnos, scores in lists
        for rank, (docno, score) in _ranked(docnos, scores)
    ]
    schema = {"topic": pl.String, "docno": pl.String, "rank": pl.Int64, "score": pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    q0, name = pl.lit("Q0").alias("q0"), pl.lit(tag).alias("tag")
    _write_columns(path, frame.select("topic", q0, "docno", "rank", "score", name))


def _ranked(docnos: Sequence[str], scores: Sequence[float]) -> Iterable[tuple[int, tuple[str, float]]]:
    return enumerate(zip(docnos, map(float, scores), strict=True), 1)


def write_qrels(path: str | os.PathLike[str], judgments: Iterable[tuple[str, str, int]]) -> None:
    """Write qrels: topic, docno and grade."""
    import polars as pl

    frame = pl.DataFrame(list(judgments), schema=["topic", "docno", "grade"], orient="row")
    _write_columns(path, frame.select("topic", pl.lit("0").alias("zero"), "docno", "grade"))


def _write_columns(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    with replacing(path) as temporary:
        frame.write_csv(temporary, separator=" ", include_header=False, quote_style="never")
