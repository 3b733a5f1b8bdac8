"""What comparisons claim together: neighbours that differ or not, and which differences hold for which population."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.arrays import Signs
from irgauge.inference.comparison import Comparison


class Neighbours(NamedTuple):
    """Two systems next to each other in the ranking, and whether they differ for each population."""

    rank: int  # of the upper one
    upper: str
    lower: str
    difference: float
    p: dict[str, float]  # population -> p, adjusted for all pairs
    differs: dict[str, bool]  # population -> whether p ≤ α


def neighbours(comparisons: Sequence[Comparison]) -> tuple[Neighbours, ...]:
    """The neighbours down the ranking of the first comparison, under each population."""
    systems, means = comparisons[0].systems, comparisons[0].means
    p = {one.population: np.diagonal(one.matrix(one.p, systems), 1) for one in comparisons}  # upper system
    alpha = comparisons[0].alpha
    return tuple(
        Neighbours(
            rank + 1,
            systems[rank],
            systems[rank + 1],
            float(means[rank] - means[rank + 1]),
            {name: float(each[rank]) for name, each in p.items()},
            {name: bool(each[rank] <= alpha) for name, each in p.items()},
        )
        for rank in range(len(systems) - 1)
    )


@dataclass(frozen=True)
class Coverage:
    """How many pairs differ for other topics, for other documents or shards, and for both together."""

    pairs: int
    found: Mapping[str, int]  # population -> pairs that differ: topics, then what shards say, then both
    shared: int  # pairs that differ, in the same direction, for other topics and for other documents or shards
    opposite: int  # pairs that differ for both, but in opposite directions
    topics_only: int
    other_only: int


def coverage(comparisons: Sequence[Comparison]) -> Coverage | None:
    """Which differences hold for which population; None where there is one population only."""
    of: dict[str, Comparison] = {one.population: one for one in comparisons}
    other = next((name for name in ("documents", "shards") if name in of), None)
    if other is None or "topics" not in of:
        return None
    systems = comparisons[0].systems
    topics, beside = (_decisions(of[name], systems) for name in ("topics", other))
    shared, opposite = (int((topics * beside == sign).sum()) // 2 for sign in (1, -1))
    found: dict[str, int] = {
        name: of[name].significant_count for name in ("topics", other, "both", "topics+shards") if name in of
    }
    return Coverage(
        pairs=len(comparisons[0].first),
        found=found,
        shared=shared,
        opposite=opposite,
        topics_only=found["topics"] - shared - opposite,
        other_only=found[other] - shared - opposite,
    )


def _decisions(one: Comparison, order: Sequence[str]) -> Signs:
    """decisions[system, system]: 1 where the first is significantly better, −1 where the second is, else 0."""
    square = np.zeros((len(one.systems),) * 2, np.int8)
    square[one.first, one.second] = one.significant
    square[one.second, one.first] = -one.significant.astype(np.int8)
    places = [one.systems.index(system) for system in order]
    return square[np.ix_(places, places)]
