"""What the p of a pair is made of: the density of the difference, or, as in the paper, of the two systems' effects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irgauge.arrays import Floats
from irgauge.choices import known
from irgauge.studies.partition.splits import Splits

_POINTS = 400  # of a curve
_REACH = 4.0  # standard errors to each side


@dataclass(frozen=True, eq=False)
class Difference:
    """The density of the difference of two systems in the first split; half of p is its area below 0."""

    better: str
    worse: str
    difference: float
    error: float  # its standard error
    df: float
    at: Floats
    density: Floats
    p: float  # not corrected


@dataclass(frozen=True, eq=False)
class Overlap:
    """The densities of the effects of two systems; p is the area of the worse one's from the better one's effect on."""

    better: str
    worse: str
    effects: tuple[float, float]  # better, worse
    mean: float  # of all scores: an effect and this make a mean score
    at: Floats
    densities: Floats  # better and worse, at
    p: float  # not corrected


def densities(found: Splits, one: str, other: str) -> Difference | Overlap:
    """Of two systems in the first split, as their p is taken."""
    return overlap(found, one, other) if found.drawing.is_paper else difference(found, one, other)


def difference(found: Splits, one: str, other: str) -> Difference:
    """The density of the difference of two systems in the first split, from below 0 on."""
    a, b = _ahead(found, one, other)
    contrasts, pair = found.differences, found.place(found.systems[a], found.systems[b])
    d, error = abs(float(contrasts.estimate[pair])), float(contrasts.error[pair])
    at = np.linspace(min(d - _REACH * error, -error), d + _REACH * error, _POINTS)
    sign = 1 if contrasts.estimate[pair] >= 0 else -1
    density = contrasts.density(pair, sign * at)
    p = float(contrasts.p[pair])
    return Difference(found.systems[a], found.systems[b], d, error, float(contrasts.df[pair]), at, density, p)


def overlap(found: Splits, one: str, other: str) -> Overlap:
    """The densities of two systems in the first split, as in the paper (Figure 3)."""
    a, b = _ahead(found, one, other)
    drawn = found.bootstrap
    ends = drawn.draws[[a, b]][:, [0, -1]]
    at = np.linspace(ends.min(), ends.max(), _POINTS)
    effects, p = (float(drawn.effects[a]), float(drawn.effects[b])), float(drawn.reached[a, b])
    own = np.array([drawn.density(a, at), drawn.density(b, at)])
    return Overlap(found.systems[a], found.systems[b], effects, drawn.mean, at, own, p)


def _ahead(found: Splits, one: str, other: str) -> tuple[int, int]:
    """Two systems, the better one in the first split before the other."""
    a, b = (found.systems.index(known(system, found.systems, "system")) for system in (one, other))
    effects = found.inferences[0].effects
    return (a, b) if effects[a] >= effects[b] else (b, a)
