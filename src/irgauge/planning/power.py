"""How many topics does a test need to find a difference? From a difference and its deviation from topic to topic."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from scipy.special import gammaincinv, nctdtr, ndtri

from irgauge.compute.arrays import Floats
from irgauge.inference.intervals import critical_t
from irgauge.inference.studentized import ppf
from irgauge.inference.verdicts import POWER

MOST = 100_000  # topics: more are as good as none
Critical = Callable[[int], tuple[float, float]]  # topics -> the least |t| that is significant, degrees of freedom


def paired_critical(topics: int, *, level: float) -> tuple[float, float]:
    """The paired t-test at a level: t(1 − level/2; T − 1)."""
    return critical_t(level, topics - 1), float(topics - 1)


def tukey_critical(topics: int, *, systems: int, alpha: float = 0.05) -> tuple[float, float]:
    """Tukey's test of R systems: Q(1 − α; R, df) / √2 with df = (R − 1)(T − 1)."""
    df = float((systems - 1) * (topics - 1))
    return float(ppf(1 - alpha, systems, df)) / math.sqrt(2), df


def topics_needed(difference: float, deviation: float, critical: Critical, *, power: float = POWER) -> int | None:
    """The fewest topics T on which the test finds a true difference δ with this power.

    The observed difference over its standard error follows the noncentral t distribution with noncentrality δ √T / s,
    where s is the deviation of the difference from topic to topic; the test finds it where it exceeds t_c(T):

        P(t'(df, δ √T / s) > t_c(T)) ≥ power

    None where more than MOST topics would be needed.

    >>> from functools import partial
    >>> alone, of_20 = partial(paired_critical, level=0.05), partial(tukey_critical, systems=20)
    >>> topics_needed(0.05, 0.14, alone), topics_needed(0.05, 0.14, of_20), topics_needed(0.0, 0.14, alone)
    (64, 152, None)
    """
    counts = range(2, MOST + 1)
    if difference <= 0:
        return None
    place = bisect_left(counts, power, key=lambda topics: power_of(difference, deviation, topics, critical))
    return counts[place] if place < len(counts) else None


def power_of(difference: float, deviation: float, topics: int, critical: Critical) -> float:
    """With what probability the test on so many topics finds a true difference; see `topics_needed`."""
    least, df = critical(topics)
    return 1.0 - float(nctdtr(df, difference * math.sqrt(topics) / deviation, least))


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
    """From the nearer end, as numpy does."""
    gap = high - low
    return float(low + gap * part if part < 0.5 else high - gap * (1 - part))


POINTS = 2048
_NEARLY_NORMAL = 60  # degrees of freedom from which Wilson and Hilferty's approximation is exact to four digits


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
    root = 1 - 2 / (9 * df) + _normal(dimension) * np.sqrt(2 / (9 * df))
    return root * root * root  # many times as fast as a power


@lru_cache(maxsize=16)
def _chances(dimension: int) -> Floats:
    """Evenly spread over 0 to 1, in an order of their own for each dimension."""
    return (np.random.default_rng(dimension).permutation(POINTS) + 0.5) / POINTS


@lru_cache(maxsize=16)
def _normal(dimension: int) -> Floats:
    """The same chances as values of a normal variable."""
    return np.asarray(ndtri(_chances(dimension)))
