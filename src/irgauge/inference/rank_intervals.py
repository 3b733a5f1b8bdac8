"""Between which ranks each system lies, for all systems together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison


class RankIntervals(NamedTuple):
    """The best and the worst rank that each system may have."""

    low: Ints  # system
    high: Ints  # system


def rank_intervals(comparison: Comparison) -> RankIntervals:
    """From 1 + the number of systems that are significantly better to R − the number of those significantly worse.

    Where no difference is found that is not there, or in the wrong direction, all intervals hold the true ranks. A test
    that errs in any pair with a probability of at most α thus gives intervals that hold for all R systems together with
    confidence 1 − α. Systems that are equally good share their ranks: each interval holds all of them. Al Mohamad,
    Goeman and van Zwet, "Simultaneous confidence intervals for ranks with application to ranking institutions"
    (Biometrics 2022).

    >>> from irgauge.inference.tests.paired_t import paired_t
    >>> values = np.array([[0.9, 0.2, 0.1], [0.8, 0.1, 0.2], [0.9, 0.3, 0.1], [0.7, 0.0, 0.2], [0.8, 0.1, 0.1]])
    >>> ranks = rank_intervals(paired_t(values, ["a", "b", "c"], correction="holm"))
    >>> ranks.low.tolist(), ranks.high.tolist()
    ([1, 2, 2], [1, 3, 3])
    """
    if comparison.baseline is not None:
        raise DesignError(f"ranks need all pairs of systems; the pairs are {comparison.family}: leave the baseline out")
    systems = len(comparison.systems)
    better = np.bincount(comparison.second[comparison.significant], minlength=systems)
    worse = np.bincount(comparison.first[comparison.significant], minlength=systems)
    return RankIntervals(1 + better, systems - worse)
