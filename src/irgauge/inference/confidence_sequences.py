"""Confidence sequences: intervals of a mean that hold at every look, however often one looks and whenever one stops."""

from __future__ import annotations

import math

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.inference.intervals import Bounds
from irgauge.inference.outcomes import ratio
from irgauge.inference.tests.bounded import SHARES
from irgauge.inference.tests.skewed_t import without_skewness
from irgauge.scoring.measures import Range

START = 50  # topics before which an asymptotic sequence says nothing
_TUNED = 0.05  # the level that bets are best for, at any: so intervals at a level hold those at a larger one
_MOST = 0.75  # of the capital that a plug-in bet may lose on one topic
_BEST_AT = 100  # topics, where the asymptotic sequence is narrowest
_HALVINGS = 60  # of a bracket
_FAR = 1000  # standard deviations: no mean is so far from what was seen


def log_capital(d: Floats, delta: Floats | float, within: Range | None = None) -> Floats:
    """The logarithm of a capital, topic by topic, by bets that the mean of d[topic, column] is above δ.

    Starting from 1, it reaches 1/α at any time with a chance of α at most if the mean is δ or less (Ville 1939). Topics
    come in random order. Values within a range, here 0 to 1: half of the capital is put on bets λ_t whatever δ is,

        K_t(δ) = Π (1 + λ_i (x_i − δ)),    λ_t = √(2 log(2/α) / (σ̂²_{t−1} t log(1 + t))), at most ¾ / δ,

    the predictable plug-in, which decides soon where δ is far; half is spread over fixed shares of what can be lost, as
    by the test `bounded`, which decides soon where δ is near. Both are of Waudby-Smith and Ramdas ("Estimating means of
    bounded random variables by betting", JRSS B 2024). Without a range the capital is that with which the asymptotic
    sequence ends (see `asymptotic`).

    >>> log_capital(np.array([[0.9], [0.8], [1.0], [0.9]]), 0.5, (0.0, 1.0)).round(2).ravel().tolist()
    [0.41, 0.74, 1.25, 1.7]
    """
    if within is None:
        return asymptotic(d, delta)
    least, largest = within
    x = np.clip((d - least) / (largest - least), 0.0, 1.0)
    m = (np.asarray(delta) - least) / (largest - least)
    return np.asarray(np.logaddexp(plugged(x, m), _spread((x - m) / m)) - math.log(2))


def plugged(x: Floats, m: Floats) -> Floats:
    """The logarithm of the capital by plug-in bets that the mean of x[topic, column] from 0 to 1 is above m."""
    return _grown(np.minimum(plug_in(x) * m, _MOST), (x - m) / m)


def plug_in(x: Floats) -> Floats:
    """The bets λ on x[topic, column] from 0 to 1, each by the topics before it."""
    t = np.arange(1.0, len(x) + 1).reshape(-1, *[1] * (x.ndim - 1))
    mean = (0.5 + np.cumsum(x, axis=0)) / (t + 1)
    variance = (0.25 + np.cumsum(np.square(x - mean), axis=0)) / (t + 1)
    before = np.concatenate((np.full_like(variance[:1], 0.25), variance[:-1]))
    return np.asarray(np.sqrt(2 * math.log(2 / _TUNED) / (before * t * np.log1p(t))))


def _grown(share: Floats | float, gain: Floats) -> Floats:
    """By bets of a share of the capital, of which all would be lost at a gain of −1."""
    return np.cumsum(np.log1p(share * gain), axis=0)


def _spread(gain: Floats) -> Floats:
    """The logarithm of the mean capital over fixed shares."""
    total = _grown(SHARES[0], gain)
    for share in SHARES[1:]:
        total = np.logaddexp(total, _grown(share, gain))
    return np.asarray(total - math.log(len(SHARES)))


