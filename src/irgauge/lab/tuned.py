"""Tuned systems: one for each shard, fitted to it, and run on the whole corpus.

By parameters: of several systems the one that ranks the shard alone best. By terms: one system with feedback, whose
terms come from the documents of the shard (Ferro, Kim and Sanderson 2019, section 7.2).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np

from irgauge.compute.arrays import Indices, Ints
from irgauge.compute.tasks import check_stop, counting, in_threads
from irgauge.errors import DesignError, InputError
from irgauge.files.writing import filling, write
from irgauge.lab.index import Index
from irgauge.lab.ranking import Query, RankedList, rank
from irgauge.lab.running import check_terms, listed, search, search_all, with_feedback, write_run
from irgauge.lab.systems import System, systems_of
from irgauge.lab.texts import Topic
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Progress
from irgauge.reading.formats import read_qrels
from irgauge.reading.options import WORKERS
from irgauge.scoring.drawn import Shards

Relevant = Mapping[str, Ints]  # topic: its relevant documents, in their order


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents, topics and the documents that are relevant to them."""

    index: Index
    topics: Sequence[Topic]
    relevant: Relevant

    def part(self, documents: Indices) -> Corpus:
        """Some documents, which are given in order, and the topics that have relevant ones among them."""
        inside = {topic.id: np.intersect1d(self.relevant.get(topic.id, ()), documents) for topic in self.topics}
        relevant = {topic: np.searchsorted(documents, numbers) for topic, numbers in inside.items() if len(numbers)}
        return Corpus(self.index.part(documents), [topic for topic in self.topics if topic.id in relevant], relevant)


class Fitted(NamedTuple):
    """The best system, its mean AP and the number of topics that this is over."""

    system: System
    ap: float
    topics: int


def read_relevant(index: Index, path: str | os.PathLike[str]) -> dict[str, Ints]:
    """The relevant documents of each topic, of those that the index has."""
    numbers = {docno: number for number, docno in enumerate(index.docnos)}
    qrels = read_qrels(path)
    by_topic: dict[str, list[int]] = {}
    for row in np.flatnonzero(qrels.grades > 0).tolist():
        number = numbers.get(qrels.docno(row))
        if number is not None:
            by_topic.setdefault(qrels.topic(row), []).append(number)
    return {topic: np.array(sorted(documents), np.int64) for topic, documents in by_topic.items()}


def fitted(corpus: Corpus, systems: Sequence[System]) -> Fitted | None:
    """The system of the largest mean AP, the first of equal ones; None where no document is relevant."""
    if not corpus.topics:
        return None
    means = [_mean_ap(corpus, system) for system in systems]
    best = int(np.argmax(means))
    return Fitted(systems[best], means[best], len(corpus.topics))


def _mean_ap(corpus: Corpus, system: System) -> float:
    check_stop()
    depth = corpus.index.n_documents
    return float(
        np.mean(
            [
                average_precision(search(corpus.index, topic.text, system, depth), corpus.relevant[topic.id])
                for topic in corpus.topics
            ]
        )
    )


def average_precision(ranking: RankedList, relevant: Ints) -> float:
    """AP: the mean over relevant documents of the precision at their ranks, 0 for those that are not found.

    >>> average_precision(RankedList(np.array([4, 2, 7]), np.zeros(3)), np.array([2, 5]))
    0.25
    """
    ranks = 1 + np.flatnonzero(np.isin(ranking.documents, relevant))
    return float((np.arange(1, len(ranks) + 1) / ranks).sum() / len(relevant))


WAYS = ("parameters", "terms")
_GRIDS = {
    "parameters": "bm25+rm3(docs={5,10,20},terms={10,25,50},weight={0.3,0.5,0.7})",
    "terms": "bm25+rm3(docs=10,terms=50,weight=0.5)",
}


@dataclass(frozen=True, kw_only=True)
class TunedOptions:
    """What is asked of tuned systems."""

    by: Annotated[str, Help("What is fitted to each shard.", names=lambda: WAYS)] = "parameters"
    systems: Annotated[
        str | None,
        Help(
            f"By parameters, the systems to choose from: {_GRIDS['parameters']} if not given. By terms, one system "
            f"with feedback: {_GRIDS['terms']} if not given.",
            metavar="GRID",
        ),
    ] = None
    subset: Annotated[
        int | None,
        Help("Fit a system to this many of the shards, drawn at random; to all of them if not given.", least=1),
    ] = None
    seed: Annotated[int, Help("Seed of the subset.", least=0, most=LARGEST_SEED)] = 0
    depth: Annotated[int, Help("Documents that are retrieved for a topic at most.", least=1)] = 1000
    workers: Annotated[int | None, WORKERS] = None
    progress: Progress | None = None  # is told how many shards are done; from Python only

    def numbers(self, shards: Shards) -> Sequence[int]:
        """The shards that a system is fitted to, in their order."""
        number = len(shards.names)
        if self.subset is None:
            return range(number)
        if self.subset > number:
            raise DesignError(
                f"a subset of {self.subset} shards was asked for, and the map has {number}; ask for fewer"
            )
        rng = np.random.default_rng(np.random.SeedSequence(self.seed))
        drawn: list[int] = np.sort(rng.choice(number, self.subset, replace=False)).tolist()
        return drawn

    @property
    def candidates(self) -> list[System]:
        """The systems to choose from, which have a stop list and a stemmer in common."""
        systems = systems_of(self.systems or _GRIDS[self.by])
        if len({system.analyser for system in systems}) > 1:
            raise DesignError("the systems have several stop lists or stemmers; give all of them the same")
        if self.by == "terms" and (len(systems) > 1 or systems[0].feedback is None):
            message = f"by terms one system with feedback is run, and '{self.systems}' is none"
            raise DesignError(f"{message}; write it like {_GRIDS['terms']}")
        return systems


