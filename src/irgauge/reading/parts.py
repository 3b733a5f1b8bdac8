"""Parts: what the join keeps of each run, read in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeGuard

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.tasks import counting, in_threads
from irgauge.errors import InputError
from irgauge.options.progress import Progress
from irgauge.reading.byte_strings import Hashes, hashes
from irgauge.reading.judgments import bounds_of, checked_hashes
from irgauge.reading.numbering import Docnos, Numbering, RunNumbers
from irgauge.reading.options import Precision
from irgauge.reading.ordering import ranking, tied_rows
from irgauge.reading.textfile import Header
from irgauge.reading.trec import Run


def identical_rows(run: Run, values: Hashes) -> Ints:
    """The rows whose docno is the name of their topic, given the hash of each docno."""
    names = [topic.encode() for topic in run.topics]
    stops = np.cumsum([len(name) for name in names])
    text = np.frombuffer(b"".join(names), np.uint8)
    of_topics = hashes(text.copy(), np.concatenate([[0], stops[:-1]]), stops)  # a copy, as kernels read such alone
    rows = np.flatnonzero(values == np.repeat(of_topics, np.diff(run.bounds)))
    return np.array([row for row in rows.tolist() if run.docno(row) == run.topic(row)], np.int64)


def without(run: Run, values: Hashes, rows: Ints) -> tuple[Run, Hashes]:
    """A run without some of its rows, and the hashes of the others; a topic that has no rows left is not in it."""
    kept = np.delete(np.arange(len(run.scores)), rows)
    sizes = np.diff(np.searchsorted(kept, run.bounds))
    there = np.flatnonzero(sizes)
    line_of = None if run.line_of is None else lambda row: run.line_of(int(kept[row]))  # type: ignore[misc]  # is not None
    left = replace(
        run,
        topics=tuple(run.topics[i] for i in there),
        bounds=np.concatenate([[0], np.cumsum(sizes[there])]),
        starts=run.starts[kept],
        stops=run.stops[kept],
        scores=run.scores[kept],
        line_of=line_of,
    )
    return left, values[kept]


Reader = Callable[[], Run]


@dataclass(frozen=True)
class Part:
    """What the join keeps of one run: the lists of topics that have judgments, in rank order."""

    tag: str | None
    path: str
    topics: Ints  # list: its topic
    bounds: Ints  # list + 1
    numbers: RunNumbers
    unknown_topics: int  # that the qrels do not name
    is_named: bool  # by a key or by its user, not by a tag in its lines
    header: Header  # of ir_metadata
    notes: tuple[str, ...]  # what a careful reader should know of the file
    identical: int  # documents that have the id of their topic
    tied: float  # share of documents that share their score with another one of their list


@dataclass(frozen=True)
class Reading:
    """Reads runs in threads."""

    topics: dict[str, int]
    left_out: Set[str]  # judged topics that do not count
    numbering: Numbering
    precision: Precision
    depth: int | None  # documents of a list that count; None: all
    ignores_identical: bool = False  # whether documents that have the id of their topic are left out

    def parts(
        self,
        readers: Sequence[Reader],
        workers: int | None,
        progress: Progress | None,
        failures: list[InputError] | None,
    ) -> list[Part]:
        """The runs in their order; of one that cannot be used the error is raised, or added to `failures`."""
        parts, tell = [], counting(progress, len(readers))

        def add(part: Part | InputError) -> None:
            if _is_usable(part, failures):
                parts.append(part)
            tell(part)

        in_threads(self._try, readers, workers, then=add)
        return parts

    def _try(self, reader: Reader) -> Part | InputError:
        try:
            return self._part(reader())
        except InputError as error:
            return error

    def _part(self, run: Run) -> Part:
        values = checked_hashes(run)
        identical = identical_rows(run, values)
        if self.ignores_identical and len(identical) == len(values):
            raise InputError("all documents of this run have the id of their topic, and are left out", path=run.path)
        if self.ignores_identical and len(identical):
            run, values = without(run, values, identical)
        topics = np.array([self.topics.get(topic, -1) for topic in run.topics])
        kept = np.flatnonzero(topics >= 0)
        if len(kept) == 0:
            some = ", ".join(run.topics[:3])
            message = (
                f"none of this run's topics ({some}, ...) has a relevant document in the qrels; is it of another track?"
            )
            raise InputError(message, path=run.path)
        scores = _rounded(run.scores) if self.precision == "single" else run.scores
        rows = ranking(run.text, run.starts, run.stops, scores, run.bounds)
        bounds = bounds_of(run, kept, self.depth)
        if bounds[-1] < len(rows):
            skipped = run.bounds[kept] - bounds[:-1]  # list: rows above it that do not count
            rows = rows[np.arange(bounds[-1]) + np.repeat(skipped, np.diff(bounds))]
        docnos = Docnos(run.text, run.starts, run.stops, values, bounds)
        return Part(
            tag=run.tag,
            path=run.path,
            topics=topics[kept],
            bounds=docnos.bounds,
            numbers=self.numbering.of_run(docnos, rows, topics[kept]),
            unknown_topics=sum(topic not in self.topics and topic not in self.left_out for topic in run.topics),
            is_named=run.is_named,
            header=run.header,
            notes=run.notes,
            identical=len(identical),
            tied=float(tied_rows(scores[rows], docnos.bounds).mean()),
        )


def _rounded(scores: Floats) -> Floats:
    """Scores as 32 bits hold them; those too large become infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


def _is_usable(part: Part | InputError, failures: list[InputError] | None) -> TypeGuard[Part]:
    """Whether a run was read; if not, its error is raised, or collected where that is asked for."""
    if not isinstance(part, InputError):
        return True
    if failures is None:
        raise part
    failures.append(part)
    return False
