"""Experiments drawn from a collection's scores in which systems are equally good, in three senses.

Exchangeable: the systems' scores change places at random on each topic. Symmetric: each system's mean is taken out, and
the signs of a topic are drawn. Equal means: each system's mean is taken out, and nothing else; differences stay skewed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from irgauge.calibrating.worlds import Rng, distinct
from irgauge.compute.arrays import Floats, Indices

EXCHANGEABLE, SYMMETRIC, EQUAL_MEANS = "exchangeable", "symmetric", "equal means"


def usable(scores: Floats) -> Floats:
    """The systems of scores[topic, system] that are no copies of others, nor differ from them on hardly any topic."""
    return scores[:, distinct(scores)]


def family(scores: Floats, null: str, topics: int, systems: int, rng: Rng) -> Floats:
    """Scores of some systems on topics drawn with replacement; topic, system."""
    chosen = rng.choice(scores.shape[1], systems, replace=False)
    return _DRAWN[null](scores[:, chosen], rng.integers(len(scores), size=topics), rng)


def _exchangeable(scores: Floats, rows: Indices, rng: Rng) -> Floats:
    return rng.permuted(scores[rows], axis=1)


def _symmetric(scores: Floats, rows: Indices, rng: Rng) -> Floats:
    return np.asarray(_centred(scores)[rows] * rng.choice((-1.0, 1.0), (len(rows), 1)))


def _equal_means(scores: Floats, rows: Indices, _: Rng) -> Floats:
    return _centred(scores)[rows]


def _centred(scores: Floats) -> Floats:
    return np.asarray(scores - scores.mean(axis=0))


_DRAWN: Mapping[str, Callable[[Floats, Indices, Rng], Floats]] = {
    EXCHANGEABLE: _exchangeable,
    SYMMETRIC: _symmetric,
    EQUAL_MEANS: _equal_means,
}
NULLS = tuple(_DRAWN)
