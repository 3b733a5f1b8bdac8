"""Subtopics: how a measure values them, how often they are covered in a replicate, and the ideal list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints, Weights
from irgauge.compute.jit import kernel
from irgauge.scoring.kernels import Bases, Scale, Subtopics

if TYPE_CHECKING:
    from irgauge.scoring.catalogue.record import Diversity, Values

REDUNDANCY = 0.5  # α where a measure has no such parameter: the reader of ERR stops at a relevant document


def subtopics_of(diversity: Diversity | None, values: Values, grades: Ints, cutoff: int) -> Subtopics:
    """How a measure values subtopics, given grades[level, subtopic]."""
    return Subtopics(
        relevant=np.ascontiguousarray(grades >= (values.get("rel") or 1)),
        kept=1.0 - values.get("alpha", REDUNDANCY),
        best=0.0 if diversity is None else float(diversity.best(values, cutoff)),
    )


@dataclass(frozen=True)
class Judged:
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
