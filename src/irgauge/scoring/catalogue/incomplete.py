"""Measures for judgments that are incomplete, and how incomplete they are."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.jit import kernel
from irgauge.scoring.catalogue.record import RELEVANCE, Record
from irgauge.scoring.direction import LOWER
from irgauge.scoring.kernels import NONRELEVANT, RELEVANT, Base, Hits, Scale

_EPSILON = 0.00001  # trec_eval's smoothing of inferred precision


@kernel
def binary_preference(hits: Hits, base: Base, scale: Scale) -> float:
    """The share of judged pairs in the right order, over the first R that are not relevant."""
    nonrelevant = 0
    for level in range(len(scale.kinds)):
        if scale.kinds[level] == NONRELEVANT:
            nonrelevant += base.counts[level]
    above, total = 0, 0.0
    for h in range(len(hits.ranks)):
        kind = scale.kinds[hits.levels[h]]
        if kind == NONRELEVANT:
            above += 1
        elif kind == RELEVANT:
            wrong = min(above, base.relevant) / min(nonrelevant, base.relevant) if above > 0 else 0.0
            total += 1.0 - wrong
    return total / base.relevant


@kernel
def _inferred_ap(hits: Hits, base: Base, scale: Scale) -> float:
    pooled, relevant, nonrelevant, total = 0, 0, 0, 0.0
    for h in range(len(hits.ranks)):
        kind = scale.kinds[hits.levels[h]]
        if kind == RELEVANT:
            rank = hits.ranks[h]
            share = (relevant + _EPSILON) / (relevant + nonrelevant + 2 * _EPSILON)
            total += 1.0 / rank + pooled / rank * share
            relevant += 1
        elif kind == NONRELEVANT:
            nonrelevant += 1
        pooled += 1
    return total / base.relevant


@kernel(makes_arrays=True)
def _strata_weights(base: Base, scale: Scale) -> Floats:
    """How many documents of its stratum a sampled document represents."""
    size = np.zeros(scale.strata.max() + 1)
    sampled = np.zeros(len(size))
    for level in range(len(scale.kinds)):
        size[scale.strata[level]] += base.counts[level]
        if scale.kinds[level] >= NONRELEVANT:
            sampled[scale.strata[level]] += base.counts[level]
    return size / np.maximum(sampled, 1.0)


@kernel(makes_arrays=True)
def _extended_inferred_ap(hits: Hits, base: Base, scale: Scale) -> float:
    weights = _strata_weights(base, scale)
    pooled, relevant, nonrelevant = np.zeros(len(weights)), np.zeros(len(weights)), np.zeros(len(weights))
    total, estimated = 0.0, 0.0
    for level in range(len(scale.kinds)):
        if scale.kinds[level] == RELEVANT:
            estimated += weights[scale.strata[level]] * base.counts[level]
    for h in range(len(hits.ranks)):
        kind, stratum = scale.kinds[hits.levels[h]], scale.strata[hits.levels[h]]
        if kind == RELEVANT:
            expected = 1.0
            for s in range(len(weights)):
                expected += pooled[s] * (relevant[s] + _EPSILON) / (relevant[s] + nonrelevant[s] + 2 * _EPSILON)
            total += weights[stratum] * expected / hits.ranks[h]
            relevant[stratum] += 1
        elif kind == NONRELEVANT:
            nonrelevant[stratum] += 1
        pooled[stratum] += 1
    return total / estimated


@kernel
def _judged_share(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    judged = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        judged += 1
    return judged / min(scale.cutoff, hits.length) if hits.length > 0 else 0.0


@kernel
def _unjudged_share(hits: Hits, base: Base, scale: Scale) -> float:  # noqa: ARG001  # one signature for all kernels
    judged = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        judged += scale.kinds[hits.levels[h]] >= NONRELEVANT
    return (min(scale.cutoff, hits.length) - judged) / scale.cutoff


RECORDS: tuple[Record, ...] = (
    Record(
        "Bpref",
        "binary preference",
        "The share of judged pairs that are in the right order, over the first R documents judged not relevant "
        "(Buckley and Voorhees 2004, as in trec_eval).",
        binary_preference,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("bpref",),
        judged=True,
        formula=r"\frac{1}{R} \sum_{i : r_i = 1} \left( 1 - \frac{\min(b_i, R)}{\min(N, R)} \right)",
    ),
    Record(
        "infAP",
        "inferred average precision",
        "AP estimated from a sample of the pool: a grade below 0 marks a document of the pool that was not judged "
        "(Yilmaz and Aslam 2006, as in trec_eval).",
        _inferred_ap,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("infAP",),
        judged=True,
        formula=r"\frac{1}{R} \sum_{i : r_i = 1} \frac{1}{i} \left( 1 + p_i \frac{a_i + \epsilon}{a_i + b_i + 2 "
        r"\epsilon} \right)",
    ),
    Record(
        "xinfAP",
        "extended inferred average precision",
        "AP estimated from a stratified sample of the pool, from qrels with strata (Yilmaz, Kanoulas and Aslam "
        "2008); without strata the pool is one stratum.",
        _extended_inferred_ap,
        cutoff="none",
        parameters=RELEVANCE,
        judged=True,
        formula=r"\frac{1}{\sum_s w_s R_s} \sum_{i : r_i = 1} \frac{w_{s(i)}}{i} \left( 1 + "
        r"\sum_s p_{is} \frac{a_{is} + \epsilon}{a_{is} + b_{is} + 2 \epsilon} \right)",
    ),
    Record(
        "Judged",
        "judged share",
        "The share of the top k, or of the whole list if shorter, that is in the qrels.",
        _judged_share,
        judged=True,
        needs_relevant=False,
        length=True,
        formula=r"\frac{\text{documents of the top } m \text{ in the qrels}}{m}, \quad m = \min(k, n)",
    ),
    Record(
        "Unjudged",
        "unjudged share",
        "The share of the top k that was not judged: it is not in the qrels, or has a grade below 0 there. A shorter "
        "list is padded with judged documents, as in trec_eval 10; Judged@k is of the list itself.",
        _unjudged_share,
        cutoff="required",
        aliases=("unj_{k}",),
        judged=True,
        needs_relevant=False,
        length=True,
        direction=LOWER,
        formula=r"\frac{\text{documents of the top } k \text{ that were not judged}}{k}",
    ),
)
