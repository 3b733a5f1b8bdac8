"""The measures of diversity as the literature defines them, written out slowly from a list and its judgments.

A document's judgment is a grade under each of some subtopics. Where ndeval's choices matter (a greedy ideal list
with ties by docno descending; divisors that do not depend on the collection) they are ndeval's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Grades = Mapping[str, int]  # subtopic: grade


class Case(NamedTuple):
    """One ranked list, and the judgments of its topic."""

    ranking: Sequence[str]
    judged: Mapping[str, Grades]  # docno


def _covers(case: Case, docno: str, rel: int) -> set[str]:
    """The subtopics that a document is relevant to."""
    return {subtopic for subtopic, grade in case.judged.get(docno, {}).items() if grade >= rel}


def _subtopics(case: Case, rel: int) -> list[str]:
    """The subtopics that have a relevant document."""
    return sorted(set().union(*(_covers(case, docno, rel) for docno in case.judged)))


def _gain(case: Case, above: Sequence[str], docno: str, alpha: float, rel: int) -> float:
    """Clarke et al. 2008: each subtopic counts (1 − α) to the number of documents above that cover it."""
    seen = [_covers(case, other, rel) for other in above]
    covered = _covers(case, docno, rel)
    return math.fsum((1 - alpha) ** sum(subtopic in one for one in seen) for subtopic in covered)


def _ideal(case: Case, alpha: float, rel: int) -> list[str]:
    """Always the document that gains most; of several the one whose docno is last in byte order."""
    left, ideal = sorted(case.judged, key=str.encode, reverse=True), list[str]()
    left = [docno for docno in left if _covers(case, docno, rel)]
    while left:
        gains = [_gain(case, ideal, docno, alpha, rel) for docno in left]
        ideal.append(left.pop(gains.index(max(gains))))
    return ideal


def _total(
    case: Case, ranking: Sequence[str], k: int | None, alpha: float, rel: int, weight: Callable[[int], float]
) -> float:
    top = ranking[:k]
    return math.fsum(_gain(case, top[:i], docno, alpha, rel) * weight(i + 1) for i, docno in enumerate(top))


def _log(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def _normalised(case: Case, k: int | None, alpha: float, rel: int, weight: Callable[[int], float]) -> float:
    total = _total(case, case.ranking, k, alpha, rel, weight)
    return total / _total(case, _ideal(case, alpha, rel), k, alpha, rel, weight)


def alpha_ndcg(case: Case, k: int, alpha: float = 0.5, rel: int = 1) -> float:
    """Clarke et al. 2008."""
    return _normalised(case, k, alpha, rel, _log)


def alpha_dcg(case: Case, k: int, alpha: float = 0.5, rel: int = 1) -> float:
    """Over what k documents would gain that are all relevant to every subtopic."""
    best = sum((1 - alpha) ** (rank - 1) * _log(rank) for rank in range(1, k + 1))
    return _total(case, case.ranking, k, alpha, rel, _log) / best / len(_subtopics(case, rel))


def _err(relevance: Sequence[bool]) -> float:
    """Chapelle et al. 2009, where a reader stops at a relevant document with probability 1/2."""
    return sum(0.5 ** (1 + sum(relevance[:i])) / (i + 1) for i, is_relevant in enumerate(relevance) if is_relevant)


def err_ia(case: Case, k: int, rel: int = 1) -> float:
    """Chapelle et al. 2011: the mean of ERR by subtopic, over the ERR of k relevant documents."""
    subtopics = _subtopics(case, rel)
    by_subtopic = [_err([one in _covers(case, docno, rel) for docno in case.ranking[:k]]) for one in subtopics]
    return sum(by_subtopic) / len(subtopics) / _err([True] * k)


def nerr_ia(case: Case, k: int, rel: int = 1) -> float:
    """ERR-IA over that of the ideal list."""
    return _normalised(case, k, 0.5, rel, lambda rank: 1 / rank)


def nrbp(case: Case, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> float:
    """Clarke et al. 2009."""
    total = _total(case, case.ranking, None, alpha, rel, lambda rank: beta ** (rank - 1))
    return (1 - (1 - alpha) * beta) / len(_subtopics(case, rel)) * total


def nnrbp(case: Case, alpha: float = 0.5, beta: float = 0.5, rel: int = 1) -> float:
    """NRBP over that of the ideal list."""
    return _normalised(case, None, alpha, rel, lambda rank: beta ** (rank - 1))


def ap_ia(case: Case, rel: int = 1) -> float:
    """Agrawal et al. 2009: average precision by subtopic, averaged."""
    by_subtopic = []
    for subtopic in _subtopics(case, rel):
        relevance = [subtopic in _covers(case, docno, rel) for docno in case.ranking]
        all_relevant = sum(subtopic in _covers(case, docno, rel) for docno in case.judged)
        precisions = [sum(relevance[: i + 1]) / (i + 1) for i, is_relevant in enumerate(relevance) if is_relevant]
        by_subtopic.append(sum(precisions) / all_relevant)
    return sum(by_subtopic) / len(by_subtopic)


def p_ia(case: Case, k: int, rel: int = 1) -> float:
    """Agrawal et al. 2009: precision by subtopic, averaged."""
    covered = [_covers(case, docno, rel) for docno in case.ranking[:k]]
    precisions = [sum(subtopic in one for one in covered) / k for subtopic in _subtopics(case, rel)]
    return sum(precisions) / len(precisions)


def subtopic_recall(case: Case, k: int, rel: int = 1) -> float:
    """Zhai et al. 2003: the share of the subtopics that the top k cover."""
    covered = set().union(*(_covers(case, docno, rel) for docno in case.ranking[:k]))
    return len(covered) / len(_subtopics(case, rel))


def _condensed(case: Case) -> Case:
    """The list without documents that are not judged, or below 0 under all subtopics: in the pool, but not judged."""
    judged = {docno for docno, grades in case.judged.items() if max(grades.values()) >= 0}
    return case._replace(ranking=[docno for docno in case.ranking if docno in judged])


# measure as irgauge writes it: the lowest relevant grade, and the oracle
MEASURES: dict[str, tuple[int, Callable[[Case], float]]] = {
    "alpha_nDCG@1": (1, lambda c: alpha_ndcg(c, 1)),
    "alpha_nDCG@5": (1, lambda c: alpha_ndcg(c, 5)),
    "alpha_nDCG@30": (1, lambda c: alpha_ndcg(c, 30)),
    "alpha_nDCG(alpha=0.25)@10": (1, lambda c: alpha_ndcg(c, 10, 0.25)),
    "alpha_nDCG(alpha=1)@10": (1, lambda c: alpha_ndcg(c, 10, 1)),
    "alpha_nDCG(alpha=0)@4": (1, lambda c: alpha_ndcg(c, 4, 0)),
    "alpha_nDCG(rel=2)@5": (2, lambda c: alpha_ndcg(c, 5, rel=2)),
    "alpha_nDCG(judged_only=True)@5": (1, lambda c: alpha_ndcg(_condensed(c), 5)),
    "alpha_DCG@5": (1, lambda c: alpha_dcg(c, 5)),
    "alpha_DCG(alpha=0.25)@30": (1, lambda c: alpha_dcg(c, 30, 0.25)),
    "alpha_DCG(alpha=0, rel=2)@10": (2, lambda c: alpha_dcg(c, 10, 0, 2)),
    "ERR_IA@10": (1, lambda c: err_ia(c, 10)),
    "ERR_IA@60": (1, lambda c: err_ia(c, 60)),
    "ERR_IA(rel=2)@3": (2, lambda c: err_ia(c, 3, 2)),
    "ERR_IA(judged_only=True)@3": (1, lambda c: err_ia(_condensed(c), 3)),
    "nERR_IA@1": (1, lambda c: nerr_ia(c, 1)),
    "nERR_IA@10": (1, lambda c: nerr_ia(c, 10)),
    "NRBP": (1, nrbp),
    "NRBP(alpha=0.25, beta=0.8, rel=2)": (2, lambda c: nrbp(c, 0.25, 0.8, 2)),
    "nNRBP": (1, nnrbp),
    "nNRBP(alpha=0.75, beta=0.25)": (1, lambda c: nnrbp(c, 0.75, 0.25)),
    "AP_IA": (1, ap_ia),
    "AP_IA(rel=2)": (2, lambda c: ap_ia(c, 2)),
    "AP_IA(judged_only=True)": (1, lambda c: ap_ia(_condensed(c))),
    "P_IA@1": (1, lambda c: p_ia(c, 1)),
    "P_IA@20": (1, lambda c: p_ia(c, 20)),
    "P_IA(rel=2)@5": (2, lambda c: p_ia(c, 5, 2)),
    "StRecall@1": (1, lambda c: subtopic_recall(c, 1)),
    "StRecall@5": (1, lambda c: subtopic_recall(c, 5)),
    "StRecall(rel=2)@30": (2, lambda c: subtopic_recall(c, 30, 2)),
}


def value(measure: str, case: Case) -> float:
    """What a measure says of a case; NaN where no document is relevant to any subtopic."""
    rel, oracle = MEASURES[measure]
    return oracle(case) if _subtopics(case, rel) else math.nan
