"""How much of what runs rank first is judged: down to which rank, and whether some runs are judged less than others."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from irgauge.arrays import Floats
from irgauge.inference.student import t_quantile
from irgauge.reading.collection import Collection
from irgauge.scoring.scores import score

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
