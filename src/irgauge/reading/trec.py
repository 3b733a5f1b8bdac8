"""TREC files: runs and qrels, read into columns with every fault located, and written."""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bytes, Floats, Ints
from irgauge.errors import InputError
from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import base_name, read_bytes
from irgauge.files.writing import write
from irgauge.reading import tokens
from irgauge.reading.comments import Header
from irgauge.reading.docnos import Names
from irgauge.reading.hashing import hashes
from irgauge.reading.options import NameBy
from irgauge.reading.ordering import first_duplicate
from irgauge.reading.textfile import TextFile

if TYPE_CHECKING:
    import polars as pl

RUN = "a run has 6: topic Q0 docno rank score tag"
QRELS = "qrels have 4: topic 0 docno grade (or 5, with strata: topic 0 docno stratum grade)"
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", re.IGNORECASE)
_RUN_SUFFIXES = (".run", ".txt", ".trec", ".res", ".json", ".jsonl", ".csv", ".tsv", ".parquet", ".parq")
_ARCHIVE_PREFIX = "input."  # how NIST's archive names the runs of a track


@dataclass(frozen=True)
class Rows:
    """Rows of topic and docno, the rows of a topic together; `text` holds the docnos' bytes."""

    path: str
    topics: tuple[str, ...]
    bounds: Ints  # topic + 1: its rows start and stop here
    text: Bytes
    starts: Ints  # row
    stops: Ints  # row
    notes: tuple[str, ...] = field(default=(), kw_only=True)  # what a careful reader should know of the file
    line_of: Callable[[int], int | None] | None = field(default=None, kw_only=True)  # None: text is that of the file

    def error(self, row: int, message: str) -> InputError:
        """An error that names the place of the row."""
        line = self._line_in_text(row) if self.line_of is None else self.line_of(row)
        return InputError(message, path=self.path, line=line)

    def _line_in_text(self, row: int) -> int:
        return int(tokens.line_at(self.text, self.starts[row]))

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
    header: Header = field(default_factory=dict, kw_only=True)  # of ir_metadata, where the file has one
    is_named: bool = field(default=False, kw_only=True)  # by a key or by its user, not by a tag in its lines


def no_iterations() -> Ints:
    """What stands for the second column where it says the same in every row."""
    return np.zeros(0, np.int64)


@dataclass(frozen=True)
class Qrels(Rows):
    """Relevance judgments; a grade below zero marks a document of the pool that was not judged."""

    grades: Ints  # row
    strata: Ints  # row; 0 where the file has none
    iterations: Ints = field(default_factory=no_iterations)  # row: the number of what its second column says


def run_of_text(path: str, text: Bytes) -> Run:
    """The run that a TREC file holds; columns after the tag are left out."""
    file = TextFile.of(path, text)
    if file.width < 6:
        looks = "; this looks like a qrels file: name the qrels first, then the runs" if file.width in (4, 5) else ""
        raise file.wrong_width(0, file.width, RUN + (looks or _separated(file)))
    columns = file.columns(numbers=(4,), groups=(0, 5))
    file.refuse_nan(columns, columns.numbers[0], 4, "score")
    rows, order = file.rows(columns)
    tag = tokens.fields_at(file.text, columns.starts[0])[5] if len(columns.changes[1]) == 1 else None
    if file.width > 6:
        rows["notes"] = (*rows["notes"], _left_out(file, tag))
    return Run(**rows, tag=tag, scores=columns.numbers[0][order], header=file.comments.header)


def _separated(file: TextFile) -> str:
    """A word on lines whose fields are between commas."""
    line = " ".join(file.first_line())
    mark = max(",;|", key=line.count)
    if line.count(mark) < 2:
        return ""
    return f"; this looks like a table with '{mark}', whose first line must name the columns, as query_id,doc_id,score"


def _left_out(file: TextFile, tag: str | None) -> str:
    """A word on columns after the tag; a space in a docno or in a topic, which moves all columns, is refused."""
    if tag is None or _NUMBER.fullmatch(tag):
        moved = f"; more are left out where the sixth is one tag on all lines, and it is {_sixth(tag)}"
        raise file.wrong_width(0, file.width, RUN + moved + ": is there a space in a topic, a docno or a tag?")
    more = file.width - 6
    return f"{'1 column' if more == 1 else f'{more} columns'} after the tag left out"


def _sixth(tag: str | None) -> str:
    return "not the same on all lines" if tag is None else f"the number {tag}"


