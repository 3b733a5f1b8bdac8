"""Collection: the one join of runs and qrels, the one tie rule, as integer arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, TypeGuard, get_args

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Floats, Ints
from irgauge.brief import Brief, some
from irgauge.choices import known
from irgauge.errors import InputError, warn_of
from irgauge.files import expand
from irgauge.jit import kernel
from irgauge.reading.docnos import Hashes, hashes
from irgauge.reading.numbering import ByDocno, ByJudgment, Docnos, Numbered, Numbering, RunNumbers
from irgauge.reading.objects import qrels_of, runs_of
from irgauge.reading.ordering import first_duplicate, ranking
from irgauge.reading.trec import Qrels, Run, read_qrels, read_run, system_names

if TYPE_CHECKING:
    import polars as pl

Precision = Literal["double", "single"]
Documents = Literal["all", "judged"]
Reader = Callable[[], Run]
Progress = Callable[[int, int], None]  # done, total
_MOST_LEVELS = 2**15 - 1  # what 16 bits count
UNJUDGED = -1  # the level of a document that is not in the topic's qrels


@dataclass(frozen=True)
class Note:
    """What a careful reader should know of the data: of one system, or of the judgments."""

    system: str | None
    text: str

    def __str__(self) -> str:
        return self.text if self.system is None else f"{self.system}: {self.text}"


@dataclass(frozen=True, repr=False)
class Collection(Brief):
    """Ranked lists and judgments of systems on topics.

    A document is its index in `docnos`, which are in byte order; with documents="judged" every judgment is a
    document of its own. A level is a distinct pair of grade and stratum in the qrels, in ascending order of grade.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    origins: tuple[str, ...]  # system: the path of its run
    document_count: int  # distinct documents
    name_documents: Callable[[], pl.Series]  # what makes `docnos`
    corpus_size: int
    documents: Documents  # "judged": all others are UNKNOWN (-1) in docs
    firsts: Ints  # topic, system: where the list starts in docs and levels
    lengths: Ints  # topic, system
    docs: NDArray[np.int32]  # entry
    levels: NDArray[np.int16]  # entry
    judged_bounds: Ints  # topic + 1
    judged_docs: NDArray[np.int32]  # judgment
    judged_levels: NDArray[np.int16]  # judgment
    grades: Ints  # level
    strata: Ints  # level
    precision: Precision
    notes: tuple[Note, ...]  # what a careful reader should know of the join

    def _facts(self) -> dict[str, str]:
        kind = "of runs and qrels" if self.documents == "all" else "judgments, each a document of its own"
        notes = {"notes": f"{len(self.notes):,}, the first: {self.notes[0]}"} if self.notes else {}
        return {
            "topics": some(self.topics),
            "systems": some(self.systems),
            "documents": f"{self.document_count:,} {kind}",
            "corpus size": f"{self.corpus_size:,}",
        } | notes

    @cached_property
    def docnos(self) -> pl.Series:
        """The names of documents; made on first use, as scores of the whole corpus do without."""
        return self.name_documents()

    def only(self, systems: Sequence[int]) -> Collection:
        """The same collection with some of its systems."""
        kept = list(systems)
        return replace(
            self,
            systems=tuple(self.systems[s] for s in kept),
            origins=tuple(self.origins[s] for s in kept),
            firsts=np.ascontiguousarray(self.firsts[:, kept]),
            lengths=np.ascontiguousarray(self.lengths[:, kept]),
        )

    def relevant_counts(self) -> Ints:
        """The number of relevant documents of each topic."""
        relevant = (self.grades[self.judged_levels] > 0).astype(np.int64)
        return np.add.reduceat(relevant, self.judged_bounds[:-1])


