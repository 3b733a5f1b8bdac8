"""How a pair was tested, in words."""

from __future__ import annotations

from typing import NamedTuple

from irgauge.show.verdicts import FOR
from irgauge.studies.sampling_findings import Basis


class PairMethod(NamedTuple):
    """How a pair was tested, and on how many topics."""

    text: str
    topics: int
    basis: Basis | None = None  # where topics are in clusters or have weights

    @property
    def tested_on(self) -> str:
        """Topics, in words."""
        return f"{self.topics} topics" if self.basis is None else self.basis.text

    @property
    def unit(self) -> str:
        """What is drawn by itself: topics, or their clusters."""
        return "topics" if self.basis is None or self.basis.clusters is None else "clusters"

    def covers(self, population: str) -> str:
        """What a claim covers, in words."""
        if self.basis is not None:
            return self.basis.covers
        return f"{FOR[population]} like these" if population == "topics" else FOR[population]
