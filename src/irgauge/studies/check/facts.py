"""Facts of runs and judgments, among them those that only a file shows: scores in the order of its lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.inference.mean_bounds import t_quantile
from irgauge.reading.collection import Collection, gathered
from irgauge.reading.options import Joining
from irgauge.reading.ordering import descending, in_lists, tied_rows
from irgauge.reading.parts import Reader
from irgauge.reading.trec import Qrels, Run, first_by_rank, rank_order
from irgauge.scoring.scores import score
from irgauge.studies.run_lists import depths_of

# A few documents out of place are rounding, or ties that were broken otherwise: they do not count.
CONTRADICTS = 0.1  # of the pairs of documents with one of the first 10 ranks: ordered otherwise by scores
INVERTED = 0.9  # of the neighbours by rank: their scores rise
CONTRADICTING = 0.1  # of the topics of a run
RISING = 0.9  # of the topics of a run


@dataclass(frozen=True)
class RunFacts:
    """What one run looks like."""

    system: str
    path: str
    topics: int
    missing: int
    depth: int  # median length of its lists
    shallowest: int
    judged_10: float
    judged_100: float
    lists: int | None  # topics of its file, judged or not; the counts below are of these; None: no file was read
    tied: float | None  # share of documents that share their score with another one of their list
    all_tied: int | None  # topics whose scores are all tied
    contradicting: int | None  # topics whose ranks contradict the scores
    inverted: int | None  # of those, topics whose scores rise with the rank
    rising: int | None  # topics without ranks whose scores rise down the file

    @property
    def is_inverted(self) -> bool:
        """Whether its scores rise with the rank on most topics."""
        return (self.inverted or 0) > (self.lists or 0) / 2

    @property
    def is_contradicting(self) -> bool:
        """Whether ranks contradict scores on many topics."""
        return (self.contradicting or 0) > CONTRADICTING * (self.lists or 0)

    @property
    def is_rising(self) -> bool:
        """Whether its scores rise down the file on nearly all topics."""
        return (self.rising or 0) > RISING * (self.lists or 0)


_OF_FILES = ("lists", "tied", "all_tied", "contradicting", "inverted", "rising")  # facts


@dataclass(frozen=True)
class FileFacts:
    """What only the file of a run shows."""

    lists: int
    tied: float
    all_tied: int
    contradicting: int
    inverted: int
    rising: int
    by_rank: Run | None  # its first documents by the rank column, where that contradicts the scores


def watched(reader: Reader, files: dict[str, FileFacts]) -> Run:
    """Read a run and note what its file shows."""
    run = reader()
    files[run.path] = _file_facts(run)
    return run


def _file_facts(run: Run) -> FileFacts:
    tied, all_tied, rises = _look_at_scores(run.scores, run.bounds)
    order, lists = rank_order(run), len(run.topics)
    contradicts = order.opposite > CONTRADICTS  # not where it is NaN
    contradicting = int(contradicts.sum())
    return FileFacts(
        lists=lists,
        tied=tied / len(run.scores),
        all_tied=all_tied,
        contradicting=contradicting,
        inverted=int((contradicts & (order.rising > INVERTED)).sum()),
        rising=int((rises & ~order.is_known).sum()),
        by_rank=first_by_rank(run, TOP) if contradicting > CONTRADICTING * lists else None,
    )


def _look_at_scores(scores: Floats, bounds: Ints) -> tuple[int, int, Bools]:
    """Documents with a tied score, lists whose scores are all tied, and whether the scores of each rise down it."""
    firsts, lasts = bounds[:-1], bounds[1:] - 1
    falls = np.append(in_lists(scores[1:] < scores[:-1], bounds, between=False), False)  # row: the next one scores less
    rises = (scores[lasts] > scores[firsts]) & ~np.logical_or.reduceat(falls, firsts)
    ordered = descending(scores, bounds)
    all_tied = (lasts > firsts) & (ordered[firsts] == ordered[lasts])
    return int(tied_rows(ordered, bounds).sum()), int(all_tied.sum()), rises


def run_facts(collection: Collection, files: Mapping[str, FileFacts], judged: Floats) -> Iterator[RunFacts]:
    """What each run looks like, given judged[cut, system]."""
    depths = depths_of(collection)
    for s, (system, path) in enumerate(zip(collection.systems, collection.origins, strict=True)):
        present = collection.lengths[:, s] > 0
        lengths, file = collection.lengths[present, s], files.get(path)
        yield RunFacts(
            system=system,
            path=path,
            topics=int(present.sum()),
            missing=int((~present).sum()),
            depth=depths[system],
            shallowest=int(lengths.min()),
            judged_10=float(judged[0, s]),
            judged_100=float(judged[100 // TOP - 1, s]),
            **{name: getattr(file, name, None) for name in _OF_FILES},
        )


def twins(collection: Collection) -> Iterator[tuple[str, str]]:
    """Runs that rank the same documents in the same order on every topic: the first of them, and another."""
    first_with: dict[tuple[bytes, ...], str] = {}
    for s, system in enumerate(collection.systems):
        lists = zip(collection.firsts[:, s].tolist(), collection.lengths[:, s].tolist(), strict=True)
        key = tuple(sha256(collection.docs[first : first + size].tobytes()).digest() for first, size in lists)
        if (other := first_with.setdefault(key, system)) != system:
            yield other, system


TOP = 10  # the cut-off that is looked at
DEEPEST = 20  # in cut-offs
LITTLE_JUDGED = 0.5
UNEVEN = 0.1  # a difference between judged shares that matters
_ALPHA = 0.05


@dataclass(frozen=True)
class Uneven:
    """The runs of which the most and the least of the top 10 is judged, where they differ much."""

    most: str
    most_judged: float
    least: str
    least_judged: float


def judged_shares(collection: Collection) -> Floats:
    """shares[cut, topic, system]: judged documents among the first 10, 20, 30, ...; NaN where a run has no list."""
    values = score(collection, [f"Judged@{TOP * cut}" for cut in range(1, DEEPEST + 1)]).values[..., 0]
    return np.where(collection.lengths > 0, values, np.nan)


def uneven(shares: Floats, systems: tuple[str, ...]) -> Uneven | None:
    """The most and the least judged of the runs, by shares[topic, system], where they differ by more than 10 points.

    And by more than noise: t over topics, at 5 % for the largest difference among all pairs (Bonferroni).
    """
    means = np.nanmean(shares, axis=0)  # system
    most, least = int(np.argmax(means)), int(np.argmin(means))
    differences = shares[:, most] - shares[:, least]
    differences = differences[~np.isnan(differences)]
    if len(differences) < 2 or differences.mean() <= UNEVEN:
        return None
    error = differences.std(ddof=1) / math.sqrt(len(differences))
    pairs = len(systems) * (len(systems) - 1) / 2
    if differences.mean() <= error * t_quantile(1 - _ALPHA / 2 / pairs, len(differences) - 1):
        return None
    return Uneven(systems[most], float(means[most]), systems[least], float(means[least]))


def within_judged_depth(judged: Floats) -> int:
    """The number of shards up to which most of a shard's top 10 is judged, given judged[cut] of the median run.

    With k shards the top 10 of a shard are about the top 10k of the whole list that fall into it. 0 where less than
    half of the top 10 of the whole list is judged.

    >>> within_judged_depth(np.array([0.9, 0.6, 0.4, 0.5]))
    2
    """
    return int(np.argmin(np.append(judged, 0.0) >= LITTLE_JUDGED))


MEASURE = "nDCG@10"


@dataclass(frozen=True)
class Reordered:
    """A run's nDCG@10 in the order of its scores and of its ranks, mean over topics."""

    system: str
    by_score: float
    by_rank: float


def reordered(
    collection: Collection, files: Mapping[str, FileFacts], qrels: Qrels, joining: Joining
) -> Iterator[Reordered]:
    """The runs that contradict their rank column, scored either way."""
    runs = {s: run for s, path in enumerate(collection.origins) if (run := files[path].by_rank) is not None}
    if not runs:
        return
    readers = [partial(replace, run, tag=collection.systems[s]) for s, run in runs.items()]
    otherwise = gathered(qrels, readers, replace(joining, documents="judged", corpus_size=None, progress=None))
    means = zip(_means(collection.only(list(runs))), _means(otherwise), strict=True)
    for s, (by_score, by_rank) in zip(runs, means, strict=True):
        yield Reordered(collection.systems[s], float(by_score), float(by_rank))


def _means(collection: Collection) -> Floats:
    """system: its mean over topics."""
    means: Floats = score(collection, MEASURE).values[0, :, :, 0].mean(axis=0)
    return means
