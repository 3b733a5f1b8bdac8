"""Hit lists under weights, written out: every list of every image is laid out document by document."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class SlowHits(NamedTuple):
    """The hits of one list in one image."""

    ranks: list[int]
    levels: list[int]
    length: int


def slow_hits(
    docs: Sequence[int],
    levels: Sequence[int],
    kept: Collection[int],
    weights: Sequence[int],
    judged: Sequence[int],
) -> SlowHits:
    """The ranks and levels of the documents that are hits, where each stands as often as its weight says."""
    laid_out = [(doc, level) for doc, level in zip(docs, levels, strict=True) for _ in range(weights[doc])]
    hits = [(rank, level) for rank, (doc, level) in enumerate(laid_out, 1) if level in kept and judged[doc] > 0]
    return SlowHits([rank for rank, _ in hits], [level for _, level in hits], len(laid_out))


def slow_base(
    docs: Sequence[int], levels: Sequence[int], level_count: int, judged: NDArray[np.uint8]
) -> NDArray[np.int32]:
    """image, level: how many judged documents stand there."""
    counts = np.zeros((judged.shape[1], level_count), np.int32)
    for image in range(judged.shape[1]):
        for doc, level in zip(docs, levels, strict=True):
            for _ in range(judged[doc, image]):
                counts[image, level] += 1
    return counts
