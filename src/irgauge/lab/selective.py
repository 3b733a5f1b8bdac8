"""Selective search: a central sample of the documents picks shards, and only these are searched.

Each instance has a sample of its own, so that its run differs from that of another. Shards are searched with the
statistics of the whole corpus: what is found in them is what exhaustive search finds, in its order, without the
documents of other shards.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Indices
from irgauge.compute.tasks import check_stop, counting, in_threads
from irgauge.errors import DesignError, InputError
from irgauge.files.writing import filling, write
from irgauge.lab.index import Index
from irgauge.lab.ranking import RankedList
from irgauge.lab.running import check_terms, listed, search, search_all, unmatched, write_run
from irgauge.lab.systems import System
from irgauge.lab.texts import Topic
from irgauge.options.fields import LARGEST_SEED, Help
from irgauge.options.progress import Progress
from irgauge.reading.options import WORKERS
from irgauge.scoring.drawn import Shards


def check_rate(rate: float, documents: int) -> None:
    """Refuse a rate at which there would be no document in the sample."""
    if rate * documents < 1:
        message = f"a rate of {100 * rate:g} % samples nothing of {documents:,} documents"
        raise DesignError(f"{message}; it takes at least {_least_percent(documents):g} %")


def _least_percent(documents: int) -> float:
    """The smallest rate of two digits that samples a document."""
    least = 100 / documents
    unit = 10.0 ** (math.floor(math.log10(least)) - 1)
    return next(rate for extra in range(2) if (rate := (math.ceil(least / unit) + extra) * unit) / 100 * documents >= 1)


def sample(shards: Shards, rate: float, rng: np.random.Generator) -> Indices:
    """The documents of a central sample, in their order: of each shard its share, rounded up or down at random.

    The roundings are drawn together, so that the whole sample is as large as the rate says, to one document.
    """
    sizes = np.bincount(shards.labels, minlength=len(shards.names))
    ends = np.floor(rate * np.cumsum(sizes) + rng.random()).astype(np.int64)
    numbers = np.diff(ends, prepend=0)  # shard: its documents in the sample
    members = np.split(np.argsort(shards.labels, kind="stable"), np.cumsum(sizes)[:-1])
    drawn = [rng.choice(of_shard, number, replace=False) for of_shard, number in zip(members, numbers, strict=True)]
    return np.sort(np.concatenate(drawn))


def stands_for(shards: Shards, sampled: Indices) -> Floats:
    """How many documents of its shard a sampled document stands for: n / m, 0 where none is sampled."""
    sizes = np.bincount(shards.labels, minlength=len(shards.names))
    numbers = np.bincount(shards.labels[sampled], minlength=len(shards.names))
    return np.divide(sizes, numbers, out=np.zeros(len(sizes)), where=numbers > 0)


def counts(labels: NDArray[np.int32], weights: Floats, reach: float) -> Floats:
    """The count of each shard; `labels` are the shards of the sampled documents in the order of their ranking.

    >>> counts(np.array([1, 1, 0, 2], np.int32), np.array([10.0, 20.0, 5.0]), reach=45)
    array([10., 40.,  0.])
    """
    each = weights[labels]
    counting = int(np.searchsorted(np.cumsum(each), reach)) + 1  # of so many, those before do not fill the reach
    by_shard: Floats = np.zeros(len(weights))
    np.add.at(by_shard, labels[:counting], each[:counting])
    return by_shard


def picked(shards: Shards, counted: Floats, number: int) -> Indices:
    """The shards to search, the best first."""
    sizes = np.bincount(shards.labels, minlength=len(shards.names))
    return np.lexsort((-sizes, -counted))[:number]


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
    reach: Annotated[
        int, Help("Ranks of the whole corpus in which documents are counted for their shards.", least=1)
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
) -> list[str]:
    """Write runs/ of exhaustive search and of each instance, and manifest.txt, which says what each run is.

    Returns the topics for which nothing is found.
    """
    for rate in options.csi:
        check_rate(rate, index.n_documents)
    _check_maps(maps)
    searched = Searched.of(index, topics, System.of(options.system), options.workers)
    instances = list(_instances(options, len(maps)))
    with filling(folder) as made:
        (made / "runs").mkdir()
        _write(made, EXHAUSTIVE, searched, [_first(ranking, options.depth) for ranking in searched.rankings])
        in_threads(
            partial(_run_instance, made, searched, maps, options),
            instances,
            options.workers,
            then=counting(options.progress, len(instances)),
        )
        names = [_name(instance, len(maps), options.instances) for instance in instances]
        lines = [
            f"{instance.algorithm}-{name} {instance.algorithm} {name}"
            for instance, name in zip(instances, names, strict=True)
        ]
        write(made / "manifest.txt", "\n".join([f"{EXHAUSTIVE} {EXHAUSTIVE}", *lines, ""]))
    return unmatched(searched.topics, searched.rankings)


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


def _run_instance(
    made: Path, searched: Searched, maps: Sequence[Shards], options: SelectiveOptions, instance: Instance
) -> None:
    shards = maps[instance.map]
    picks = picks_of(searched, shards, options, instance)
    rankings = [
        restricted(ranking, shards, of_topic, options.depth)
        for ranking, of_topic in zip(searched.rankings, picks, strict=True)
    ]
    name = f"{instance.algorithm}-{_name(instance, len(maps), options.instances)}"
    _write(made, name, searched, rankings)


def picks_of(searched: Searched, shards: Shards, options: SelectiveOptions, instance: Instance) -> list[Indices]:
    """The shards that an instance searches for each topic, the best first."""
    sampled = sample(shards, instance.rate, instance.rng(options.seed))
    central = searched.index.part(sampled)
    weights = stands_for(shards, sampled)
    picks = []
    for topic in searched.topics:
        check_stop()
        ranking = search(central, topic.text, searched.system, len(sampled))
        counted = counts(shards.labels[sampled[ranking.documents]], weights, options.reach)
        picks.append(picked(shards, counted, options.picks))
    return picks


def restricted(ranking: RankedList, shards: Shards, picks: Indices, depth: int) -> RankedList:
    """What is found in some shards."""
    is_picked = np.zeros(len(shards.names), np.bool_)
    is_picked[picks] = True
    kept = is_picked[shards.labels[ranking.documents]]
    return _first(RankedList(ranking.documents[kept], ranking.scores[kept]), depth)


def _first(ranking: RankedList, depth: int) -> RankedList:
    return RankedList(ranking.documents[:depth], ranking.scores[:depth])


def _write(made: Path, name: str, searched: Searched, rankings: Sequence[RankedList]) -> None:
    write_run(made / "runs" / f"{name}.run", name, listed(searched.index, searched.topics, rankings))
