"""Student's t in experiments to come: how many standard errors a goal must be away, by the degrees of freedom."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.special import gammaincinv, nctdtrinc, ndtr, stdtrit

from irgauge.compute.arrays import Floats

_MOST = 1e7  # degrees of freedom: as good as known variances
_GRID = np.geomspace(1, _MOST, 193)  # between which functions of them are interpolated, each by its logarithm
_FAR = 1000.0  # a critical value, of very few degrees of freedom
_STEPS = 40  # of a bisection
_SPREADS = 256  # estimates of a standard error that stand for all


def critical(df: Floats, *, level: float) -> Floats:
    """What |t| exceeds with the probability `level`."""
    return _by_freedom(df, _critical, level, 0.0)


def freedom_of(critical_value: Floats, *, level: float) -> Floats:
    """The degrees of freedom with which t has a critical value.

    >>> freedom_of(critical(np.array([7.0, 30.0]), level=0.05), level=0.05).round(2).tolist()
    [7.0, 30.0]
    """
    values = _table(_critical, level, 0.0)  # they fall
    return np.exp(np.interp(np.log(critical_value), values[::-1], np.log(_GRID[::-1])))


def for_difference(df: Floats, *, level: float, power: float) -> Floats:
    """How many standard errors a true difference is away from 0 that the test at `level` finds with this power.

    The noncentrality λ with P(t'(df, λ) > t(1 − level/2; df)) = power.

    >>> for_difference(np.array([49.0]), level=0.05, power=0.8).round(3).tolist()
    [2.858]
    """
    return _by_freedom(df, _noncentralities, level, power)


def for_margin(df: Floats, *, level: float, power: float) -> Floats:
    """How many standard errors a margin is, within which two equal systems are shown to be with this power.

    By two one-sided tests at `level` (Schuirmann 1987): the interval of confidence 1 − 2 level is within ± margin. With
    Z the difference, and s its standard error as estimated, both in true standard errors, P(|Z| < λ − t s) = power.

    >>> for_margin(np.array([1e6]), level=0.05, power=0.8).round(3).tolist()
    [2.926]
    """
    return _by_freedom(df, _margins, level, power)


def equivalence_power(margin: Floats, df: Floats, *, level: float) -> Floats:
    """With what probability two one-sided tests show that equal systems differ by less than a margin, in true errors.

    >>> equivalence_power(np.array([2.926]), np.array([1e6]), level=0.05).round(3).tolist()
    [0.8]
    """
    return _within(margin, _half_widths(df, level))


Function = Callable[[Floats, float, float], Floats]  # degrees of freedom, level, power


def _critical(df: Floats, level: float, _: float) -> Floats:
    return np.asarray(-stdtrit(df, level / 2))


def _noncentralities(df: Floats, level: float, power: float) -> Floats:
    """Beyond what scipy can invert in a reasonable time, the estimate of the error alone decides: λ = t s."""
    t = -stdtrit(df, level / 2)
    is_far = t > _FAR
    inverted = nctdtrinc(df, 1 - power, np.minimum(t, _FAR))
    return np.where(is_far, t * np.sqrt(2 * gammaincinv(df / 2, power) / df), inverted)


def _margins(df: Floats, level: float, power: float) -> Floats:
    half_widths = _half_widths(df, level)
    low, high = np.zeros(len(df)), 10 + half_widths.max(axis=1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        is_enough = _within(middle, half_widths) >= power
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
    return high


def _within(margin: Floats, half_widths: Floats) -> Floats:
    """The chance of |Z| < margin − half width."""
    return np.asarray(np.maximum(2 * ndtr(margin[:, None] - half_widths) - 1, 0).mean(axis=1))


def _half_widths(df: Floats, level: float) -> Floats:
    """Of the interval of confidence 1 − 2 level, in true standard errors, evenly by their chances: df, estimate."""
    chances = (np.arange(_SPREADS) + 0.5) / _SPREADS
    spreads = np.sqrt(2 * gammaincinv(df[:, None] / 2, chances) / df[:, None])
    return np.asarray(-stdtrit(df, level)[:, None] * spreads)


def _by_freedom(df: Floats, function: Function, level: float, power: float) -> Floats:
    """A function of degrees of freedom: where all draws have the same, as it is, else interpolated."""
    some = np.clip(df, 1, _MOST)
    if some.min() == some.max():
        return np.full(some.shape, _alone(function, float(some.flat[0]), level, power))
    return np.exp(np.interp(np.log(some), np.log(_GRID), _table(function, level, power)))


@lru_cache(maxsize=4096)
def _alone(function: Function, df: float, level: float, power: float) -> float:
    return float(function(np.array([df]), level, power)[0])


@lru_cache(maxsize=32)
def _table(function: Function, level: float, power: float) -> Floats:
    """The logarithms of a function on the grid."""
    return np.log(function(_GRID, level, power))