def load(
    qrels: object,
    runs: object,
    *,
    precision: Precision = "double",
    corpus_size: int | Iterable[str] | None = None,
    documents: Documents = "all",
    workers: int | None = None,
    progress: Progress | None = None,
    warn: bool = True,
) -> Collection:
    """Join judgments and runs, from files or from Python objects.

    `qrels` is a path, a dict `{topic: {docno: grade}}`, a data frame, a ranx object or tuples; `runs` is
    a path, a folder, a glob pattern, a list of these, a dict from names to any of these, or such objects.
    With documents="judged" all unjudged documents are taken as one: faster, and enough to score the whole
    corpus, but not for shards and images. Notes on the data are given as warnings (DataWarning) unless warn=False.

    >>> collection = load({"q1": {"d1": 1, "d2": 0}}, {"mine": {"q1": {"d2": 0.9, "d1": 0.8}}})
    >>> collection.systems, collection.topics
    (('mine',), ('q1',))
    """
    judged = read_qrels(qrels) if isinstance(qrels, str | os.PathLike) else qrels_of(qrels)
    readers = run_readers(runs)
    collection = join(
        judged,
        readers,
        precision=precision,
        corpus_size=corpus_size,
        documents=documents,
        workers=workers,
        progress=progress,
    )
    if warn:
        warn_of(map(str, collection.notes))
    return collection


def run_readers(runs: object) -> list[Reader]:
    """A reader for each run that files, folders, patterns or objects give."""
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
class _Judgments:
    """The judgments of topics that have a relevant document."""

    topics: dict[str, int]  # name -> number
    docnos: Docnos  # judgment, topic after topic, then those of topics left out
    grades: Ints  # level
    strata: Ints  # level
    levels: NDArray[np.int16]  # judgment
    no_relevant: tuple[str, ...]  # topics left out


@dataclass(frozen=True)
class _Part:
    """What the join keeps of one run: the lists of topics that have judgments, in rank order."""

    tag: str | None
    path: str
    topics: Ints  # list: its topic
    bounds: Ints  # list + 1
    numbers: RunNumbers
    unknown_topics: int


def join(
    qrels: Qrels,
    readers: Sequence[Reader],
    *,
    precision: Precision = "double",
    corpus_size: int | Iterable[str] | None = None,
    documents: Documents = "all",
    workers: int | None = None,
    progress: Progress | None = None,
    failures: list[InputError] | None = None,
) -> Collection:
    """Join judgments and runs as trec_eval does, with all topics of the qrels that have a relevant document.

    Where `failures` is given, runs that cannot be used are left out and their errors are added to it.
    """
    precision = known(precision, get_args(Precision), "precision", error=InputError)
    documents = known(documents, get_args(Documents), "choice of documents", error=InputError)
    judged = _judgments(qrels)
    numbering: Numbering = ByJudgment(judged.docnos) if documents == "judged" else ByDocno(judged.docnos)
    parts = _Reading(judged.topics, numbering, precision).parts(readers, workers, progress, failures)
    if not parts:
        raise InputError("\n".join(["none of the runs can be used:", *map(str, failures or [])]))
    systems = system_names([(part.tag, part.path) for part in parts])
    numbered = numbering.together([part.numbers for part in parts])
    firsts, lengths = _index(parts, len(judged.topics))
    levels = _judge_all(numbered, firsts, lengths, judged) if documents == "all" else _judge(numbered, judged)
    return Collection(
        topics=tuple(judged.topics),
        systems=tuple(systems),
        origins=tuple(part.path for part in parts),
        document_count=numbered.count,
        name_documents=numbered.name,
        corpus_size=_corpus_size(corpus_size, numbered),
        documents=documents,
        firsts=firsts,
        lengths=lengths,
        docs=numbered.docs,
        levels=levels,
        judged_bounds=judged.docnos.bounds,
        judged_docs=numbered.judged_docs,
        judged_levels=judged.levels,
        grades=judged.grades,
        strata=judged.strata,
        precision=precision,
        notes=tuple(_notes(judged, systems, parts, lengths, levels)),
    )


