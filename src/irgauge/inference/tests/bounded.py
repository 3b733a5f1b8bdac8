"""A test of means of scores between known bounds, valid for any number of topics: by betting against equal means."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import logsumexp

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.outcomes import Names, Outcome, compared, deviations, differences, in_blocks, on_values, ratio
from irgauge.inference.tests.record import Test
from irgauge.scoring.measures import ROUNDING, Range, of_differences

NAME = "bounded"

SHARES = (np.arange(20) + 0.5) / 20  # shares of the capital that are put on each topic: never all of it
_HALVINGS = 40  # of a bracket: to 1e-12 of the range


def bounded(
    values: Floats,
    systems: Names,
    *,
    within: Range | None = None,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
) -> Comparison:
    """The betting test of values[topic, system] that lie within a range, two-sided; valid for any number of topics.

    With scores between a and b, d_i between ±w, w = b − a. Someone bets a share γ of the capital on each topic, at
    odds that are fair or worse where the true mean is δ or less; starting from 1, the capital is

        K(δ) = mean over γ of Π (1 + γ (d_i − δ) / (w + δ))

    and exceeds 1/p with a chance of p at most, whatever the distribution (Ville 1939). p is 2 over the larger of the
    two capitals at δ = 0, of bets on either side; the interval holds all δ that neither side refutes at α/2. The mean
    over fixed γ (the diversified Kelly bettor of Waudby-Smith and Ramdas, "Estimating means of bounded random variables
    by betting", JRSS B 2024) does not depend on the order of topics. The statistic is the larger capital, the effect
    d̄ / s.

    >>> values = np.array([[0.1, 0.9], [0.2, 0.8], [0.1, 0.7], [0.0, 0.8], [0.2, 1.0], [0.1, 0.8], [0.3, 0.9]])
    >>> bounded(values, ["a", "b"], within=(0.0, 1.0)).p.round(3).tolist()
    [0.164]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    possible = of_differences(within)
    if within is None or possible is None:
        raise DesignError(
            f"the test {NAME} needs scores whose least and largest possible value are known, such as AP; use the test "
            "skewed-t, or t"
        )
    if not ((y >= within[0] - ROUNDING) & (y <= within[1] + ROUNDING)).all():
        raise DesignError(f"the test {NAME} was told that scores lie within {within}, and some do not")
    outcome = in_blocks(
        pairs,
        len(y) * len(SHARES),
        lambda u, v: bounded_outcome(np.clip(differences(y, u, v), *possible), pairs.level, possible[1]),
    )
    return compared(pairs, NAME, outcome)


def bounded_outcome(d: Floats, level: float, width: float) -> Outcome:
    """The betting test of differences d[topic, pair] between ± width, with intervals at a level."""
    mean, sd = d.mean(axis=0), deviations(d)
    capital = np.exp(np.maximum(*(log_capital(side * d, np.zeros(d.shape[1]), width) for side in (1, -1))))
    p = np.minimum(1.0, 2 / capital)
    low, high = (side * _least_mean(side * d, level / 2, width) for side in (1, -1))
    return Outcome(low, high, capital, p, ratio(mean, sd), sd / math.sqrt(len(d)))


def log_capital(d: Floats, delta: Floats, width: float) -> Floats:
    """log K(δ) of each column of d[topic, pair], by bets that the mean is above δ."""
    z = ratio(d - delta, width + delta)  # topic, pair: −1 or more
    bets = np.log1p(SHARES[:, None, None] * z).sum(axis=1)  # bet, pair
    return np.asarray(logsumexp(bets, axis=0) - math.log(len(SHARES)))


def _least_mean(d: Floats, alpha: float, width: float) -> Floats:
    """The least mean that is not refuted: K falls from the least possible mean to d̄, where it is 1 or less."""
    low, high = np.full(d.shape[1], -width), d.mean(axis=0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        refuted: Bools = log_capital(d, middle, width) >= -math.log(alpha)
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return low


BOUNDED = Test(
    name=NAME,
    function=bounded,
    title="betting test of bounded scores",
    explanation="valid for any number of topics and any differences, for measures with a known range; finds little",
    place=85,
    is_signed=False,
    takes=("within",),
    is_slow=True,
    when="where a false claim must not happen: it holds even if rare large gains or losses are yet unseen, and finds "
    "much less",
    assumes="topics are a sample, drawn one by one; scores lie within the known range of the measure; nothing else",
    how={"topics": "the betting test of bounded scores (Waudby-Smith and Ramdas 2024)"},
    references=("waudby-smith-ramdas-2024",),
)
RECORDS = (BOUNDED,)
