"""The paired t-test where differences are skewed: t is then too large too often on one side, too small on the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.intervals import Bounds, critical_t
from irgauge.inference.outcomes import (
    Names,
    Outcome,
    compared,
    deviations,
    differences,
    in_blocks,
    on_values,
    ratio,
    untested_if_constant,
)
from irgauge.inference.sampling import SampledMean, Sampling
from irgauge.inference.tests.paired_t import freedom
from irgauge.inference.tests.record import Test

NAME = "skewed-t"

_STRAIGHT = 1e-6  # a skewness below it changes nothing


def skewed_t(
    values: Floats,
    systems: Names,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    sampling: Sampling | None = None,
) -> Comparison:
    """The paired t-test of values[topic, system] and its correction for skewness: the more cautious of both, two-sided.

    With d̄, s and γ the mean, the standard deviation and the skewness (corrected for T, as scipy.stats.skew(bias=False)
    is) of the differences over T topics, and w = (d̄ − δ) / s, both √T w and √T g(w) are taken for t with T − 1 degrees
    of freedom, where

        g(w) = w + γ w² / 3 + γ² w³ / 27 + γ / 6T

    removes the first effect of skewness (Hall, "On the removal of skewness by transformation", Journal of the Royal
    Statistical Society B 1992). p is the larger of both, the interval the outer ends of both; the statistic is
    Student's t, the effect d̄ / s. Of topics in clusters or with weights, the mean with its error, skewness and degrees
    of freedom is that of `inference.sampling`.

    >>> values = np.array([[0.2, 0.5], [0.3, 0.4], [0.1, 0.6], [0.2, 0.6], [0.5, 0.7], [0.2, 0.8]])
    >>> skewed_t(values, ["a", "b"]).p.round(4).tolist()
    [0.0059]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline, sampling=sampling)
    outcome = in_blocks(pairs, len(y), lambda u, v: skewed_t_outcome(differences(y, u, v), pairs.level, sampling))
    return replace(compared(pairs, NAME, outcome), df=freedom(len(y), sampling))


def skewed_t_outcome(d: Floats, level: float, sampling: Sampling | None = None) -> Outcome:
    """The guarded test of differences d[topic, pair], with intervals at a level."""
    if sampling is not None:
        sampled = sampling.of(d)
        critical = -stdtrit(sampled.df, level / 2)
        return guarded_mean(sampled, deviations(d), critical, lambda t: np.asarray(2 * stdtr(sampled.df, -t)))
    df = len(d) - 1
    return guarded(d, critical_t(level, df), lambda t: np.asarray(2 * stdtr(df, -t)))


def guarded(d: Floats, critical: float, p: Callable[[Floats], Floats]) -> Outcome:
    """Of differences d[topic, pair]: intervals at a critical |t|, and p of the smaller |t| of both.

    It is 0 where they do not point the same way.
    """
    sd = deviations(d)
    return _guarded((d.mean(axis=0), sd, skewness(d), len(d)), sd, critical, p)


def guarded_mean(sampled: SampledMean, sd: Floats, critical: Floats | float, p: Callable[[Floats], Floats]) -> Outcome:
    """The same of means whose error and skewness are known otherwise; sd is that of differences."""
    return _guarded((sampled.mean, sampled.se, sampled.skewness, 1), sd, critical, p)


def _guarded(
    moments: tuple[Floats, Floats, Floats, int], effect: Floats, critical: Floats | float, p: Callable[[Floats], Floats]
) -> Outcome:
    """Of the mean, deviation and skewness of n values of each pair."""
    mean, sd, gamma, n = moments
    se = sd / math.sqrt(n)
    t, turned = ratio(mean, se), math.sqrt(n) * without_skewness(ratio(mean, sd), gamma, n)
    least = np.where(np.sign(t) == np.sign(turned), np.minimum(np.abs(t), np.abs(turned)), 0.0)
    low, high = _ends(mean, sd, gamma, critical / math.sqrt(n), n)
    ends = np.minimum(low, mean - critical * se), np.maximum(high, mean + critical * se)
    return untested_if_constant(Outcome(*ends, t, p(least), ratio(mean, effect), se), mean)


def without_skewness(w: Floats, gamma: Floats, topics: Floats | int) -> Floats:
    """Hall's g(w). Of differences that do not vary, w is infinite or 0, and stays so."""
    finite = np.where(np.isfinite(w), w, 0.0)
    return w + gamma * finite**2 / 3 + gamma**2 * finite**3 / 27 + gamma / (6 * topics)


def _ends(mean: Floats, sd: Floats, gamma: Floats, reach: Floats | float, topics: int) -> Bounds:
    """d̄ − s g⁻¹(±reach), g⁻¹(x) = 3 (∛(1 + γ (x − γ / 6T)) − 1) / γ."""
    curved = np.where(np.abs(gamma) < _STRAIGHT, 1.0, gamma)

    def inverse(x: Floats | float) -> Floats:
        root = 3 / curved * (np.cbrt(1 + curved * (x - curved / (6 * topics))) - 1)
        return np.where(np.abs(gamma) < _STRAIGHT, x, root)

    return mean - sd * inverse(reach), mean - sd * inverse(-reach)


def skewness(values: Floats) -> Floats:
    """Of each column, with the correction for its size, as scipy.stats.skew(bias=False); 0 where all are the same.

    >>> skewness(np.array([[0.0, 1.0], [0.0, 1.0], [3.0, 1.0]])).round(3).tolist()
    [1.732, 0.0]
    """
    n, centred = len(values), values - values.mean(axis=0)
    if n < 3:
        return np.zeros(values.shape[1:])
    is_flat = np.ptp(values, axis=0) == 0
    centred /= np.where(is_flat, 1.0, np.abs(centred).max(axis=0))  # so that no square becomes 0
    spread = np.where(is_flat, 1.0, np.square(centred).mean(axis=0))
    third = (centred * centred * centred).mean(axis=0) / spread**1.5
    return np.where(is_flat, 0.0, math.sqrt(n * (n - 1)) / (n - 2) * third)


SKEWED_T = Test(
    name=NAME,
    function=skewed_t,
    title="guarded t-test",
    explanation="the more cautious of the paired t-test and its correction for skewed differences",
    place=10,
    takes=("sampling",),
    default_for=("topics",),
    usual="it keeps its error rate where systems vary differently, and nearly where differences are skewed",
    is_for_unequal_spread=True,
    most_systems=20,
    planned_by="pair",
    of_differences=skewed_t_outcome,
    when="the guarded t-test; keeps its error rate where systems vary differently, as they do, and nearly where a few "
    "topics have large gains or losses; a baseline gives it more power",
    assumes="topics are a random sample, by clusters and weights where these are given, large enough to show how "
    "skewed differences are; systems may vary differently",
    how={
        "topics": "the guarded t-test (the more cautious of the paired t-test and its correction for skewness; "
        "Hall 1992)"
    },
    references=("hall-1992",),
)
RECORDS = (SKEWED_T,)