class Tuned(NamedTuple):
    """What was fitted to a shard, None where parameters lack relevant documents; and what its system finds."""

    shard: str
    fitted: Fitted | None
    rankings: Sequence[RankedList]  # topic, of the whole corpus


def write_tuned(folder: str | os.PathLike[str], corpus: Corpus, shards: Shards, options: TunedOptions) -> list[Tuned]:
    """Write runs/ of the system of each shard, and fitted.tsv, which says what was fitted."""
    _check_names(shards)
    systems = options.candidates
    analysed = replace(corpus, index=corpus.index.analysed(systems[0].analyser))
    check_terms(corpus.topics, analysed.index.analyser)
    _check_judgments(corpus)
    if options.by == "terms":
        all_tuned = _by_terms(analysed, shards, systems[0], options)
    else:
        all_tuned = _by_parameters(analysed, shards, systems, options)
    if all(tuned.fitted is None for tuned in all_tuned):
        raise DesignError("no shard of the subset has a relevant document; take a larger subset, or another seed")
    with filling(folder) as made:
        (made / "runs").mkdir()
        for tuned in all_tuned:
            if tuned.fitted is not None:
                name = f"tuned-{tuned.shard}"
                write_run(made / "runs" / f"{name}.run", name, listed(analysed.index, corpus.topics, tuned.rankings))
        write(made / "fitted.tsv", _table(all_tuned))
    return all_tuned


def _check_judgments(corpus: Corpus) -> None:
    if not any(len(corpus.relevant.get(topic.id, ())) for topic in corpus.topics):
        message = "no document of the index is relevant to any of the topics"
        raise InputError(f"{message}; are these the judgments of these documents and topics?")


def _check_names(shards: Shards) -> None:
    for name in shards.names:
        if "/" in name or "\\" in name:
            raise InputError(
                f"the shard '{name}' gives a run its name, which cannot have a slash; rename it in the map"
            )


def _by_parameters(corpus: Corpus, shards: Shards, systems: Sequence[System], options: TunedOptions) -> list[Tuned]:
    """The best system for each shard; each of these is run once."""
    numbers = options.numbers(shards)
    fit = partial(_fitted, corpus, shards, systems)
    choices = in_threads(fit, numbers, options.workers, then=counting(options.progress, len(numbers)))
    chosen = dict.fromkeys(choice.system for choice in choices if choice is not None)
    rankings = {
        system: search_all(corpus.index, corpus.topics, system, options.depth, workers=options.workers)
        for system in chosen
    }
    return [
        Tuned(shards.names[number], choice, () if choice is None else rankings[choice.system])
        for number, choice in zip(numbers, choices, strict=True)
    ]


def _fitted(corpus: Corpus, shards: Shards, systems: Sequence[System], number: int) -> Fitted | None:
    return fitted(corpus.part(np.flatnonzero(shards.labels == number)), systems)


def _by_terms(corpus: Corpus, shards: Shards, system: System, options: TunedOptions) -> list[Tuned]:
    """The same system for each shard, with feedback from its documents."""
    numbers = options.numbers(shards)
    tune = partial(_with_terms, corpus, shards, system, options.depth)
    return in_threads(tune, numbers, options.workers, then=counting(options.progress, len(numbers)))


def _with_terms(corpus: Corpus, shards: Shards, system: System, depth: int, number: int) -> Tuned:
    part = corpus.part(np.flatnonzero(shards.labels == number))
    fit = fitted(part, [system]) or Fitted(system, math.nan, 0)  # terms need no judgments
    return Tuned(shards.names[number], fit, _borrowed(corpus.index, part.index, corpus.topics, system, depth))


def _borrowed(index: Index, part: Index, topics: Iterable[Topic], system: System, depth: int) -> list[RankedList]:
    """What a system finds in an index with feedback from a part of it."""
    rankings = []
    for topic in topics:
        check_stop()
        query = with_feedback(part, Query.of(index.analyse(topic.text)), system)
        rankings.append(rank(index, query, system.model, system.chosen.values, depth))
    return rankings


def _table(results: Sequence[Tuned]) -> str:
    """What was fitted to each shard, with the mean AP of its system on the shard alone."""
    return "\n".join(["shard\tsystem\tAP\ttopics", *map(_row, results), ""])


def _row(tuned: Tuned) -> str:
    fit = tuned.fitted
    if fit is None:
        return f"{tuned.shard}\t\t\t0"
    cells = str(fit.system), f"{fit.ap:.6f}" if fit.topics else "", str(fit.topics)
    return "\t".join([tuned.shard, *cells])
