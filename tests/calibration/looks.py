"""Pairs of systems that are looked at after every topic: equally good, or one worse by exactly a margin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.confidence_sequences import first_shown, mirrored
from irgauge.scoring.measures import Range

Floats = NDArray[np.float64]
Rng = np.random.Generator
Shape = tuple[int, int]  # topics, trials
LOST = 0.1  # the share of the scores of a worse candidate that are lost: it is worse by this share of the mean
ALPHA = 0.05


class PairWorld(NamedTuple):
    """Scores of two systems, of one distribution, the same on a share of topics."""

    draw: Callable[[Rng, Shape], Floats]
    mean: float
    same: float  # share of topics on which both have one score
    within: Range | None = (0.0, 1.0)

    def pairs(self, rng: Rng, shape: Shape) -> tuple[Floats, Floats]:
        """Baseline and candidate, equally good."""
        baseline = self.draw(rng, shape)
        return baseline, np.where(rng.random(shape) < self.same, baseline, self.draw(rng, shape))

    def worse(self, rng: Rng, candidate: Floats, share: float = LOST) -> Floats:
        """A candidate whose mean is lower by a share; scores without a range are all lower by it."""
        if self.within is None:
            return candidate * (1 - share)
        return np.where(rng.random(candidate.shape) < share, 0.0, candidate)

    @property
    def range(self) -> Range | None:
        """Of differences."""
        return None if self.within is None else (-1.0, 1.0)


def _zeros(rng: Rng, shape: Shape) -> Floats:
    return np.where(rng.random(shape) < 0.4, 0.0, rng.beta(1.0, 3.0, shape))


def _rare(rng: Rng, shape: Shape) -> Floats:
    return np.where(rng.random(shape) < 0.03, rng.uniform(0.5, 1.0, shape), 0.1)


WORLDS: Mapping[str, PairWorld] = {
    "scores that vary much, and apart": PairWorld(lambda rng, shape: rng.beta(2, 3, shape), 0.4, 0.0),
    "correlated scores": PairWorld(lambda rng, shape: rng.beta(2, 3, shape), 0.4, 0.7),
    "versions that rarely differ": PairWorld(lambda rng, shape: rng.beta(2, 3, shape), 0.4, 0.95),
    "skewed scores, many of them 0": PairWorld(_zeros, 0.15, 0.5),
    "rare large scores": PairWorld(_rare, 0.1 + 0.03 * 0.65, 0.0),
    "binary scores": PairWorld(lambda rng, shape: (rng.random(shape) < 0.3).astype(float), 0.3, 0.7),
    "without a range, skewed": PairWorld(lambda rng, shape: rng.gamma(2.0, 100.0, shape), 200.0, 0.3, None),
}


class Rates(NamedTuple):
    """How often something false is claimed at some time."""

    differ: float  # better or worse, of two that are equally good
    not_worse: float  # of one that is worse by the margin
    not_worse_share: float  # of one that is worse by a margin in per cent


def shown(d: Floats, delta: float, level: float, within: Range | None) -> Floats:
    """After how many topics each trial shows that the mean is above δ."""
    return first_shown(d, delta, level, within).astype(float)


def false_claims(world: PairWorld, rng: Rng, shape: Shape) -> Rates:
    """In trials of one world, looked at after every topic."""
    topics, within = shape[0], world.range
    baseline, candidate = world.pairs(rng, shape)
    d = candidate - baseline
    sides = [shown(d, 0.0, ALPHA / 2, within), shown(-d, 0.0, ALPHA / 2, mirrored(within))]
    worse = world.worse(rng, candidate)
    by_amount = shown(worse - baseline, -LOST * world.mean, ALPHA, within)
    by_share = shown(worse - (1 - LOST) * baseline, 0.0, ALPHA, within)
    return Rates(*(float((first <= topics).mean()) for first in (np.minimum(*sides), by_amount, by_share)))
