"""Collection: the one join of runs and qrels, the one tie rule, as integer arrays."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeGuard, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from irgauge.errors import InputError
from irgauge.files import expand
from irgauge.jit import kernel
from irgauge.objects import qrels_of, runs_of
from irgauge.tokens import Interner
from irgauge.trec import Qrels, Run, read_qrels, read_run, system_names

Precision = Literal["double", "single"]
Reader = Callable[[], Run]
Progress = Callable[[int, int], None]  # done, total
UNJUDGED = -1  # the level of a document that is not in the topic's qrels
TIE_RULE = "score descending, ties by docno descending"


@dataclass(frozen=True)
class Collection:
    """Ranked lists and judgments of systems on topics.

    A document is its index in `docnos`, which are in byte order. A level is a distinct pair of grade and
    stratum in the qrels, in ascending order of grade.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    origins: tuple[str, ...]  # system: the path of its run
    docnos: pl.Series
    corpus_size: int
    firsts: NDArray[np.int64]  # topic, system: where the list starts in docs and levels
    lengths: NDArray[np.int64]  # topic, system
    docs: NDArray[np.int32]  # entry
    levels: NDArray[np.int16]  # entry
    judged_bounds: NDArray[np.int64]  # topic + 1
    judged_docs: NDArray[np.int32]  # judgment
    judged_levels: NDArray[np.int16]  # judgment
    grades: NDArray[np.int64]  # level
    strata: NDArray[np.int64]  # level
    precision: Precision
    notes: tuple[str, ...]  # what a careful reader should know of the join

    def relevant_counts(self) -> NDArray[np.int64]:
        """The number of relevant documents of each topic."""
        relevant = (self.grades[self.judged_levels] > 0).astype(np.int64)
        return np.add.reduceat(relevant, self.judged_bounds[:-1])


def load(
    qrels: object,
    runs: object,
    *,
    precision: Precision = "double",
    corpus_size: int | Iterable[str] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Collection:
    """Join judgments and runs, from files or from Python objects.

    `qrels` is a path, a dict `{topic: {docno: grade}}`, a data frame, a ranx object or tuples; `runs` is
    a path, a folder, a glob pattern, a list of these, a dict from names to any of these, or such objects.

    >>> collection = load({"q1": {"d1": 1, "d2": 0}}, {"mine": {"q1": {"d2": 0.9, "d1": 0.8}}})
    >>> collection.systems, collection.topics
    (('mine',), ('q1',))
    """
    judged = read_qrels(qrels) if isinstance(qrels, str | os.PathLike) else qrels_of(qrels)
    readers = run_readers(runs)
    return join(judged, readers, precision=precision, corpus_size=corpus_size, workers=workers, progress=progress)


def run_readers(runs: object) -> list[Reader]:
    """What reads each run that files, folders, patterns or objects stand for."""
    paths = _paths(runs)
    if paths is not None:
        return [partial(read_run, path) for path in expand(paths)]
    return [partial(_given, run) for run in runs_of(runs)]


def _given(run: Run) -> Run:
    return run


def _paths(runs: object) -> Sequence[str | os.PathLike[str]] | None:
    if isinstance(runs, str | os.PathLike):
        return [runs]
    if isinstance(runs, list | tuple) and all(isinstance(run, str | os.PathLike) for run in runs):
        return runs
    return None


@dataclass(frozen=True)
class _Part:
    """What the join keeps of one run: the rows of topics that have judgments."""

    tag: str | None
    path: str
    names: int  # which interner numbered the documents
    topics: NDArray[np.int64]  # list: its topic
    bounds: NDArray[np.int64]  # list + 1
    docs: NDArray[np.int32]  # row
    scores: NDArray[np.float64]  # row
    unknown_topics: int


def join(
    qrels: Qrels,
    readers: Sequence[Reader],
    *,
    precision: Precision = "double",
    corpus_size: int | Iterable[str] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    failures: list[InputError] | None = None,
) -> Collection:
    """Join judgments and runs as trec_eval does, with all topics of the qrels that have a relevant document.

    Where `failures` is given, runs that cannot be used are left out and their errors are added to it.
    """
    if precision not in get_args(Precision):
        raise InputError(f"precision '{precision}' is unknown; it is 'double' or 'single'")
    topics, judged_rows, judged_bounds, no_relevant = _judged_topics(qrels)
    interners = [Interner()]
    judged_docs = _interned(qrels, interners[0])[judged_rows]
    parts = [
        part
        for part in _read_parts(readers, topics, interners, precision, workers, progress)
        if _is_usable(part, failures)
    ]
    if not parts:
        raise InputError("not one run can be used", path=qrels.path)
    systems = system_names([(part.tag, part.path) for part in parts])
    docnos, renumber = _in_byte_order(interners)
    _order_all(parts, renumber, workers)
    docs = np.concatenate([part.docs for part in parts])
    firsts, lengths = _index(parts, len(topics))
    judged_docs = renumber[0][judged_docs]
    grades, strata, judged_levels = _levels(qrels.grades[judged_rows], qrels.strata[judged_rows])
    levels = _judge_all(docs, firsts, lengths, judged_bounds, judged_docs, judged_levels, len(docnos))
    return Collection(
        topics=tuple(topics),
        systems=tuple(systems),
        origins=tuple(part.path for part in parts),
        docnos=docnos,
        corpus_size=_corpus_size(corpus_size, docnos),
        firsts=firsts,
        lengths=lengths,
        docs=docs,
        levels=levels,
        judged_bounds=judged_bounds,
        judged_docs=judged_docs,
        judged_levels=judged_levels,
        grades=grades,
        strata=strata,
        precision=precision,
        notes=tuple(_notes(no_relevant, topics, systems, parts, lengths, levels)),
    )


def _read_parts(
    readers: Sequence[Reader],
    topics: dict[str, int],
    interners: list[Interner],
    precision: Precision,
    workers: int | None,
    progress: Progress | None,
) -> Iterator[_Part | InputError]:
    """Read all runs in threads; each thread numbers documents with an interner of its own, added to `interners`."""
    own = threading.local()

    def read(reader: Reader) -> _Part | InputError:
        if not hasattr(own, "number"):
            with lock:
                own.number = len(interners)
                interners.append(Interner())
        try:
            return _part(reader(), topics, interners[own.number], own.number, precision)
        except InputError as error:
            return error

    lock = threading.Lock()
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            for done, part in enumerate(pool.map(read, readers), 1):
                yield part
                if progress is not None:
                    progress(done, len(readers))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _is_usable(part: _Part | InputError, failures: list[InputError] | None) -> TypeGuard[_Part]:
    """Whether a run was read; if not, its error is raised, or collected where that is asked for."""
    if not isinstance(part, InputError):
        return True
    if failures is None:
        raise part
    failures.append(part)
    return False


def _levels(
    grades: NDArray[np.int64], strata: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16]]:
    """The distinct pairs of grade and stratum in ascending order, and the number of each judgment's pair."""
    span = strata.max() - strata.min() + 1
    keys, judged_levels = np.unique(grades * span + (strata - strata.min()), return_inverse=True)
    return keys // span, keys % span + strata.min(), judged_levels.astype(np.int16)


