"""Verdicts that grades of unjudged documents could change, by each measure.

A verdict could change where some grades take the difference of two means to the other side of 0, or of the margin, or
leave one that the test does not tell from these at the level that the verdict was reached at. Other pairs are left as
they are; where the margin is a share of a mean, only the difference itself counts. Of measures whose bounds may be
too wide, only what some grades are known to give counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.inference.margins import Margin
from irgauge.inference.outcomes import Outcome
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.registry import TESTS
from irgauge.inference.verdicts import Verdict
from irgauge.reading.collection import Collection
from irgauge.reading.judgments import UNJUDGED, entries_of
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data
from irgauge.scoring.direction import HIGHER
from irgauge.scoring.holes import HoleBounds, is_bounded
from irgauge.scoring.measures import Measure

_ROUNDING = 1e-12  # a mean within it of 0, or of a margin, is there
LARGE = 1 << 24  # documents of lists, of which grades are not tried in passing: that takes longer than to score them


@dataclass(frozen=True)
class HoleChanges:
    """How many verdicts by a measure unjudged documents could change, and the first of them."""

    changes: int  # how many verdicts could change
    verdicts: int  # all that could be lost: those of systems with the same scores rest on no test, nor on a margin
    documents: int  # unjudged ones that the systems of these list down to the cut-off, on all topics
    system: str
    against: str
    verdict: Verdict
    difference: float  # of the means
    extreme: float  # that it could be
    is_across: bool = True  # whether that is on the other side of 0, or of the margin; else a test does not show it


@dataclass(frozen=True)
class UnseenHoles:
    """Unjudged documents of which is not known what they could change: not told apart, or too many to try grades."""

    share: float  # of what systems list down to the cut-off
    cutoff: int | None = None


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What a measure says of pairs for other topics."""

    measure: Measure
    pairs: Sequence[tuple[str, str]]
    verdicts: Sequence[Verdict]
    test: str  # its name
    levels: Floats  # pair: below which p is significant, with what is corrected
    margin_level: float  # of the intervals that claims about the margin rest on
    topics: Sequence[str]  # that they rest on
    margin: Margin | None = None
    sampling: Sampling | None = None

    @property
    def widest_margin(self) -> float | None:
        """The margin; of one that is a share of a mean, which grades may change too, the most that it can be."""
        if self.margin is None or not self.margin.is_share:
            return None if self.margin is None else self.margin.amount
        return None if self.measure.range is None else self.margin.amount * max(map(abs, self.measure.range))


class _Way(NamedTuple):
    """A verdict is lost where one system is ahead of another by so much."""

    pair: int
    ahead: str
    behind: str
    limit: float
    level: float | None  # of the interval that reaches the limit where it is lost too; None: the mean alone counts


def hole_changes(data: Data, each: Sequence[Verdicts]) -> tuple[HoleChanges | UnseenHoles | None, ...]:
    """By each measure; None where nothing could change, or where that is not known of any documents."""
    if not data.has_runs or (bench := data.runs()).is_exchanged:
        return (None,) * len(each)
    is_tried = bench.collection.documents == "all" and bench.collection.lengths.sum() <= LARGE
    look = _changes if is_tried else _unseen
    return tuple(look(bench, verdicts) if _is_known(verdicts.measure, bench) else None for verdicts in each)


def _is_known(measure: Measure, bench: Bench) -> bool:
    """Whether it is known what grades of unjudged documents do to a measure."""
    is_plain = measure.direction == HIGHER and measure.logged is None
    return is_plain and is_bounded(measure, bench.collection.grades)


def _unseen(bench: Bench, verdicts: Verdicts) -> UnseenHoles | None:
    """None where nothing is said, or all documents are judged."""
    if all(verdict == "inconclusive" for verdict in verdicts.verdicts):
        return None
    cutoff, collection = verdicts.measure.cutoff, bench.collection
    lengths = collection.lengths if cutoff is None else np.minimum(collection.lengths, cutoff)
    entries = entries_of(collection.firsts.ravel(), lengths.ravel())
    share = float(np.mean(collection.levels[entries] == UNJUDGED)) if len(entries) else 0.0
    return UnseenHoles(share, cutoff) if share else None


