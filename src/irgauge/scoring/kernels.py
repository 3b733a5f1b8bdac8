"""Hit lists of ranked lists under weights, and the loop that scores those under labels or weights.

A hit is a judged document in a ranked list: its rank and its level. Under labels (shards) every replicate
has its own ranks, counted in one pass; under weights (images) a document appears as often as it was drawn.
`keep[level]` says which documents are hits; its last place, which level -1 finds, stands for the unjudged. Where
judgments are by subtopic, a measure needs how it values these, how often each is covered, and the ideal list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Floats, Ints, Weights
from irgauge.compute.jit import borrowed, inlined, kernel, makes_arrays

if TYPE_CHECKING:
    from irgauge.scoring.catalogue.record import Diversity, Values

RELEVANT, NONRELEVANT, UNSAMPLED = 1, 0, -1  # kinds of levels; UNSAMPLED: in the pool, but not judged
REDUNDANCY = 0.5  # α where a measure has no such parameter: the reader of ERR stops at a relevant document


class Hits(NamedTuple):
    """The hits of one ranked list in one replicate, by rank."""

    ranks: NDArray[np.int32]  # hit
    levels: NDArray[np.int16]  # hit
    length: int  # documents in the list


class Base(NamedTuple):
    """What the qrels hold for the topic in the replicate."""

    counts: NDArray[np.int32]  # level
    relevant: int
    subtopics: NDArray[np.int32]  # subtopic: documents relevant to it
    ideal: float  # the gain of the ideal list by subtopics, where the measure needs it


class Bases(NamedTuple):
    """What the qrels hold for the topic in every replicate."""

    counts: NDArray[np.int32]  # replicate, level
    subtopics: NDArray[np.int32]  # replicate, subtopic
    ideals: Floats  # replicate


class Subtopics(NamedTuple):
    """How a measure values subtopics; there are none without diversity judgments."""

    relevant: Bools  # level, subtopic: whether documents of the level are relevant to it
    kept: float  # the share of its gain that a subtopic keeps after a document relevant to it
    best: float  # the most that documents relevant to one subtopic can gain, down to the cut-off


class Scale(NamedTuple):
    """How a measure values levels and ranks."""

    kinds: NDArray[np.int8]  # level: RELEVANT, NONRELEVANT or UNSAMPLED
    gains: Floats  # level
    order: Ints  # level: by descending gain
    strata: Ints  # level
    discounts: Floats  # rank (0 is not used)
    cumulated: Floats  # rank: discounts summed up to it
    cutoff: int
    constants: Floats  # other numbers of the measure, which its kernel knows
    needs_relevant: bool  # undefined where the topic has no relevant document
    subtopics: Subtopics


class HitLists(NamedTuple):
    """The hits of many lists, list after list; a list is a system in a replicate, replicates fastest."""

    bounds: Ints  # list + 1
    ranks: NDArray[np.int32]  # hit
    levels: NDArray[np.int16]  # hit
    lengths: NDArray[np.int32]  # list


MeasureKernel = Callable[[Hits, Base, Scale], float]


@kernel(makes_arrays=True)
def condensed(lists: HitLists, keep: Bools) -> HitLists:
    """Lists of all that is judged, closed up as if nothing else had been retrieved; only `keep` stay hits."""
    bounds, hit = np.zeros_like(lists.bounds), 0
    ranks, levels = np.empty_like(lists.ranks), np.empty_like(lists.levels)
    for i in range(len(lists.lengths)):
        for place in range(lists.bounds[i], lists.bounds[i + 1]):
            if keep[lists.levels[place]]:
                ranks[hit], levels[hit] = place - lists.bounds[i] + 1, lists.levels[place]
                hit += 1
        bounds[i + 1] = hit
    return HitLists(bounds, ranks[:hit], levels[:hit], np.diff(lists.bounds).astype(np.int32))


@kernel
def _count_relevant(counts: NDArray[np.int32], kinds: NDArray[np.int8], relevant: Ints) -> None:
    """Count the relevant documents in each replicate."""
    for replicate in range(len(counts)):
        relevant[replicate] = 0
        for level in range(len(kinds)):
            if kinds[level] == RELEVANT:
                relevant[replicate] += counts[replicate, level]


def _score_lists(lists: HitLists, topic: Bases, relevant: Ints, scale: Scale, values: Floats) -> None:
    """Score every list: values[system, replicate], NaN where the topic has not the relevant document that it needs."""
    systems, replicates = values.shape
    to, table = borrowed(values), _borrowed_scale(scale)
    counts, subtopics, ideals = borrowed(topic.counts), borrowed(topic.subtopics), borrowed(topic.ideals)
    bounds, lengths = borrowed(lists.bounds), borrowed(lists.lengths)
    ranks, levels = borrowed(lists.ranks), borrowed(lists.levels)
    for system in range(systems):
        for replicate in range(replicates):
            i = system * replicates + replicate
            start, stop = bounds[i], bounds[i + 1]
            hits = Hits(ranks[start:stop], levels[start:stop], np.int64(lengths[i]))  # type: ignore[arg-type]  # as compiled
            base = Base(counts[replicate], relevant[replicate], subtopics[replicate], ideals[replicate])
            is_defined = base.relevant > 0 or not scale.needs_relevant
            to[system, replicate] = _measure(hits, base, table) if is_defined else np.nan  # type: ignore[name-defined]  # noqa: F821  # of each loop


@kernel(from_python=False)
def _borrowed_scale(scale: Scale) -> Scale:
    return Scale(
        borrowed(scale.kinds),
        borrowed(scale.gains),
        borrowed(scale.order),
        borrowed(scale.strata),
        borrowed(scale.discounts),
        borrowed(scale.cumulated),
        scale.cutoff,
        borrowed(scale.constants),
        scale.needs_relevant,
        Subtopics(borrowed(scale.subtopics.relevant), scale.subtopics.kept, scale.subtopics.best),
    )


@cache
def loop_of(measure: Any) -> Any:  # noqa: ANN401  # numba's types
    """The loop over lists compiled with a measure's kernel inside it: a call for each list would take longer.

    The loop is in the cache under the measure's file and name. A function of lists has a loop of its own.
    """
    if not hasattr(measure, "py_func"):
        return measure.loop()
    code, name = measure.py_func.__code__, f"{_score_lists.__name__}_by{measure.__name__}"
    template = _score_lists.__code__.replace(
        co_name=name, co_qualname=name, co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    loop = FunctionType(template, {**globals(), "_measure": inlined(before_compilation=True)(measure.py_func)}, name)
    loop.__module__ = measure.__module__
    return kernel(makes_arrays=makes_arrays(measure))(loop)


def evaluate(measure: MeasureKernel, lists: HitLists, topic: Bases, scale: Scale, values: Floats) -> None:
    """Score every list with one measure, into values[system, replicate]."""
    relevant = np.empty(len(topic.counts), np.int64)  # replicate
    _count_relevant(topic.counts, scale.kinds, relevant)
    loop_of(measure)(lists, topic, relevant, scale, values)


def subtopics_of(diversity: Diversity | None, values: Values, grades: Ints, cutoff: int) -> Subtopics:
    """How a measure values subtopics, given grades[level, subtopic]."""
    return Subtopics(
        relevant=np.ascontiguousarray(grades >= (values.get("rel") or 1)),
        kept=1.0 - values.get("alpha", REDUNDANCY),
        best=0.0 if diversity is None else float(diversity.best(values, cutoff)),
    )


@dataclass(frozen=True)
class JudgedTopic:
    """The judgments of a topic, as its replicates have them."""

    levels: NDArray[np.int16]  # judgment
    counts: NDArray[np.int32]  # replicate, level
    draw: Callable[[], Weights]  # what makes [judgment, replicate]: how often each is there

    def bases(self, diversity: Diversity | None, scale: Scale) -> Bases:
        """What a measure needs of them."""
        replicates = len(self.counts)
        if diversity is None:
            return Bases(self.counts, np.zeros((replicates, 0), np.int32), np.zeros(replicates))
        covered = (self.counts @ scale.subtopics.relevant).astype(np.int32)  # replicate, subtopic
        ideals = _ideal_gains(self.levels, self.draw(), scale) if diversity.is_relative else np.zeros(replicates)
        return Bases(self.counts, covered, ideals)


@kernel(makes_arrays=True)
def _ideal_gains(levels: NDArray[np.int16], drawn: Weights, scale: Scale) -> Floats:
    """The gain of the ideal list in each replicate, drawn[judgment, replicate] saying how often documents are there."""
    gains = np.empty(drawn.shape[1])
    for replicate in range(drawn.shape[1]):
        gains[replicate] = _ideal_gain(levels, drawn[:, replicate].astype(np.int64), scale)
    return gains


@kernel(makes_arrays=True)
def _ideal_gain(levels: NDArray[np.int16], left: Ints, scale: Scale) -> float:
    """Greedy, as in ndeval: at each rank the document that gains most, the first of those that gain the same."""
    subtopics, total = np.ones(scale.subtopics.relevant.shape[1]), 0.0
    for rank in range(1, min(scale.cutoff, len(scale.discounts) - 1) + 1):
        most, best = 0.0, -1
        for document in range(len(levels)):
            if left[document] > 0:
                gain = novelty(levels[document], subtopics, scale)
                if gain > most:
                    most, best = gain, document
        if best < 0:
            break
        left[best] -= 1
        total += take(levels[best], subtopics, scale) * scale.discounts[rank]
    return total


@kernel
def novelty(level: int, subtopics: Floats, scale: Scale) -> float:
    """What a document gains by the subtopics that it is relevant to."""
    gain = 0.0
    for subtopic in range(len(subtopics)):
        if scale.subtopics.relevant[level, subtopic]:
            gain += subtopics[subtopic]
    return gain


@kernel
def take(level: int, subtopics: Floats, scale: Scale) -> float:
    """The same, and each of these subtopics loses a share of its gain."""
    gain = novelty(level, subtopics, scale)
    for subtopic in range(len(subtopics)):
        if scale.subtopics.relevant[level, subtopic]:
            subtopics[subtopic] *= scale.subtopics.kept
    return gain
