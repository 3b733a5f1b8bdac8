"""Positions: the terms of all documents in their order, one document after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Indices, Ints

STOPPED = -1  # stands for a word that is no term


@dataclass(frozen=True, eq=False)
class Positions:
    """Which term stands where; a position counts from the first word of the first document."""

    terms: NDArray[np.int32]  # position: its term, or STOPPED
    starts: NDArray[np.int64]  # document: its first position; and one more

    def part(self, documents: Indices) -> Positions:
        """Those of some documents, which are given in order."""
        lengths = np.diff(self.starts)[documents]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        shift = np.repeat(self.starts[:-1][documents] - starts[:-1], lengths)
        return Positions(np.asarray(self.terms)[np.arange(starts[-1]) + shift], starts)

    def renumbered(self, numbers: NDArray[np.int32]) -> Positions:
        """The same with other numbers of terms: numbers[term]."""
        return Positions(np.append(numbers, STOPPED).astype(np.int32)[self.terms], self.starts)

    @cached_property
    def _by_term(self) -> Indices:
        return np.argsort(self.terms, kind="stable")

    @cached_property
    def _ordered(self) -> NDArray[np.int32]:
        return np.asarray(self.terms)[self._by_term]

    def of(self, term: int) -> Indices:
        """Where a term stands."""
        return self._by_term[slice(*np.searchsorted(self._ordered, [term, term + 1]))]

    def documents(self, positions: Indices) -> Indices:
        """The documents that positions are in."""
        return np.searchsorted(self.starts, positions, side="right") - 1

    def phrases(self, terms: Ints) -> Indices:
        """The documents in which these terms stand one after the other: one for each time."""
        begins = self.of(int(terms[0]))
        begins = begins[begins + len(terms) <= len(self.terms)]
        for place, term in enumerate(terms.tolist()):
            begins = begins[self.terms[begins + place] == term]
        documents = self.documents(begins)
        return documents[begins + len(terms) <= self.starts[documents + 1]]

    def windows(self, terms: Ints, width: int) -> Indices:
        """The documents in which all these terms, which differ, stand within so many words: one for each time.

        Counted is every position of one of the terms at which such a window starts.
        """
        places = [self.of(term) for term in terms.tolist()]
        begins = np.concatenate(places)
        documents = self.documents(begins)
        ends = np.minimum(begins + width, self.starts[documents + 1])
        holds: Bools = np.ones(len(begins), np.bool_)
        for of_term in places:
            following = np.append(of_term, len(self.terms))[np.searchsorted(of_term, begins)]
            holds &= following < ends
        return documents[holds]
