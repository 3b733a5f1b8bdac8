"""Measures that add up gains, each discounted by its rank."""

from __future__ import annotations

import math

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.record import (
    GAINS,
    GRADES,
    JUDGED_ONLY,
    Parameter,
    Record,
    Values,
    as_is,
    grade_gains,
    is_number,
    own_gains,
    scaled_gains,
)
from irgauge.scoring.catalogue.unjudged import Weighed
from irgauge.scoring.kernels import Base, Hits, Scale

CWL_DEPTH = 1000  # cwl_eval looks at so many ranks


@inlined
def cumulated_gain(hits: Hits, scale: Scale) -> float:
    """The discounted gains, summed down to the cut-off."""
    total = 0.0
    for h in range(len(hits.ranks)):
        rank, level = np.uint32(hits.ranks[h]), np.uint16(hits.levels[h])  # else numba tests for negative places
        if rank > scale.cutoff:
            break
        total += scale.gains[level] * scale.discounts[rank]
    return total


@inlined
def ideal_gain(base: Base, scale: Scale, depth: int) -> float:
    """The same for the ideal ranking, down to a rank."""
    ideal, rank = 0.0, 0
    for i in range(len(scale.order)):
        level = scale.order[i]
        last = min(rank + base.counts[level], depth)
        ideal += scale.gains[level] * (scale.cumulated[last] - scale.cumulated[rank])
        rank = last
    return ideal


@kernel
def discounted_gain(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    """The discounted gains as they are."""
    return cumulated_gain(hits, scale)


@kernel
def _normalised_gain(hits: Hits, base: Base, scale: Scale) -> float:
    ideal = ideal_gain(base, scale, scale.cutoff)
    return cumulated_gain(hits, scale) / ideal if ideal > 0 else 0.0


@kernel
def _scaled_gain(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    return cumulated_gain(hits, scale) / scale.cumulated[min(scale.cutoff, CWL_DEPTH)]


def _over_all(discounts: Floats, cutoff: int) -> Floats:
    """Of a share of the most that is possible."""
    return np.asarray(discounts / discounts[: min(cutoff, CWL_DEPTH)].sum(), np.float64)


def _dcg_gains(grades: Ints, values: Values) -> Floats:
    gains = 2.0 ** np.maximum(grades, 0) - 1 if values["dcg"] == "exp-log2" else grade_gains(grades, values)
    return own_gains(gains, grades, values)


def _dcg_discounts(ranks: Floats, values: Values) -> Floats:
    if values["dcg"] == "jk":
        return 1 / np.maximum(1, np.log(ranks) / math.log(values["base"]))
    return log_discounts(ranks, values)


def log_discounts(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    """1 / log2(rank + 1)."""
    return np.asarray(1 / np.log2(ranks + 1), np.float64)


def _first_discounts(ranks: Floats, values: Values) -> Floats:
    return np.where(ranks <= CWL_DEPTH, log_discounts(ranks, values), 0.0)


_DCG_PARAMETERS = {
    "dcg": Parameter(
        "log2",
        "'log2', 'exp-log2' or 'jk'",
        lambda v: v in ("log2", "exp-log2", "jk"),
        "log2: grade over log2(rank + 1); exp-log2: gain 2^grade − 1; jk: undiscounted before rank `base`, "
        "then over the logarithm of the rank (Järvelin and Kekäläinen 2002)",
    ),
    "base": Parameter(2, "a number above 1", lambda v: is_number(v) and v > 1, "base of the logarithm, for dcg='jk'"),
    "gains": GAINS,
    "judged_only": JUDGED_ONLY,
}

RECORDS: tuple[Record, ...] = (
    Record(
        "nDCG",
        "normalised discounted cumulated gain",
        "The gains of the documents, each divided by a discount that grows with the rank, over the same sum "
        "for the ideal ranking.",
        _normalised_gain,
        parameters=_DCG_PARAMETERS,
        aliases=("ndcg", "ndcg_cut_{k}"),
        gains=_dcg_gains,
        discounts=_dcg_discounts,
        unjudged=Weighed("ideal"),
        formula=r"\frac{\sum_{i=1}^{k} g_i / d_i}{\sum_{i=1}^{k} g^*_i / d_i}, \quad d_i = \log_2(i + 1)",
    ),
    Record(
        "DCG",
        "discounted cumulated gain",
        "The gains of the documents, each divided by a discount that grows with the rank, as they are.",
        discounted_gain,
        parameters=_DCG_PARAMETERS,
        range=None,
        gains=_dcg_gains,
        discounts=_dcg_discounts,
        weights=as_is,
        unjudged=Weighed("gains"),
        formula=r"\sum_{i=1}^{k} \frac{g_i}{d_i}, \quad d_i = \log_2(i + 1)",
    ),
    Record(
        "SDCG",
        "scaled discounted cumulated gain",
        "DCG over that of k documents of the highest grade, whether there are so many or not (cwl_eval's NDCG).",
        _scaled_gain,
        cutoff="required",
        parameters=GRADES,
        gains=scaled_gains,
        discounts=_first_discounts,
        weights=_over_all,
        unjudged=Weighed("gains"),
        depth=CWL_DEPTH,
        formula=r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} 1 / \log_2(i + 1)}",
    ),
)
