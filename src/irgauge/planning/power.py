"""Student's t in experiments to come: how many standard errors a goal must be away, by the degrees of freedom."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from scipy.special import gammaincinv, nctdtrinc, ndtr, ndtri, stdtrit

from irgauge.compute.arrays import Floats

_MOST_FREEDOM = 1e7  # degrees of freedom: as good as known variances
_GRID = np.geomspace(1, _MOST_FREEDOM, 193)  # between which functions of them are interpolated, each by its logarithm
_FAR = 1000.0  # a critical value, of very few degrees of freedom
_STEPS = 40  # of a bisection
_SPREADS = 256  # estimates of a standard error that stand for all
Function = Callable[[Floats, float, float], Floats]  # degrees of freedom, level, power
MOST = 100_000  # topics: beyond that, a plan counts as infeasible
POINTS = 2048
_NEARLY_NORMAL = 60  # degrees of freedom from which Wilson and Hilferty's approximation is exact to four digits


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
    some = np.clip(df, 1, _MOST_FREEDOM)
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


def quantiles(values: Floats, shares: Sequence[float]) -> list[float]:
    """The quantiles of some shares, to the last bit those of numpy; none of the values may be undefined.

    >>> quantiles(np.array([3.0, 1.0, 2.0]), [0.5, 0.75])
    [2.0, 2.5]
    """
    last = len(values) - 1
    places = [share * last for share in shares]
    around = [(math.floor(place), min(math.floor(place) + 1, last)) for place in places]
    ordered = np.partition(values, sorted({index for both in around for index in both}))
    return [
        _between(ordered[below], ordered[above], place - below)
        for place, (below, above) in zip(places, around, strict=True)
    ]


def _between(low: np.float64, high: np.float64, part: float) -> float:
    """From the nearer end, as numpy does; ends that are both infinite are one."""
    if low == high:
        return float(low)
    gap = high - low
    return float(low + gap * part if part < 0.5 else high - gap * (1 - part))


@lru_cache(maxsize=512)
def ratios(df: float, dimension: int) -> Floats:
    """χ²(ν)/ν, an estimated variance over the true one, at the points of a dimension; 1 with infinite ν.

    >>> bool(abs(ratios(9, 0).mean() - 1) < 0.001), bool(abs(ratios(9, 0).var() - 2 / 9) < 0.002)
    (True, True)
    """
    if np.isinf(df):
        return np.ones(POINTS)
    if df < _NEARLY_NORMAL:
        return np.asarray(gammaincinv(df / 2, _chances(dimension)) * 2 / df)
    root = 1 - 2 / (9 * df) + normals(dimension) * np.sqrt(2 / (9 * df))
    return root * root * root  # many times as fast as a power


@lru_cache(maxsize=16)
def _chances(dimension: int) -> Floats:
    """Evenly spread over 0 to 1, in an order of their own for each dimension."""
    return (np.random.default_rng(dimension).permutation(POINTS) + 0.5) / POINTS


@lru_cache(maxsize=16)
def normals(dimension: int) -> Floats:
    """The same chances as values of a normal variable."""
    return np.asarray(ndtri(_chances(dimension)))
