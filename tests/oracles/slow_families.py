"""More measures as their owners define them, written out slowly: sets, counts, readers of cwl_eval, and so on.

A measure takes a ranked list of docnos and the grades of the topic's documents, and nothing of the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oracles.slow_case import Case

CWL_DEPTH = 1000
FLOOR = 0.00001  # of a geometric mean, as in trec_eval


def condensed(case: Case) -> Case:
    """The case without the documents that were not judged."""
    return case._replace(ranking=[docno for docno in case.ranking if case.grades.get(docno, -1) >= 0])


def _relevant(case: Case, rel: int) -> set[str]:
    return {docno for docno, grade in case.grades.items() if grade >= rel}


def _found(case: Case, k: int | None, rel: int) -> int:
    return len(set(case.ranking[:k]) & _relevant(case, rel))


def success(case: Case, k: int | None = None, rel: int = 1) -> float:
    """Whether anything relevant is in the top k."""
    return float(_found(case, k, rel) > 0)


def capped_recall(case: Case, k: int, rel: int = 1) -> float:
    """Recall, over the most that is possible."""
    return _found(case, k, rel) / min(k, len(_relevant(case, rel)))


def f_measure(case: Case, k: int | None = None, rel: int = 1, beta: float = 1) -> float:
    """The weighted harmonic mean of precision and recall."""
    size = len(case.ranking) if k is None else k
    found = _found(case, k, rel)
    if found == 0:
        return 0.0
    precision, recall = found / size, found / len(_relevant(case, rel))
    return (beta + 1) * precision * recall / (beta * precision + recall)


def precision_at_multiple(case: Case, multiple: float, rel: int = 1) -> float:
    """The precision at a multiple of the number of relevant documents."""
    rank = math.floor(multiple * len(_relevant(case, rel)) + 0.9)
    return _found(case, rank, rel) / rank


def accuracy(case: Case, k: int | None = None, rel: int = 1) -> float:
    """The share of pairs of a relevant and another document of the list that are in the right order."""
    top, relevant = case.ranking[:k], _relevant(case, rel)
    pairs = [(a in relevant) for i, a in enumerate(top) for b in top[i + 1 :] if (a in relevant) != (b in relevant)]
    if not set(top) & relevant:
        return 0.0
    return sum(pairs) / len(pairs) if pairs else 1.0


def interpolated_precision(case: Case, recall: float, rel: int = 1) -> float:
    """The highest precision at or after the rank where so many of the relevant documents are found."""
    relevant = _relevant(case, rel)
    needed = int(recall * len(relevant) + 0.9)
    ranks = range(1, len(case.ranking) + 1)
    return max([_found(case, r, rel) / r for r in ranks if _found(case, r, rel) >= needed], default=0.0)


def eleven_points(case: Case, rel: int = 1) -> float:
    """Interpolated precision, averaged over 11 levels of recall."""
    return sum(interpolated_precision(case, tenth / 10, rel) for tenth in range(11)) / 11


def set_precision(case: Case, rel: int = 1, *, relative: bool = False) -> float:
    """The precision of the whole list; relative to the best of so many documents."""
    most = min(len(case.ranking), len(_relevant(case, rel))) if relative else len(case.ranking)
    return _found(case, None, rel) / most if most else 0.0


def set_recall(case: Case, rel: int = 1) -> float:
    """The recall of the whole list."""
    return _found(case, None, rel) / len(_relevant(case, rel))


def utility(case: Case, relevant: float = 1, other: float = -1, missed: float = 0, rel: int = 1) -> float:
    """What all the documents are worth together."""
    worth = [relevant if docno in _relevant(case, rel) else other for docno in case.ranking]
    return sum(worth) + missed * len(_relevant(case, rel) - set(case.ranking))


def retrieved(case: Case, k: int | None = None, rel: int | None = None) -> float:
    """How many documents are in the list, or how many relevant ones."""
    return float(len(case.ranking[:k]) if rel is None else _found(case, k, rel))


def nonrelevant_retrieved(case: Case, k: int | None = None, rel: int = 1) -> float:
    """How many documents of the list were judged not relevant."""
    return float(sum(0 <= case.grades.get(docno, -1) < rel for docno in case.ranking[:k]))


def unjudged(case: Case, k: int) -> float:
    """The share of the top k that was not judged."""
    return sum(case.grades.get(docno, -1) < 0 for docno in case.ranking[:k]) / k


def logarithm(oracle: Callable[[Case], float], rel: int = 1) -> Callable[[Case], float]:
    """The logarithm of another measure, above a floor."""
    return lambda case: math.log(max(oracle(case), FLOOR)) if _relevant(case, rel) else math.log(FLOOR)


def _own(grade: int, gains: Mapping[int, float] | None) -> float:
    return (gains or {}).get(grade, max(grade, 0))


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def dcg(
    case: Case, k: int | None = None, gains: Mapping[int, float] | None = None, *, exponential: bool = False
) -> float:
    """Discounted gains, as they are."""
    grades = [case.grades.get(docno) for docno in case.ranking[:k]]
    own = gains or {}
    amounts = [
        0 if g is None else own[g] if g in own else 2 ** max(g, 0) - 1 if exponential else max(g, 0) for g in grades
    ]
    return _dcg(amounts)


def dcg_of_base(case: Case, base: float) -> float:
    """Discounted gains with the discount of Järvelin and Kekäläinen."""
    gains = [max(case.grades.get(docno, 0), 0) for docno in case.ranking]
    return sum(g / max(1, math.log(rank) / math.log(base)) for rank, g in enumerate(gains, 1))


def _scaled(case: Case, most: int | None, least: int = 0) -> list[float]:
    """The gain at each rank, from 0 to 1."""
    highest = max(case.highest, 1) if most is None else most
    grades = [min(max(case.grades.get(docno, 0), least), highest) for docno in case.ranking]
    return [(grade - least) / (highest - least) for grade in grades]


def scaled_dcg(case: Case, k: int, most: int | None = None, least: int = 0) -> float:
    """DCG over that of k documents with a gain of 1."""
    return _dcg(_scaled(case, most, least)[:k]) / _dcg([1] * k)


def _expected_gain(gains: Sequence[float], goes_on: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> float:
    """The gain of a document that is read: each rank's chance to be read, over the sum of all."""
    padded = np.zeros(CWL_DEPTH)
    padded[: len(gains)] = gains[:CWL_DEPTH]
    is_read = np.concatenate([[1.0], np.cumprod(goes_on(padded))[:-1]])
    return float((is_read * padded).sum() / is_read.sum())


