"""Novelty and diversity: measures of judgments by subtopic, as ndeval and ir_measures compute them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.jit import inlined, kernel
from irgauge.errors import DesignError
from irgauge.scoring.catalogue.record import REL, RELEVANCE, Diversity, Parameter, Record, Values, is_number
from irgauge.scoring.kernels import REDUNDANCY, Base, Hits, Scale, take

_BLOCK = 1 << 16  # ranks summed at a time
_NEGLIGIBLE = 1e-18
_GREEDY = (0.0, math.e / (math.e - 1))  # a greedy ideal list has at least (1 − 1/e) of the gain of the best one

_AT_1 = (
    "ERR_IA@1 and alpha_DCG@1 are counts of subtopics in ndeval and ir_measures, not shares as at other cut-offs; "
    "take nERR_IA@1 or alpha_nDCG@1, or a cut-off from 2"
)


@kernel(makes_arrays=True)
def _gain(hits: Hits, scale: Scale) -> float:
    """The discounted gains by subtopic, summed down to the cut-off."""
    subtopics, total = np.ones(scale.subtopics.relevant.shape[1]), 0.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        total += take(hits.levels[h], subtopics, scale) * scale.discounts[hits.ranks[h]]
    return total


@inlined
def _subtopics(base: Base) -> int:
    """The number of subtopics that have a relevant document."""
    count = 0
    for subtopic in range(len(base.subtopics)):
        count += base.subtopics[subtopic] > 0
    return count


@kernel(makes_arrays=True)
def _diverse_gain(hits: Hits, base: Base, scale: Scale) -> float:
    return _gain(hits, scale) / (_subtopics(base) * scale.subtopics.best)


@kernel(makes_arrays=True)
def _normalised_diverse_gain(hits: Hits, base: Base, scale: Scale) -> float:
    return _gain(hits, scale) / base.ideal


@kernel(makes_arrays=True)
def _intent_aware_ap(hits: Hits, base: Base, scale: Scale) -> float:
    counts, total = np.zeros(len(base.subtopics)), 0.0
    for h in range(len(hits.ranks)):
        for subtopic in range(len(counts)):
            if scale.subtopics.relevant[hits.levels[h], subtopic]:
                counts[subtopic] += 1
                total += counts[subtopic] / hits.ranks[h] / base.subtopics[subtopic]
    return total / _subtopics(base)


@kernel
def _intent_aware_precision(hits: Hits, base: Base, scale: Scale) -> float:
    relevant = 0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        for subtopic in range(len(base.subtopics)):
            relevant += scale.subtopics.relevant[hits.levels[h], subtopic]
    return relevant / (scale.cutoff * _subtopics(base))


@kernel(makes_arrays=True)
def _subtopic_recall(hits: Hits, base: Base, scale: Scale) -> float:
    covered, seen = 0, np.zeros(len(base.subtopics), np.bool_)
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > scale.cutoff:
            break
        for subtopic in range(len(seen)):
            if scale.subtopics.relevant[hits.levels[h], subtopic] and not seen[subtopic]:
                seen[subtopic] = True
                covered += 1
    return covered / _subtopics(base)


def _log_discounts(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return 1 / np.log2(ranks + 1)


def _reciprocal_ranks(ranks: Floats, values: Values) -> Floats:  # noqa: ARG001  # one signature for all
    return 1 / ranks


def _patience(ranks: Floats, values: Values) -> Floats:
    return np.asarray(values["beta"] ** (ranks - 1), np.float64)


def _best(discounts: Callable[[Floats, Values], Floats]) -> Callable[[Values, int], float]:
    """The gain of a list whose documents are all relevant to the subtopic: Σ (1 − α)^(rank − 1) discount(rank)."""

    def best(values: Values, cutoff: int) -> float:
        if cutoff == 1:
            raise DesignError(_AT_1)
        kept, total = 1 - values.get("alpha", REDUNDANCY), 0.0
        for first in range(1, cutoff + 1, _BLOCK):
            if kept ** (first - 1) < _NEGLIGIBLE:
                break
            ranks = np.arange(float(first), min(first + _BLOCK, cutoff + 1))
            total += float((kept ** (ranks - 1) * discounts(ranks, values)).sum())
        return total

    return best


def _best_patience(values: Values, cutoff: int) -> float:  # noqa: ARG001  # one signature for all
    return 1 / (1 - (1 - values["alpha"]) * values["beta"])


_ALPHA = {
    "alpha": Parameter(
        REDUNDANCY,
        "a number from 0 to 1",
        lambda v: is_number(v) and 0 <= v <= 1,
        "the share of its gain that a subtopic loses with every document relevant to it",
    )
}
_BETA = {
    "beta": Parameter(
        0.5,
        "a number from 0 to 1, but not 1",
        lambda v: is_number(v) and 0 <= v < 1,
        "patience: the probability that a reader goes on to the next document",
    )
}

RECORDS: tuple[Record, ...] = (
    Record(
        "alpha_nDCG",
        "α-nDCG",
        "The sum over the documents of what they gain by their subtopics, over log2(rank + 1), divided by the same "
        "sum for an ideal list; a subtopic loses the share α of its gain with every document relevant to it "
        "(Clarke et al. 2008). The ideal list is made greedily, as in ndeval.",
        _normalised_diverse_gain,
        cutoff="required",
        parameters={**_ALPHA, **RELEVANCE},
        aliases=("α_nDCG", "alpha-nDCG", "α-nDCG"),
        range=_GREEDY,
        discounts=_log_discounts,
        diversity=Diversity(is_relative=True),
        formula=r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} g^*_i / \log_2(i + 1)}"
        r", \quad g_i = \sum_s r_{is} (1 - \alpha)^{c_{is}}",
    ),
    Record(
        "alpha_DCG",
        "α-DCG",
        "The same sum as in α-nDCG, divided by that of a list whose documents are all relevant to all subtopics of "
        "the topic, as in ndeval.",
        _diverse_gain,
        cutoff="required",
        parameters={**_ALPHA, **RELEVANCE},
        aliases=("α_DCG", "alpha-DCG", "α-DCG"),
        discounts=_log_discounts,
        diversity=Diversity(_best(_log_discounts)),
        formula=r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{S \sum_{i=1}^{k} (1 - \alpha)^{i-1} / \log_2(i + 1)}"
        r", \quad g_i = \sum_s r_{is} (1 - \alpha)^{c_{is}}",
    ),
    Record(
        "ERR_IA",
        "intent-aware expected reciprocal rank",
        "ERR by subtopic, averaged over the subtopics, where a reader stops at a relevant document with probability "
        "1/2; divided by that of a list whose documents are all relevant (Chapelle et al. 2011, as in ndeval).",
        _diverse_gain,
        cutoff="required",
        parameters=RELEVANCE,
        aliases=("ERR-IA",),
        discounts=_reciprocal_ranks,
        diversity=Diversity(_best(_reciprocal_ranks)),
        formula=r"\frac{\sum_{i=1}^{k} g_i / i}{S \sum_{i=1}^{k} 2^{1-i} / i}"
        r", \quad g_i = \sum_s r_{is} 2^{-c_{is}}",
    ),
    Record(
        "nERR_IA",
        "normalised intent-aware expected reciprocal rank",
        "ERR_IA divided by that of the ideal list of α-nDCG with α = 1/2, as in ndeval.",
        _normalised_diverse_gain,
        cutoff="required",
        parameters=RELEVANCE,
        aliases=("nERR-IA",),
        range=_GREEDY,
        discounts=_reciprocal_ranks,
        diversity=Diversity(is_relative=True),
        formula=r"\frac{\sum_{i=1}^{k} g_i / i}{\sum_{i=1}^{k} g^*_i / i}"
        r", \quad g_i = \sum_s r_{is} 2^{-c_{is}}",
    ),
    Record(
        "NRBP",
        "novelty- and rank-biased precision",
        "The sum over the documents of what they gain by their subtopics times β^(rank − 1), divided by that of an "
        "endless list whose documents are all relevant to all subtopics (Clarke et al. 2009).",
        _diverse_gain,
        cutoff="none",
        parameters={**_ALPHA, **_BETA, "rel": REL},
        discounts=_patience,
        diversity=Diversity(_best_patience),
        formula=r"\frac{1 - (1 - \alpha) \beta}{S} \sum_{i=1}^{n} \beta^{i-1} g_i"
        r", \quad g_i = \sum_s r_{is} (1 - \alpha)^{c_{is}}",
    ),
    Record(
        "nNRBP",
        "normalised novelty- and rank-biased precision",
        "NRBP divided by that of the ideal list of α-nDCG, as in ndeval.",
        _normalised_diverse_gain,
        cutoff="none",
        parameters={**_ALPHA, **_BETA, "rel": REL},
        range=_GREEDY,
        discounts=_patience,
        diversity=Diversity(is_relative=True),
        formula=r"\frac{\sum_{i} \beta^{i-1} g_i}{\sum_{i} \beta^{i-1} g^*_i}"
        r", \quad g_i = \sum_s r_{is} (1 - \alpha)^{c_{is}}",
    ),
    Record(
        "AP_IA",
        "intent-aware average precision",
        "Average precision by subtopic, averaged over the subtopics that have a relevant document (Agrawal et al. "
        "2009).",
        _intent_aware_ap,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("MAP_IA", "MAP-IA"),
        diversity=Diversity(),
        formula=r"\frac{1}{S} \sum_s \frac{1}{R_s} \sum_{i=1}^{n} r_{is} \cdot \frac{1}{i} \sum_{j=1}^{i} r_{js}",
    ),
    Record(
        "P_IA",
        "intent-aware precision",
        "Precision by subtopic, averaged over the subtopics that have a relevant document (Agrawal et al. 2009).",
        _intent_aware_precision,
        cutoff="required",
        parameters=RELEVANCE,
        aliases=("P-IA",),
        diversity=Diversity(),
        formula=r"\frac{1}{k S} \sum_s \sum_{i=1}^{k} r_{is}",
    ),
    Record(
        "StRecall",
        "subtopic recall",
        "The share of the subtopics that have a relevant document in the top k (Zhai et al. 2003).",
        _subtopic_recall,
        cutoff="required",
        parameters={"rel": REL},
        aliases=("strec",),
        diversity=Diversity(),
        formula=r"\frac{1}{S} \sum_s \max_{i \le k} r_{is}",
    ),
)
