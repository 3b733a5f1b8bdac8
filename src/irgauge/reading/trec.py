"""TREC files: runs and qrels, read into columns with every fault located, and written.

Nothing is ordered by the rank column of a run; a check compares it with the scores.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Bytes, Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.compute.polars_pool import check_pool
from irgauge.errors import InputError
from irgauge.files.opening import read_bytes
from irgauge.files.writing import write
from irgauge.reading import tokens
from irgauge.reading.byte_strings import hashes
from irgauge.reading.numbering import Names
from irgauge.reading.options import NameBy
from irgauge.reading.ordering import first_duplicate, in_lists, ranking
from irgauge.reading.run_names import file_name
from irgauge.reading.textfile import Header, TextFile
from irgauge.reading.tokens import NEWLINE
from irgauge.reading.wrong_columns import QRELS, RUN, left_out, separated, what_lacks

if TYPE_CHECKING:
    import polars as pl

TOP = 10  # first ranks that are looked at
_ROWS: int = np.int64(TOP)  # type: ignore[assignment]  # plain numbers have types of their own in kernels
_NEXT: int = np.int64(1)  # type: ignore[assignment]  # the same
_SPACE = 32  # every control character up to the space separates fields
_ZERO, _NINE = 48, 57
_MOST_DIGITS = 9


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
        return InputError(message, path=self.path, line=self._line(row))

    def place(self, row: int) -> str:
        """Where a row is, as errors have it."""
        line = self._line(row)
        return self.path if line is None else f"{self.path}:{line}"

    def _line(self, row: int) -> int | None:
        return int(tokens.line_at(self.text, self.starts[row])) if self.line_of is None else self.line_of(row)

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
        raise file.wrong_width(0, file.width, RUN + (what_lacks(file.first_line()) or separated(file)))
    columns = file.columns(numbers=(4,), groups=(0, 5))
    file.refuse_nan(columns, columns.numbers[0], 4, "score")
    rows, order = file.rows(columns)
    tag = tokens.fields_at(file.text, columns.starts[0])[5] if len(columns.changes[1]) == 1 else None
    if file.width > 6:
        rows["notes"] = (*rows["notes"], left_out(file, tag))
    return Run(**rows, tag=tag, scores=columns.numbers[0][order], header=file.comments.header)


def qrels_of_text(path: str, text: Bytes) -> Qrels:
    """The judgments that a TREC file holds, with or without strata."""
    file = TextFile.of(path, text)
    if file.width not in (4, 5):
        looks = "; this looks like a run: name the qrels first, then the runs" if file.width == 6 else ""
        raise file.wrong_width(0, file.width, QRELS + (looks or separated(file)))
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


def read_map(path: str | os.PathLike[str]) -> ShardMap:
    """Read a shard map, a document and its shard on each line."""

    file = TextFile.of(str(path), read_bytes(path), has_comments=False)  # a docno comes first, and may start with #
    if file.width != 2:
        raise file.wrong_width(0, file.width, "a shard map has 2: docno shard")
    columns = file.columns(name=0, numbers=(), groups=(1,))
    values = hashes(file.text, columns.starts, columns.stops)
    row = first_duplicate(file.text, columns.starts, columns.stops, values, np.array([0, len(values)]))
    if row >= 0:
        raise file.error(columns.starts[row], "this document appears twice; remove one of the two")
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
    """Write a shard map; its columns are separated by tabs where it is named .tsv, else by blanks."""
    import polars as pl

    check_pool()
    separator = "\t" if os.fspath(path).lower().endswith(".tsv") else " "
    _write_columns(path, pl.DataFrame({"docno": docnos, "shard": shards}), separator)


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
        _refuse_half(name)
        if count > 1:
            paths = [path for (_, path), other in zip(runs, names, strict=True) if other == name]
            message = f"two runs have the same name '{name}' (the other: {paths[0]}); change a tag or a file name"
            raise InputError(message, path=paths[1])
    return names


def _refuse_half(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"the name {name!r} of a run is not valid Unicode; fix it") from None


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
    check_pool()
    schema = {"topic": pl.String, "docno": pl.String, "rank": pl.Int64, "score": pl.Float64}
    frame = pl.DataFrame(columns, schema=schema)
    q0, name = pl.lit("Q0").alias("q0"), pl.lit(tag).alias("tag")
    _write_columns(path, frame.select("topic", q0, "docno", "rank", "score", name))


def write_qrels(path: str | os.PathLike[str], judgments: Iterable[tuple[str, str, int]]) -> None:
    """Write qrels: topic, docno and grade."""
    import polars as pl

    check_pool()
    frame = pl.DataFrame(list(judgments), schema=["topic", "docno", "grade"], orient="row")
    _write_columns(path, frame.select("topic", pl.lit("0").alias("zero"), "docno", "grade"))


def _write_columns(path: str | os.PathLike[str], frame: pl.DataFrame, separator: str = " ") -> None:
    out = io.BytesIO()
    frame.write_csv(out, separator=separator, include_header=False, quote_style="never")
    write(path, out.getbuffer())


class RankOrder(NamedTuple):
    """How the scores of each list go with its ranks; NaN where ranks or scores order nothing."""

    opposite: Floats  # list: of the pairs with one of the TOP first ranks, the share that scores order otherwise
    rising: Floats  # list: of the neighbours by rank, the share whose scores rise

    @property
    def is_known(self) -> Bools:
        """list: whether ranks can be compared with scores."""
        return ~np.isnan(self.opposite)


def ranks_of(run: Run) -> Floats:
    """The rank column of a run, row by row: the field after the docno; NaN where it is no number or there is none."""
    if run.line_of is not None:  # its text holds docnos only
        return np.full(len(run.scores), np.nan)
    ranks = np.full(len(run.stops), np.nan)
    _read_ranks(run.text, run.stops, ranks)
    return ranks


def rank_order(run: Run) -> RankOrder:
    """Compare the rank column with the scores, list by list. Equal scores, or equal ranks, contradict nothing."""
    return RankOrder(*_compared(ranks_of(run), run.scores, run.bounds))


def first_by_rank(run: Run, depth: int = TOP) -> Run:
    """The documents that the rank column puts first; lists that it does not order keep the order of their scores.

    Its scores fall with the rank, and its text holds no other documents.
    """
    ranks = ranks_of(run)
    is_known = np.repeat(~np.isnan(_compared(ranks, run.scores, run.bounds)[0]), np.diff(run.bounds))
    scores = np.where(is_known, -ranks, run.scores)
    rows = ranking(run.text, run.starts, run.stops, scores, run.bounds)
    sizes = np.minimum(np.diff(run.bounds), depth)
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    first = rows[np.arange(bounds[-1]) + np.repeat(run.bounds[:-1] - bounds[:-1], sizes)]
    pieces = [run.text[run.starts[row] : run.stops[row]] for row in first]
    stops = np.cumsum([len(piece) for piece in pieces])
    return replace(
        run,
        line_of=_no_line,
        bounds=bounds,
        text=np.concatenate(pieces),
        starts=np.concatenate([[0], stops[:-1]]),
        stops=stops,
        scores=scores[first],
    )


def _no_line(row: int) -> None:  # noqa: ARG001  # of no file
    return None


@kernel
def _read_ranks(text: Bytes, stops: Ints, ranks: Floats) -> None:
    for row in range(len(stops)):
        at, size = stops[row], len(text)
        while at < size and text[at] <= _SPACE and text[at] != NEWLINE:
            at += 1
        first, value = at, 0
        while at < size and _ZERO <= text[at] <= _NINE and at - first < _MOST_DIGITS:
            value = 10 * value + int(text[at]) - _ZERO
            at += 1
        if stops[row] < first < at and (at == size or text[at] <= _SPACE):
            ranks[row] = value


def _compared(ranks: Floats, scores: Floats, bounds: Ints) -> tuple[Floats, Floats]:
    """For each list, the share of pairs with one of the first ranks that are opposite, and of neighbours that rise."""
    if not in_lists(ranks[1:] >= ranks[:-1], bounds, between=True).all():
        order = np.lexsort((ranks, np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))))  # NaN last
        ranks, scores = ranks[order], scores[order]
    opposite, rising = np.full(len(bounds) - 1, np.nan), np.full(len(bounds) - 1, np.nan)
    _compare(ranks, scores, bounds, opposite, rising)
    return opposite, rising


@kernel
def _compare(ranks: Floats, scores: Floats, bounds: Ints, opposite: Floats, rising: Floats) -> None:
    """Write the shares of lists that are in the order of their ranks; nothing where one has no rank."""
    for i in range(len(bounds) - 1):
        first, last = bounds[i], bounds[i + 1]
        if not np.isnan(ranks[last - 1]):
            place = first + 1
            while place < last and scores[place] <= scores[place - 1]:
                place += 1
            if place < last:
                opposite[i] = _opposite(ranks, scores, first, last, _ROWS, last)
                rising[i] = _opposite(ranks, scores, first, last, last, _NEXT)
            elif ranks[first] != ranks[last - 1] and scores[first] != scores[last - 1]:  # as in nearly all lists
                opposite[i], rising[i] = 0.0, 0.0


@inlined
def _opposite(ranks: Floats, scores: Floats, first: int, last: int, rows: int, reach: int) -> float:
    """Of pairs of one of the first rows and one within reach below: the share where the later scores more."""
    pairs, opposite = 0, 0
    for a in range(first, min(first + rows, last)):
        for b in range(a + 1, min(a + 1 + reach, last)):
            if ranks[a] != ranks[b] and scores[a] != scores[b]:
                pairs += 1
                opposite += scores[a] < scores[b]
    return opposite / pairs if pairs else np.nan