_RANKS = np.arange(1, CWL_DEPTH + 1)


def inst(case: Case, t: float = 1, most: int | None = None, least: int = 0) -> float:
    """Bailey et al. 2015."""

    def goes_on(gains: NDArray[np.float64]) -> NDArray[np.float64]:
        left = t - np.cumsum(gains)
        return ((_RANKS + t + left - 1) / (_RANKS + t + left)) ** 2

    return _expected_gain(_scaled(case, most, least), goes_on)


def insq(case: Case, t: float, most: int | None = None, least: int = 0, k: int | None = None) -> float:
    """Moffat et al. 2012, graded, over the first 1,000 ranks."""
    weights = 1 / (_RANKS + 2 * t - 1) ** 2
    gains = _scaled(case, most, least)[:k][:CWL_DEPTH]
    return float((weights[: len(gains)] * gains).sum() / weights.sum())


Discount = Callable[[NDArray[np.int64]], NDArray[np.floating[Any]]]  # of ranks


def nearly_err(case: Case, discount: Discount, most: int | None = None, least: int = 0) -> float:
    """Azzopardi et al. 2021: the reader stops with the probability of the gain."""
    return _expected_gain(_scaled(case, most, least), lambda gains: discount(_RANKS) * (1 - gains))


def down_to(k: int, discount: Discount) -> Discount:
    """A discount after which nobody reads on at rank k."""
    return lambda ranks: np.where(ranks < k, discount(ranks), 0.0)


