"""How far scores move when documents are left out: what intervals for other documents rest on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Floats, Weights
from irgauge.jit import kernel
from irgauge.replicates.by_topics import scored
from irgauge.replicates.shards import sharding
from irgauge.scoring.drawn import Images
from irgauge.scoring.scorer import Scorer
from irgauge.studies.bootstrap.options import Asked
from irgauge.threads import in_threads

PARTS = 10  # of the corpus, of which each is left out in turn
SPLITS = 20  # of the corpus into parts
_TOGETHER = 6  # splits that are scored together: their images fill about a cache line
_KEY = 2  # of the random numbers of splits, which those of images do not have


class LeftOut(NamedTuple):
    """Variances of what is scored on the corpus without a part of it, part by part."""

    means: Floats  # measure, system: of the mean over topics
    topics: Floats  # measure, topic, system: of the score on a topic; NaN where leaving out leaves it undefined


@dataclass(frozen=True, eq=False)
class Leaving:
    """Leave out each of ten random parts of the documents, and do so for twenty splits; once, when it is asked for.

    Σ over parts of (M₋ − mean of M₋)², where M₋ is scored without the part; the mean over splits. On average this is
    at least the variance of M on a corpus of nine tenths of the size, however rough the measure is (Efron and Stein
    1981), and near it if the parts are large (Shao and Wu 1989).
    """

    scorer: Scorer
    asked: Asked

    @cached_property
    def variances(self) -> LeftOut:
        """Of the means and of the scores on topics."""
        some = [range(first, min(first + _TOGETHER, SPLITS)) for first in range(0, SPLITS, _TOGETHER)]
        every = scored(self.scorer, partial(_scores, asked=self.asked), some, _named)
        found = [
            _variances(one) for numbers, values in zip(some, every, strict=True) for one in _parted(values, numbers)
        ]
        means, topics = zip(*found, strict=True)
        return LeftOut(np.mean(means, axis=0), np.mean(topics, axis=0))


def _scores(scorer: Scorer, numbers: range, asked: Asked) -> Floats:
    """The scores without each part, for each of some splits: measure, topic, system, split and part."""
    held, corpus = scorer.documents, scorer.collection.corpus_size
    parts = sharding(scorer.collection, f"even:{min(PARTS, corpus)}")

    def split(number: int) -> NDArray[np.int32]:
        return parts.split(asked.seed, number, _KEY).labels[held]

    labels = np.stack(in_threads(split, numbers, asked.workers), axis=1)  # doc, split
    drawn = Images(_without_each(labels, len(parts.names)), documents=held)
    values = scorer.score(drawn, workers=asked.workers)
    return values if asked.undefined == "skip" else np.nan_to_num(values)


def _parted(values: Floats, numbers: range) -> list[Floats]:
    """Those of each split: measure, topic, system, part."""
    return np.split(values, len(numbers), axis=3)


def _named(numbers: range) -> str:
    return f"splits {numbers[0] + 1} to {numbers[-1] + 1}"


def _without_each(labels: NDArray[np.int32], parts: int) -> Weights:
    """The corpus without each part of each split, as images that hold every other document once."""
    weights = np.ones((labels.shape[0], labels.shape[1] * parts), np.uint8)  # doc, split and part
    _leave_out(labels, parts, weights)
    return weights


@kernel
def _leave_out(labels: NDArray[np.int32], parts: int, weights: Weights) -> None:
    for doc in range(labels.shape[0]):
        for split in range(labels.shape[1]):
            weights[doc, split * parts + labels[doc, split]] = 0


def _variances(values: Floats) -> LeftOut:
    """Of values[measure, topic, system, part]."""
    defined = (~np.isnan(values)).sum(axis=1)  # measure, system, part
    with np.errstate(invalid="ignore"):
        means = np.nansum(values, axis=1) / defined
    return LeftOut(_squares(means), _squares(values))


def _squares(values: Floats) -> Floats:
    """The sum over parts, the last axis, of the squared deviations from their mean."""
    squares: Floats = ((values - values.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return squares
