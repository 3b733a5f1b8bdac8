"""Sparseness: how many topics would be undefined in shards and in images, from their numbers of relevant documents.

A topic is undefined in a replicate that holds none of its relevant documents. The shares follow in closed form, so
that they are known before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from irgauge.arrays import Floats, Ints
from irgauge.errors import DesignError

MANY_UNDEFINED = 0.1  # the share of undefined cells above which numbers of shards and images say little of the measure
MOST_UNDEFINED = 0.5  # the share above which they are refused, unless one is told to go on


def undefined_in_shards(relevant: Ints, shards: int) -> float:
    """The expected share of cells (topic and shard) without a relevant document, in random shards.

    A topic with R relevant documents has none in one of k shards with probability (1 - 1/k)^R: exactly so where each
    document falls into a shard by itself (`die:k`). In shards of equal size (`even:k`) it is a little less, the more so
    the larger the part of the corpus that is relevant.

    >>> undefined_in_shards(np.array([1, 2]), 2)
    0.375
    """
    return float(np.mean((1 - 1 / shards) ** _counts(relevant)))


def undefined_in_images(relevant: Ints, corpus_size: int) -> float:
    """The expected share of cells (topic and image) without a relevant document, in bootstrap images of the corpus.

    An image draws N of N documents with replacement and misses all R relevant ones of a topic with probability
    (1 - R/N)^N, which is close to e^-R.

    >>> round(undefined_in_images(np.array([1]), 1000), 3)
    0.368
    """
    return float(np.mean((1 - _counts(relevant) / corpus_size) ** corpus_size))


def most_shards(relevant: Ints, most_undefined: float = MANY_UNDEFINED) -> int:
    """The largest number of random shards that leaves at most that share of cells undefined; 1 where 2 leave more.

    >>> most_shards(np.array([10, 10]))
    4
    """
    fine, too_many = 1, 2
    while undefined_in_shards(relevant, too_many) <= most_undefined:
        fine, too_many = too_many, 2 * too_many
    while too_many - fine > 1:
        middle = (fine + too_many) // 2
        if undefined_in_shards(relevant, middle) <= most_undefined:
            fine = middle
        else:
            too_many = middle
    return fine


def check_defined(shares: Mapping[str, float], why: str, instead: Sequence[str]) -> None:
    """Refuse replicates in which most scores are undefined: measure -> share; `instead` is what else can be done.

    >>> check_defined({"AP": 0.2, "RR": 0.8}, "a cell is empty", ["use fewer shards"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    irgauge.errors.DesignError: 80 % of the scores of RR are undefined (a cell is empty): use fewer shards, or go ...
    """
    measure, share = max(shares.items(), key=lambda one: one[1], default=("", 0.0))
    if share > MOST_UNDEFINED:
        what = f"{100 * share:.0f} % of the scores of {measure} are undefined ({why})"
        raise DesignError(f"{what}: {', '.join([*instead, 'or go on all the same'])} (sparse)")


def _counts(relevant: Ints) -> Floats:
    """Numbers of relevant documents, topic by topic."""
    return np.asarray(relevant, np.float64)
