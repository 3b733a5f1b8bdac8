"""Replicates: more measurements of the same systems on the same topics, by shards or images of the corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError


@dataclass(frozen=True)
class Shards:
    """A partition of the documents: the shard of each document, and the shards' names."""

    labels: NDArray[np.int32]  # doc
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.labels) and not 0 <= self.labels.min() <= self.labels.max() < len(self.names):
            raise DesignError(
                f"labels run from {self.labels.min()} to {self.labels.max()}, for {len(self.names)} shards"
            )


@dataclass(frozen=True)
class Images:
    """Bootstrap samples of the documents: how often each image holds each document."""

    weights: NDArray[np.uint8]  # doc, image: contiguous over images

    @property
    def names(self) -> tuple[str, ...]:
        """The images' names: their numbers from 1."""
        return tuple(str(image) for image in range(1, self.weights.shape[1] + 1))


Replicates = Shards | Images


def whole(documents: int) -> Shards:
    """The whole corpus as one shard: the classic measurement."""
    return Shards(np.zeros(documents, np.int32), ("all",))
