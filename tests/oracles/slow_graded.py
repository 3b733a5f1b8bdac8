"""Measures of graded relevance and of readers who walk, as they are defined: by ideal lists and by transition matrices.

Sakai, "New performance metrics based on multigrade relevance" (NTCIR-4, 2004); Robertson, Kanoulas and Yilmaz,
"Extending average precision to graded relevance judgments" (SIGIR 2010); Ferrante, Ferro and Maistro, "Injecting user
models and time into precision via Markov chains" (SIGIR 2014); Angelini et al., "Cumulated relative position" (CLEF
2012).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from oracles.slow_case import Case


def _grades(case: Case) -> list[int]:
    return [max(case.grades.get(docno, 0), 0) for docno in case.ranking]


def q_measure(case: Case, beta: float = 1, gains: Mapping[int, float] | None = None) -> float:
    """The mean over relevant documents of (C(r) + β cg(r)) / (r + β cg*(r))."""

    def gain(docno: str) -> float:
        grade = case.grades.get(docno)
        return 0.0 if grade is None else (gains or {}).get(grade, max(grade, 0))

    ideal = sorted((gain(docno) for docno in case.grades), reverse=True)
    is_relevant = [case.grades.get(docno, 0) >= 1 for docno in case.ranking]
    ratios = [
        (sum(is_relevant[:r]) + beta * sum(map(gain, case.ranking[:r]))) / (r + beta * sum(ideal[:r]))
        for r in range(1, len(case.ranking) + 1)
        if is_relevant[r - 1]
    ]
    return sum(ratios) / sum(grade >= 1 for grade in case.grades.values())


def graded_ap(case: Case, thresholds: Mapping[int, float] | None = None) -> float:
    """Σ_t g_t Σ_n [n is relevant at t] (relevant at t down to n) / n, over the same for all documents of the qrels."""
    g = thresholds or dict.fromkeys(range(1, case.highest + 1), 1 / case.highest)
    grades, total, expected = _grades(case), 0.0, 0.0
    for threshold, share in g.items():
        ranks = [rank for rank, grade in enumerate(grades, 1) if grade >= threshold]
        total += share * sum(place / rank for place, rank in enumerate(ranks, 1))
        expected += share * sum(grade >= threshold for grade in case.grades.values())
    return total / expected if expected > 0 else 0.0


def markov_precision(
    case: Case,
    states: str = "relevant",
    steps: str = "global",
    distance: str = "inverse",
    *,
    times_recall: bool = False,
    rel: int = 1,
) -> float:
    """Precision at relevant documents, weighted by the invariant distribution of the chain, found by its matrix."""
    relevant = [rank for rank, docno in enumerate(case.ranking, 1) if case.grades.get(docno, 0) >= rel]
    if not relevant:
        return 0.0
    places = relevant if states == "relevant" else list(range(1, len(case.ranking) + 1))
    time = dict(zip(places, _invariant(_transitions(places, steps, distance)), strict=True))
    shares = [time[rank] / sum(time[other] for other in relevant) for rank in relevant]
    value = sum(share * count / rank for count, (share, rank) in enumerate(zip(shares, relevant, strict=True), 1))
    everything = sum(grade >= rel for grade in case.grades.values())
    return value * len(relevant) / everything if times_recall else value


def _step(ranks: int, distance: str) -> float:
    """The weight of a step over so many ranks."""
    if distance == "none":
        return 1.0
    return 1 / (ranks + 1) if distance == "inverse" else 1 / math.log10(ranks + 2)


def _transitions(places: list[int], steps: str, distance: str) -> NDArray[np.float64]:
    """How likely the reader goes from each place to each other."""
    size = len(places)
    matrix = np.eye(size) if size == 1 else np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            if i != j and (steps == "global" or abs(i - j) == 1):
                matrix[i, j] = _step(abs(places[i] - places[j]), distance)
    return np.asarray(matrix / matrix.sum(axis=1, keepdims=True))


def _invariant(matrix: NDArray[np.float64]) -> list[float]:
    """π with π P = π and Σ π = 1, by least squares."""
    size = len(matrix)
    system = np.vstack([matrix.T - np.eye(size), np.ones(size)])
    solution: list[float] = np.linalg.lstsq(system, np.append(np.zeros(size), 1.0), rcond=None)[0].tolist()
    return solution


def assessed_precision(case: Case, p: float = 0.8, q: float = 0.15, rel: int = 1) -> float:
    """Precision summed over the visits to relevant documents, over that of all visits, from the fundamental matrix."""
    relevant = np.array([case.grades.get(docno, 0) >= rel for docno in case.ranking], float)
    if not relevant.any():
        return 0.0
    size = len(relevant)
    precision = np.cumsum(relevant) / np.arange(1, size + 1)
    visits = np.linalg.inv(np.eye(size) - p * np.eye(size, k=1) - q * np.eye(size, k=-1))[0]
    return float(visits @ (precision * relevant) / (visits @ precision))


def cumulated_position(case: Case, k: int) -> float:
    """The distance of each of the top k from the ideal ranks of its grade, summed."""
    relevant = sorted((grade for grade in case.grades.values() if grade > 0), reverse=True)
    padded = (_grades(case) + [0] * k)[:k]
    ideal = relevant + [0] * (k + 1)
    total = 0
    for rank, grade in enumerate(padded, 1):
        ranks = [place for place, other in enumerate(ideal, 1) if other == grade]
        total += min((rank - place for place in ranks), key=abs)
    return float(total)
