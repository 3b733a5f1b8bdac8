"""The two-sample t-test, which does not use that topics are the same."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.intervals import critical_t
from irgauge.inference.outcomes import Names, Outcome, compared, deviations, on_values, ratio
from irgauge.inference.tests.record import Test

NAME = "unpaired-t"


def unpaired_t(
    values: Floats, systems: Names, *, alpha: float = 0.05, correction: str = "none", baseline: Name = None
) -> Comparison:
    """The two-sample t-test of values[topic, system], two-sided: it does not use that the topics are the same.

    t = (μ_u − μ_v) / (s √(2/T)) with 2T − 2 degrees of freedom, s² the mean of the two variances; the effect is
    (μ_u − μ_v) / s, Cohen's d. Voorhees, Samarov and Soboroff (TOIS 2017), Table 4.

    >>> values = np.array([[0.2, 0.5, 0.6], [0.3, 0.4, 0.4], [0.1, 0.6, 0.7], [0.2, 0.5, 0.6]])
    >>> unpaired_t(values, ["a", "b", "c"]).p_adjusted.round(4).tolist()
    [0.3559, 0.0025, 0.002]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    variance, df = np.square(deviations(y)), 2 * len(y) - 2
    s = np.sqrt((variance[pairs.first] + variance[pairs.second]) / 2)
    se = s * math.sqrt(2 / len(y))
    t, margin = ratio(pairs.difference, se), critical_t(pairs.level, df) * se
    outcome = Outcome.around(pairs.difference, margin, t, 2 * stdtr(df, -np.abs(t)), ratio(pairs.difference, s), se)
    return replace(compared(pairs, NAME, outcome), df=float(df))


UNPAIRED_T = Test(
    name=NAME,
    function=unpaired_t,
    title="two-sample t-test",
    explanation="two-sample t-test, topics not matched",
    place=90,
    is_paired=False,
    assumes="scores of the two systems are independent, which scores on the same topics are not; means are nearly "
    "normal, and both systems vary alike",
    caution="the two-sample t-test does not use that the topics are the same: it misses differences that the paired "
    "t-test finds",
)
RECORDS = (UNPAIRED_T,)
