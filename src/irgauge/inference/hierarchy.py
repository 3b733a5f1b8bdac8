"""The hierarchy of claims: which comparisons have α for themselves, and which share it, so that a page has one rate.

The first comparison is primary: it has α for itself. All others are secondary: they are one family, which has α
together, whatever the first one finds. On data without differences anything false is then said in at most 2α of
cases (Bonferroni; Dmitrienko and Tamhane 2009 have finer orders, which need the first to succeed).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from irgauge.inference.assertions import Place

M = TypeVar("M")
Families = Literal["order", "together", "each"]
FAMILIES: dict[Families, str] = {
    "order": "the first measure for the first population by itself, all others together behind it",
    "together": "all measures and populations together",
    "each": "each measure and each population by itself",
}


@dataclass(frozen=True)
class Standing:
    """How a study stands on a page: whether it has the primary claim, and its share of the α of secondary claims."""

    has_primary: bool = True
    share: float = 1.0


@dataclass(frozen=True)
class Order:
    """What is compared, the most important first, and what α is for."""

    family: Families
    measures: tuple[str, ...]
    populations: tuple[str, ...]
    alpha: float
    standing: Standing = Standing()
    slices: tuple[str, ...] = ()  # columns of topics, whose slices are secondary claims too


@dataclass(frozen=True)
class Members(Generic[M]):
    """What is tested together: its place, and which share of α it has."""

    place: Place
    members: tuple[M, ...]
    share: float = 1.0


def in_families(members: Sequence[M], families: Families, standing: Standing) -> list[Members[M]]:
    """Comparisons, the most important first, by what they are tested together with.

    >>> [group.members for group in in_families(["AP", "nDCG", "P@10"], "order", Standing())]
    [('AP',), ('nDCG', 'P@10')]
    """
    if families == "each":
        return [Members("primary", (member,)) for member in members]
    if families == "together":
        return [Members("primary", tuple(members))]
    first, rest = (members[:1], members[1:]) if standing.has_primary else ((), members)
    groups = [Members("primary", tuple(first)), Members("secondary", tuple(rest), standing.share)]
    return [group for group in groups if group.members]
