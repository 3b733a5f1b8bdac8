"""How deep runs are, and how many of their documents are tied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irgauge.reading.collection import Collection
    from irgauge.replicates.data import Data

SHALLOW = 0.5  # of the depth of another run: one that is less deep is much shorter
MANY_TIES = 0.1  # of the documents of a run


@dataclass(frozen=True)
class RunLists:
    """What is known of the lists of runs; nothing of scores in a table."""

    depths: Mapping[str, int] = field(default_factory=dict)  # system -> median length of its lists
    tied: Mapping[str, float] = field(default_factory=dict)  # system -> share of documents that share their score

    @classmethod
    def of(cls, data: Data) -> RunLists:
        """Of the runs that a study works on, unless systems have changed places in them."""
        if not data.has_runs or (bench := data.runs()).is_exchanged:
            return cls()
        return cls(depths_of(bench.collection), bench.collection.tied)


def depths_of(collection: Collection) -> dict[str, int]:
    """System -> the median length of its lists."""
    lengths = dict(zip(collection.systems, collection.lengths.T, strict=True))
    return {system: int(np.median(own[own > 0])) for system, own in lengths.items() if own.any()}
