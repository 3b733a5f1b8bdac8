"""The paired t-test over topics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.intervals import critical_t
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
from irgauge.inference.sampling import Sampling
from irgauge.inference.tests.record import Test

NAME = "t"


def paired_t(
    values: Floats,
    systems: Names,
    *,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
    sampling: Sampling | None = None,
) -> Comparison:
    """The paired t-test of values[topic, system], two-sided.

    t = d̄ √T / s with T − 1 degrees of freedom, where d̄ and s are the mean and the standard deviation of the
    differences over topics; the effect is d̄ / s. Student, "The probable error of a mean" (Biometrika 1908). Of topics
    in clusters or with weights, the mean, its error and the degrees of freedom are those of `inference.sampling`.

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> paired_t(values, ["a", "b", "c"], correction="holm").p_adjusted.round(4).tolist()
    [0.1047, 0.1047, 0.1047]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline, sampling=sampling)
    outcome = in_blocks(pairs, len(y), lambda u, v: t_outcome(differences(y, u, v), pairs.level, sampling))
    return replace(compared(pairs, NAME, outcome), df=freedom(len(y), sampling))


def freedom(topics: int, sampling: Sampling | None) -> float:
    """The degrees of freedom of a mean; of kinds with shares those of the kind with the fewest, which all have."""
    return float(topics - 1) if sampling is None else float(sampling.freedom.min())


def t_outcome(d: Floats, level: float, sampling: Sampling | None = None) -> Outcome:
    """The paired t-test of differences d[topic, pair], with intervals at a level."""
    if sampling is not None:
        return _sampled_t(d, level, sampling)
    mean, sd, n = d.mean(axis=0), deviations(d), len(d)
    (t, p), se = t_of_differences(d), sd / math.sqrt(n)
    outcome = Outcome.around(mean, critical_t(level, n - 1) * se, t, p, ratio(mean, sd), se)
    return untested_if_constant(outcome, mean)


def _sampled_t(d: Floats, level: float, sampling: Sampling) -> Outcome:
    sampled, (t, p) = sampling.of(d), t_of_differences(d, sampling)
    half = -stdtrit(sampled.df, level / 2) * sampled.se
    outcome = Outcome.around(sampled.mean, half, t, p, ratio(sampled.mean, deviations(d)), sampled.se)
    return untested_if_constant(outcome, sampled.mean)


def t_of_differences(d: Floats, sampling: Sampling | None = None) -> tuple[Floats, Floats]:
    """Student's t of differences d[topic, ...] and its two-sided p-value, over topics; 1 of constant ones."""
    if sampling is not None:
        sampled = sampling.of(d)
        t = ratio(sampled.mean, sampled.se)
        return t, np.where(np.isinf(t), 1.0, 2 * stdtr(sampled.df, -np.abs(t)))
    n = len(d)
    t = ratio(d.mean(axis=0), deviations(d) / math.sqrt(n))
    return t, np.where(np.isinf(t), 1.0, 2 * stdtr(n - 1, -np.abs(t)))


PAIRED_T = Test(
    name=NAME,
    function=paired_t,
    title="paired t-test",
    explanation="paired t-test over topics",
    place=20,
    takes=("sampling",),
    most_systems=5,
    planned_by="pair",
    of_differences=t_outcome,
    when="where differences are not skewed: a little more power than skewed-t, and what most papers use",
    assumes="topics are a random sample, by clusters and weights where these are given; the mean difference is nearly "
    "normal; systems may vary differently",
    references=("student-1908",),
)
RECORDS = (PAIRED_T,)