def _interned(rows: Run | Qrels, names: Interner) -> NDArray[np.int32]:
    """The provisional number of each row's document; refuses a document twice in a topic."""
    docs = names.intern(rows.text, rows.starts, rows.stops)
    row = _first_duplicate(docs, rows.bounds, len(names))
    if row >= 0:
        message = f"document '{rows.docno(row)}' stands twice in topic '{rows.topic(row)}'; remove one of the two"
        raise rows.error(row, message)
    return docs


@kernel
def _first_duplicate(docs: NDArray[np.int32], bounds: NDArray[np.int64], documents: int) -> int:
    last_list = np.full(documents, -1, np.int32)
    for i in range(len(bounds) - 1):
        for row in range(bounds[i], bounds[i + 1]):
            if last_list[docs[row]] == i:
                return row
            last_list[docs[row]] = i
    return -1


def _judged_topics(qrels: Qrels) -> tuple[dict[str, int], NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Topics with a relevant document, their rows in the qrels, the bounds among these; the other topics."""
    relevant = np.add.reduceat((qrels.grades > 0).astype(np.int64), qrels.bounds[:-1])
    kept = np.flatnonzero(relevant)
    if len(kept) == 0:
        raise InputError("no topic has a relevant document (a grade above 0); check the grades", path=qrels.path)
    sizes = np.diff(qrels.bounds)[kept]
    rows = np.concatenate([np.arange(qrels.bounds[t], qrels.bounds[t + 1]) for t in kept])
    topics = {qrels.topics[t]: i for i, t in enumerate(kept)}
    return (
        topics,
        rows,
        np.concatenate([[0], np.cumsum(sizes)]),
        [qrels.topics[t] for t in np.flatnonzero(relevant == 0)],
    )


def _part(run: Run, topics: dict[str, int], names: Interner, number: int, precision: Precision) -> _Part:
    docs = _interned(run, names)
    kept = [i for i, topic in enumerate(run.topics) if topic in topics]
    if not kept:
        some = ", ".join(run.topics[:3])
        message = f"no topic of this run ({some}, ...) is a judged topic of the qrels; is it a run of another track?"
        raise InputError(message, path=run.path)
    scores = run.scores.astype(np.float32).astype(np.float64) if precision == "single" else run.scores
    if len(kept) < len(run.topics):
        rows = np.concatenate([np.arange(run.bounds[i], run.bounds[i + 1]) for i in kept])
        docs, scores = docs[rows], scores[rows]
    bounds = np.concatenate([[0], np.cumsum(np.diff(run.bounds)[kept])])
    topic_numbers = np.array([topics[run.topics[i]] for i in kept])
    return _Part(run.tag, run.path, number, topic_numbers, bounds, docs, scores, len(run.topics) - len(kept))


def _in_byte_order(interners: Sequence[Interner]) -> tuple[pl.Series, list[NDArray[np.int32]]]:
    """All docnos in byte order, and for each interner the places in it of the names it numbered."""
    names = pl.concat([one.names() for one in interners if len(one)]).alias("docno")
    order = names.arg_sort().to_numpy()
    ordered = names.gather(order)
    is_new = (ordered != ordered.shift()).fill_null(value=True)
    places = np.empty(len(names), np.int32)
    places[order] = is_new.cum_sum().to_numpy() - 1
    return ordered.filter(is_new), np.split(places, np.cumsum([len(one) for one in interners])[:-1])


def _order_all(parts: Sequence[_Part], renumber: Sequence[NDArray[np.int32]], workers: int | None) -> None:
    def order(part: _Part) -> None:
        part.docs[:] = renumber[part.names][part.docs]
        _order_lists(part.docs, part.scores, part.bounds)

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        list(pool.map(order, parts))


@kernel
def _order_lists(docs: NDArray[np.int32], scores: NDArray[np.float64], bounds: NDArray[np.int64]) -> None:
    """Put each list in the order of the tie rule, in place: score, then docno, both descending."""
    for i in range(len(bounds) - 1):
        start, stop = bounds[i], bounds[i + 1]
        if not _descends(scores[start:stop]):
            order = np.argsort(-scores[start:stop], kind="mergesort")
            docs[start:stop] = docs[start:stop][order]
            scores[start:stop] = scores[start:stop][order]
        tie = start
        for row in range(start + 1, stop + 1):
            if row == stop or scores[row] != scores[tie]:
                if row - tie > 1:
                    docs[tie:row] = -np.sort(-docs[tie:row])
                tie = row


@kernel
def _descends(scores: NDArray[np.float64]) -> bool:
    for i in range(1, len(scores)):
        if scores[i] > scores[i - 1]:
            return False
    return True


def _index(parts: Sequence[_Part], topics: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the list of each topic and system starts among all entries, and its length; 0 where there is none."""
    firsts = np.zeros((topics, len(parts)), np.int64)
    lengths = np.zeros((topics, len(parts)), np.int64)
    offset = 0
    for system, part in enumerate(parts):
        firsts[part.topics, system] = offset + part.bounds[:-1]
        lengths[part.topics, system] = np.diff(part.bounds)
        offset += len(part.docs)
    return firsts, lengths


@kernel
def _judge_all(
    docs: NDArray[np.int32],
    firsts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    judged_bounds: NDArray[np.int64],
    judged_docs: NDArray[np.int32],
    judged_levels: NDArray[np.int16],
    documents: int,
) -> NDArray[np.int16]:
    """The level of each entry in its topic."""
    levels = np.empty(len(docs), np.int16)
    level_of = np.full(documents, UNJUDGED, np.int16)
    for topic in range(len(firsts)):
        start, stop = judged_bounds[topic], judged_bounds[topic + 1]
        for j in range(start, stop):
            level_of[judged_docs[j]] = judged_levels[j]
        for system in range(firsts.shape[1]):
            first = firsts[topic, system]
            for entry in range(first, first + lengths[topic, system]):
                levels[entry] = level_of[docs[entry]]
        for j in range(start, stop):
            level_of[judged_docs[j]] = UNJUDGED
    return levels


def _corpus_size(given: int | Iterable[str] | None, docnos: pl.Series) -> int:
    """The number of documents in the corpus: as given, of the given docnos, or of those seen."""
    if given is None:
        return len(docnos)
    if isinstance(given, int):
        if given < len(docnos):
            raise InputError(f"a corpus of {given} documents is too small: runs and qrels name {len(docnos)}")
        return given
    corpus = pl.Series(list(given), dtype=pl.String).unique()
    outside = docnos.filter(~docnos.is_in(corpus.implode()))
    if len(outside):
        some = ", ".join(outside.head(3))
        raise InputError(f"{len(outside)} documents of runs and qrels are not in the corpus given, such as {some}")
    return len(corpus)


def _notes(
    no_relevant: Sequence[str],
    topics: dict[str, int],
    systems: Sequence[str],
    parts: Sequence[_Part],
    lengths: NDArray[np.int64],
    levels: NDArray[np.int16],
) -> Iterator[str]:
    names = list(topics)
    if no_relevant:
        yield f"{_list(no_relevant, 'topic')} of the qrels without a relevant document left out"
    offset = 0
    for system, part in enumerate(parts):
        missing = [names[t] for t in np.flatnonzero(lengths[:, system] == 0)]
        if missing:
            yield f"{systems[system]}: {_list(missing, 'topic')} not in the run, scored 0"
        if part.unknown_topics:
            yield f"{systems[system]}: {part.unknown_topics} of its topics not in the qrels, left out"
        if np.all(levels[offset : offset + len(part.docs)] == UNJUDGED):
            yield f"{systems[system]}: not one of its documents is judged; is it a run on another collection?"
        offset += len(part.docs)


def _list(names: Sequence[str], what: str) -> str:
    """`3 topics (401, 402, 403)`, cut after five names."""
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return f"{len(names)} {what}{'s' * (len(names) != 1)} ({shown})"