def player(case: Case, k: int, t: float = 1, most: int | None = None, least: int = 0) -> float:
    """Zhang et al. 2017: the reader stops when a gain of t is reached, or after k documents."""
    gains = [*_scaled(case, most, least), *[0.0] * k][:k]
    read = next((rank for rank in range(1, k + 1) if sum(gains[:rank]) >= t), k)
    return sum(gains[:read]) / read


def graded_rbp(
    case: Case, p: float = 0.8, gains: Mapping[int, float] | None = None, most: int | None = None, k: int | None = None
) -> float:
    """Rank-biased precision with grades as gains, or parts of the highest grade."""
    amounts = [_own(case.grades[docno], gains) if docno in case.grades else 0.0 for docno in case.ranking[:k]]
    return (1 - p) * sum(gain * p**i for i, gain in enumerate(amounts)) / (most or 1)


def rbp_residual(case: Case, p: float = 0.8, k: int | None = None) -> float:
    """The weight of what was not judged, and of all below the list."""
    top = case.ranking[:k]
    return (1 - p) * sum(p**i for i, docno in enumerate(top) if case.grades.get(docno, -1) < 0) + p ** len(top)


def _retrieved_gains(case: Case, gains: Mapping[int, float] | None) -> list[float]:
    return [_own(case.grades[docno], gains) if docno in case.grades else 0.0 for docno in case.ranking]


def _ideal_gains(case: Case, gains: Mapping[int, float] | None) -> list[float]:
    return sorted((g for g in (_own(grade, gains) for grade in case.grades.values()) if g > 0), reverse=True)


def ndcg_at_levels(case: Case, gains: Mapping[int, float] | None = None) -> float:
    """nDCG where the ideal gain changes, and at the end of a list that is longer by two at least, averaged."""
    own, ideal = _retrieved_gains(case, gains), _ideal_gains(case, gains)
    if not ideal:
        return 0.0
    changes = [rank for rank in range(1, len(ideal) + 1) if rank == len(ideal) or ideal[rank] != ideal[rank - 1]]
    points = [_dcg(own[:rank]) / _dcg(ideal[:rank]) for rank in changes]
    if len(own) > len(ideal) + 1:
        points.append(_dcg(own) / _dcg(ideal))
    return sum(points) / len(points)


def ndcg_at_relevant(case: Case, gains: Mapping[int, float] | None = None) -> float:
    """nDCG at each document that has a gain, or at the end for those not retrieved, averaged."""
    own, ideal = _retrieved_gains(case, gains), _ideal_gains(case, gains)
    if not ideal:
        return 0.0
    found = [_dcg(own[:rank]) / _dcg(ideal[:rank]) for rank, gain in enumerate(own, 1) if gain > 0]
    return (sum(found) + (len(ideal) - len(found)) * _dcg(own) / _dcg(ideal)) / len(ideal)


def g_measure(case: Case, gains: Mapping[int, float] | None = None) -> float:
    """trec_eval's G: each gain over the logarithm of what an ideal list would have gained more."""
    own, ideal = _retrieved_gains(case, gains), _ideal_gains(case, gains)
    if not ideal:
        return 0.0
    total, cost, gained = 0.0, 0.0, 0.0
    for rank, gain in enumerate(own):
        cost += max(1.0, ideal[rank] if rank < len(ideal) else 0.0)
        gained += gain
        total += gain / math.log2(2 + cost - gained)
    return total / sum(ideal)


def binary_g(case: Case, rel: int = 1) -> float:
    """The mean over relevant documents of 1 / log2(2 + the others above)."""
    relevant, total = _relevant(case, rel), 0.0
    for place, docno in enumerate(case.ranking):
        if docno in relevant:
            total += 1 / math.log2(2 + sum(other not in relevant for other in case.ranking[:place]))
    return total / len(relevant)
