"""Readers who decide by what they have gained whether they go on, as in cwl_eval.

A reader who is at rank i goes on to the next with probability c(i); the weight of a rank is the share of all ranks
read that it is, and a measure is the expected gain of a document that is read. cwl_eval looks at 1,000 ranks.
"""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.gains import CWL_DEPTH
from irgauge.scoring.catalogue.record import GOAL, GRADES, PERSISTENCE, Parameter, Record, Values, scaled_gains
from irgauge.scoring.kernels import Base, Hits, Scale


@inlined
def _gain_at(rank: int, h: int, hits: Hits, scale: Scale) -> float:
    """The gain of the document at a rank, where `h` is the first hit that is not above it."""
    return scale.gains[hits.levels[h]] if h < len(hits.ranks) and hits.ranks[h] == rank else 0.0


@kernel
def _satisfied(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    """c(i) = discount(i) (1 − gain(i)): the better the document, the sooner the reader stops."""
    total, weights, reads, h = 0.0, 0.0, 1.0, 0
    for rank in range(1, min(scale.cutoff, CWL_DEPTH) + 1):
        gain = _gain_at(rank, h, hits, scale)
        h += h < len(hits.ranks) and hits.ranks[h] == rank
        total += reads * gain
        weights += reads
        reads *= scale.discounts[rank] * (1.0 - gain)
    return total / weights


@kernel
def _adaptive(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    """c(i) = ((i + T + T(i) − 1) / (i + T + T(i)))², where T(i) is what is left of the goal T."""
    total, weights, reads, gained, h = 0.0, 0.0, 1.0, 0.0, 0
    for rank in range(1, CWL_DEPTH + 1):
        gain = _gain_at(rank, h, hits, scale)
        h += h < len(hits.ranks) and hits.ranks[h] == rank
        total += reads * gain
        weights += reads
        gained += gain
        effort = rank + 2 * scale.constants[0] - gained
        reads *= ((effort - 1) / effort) ** 2
    return total / weights


@kernel
def _until_satisfied(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    """The gain per document of a reader who stops when the goal is reached, or at the cut-off."""
    gained, last = 0.0, min(scale.cutoff, CWL_DEPTH)
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > last:
            break
        gained += scale.gains[hits.levels[h]]
        if gained >= scale.constants[0]:
            return gained / hits.ranks[h]
    return gained / last


def _goal(values: Values) -> tuple[float, ...]:
    return (float(values["T"]),)


def _always(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return np.ones_like(ranks)


def _reciprocal(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return np.asarray(ranks / (ranks + 1), np.float64)


def _patient(ranks: Floats, values: Values) -> Floats:
    return np.full_like(ranks, values["p"])


def _inverse_squares(ranks: Floats, values: Values) -> Floats:
    effort = ranks + 2 * values["T"]
    return np.asarray(((effort - 1) / effort) ** 2, np.float64)


_NERR = (
    "ERR as a measure of expected gain (Azzopardi et al. 2021, equation {}; as in cwl_eval): a reader stops at a "
    "document with the probability of its gain, {}"
)
_PATIENCE = Parameter(0.9, PERSISTENCE.allowed, PERSISTENCE.accepts, PERSISTENCE.explanation)

RECORDS: tuple[Record, ...] = (
    Record(
        "INST",
        "adaptive inverse squares",
        "The expected gain of a document that is read by a reader who looks for a gain of T, and goes on the more the "
        "less of it is found (Bailey et al. 2015, as in cwl_eval).",
        _adaptive,
        cutoff="none",
        parameters={"T": GOAL, **GRADES},
        gains=scaled_gains,
        constants=_goal,
        formula=r"\frac{\sum_i g_i \prod_{j<i} c_j}{\sum_i \prod_{j<i} c_j}, \quad "
        r"c_i = \left( \frac{i + 2T - G_i - 1}{i + 2T - G_i} \right)^2, \quad G_i = \sum_{j=1}^{i} g_j",
    ),
    Record(
        "BPM",
        "Bejeweled player model",
        "The gain per document of a reader who stops when a gain of T is reached, or at rank k (Zhang et al. 2017, as "
        "in cwl_eval).",
        _until_satisfied,
        cutoff="required",
        parameters={"T": GOAL, **GRADES},
        gains=scaled_gains,
        constants=_goal,
        formula=r"\frac{1}{m} \sum_{i=1}^{m} g_i, \quad m = \min \left( k, \min \left\{ i : \sum_{j \le i} g_j "
        r"\ge T \right\} \right)",
    ),
    Record(
        "NERR8",
        "nearly expected reciprocal rank, equation 8",
        _NERR.format(8, "or at rank k."),
        _satisfied,
        cutoff="required",
        parameters=GRADES,
        gains=scaled_gains,
        discounts=_always,
        depth=CWL_DEPTH,
        formula=r"\frac{\sum_i g_i \prod_{j<i} c_j}{\sum_i \prod_{j<i} c_j}, \quad "
        r"c_i = 1 - g_i, \quad i \le k",
    ),
    Record(
        "NERR9",
        "nearly expected reciprocal rank, equation 9",
        _NERR.format(9, "else goes on with probability rank/(rank + 1), down to rank k."),
        _satisfied,
        cutoff="required",
        parameters=GRADES,
        gains=scaled_gains,
        discounts=_reciprocal,
        depth=CWL_DEPTH,
        formula=r"\frac{\sum_i g_i \prod_{j<i} c_j}{\sum_i \prod_{j<i} c_j}, \quad "
        r"c_i = \frac{i}{i + 1} (1 - g_i), \quad i \le k",
    ),
    Record(
        "NERR10",
        "nearly expected reciprocal rank, equation 10",
        _NERR.format(10, "else goes on with probability p."),
        _satisfied,
        cutoff="none",
        parameters={"p": _PATIENCE, **GRADES},
        gains=scaled_gains,
        discounts=_patient,
        depth=CWL_DEPTH,
        formula=r"\frac{\sum_i g_i \prod_{j<i} c_j}{\sum_i \prod_{j<i} c_j}, \quad "
        r"c_i = p (1 - g_i)",
    ),
    Record(
        "NERR11",
        "nearly expected reciprocal rank, equation 11",
        _NERR.format(11, "else goes on as one who looks for T documents (INSQ)."),
        _satisfied,
        cutoff="none",
        parameters={"T": GOAL, **GRADES},
        gains=scaled_gains,
        discounts=_inverse_squares,
        depth=CWL_DEPTH,
        formula=r"\frac{\sum_i g_i \prod_{j<i} c_j}{\sum_i \prod_{j<i} c_j}, \quad "
        r"c_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)",
    ),
)
