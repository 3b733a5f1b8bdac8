"""Can these data be used? What a careful colleague would point out, and what shards and images would leave of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, InputError
from irgauge.options.fields import options_of, refuse
from irgauge.options.verbs import verb
from irgauge.provenance import Provenance
from irgauge.reading.collection import Collection, gathered, judgments_of, run_readers
from irgauge.reading.conventions import Convention, convention_of
from irgauge.reading.facts import missing, of_corpus, of_runs, source
from irgauge.reading.missing import MissingRule, MissingTopics, rule_of
from irgauge.reading.notes import Note
from irgauge.reading.options import Joining, ReadsCorpus, refuse_reading
from irgauge.reading.ordering import TIE_RULE
from irgauge.reading.parts import Reader
from irgauge.reading.tables.read import is_to_be_read
from irgauge.reading.textfile import Header
from irgauge.reading.trec import Qrels
from irgauge.replicates.facts import systems, topics
from irgauge.replicates.given import Given, bench, judgments_and_runs, opened_with_gaps
from irgauge.replicates.undefined import MANY_UNDEFINED, most_shards, undefined_in_images, undefined_in_shards
from irgauge.studies.check.facts import (
    TOP,
    FileFacts,
    Reordered,
    RunFacts,
    Uneven,
    judged_shares,
    reordered,
    run_facts,
    twins,
    uneven,
    watched,
    within_judged_depth,
)
from irgauge.studies.check.options import CheckOptions
from irgauge.studies.check.table_facts import TableFacts, read_scores, table_facts
from irgauge.studies.result import Result

SHARDS = (2, 5, 10)
USUAL = 5  # shards of a report


@dataclass(frozen=True)
class Prospect:
    """What replicates of one kind would leave of the data."""

    shards: int | None  # None: bootstrap images
    undefined: float  # share of cells (topic and replicate) without a relevant document
    reach: int  # the rank of the whole list to which a top 10 reaches
    judged: float  # share of the documents down to there that is judged, in the median run

    @property
    def is_usual(self) -> bool:
        """Whether studies make such replicates unless told otherwise."""
        return self.shards in (None, USUAL)

    @property
    def is_sparse(self) -> bool:
        """Whether more cells would be undefined than numbers bear."""
        return self.undefined > MANY_UNDEFINED


@dataclass(frozen=True)
class Prospects:
    """What shards and images would leave, and how many shards the data bear."""

    of: tuple[Prospect, ...]
    most_defined: int  # shards that leave few cells undefined; 1 where 2 are too many
    most_judged: int  # shards whose top 10 is mostly judged; 0 where that of the whole corpus is not

    @property
    def sparse(self) -> tuple[Prospect, ...]:
        """Those with too many undefined cells, if they are usual ones."""
        prospects = tuple(prospect for prospect in self.of if prospect.is_sparse)
        return prospects if any(prospect.is_usual for prospect in prospects) else ()

    @property
    def unjudged(self) -> Prospect | None:
        """The usual shards, where their top 10 reaches below the judged depth but that of the whole does not."""
        usual = next(prospect for prospect in self.of if prospect.shards == USUAL)
        return usual if 0 < self.most_judged < USUAL else None


def prospects(collection: Collection, judged: Floats) -> Prospects:
    """What shards and images would leave, given judged[cut, system]."""
    counts = collection.relevant_counts()
    relevant = counts[counts > 0]
    typical = np.median(judged, axis=1)  # cut

    def each() -> Iterator[Prospect]:
        for shards in SHARDS:
            undefined = undefined_in_shards(relevant, shards)
            yield Prospect(shards, undefined, TOP * shards, float(typical[shards - 1]))
        yield Prospect(None, undefined_in_images(relevant, collection.corpus_size), TOP, float(typical[0]))

    return Prospects(tuple(each()), most_shards(relevant), within_judged_depth(typical))


FEW_RELEVANT = 5


@dataclass(frozen=True)
class Failure:
    """A run that cannot be used: where, and why."""

    path: str | None
    line: int | None
    reason: str


@dataclass(frozen=True, repr=False)
class Checked(Result):
    """What the data are, run by run, and what is wrong with them."""

    study: ClassVar[str] = "check"
    part: ClassVar[str] = "system"

    topics: int
    systems: int
    documents: int
    corpus_size: int
    judgments: int
    grades: tuple[int, ...]
    relevant: int
    relevant_median: float
    few_relevant: tuple[str, ...]  # topics with fewer than FEW_RELEVANT relevant documents
    runs: tuple[RunFacts, ...]
    uneven: Uneven | None  # runs of which more or less is judged, where they differ much
    prospects: Prospects  # what shards and images would leave
    twins: tuple[tuple[str, str], ...]  # runs that rank alike
    notes: tuple[Note, ...]  # of the join
    missing: MissingTopics  # judged topics that runs do not answer, and what would be done about them
    precision: str
    topic_rule: Mapping[str, object]
    depth: int | None  # documents of each list that count
    headers: Mapping[str, Header]  # system -> what its ir_metadata header says
    identical_ids: Mapping[str, int]  # system -> documents with the id of their topic
    ignores_identical_ids: bool  # whether these are left out
    reordered: tuple[Reordered, ...] = ()  # runs whose rank column contradicts their scores
    failures: tuple[Failure, ...] = ()  # runs that were left out
    assessed: int = 0  # documents that are judged for some topic
    convention: Convention | None = None  # what the collection counts as relevant, where its name tells
    has_files: bool = True  # whether runs were read here; else ties and rank columns are not known
    read_as: TableFacts | None = None  # how a table of scores was understood: then there are no runs

    @property
    def parts(self) -> Mapping[str, RunFacts]:
        """System -> what its run looks like."""
        return {run.system: run for run in self.runs}

    @property
    def is_usable(self) -> bool:
        """Whether no run had to be left out, and some topics are left."""
        return not self.failures and not self.missing.is_refused

    @property
    def exit_code(self) -> int:
        """2 where the data cannot be used."""
        return 0 if self.is_usable else 2

    @property
    def main_frame(self) -> str:
        """The runs, or how the table was understood."""
        return "runs" if self.read_as is None else "table"

    def has_chart(self, name: str) -> bool:  # noqa: ARG002  # there are none of tables
        """Whether it is a check of runs."""
        return self.read_as is None

    @property
    def provenance(self) -> Provenance:
        """How runs were read."""
        if self.read_as is not None:
            of_table = source("a table of scores")
            return Provenance.of(of_table, systems(self.systems), topics(self.topics), missing(self.missing))
        read = of_runs(
            rule=TIE_RULE,
            precision=self.precision,
            topics=self.topic_rule,
            depth_read=self.depth,
            left_out=sum(self.identical_ids.values()) if self.ignores_identical_ids else None,
            of_headers=self.headers,
            of_documents=of_corpus(self.corpus_size, self.documents),
        )
        return Provenance.of(read, systems(self.systems), topics(self.topics), missing(self.missing))

    def content(self) -> dict[str, Any]:
        """All facts; of a table of scores, those that it has."""
        facts = super().content() | {"usable": self.is_usable}
        return facts if self.read_as is None else {name: facts[name] for name in _OF_TABLES}


_OF_TABLES = ("topics", "systems", "missing", "read_as", "usable")  # facts that a table of scores has


@verb(CheckOptions)
def check(data: object, options: CheckOptions) -> Checked:
    """Look at judgments and runs, from files or objects as `load` takes them, going on past runs that cannot be used.

    `data` are the judgments, and `runs` the runs; or `data` are both as a pair, or what `load` gives. Of runs that were
    loaded before nothing is known any more of ties and of rank columns. Or `data` are a table of scores, or several, as
    `load_scores` takes them: then it is told how these were understood.

    >>> found = check({"q1": {"d1": 1, "d2": 0}}, {"mine": {"q1": {"d2": 0.9, "d1": 0.8}}})
    >>> found.is_usable, found.topics, found.runs[0].judged_10
    (True, 1, 1.0)
    >>> [(part.part, part.count) for part in check({"a": {"q1": 0.5}, "b": {"q1": 1.0}}).read_as.parts[:3]]
    [('systems', 2), ('topics', 1), ('measures', 1)]
    """
    pair = judgments_and_runs(data) if options.runs is None else (data, options.runs)
    if pair is None and _holds_scores(data):
        return _of_table(data, options)
    if options.columns is not None:
        raise DesignError("columns are of a table of scores, and runs were given; leave them out")
    if pair is None:
        refuse_reading(options)
        collection = bench(cast("Given", data), options.workers).collection
        return replace(_look(collection.unsettled, {}, collection.missing.rule), has_files=False)
    failures: list[InputError] = []
    return _joined(judgments_of(pair[0]), run_readers(pair[1]), Joining.of(options), failures)[1]


def _holds_scores(data: object) -> bool:
    """Whether there are scores alone, read or not."""
    return is_to_be_read(data) or not opened_with_gaps(cast("Given", data)).has_runs


def _of_table(data: object, options: CheckOptions) -> Checked:
    """What a table of scores was understood as."""
    of_runs = [option.name for option in options_of(ReadsCorpus) if option.name != "missing"]
    refuse(options, of_runs, "runs, and a table of scores was given; leave it out, or name the runs")
    scores, reading = read_scores(data, options)
    lacking = scores.missing or replace(scores.lacking, rule=rule_of(options.missing, "fail"))
    return Checked(
        *(len(scores.topics), len(scores.systems), 0, 0, 0, (), 0, 0.0, (), (), None, Prospects((), 0, 0), (), ()),
        missing=lacking,
        precision="double",
        topic_rule={},
        depth=None,
        headers={},
        identical_ids={},
        ignores_identical_ids=False,
        has_files=False,
        read_as=table_facts(scores, reading),
    )


def load_checked(
    qrels: object,
    runs: object,
    joining: Joining = Joining(),  # noqa: B008  # frozen
) -> tuple[Collection, Checked]:
    """The collection, and what is to be said of it, of one reading; what cannot be used is an error."""
    collection, checked = _joined(judgments_of(qrels), run_readers(runs), joining, None)
    return collection.under(checked.missing.rule), checked


def _joined(
    qrels: Qrels, readers: Sequence[Reader], joining: Joining, failures: list[InputError] | None
) -> tuple[Collection, Checked]:
    """Join what is read, with all judged topics, and look at it."""
    rule = rule_of(joining.missing)
    files: dict[str, FileFacts] = {}
    watching = [partial(watched, reader, files) for reader in readers]
    collection = gathered(qrels, watching, joining, failures)
    left_out = tuple(Failure(error.path, error.line, error.message) for error in failures or ())
    otherwise = tuple(reordered(collection, files, qrels, joining))
    looked = replace(_look(collection, files, rule), convention=convention_of(qrels.path))
    return collection, replace(looked, reordered=otherwise, failures=left_out)


def _look(collection: Collection, files: Mapping[str, FileFacts], rule: MissingRule) -> Checked:
    relevant, shares = collection.relevant_counts(), judged_shares(collection)
    judged = np.nanmean(shares, axis=1)  # cut, system
    return Checked(
        topics=len(collection.topics),
        systems=len(collection.systems),
        documents=collection.document_count,
        corpus_size=collection.corpus_size,
        judgments=len(collection.judged_docs),
        assessed=len(np.unique(collection.judged_docs)),
        grades=tuple(np.unique(collection.grades).tolist()),
        relevant=int(relevant.sum()),
        relevant_median=float(np.median(relevant)),
        few_relevant=tuple(collection.topics[t] for t in np.flatnonzero(relevant < FEW_RELEVANT)),
        runs=tuple(run_facts(collection, files, judged)),
        uneven=uneven(shares[0], collection.systems),
        prospects=prospects(collection, judged),
        twins=tuple(twins(collection)) if collection.documents == "all" else (),  # else unjudged documents are one
        notes=collection.notes,
        missing=replace(collection.missing, rule=rule),
        precision=collection.precision,
        topic_rule=collection.topics_counted,
        depth=collection.depth,
        headers=collection.headers,
        identical_ids=collection.identical_ids,
        ignores_identical_ids=collection.ignores_identical_ids,
    )
