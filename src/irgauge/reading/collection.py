"""Collection: the one join of runs and qrels, the one tie rule, as integer arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, get_args

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import Brief, some
from irgauge.choices import known
from irgauge.compute.arrays import Ints
from irgauge.compute.polars_pool import check_pool
from irgauge.errors import InputError, warn_of
from irgauge.files.made import noting_files
from irgauge.files.opening import expand, is_there
from irgauge.log import LOG
from irgauge.options.verbs import verb_without_data
from irgauge.provenance import Provenance
from irgauge.reading.by_docno import ByDocno
from irgauge.reading.facts import grades, of_corpus, of_judged, of_runs
from irgauge.reading.formats import may_hold_several, read_qrels, read_run, read_runs
from irgauge.reading.judgments import UNJUDGED, Judgments, judge, judge_all, judgments
from irgauge.reading.missing import MissingRule, MissingTopics, counted_topics, rule_of
from irgauge.reading.name_order import in_name_order
from irgauge.reading.notes import Note, together
from irgauge.reading.numbering import ByJudgment, Numbering, corpus_size_of
from irgauge.reading.objects import dataset_qrels, qrels_of, runs_of
from irgauge.reading.options import Documents, Joining, Loading, NameBy, Precision, TopicRule
from irgauge.reading.ordering import TIE_RULE
from irgauge.reading.parts import Part, Reader, Reading
from irgauge.reading.textfile import Header
from irgauge.reading.trec import Qrels, Run, system_names

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, repr=False)
class Collection(Brief):
    """Ranked lists and judgments of systems on topics.

    A document is its index in `docnos`, which are in byte order; with documents="judged" every judgment is a
    document of its own. A level is a distinct pair of grade and stratum in the qrels, in ascending order of grade;
    with diversity judgments, a distinct row of grades under the subtopics, whose highest is its grade.
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
    missing: MissingTopics = field(default_factory=MissingTopics)  # topics that runs do not answer
    topic_rule: TopicRule = "relevant"
    no_relevant: tuple[str, ...] = ()  # judged topics without a relevant document: by the rule left out, or scored 0
    depth: int | None = None  # documents of a list that count; None: all
    headers: Mapping[str, Header] = field(default_factory=dict)  # system -> what its ir_metadata header says
    identical_ids: Mapping[str, int] = field(default_factory=dict)  # system -> documents with the id of their topic
    ignores_identical_ids: bool = False  # whether these are left out
    subtopics: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # level, subtopic: grade; 0 where none
    read_from: tuple[str, ...] = ()  # the paths of all files that were read
    tied: Mapping[str, float] = field(default_factory=dict)  # system -> share of documents with a tied score
    judged_in: str = ""  # the path of the judgments, or their name in ir_datasets

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

    def only(self, systems: str | Sequence[str | int]) -> Collection:
        """The same collection with some of its systems, by their names or their places."""
        kept = [self._place(system) for system in ([systems] if isinstance(systems, str) else systems)]
        names = [self.systems[s] for s in kept]
        return replace(
            self,
            systems=tuple(names),
            origins=tuple(self.origins[s] for s in kept),
            firsts=np.ascontiguousarray(self.firsts[:, kept]),
            lengths=np.ascontiguousarray(self.lengths[:, kept]),
            missing=self.missing.only(names),
            headers={name: self.headers[name] for name in names if name in self.headers},
            identical_ids={name: self.identical_ids[name] for name in names if name in self.identical_ids},
            tied={name: self.tied[name] for name in names if name in self.tied},
            notes=tuple(note for note in self.notes if note.system is None or note.system in names),
        )

    def _place(self, system: str | int) -> int:
        return self.systems.index(known(system, self.systems, "system")) if isinstance(system, str) else system

    def __getitem__(self, systems: str | Sequence[str]) -> Collection:
        """The same collection with one of its systems alone, or with some, by their names."""
        return self.only(systems)

    def __iter__(self) -> Iterator[Collection]:
        """The systems, each as a collection of its own."""
        return (self.only([place]) for place in range(len(self.systems)))

    def __len__(self) -> int:
        """How many systems there are."""
        return len(self.systems)

    def under(self, rule: MissingRule) -> Collection:
        """The collection once it is settled, and noted, what becomes of topics that some run does not answer.

        The corpus stays as it is: documents of topics that are left out are drawn as before.
        """
        settled = replace(self, missing=self.missing.under(rule))
        noted = [Note(*told) for told in settled.missing.told()]
        left = settled.without(set(self.missing.topics)) if rule == "drop" and noted else settled
        return replace(left, notes=(*noted, *self.notes))

    @property
    def unsettled(self) -> Collection:
        """The same with nothing noted of topics that some run does not answer; those left out stay so."""
        noted = [Note(*told) for told in self.missing.told()]
        return replace(self, notes=tuple(note for note in self.notes if note not in noted))

    def without(self, topics: Set[str]) -> Collection:
        """The same collection without some of its topics."""
        kept = [t for t, topic in enumerate(self.topics) if topic not in topics]
        sizes = np.diff(self.judged_bounds)
        rows = np.repeat(np.isin(np.arange(len(sizes)), kept), sizes)  # judgment: whether its topic is kept
        return replace(
            self,
            topics=tuple(self.topics[t] for t in kept),
            firsts=self.firsts[kept],
            lengths=self.lengths[kept],
            judged_bounds=np.concatenate([[0], np.cumsum(sizes[kept])]),
            judged_docs=self.judged_docs[rows],
            judged_levels=self.judged_levels[rows],
        )

    @property
    def topics_counted(self) -> dict[str, object]:
        """By which rule topics count, and how many have no relevant document: a fact of every provenance."""
        return {"rule": self.topic_rule, "without_relevant": len(self.no_relevant)}

    @property
    def source(self) -> Provenance:
        """How judgments and runs were read: facts of every result."""
        return of_runs(
            rule=TIE_RULE,
            precision=self.precision,
            topics=self.topics_counted,
            depth_read=self.depth,
            left_out=sum(self.identical_ids.values()) if self.ignores_identical_ids else None,
            of_headers=self.headers,
            of_documents=self._of_documents,
            of_grades=grades(int(self.grades.max(initial=0)), self.judged_in),
        )

    @property
    def _of_documents(self) -> Provenance:
        if self.documents == "judged":  # how many others there are is not known
            return of_judged(self.document_count, int(self.lengths.sum()))
        return of_corpus(self.corpus_size, self.document_count)

    @cached_property
    def empty_topics(self) -> Set[int]:
        """The topics that score 0, since no document is relevant to them."""
        without = set(self.no_relevant)
        return frozenset(t for t, topic in enumerate(self.topics) if topic in without)

    def relevant_counts(self) -> Ints:
        """The number of relevant documents of each topic."""
        return np.add.reduceat((self.grades[self.judged_levels] > 0).astype(np.int64), self.judged_bounds[:-1])


