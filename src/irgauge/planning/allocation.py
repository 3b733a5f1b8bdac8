"""Which topics to give to people next: strata by what the judge says of them, shared out by Neyman's allocation.

Topics fall into strata by how much the systems' scores spread by the judge, which is known before people judge. In
stratum h, with the share W_h of all topics, people's differences given the judge's vary by S_h where people judged. The
mean over all topics has the least variance Σ W_h² S_h² / n_h where n_h is proportional to W_h S_h (Neyman, "On the
two different aspects of the representative method", Journal of the Royal Statistical Society 97, 1934). Of whole
numbers the best are found topic by topic: the next is from the stratum with the largest W_h S_h / √(n_h (n_h + 1))
(Wright, "The equivalence of Neyman optimum allocation for sampling and equal proportions for apportioning the U.S.
House of Representatives", The American Statistician 66, 2012), so that every beginning of a list is the best there is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irgauge.compute.arrays import Floats, Ints

_MOST_STRATA = 4
_EACH = 5  # topics by people that a stratum has, or there are fewer strata


def strata_of(spread: Floats, judged_by_people: int) -> Ints:
    """The stratum of each topic, from 0 for the least spread, by quantiles; as many as people's topics allow.

    >>> strata_of(np.array([0.1, 0.4, 0.2, 0.3]), 10).tolist()
    [0, 1, 0, 1]
    """
    count = int(np.clip(judged_by_people // _EACH, 1, _MOST_STRATA))
    cuts = np.quantile(spread, np.arange(1, count) / count)
    return np.searchsorted(cuts, spread, side="left").astype(np.int64)


def spreads_in(strata: Ints, values: Floats, count: int) -> Floats:
    """S_h: the root of the mean variance of values[topic, pair] within each stratum; of all where topics are few."""
    overall = float(values.var(axis=0, ddof=1).mean())
    each = [values[strata == h] for h in range(count)]
    return np.sqrt([float(own.var(axis=0, ddof=1).mean()) if len(own) > 1 else overall for own in each])


def next_strata(weight: Floats, people: Sequence[int], waiting: Sequence[int]) -> list[int]:
    """The strata in which the topics that wait are best judged next, one after the other.

    `weight` is W_h S_h, `people` how many topics of a stratum people judged, `waiting` how many they did not.

    >>> next_strata(np.array([1.0, 3.0]), [2, 2], [2, 4])
    [1, 1, 1, 1, 0, 0]
    """
    judged, left, order = np.array(people, float), np.array(waiting), list[int]()
    while left.any():
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = np.where(judged > 0, weight / np.sqrt(judged * (judged + 1)), np.inf)
        stratum = int(np.argmax(np.where(left > 0, gain, -1.0)))
        judged[stratum] += 1
        left[stratum] -= 1
        order.append(stratum)
    return order
