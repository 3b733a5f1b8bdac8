"""What comparisons claim together: neighbours that differ or not, and which differences hold for which population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

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
    """The neighbours down the ranking; the comparisons are of the same systems, under different populations."""
    first = comparisons[0]
    near = np.flatnonzero(first.second - first.first == 1)
    return tuple(
        Neighbours(
            int(first.first[pair]) + 1,
            first.systems[first.first[pair]],
            first.systems[first.second[pair]],
            float(first.difference[pair]),
            {one.population: float(one.p[pair]) for one in comparisons},
            {one.population: bool(one.significant[pair]) for one in comparisons},
        )
        for pair in near[np.argsort(first.first[near])].tolist()
    )


@dataclass(frozen=True)
class Coverage:
    """How many pairs differ for other documents on these topics, for other topics, or for both."""

    pairs: int
    documents: int
    topics: int
    both: int
    documents_only: int  # that differ for other documents, not for other topics
    topics_only: int  # that differ for other topics, not for other documents
    documents_and_topics: int  # that differ for other documents, and for other topics


def coverage(comparisons: Sequence[Comparison]) -> Coverage | None:
    """Which differences hold for which population; None where there is one population only."""
    found = {one.population: one.significant for one in comparisons}
    if len(found) < 3:
        return None
    documents, topics, both = (found[name] for name in ("documents", "topics", "both"))
    return Coverage(
        pairs=len(documents),
        documents=int(documents.sum()),
        topics=int(topics.sum()),
        both=int(both.sum()),
        documents_only=int((documents & ~topics).sum()),
        topics_only=int((topics & ~documents).sum()),
        documents_and_topics=int((documents & topics).sum()),
    )
