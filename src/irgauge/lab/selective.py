"""Selective search: a central sample of the documents picks shards, and only these are searched.

Each instance has a sample of its own, so that its run differs from that of another. Shards are searched with the
statistics of the whole corpus: what is found in them is what exhaustive search finds, in its order, without the
documents of other shards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from irgauge.compute.arrays import Indices, Ints
from irgauge.compute.tasks import check_stop, counting, in_threads
from irgauge.errors import DesignError, InputError
from irgauge.files.writing import filling, write
from irgauge.lab.costs import MeanCost, TopicCost, mean_costs, write_costs
from irgauge.lab.index import Index
from irgauge.lab.picking import RANKINGS, check_rate, picked, sample, stands_for
from irgauge.lab.ranking import RankedList
from irgauge.lab.running import check_terms, listed, search, search_all, unmatched, write_run
from irgauge.lab.systems import System
from irgauge.lab.texts import Topic
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Progress
from irgauge.reading.options import WORKERS
from irgauge.scoring.drawn import Shards

EXHAUSTIVE = "exhaustive"
_RATE = re.compile(r"([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)(%?)")
_KEY = 10**12  # of rates in the seeds of their samples: those that differ by less are one


def rates_of(text: str) -> tuple[float, ...]:
    """Rates of sampling, as shares.

    >>> rates_of("0.5%, 4%, 0.25")
    (0.005, 0.04, 0.25)
    """
    rates = [_rate(part.strip()) for part in text.split(",")]
    for rate in rates:
        if rates.count(rate) > 1:
            raise InputError(f"'{text}' has a rate twice; leave one out")
    return tuple(rates)


def _rate(text: str) -> float:
    match = _RATE.fullmatch(text)
    rate = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < rate <= 1:
        raise InputError(f"'{text}' is no rate; write it like 0.5% or 0.005, up to 100%")
    return rate


@dataclass(frozen=True, kw_only=True)
class SelectiveOptions:
    """What is asked of selective search."""

    csi: Annotated[
        tuple[float, ...],
        Help("Rates of sampling of the central sample index, such as 0.5%,1%,4%.", read=rates_of, metavar="RATES"),
    ] = (0.005, 0.01, 0.04)
    instances: Annotated[
        int, Help("Instances of each rate, and of each map if there are several.", least=1, most=10_000)
    ] = 20
    picks: Annotated[int, Help("Shards that are searched for a topic.", least=1, most=1_000_000)] = 5
    rank_by: Annotated[
        str,
        Help(
            "What ranks shards: redde (documents of the sample count with all they stand for) or proportion (the share "
            "of a shard in the sample's results).",
            names=lambda: RANKINGS,
        ),
    ] = "redde"
    reach: Annotated[
        int,
        Help(
            "Ranks in which documents are counted for their shards: of the whole corpus by redde, of the sample by "
            "proportion.",
            least=1,
        ),
    ] = 1000
    system: Annotated[str, Help("The system that ranks samples and shards, such as bm25 or dirichlet(mu=500).")] = (
        "bm25"
    )
    depth: Annotated[int, Help("Documents that are retrieved for a topic at most.", least=1)] = 1000
    seed: Annotated[
        int, Help("Seed of the samples; the same seed gives the same runs.", least=0, most=LARGEST_SEED)
    ] = 0
    workers: Annotated[int | None, WORKERS] = None
    progress: Progress | None = None  # is told how many runs are done; from Python only

    def __post_init__(self) -> None:
        if System.of(self.system).feedback is not None:
            message = f"the system '{self.system}' has feedback, of documents that selective search does not see"
            raise DesignError(f"{message}; take it without '+{self.system.partition('+')[2]}'")


class Instance(NamedTuple):
    """One central sample: its rate, the map whose shards it picks, and its number."""

    rate: float
    map: int
    number: int

    @property
    def algorithm(self) -> str:
        """What it is an instance of, named by the rate in percent.

        >>> Instance(0.005, 0, 3).algorithm
        'csi-0.5'
        """
        return f"csi-{100 * self.rate:.10g}"

    def rng(self, seed: int) -> np.random.Generator:
        """Its own stream, whatever other rates, maps and instances there are."""
        key = (round(self.rate * _KEY), self.map, self.number)
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


@dataclass(frozen=True, eq=False)
class Searched:
    """The index and the topics, and all that exhaustive search finds."""

    index: Index
    topics: Sequence[Topic]
    system: System
    rankings: Sequence[RankedList]  # topic

    @classmethod
    def of(cls, index: Index, topics: Sequence[Topic], system: System, workers: int | None = None) -> Searched:
        """Search the whole corpus for each topic, to the last document."""
        analysed = index.analysed(system.analyser)
        check_terms(topics, analysed.analyser)
        rankings = search_all(analysed, topics, system, index.n_documents, workers=workers)
        return cls(analysed, topics, system, rankings)


def write_selective(
    folder: str | os.PathLike[str],
    index: Index,
    topics: Sequence[Topic],
    maps: Sequence[Shards],
    options: SelectiveOptions,
) -> Selected:
    """Write runs/ of exhaustive search and of each instance, manifest.txt, which says what each is, and costs.csv."""
    for rate in options.csi:
        check_rate(rate, index.n_documents)
    _check_maps(maps)
    searched = Searched.of(index, topics, System.of(options.system), options.workers)
    instances = list(_instances(options, len(maps)))
    with filling(folder) as made:
        (made / "runs").mkdir()
        _write(made, EXHAUSTIVE, searched, [_first(ranking, options.depth) for ranking in searched.rankings])
        of_instances = in_threads(
            partial(_run_instance, made, searched, maps, options),
            instances,
            options.workers,
            then=counting(options.progress, len(instances)),
        )
        lines = [_manifest_line(instance, len(maps), options.instances) for instance in instances]
        write(made / "manifest.txt", "\n".join([f"{EXHAUSTIVE} {EXHAUSTIVE}", *lines, ""]))
        costs = [*_exhaustive_costs(searched), *chain.from_iterable(of_instances)]
        write_costs(made / "costs.csv", costs)
    return Selected(unmatched(searched.topics, searched.rankings), mean_costs(costs))


class Selected(NamedTuple):
    """What is told of selective search, once it is written."""

    unmatched: Sequence[str]  # topics for which nothing is found
    costs: Sequence[MeanCost]  # of each algorithm, exhaustive search first


def _exhaustive_costs(searched: Searched) -> Iterator[TopicCost]:
    for topic, ranking in zip(searched.topics, searched.rankings, strict=True):
        terms, documents = len(_terms(searched, topic)), searched.index.n_documents
        matched = len(ranking.documents)
        yield TopicCost(EXHAUSTIVE, EXHAUSTIVE, topic.id, 1, documents, matched, 0, terms, 0)


def _terms(searched: Searched, topic: Topic) -> Ints:
    """The terms of a topic that the corpus has, each once."""
    return np.unique(searched.index.analyse(topic.text))


def _check_maps(maps: Sequence[Shards]) -> None:
    """Refuse a map that is given twice: its instances would count as those of two."""
    for place, shards in enumerate(maps):
        for other in range(place):
            if np.array_equal(shards.labels, maps[other].labels):
                raise InputError(f"the maps {other + 1} and {place + 1} are the same; leave one out")


def _instances(options: SelectiveOptions, maps: int) -> Iterator[Instance]:
    return (
        Instance(rate, which, number)
        for rate in options.csi
        for which in range(maps)
        for number in range(1, options.instances + 1)
    )


def _name(instance: Instance, maps: int, instances: int) -> str:
    """The name of an instance among those of its rate; with the number of its map where there are several."""
    number = f"{instance.number:0{len(str(instances))}}"
    return number if maps == 1 else f"{instance.map + 1:0{len(str(maps))}}.{number}"


def _manifest_line(instance: Instance, maps: int, instances: int) -> str:
    """A run, its algorithm and instance, and its map where there are several: runs of a map share its shards."""
    name, algorithm = _name(instance, maps, instances), instance.algorithm
    group = f" map-{instance.map + 1}" if maps > 1 else ""
    return f"{algorithm}-{name} {algorithm} {name}{group}"


def _run_instance(
    made: Path, searched: Searched, maps: Sequence[Shards], options: SelectiveOptions, instance: Instance
) -> list[TopicCost]:
    """Write the run of an instance; returns what each topic costs."""
    shards = maps[instance.map]
    sizes = np.bincount(shards.labels, minlength=len(shards.names))
    name = f"{instance.algorithm}-{_name(instance, len(maps), options.instances)}"
    costs, rankings = [], []
    selections = selections_of(searched, shards, options, instance)
    for topic, ranking, selection in zip(searched.topics, searched.rankings, selections, strict=True):
        inside = restricted(ranking, shards, selection.shards)
        rankings.append(_first(inside, options.depth))
        documents = int(sizes[selection.shards].sum())
        costs.append(
            TopicCost(
                *(instance.algorithm, name, topic.id, len(selection.shards), documents, len(inside.documents)),
                *(selection.results, selection.terms, selection.unknown),
            )
        )
    _write(made, name, searched, rankings)
    return costs


class Selection(NamedTuple):
    """What a central sample says of a topic."""

    shards: Indices  # to search, the best first
    results: int  # documents of the sample that have a term of the topic
    terms: int  # of the topic that the corpus has, each once
    unknown: int  # of these, terms that the sample has not


def selections_of(
    searched: Searched, shards: Shards, options: SelectiveOptions, instance: Instance
) -> Iterator[Selection]:
    """What an instance searches for each topic."""
    sampled = sample(shards, instance.rate, instance.rng(options.seed))
    central = searched.index.part(sampled)
    weights, ranked = stands_for(shards, sampled), RANKINGS[options.rank_by]
    for topic in searched.topics:
        check_stop()
        ranking = search(central, topic.text, searched.system, len(sampled))
        counted = ranked(shards.labels[sampled[ranking.documents]], weights, options.reach)
        terms = _terms(searched, topic)
        unknown = int((central.document_frequencies[terms] == 0).sum())
        yield Selection(picked(shards, counted, options.picks), len(ranking.documents), len(terms), unknown)


def restricted(ranking: RankedList, shards: Shards, picks: Indices) -> RankedList:
    """What is found in some shards."""
    is_picked = np.zeros(len(shards.names), np.bool_)
    is_picked[picks] = True
    kept = is_picked[shards.labels[ranking.documents]]
    return RankedList(ranking.documents[kept], ranking.scores[kept])


def _first(ranking: RankedList, depth: int) -> RankedList:
    return RankedList(ranking.documents[:depth], ranking.scores[:depth])


def _write(made: Path, name: str, searched: Searched, rankings: Sequence[RankedList]) -> None:
    write_run(made / "runs" / f"{name}.run", name, listed(searched.index, searched.topics, rankings))
