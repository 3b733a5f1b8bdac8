"""How many topics does a test need to find a difference? From a difference and its deviation from topic to topic."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

from scipy.special import nctdtr

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
