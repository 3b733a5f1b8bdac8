"""Collection: the one join of runs and qrels, the one tie rule, as integer arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Ints
from irgauge.brief import Brief, some
from irgauge.choices import known
from irgauge.errors import InputError, warn_of
from irgauge.files import expand
from irgauge.reading.judgments import UNJUDGED, Judgments, judge, judge_all, judgments
from irgauge.reading.numbering import ByDocno, ByJudgment, Numbered, Numbering
from irgauge.reading.objects import qrels_of, runs_of
from irgauge.reading.parts import Part, Precision, Progress, Reader, Reading
from irgauge.reading.trec import Qrels, Run, read_qrels, read_run, system_names

if TYPE_CHECKING:
    import polars as pl

Documents = Literal["all", "judged"]


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
    judged = judgments(qrels)
    numbering: Numbering = ByJudgment(judged.docnos) if documents == "judged" else ByDocno(judged.docnos)
    parts = Reading(judged.topics, numbering, precision).parts(readers, workers, progress, failures)
    if not parts:
        raise InputError("\n".join(["none of the runs can be used:", *map(str, failures or [])]))
    systems = system_names([(part.tag, part.path) for part in parts])
    numbered = numbering.together([part.numbers for part in parts])
    firsts, lengths = _index(parts, len(judged.topics))
    levels = judge_all(numbered, firsts, lengths, judged) if documents == "all" else judge(numbered, judged)
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


def _index(parts: Sequence[Part], topics: int) -> tuple[Ints, Ints]:
    """Where the list of each topic and system starts among all entries, and its length; 0 where there is none."""
    firsts = np.zeros((topics, len(parts)), np.int64)
    lengths = np.zeros((topics, len(parts)), np.int64)
    offset = 0
    for system, part in enumerate(parts):
        firsts[part.topics, system] = offset + part.bounds[:-1]
        lengths[part.topics, system] = np.diff(part.bounds)
        offset += int(part.bounds[-1])
    return firsts, lengths


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
    judged: Judgments,
    systems: Sequence[str],
    parts: Sequence[Part],
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
