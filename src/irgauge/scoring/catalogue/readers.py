"""Measures of readers who go down the list and stop somewhere, at ranks that the documents decide little or not at all.

Those whose weights depend on the whole list, as in cwl_eval, are in stopping.py.
"""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.errors import DesignError
from irgauge.scoring.catalogue.gains import CWL_DEPTH, cumulated_gain
from irgauge.scoring.catalogue.record import (
    GAINS,
    GOAL,
    JUDGED_ONLY,
    MAX_REL,
    MIN_REL,
    PERSISTENCE,
    REL,
    RELEVANCE,
    Parameter,
    Record,
    Values,
    as_is,
    binary_gains,
    grade_gains,
    highest_grade,
    own_gains,
    scaled_gains,
    switch,
)
from irgauge.scoring.catalogue.unjudged import Weighed
from irgauge.scoring.direction import LOWER
from irgauge.scoring.kernels import Base, Hits, Scale


@kernel
def _weighted_gain(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    total = cumulated_gain(hits, scale)
    return 1.0 - total if scale.constants[0] > 0 else total


@kernel
def _expected_reciprocal_rank(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all
    total, reaches = 0.0, 1.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        stops = scale.gains[hits.levels[h]]
        total += reaches * stops / hits.ranks[h]
        reaches *= 1.0 - stops
    return total


def _stop_probabilities(grades: Ints, values: Values) -> Floats:
    highest = highest_grade(grades, values)
    return np.asarray(np.exp2(np.clip(grades, 0, highest) - float(highest)) - np.exp2(-float(highest)), np.float64)


def _rbp_gains(grades: Ints, values: Values) -> Floats:
    if sum(values[name] is not None for name in ("rel", "max_rel", "gains")) > 1:
        raise DesignError("RBP takes one of rel=, max_rel= and gains=, as each of them sets the gains of grades")
    if values["residual"]:
        return (grades >= 0).astype(np.float64)
    if values["rel"] is not None:
        return binary_gains(grades, values)
    if values["max_rel"] is not None:
        return grade_gains(grades, values) / highest_grade(grades, values)
    return own_gains(grade_gains(grades, values), grades, values)


def _is_residual(values: Values) -> tuple[float, ...]:
    return (float(values.get("residual", False)),)


def _rbp_weights(ranks: Floats, values: Values) -> Floats:
    return np.asarray((1 - values["p"]) * values["p"] ** (ranks - 1), np.float64)


def _insq_gains(grades: Ints, values: Values) -> Floats:
    return binary_gains(grades, values) if values["max_rel"] is None else scaled_gains(grades, values)


def _insq_weights(ranks: Floats, values: Values) -> Floats:
    from scipy.special import polygamma

    weights = np.asarray(1 / (ranks + 2 * values["T"] - 1) ** 2, np.float64)
    if values["max_rel"] is None:
        return weights / float(polygamma(1, 2 * values["T"]))
    return np.where(ranks <= CWL_DEPTH, weights / weights[:CWL_DEPTH].sum(), 0.0)


def _optional(parameter: Parameter, explanation: str) -> Parameter:
    return Parameter(None, parameter.allowed, parameter.accepts, explanation)


_RESIDUAL = switch("the weight of ranks that are not judged, not the score")
_ERR_HIGHEST = Parameter(4, MAX_REL.allowed, MAX_REL.accepts, MAX_REL.explanation)

RECORDS: tuple[Record, ...] = (
    Record(
        "ERR",
        "expected reciprocal rank",
        "The expected 1/rank at which a reader stops, who stops at a document of grade g with probability "
        "(2^g − 1) / 2^max_rel (Chapelle et al. 2009). As in gdeval and ir_measures the highest grade is 4 unless "
        "max_rel= says otherwise, so that ERR is far below 1 where judgments are binary.",
        _expected_reciprocal_rank,
        parameters={"max_rel": _ERR_HIGHEST, "judged_only": JUDGED_ONLY},
        gains=_stop_probabilities,
        unjudged=Weighed("stopping"),
        formula=r"\sum_{i=1}^{k} \frac{s_i}{i} \prod_{j=1}^{i-1} (1 - s_j), \quad s_i = \frac{2^{g_i} - "
        r"1}{2^{g_{\max}}}",
    ),
    Record(
        "RBP",
        "rank-biased precision",
        "The sum of (1 − p) p^(rank − 1) times the gain of each document: a reader goes on to the next document with "
        "probability p (Moffat and Zobel 2008). The gain is the grade, as in ir_measures and ranx, which for grades "
        "above 1 may give scores above 1; with rel= it is 1 for relevant documents, with max_rel= the grade over the "
        "highest one, as in TREC-COVID.",
        _weighted_gain,
        parameters={
            "p": PERSISTENCE,
            "rel": _optional(REL, REL.explanation),
            "max_rel": _optional(MAX_REL, MAX_REL.explanation),
            "gains": GAINS,
            "residual": _RESIDUAL,
            "judged_only": JUDGED_ONLY,
        },
        range_with=("rel", "max_rel", "residual"),
        gains=_rbp_gains,
        discounts=_rbp_weights,
        weights=as_is,
        constants=_is_residual,
        unjudged=Weighed("gains"),
        direction_with={"residual": LOWER},
        formula=r"(1 - p) \sum_{i=1}^{k} p^{i-1} g_i",
    ),
    Record(
        "INSQ",
        "inverse squares",
        "The sum over the relevant documents of a weight proportional to 1/(rank + 2T − 1)²: a reader looks for T "
        "of them (Moffat et al. 2012). With max_rel= it is graded, over the first 1,000 ranks, as in cwl_eval and "
        "ir_measures.",
        _weighted_gain,
        parameters={
            "T": GOAL,
            **RELEVANCE,
            "min_rel": MIN_REL,
            "max_rel": _optional(MAX_REL, "highest grade, for graded gains; 'qrels': that of the qrels"),
        },
        gains=_insq_gains,
        discounts=_insq_weights,
        constants=_is_residual,
        unjudged=Weighed("gains"),
        depth=CWL_DEPTH,
        formula=r"\frac{\sum_{i=1}^{k} g_i (i + 2T - 1)^{-2}}{\sum_{i=1}^{\infty} (i + 2T - 1)^{-2}}",
    ),
)
