"""What happened per topic: wins, ties and losses of every pair, and on which topics a system gains or loses most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from irgauge.brief import OneLine
from irgauge.compute.arrays import Bools, Floats, Indices, Ints
from irgauge.inference.comparison import Comparison
from irgauge.inference.outcomes import blocks, differences, ratio
from irgauge.replicates.measured import Measured
from irgauge.scoring.direction import HIGHER, Direction, sign_of


class Wins(NamedTuple):
    """On how many topics the first system of each pair is better than the second, the same, worse."""

    wins: Ints  # pair
    ties: Ints  # pair
    losses: Ints  # pair


def wins(values: Floats, comparison: Comparison) -> Wins:
    """Wins, ties and losses by values[topic, system], systems in the order of the comparison; the same as tests see.

    >>> from irgauge.inference.tests.paired_t import paired_t
    >>> values = np.array([[0.3, 0.2], [0.6, 0.6], [0.1, 0.5], [0.9, 0.1]])
    >>> [int(each[0]) for each in wins(values, paired_t(values, ["a", "b"]))]
    [2, 1, 1]
    """
    counts = []
    for block in blocks(comparison, len(values)):
        d = differences(values, comparison.first[block], comparison.second[block])  # topic, pair
        gain = sign_of(comparison.direction) * d
        counts.append([np.count_nonzero(each, axis=0) for each in (gain > 0, gain == 0, gain < 0)])
    return Wins(*(np.concatenate(each) for each in zip(*counts, strict=True)))


def wins_of(measured: Measured, comparison: Comparison) -> Wins:
    """Wins, ties and losses of every pair of a comparison of what was measured."""
    return wins(in_order(measured, comparison), comparison)


FEW_EFFECTIVE = 6  # topics: on fewer not even all signs alike would be significant at 5 %, as 2 / 2⁵ = 6 %


def effective_topics(values: Floats, comparison: Comparison) -> Floats:
    """On how many topics each difference rests: (Σ d²)² / Σ d⁴ by values[topic, system]; 0 where there is none.

    All topics where each counts alike, few where a few differ much and the others hardly. d is not centred, so that
    a difference that is the same everywhere rests on all topics.

    >>> from irgauge.inference.tests.paired_t import paired_t
    >>> values = np.array([[0.3, 0.2], [0.2, 0.3], [0.1, 0.1], [0.9, 0.1]])
    >>> effective_topics(values, paired_t(values, ["a", "b"])).round(2).tolist()
    [1.06]
    """
    counts = []
    for block in blocks(comparison, len(values)):
        squares = np.square(differences(values, comparison.first[block], comparison.second[block]))  # topic, pair
        counts.append(ratio(np.square(squares.sum(axis=0)), np.square(squares).sum(axis=0)))
    return np.concatenate(counts)


def in_order(measured: Measured, comparison: Comparison) -> Floats:
    """values[topic, system], systems in the order of the comparison."""
    place = {system: i for i, system in enumerate(measured.scores.systems)}
    return measured.by_topic()[:, [place[system] for system in comparison.systems]]


@dataclass(frozen=True)
class Loss:
    """A topic on which a system is worse."""

    topic: str
    difference: float
    is_missing: bool  # whether one of the two systems does not answer it
    query: str | None = None  # its text, where it is known


@dataclass(frozen=True, eq=False, repr=False)
class PairOnTopics(OneLine):
    """Two systems on each topic."""

    measure: str
    pair: int  # its place in the comparison
    system: str
    against: str
    topics: tuple[str, ...]
    score: Floats  # topic: of the system
    other: Floats  # topic: of the one that it is compared with
    difference: Floats  # topic: score − other, rounded as tests do, so that ties are exactly 0
    is_missing: Bools  # topic: whether one of the two does not answer it, and has a score of 0 for that
    shards: int = 1  # that scores are means over; 1 for the whole corpus
    direction: Direction = HIGHER  # which scores are better
    queries: Mapping[str, str] = field(default_factory=dict)  # topic -> the text of its query, where it is known

    @property
    def gain(self) -> Floats:
        """By how much the system is better; topic."""
        return np.asarray(sign_of(self.direction) * self.difference)

    @property
    def wins(self) -> int:
        """The topics on which the system is better."""
        return int(np.count_nonzero(self.gain > 0))

    @property
    def ties(self) -> int:
        """The topics on which both score the same."""
        return int(np.count_nonzero(self.difference == 0))

    @property
    def losses(self) -> int:
        """The topics on which the system is worse."""
        return int(np.count_nonzero(self.gain < 0))

    @property
    def order(self) -> Indices:
        """The topics from the largest gain to the largest loss; ties in the order of topics."""
        return np.argsort(-self.gain, kind="stable")

    def largest_gains(self, count: int) -> Indices:
        """The topics with the largest gains, largest first; no more than there are gains."""
        return self.order[: min(count, self.wins)]

    def largest_losses(self, count: int) -> Indices:
        """The topics with the largest losses, largest first; no more than there are losses."""
        return np.argsort(self.gain, kind="stable")[: min(count, self.losses)]

    @property
    def worst(self) -> Loss | None:
        """The largest loss; None if there is none."""
        for topic in self.largest_losses(1).tolist():
            name = self.topics[topic]
            return Loss(name, float(self.difference[topic]), bool(self.is_missing[topic]), self.queries.get(name))
        return None

    def records(self, topics: Iterable[int]) -> Iterator[dict[str, Any]]:
        """A row a topic: both systems, both scores, their difference, and whether one of the two has no answer."""
        for topic in topics:
            yield {
                "measure": self.measure,
                "system": self.system,
                "against": self.against,
                "topic": self.topics[topic],
                "score": float(self.score[topic]),
                "other": float(self.other[topic]),
                "difference": float(self.difference[topic]),
                "missing": bool(self.is_missing[topic]),
                "query": self.queries.get(self.topics[topic]),
            }


def on_topics(measured: Measured, comparison: Comparison) -> Iterator[PairOnTopics]:
    """Every system against the baseline, best first; without a baseline, the best system against each other one."""
    values = in_order(measured, comparison)
    topics, lacks = measured.scores.topics, measured.missing.topics_of
    for pair in np.flatnonzero((comparison.first == 0) | (comparison.baseline is not None)).tolist():
        u, v = int(comparison.first[pair]), int(comparison.second[pair])
        missing = {topic for system in (u, v) for topic in lacks.get(comparison.systems[system], ())}
        yield PairOnTopics(
            measure=str(measured.scores.measures[0]),
            pair=pair,
            system=comparison.systems[u],
            against=comparison.systems[v],
            topics=topics,
            score=values[:, u],
            other=values[:, v],
            difference=differences(values, comparison.first[[pair]], comparison.second[[pair]])[:, 0],
            is_missing=np.array([topic in missing for topic in topics]),
            shards=measured.shards,
            direction=comparison.direction,
            queries=measured.scores.about.queries,
        )


def pairs_told(measured: Measured, comparison: Comparison) -> list[PairOnTopics]:
    """The pairs that words and tables tell of: without a baseline, the best system and the runner-up only."""
    return list(islice(on_topics(measured, comparison), 1 if comparison.baseline is None else None))


def largest_records(measured: Measured, comparison: Comparison, count: int) -> list[dict[str, Any]]:
    """The topics with the largest gains, then those with the largest losses, of each pair that is told of."""
    return [
        record
        for pair in pairs_told(measured, comparison)
        for topics in (pair.largest_gains(count), pair.largest_losses(count))
        for record in pair.records(topics.tolist())
    ]


def topic_records(pairs: Iterable[PairOnTopics]) -> Iterator[dict[str, Any]]:
    """A row a pair and topic: see `PairOnTopics.records`."""
    return (record for pair in pairs for record in pair.records(range(len(pair.topics))))
