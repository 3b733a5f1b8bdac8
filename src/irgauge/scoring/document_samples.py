"""Scores where people judged a sample of each topic's documents, with known shares, and a judge all of them.

For measures whose score is a sum of gains weighed by rank, M = Σ_r w_r g(doc at r): with the share π_i of its stratum
that people judged, Σ w_r g_i / π_i over people's documents has the expectation M (Horvitz and Thompson, "A
generalization of sampling without replacement from a finite universe", Journal of the American Statistical Association
47, 1952). The same sum of the judge's gains, and the judge's score on all documents, tell by how much the sample is off
(the difference estimator: Särndal, Swensson and Wretman, "Model assisted survey sampling", 1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import entries_of
from irgauge.reading.rejudging import JudgedPairs, own_pairs
from irgauge.scoring.measures import Measure
from irgauge.scoring.parsing import MEASURES


@dataclass(frozen=True, eq=False)
class SampledScores:
    """Scores[topic, system] by a sample of documents and by all."""

    people: Floats  # by people's sample
    sample: Floats  # by the judge's judgments of the same documents
    whole: Floats  # by the judge's of all documents of the pool
    judged: int  # documents that people judged
    pool: int  # of how many


def summed(measure: Measure) -> Measure:
    """The measure that is estimated: itself, or of Success@k, which is no sum of gains, its sum over k, which is P@k.

    >>> summed(Measure.read("Success@5")), summed(Measure.read("RBP"))
    (P@5, RBP)
    """
    if measure.name == "Success" and measure.cutoff is not None:
        return Measure("P", measure.given, measure.cutoff)
    if not measure.is_opaque and measure.rank_weights(1) is not None:
        return measure
    able = ", ".join(name for name, record in MEASURES.items() if record.weights is not None)
    raise DesignError(
        f"{measure} is no sum of gains, so that it cannot be estimated from a sample of documents; take one of {able}, "
        "with a cut-off where they need one"
    )


def sampled_scores(collection: Collection, judge: JudgedPairs, measure: Measure) -> SampledScores:
    """The scores of the runs by people's judgments, of which a grade below 0 is of a document that was not sampled.

    What is not in people's judgments is not relevant, whatever the judge says of it.
    """
    pool = own_pairs(collection)
    is_sampled = pool.grades >= 0
    share = shares_of(collection, pool, is_sampled)
    by_judge = _grades_of(pool, judge)
    grades, places = np.unique(np.concatenate([pool.grades, by_judge]), return_inverse=True)
    gains = np.where(grades >= 0, measure.gains(grades), 0.0)[places.reshape(2, -1)]  # side, pair
    weighed = np.where(is_sampled, gains / share, 0.0)
    people, sample, whole = _sums(collection, pool, (*weighed, gains[1]), measure)
    return SampledScores(people, sample, whole, judged=int(is_sampled.sum()), pool=len(pool))


def shares_of(collection: Collection, pool: JudgedPairs, is_sampled: Bools) -> Floats:
    """π: the share of the documents of its topic and stratum that people judged; pair."""
    strata = collection.strata[collection.judged_levels][pool.rows]
    number = int(strata.max()) + 1 - int(strata.min())
    cells = pool.topics * number + strata - int(strata.min())
    sizes, judged = np.bincount(cells), np.bincount(cells, weights=is_sampled)
    if (empty := np.flatnonzero((sizes > 0) & (judged == 0))).size:
        topic, stratum = collection.topics[int(empty[0]) // number], int(empty[0]) % number + int(strata.min())
        raise DesignError(
            f"people judged none of the {sizes[empty[0]]:,} documents of stratum {stratum} of topic {topic} (and of "
            f"{len(empty) - 1:,} more); a sample needs some of each: join strata"
        )
    return np.asarray((judged / np.maximum(sizes, 1))[cells])


def _grades_of(pool: JudgedPairs, judge: JudgedPairs) -> Ints:
    """The judge's grade of each pair of the pool; 0 where there is none."""
    known = pool.among(judge)
    grades = np.zeros(len(pool), np.int64)
    grades[known] = judge.grades[judge.among(pool)]  # both in ascending order
    return grades


def _sums(collection: Collection, pool: JudgedPairs, values: Sequence[Floats], measure: Measure) -> list[Floats]:
    """Of each of some values of pairs, their sums over lists, weighed by rank; topic, system."""
    lengths = collection.lengths  # topic, system
    entries = entries_of(collection.firsts.reshape(-1), lengths.reshape(-1))
    lists = np.repeat(np.arange(lengths.size), lengths.reshape(-1))
    starts = np.cumsum(lengths.reshape(-1)) - lengths.reshape(-1)
    ranks = np.arange(len(entries)) - starts[lists]  # from 0
    weights = measure.rank_weights(int(lengths.max(initial=1)))
    topics, docs = lists // lengths.shape[1], collection.docs[entries].astype(np.int64)
    keys = JudgedPairs(topics, docs, docs, docs).keys
    places = np.minimum(np.searchsorted(pool.keys, keys), len(pool) - 1)
    is_pooled = pool.keys[places] == keys
    gain = np.where(is_pooled, np.zeros(len(ranks)) if weights is None else weights[ranks], 0.0)
    sums = (np.bincount(lists, weights=gain * value[places], minlength=lengths.size) for value in values)
    return [np.asarray(own, np.float64).reshape(lengths.shape) for own in sums]