def _judgments(qrels: Qrels) -> _Judgments:
    values = _checked_hashes(qrels)
    relevant = np.add.reduceat((qrels.grades > 0).astype(np.int64), qrels.bounds[:-1])
    kept = np.flatnonzero(relevant)
    if len(kept) == 0:
        raise InputError("no topic has a relevant document (a grade above 0); check the grades", path=qrels.path)
    of_topics = np.array_split(np.arange(len(values)), qrels.bounds[1:-1])
    rows = np.concatenate([of_topics[t] for t in kept])
    left_out = [of_topics[t] for t in np.flatnonzero(relevant == 0)]
    every = np.concatenate([rows, *left_out])
    grades, strata, levels = _levels(qrels.grades[rows], qrels.strata[rows])
    return _Judgments(
        topics={qrels.topics[t]: i for i, t in enumerate(kept)},
        docnos=Docnos(qrels.text, qrels.starts[every], qrels.stops[every], values[every], _bounds(qrels, kept)),
        grades=grades,
        strata=strata,
        levels=levels,
        no_relevant=tuple(qrels.topics[t] for t in np.flatnonzero(relevant == 0)),
    )


def _bounds(rows: Run | Qrels, kept: Sequence[int] | NDArray[np.intp]) -> Ints:
    """Where the rows of the topics kept start, once the others are left out."""
    return np.concatenate([[0], np.cumsum(np.diff(rows.bounds)[kept])])


def _levels(grades: Ints, strata: Ints) -> tuple[Ints, Ints, NDArray[np.int16]]:
    """The distinct pairs of grade and stratum in ascending order, and the number of each judgment's pair."""
    distinct_strata, stratum = np.unique(strata, return_inverse=True)
    keys, judged_levels = np.unique(grades * len(distinct_strata) + stratum, return_inverse=True)
    if len(keys) > _MOST_LEVELS:
        raise InputError(f"the qrels have {len(keys)} distinct grades and strata; at most {_MOST_LEVELS} are possible")
    level_grades, level_strata = np.divmod(keys, len(distinct_strata))
    return level_grades, distinct_strata[level_strata], judged_levels.astype(np.int16)


def _checked_hashes(rows: Run | Qrels) -> Hashes:
    """The hash of each row's docno; refuses a document twice in a topic."""
    values = hashes(rows.text, rows.starts, rows.stops)
    row = first_duplicate(rows.text, rows.starts, rows.stops, values, rows.bounds)
    if row >= 0:
        message = f"document '{rows.docno(row)}' appears twice in topic '{rows.topic(row)}'; remove one of the two"
        raise rows.error(row, message)
    return values


@dataclass(frozen=True)
class _Reading:
    """Reads runs in threads."""

    topics: dict[str, int]
    numbering: Numbering
    precision: Precision

    def parts(
        self,
        readers: Sequence[Reader],
        workers: int | None,
        progress: Progress | None,
        failures: list[InputError] | None,
    ) -> list[_Part]:
        """The runs in their order; of one that cannot be used the error is raised, or added to `failures`."""
        parts = []
        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            try:
                for done, part in enumerate(pool.map(self._try, readers), 1):
                    if _is_usable(part, failures):
                        parts.append(part)
                    if progress is not None:
                        progress(done, len(readers))
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
        return parts

    def _try(self, reader: Reader) -> _Part | InputError:
        try:
            return self._part(reader())
        except InputError as error:
            return error

    def _part(self, run: Run) -> _Part:
        values = _checked_hashes(run)
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
        if len(kept) < len(run.topics):
            rows = np.concatenate([rows[run.bounds[i] : run.bounds[i + 1]] for i in kept])
        docnos = Docnos(run.text, run.starts[rows], run.stops[rows], values[rows], _bounds(run, kept))
        return _Part(
            tag=run.tag,
            path=run.path,
            topics=topics[kept],
            bounds=docnos.bounds,
            numbers=self.numbering.of_run(docnos, topics[kept]),
            unknown_topics=len(run.topics) - len(kept),
        )


