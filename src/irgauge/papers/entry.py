"""An entry: a table or figure of a paper, with the code that computes it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from irgauge.papers.judging import Computed
from irgauge.papers.published import Exhibit, Key, exhibit
from irgauge.papers.sources import Dataset

if TYPE_CHECKING:
    from irgauge.show.figure import Figure


@dataclass(frozen=True)
class Recomputed:
    """What an entry gives for one test collection."""

    values: Mapping[Key, Computed | bool]  # for every printed key; a bool says whether a statement holds
    charts: tuple[Figure, ...] = ()  # the figure drawn again
    beside: tuple[str, ...] = ()  # sentences: the conclusion under the other population


@dataclass(frozen=True)
class Reason:
    """Why values differ whose collection and key have all these words."""

    words: tuple[str, ...]
    why: str


@dataclass(frozen=True, eq=False)
class Entry:
    """How a table or figure is computed again from the data of one of its test collections."""

    name: str  # "ferro-kim-sanderson-2019/table-5"
    method: str  # with the population of its claims
    needs: Mapping[str, tuple[str, ...]]  # test collection -> files it takes beside judgments and runs
    recompute: Callable[[Dataset], Recomputed]
    files: Mapping[str, str] = field(default_factory=dict)  # such a file -> what it holds and how to make it
    reasons: tuple[Reason, ...] = ()

    @property
    def exhibit(self) -> Exhibit:
        """What is printed."""
        return exhibit(self.name)

    def why(self, collection: str, key: Key) -> str:
        """The known reason for a difference."""
        words = {collection, *key}
        known = (reason.why for reason in self.reasons if words.issuperset(reason.words))
        return next(known, "the reason is not known")
