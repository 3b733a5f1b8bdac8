"""Every measure as the literature defines it, written out slowly in plain Python.

Nothing here is shared with the package: a measure takes a ranked list of docnos and the grades of the topic's
documents, and builds whatever its definition speaks of (the ideal ranking, the pool above a rank) as lists.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from oracles import slow_families as more
from oracles import slow_graded as graded
from oracles.slow_case import Case, order
from oracles.slow_compat import compatibility

__all__ = ["ALWAYS_DEFINED", "MEASURES", "NOT_0_IF_EMPTY", "Case", "order", "value"]
EPSILON = 0.00001  # the smoothing of inferred precision, as in trec_eval


def _relevance(case: Case, rel: int) -> list[bool]:
    """Whether the document at each rank is relevant."""
    return [case.grades.get(docno, 0) >= rel for docno in case.ranking]


def _recall_base(case: Case, rel: int) -> int:
    return sum(grade >= rel for grade in case.grades.values())


def _ranks_of_relevant(case: Case, k: int | None, rel: int) -> list[int]:
    ranks = [rank for rank, relevant in enumerate(_relevance(case, rel), 1) if relevant]
    return [rank for rank in ranks if k is None or rank <= k]


def average_precision(case: Case, k: int | None = None, rel: int = 1) -> float:
    """The precision at the rank of each relevant document, 0 for one not retrieved, averaged."""
    relevance = _relevance(case, rel)
    precisions = [sum(relevance[:rank]) / rank for rank in _ranks_of_relevant(case, k, rel)]
    return sum(precisions) / _recall_base(case, rel)


def precision(case: Case, k: int, rel: int = 1) -> float:
    """The relevant documents in the top k, over k."""
    return sum(_relevance(case, rel)[:k]) / k


def recall(case: Case, k: int, rel: int = 1) -> float:
    """The relevant documents in the top k, over all of them."""
    return sum(_relevance(case, rel)[:k]) / _recall_base(case, rel)


def r_precision(case: Case, rel: int = 1) -> float:
    """The precision at the size of the recall base."""
    return precision(case, _recall_base(case, rel), rel)


def reciprocal_rank(case: Case, k: int | None = None, rel: int = 1) -> float:
    """One over the rank of the first relevant document."""
    ranks = _ranks_of_relevant(case, k, rel)
    return 1 / min(ranks) if ranks else 0.0


def _gain(grade: int, dcg: str, gains: Mapping[int, float]) -> float:
    if grade in gains:
        return gains[grade]
    if grade < 0:
        return 0.0
    return 2.0**grade - 1 if dcg == "exp-log2" else float(grade)


def _discount(rank: int, dcg: str, base: float) -> float:
    if dcg != "jk":
        return math.log2(rank + 1)
    return 1.0 if rank < base else math.log(rank) / math.log(base)


def ndcg(
    case: Case,
    k: int | None = None,
    dcg: str = "log2",
    base: float = 2,
    gains: Mapping[int, float] | None = None,
) -> float:
    """The discounted gains of the ranking, over those of all judged documents by descending gain."""

    def gain(docno: str) -> float:
        return _gain(case.grades[docno], dcg, gains or {}) if docno in case.grades else 0.0

    def discounted(ranked: Sequence[str]) -> float:
        return sum(gain(docno) / _discount(rank, dcg, base) for rank, docno in enumerate(ranked[:k], 1))

    best = discounted(sorted(case.grades, key=gain, reverse=True))
    return discounted(case.ranking) / best if best > 0 else 0.0


def expected_reciprocal_rank(case: Case, k: int | None = None, max_rel: int | None = None) -> float:
    """Chapelle et al. 2009: the sum over ranks of 1/rank times the probability that the reader stops there."""
    highest = case.highest if max_rel is None else max_rel
    stops = [(2 ** max(case.grades.get(docno, 0), 0) - 1) / 2**highest for docno in case.ranking[:k]]
    return sum(
        stop / rank * math.prod(1 - earlier for earlier in stops[: rank - 1]) for rank, stop in enumerate(stops, 1)
    )


def rank_biased_precision(case: Case, k: int | None = None, p: float = 0.8, rel: int = 1) -> float:
    """Moffat and Zobel 2008: a reader goes on to the next rank with probability p."""
    return (1 - p) * sum(p ** (rank - 1) for rank in _ranks_of_relevant(case, k, rel))


def inverse_squares(case: Case, k: int | None = None, t: float = 1, rel: int = 1) -> float:
    """Moffat et al. 2012: weights in proportion to 1/(rank + 2T − 1)², summing to 1 over all ranks."""
    return sum(1 / (rank + 2 * t - 1) ** 2 for rank in _ranks_of_relevant(case, k, rel)) / _sum_of_squares(t)


@cache
def _sum_of_squares(t: float) -> float:
    """The sum of 1/(rank + 2T − 1)² over all ranks: for whole 2T, π²/6 − Σ_{j=1}^{2T−1} 1/j²."""
    many = 10_000
    head = math.fsum(1 / (rank + 2 * t - 1) ** 2 for rank in range(1, many + 1))
    tail = 1 / (many + 2 * t - 0.5)  # the integral from the middle between two ranks: off by about many**-3 / 12
    return head + tail


def _positions(gains: Sequence[int], ideal: Sequence[int]) -> list[int]:
    """How far each rank lies after (positive) or before (negative) the ideal ranks of its grade."""
    ranks = {gain: [rank for rank, other in enumerate(ideal, 1) if other == gain] for gain in set(gains)}
    positions = []
    for rank, gain in enumerate(gains, 1):
        low, high = ranks[gain][0], ranks[gain][-1]
        positions.append(rank - high if rank > high else rank - low if rank < low else 0)
    return positions


def _kept(displaced: int, worst: int) -> float:
    """1 − displaced/worst, which is never below 0 and is all or nothing where the worst is no displacement."""
    if worst == 0:
        return 1.0 if displaced == 0 else 0.0
    return max(0.0, 1 - displaced / worst)


def twist(case: Case) -> float:
    """Ferro et al. 2016: the mean of ρ, how long a reader must go on, and σ, how much is displaced."""
    gains = [max(case.grades.get(docno, 0), 0) for docno in case.ranking]
    if not any(gains):
        return 0.0
    relevant = sorted((grade for grade in case.grades.values() if grade > 0), reverse=True)
    others = max(len(gains) - len(relevant), 1)  # the others have a place, if only below the end of the list
    ideal = relevant + [0] * others
    positions = _positions(gains, ideal)
    return (_rho(positions, len(relevant)) + _sigma(positions, _reversed_positions(ideal, len(gains)))) / 2


def _reversed_positions(ideal: Sequence[int], length: int) -> list[int]:
    """The positions when the best list of this length is turned round."""
    return _positions(ideal[:length][::-1], ideal)


def _rho(positions: Sequence[int], recall_base: int) -> float:
    if not any(positions):
        return 1.0
    for rank in range(1, len(positions) + 1):
        if sum(positions[:rank]) > 0:
            return recall_base / max(recall_base, rank - 1)
    return 0.0


def _sigma(positions: Sequence[int], worst: Sequence[int]) -> float:
    late = _kept(sum(p for p in positions if p > 0), sum(p for p in worst if p > 0))
    early = _kept(sum(-p for p in positions if p < 0), sum(-p for p in worst if p < 0))
    return 2 / (1 / late + 1 / early) if late > 0 and early > 0 else 0.0


def binary_preference(case: Case, rel: int = 1) -> float:
    """Buckley and Voorhees 2004: for each relevant document, the share of judged others that are not above it."""
    relevant = _recall_base(case, rel)
    nonrelevant = sum(0 <= grade < rel for grade in case.grades.values())
    total = 0.0
    for rank in _ranks_of_relevant(case, None, rel):
        above = sum(0 <= case.grades.get(docno, -1) < rel for docno in case.ranking[: rank - 1])
        total += 1 - min(above, relevant) / min(nonrelevant, relevant) if above else 1
    return total / relevant


def inferred_ap(case: Case, rel: int = 1) -> float:
    """Yilmaz and Aslam 2006: the precision at a relevant document expected from the judged part of the pool above."""
    total = 0.0
    for rank in _ranks_of_relevant(case, None, rel):
        pool = [case.grades[docno] for docno in case.ranking[: rank - 1] if docno in case.grades]
        judged = [grade for grade in pool if grade >= 0]
        found = sum(grade >= rel for grade in judged)
        total += 1 / rank + len(pool) / rank * (found + EPSILON) / (len(judged) + 2 * EPSILON)
    return total / _recall_base(case, rel)


def extended_inferred_ap(case: Case, rel: int = 1) -> float:
    """Yilmaz, Kanoulas and Aslam 2008: every stratum is estimated from its own sample."""
    strata = set(case.strata.values())
    members = {s: [grade for docno, grade in case.grades.items() if case.strata[docno] == s] for s in strata}
    total, estimated = 0.0, 0.0
    for stratum, grades in members.items():
        sampled = [grade for grade in grades if grade >= 0]
        relevant = sum(grade >= rel for grade in sampled)
        if relevant == 0:
            continue
        size = len(grades) * relevant / len(sampled)  # the stratum's relevant documents, as estimated
        precisions = [
            _expected_precision(case, rank, members, rel)
            for rank in _ranks_of_relevant(case, None, rel)
            if case.strata[case.ranking[rank - 1]] == stratum
        ]
        total += size * sum(precisions) / relevant
        estimated += size
    return total / estimated


def _expected_precision(case: Case, rank: int, members: Mapping[int, object], rel: int) -> float:
    above = [docno for docno in case.ranking[: rank - 1] if docno in case.grades]
    expected = 1.0
    for stratum in members:
        pool = [case.grades[docno] for docno in above if case.strata[docno] == stratum]
        sampled = [grade for grade in pool if grade >= 0]
        found = sum(grade >= rel for grade in sampled)
        expected += len(pool) * (found + EPSILON) / (len(sampled) + 2 * EPSILON)
    return expected / rank


def judged(case: Case, k: int | None = None) -> float:
    """The share of the top k, or of a shorter list, that is in the qrels."""
    top = case.ranking[:k]
    return sum(docno in case.grades for docno in top) / len(top) if top else 0.0


Oracle = Callable[[Case], float]

# measure as irgauge writes it: the lowest relevant grade (0: it needs none), and the oracle
MEASURES: dict[str, tuple[int, Oracle]] = {
    "AP": (1, average_precision),
    "AP@3": (1, lambda c: average_precision(c, 3)),
    "AP(rel=2)": (2, lambda c: average_precision(c, rel=2)),
    "AP(rel=3)@7": (3, lambda c: average_precision(c, 7, 3)),
    "P@1": (1, lambda c: precision(c, 1)),
    "P@5": (1, lambda c: precision(c, 5)),
    "P@1000": (1, lambda c: precision(c, 1000)),
    "P(rel=2)@4": (2, lambda c: precision(c, 4, 2)),
    "R@2": (1, lambda c: recall(c, 2)),
    "R@8": (1, lambda c: recall(c, 8)),
    "R(rel=2)@4": (2, lambda c: recall(c, 4, 2)),
    "Rprec": (1, r_precision),
    "Rprec(rel=2)": (2, lambda c: r_precision(c, 2)),
    "RR": (1, reciprocal_rank),
    "RR@2": (1, lambda c: reciprocal_rank(c, 2)),
    "RR(rel=2)": (2, lambda c: reciprocal_rank(c, rel=2)),
    "RR(rel=3)@4": (3, lambda c: reciprocal_rank(c, 4, 3)),
    "nDCG": (1, ndcg),
    "nDCG@1": (1, lambda c: ndcg(c, 1)),
    "nDCG@4": (1, lambda c: ndcg(c, 4)),
    "nDCG(dcg='exp-log2')": (1, lambda c: ndcg(c, dcg="exp-log2")),
    "nDCG(dcg='exp-log2')@5": (1, lambda c: ndcg(c, 5, "exp-log2")),
    "nDCG(dcg='jk')": (1, lambda c: ndcg(c, dcg="jk")),
    "nDCG(dcg='jk', base=3)@6": (1, lambda c: ndcg(c, 6, "jk", 3)),
    "nDCG(dcg='jk', base=2.5)": (1, lambda c: ndcg(c, dcg="jk", base=2.5)),
    "nDCG(dcg='jk', base=10)": (1, lambda c: ndcg(c, dcg="jk", base=10)),
    "nDCG(gains={1: 1, 2: 5})": (1, lambda c: ndcg(c, gains={1: 1, 2: 5})),
    "nDCG(dcg='exp-log2', gains={-1: 0.25, 0: 0.5, 2: 0})@5": (
        1,
        lambda c: ndcg(c, 5, "exp-log2", gains={-1: 0.25, 0: 0.5, 2: 0}),
    ),
    "nDCG(dcg='jk', base=4, gains={3: 1})": (1, lambda c: ndcg(c, dcg="jk", base=4, gains={3: 1})),
    "nDCG(gains={1: 0, 2: 0, 3: 0})": (1, lambda c: ndcg(c, gains={1: 0, 2: 0, 3: 0})),
    "ERR": (1, lambda c: expected_reciprocal_rank(c, max_rel=4)),
    "ERR@3": (1, lambda c: expected_reciprocal_rank(c, 3, 4)),
    "ERR(max_rel='qrels')": (1, expected_reciprocal_rank),
    "ERR(max_rel=6)@5": (1, lambda c: expected_reciprocal_rank(c, 5, 6)),
    "RBP": (1, more.graded_rbp),
    "RBP(p=0.95)@9": (1, lambda c: more.graded_rbp(c, 0.95, k=9)),
    "RBP(rel=1)": (1, rank_biased_precision),
    "RBP(p=0.95, rel=1)": (1, lambda c: rank_biased_precision(c, p=0.95)),
    "RBP(max_rel=4)": (1, lambda c: more.graded_rbp(c, most=4)),
    "RBP(max_rel='qrels')": (1, lambda c: more.graded_rbp(c, most=c.highest)),
    "RBP(p=0.5, gains={1: 0.5, 2: 1})@5": (1, lambda c: more.graded_rbp(c, 0.5, {1: 0.5, 2: 1}, k=5)),
    "RBP(residual=True)": (1, more.rbp_residual),
    "RBP(p=0.9, residual=True)@6": (1, lambda c: more.rbp_residual(c, 0.9, 6)),
    "RBP(p=0.5, rel=2)@4": (2, lambda c: rank_biased_precision(c, 4, 0.5, 2)),
    "INSQ": (1, inverse_squares),
    "INSQ@4": (1, lambda c: inverse_squares(c, 4)),
    "INSQ(T=5)": (1, lambda c: inverse_squares(c, t=5)),
    "INSQ(T=0.3, rel=2)@6": (2, lambda c: inverse_squares(c, 6, 0.3, 2)),
    "Twist": (1, twist),
    "CRP@4": (1, lambda c: graded.cumulated_position(c, 4)),
    "CRP@40": (1, lambda c: graded.cumulated_position(c, 40)),
    "Q": (1, graded.q_measure),
    "Q(beta=10)": (1, lambda c: graded.q_measure(c, 10)),
    "Q(beta=0.5, gains={1: 5, 2: 10, 0: 1})": (1, lambda c: graded.q_measure(c, 0.5, {1: 5, 2: 10, 0: 1})),
    "GAP": (1, graded.graded_ap),
    "GAP(thresholds={1: 0.3, 3: 0.7})": (1, lambda c: graded.graded_ap(c, {1: 0.3, 3: 0.7})),
    "GAP(thresholds={3: 1})": (1, lambda c: graded.graded_ap(c, {3: 1})),
    "MP": (1, graded.markov_precision),
    "MP(states='all')": (1, lambda c: graded.markov_precision(c, "all")),
    "MP(steps='local', rel=2)": (2, lambda c: graded.markov_precision(c, steps="local", rel=2)),
    "MP(states='all', steps='local', distance='log')": (
        1,
        lambda c: graded.markov_precision(c, "all", "local", "log"),
    ),
    "MP(distance='log', times_recall=True)": (
        1,
        lambda c: graded.markov_precision(c, distance="log", times_recall=True),
    ),
    "MP(distance='none', times_recall=True)": (1, average_precision),  # as Ferrante, Ferro and Maistro prove
    "MADP": (1, graded.assessed_precision),
    "MADP(p=0.5, q=0.4, rel=2)": (2, lambda c: graded.assessed_precision(c, 0.5, 0.4, 2)),
    "MADP(q=0)": (1, lambda c: graded.assessed_precision(c, q=0)),
    "Bpref": (1, binary_preference),
    "Bpref(rel=2)": (2, lambda c: binary_preference(c, 2)),
    "infAP": (1, inferred_ap),
    "infAP(rel=2)": (2, lambda c: inferred_ap(c, 2)),
    "xinfAP": (1, extended_inferred_ap),
    "xinfAP(rel=2)": (2, lambda c: extended_inferred_ap(c, 2)),
    "Judged": (0, judged),
    "Judged@4": (0, lambda c: judged(c, 4)),
    "Compat": (1, lambda c: compatibility(c.ranking, c.grades)),
    "Compat(p=0.8)": (1, lambda c: compatibility(c.ranking, c.grades, 0.8)),
    "Compat(p=0.9, normalize=False)": (1, lambda c: compatibility(c.ranking, c.grades, 0.9, normalize=False)),
    "Unjudged@4": (0, lambda c: more.unjudged(c, 4)),
    "Success": (1, more.success),
    "Success@1": (1, lambda c: more.success(c, 1)),
    "Success(rel=2)@5": (2, lambda c: more.success(c, 5, 2)),
    "R_cap@5": (1, lambda c: more.capped_recall(c, 5)),
    "R_cap(rel=2)@2": (2, lambda c: more.capped_recall(c, 2, 2)),
    "F1@5": (1, lambda c: more.f_measure(c, 5)),
    "F1(rel=2)@9": (2, lambda c: more.f_measure(c, 9, 2)),
    "Rprec(multiple=0.2)": (1, lambda c: more.precision_at_multiple(c, 0.2)),
    "Rprec(multiple=1.8, rel=2)": (2, lambda c: more.precision_at_multiple(c, 1.8, 2)),
    "Accuracy": (1, more.accuracy),
    "Accuracy(rel=2)@6": (2, lambda c: more.accuracy(c, 6, 2)),
    "DCG": (1, more.dcg),
    "DCG@5": (1, lambda c: more.dcg(c, 5)),
    "DCG(dcg='exp-log2', gains={1: 5})@7": (1, lambda c: more.dcg(c, 7, {1: 5}, exponential=True)),
    "DCG(dcg='jk', base=3)": (1, lambda c: more.dcg_of_base(c, 3)),
    "SDCG@5": (1, lambda c: more.scaled_dcg(c, 5)),
    "SDCG(min_rel=1, max_rel=4)@12": (1, lambda c: more.scaled_dcg(c, 12, 4, 1)),
    "INSQ(T=2, max_rel=3)": (1, lambda c: more.insq(c, 2, 3)),
    "INSQ(min_rel=1, max_rel='qrels')@7": (1, lambda c: more.insq(c, 1, None, 1, 7)),
    "INST": (1, more.inst),
    "INST(T=2.5, min_rel=1, max_rel=4)": (1, lambda c: more.inst(c, 2.5, 4, 1)),
    "BPM@5": (1, lambda c: more.player(c, 5)),
    "BPM(T=2.5, min_rel=1, max_rel=4)@11": (1, lambda c: more.player(c, 11, 2.5, 4, 1)),
    "NERR8@5": (1, lambda c: more.nearly_err(c, more.down_to(5, lambda ranks: ranks * 0 + 1.0))),
    "NERR8(min_rel=1, max_rel=4)@9": (
        1,
        lambda c: more.nearly_err(c, more.down_to(9, lambda ranks: ranks * 0 + 1.0), 4, 1),
    ),
    "NERR9@5": (1, lambda c: more.nearly_err(c, more.down_to(5, lambda ranks: ranks / (ranks + 1)))),
    "NERR9(min_rel=1, max_rel=4)@9": (
        1,
        lambda c: more.nearly_err(c, more.down_to(9, lambda ranks: ranks / (ranks + 1)), 4, 1),
    ),
    "NERR10": (1, lambda c: more.nearly_err(c, lambda ranks: ranks * 0 + 0.9)),
    "NERR10(p=0.5, min_rel=1, max_rel=4)": (1, lambda c: more.nearly_err(c, lambda ranks: ranks * 0 + 0.5, 4, 1)),
    "NERR11": (1, lambda c: more.nearly_err(c, lambda ranks: ((ranks + 1) / (ranks + 2)) ** 2)),
    "NERR11(T=3, min_rel=1, max_rel=4)": (
        1,
        lambda c: more.nearly_err(c, lambda ranks: ((ranks + 5) / (ranks + 6)) ** 2, 4, 1),
    ),
    "IPrec@0.0": (1, lambda c: more.interpolated_precision(c, 0.0)),
    "IPrec@0.3": (1, lambda c: more.interpolated_precision(c, 0.3)),
    "IPrec(rel=2)@1.0": (2, lambda c: more.interpolated_precision(c, 1.0, 2)),
    "IAP": (1, more.eleven_points),
    "IAP(rel=2)": (2, lambda c: more.eleven_points(c, 2)),
    "SetP": (1, more.set_precision),
    "SetP(rel=2, relative=True)": (2, lambda c: more.set_precision(c, 2, relative=True)),
    "SetR": (1, more.set_recall),
    "SetR(rel=2)": (2, lambda c: more.set_recall(c, 2)),
    "SetF": (1, more.f_measure),
    "SetF(rel=2, beta=0.5)": (2, lambda c: more.f_measure(c, None, 2, 0.5)),
    "SetAP": (1, lambda c: more.set_precision(c) * more.set_recall(c)),
    "SetAP(rel=2)": (2, lambda c: more.set_precision(c, 2) * more.set_recall(c, 2)),
    "Utility": (0, more.utility),
    "Utility(relevant=2, other=-0.5, missed=-1, rel=2)": (0, lambda c: more.utility(c, 2, -0.5, -1, 2)),
    "GMAP": (0, more.logarithm(average_precision)),
    "GMAP(rel=2)": (0, more.logarithm(lambda c: average_precision(c, rel=2), 2)),
    "GMBpref": (0, more.logarithm(binary_preference)),
    "GMBpref(rel=2)": (0, more.logarithm(lambda c: binary_preference(c, 2), 2)),
    "NumRet": (0, more.retrieved),
    "NumRet(rel=1)@7": (0, lambda c: more.retrieved(c, 7, 1)),
    "NumRel": (0, lambda c: _recall_base(c, 1)),
    "NumRel(rel=2)": (0, lambda c: _recall_base(c, 2)),
    "NumNonrelRet": (0, more.nonrelevant_retrieved),
    "NumNonrelRet(rel=2)@7": (0, lambda c: more.nonrelevant_retrieved(c, 7, 2)),
    "NumQ": (0, lambda _: 1.0),
    "Rndcg": (1, more.ndcg_at_levels),
    "Rndcg(rel=2)": (2, more.ndcg_at_levels),
    "Rndcg(gains={1: 2, 2: 2})": (1, lambda c: more.ndcg_at_levels(c, {1: 2, 2: 2})),
    "RelNDCG": (1, more.ndcg_at_relevant),
    "RelNDCG(gains={0: 1, 3: 0})": (1, lambda c: more.ndcg_at_relevant(c, {0: 1, 3: 0})),
    "G": (1, more.g_measure),
    "G(gains={1: 0.5, 2: 4})": (1, lambda c: more.g_measure(c, {1: 0.5, 2: 4})),
    "BinG": (1, more.binary_g),
    "BinG(rel=2)": (2, lambda c: more.binary_g(c, 2)),
}


# each of these on lists without what was not judged
_CONDENSED = (
    "AP(rel=2) P@5 R@2 R_cap@5 F1@5 Success@1 Rprec RR@2 Accuracy nDCG@4 DCG@5 SDCG@5 ERR@3 RBP INSQ INST BPM@5 "
    "NERR8@5 NERR9@5 NERR10 NERR11 Bpref infAP xinfAP IPrec@0.3 IAP SetP SetR SetF SetAP Utility GMAP GMBpref NumRet "
    "NumNonrelRet Rndcg RelNDCG G BinG Twist CRP@4 Q GAP MP MADP"
)


def _with_judged_only(text: str) -> str:
    head, at, cutoff = text.partition("@")
    return (f"{head[:-1]}, judged_only=True)" if head.endswith(")") else f"{head}(judged_only=True)") + at + cutoff


def _condensed(text: str) -> tuple[int, Oracle]:
    rel, oracle = MEASURES[text]
    return rel, lambda case: oracle(more.condensed(case))


MEASURES |= {_with_judged_only(text): _condensed(text) for text in _CONDENSED.split()}


_WITHOUT_A_LIST = ("GMAP", "GMBpref", "NumRel", "NumQ", "CRP")
NOT_0_IF_EMPTY = tuple(  # what an empty list scores is not 0
    text
    for text in MEASURES
    if text.partition("(")[0].partition("@")[0] in _WITHOUT_A_LIST or "residual" in text or "missed" in text
)
ALWAYS_DEFINED = tuple(text for text, (rel, _) in MEASURES.items() if rel == 0)


def value(measure: str, case: Case) -> float:
    """What a measure says of a case; NaN where the qrels hold no document that the measure takes as relevant."""
    rel, oracle = MEASURES[measure]
    return oracle(case) if rel == 0 or any(grade >= rel for grade in case.grades.values()) else math.nan