def _rounded(scores: Floats) -> Floats:
    """Scores as 32 bits hold them; those too large become infinite."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


def _is_usable(part: _Part | InputError, failures: list[InputError] | None) -> TypeGuard[_Part]:
    """Whether a run was read; if not, its error is raised, or collected where that is asked for."""
    if not isinstance(part, InputError):
        return True
    if failures is None:
        raise part
    failures.append(part)
    return False


def _index(parts: Sequence[_Part], topics: int) -> tuple[Ints, Ints]:
    """Where the list of each topic and system starts among all entries, and its length; 0 where there is none."""
    firsts = np.zeros((topics, len(parts)), np.int64)
    lengths = np.zeros((topics, len(parts)), np.int64)
    offset = 0
    for system, part in enumerate(parts):
        firsts[part.topics, system] = offset + part.bounds[:-1]
        lengths[part.topics, system] = np.diff(part.bounds)
        offset += int(part.bounds[-1])
    return firsts, lengths


def _judge(numbered: Numbered, judged: _Judgments) -> NDArray[np.int16]:
    """The level of each entry, where judgments are the documents."""
    return np.append(judged.levels, np.int16(UNJUDGED))[numbered.docs]  # UNKNOWN finds the last place


def _judge_all(numbered: Numbered, firsts: Ints, lengths: Ints, judged: _Judgments) -> NDArray[np.int16]:
    """The level of each entry in its topic."""
    judgments = judged.docnos.bounds, numbered.judged_docs, judged.levels
    return _judge_lists(numbered.docs, firsts, lengths, *judgments, numbered.count)


@kernel
def _judge_lists(
    docs: NDArray[np.int32],
    firsts: Ints,
    lengths: Ints,
    judged_bounds: Ints,
    judged_docs: NDArray[np.int32],
    judged_levels: NDArray[np.int16],
    documents: int,
) -> NDArray[np.int16]:
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


def _corpus_size(given: int | Iterable[str] | None, documents: Numbered) -> int:
    """The number of documents in the corpus: as given, of the given docnos, or of those seen."""
    if given is None:
        return documents.count
    if isinstance(given, int | np.integer):
        if given < documents.count:
            raise InputError(f"a corpus of {given} documents is too small: runs and qrels name {documents.count}")
        return int(given)
    return _corpus_of(given, documents.name())


def _corpus_of(given: Iterable[str], docnos: pl.Series) -> int:
    """The number of docnos given; all documents seen must be among them."""
    import polars as pl

    corpus = pl.Series(list(given), dtype=pl.String).unique()
    outside = docnos.filter(~docnos.is_in(corpus.implode()))
    if len(outside):
        some = ", ".join(outside.head(3))
        raise InputError(f"{len(outside)} documents of runs and qrels are not in the corpus given, such as {some}")
    return len(corpus)


def _notes(
    judged: _Judgments,
    systems: Sequence[str],
    parts: Sequence[_Part],
    lengths: Ints,
    levels: NDArray[np.int16],
) -> Iterator[Note]:
    names = list(judged.topics)
    if judged.no_relevant:
        yield Note(None, f"{_list(judged.no_relevant, 'topic')} of the qrels without a relevant document left out")
    offset = 0
    for system, part in enumerate(parts):
        missing = [names[t] for t in np.flatnonzero(lengths[:, system] == 0)]
        if missing:
            yield Note(systems[system], f"{_list(missing, 'topic')} not in the run, scored 0")
        if part.unknown_topics:
            yield Note(systems[system], f"{part.unknown_topics} of its topics not in the qrels, left out")
        if np.all(levels[offset : offset + part.bounds[-1]] == UNJUDGED):
            yield Note(systems[system], "none of its documents is judged; is it a run on another collection?")
        offset += int(part.bounds[-1])


def _list(names: Sequence[str], what: str) -> str:
    """`3 topics (401, 402, 403)`, cut after five names."""
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return f"{len(names)} {what}{'s' * (len(names) != 1)} ({shown})"
