"""Compatibility: the rank-biased overlap of a list with the ideal list that is most like it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.scoring.catalogue.record import PERSISTENCE, Record, Values, grade_gains, switch
from irgauge.scoring.kernels import Base, Hits, Scale


@kernel(makes_arrays=True)
def _first_ideal_ranks(base: Base, scale: Scale) -> Ints:
    """Where documents of each level start in an ideal list: after those of higher gains."""
    firsts = np.ones(len(scale.gains), np.int64)
    for level in range(len(firsts)):
        for other in range(len(firsts)):
            if scale.gains[other] > scale.gains[level]:
                firsts[level] += base.counts[other]
    return firsts


@kernel(makes_arrays=True)
def _compatibility(hits: Hits, base: Base, scale: Scale) -> float:
    """A document counts in the overlap at every depth from the larger of its two ranks on.

    cumulated[d] is the sum of p^(i − 1)/i for i up to d. Of documents with one gain, those retrieved come first in
    the ideal list, in the order in which they were retrieved.
    """
    ideal_ranks, depth, overlap = _first_ideal_ranks(base, scale), max(hits.length, base.relevant), 0.0
    for h in range(len(hits.ranks)):
        gain, ideal_rank = scale.gains[hits.levels[h]], ideal_ranks[hits.levels[h]]
        overlap += scale.cumulated[depth] - scale.cumulated[max(hits.ranks[h], ideal_rank) - 1]
        for level in range(len(ideal_ranks)):
            ideal_ranks[level] += scale.gains[level] == gain
    persistence, normalize = scale.constants[0], scale.constants[1]
    if normalize == 0.0:
        return overlap * (1 - persistence) / (1 - persistence**depth)
    best = 0.0
    for rank in range(base.relevant):
        best += scale.cumulated[depth] - scale.cumulated[rank]
    return overlap / best


def _overlap_weights(ranks: Floats, values: Values) -> Floats:
    return np.asarray(values["p"] ** (ranks - 1) / ranks, np.float64)


RECORDS: tuple[Record, ...] = (
    Record(
        "Compat",
        "compatibility",
        "The rank-biased overlap of the list with the ideal list that is most like it: over depths d, the sum of "
        "p^(d − 1) times the share of documents that the tops of both have in common, divided by that of the ideal "
        "list with itself (Clarke, Vtyurina and Smucker 2021).",
        _compatibility,
        cutoff="none",
        parameters={
            "p": replace(PERSISTENCE, default=0.95),
            "normalize": replace(switch("divide by the overlap of the ideal list with itself"), default=True),
        },
        gains=grade_gains,
        discounts=_overlap_weights,
        constants=lambda values: (values["p"], float(values["normalize"])),
        length=True,
        formula=r"\frac{\sum_{d=1}^{D} p^{d-1} \, | L_d \cap I_d | / d}{\sum_{d=1}^{D} p^{d-1} \min(d, R) / d}, "
        r"\quad D = \max(n, R)",
    ),
)
