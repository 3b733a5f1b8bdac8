"""Holes: documents of runs that nobody judged, and the bounds of scores and differences whatever their grades are.

A hole may have any grade that the judgments use, or 0, the same in all runs. Topics do not depend on each other, so
that the bounds of a mean are the means of the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.compute.tasks import in_threads
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import entries_of
from irgauge.scoring.attained_kernels import average_attained, stopping_attained
from irgauge.scoring.catalogue.unjudged import LOOSE, Counted, Weighed
from irgauge.scoring.hole_counts import Counts, most_by_counts, most_by_counts_to_one_rank
from irgauge.scoring.hole_kernels import (
    Ideal,
    Lists,
    Room,
    Stops,
    Worth,
    average_ends,
    average_worth,
    most_by_first,
    most_by_ratios,
    most_by_sums,
    stopping_worth,
)
from irgauge.scoring.hole_lists import Holes, cut, hit_lists, holes_of
from irgauge.scoring.measures import NO_CUTOFF, Measure
from irgauge.scoring.parsing import MEASURES


class Ends(NamedTuple):
    """The least and the largest that grades of holes allow, and how many of these count."""

    least: Floats
    most: Floats
    holes: Floats  # down to the measure's cut-off


class Bounds(NamedTuple):
    """What the holes allow, by one measure."""

    systems: Ends  # topic, system
    pairs: Ends  # topic, pair


def _cutoff(measure: Measure) -> int:
    return NO_CUTOFF if measure.cutoff is None else measure.cutoff


def is_bounded(measure: Measure, grades: Ints) -> bool:
    """Whether its scores have bounds: not those that leave unjudged documents out, or say how many there are.

    A grade 0 that gains something is none either, as an unjudged document gains nothing.
    """
    if measure.is_opaque or measure.record.unjudged is None or measure.is_condensed or measure.values.get("residual"):
        return False
    return float(measure.gains(np.append(grades, 0))[-1]) == 0


def check_bounded(measures: Sequence[Measure], grades: Ints) -> None:
    """Refuse measures that have no bounds."""
    for measure in measures:
        if not is_bounded(measure, grades):
            names = ", ".join(name for name, record in MEASURES.items() if record.unjudged is not None)
            raise DesignError(
                f"it is not known what unjudged documents could make of {measure}; choose from {names}, without "
                "judged_only= and residual=, and with no gain for grade 0"
            )


def has_exact_pairs(measure: Measure) -> bool:
    """Whether bounds of differences are exact; others may be too wide, never too narrow."""
    rule = measure.record.unjudged
    return isinstance(rule, Counted) or (rule is not None and rule.kind not in LOOSE)


@dataclass(frozen=True, eq=False)
class HoleBounds:
    """The bounds of systems and of pairs of them, on each topic."""

    collection: Collection
    measures: tuple[Measure, ...]
    pairs: Ints  # pair, side: places of systems

    def __post_init__(self) -> None:
        """Refuse measures without bounds, and collections whose holes are all one document."""
        check_bounded(self.measures, self.collection.grades)
        if self.collection.documents != "all":
            raise DesignError("holes are documents of runs; load the collection with documents='all'")

    def all(
        self, scores: Floats, workers: int | None = None, told: Callable[[int, int], None] | None = None
    ) -> list[Bounds]:
        """Those of every measure, given scores[measure, topic, system]; `told` hears of topics."""
        topics, systems = self.collection.lengths.shape
        ends = np.empty((len(self.measures), 3, topics, systems + len(self.pairs)))
        done = [0]

        def bound(topic: int) -> None:
            holes = holes_of(self.collection, topic)
            forward, cutoffs = self._ways[: ends.shape[3]], [_cutoff(measure) for measure in self.measures]
            counts = {cutoff: holes.in_either(forward, cutoff) for cutoff in set(cutoffs)}
            for m, (measure, cutoff) in enumerate(zip(self.measures, cutoffs, strict=True)):
                ends[m, :2, topic] = self._on_topic(measure, topic, holes, scores[m, topic])
                ends[m, 2, topic] = counts[cutoff]
            done[0] += 1
            if told is not None:
                told(done[0], topics)

        in_threads(bound, range(topics), workers)
        return [Bounds(Ends(*own[..., :systems]), Ends(*own[..., systems:])) for own in ends]

    def attained(self, scores: Floats, workers: int | None = None) -> Floats:
        """The largest differences of pairs, first minus second, that some grades give: measure, topic, pair.

        Where bounds are exact these are their ends; else what is possible may be more. Topics do not depend on each
        other: all of them together are possible too. Given scores[measure, topic, system].
        """
        most = np.empty((len(self.measures), len(self.collection.topics), len(self.pairs)))

        def bound(topic: int) -> None:
            holes = holes_of(self.collection, topic)
            for m, measure in enumerate(self.measures):
                judged = JudgedTopic.of(self.collection, measure, topic, holes)
                most[m, topic] = judged.attained(self.pairs, np.append(scores[m, topic], 0.0))

        in_threads(bound, range(len(self.collection.topics)), workers)
        return most

    @cached_property
    def _ways(self) -> Ints:
        """Each system against the empty list, each pair, then all the other way round."""
        systems = np.arange(self.collection.lengths.shape[1])
        alone = np.stack([systems, np.full_like(systems, len(systems))], axis=1)
        forward = np.concatenate([alone, self.pairs])
        return np.ascontiguousarray(np.concatenate([forward, forward[:, ::-1]]))

    @cached_property
    def _order(self) -> Ints:
        """Ways with one first list together: what is noted of it serves them all."""
        return np.argsort(self._ways[:, 0], kind="stable")

    def _on_topic(self, measure: Measure, topic: int, holes: Holes, scores: Floats) -> Floats:
        """The least and the most, with [end, system or pair]."""
        judged = JudgedTopic.of(self.collection, measure, topic, holes)
        most, half = np.empty(len(self._ways)), len(self._ways) // 2
        most[self._order] = judged.most(self._ways[self._order], np.append(scores, 0.0))
        return np.stack([-most[half:], most[:half]])


@dataclass(frozen=True, eq=False)
class JudgedTopic:
    """A measure on a topic, with what is judged and what is not."""

    collection: Collection
    measure: Measure
    topic: int
    holes: Holes
    cutoff: int
    gains: Floats  # level
    counts: Ints  # level: judged documents
    highest: float  # gain that a hole may have

    @classmethod
    def of(cls, collection: Collection, measure: Measure, topic: int, holes: Holes) -> JudgedTopic:
        """What the collection has of it."""
        judged = slice(collection.judged_bounds[topic], collection.judged_bounds[topic + 1])
        counts = np.bincount(collection.judged_levels[judged], minlength=len(collection.grades))
        gains = measure.gains(collection.grades)
        return cls(collection, measure, topic, holes, _cutoff(measure), gains, counts, max(0.0, float(gains.max())))

    @property
    def is_relevant(self) -> Bools:
        """level."""
        return self.measure.kinds(self.collection.grades) > 0

    @property
    def relevant(self) -> int:
        """Judged documents that are relevant."""
        return int(self.counts[self.is_relevant].sum())

    @cached_property
    def lists(self) -> Lists:
        """The holes down to the cut-off."""
        return self.holes.down_to(self.cutoff)

    def most(self, ways: Ints, scores: Floats) -> Floats:
        """The largest difference of each pair of lists, of which these are the scores."""
        rule = self.measure.record.unjudged
        if self.is_fixed:
            return scores[ways[:, 0]] - scores[ways[:, 1]]
        most = np.empty(len(ways))
        if isinstance(rule, Counted):
            return self._by_counts(ways, rule)
        if rule is None:
            raise NotImplementedError  # is refused before
        if rule.kind == "average":
            return self._by_average(ways)
        if rule.kind == "stopping":
            return self._by_stopping(ways)
        weights = self.weights(rule)
        if rule.kind == "ideal":
            ideal = self.ideal(weights)
            known = scores * gain_of_ideal(ideal)
            most[:] = np.inf
            most_by_ratios(ways, self.lists, _worth(weights[self.lists.ranks], known), ideal, self._room(), most)
            return most
        if rule.kind == "gains":
            worth = _worth(self.highest * weights[self.lists.ranks], scores)
            most_by_sums(ways, self.lists, worth, self._room(), most)
            return most
        worth = _worth(weights[self.lists.ranks], scores)
        most_by_first(ways, _above(self.lists, worth), worth, self._room(), most)
        return most

    @property
    def is_fixed(self) -> bool:
        """Whether no grade of the judgments counts, so that nothing can change."""
        return not (self.is_relevant.any() or self.highest > 0)

    def attained(self, ways: Ints, scores: Floats) -> Floats:
        """The largest difference of each pair of lists that some grades are known to give."""
        rule, most = self.measure.record.unjudged, np.empty(len(ways))
        if self.is_fixed or not isinstance(rule, Weighed) or rule.kind not in LOOSE:
            return self.most(ways, scores)
        if rule.kind == "average":
            worth = empty_worth(self.lists)
            average_worth(self.lists, self.known(self.is_relevant), worth)
            average_attained(ways, self.lists, worth, self.relevant, self._room(), most)
        else:
            known = self.known(self.gains > 0)
            stops = Stops(known, self.gains[known.ids])
            stopping_attained(ways, self.lists, stops, self.highest, scores, self._room(), most)
        return most

    def _room(self) -> Room:
        return self.holes.room(self.lists)

    def known(self, keep: Bools) -> Lists:
        """The judged documents of some levels down to the cut-off."""
        lists = hit_lists(self.collection, self.topic, np.append(keep, False))  # a value
        return cut(lists, self.cutoff)

    def weights(self, rule: Weighed) -> Floats:
        """The weight of each rank, from 0, as far as lists go, and documents could fill an ideal one."""
        depth = int(self.collection.lengths[self.topic].max())
        if rule.kind == "ideal":
            depth = max(depth, int(self.counts.sum() + self.holes.count))
        record, values = self.measure.record, self.measure.values
        ranks = np.arange(1.0, max(depth, record.depth) + 1)
        if rule.weights is not None:
            return np.append(0.0, rule.weights(ranks, values, self.cutoff))
        discounts = record.discounts(ranks, values)
        return np.append(0.0, discounts if record.weights is None else record.weights(discounts, self.cutoff))

    def ideal(self, weights: Floats) -> Ideal:
        """The topic's best list, by the weights of ranks."""
        thresholds = np.unique(self.gains[self.gains > 0])  # ascending
        steps = np.diff(thresholds, prepend=0.0)
        counts = np.array([self.counts[self.gains >= gain].sum() for gain in thresholds], np.int64)
        cumulated = np.cumsum(weights[: min(self.cutoff, len(weights) - 1) + 1])
        return Ideal(steps, counts, cumulated, self.holes.count)

    def by_number(self, rule: Counted) -> Counts:
        """How scores come from the number of unjudged documents that are relevant."""
        relevant = self.relevant + np.arange(self.holes.count + 1)
        values, lengths = self.measure.values, self.collection.lengths[self.topic]
        sizes, kinds = np.unique(lengths, return_inverse=True)
        least, most = (rule.divisors(relevant, int(size), values, self.cutoff) for size in (sizes[0], sizes[-1]))
        if np.array_equal(least, most):  # divisors do not depend on lengths
            sizes, kinds = sizes[:1], np.zeros_like(kinds)
        divisors = np.array([rule.divisors(relevant, int(size), values, self.cutoff) for size in sizes], np.float64)
        weights = np.divide(1.0, divisors, out=np.zeros_like(divisors), where=divisors > 0)
        weights = np.concatenate([weights, np.zeros((1, len(relevant)))])  # those of the empty list
        ranks = np.ascontiguousarray(rule.ranks(relevant, values, self.cutoff))
        bends = np.flatnonzero(np.abs(np.diff(divisors, 2)).max(axis=0) > 1e-9) + 1
        of_list = np.append(kinds.reshape(-1), len(sizes))
        return Counts(ranks, weights, of_list, self.holes.count, np.append(0, bends))

    def _by_counts(self, ways: Ints, rule: Counted) -> Floats:
        counts, most, known = self.by_number(rule), np.empty(len(ways)), self.known(self.is_relevant)
        rank = int(counts.ranks[0])
        if (counts.ranks == rank).all():
            lists = cut(self.lists, rank)
            most_by_counts_to_one_rank(ways, lists, cut(known, rank), counts, self.holes.room(lists), most)
        else:
            most_by_counts(ways, self.lists, known, counts, self._room(), most)
        return most

    def _by_average(self, ways: Ints) -> Floats:
        """By the ends of each list, or by the most and the least that documents add to them: whichever is closer."""
        lists, known = self.lists, self.known(self.is_relevant)
        worth, ends = empty_worth(lists), np.empty((2, len(lists.starts)))
        holes = self.holes.count
        average_worth(lists, known, worth)
        average_ends(lists, worth, self.relevant, holes, ends)
        ideal = Ideal(np.ones(1), np.array([self.relevant]), np.arange(self.relevant + holes + 1.0), holes)
        most, pairs = ends[1][ways[:, 0]] - ends[0][ways[:, 1]], self._are_pairs(ways)
        closer = most[pairs]
        most_by_ratios(ways[pairs], lists, worth, ideal, self._room(), closer)
        most[pairs] = closer
        return most

    def _are_pairs(self, ways: Ints) -> Bools:
        """Which are of two systems, not of one and the empty list."""
        return np.asarray((ways < len(self.lists.starts) - 1).all(axis=1))

    def _by_stopping(self, ways: Ints) -> Floats:
        lists, known = self.lists, self.known(self.gains > 0)
        worth, largest, most = empty_worth(lists), np.empty(len(lists.starts)), np.empty(len(ways))
        stopping_worth(lists, Stops(known, self.gains[known.ids]), self.highest, worth, largest)
        most_by_sums(ways, lists, worth, self._room(), most)
        return np.minimum(most, largest[ways[:, 0]] - worth.known[ways[:, 1]])


def _worth(weights: Floats, known: Floats) -> Worth:
    """What each document adds, whatever the others are."""
    return Worth(weights, weights, known)


def _above(lists: Lists, worth: Worth) -> Lists:
    """Only the first documents, as far as one is worth more than what its list has: others never come first."""
    sizes = lists.stops - lists.starts
    of_list = np.repeat(np.arange(len(sizes)), sizes)
    entries = entries_of(lists.starts, sizes)
    counts = np.bincount(of_list[worth.up[entries] > worth.known[of_list]], minlength=len(sizes))
    return lists._replace(stops=lists.starts + counts)


def empty_worth(lists: Lists) -> Worth:
    """Room for what documents add."""
    return Worth(np.empty(len(lists.ranks)), np.empty(len(lists.ranks)), np.zeros(len(lists.starts)))


def gain_of_ideal(ideal: Ideal, more: int = 0) -> float:
    """The gain of the ideal list, with so many more documents of the highest gain."""
    last = len(ideal.cumulated) - 1
    return float((ideal.steps * ideal.cumulated[np.minimum(ideal.counts + more, last)]).sum())
