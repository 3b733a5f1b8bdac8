"""Split: one split of a collection's documents into shards, with their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from irgauge.brief import Brief, some
from irgauge.reading.collection import Collection
from irgauge.reading.trec import write_map
from irgauge.replicates.shards import split_documents
from irgauge.scoring.drawn import Shards

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class Split(Brief):
    """The shard of each document of runs and judgments."""

    spec: str
    seed: int
    collection: Collection
    shards: Shards

    def _facts(self) -> dict[str, str]:
        sizes = self.sizes.values()
        return {
            "split": f"{self.spec}, seed {self.seed}",
            "shards": some(self.shards.names),
            "documents": f"{sum(sizes):,}, {min(sizes):,} to {max(sizes):,} in a shard",
        }

    @property
    def sizes(self) -> Mapping[str, int]:
        """Shard -> its documents."""
        counts = np.bincount(self.shards.labels, minlength=len(self.shards.names))
        return dict(zip(self.shards.names, counts.tolist(), strict=True))

    def frame(self) -> pl.DataFrame:
        """The table `docno, shard`."""
        return self.shards.frame(self.collection)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the map that the shards `map:FILE` read: docno and shard on each line."""
        write_map(path, self.collection.docnos, self.shards.names_of_documents())


def shards(collection: Collection, spec: str, seed: int = 0) -> Split:
    """Split the documents of a collection, as a study with these shards and this seed does first.

    >>> from irgauge import load
    >>> collection = load({"q": {"AP1": 1, "FT2": 0}}, {"mine": {"q": {"AP1": 2.0, "FT3": 1.0}}})
    >>> shards(collection, "match:^(AP|FT)").sizes
    {'AP': 1, 'FT': 2}
    """
    return Split(spec, seed, collection, split_documents(collection, spec, seed=seed))
