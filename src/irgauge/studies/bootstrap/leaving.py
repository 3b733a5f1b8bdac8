"""How far scores move when documents are left out: what intervals for other documents rest on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irgauge.arrays import Floats
from irgauge.replicates.shards import Sharding, sharding
from irgauge.scoring.drawn import Images, Shards
from irgauge.scoring.scorer import Scorer
from irgauge.studies.bootstrap.options import Asked

PARTS = 10  # of the corpus, of which each is left out in turn
SPLITS = 20  # of the corpus into parts
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
        corpus = self.scorer.collection
        parts = sharding(corpus, f"even:{min(PARTS, corpus.corpus_size)}")
        found = [_variances(_scores(self.scorer, parts, number, self.asked)) for number in range(SPLITS)]
        means, topics = zip(*found, strict=True)
        return LeftOut(np.mean(means, axis=0), np.mean(topics, axis=0))


def _scores(scorer: Scorer, parts: Sharding, number: int, asked: Asked) -> Floats:
    """The scores without each part: measure, topic, system, part."""
    values = scorer.score(_without_each(parts.split(asked.seed, number, _KEY)), workers=asked.workers)
    return values if asked.undefined == "skip" else np.nan_to_num(values)


def _without_each(parts: Shards) -> Images:
    """The corpus without each part, as images that hold every other document once."""
    return Images((parts.labels[:, None] != np.arange(len(parts.names))).astype(np.uint8))


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
