"""One ranked list and its judgments, as the slow measures take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Case(NamedTuple):
    """One ranked list, and what the qrels say of its topic."""

    ranking: Sequence[str]
    grades: Mapping[str, int]  # docno: below 0 where the document is in the pool but was not judged
    strata: Mapping[str, int]  # docno
    highest: int  # the highest grade of all the qrels


def order(scores: Mapping[str, float]) -> list[str]:
    """The docnos by score descending, ties by the bytes of the docno descending."""
    return sorted(scores, key=lambda docno: (scores[docno], docno.encode("utf-8")), reverse=True)
