"""Measures that trec_eval calls experimental: variants of nDCG, and G."""

from __future__ import annotations

import math

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.catalogue.gains import cumulated_gain, ideal_gain, log_discounts
from irgauge.scoring.catalogue.record import GAINS, JUDGED_ONLY, REL, RELEVANCE, Record, Values, grade_gains, own_gains
from irgauge.scoring.kernels import RELEVANT, Base, Hits, Scale


@inlined
def _gain_down_to(hits: Hits, scale: Scale, rank: int) -> float:
    total = 0.0
    for h in range(len(hits.ranks)):
        if hits.ranks[h] > rank:
            break
        total += scale.gains[hits.levels[h]] * scale.discounts[hits.ranks[h]]
    return total


@kernel
def _gain_at_levels(hits: Hits, base: Base, scale: Scale) -> float:
    """nDCG where the gain of the ideal ranking changes, and at the end of a longer list, averaged."""
    total, points, rank = 0.0, 0, 0
    for i in range(len(scale.order)):
        gain = scale.gains[scale.order[i]]
        rank += base.counts[scale.order[i]] * (gain > 0)
        is_last = i + 1 == len(scale.order) or scale.gains[scale.order[i + 1]] != gain
        if is_last and gain > 0 and _documents_of(gain, base, scale) > 0:
            total += _gain_down_to(hits, scale, rank) / ideal_gain(base, scale, rank)
            points += 1
    if hits.length > rank + 1 and points > 0:  # as trec_eval: not for a list that is longer by one
        total += cumulated_gain(hits, scale) / ideal_gain(base, scale, rank)
        points += 1
    return total / points if points > 0 else 0.0


@inlined
def _documents_of(gain: float, base: Base, scale: Scale) -> int:
    """The number of documents in the qrels that have a gain."""
    count = 0
    for level in range(len(scale.gains)):
        if scale.gains[level] == gain:
            count += base.counts[level]
    return count


@inlined
def _gaining(base: Base, scale: Scale) -> int:
    """The number of documents in the qrels that have any gain."""
    count = 0
    for level in range(len(scale.gains)):
        if scale.gains[level] > 0:
            count += base.counts[level]
    return count


@kernel
def _gain_at_relevant(hits: Hits, base: Base, scale: Scale) -> float:
    """nDCG at the rank of each document with a gain, averaged; that of the whole list for those not retrieved."""
    total, dcg, count, every = 0.0, 0.0, 0, _gaining(base, scale)
    for h in range(len(hits.ranks)):
        gain = scale.gains[hits.levels[h]]
        if gain > 0:
            dcg += gain * scale.discounts[hits.ranks[h]]
            total += dcg / ideal_gain(base, scale, hits.ranks[h])
            count += 1
    if every == 0:
        return 0.0
    return (total + (every - count) * dcg / ideal_gain(base, scale, every)) / every


@inlined
def _cost(rank: int, base: Base, scale: Scale) -> float:
    """What the ideal ranking gains down to a rank, where a document counts 1 at least."""
    cost, left = 0.0, rank
    for level in scale.order:
        if scale.gains[level] > 1:
            taken = min(left, base.counts[level])
            cost += taken * scale.gains[level]
            left -= taken
    return cost + left


@kernel
def _g(hits: Hits, base: Base, scale: Scale) -> float:
    total, gained, ideal = 0.0, 0.0, 0.0
    for level in range(len(scale.gains)):
        ideal += scale.gains[level] * base.counts[level]
    for h in range(len(hits.ranks)):
        gain = scale.gains[hits.levels[h]]
        gained += gain
        total += gain / math.log2(2 + _cost(hits.ranks[h], base, scale) - gained)
    return total / ideal if ideal > 0 else 0.0


@kernel
def _binary_g(hits: Hits, base: Base, scale: Scale) -> float:
    total, relevant = 0.0, 0
    for h in range(len(hits.ranks)):
        if scale.kinds[hits.levels[h]] == RELEVANT:
            relevant += 1
            total += 1 / math.log2(2 + hits.ranks[h] - relevant)
    return total / base.relevant


def _gains(grades: Ints, values: Values) -> Floats:
    return own_gains(grade_gains(grades, values), grades, values)


_GRADED = {"gains": GAINS, "judged_only": JUDGED_ONLY}

RECORDS: tuple[Record, ...] = (
    Record(
        "Rndcg",
        "nDCG at levels of R",
        "nDCG at each rank where the gain of the ideal ranking changes, and at the end of a list that is longer by two "
        "or more, averaged (experimental in trec_eval). A topic counts if some document is relevant; all with a gain "
        "are scored.",
        _gain_at_levels,
        cutoff="none",
        parameters={"rel": REL, **_GRADED},
        aliases=("Rndcg",),
        gains=_gains,
        discounts=log_discounts,
        length=True,
        formula=r"\frac{1}{|L|} \sum_{l \in L} \text{nDCG@}l, \quad "
        r"L = \{ l : g^*_l \ne g^*_{l+1} \} \cup \{ n : n > G + 1 \}, \quad G = |\{ i : g^*_i > 0 \}|",
    ),
    Record(
        "RelNDCG",
        "nDCG averaged over relevant documents",
        "nDCG at the rank of each relevant document, averaged; at the end of the list for those not retrieved "
        "(trec_eval's ndcg_rel, experimental there).",
        _gain_at_relevant,
        cutoff="none",
        parameters=_GRADED,
        aliases=("ndcg_rel",),
        gains=_gains,
        discounts=log_discounts,
        formula=r"\frac{1}{R} \left( \sum_{i : g_i > 0} \text{nDCG@}i + (R - F_n) \frac{\sum_{i=1}^{n} g_i / "
        r"d_i}{\sum_{i=1}^{R} g^*_i / d_i} \right), "
        r"\quad d_i = \log_2(i + 1)",
    ),
    Record(
        "G",
        "normalised gain",
        "The gain of each document over log2(2 + what the ideal ranking has gained more down to its rank), summed and "
        "divided by all gains (experimental in trec_eval).",
        _g,
        cutoff="none",
        parameters=_GRADED,
        aliases=("G",),
        gains=_gains,
        formula=r"\frac{1}{\sum_i g^*_i} \sum_{i=1}^{n} \frac{g_i}{\log_2 \left( 2 + \sum_{j \le i} \max(1, "
        r"g^*_j) - \sum_{j \le i} g_j \right)}",
    ),
    Record(
        "BinG",
        "binary G",
        "The mean over the relevant documents of 1 / log2(2 + the others above it); 0 for those not retrieved "
        "(experimental in trec_eval).",
        _binary_g,
        cutoff="none",
        parameters=RELEVANCE,
        aliases=("binG",),
        formula=r"\frac{1}{R} \sum_{i : r_i = 1} \frac{1}{\log_2(2 + i - F_i)}",
    ),
)