@verb_without_data(Loading)
def load(asked: Loading) -> Collection:
    """Join judgments and runs, from files or from Python objects.

    `qrels` is a path, a dict `{topic: {docno: grade}}`, a data frame, a ranx object or tuples; `runs` is
    a path, a folder, a glob pattern, a list of these, a dict from names to any of these, or such objects.
    With documents="judged" all unjudged documents are taken as one: faster, and enough to score the whole
    corpus, but not for shards and images. Notes on the data are given as warnings (DataWarning) unless warn=False.

    >>> collection = load({"q1": {"d1": 1, "d2": 0}}, {"mine": {"q1": {"d2": 0.9, "d1": 0.8}}})
    >>> collection.systems, collection.topics
    (('mine',), ('q1',))
    """
    with noting_files() as paths:
        collection = join(judgments_of(asked.qrels), run_readers(asked.runs), asked)
    LOG.info("read %d runs on %d topics", len(collection.systems), len(collection.topics))
    if asked.warn:
        warn_of(together(collection.notes))
    return replace(collection, read_from=tuple(sorted(set(paths))))


def judgments_of(qrels: object) -> Qrels:
    """Judgments from a file, or from an object."""
    if not isinstance(qrels, str | os.PathLike):
        return qrels_of(qrels)
    is_path = isinstance(qrels, os.PathLike) or not qrels or is_there(qrels)
    return read_qrels(qrels) if is_path else dataset_qrels(str(qrels))


def run_readers(runs: object) -> list[Reader]:
    """A reader for each run that files, folders, patterns or objects give."""
    paths = paths_of(runs)
    if paths is not None:
        return [reader for path in expand(paths) for reader in _readers(path)]
    return [partial(_given, run) for run in runs_of(runs)]


def _readers(path: str) -> list[Reader]:
    """A reader for each run of a file."""
    if not may_hold_several(path):
        return [partial(read_run, path)]
    try:
        return [partial(_given, run) for run in read_runs(path)]
    except InputError as error:
        return [partial(_refused, error)]


def _given(run: Run) -> Run:
    return run


def _refused(error: InputError) -> Run:
    raise error


def paths_of(runs: object) -> Sequence[str | os.PathLike[str]] | None:
    """The files, folders and patterns that were given; None where runs are objects."""
    if isinstance(runs, str | os.PathLike):
        return [runs]
    if isinstance(runs, list | tuple) and all(isinstance(run, str | os.PathLike) for run in runs):
        return runs
    return None