def _changes(bench: Bench, verdicts: Verdicts) -> HoleChanges | None:
    collection, measure = bench.collection, verdicts.measure
    if set(verdicts.topics) != set(collection.topics):  # some were left out, or belong together
        return None
    places = {system: place for place, system in enumerate(collection.systems)}
    named = dict.fromkeys(name for pair in verdicts.pairs for name in pair)
    holes = {name: _holes(collection, measure, places[name]) for name in named}
    every = list(_ways(verdicts))
    ways = [way for way in every if len(holes[way.ahead]) or len(holes[way.behind])]
    if not ways:
        return None
    pairs = np.array([(places[way.ahead], places[way.behind]) for way in ways])
    scores = np.nan_to_num(bench.whole((measure,)).values[..., 0])  # 1, topic, system
    most = HoleBounds(collection, (measure,), pairs).attained(scores, bench.workers)[0]  # topic, way
    lost = np.flatnonzero(_lost(most, ways, verdicts))
    if not len(lost):
        return None
    first, changed = ways[lost[0]], {ways[way].pair for way in lost}
    systems = {name for pair in changed for name in verdicts.pairs[pair]}
    system, against = verdicts.pairs[first.pair]
    means, sign = _means(scores[0], verdicts.sampling), 1.0 if first.ahead == system else -1.0
    extreme = float(_means(most[:, lost[0]], verdicts.sampling))
    return HoleChanges(
        changes=len(changed),
        verdicts=len({way.pair for way in every}),
        documents=_distinct(np.concatenate([holes[name] for name in systems])),
        system=system,
        against=against,
        verdict=verdicts.verdicts[first.pair],
        difference=float(means[places[system]] - means[places[against]]),
        extreme=sign * extreme,
        is_across=extreme >= first.limit - _ROUNDING,
    )


def _distinct(numbers: Ints) -> int:
    """How many different numbers there are; of a million of them np.unique takes a second, and this a hundredth."""
    return int(np.count_nonzero(np.diff(np.sort(numbers)))) + 1


def _ways(verdicts: Verdicts) -> Iterator[_Way]:
    """How each verdict could be lost."""
    margin = verdicts.widest_margin
    is_fixed = verdicts.margin is not None and not verdicts.margin.is_share
    level = verdicts.margin_level if is_fixed else None
    for pair, ((first, second), verdict) in enumerate(zip(verdicts.pairs, verdicts.verdicts, strict=True)):
        if verdict in ("better", "worse"):
            ahead, behind = (second, first) if verdict == "better" else (first, second)
            yield _Way(pair, ahead, behind, 0.0, float(verdicts.levels[pair]))
        if margin is not None and verdict in ("equivalent", "not worse"):
            yield _Way(pair, second, first, margin, level)
        if margin is not None and verdict in ("equivalent", "not better"):
            yield _Way(pair, first, second, margin, level)


def _lost(most: Floats, ways: Sequence[_Way], verdicts: Verdicts) -> Bools:
    """Which ways are open, given the largest differences that some grades give on each topic."""
    is_across = _means(most, verdicts.sampling) >= np.array([way.limit for way in ways]) - _ROUNDING
    test = TESTS[verdicts.test].of_differences if verdicts.test in TESTS else None  # looks rest on an order
    if test is None or verdicts.sampling is not None:
        return np.asarray(is_across)
    return np.asarray(is_across | _unshown(most, ways, test))


def _unshown(most: Floats, ways: Sequence[_Way], test: Callable[[Floats, float], Outcome]) -> Bools:
    """Whether the test does not tell the largest differences from the limit of each way, where that counts."""
    reached = np.zeros(len(ways), bool)
    for level in {way.level for way in ways if way.level is not None}:
        own = np.array([place for place, way in enumerate(ways) if way.level == level])
        outcome, limits = test(most[:, own], level), np.array([ways[place].limit for place in own])
        reached[own] = np.where(limits > 0, outcome.high >= limits - _ROUNDING, ~(outcome.p <= level))
    return reached


def _means(values: Floats, sampling: Sampling | None) -> Floats:
    """Over topics, which come first."""
    return np.asarray(values.mean(axis=0) if sampling is None else sampling.means(values))


def _holes(collection: Collection, measure: Measure, system: int) -> Ints:
    """What a system lists down to the cut-off and nobody judged: a number for each topic and document."""
    lengths = collection.lengths[:, system]
    sizes = lengths if measure.cutoff is None else np.minimum(lengths, measure.cutoff)
    entries = entries_of(collection.firsts[:, system], sizes)
    is_hole = collection.levels[entries] == UNJUDGED
    topics = np.repeat(np.arange(len(sizes)), sizes)
    return np.asarray(topics[is_hole] * collection.document_count + collection.docs[entries[is_hole]])
