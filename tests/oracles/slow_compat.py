"""Compatibility, as Clarke, Vtyurina and Smucker (2021) define it, written out with sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def _overlap(one: Sequence[str], other: Sequence[str], p: float, depth: int) -> float:
    """The rank-biased overlap down to a depth, before it is divided by anything."""
    common = [len(set(one[:d]) & set(other[:d])) for d in range(1, depth + 1)]
    return sum(p ** (d - 1) * shared / d for d, shared in enumerate(common, 1))


def compatibility(
    ranking: Sequence[str], grades: Mapping[str, int], p: float = 0.95, *, normalize: bool = True
) -> float:
    """The overlap with the ideal ranking: by grade, then as in the ranking, then those not retrieved."""
    place = {docno: rank for rank, docno in enumerate(ranking)}
    relevant = [docno for docno, grade in grades.items() if grade > 0]
    ideal = sorted(relevant, key=lambda docno: (-grades[docno], place.get(docno, len(ranking))))
    depth = max(len(ranking), len(ideal))
    best = _overlap(ideal, ideal, p, depth) if normalize else sum(p**d for d in range(depth))
    return _overlap(ranking, ideal, p, depth) / best
