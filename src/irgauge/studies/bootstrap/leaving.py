"""Standard errors over documents: what is scored on the corpus without each of its parts, in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.tasks import in_threads
from irgauge.replicates.shards import sharding
from irgauge.scoring.drawn import PartsLeftOut
from irgauge.scoring.scorer import Scorer, in_parts, within
from irgauge.studies.bootstrap.options import BootstrapOptions

PARTS = 10  # of the corpus, of which each is left out in turn
SPLITS = 20  # of the corpus into parts
_TOGETHER = 5  # splits that are scored together: their images fill most of a cache line, and there are four such tasks
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

    scorer: Scorer = field(repr=False)
    asked: BootstrapOptions = field(repr=False)

    def stored(self) -> dict[str, Floats]:
        """What comes of it: neither lists nor judgments."""
        return self.variances._asdict()

    @classmethod
    def restored(cls, means: Floats, topics: Floats) -> Leaving:
        """What was computed before."""
        leaving = cls.__new__(cls)
        vars(leaving)["variances"] = LeftOut(means, topics)
        return leaving

    @cached_property
    def variances(self) -> LeftOut:
        """Of the means and of the scores on topics."""
        some = [range(first, min(first + _TOGETHER, SPLITS)) for first in range(0, SPLITS, _TOGETHER)]
        every = in_parts(self.scorer, _left_out, some, lambda numbers, part: (numbers, part.blocks, self.asked), _named)
        means, topics = zip(*(_variances(blocks) for blocks in every), strict=True)
        return LeftOut(np.sum(means, axis=0) / SPLITS, np.sum(topics, axis=0) / SPLITS)


class _Sums(NamedTuple):
    """What some splits say of a block of topics."""

    scores: Floats  # measure, system, split, part: the sum over topics that are defined
    defined: Ints  # measure, system, split, part: how many these are
    squares: Floats  # measure, topic, system: the sum over splits of the variances


def _left_out(scorer: Scorer, wanted: tuple[range, Sequence[slice], BootstrapOptions]) -> list[_Sums]:
    """What some splits say of each of some blocks, which together are the scorer's topics."""
    numbers, blocks, options = wanted
    values = _scores(scorer, numbers, options)
    return [_sums(values[:, block], len(numbers)) for block in within(blocks)]


def _sums(values: Floats, splits: int) -> _Sums:
    by_split = np.split(values, splits, axis=3)
    scores = np.stack([np.nansum(split, axis=1) for split in by_split], axis=2)
    defined = np.stack([(~np.isnan(split)).sum(axis=1) for split in by_split], axis=2)
    return _Sums(scores, defined, np.sum([_squares(split) for split in by_split], axis=0))


def _variances(blocks: Sequence[_Sums]) -> LeftOut:
    """The sums over splits of the variances."""
    with np.errstate(invalid="ignore"):
        means = np.sum([block.scores for block in blocks], axis=0) / np.sum([block.defined for block in blocks], axis=0)
    return LeftOut(_squares(means).sum(axis=2), np.concatenate([block.squares for block in blocks], axis=1))


def _scores(scorer: Scorer, numbers: range, options: BootstrapOptions) -> Floats:
    """The scores without each part, for each of some splits: measure, topic, system, split and part."""
    held, corpus = scorer.documents, scorer.collection.corpus_size
    parts = sharding(scorer.collection, f"even:{min(PARTS, corpus)}")

    def split(number: int) -> NDArray[np.uint8]:
        return parts.split(options.seed, number, _KEY).labels[held].astype(np.uint8)

    labels = np.stack(in_threads(split, numbers, options.workers), axis=1)  # doc, split
    values = scorer.score(PartsLeftOut(labels, len(parts.names)), workers=options.workers)
    return values if options.undefined == "skip" else np.nan_to_num(values)


def _named(numbers: range) -> str:
    return f"splits {numbers[0] + 1} to {numbers[-1] + 1}"


def _squares(values: Floats) -> Floats:
    """The sum over parts, the last axis, of the squared deviations from their mean."""
    squares: Floats = ((values - values.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return squares
