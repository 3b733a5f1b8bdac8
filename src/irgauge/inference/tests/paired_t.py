"""The paired t-test over topics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.intervals import critical_t
from irgauge.inference.outcomes import Names, Outcome, compared, deviations, differences, in_blocks, on_values, ratio
from irgauge.inference.tests.record import Test

NAME = "t"


def paired_t(
    values: Floats, systems: Names, *, alpha: float = 0.05, correction: str = "none", baseline: Name = None
) -> Comparison:
    """The paired t-test of values[topic, system], two-sided.

    t = d̄ √T / s with T − 1 degrees of freedom, where d̄ and s are the mean and the standard deviation of the
    differences over topics; the effect is d̄ / s. Student, "The probable error of a mean" (Biometrika 1908).

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> paired_t(values, ["a", "b", "c"], correction="holm").p_adjusted.round(4).tolist()
    [0.1047, 0.1047, 0.1047]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    outcome = in_blocks(pairs, len(y), lambda u, v: t_outcome(differences(y, u, v), pairs.level))
    return replace(compared(pairs, NAME, outcome), df=float(len(y) - 1))


def t_outcome(d: Floats, level: float) -> Outcome:
    """The paired t-test of differences d[topic, pair], with intervals at a level."""
    mean, sd, n = d.mean(axis=0), deviations(d), len(d)
    (t, p), se = t_of_differences(d), sd / math.sqrt(n)
    return Outcome.around(mean, critical_t(level, n - 1) * se, t, p, ratio(mean, sd), se)


def t_of_differences(d: Floats) -> tuple[Floats, Floats]:
    """Student's t of differences d[topic, ...] and its two-sided p-value, each over topics alone."""
    n = len(d)
    t = ratio(d.mean(axis=0), deviations(d) / math.sqrt(n))
    return t, 2 * stdtr(n - 1, -np.abs(t))


PAIRED_T = Test(
    name=NAME,
    function=paired_t,
    title="paired t-test",
    explanation="paired t-test over topics",
    place=10,
    default_for=("topics",),
    usual="it keeps its error rate where systems vary differently",
    is_for_unequal_spread=True,
    planned_by="pair",
    of_differences=t_outcome,
    when="keeps its error rate where systems vary differently, as they do; a baseline gives it more power",
    references=("student-1908",),
)
RECORDS = (PAIRED_T,)
