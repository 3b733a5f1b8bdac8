"""Reordered: what runs score by their rank column, where that contradicts their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from irgauge.arrays import Floats
from irgauge.reading.collection import Collection, gathered
from irgauge.reading.options import Joining
from irgauge.reading.trec import Qrels
from irgauge.scoring.scores import score
from irgauge.studies.check.facts import FileFacts

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
