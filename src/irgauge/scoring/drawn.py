"""What can be scored besides the whole corpus: shards and images of its documents, once they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import Brief, some
from irgauge.compute.arrays import Weights
from irgauge.compute.jit import kernel
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

    def rows_of(self, documents: NDArray[np.int32]) -> RowsOf:
        """What gives the weights of some of these documents, by their places among them."""
        if self.documents is documents or np.array_equal(documents, self._held):
            return partial(weights_of, self.weights)
        places = np.searchsorted(self._held, documents)
        if not np.array_equal(self._held.take(places, mode="clip"), documents):
            raise DesignError("these images do not hold the weights of all documents that are scored; draw all")
        return partial(weights_of, weights_of(self.weights, places.astype(np.int32)))

    @property
    def _held(self) -> NDArray[np.int32]:
        return np.arange(len(self.weights), dtype=np.int32) if self.documents is None else self.documents

    @property
    def names(self) -> tuple[str, ...]:
        """The images' names: their numbers, counted from 1."""
        return tuple(str(self.first + image + 1) for image in range(self.weights.shape[1]))


@dataclass(frozen=True, repr=False)
class PartsLeftOut(Brief):
    """The corpus without each part of some splits, one after the other: every other document appears once."""

    labels: NDArray[np.uint8]  # doc, split: the part
    parts: int

    def _facts(self) -> dict[str, str]:
        return {"splits": str(self.labels.shape[1]), "parts": str(self.parts)}

    def rows_of(self, documents: NDArray[np.int32]) -> RowsOf:
        """What gives the weights of some of these documents, by their places among them."""
        if len(documents) != len(self.labels):
            raise DesignError(f"the parts of {len(self.labels)} documents were drawn, and {len(documents)} are scored")
        return self._rows

    def _rows(self, places: NDArray[np.int32]) -> Weights:
        rows = np.ones((len(places), len(self.names)), np.uint8)  # of all documents they would be much of the memory
        _leave_out(self.labels, places, self.parts, rows)
        return rows

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers of splits and parts, counted from 1."""
        return tuple(f"{split + 1}-{part + 1}" for split in range(self.labels.shape[1]) for part in range(self.parts))


@kernel
def _leave_out(labels: NDArray[np.uint8], places: NDArray[np.int32], parts: int, rows: Weights) -> None:
    for place in range(len(places)):
        doc, first = np.uint32(places[place]), np.uint64(0)
        for split in range(labels.shape[1]):
            rows[place, first + np.uint64(labels[doc, split])] = 0
            first += np.uint64(parts)


RowsOf = Callable[[NDArray[np.int32]], Weights]  # places of documents -> document, replicate
Replicates = Shards | Images | PartsLeftOut


def whole(documents: int) -> Shards:
    """The whole corpus as one shard: the classic measurement."""
    return Shards(np.zeros(documents, np.int32), ("all",))