def join(
    qrels: Qrels,
    readers: Sequence[Reader],
    asked: Joining = Joining(),  # noqa: B008  # frozen
) -> Collection:
    """Join judgments and runs as trec_eval does, with all topics of the qrels that have a relevant document.

    Topics that some run does not answer are treated as asked.
    """
    rule = rule_of(asked.missing)
    return gathered(qrels, readers, asked).under(rule)


def gathered(
    qrels: Qrels, readers: Sequence[Reader], asked: Joining, failures: list[InputError] | None = None
) -> Collection:
    """Judgments and runs joined, with nothing said yet of topics that some run does not answer.

    Where `failures` is given, runs that cannot be used are left out and their errors are added to it.
    """
    precision = known(asked.precision, get_args(Precision), "precision", error=InputError)
    documents = known(asked.documents, get_args(Documents), "choice of documents", error=InputError)
    rule = known(asked.topics or "relevant", get_args(TopicRule), "rule for topics", error=InputError)
    if documents == "all":
        check_pool()  # which numbers their names
    judged = judgments(qrels, rule)
    numbering: Numbering = ByJudgment(judged.docnos) if documents == "judged" else ByDocno(judged.docnos)
    left_out = set(judged.no_relevant) - set(judged.topics)
    depth, ignores = _depth(asked.depth), asked.ignore_identical_ids
    reading = Reading(judged.topics, left_out, numbering, precision, depth, ignores_identical=ignores)
    parts = reading.parts(readers, asked.workers, asked.told, failures)
    if not parts:
        raise InputError("\n".join(["none of the runs can be used:", *map(str, failures or [])]))
    parts, systems = _by_name(parts, _names(parts, asked.name_by))
    numbered = numbering.together([part.numbers for part in parts])
    firsts, lengths = _index(parts, len(judged.topics))
    levels = judge_all(numbered, firsts, lengths, judged) if documents == "all" else judge(numbered, judged)
    return Collection(
        topics=tuple(judged.topics),
        systems=tuple(systems),
        origins=tuple(part.path for part in parts),
        document_count=numbered.count,
        name_documents=numbered.name,
        corpus_size=corpus_size_of(asked.corpus_size, numbered),
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
        notes=(*(Note(None, f"the qrels: {text}") for text in qrels.notes), *_notes(judged, systems, parts, levels)),
        missing=MissingTopics.among(tuple(judged.topics), systems, lengths == 0),
        topic_rule=rule,
        no_relevant=judged.no_relevant,
        depth=asked.depth,
        headers={system: part.header for system, part in zip(systems, parts, strict=True) if part.header},
        identical_ids={system: part.identical for system, part in zip(systems, parts, strict=True) if part.identical},
        ignores_identical_ids=asked.ignore_identical_ids,
        subtopics=judged.subtopics,
        judged_in=qrels.path,
        tied={system: part.tied for system, part in zip(systems, parts, strict=True) if part.tied},
    )


def _names(parts: Sequence[Part], by: NameBy | None) -> list[str]:
    """The names of systems; what a user or a key of a file calls a run stays."""
    rule = None if by is None else known(by, get_args(NameBy), "way to name runs", error=InputError)
    of_files = [(part.tag, part.path) for part in parts if not part.is_named]
    named = iter(system_names(of_files, rule))
    names = [str(part.tag) if part.is_named else next(named) for part in parts]
    return system_names([(name, part.path) for name, part in zip(names, parts, strict=True)], "tag")


def _by_name(parts: Sequence[Part], names: Sequence[str]) -> tuple[list[Part], list[str]]:
    """The runs and their names, in the order of the names."""
    order = in_name_order(names)
    return [parts[s] for s in order], [names[s] for s in order]


def _depth(depth: int | None) -> int | None:
    if depth is not None and depth < 1:
        raise InputError(f"the depth is {depth}; it is a number of documents, 1 or more")
    return depth


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


NOT_IN_QRELS = "of its topics not in the qrels"
_MERGED = (
    "documents are judged under several subtopics (the second column of the qrels); "
    "measures without subtopics take a document's highest grade"
)


def _notes(
    judged: Judgments, systems: Sequence[str], parts: Sequence[Part], levels: NDArray[np.int16]
) -> Iterator[Note]:
    if judged.merged:
        yield Note(None, _MERGED)
    if judged.no_relevant:
        done = "scored 0" if judged.no_relevant[0] in judged.topics else "left out"
        yield Note(None, f"{counted_topics(judged.no_relevant)} of the qrels without a relevant document {done}")
    offset = 0
    for system, part in zip(systems, parts, strict=True):
        yield from (Note(system, text) for text in part.notes)
        if part.unknown_topics:
            yield Note(system, f"{part.unknown_topics} {NOT_IN_QRELS}, left out")
        if np.all(levels[offset : offset + part.bounds[-1]] == UNJUDGED):
            yield Note(system, "none of its documents is judged; is it a run on another collection?")
        offset += int(part.bounds[-1])
