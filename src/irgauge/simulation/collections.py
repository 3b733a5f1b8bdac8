"""Synthetic collections whose truth is known: systems in families, topics and documents drawn from a population."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.tasks import in_threads
from irgauge.errors import DesignError, InputError
from irgauge.files.writing import cannot, filling
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.missing import MissingTopics
from irgauge.reading.trec import write_qrels, write_run

if TYPE_CHECKING:
    import polars as pl

SOURCES = {"BOOK": 0.10, "NEWS": 0.40, "WEB": 0.27, "WIRE": 0.23}  # in byte order; share of the corpus
_REACH = 3  # candidates of a topic, in multiples of the depth
UNITS = 1e5  # in a score of 1: scores have five decimals
_COARSE = (0.2, 0.6)  # the step between scores of a coarse system, times the depth; it makes ties
_SYSTEMS, _TOPICS = range(2)  # streams of random numbers
_WORTH_THREADS = 20_000  # scores in a topic; below, threads cost more than they gain


@dataclass(frozen=True)
class Design:
    """The settings of a simulation.

    The score of document d by system s, which is of family f, on topic t is

        x_tsd = (quality_s + difficulty_t + interaction_ts) · grade_td + b_td + c_tfd + e_tsd

    with normal effects: quality_s is `quality` + family + system; all systems share b, those of a family c. The
    number of relevant documents is log-normal, and each topic has more of them in some sources. Judged are all
    relevant documents and the pool of top ranks. By default, scores spread about as those of TREC-8 do.

    >>> Design(systems=3, families=1, equal=2).candidates
    3000
    """

    systems: int = 20
    families: int = 5
    topics: int = 50
    depth: int = 1000
    corpus_size: int = 50_000
    grades: int = 2  # the highest grade
    pool_depth: int = 100
    equal: int = 0  # so many systems, of the first family, have exactly the same true effectiveness
    quality: float = 1.1  # of the mean system
    family_sd: float = 0.2
    system_sd: float = 0.15
    topic_sd: float = 0.45  # of difficulty
    topic_system_sd: float = 0.25  # of the interaction
    topic_document_sd: float = 0.65  # of b
    family_document_sd: float = 0.4  # of c
    noise_sd: float = 0.65  # of e
    source_sd: float = 2.3  # of a topic's log odds of relevance in a source
    relevant_median: float = 30.0
    relevant_sd: float = 1.2  # of the logarithm
    tied_share: float = 0.25  # of the systems: round their scores coarsely
    short_share: float = 0.25  # of the systems: retrieve fewer documents than the depth
    seed: int = 0

    def __post_init__(self) -> None:
        for name, limits in _LIMITS.items():
            check_setting(name, getattr(self, name), limits, is_whole=name in _WHOLE)
        if self.families > self.systems:
            raise DesignError(f"{self.systems} systems cannot make {self.families} families; ask for fewer families")
        if self.depth > self.corpus_size:
            raise DesignError(f"depth {self.depth} is more than the corpus of {self.corpus_size}; lower the depth")
        largest = int((_families(self) == 0).sum())
        if self.equal not in (0, *range(2, largest + 1)):
            allowed = f"0, or from 2 to the size of the first family, here {largest}"
            raise DesignError(f"equal={self.equal} is not possible; it is {allowed}: ask for fewer families")

    @property
    def candidates(self) -> int:
        """How many documents of the corpus are within the systems' reach, for each topic."""
        return min(self.corpus_size, _REACH * self.depth)


def check_setting(name: str, value: object, limits: tuple[float, float], *, is_whole: bool = False) -> None:
    """Refuse what is no number within its limits, as a file may hold anything; −0 is below 0 to numpy."""
    least, most = limits
    is_number = isinstance(value, Real) and not isinstance(value, bool) and str(value) != "-0.0"
    if not is_number or not least <= float(value) <= most:  # type: ignore[arg-type]  # a number
        raise DesignError(f"{name}={value} is not possible; it is from {least} to {most}")
    if is_whole and not isinstance(value, Integral):
        raise DesignError(f"{name}={value} is not possible; it is a whole number")