def qrels_of_text(path: str, text: Bytes) -> Qrels:
    """The judgments that a TREC file holds, with or without strata."""
    file = TextFile.of(path, text)
    if file.width not in (4, 5):
        looks = "; this looks like a run: name the qrels first, then the runs" if file.width == 6 else ""
        raise file.wrong_width(0, file.width, QRELS + (looks or _separated(file)))
    names = ("grade",) if file.width == 4 else ("stratum", "grade")
    columns = file.columns(numbers=tuple(range(3, file.width)), groups=(0, 1))
    for i, name in enumerate(names):
        file.refuse_nan(columns, columns.numbers[i], 3 + i, name)
        file.refuse_fractions(columns, columns.numbers[i], 3 + i, name)
    rows, order = file.rows(columns)
    numbers = columns.numbers[:, order].astype(np.int64)
    strata = numbers[0] if file.width == 5 else np.zeros_like(numbers[0])
    iterations = file.numbered(1)[order] if len(columns.changes[1]) > 1 else no_iterations()
    return Qrels(**rows, grades=numbers[-1], strata=strata, iterations=iterations)


@dataclass(frozen=True)
class ShardMap:
    """The shard of each document, as a file `docno shard` says."""

    path: str
    docnos: pl.Series
    labels: NDArray[np.int32]  # document: the place of its shard in `shards`
    shards: tuple[str, ...]  # in byte order


class MapWords(NamedTuple):
    """What errors call a map, what it maps, and its columns."""

    name: str
    one: str
    columns: str


SHARD_MAP = MapWords("a shard map", "document", "docno shard")
GROUPS = MapWords("a file of groups", "system", "system group")


def read_map(path: str | os.PathLike[str], words: MapWords = SHARD_MAP) -> ShardMap:
    """Read a shard map, a document and its shard on each line; or groups, a system and its group."""

    file = TextFile.of(str(path), read_bytes(path), has_comments=False)  # a docno comes first, and may start with #
    if file.width != 2:
        raise file.wrong_width(0, file.width, f"{words.name} has 2: {words.columns}")
    columns = file.columns(name=0, numbers=(), groups=(1,))
    values = hashes(file.text, columns.starts, columns.stops)
    row = first_duplicate(file.text, columns.starts, columns.stops, values, np.array([0, len(values)]))
    if row >= 0:
        raise file.error(columns.starts[row], f"this {words.one} appears twice; remove one of the two")
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


def system_names(runs: Sequence[tuple[str | None, str]], by: NameBy | None = None) -> list[str]:
    """Names of systems, from the tag and path of each run.

    A run is named by its tag. Where several files share a tag, or the lines of one file carry several,
    those files are named after the file: without a compression suffix, without `.run`, `.txt`, `.trec`
    or `.res`, and without the leading `input.` of NIST's archive. With by="tag" or "file" all are named so.

    >>> system_names([("bm25", "a.run.gz"), ("mine", "b.run"), ("mine", "c.run")])
    ['bm25', 'b', 'c']
    >>> system_names([("bm25", "a.run.gz"), ("mine", "b.run")], by="file")
    ['a', 'b']
    """
    shared = Counter(tag for tag, _ in runs)
    named = {tag for tag, count in shared.items() if tag is not None and (count == 1 or by == "tag")}
    names = [tag if tag in named and by != "file" and tag else file_name(path) for tag, path in runs]
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
    name = base_name(path)
    for suffixes in (COMPRESSED, _RUN_SUFFIXES):
        for suffix in suffixes:
            name = name.removesuffix(suffix) or name
    return name.removeprefix(_ARCHIVE_PREFIX) or name


def write_run(
    path: str | os.PathLike[str], lists: Iterable[tuple[str, Sequence[str], Sequence[float]]], tag: str
) -> None:
    """Write a run: for each topic its name, docnos in rank order and scores."""
    import polars as pl

    columns: dict[str, list[Any]] = {"topic": [], "docno": [], "rank": [], "score": []}
    for topic, docnos, scores in lists:
        columns["topic"].extend([topic] * len(docnos))
        columns["docno"].extend(docnos)
        columns["rank"].extend(range(1, len(docnos) + 1))
        columns["score"].extend(float(score) for _, score in zip(docnos, scores, strict=True))
    schema = {"topic": pl.String, "docno": pl.String, "rank": pl.Int64, "score": pl.Float64}
    frame = pl.DataFrame(columns, schema=schema)
    q0, name = pl.lit("Q0").alias("q0"), pl.lit(tag).alias("tag")
    _write_columns(path, frame.select("topic", q0, "docno", "rank", "score", name))


def write_qrels(path: str | os.PathLike[str], judgments: Iterable[tuple[str, str, int]]) -> None:
    """Write qrels: topic, docno and grade."""
    import polars as pl

    frame = pl.DataFrame(list(judgments), schema=["topic", "docno", "grade"], orient="row")
    _write_columns(path, frame.select("topic", pl.lit("0").alias("zero"), "docno", "grade"))


def _write_columns(path: str | os.PathLike[str], frame: pl.DataFrame) -> None:
    out = io.BytesIO()
    frame.write_csv(out, separator=" ", include_header=False, quote_style="never")
    write(path, out.getbuffer())
