"""How far t may be off where differences are skewed: one of its one-sided errors is then more frequent than said."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from irgauge.arrays import Floats

_MUCH = 1.5  # times as often as said: from there on it is told


class Errors(NamedTuple):
    """How often a gate may err by one measure, and how often it says."""

    fails: float  # where both are equally good
    passes: float  # where the candidate is worse by the margin
    alpha: float

    @property
    def is_much(self) -> bool:
        """Whether it errs much more often than said."""
        return self.fails > _MUCH * self.alpha / 2 or self.passes > _MUCH * self.alpha


def errors_of(difference: Floats, alpha: float) -> Errors:
    """The rates of error of one-sided t, from the skewness γ of differences[topic]; alpha is of two sides for `fails`.

    To first order P(t ≤ x) = Φ(x) + γ (2x² + 1) φ(x) / (6 √T), so that a few large gains (γ > 0) make t too low too
    often, and a few large losses too high (Johnson, "Modified t tests and confidence intervals for asymmetrical
    populations", JASA 73, 1978).

    >>> few_gains = np.array([0.0] * 18 + [0.5, 0.6])
    >>> errors = errors_of(few_gains, 0.05)
    >>> round(errors.fails, 3), round(errors.passes, 3), errors.is_much
    (0.081, 0.0, True)
    """
    shift = skewness(difference) / (6 * math.sqrt(len(difference)))
    fails, passes = (max(0.0, level + sign * shift * _slope(level)) for level, sign in ((alpha / 2, 1), (alpha, -1)))
    return Errors(fails, passes, alpha)


def _slope(level: float) -> float:
    """(2x² + 1) φ(x) where Φ(x) is the level."""
    x = float(ndtri(level))
    return (2 * x**2 + 1) * math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


def skewness(values: Floats) -> float:
    """Of a sample, with the correction for its size, as scipy.stats.skew(bias=False); 0 where all are the same."""
    n, centred = len(values), values - values.mean()
    spread = float(np.square(centred).mean())
    if n < 3 or spread == 0:
        return 0.0
    return math.sqrt(n * (n - 1)) / (n - 2) * float((centred**3).mean()) / spread**1.5
