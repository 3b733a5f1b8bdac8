"""A central sample of the documents, and the shards that it picks for a topic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
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


def redde(labels: NDArray[np.int32], weights: Floats, reach: float) -> Floats:
    """The count of each shard; `labels` are the shards of the sampled documents in the order of their ranking.

    Documents count with all they stand for, down to an estimated rank in the whole corpus (Si and Callan 2003).

    >>> redde(np.array([1, 1, 0, 2], np.int32), np.array([10.0, 20.0, 5.0]), reach=45)
    array([10., 40.,  0.])
    """
    each = weights[labels]
    counting = int(np.searchsorted(np.cumsum(each), reach)) + 1  # of so many, those before do not fill the reach
    by_shard: Floats = np.zeros(len(weights))
    np.add.at(by_shard, labels[:counting], each[:counting])
    return by_shard


def proportion(labels: NDArray[np.int32], weights: Floats, reach: float) -> Floats:
    """The share of each shard in the first results of the sample (Jayasinghe et al. 2014).

    >>> proportion(np.array([1, 1, 0, 2], np.int32), np.array([10.0, 20.0, 5.0]), reach=3).round(3).tolist()
    [0.333, 0.667, 0.0]
    """
    results = labels[: int(reach)]
    shares: Floats = np.bincount(results, minlength=len(weights)) / max(len(results), 1)
    return shares


RANKINGS: Mapping[str, Callable[[NDArray[np.int32], Floats, float], Floats]] = {
    "redde": redde,
    "proportion": proportion,
}


def picked(shards: Shards, counted: Floats, number: int) -> Indices:
    """The shards to search, the best first."""
    sizes = np.bincount(shards.labels, minlength=len(shards.names))
    return np.lexsort((-sizes, -counted))[:number]
