"""What can be scored besides the whole corpus: shards and images of its documents, once they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import Brief, some
from irgauge.compute.arrays import Weights
from irgauge.errors import DesignError
from irgauge.scoring.hits import weights_of

if TYPE_CHECKING:
    import polars as pl

    from irgauge.reading.collection import Collection


@dataclass(frozen=True, repr=False)
class Shards(Brief):
    """A partition of the documents: the shard of each document, and the shards' names."""

    labels: NDArray[np.int32]  # doc
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.labels) and not 0 <= self.labels.min() <= self.labels.max() < len(self.names):
            raise DesignError(
                f"labels run from {self.labels.min()} to {self.labels.max()}, for {len(self.names)} shards"
            )

    def _facts(self) -> dict[str, str]:
        sizes = np.bincount(self.labels, minlength=len(self.names))
        return {
            "shards": some(self.names),
            "documents": f"{len(self.labels):,} of runs and qrels, {sizes.min():,} to {sizes.max():,} in a shard",
        }

    def frame(self, collection: Collection) -> pl.DataFrame:
        """The table `docno, shard` of the collection that is split."""
        import polars as pl

        return pl.DataFrame({"docno": collection.docnos, "shard": self.names_of_documents()})

    def names_of_documents(self) -> pl.Series:
        """The name of each document's shard."""
        import polars as pl

        return pl.Series("shard", self.names).gather(self.labels)


@dataclass(frozen=True, repr=False)
class Images(Brief):
    """Bootstrap samples of the documents: how often each image holds each document."""

    weights: Weights  # doc, image: contiguous over images
    first: int = 0  # the number of the first image
    documents: NDArray[np.int32] | None = None  # whose weights are held, in their order; None: all

    def _facts(self) -> dict[str, str]:
        return {"images": some(self.names), "documents": f"{len(self.weights):,} of runs and qrels"}

    def of(self, documents: NDArray[np.int32]) -> Weights:
        """The weights of some documents."""
        if self.documents is documents or np.array_equal(documents, self._held):
            return self.weights
        places = np.searchsorted(self._held, documents)
        if not np.array_equal(self._held.take(places, mode="clip"), documents):
            raise DesignError("these images do not hold the weights of all documents that are scored; draw all")
        return weights_of(self.weights, places.astype(np.int32))

    @property
    def _held(self) -> NDArray[np.int32]:
        return np.arange(len(self.weights), dtype=np.int32) if self.documents is None else self.documents

    @property
    def names(self) -> tuple[str, ...]:
        """The images' names: their numbers, counted from 1."""
        return tuple(str(self.first + image + 1) for image in range(self.weights.shape[1]))


Replicates = Shards | Images


def whole(documents: int) -> Shards:
    """The whole corpus as one shard: the classic measurement."""
    return Shards(np.zeros(documents, np.int32), ("all",))
