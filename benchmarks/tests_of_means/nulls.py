"""What "equally good" may mean: differences of two systems, and scores of several, under three null hypotheses.

Exchangeable systems have symmetric differences, and symmetric differences have a mean of 0; the reverse does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats

Rng = np.random.Generator
Size = tuple[int, ...]
EXCHANGEABLE, SYMMETRIC, EQUAL_MEANS = "exchangeable systems", "symmetric differences", "equal means"
DEVIATION = 0.15  # of differences on topics, as of AP
_P10 = 0.3  # the mean of a measure of ten steps
_TENTHS = 10
_SPREADS = np.array([0.5, 1.0, 1.0, 1.0, 2.0])  # of five systems, relative
_TURNS = np.array([1.0, 1.0, -1.0, 1.0, -1.0])  # whether a system has rare large gains or rare large losses
SYSTEMS = len(_SPREADS)


@dataclass(frozen=True)
class Shape:
    """Differences of two systems on topics, whose mean is 0."""

    null: str  # the strongest of the three that holds
    draw: Callable[[Rng, Size], Floats]


def _exponential(rng: Rng, size: Size) -> Floats:
    return rng.exponential(DEVIATION, size) - DEVIATION


def _lognormal(rng: Rng, size: Size) -> Floats:
    mean, deviation = np.exp(0.5), np.sqrt((np.e - 1) * np.e)
    return np.asarray((rng.lognormal(size=size) - mean) * DEVIATION / deviation)


def _tenths(rng: Rng, size: Size) -> Floats:
    return rng.binomial(_TENTHS, _P10, size) / _TENTHS


SHAPES: Mapping[str, Shape] = {
    "normal": Shape(SYMMETRIC, lambda rng, size: rng.normal(0, DEVIATION, size)),
    "heavy tails (t, 3 degrees of freedom)": Shape(
        SYMMETRIC, lambda rng, size: rng.standard_t(3, size) * DEVIATION / np.sqrt(3)
    ),
    "ties (P@10 of two like systems)": Shape(SYMMETRIC, lambda rng, size: _tenths(rng, size) - _tenths(rng, size)),
    "skewed (exponential)": Shape(EQUAL_MEANS, _exponential),
    "skewed, heavy tail (lognormal)": Shape(EQUAL_MEANS, _lognormal),
    "skewed, ties (P@10 against all or nothing)": Shape(
        EQUAL_MEANS, lambda rng, size: _tenths(rng, size) - (rng.random(size) < _P10)
    ),
}


def _alike(rng: Rng, size: Size) -> Floats:
    """All systems have the same skewed noise."""
    return _exponential(rng, size)


def _of_unequal_spread(rng: Rng, size: Size) -> Floats:
    return rng.normal(0, DEVIATION, size) * _SPREADS


def _of_unequal_shape(rng: Rng, size: Size) -> Floats:
    return np.asarray(_exponential(rng, size) * _SPREADS * _TURNS)


FAMILIES: Mapping[str, Callable[[Rng, Size], Floats]] = {
    EXCHANGEABLE: _alike,
    SYMMETRIC: _of_unequal_spread,
    EQUAL_MEANS: _of_unequal_shape,
}
"""Scores of five systems, [experiment, topic, system], by the strongest hypothesis that holds: all means are 0."""
