"""Average precision for graded relevance: the Q-measure, and graded average precision."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.gains import ideal_gain
from irgauge.scoring.catalogue.record import (
    GAINS,
    JUDGED_ONLY,
    Parameter,
    Record,
    Values,
    grade_gains,
    is_number,
    own_gains,
)
from irgauge.scoring.kernels import RELEVANT, Base, Hits, Scale


@kernel
def _q_measure(hits: Hits, base: Base, scale: Scale) -> float:
    """The blended ratio of precision and cumulated gain at each relevant document, averaged over all of them."""
    beta, relevant, gained, total = scale.constants[0], 0, 0.0, 0.0
    for h in range(len(hits.ranks)):
        gained += scale.gains[hits.levels[h]]
        if scale.kinds[hits.levels[h]] == RELEVANT:
            relevant += 1
            ideal = ideal_gain(base, scale, hits.ranks[h])
            total += (relevant + beta * gained) / (hits.ranks[h] + beta * ideal)
    return total / base.relevant


@inlined
def _agreed(h: int, hits: Hits, scale: Scale) -> float:
    """The probability that a reader takes both a document and the one of hit h as relevant, over all down to it."""
    total, own = 0.0, scale.gains[hits.levels[h]]
    for above in range(h + 1):
        total += min(scale.gains[hits.levels[above]], own)
    return total


@kernel
def _graded_average_precision(hits: Hits, base: Base, scale: Scale) -> float:
    total, expected = 0.0, 0.0
    for level in range(len(scale.gains)):
        expected += scale.gains[level] * base.counts[level]
    for h in range(len(hits.ranks)):
        total += _agreed(h, hits, scale) / hits.ranks[h]
    return total / expected if expected > 0 else 0.0


def _beta(values: Values) -> tuple[float, ...]:
    return (float(values["beta"]),)


def _grades_or_own(grades: Ints, values: Values) -> Floats:
    return own_gains(grade_gains(grades, values), grades, values)


def _are_thresholds(value: object) -> bool:
    return GAINS.accepts(value) and isinstance(value, dict) and min(value) >= 1 and max(value.values()) > 0


def _passed(grades: Ints, values: Values) -> Floats:
    """How much of the thresholds a grade passes; without any, as if all were alike."""
    thresholds = values["thresholds"]
    if thresholds is None:
        return grade_gains(grades, values)
    passed = [sum(share for grade, share in thresholds.items() if grade <= own) for own in grades.tolist()]
    return np.array(passed, np.float64)


_BETA = Parameter(1, "a number from 0", lambda v: is_number(v) and v >= 0, "how much gains count; 0: Q is AP")
_THRESHOLDS = Parameter(
    None,
    "a mapping from grades of at least 1 to how likely each is, such as {1: 0.3, 2: 0.7}",
    _are_thresholds,
    "how likely readers take a grade as the lowest that is relevant; all grades alike where none are given",
)

RECORDS: tuple[Record, ...] = (
    Record(
        "Q",
        "Q-measure",
        "At each relevant document, precision and cumulated gain in one ratio with those of the ideal ranking, "
        "averaged over all relevant documents; 0 for those not retrieved (Sakai 2004).",
        _q_measure,
        cutoff="none",
        parameters={"beta": _BETA, "gains": GAINS, "judged_only": JUDGED_ONLY},
        gains=_grades_or_own,
        constants=_beta,
        formula=r"\frac{1}{R} \sum_{i : r_i = 1} \frac{F_i + \beta \sum_{j \le i} g_j}{i + \beta \sum_{j \le i} g^*_j}",
    ),
    Record(
        "GAP",
        "graded average precision",
        "AP expected over readers, each of whom takes another grade as the lowest that is relevant (Robertson, "
        "Kanoulas and Yilmaz 2010).",
        _graded_average_precision,
        cutoff="none",
        parameters={"thresholds": _THRESHOLDS, "judged_only": JUDGED_ONLY},
        gains=_passed,
        formula=r"\frac{1}{\sum_i g^*_i} \sum_{i=1}^{n} \frac{1}{i} \sum_{j=1}^{i} \min(g_i, g_j)",
    ),
)