def asymptotic(d: Floats, delta: Floats | float) -> Floats:
    """The logarithm of the capital of the asymptotic sequence, which holds the better the more topics there are.

    With w_t = (d̄_t − δ) / s_t after t topics, and ρ² such that the sequence is narrowest at 100 of them,

        K_t(δ) = 2 (exp(w_t² t²ρ² / 2(tρ² + 1)) − 1) / √(tρ² + 1)

    is one-sided (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
    confidence sequences", Annals of Statistics 2024). As differences may be skewed, w is the smaller of w and of what
    Hall's transformation makes of it, as in the test `skewed-t`. There are no bets before 50 topics, nor while all
    differences are the same.
    """
    t = np.arange(1.0, len(d) + 1).reshape(-1, *[1] * (d.ndim - 1))
    mean, sd, skewness = _moments(d, t)
    plain = ratio(mean - delta, sd)
    w = np.maximum(np.minimum(plain, without_skewness(plain, skewness, t)), 0.0)
    spread = t * (1 - 2 * math.log(_TUNED) + math.log(-2 * math.log(_TUNED))) / _BEST_AT + 1  # tρ² + 1
    exponent = np.square(w) * t * (spread - 1) / (2 * spread)
    with np.errstate(divide="ignore"):
        logs = exponent + np.log(-np.expm1(-exponent)) + math.log(2) - np.log(spread) / 2
    return np.where((t >= START) & (sd > 0), logs, -np.inf)


def _moments(d: Floats, t: Floats) -> tuple[Floats, Floats, Floats]:
    """Means, standard deviations and skewnesses of the first t differences; 0 where these are all the same."""
    shift = d[:START].mean(axis=0)  # so that squares of large numbers do not cancel
    first, second, third = (np.cumsum((d - shift) ** power, axis=0) / t for power in (1, 2, 3))
    is_flat = np.maximum.accumulate(d, axis=0) == np.minimum.accumulate(d, axis=0)
    variance = np.where(is_flat, 0.0, np.maximum(second - first**2, 0.0))
    skewness = ratio(third - 3 * first * second + 2 * first**3, variance**1.5)
    corrected = np.where(variance > 0, skewness, 0.0) * np.sqrt(t * np.maximum(t - 1, 1)) / np.maximum(t - 2, 1)
    return first + shift, np.sqrt(variance * t / np.maximum(t - 1, 1)), corrected


def largest_capital(d: Floats, delta: Floats | float, within: Range | None = None) -> Floats:
    """The logarithm of the largest capital at any time; column."""
    return np.asarray(np.maximum(log_capital(d, delta, within).max(axis=0), 0.0))


def first_shown(d: Floats, delta: float, level: float, within: Range | None = None) -> Ints:
    """After how many topics it is shown that the mean is above δ; one more than there are where it never is; column."""
    is_shown: Bools = log_capital(d, delta, within) >= -math.log(level)
    return np.where(is_shown.any(axis=0), is_shown.argmax(axis=0) + 1, len(d) + 1)


def least_mean(d: Floats, level: float, within: Range | None = None) -> Floats:
    """The lower end of a one-sided sequence after all topics, no lower than it was at any time; column.

    The capital falls as δ rises, so that the end is where its largest value is 1/α; −∞ where an asymptotic sequence
    has not begun.
    """
    low, high = (np.full(d.shape[1], end) for end in within) if within is not None else _far(d)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_refuted = largest_capital(d, middle, within) >= -math.log(level)
        low, high = np.where(is_refuted, middle, low), np.where(is_refuted, high, middle)
    return low if within is not None else np.where(low > _far(d)[0], low, -np.inf)


def _far(d: Floats) -> Bounds:
    """Ends between which the mean surely lies."""
    reach = _FAR * np.ptp(d, axis=0)
    return d.min(axis=0) - reach, d.max(axis=0)


def mean_sequence(d: Floats, level: float, within: Range | None = None) -> Bounds:
    """Both ends for the mean of d[topic, column] after all topics, at level/2 each; they hold at all looks together.

    >>> low, high = mean_sequence(np.array([[0.9, 0.1], [0.8, 0.5], [1.0, 0.4], [0.9, 0.1]] * 5), 0.05, (0.0, 1.0))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.699, 0.172], [0.947, 0.45])
    """
    return least_mean(d, level / 2, within), 0.0 - least_mean(0.0 - d, level / 2, mirrored(within))


def mirrored(within: Range | None) -> Range | None:
    """The range of the negatives."""
    return None if within is None else (-within[1], -within[0])
