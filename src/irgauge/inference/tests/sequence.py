"""A test of pairs that holds at every look. It rests on the order of topics, so that only studies of looks take it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.confidence_sequences import largest_capital, mean_sequence, mirrored
from irgauge.inference.corrections import BONFERRONI
from irgauge.inference.outcomes import Names, Outcome, compared, deviations, differences, in_blocks, on_values, ratio
from irgauge.inference.tests.record import Test
from irgauge.scoring.measures import Range, of_differences

NAME = "sequence"


def sequence(
    values: Floats,
    systems: Names,
    *,
    within: Range | None = None,
    alpha: float = 0.05,
    correction: str = "none",
    baseline: Name = None,
) -> Comparison:
    """Confidence sequences of the differences of values[topic, system], with topics in random order.

    By betting where scores lie within a range, else asymptotic. p is the level at which 0 was outside at some time: 2
    over the largest of all capitals. The statistic is Student's t, the effect d̄ / s.

    >>> values = np.array([[0.1, 0.9], [0.2, 0.8], [0.1, 0.7], [0.0, 0.8], [0.2, 1.0], [0.1, 0.8], [0.3, 0.9]])
    >>> sequence(values, ["a", "b"], within=(0.0, 1.0)).p.round(3).tolist()
    [0.128]
    """
    pairs, y = on_values(values, systems, alpha, correction, baseline)
    possible = of_differences(within)
    outcome = in_blocks(pairs, len(y), lambda u, v: sequence_outcome(differences(y, u, v), pairs.level, possible))
    return replace(compared(pairs, NAME, outcome), df=None)


def sequence_outcome(d: Floats, level: float, within: Range | None) -> Outcome:
    """Of differences d[topic, pair] that lie within a range, with intervals at a level."""
    mean, sd = d.mean(axis=0), deviations(d)
    se = sd / math.sqrt(len(d))
    sides = largest_capital(d, 0.0, within), largest_capital(0.0 - d, 0.0, mirrored(within))
    p = np.minimum(1.0, 2 * np.exp(-np.maximum(*sides)))
    return Outcome(*mean_sequence(d, level, within), ratio(mean, se), p, ratio(mean, sd), se)


SEQUENCE = Test(
    name=NAME,
    function=sequence,
    title="confidence sequence",
    explanation="holds at every look: by betting for measures with a known range, else asymptotic",
    corrected_by=BONFERRONI,
    takes=("within",),
    needs_spread=False,
    assumes="topics come in random order; scores lie within a known range, or topics are many",
    references=("waudby-smith-ramdas-2024", "waudby-smith-2024"),
)