_WHOLE = ("systems", "families", "topics", "depth", "corpus_size", "grades", "pool_depth", "equal", "seed")
_LIMITS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("systems", "families", "topics", "depth", "pool_depth", "relevant_median"), (1, 10**6)),
    **{field.name: (0, 10) for field in fields(Design) if field.name.endswith("_sd")},
    **dict.fromkeys(("tied_share", "short_share"), (0, 1)),
    "corpus_size": (2, 10**9),
    "equal": (0, 10**6),
    "grades": (1, 20),
    "quality": (-10, 10),
    "seed": (0, 2**64),
}


def _families(design: Design) -> Ints:
    """The family of each system: parts as equal as can be, the first one never smaller than another."""
    return np.arange(design.systems) * design.families // design.systems


@dataclass(frozen=True)
class Systems:
    """What makes up each system."""

    names: tuple[str, ...]
    families: Ints  # system
    qualities: Floats  # system
    steps: Ints  # system: between different scores, in units
    lengths: Ints  # system: documents that it retrieves


def draw_systems(design: Design) -> Systems:
    """The systems of a design: quality_s = quality + family_f + system_s; equal ones have all in common.

    >>> draw_systems(Design(systems=4, families=2)).names
    ('F1-1', 'F1-2', 'F2-1', 'F2-2')
    """
    rng = np.random.default_rng(np.random.SeedSequence(design.seed, spawn_key=(_SYSTEMS,)))
    families = _families(design)
    family = rng.normal(0, design.family_sd, design.families)
    system = rng.normal(0, design.system_sd, design.systems)
    is_tied = rng.permutation(design.systems) < round(design.tied_share * design.systems)
    is_short = rng.permutation(design.systems) < round(design.short_share * design.systems)
    coarse = np.rint(rng.uniform(*_COARSE, design.systems) * UNITS / design.depth).astype(np.int64)
    short = rng.integers(max(design.depth // 2, 1), design.depth, design.systems, endpoint=True)
    qualities = design.quality + family[families] + system
    steps = np.where(is_tied, np.maximum(coarse, 1), 1)
    lengths = np.where(is_short, short, design.depth)
    for parameter in (qualities, steps, lengths):
        parameter[: design.equal] = parameter[0]
    return Systems(_names(families), families, qualities, steps, lengths)


def _names(families: Ints) -> tuple[str, ...]:
    """`F2-3` is the third system of the second family; numbers are padded, so that names sort in this order."""
    places = np.arange(len(families)) - np.searchsorted(families, families) + 1
    wide, narrow = len(str(families.max() + 1)), len(str(places.max()))
    return tuple(f"F{f + 1:0{wide}}-{place:0{narrow}}" for f, place in zip(families, places, strict=True))


class DrawnTopic(NamedTuple):
    """The ranked lists and the judgments of one topic; documents are numbered in the byte order of their docnos."""

    docs: NDArray[np.int32]  # system, rank: down to the depth, also where the system stops before
    units: NDArray[np.int32]  # system, rank: the score, in units
    grades: NDArray[np.int8]  # system, rank
    judged_docs: NDArray[np.int32]  # judgment
    judged_grades: NDArray[np.int8]  # judgment


def _draw_topic(design: Design, systems: Systems, key: tuple[int, ...]) -> DrawnTopic:
    """Draw a topic from a random stream of its own, and rank: score descending, ties by docno descending."""
    rng = np.random.default_rng(np.random.SeedSequence(design.seed, spawn_key=key))
    documents, relevance = _draw_documents(design, rng)
    scores = _draw_scores(design, systems, relevance, rng)
    steps = systems.steps[:, None]
    units = np.rint(scores * (UNITS / steps).astype(np.float32)).astype(np.int64) * steps  # system, candidate
    order = np.sort((units << 32) + documents, axis=1)[:, : -design.depth - 1 : -1]  # system, rank
    docs = (order & 0xFFFFFFFF).astype(np.int32)
    is_pooled = np.arange(design.depth) < np.minimum(systems.lengths, design.pool_depth)[:, None]  # system, rank
    grade_of = np.full(design.corpus_size, UNJUDGED, np.int8)  # document
    grade_of[docs[is_pooled]] = 0
    grade_of[documents[relevance > 0]] = relevance[relevance > 0]
    judged = np.flatnonzero(grade_of != UNJUDGED).astype(np.int32)
    return DrawnTopic(docs, (order >> 32).astype(np.int32), grade_of[docs], judged, grade_of[judged])


def _draw_documents(design: Design, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """A topic's candidates and their grades. Relevant are the first in a race whose speeds are a source's odds."""
    documents = rng.choice(design.corpus_size, design.candidates, replace=False, shuffle=False)
    drawn = design.relevant_median * np.exp(design.relevant_sd * rng.standard_normal())
    count = int(np.clip(np.rint(drawn), 1, max(design.depth // 2, 1)))
    odds = np.exp(design.source_sd * rng.standard_normal(len(SOURCES)))[_places(design, documents)[0]]
    arrivals = rng.standard_exponential(design.candidates) / odds
    relevant = np.sort(np.argpartition(arrivals, count)[:count])
    grades = np.zeros_like(documents)
    grades[relevant] = np.minimum(rng.geometric(2 / 3, count), design.grades)
    return documents, grades


def _draw_scores(design: Design, systems: Systems, grades: Ints, rng: np.random.Generator) -> NDArray[np.float32]:
    """x_tsd = (quality_s + difficulty_t + interaction_ts) · grade_td + b_td + c_tfd + e_tsd (system, candidate)."""

    def effect(sd: float, *shape: int) -> NDArray[np.float32]:
        return np.float32(sd) * rng.standard_normal(shape, dtype=np.float32)

    difficulty = effect(design.topic_sd)
    interaction = effect(design.topic_system_sd, design.systems)  # system
    b = effect(design.topic_document_sd, design.candidates)  # candidate
    c = effect(design.family_document_sd, design.families, design.candidates)  # family, candidate
    e = effect(design.noise_sd, design.systems, design.candidates)  # system, candidate
    power = (systems.qualities + difficulty + interaction).astype(np.float32)  # system
    return power[:, None] * grades.astype(np.float32) + (b + c)[systems.families] + e


def _places(design: Design, docs: NDArray[Any]) -> tuple[Ints, Ints]:
    """The source of each document, and its number in it from 1; documents are numbered through the sources."""
    firsts = np.rint(np.cumsum([0, *SOURCES.values()])[:-1] * design.corpus_size).astype(np.int64)  # source
    sources = np.searchsorted(firsts, docs, side="right") - 1
    return sources, docs - firsts[sources] + 1


def _docnos(design: Design, docs: NDArray[Any]) -> pl.Series:
    """The docnos of documents, such as NEWS-00042."""
    import polars as pl

    sources, numbers = _places(design, docs)
    padded = pl.Series(numbers).cast(pl.String).str.zfill(len(str(design.corpus_size)))
    return (pl.Series([f"{source}-" for source in SOURCES]).gather(sources) + padded).alias("docno")


@dataclass(frozen=True)
class Simulation:
    """A synthetic collection."""

    design: Design
    systems: Systems
    topics: Mapping[str, DrawnTopic]

    def collection(self) -> Collection:
        """The collection that `irgauge.load` would read from the files that `write` writes.

        >>> simulate(Design(systems=2, families=1, topics=3, depth=10, corpus_size=100)).collection().topics
        ('1', '2', '3')
        """
        lists, _, list_grades, *judgments = zip(*self.topics.values(), strict=True)
        docs, entry_grades = self._by_system(lists), self._by_system(list_grades)
        judged_docs, judged_grades = (np.concatenate(part) for part in judgments)
        is_seen = np.zeros(self.design.corpus_size, bool)
        is_seen[docs] = is_seen[judged_docs] = True
        place = np.cumsum(is_seen, dtype=np.int32) - np.int32(1)  # document: its number among those seen
        grades, judged_levels = np.unique(judged_grades, return_inverse=True)
        level_of = np.full(self.design.grades + 2, UNJUDGED, np.int16)  # grade; UNJUDGED finds the last place
        level_of[grades] = np.arange(len(grades))
        lengths = np.tile(self.systems.lengths, (len(self.topics), 1))  # topic, system
        return Collection(
            topics=tuple(self.topics),
            systems=self.systems.names,
            origins=tuple(f"run '{name}'" for name in self.systems.names),
            document_count=int(is_seen.sum()),
            name_documents=partial(_docnos, self.design, np.flatnonzero(is_seen)),
            corpus_size=self.design.corpus_size,
            documents="all",
            firsts=np.ascontiguousarray(np.cumsum(lengths.T).reshape(lengths.T.shape).T - lengths),
            lengths=lengths,
            docs=place[docs],
            levels=level_of[entry_grades],
            judged_bounds=np.cumsum([0, *(len(topic.judged_docs) for topic in self.topics.values())]),
            judged_docs=place[judged_docs],
            judged_levels=judged_levels.astype(np.int16),
            grades=grades.astype(np.int64),
            strata=np.zeros(len(grades), np.int64),
            subtopics=np.zeros((len(grades), 0), np.int64),
            precision="double",
            notes=(),
            missing=MissingTopics(of=len(self.topics)),
        )

    def _by_system(self, lists: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Lists (system, rank) of each topic, cut at the systems' lengths and joined by system, then topic."""
        return np.concatenate([grid[s, :length] for s, length in enumerate(self.systems.lengths) for grid in lists])

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write `qrels.txt` and `runs/<system>.run`: the same bytes for the same design, all or none."""
        with self.writing(folder):
            pass

    @contextmanager
    def writing(self, folder: str | os.PathLike[str]) -> Iterator[Path]:
        """Write `qrels.txt` and `runs/<system>.run`, and what else goes into the folder: all or none."""
        names = [f"{name}.run" for name in self.systems.names]
        _refuse_others(Path(folder) / "runs", names)
        with filling(folder) as temporary:
            write_qrels(temporary / "qrels.txt", self._judgments())
            (temporary / "runs").mkdir()
            for system, name in enumerate(names):
                write_run(temporary / "runs" / name, self._lists(system), self.systems.names[system])
            yield temporary

    def _judgments(self) -> Iterator[tuple[str, str, int]]:
        for name, topic in self.topics.items():
            docnos = _docnos(self.design, topic.judged_docs).to_list()
            yield from ((name, docno, grade) for docno, grade in zip(docnos, topic.judged_grades.tolist(), strict=True))

    def _lists(self, system: int) -> Iterator[tuple[str, list[str], list[float]]]:
        length = self.systems.lengths[system]
        for name, topic in self.topics.items():
            docnos = _docnos(self.design, topic.docs[system, :length])
            yield name, docnos.to_list(), (topic.units[system, :length] / UNITS).tolist()


def _refuse_others(runs: Path, names: Sequence[str]) -> None:
    """Refuse a folder that holds other runs."""
    try:
        there = [path.name for path in runs.iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return
    except OSError as error:
        raise cannot(runs, error) from None
    others = sorted(set(there) - set(names))
    if others:
        message = f"the folder holds other files, such as {others[0]}; remove them or choose another folder"
        raise InputError(message, path=str(runs))


def simulate(design: Design, *, draw: int = 0, workers: int | None = None) -> Simulation:
    """Draw a collection: the design's seed makes the systems, and draws 0, 1, 2... have topics of their own.

    >>> simulate(Design(systems=4, families=2, topics=3, depth=10, corpus_size=100)).topics["1"].docs.shape
    (4, 10)
    """
    return simulate_topics(design, [(_TOPICS, draw, topic) for topic in range(design.topics)], workers)


def simulate_topics(design: Design, keys: Sequence[tuple[int, ...]], workers: int | None) -> Simulation:
    """A collection whose topics are drawn from the random streams of these keys."""
    systems = draw_systems(design)
    draw = partial(_draw_topic, design, systems)
    threads = 1 if design.systems * design.candidates < _WORTH_THREADS else workers
    topics = {str(number): topic for number, topic in enumerate(in_threads(draw, keys, threads), 1)}
    return Simulation(design, systems, topics)
