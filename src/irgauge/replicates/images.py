"""Images: bootstrap samples of the corpus, and of the topics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Ints, Weights
from irgauge.compute.jit import kernel
from irgauge.compute.tasks import in_threads, worth_threads
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.replicates.pcg64 import LOW_BITS, Words, state_of, stepped, word_of
from irgauge.scoring.drawn import Images

_BLOCK = 256  # documents whose weights are brought into place at a time
_PART = 1 << 14  # documents that one thread takes


def draw_images(
    collection: Collection,
    count: int,
    *,
    seed: int,
    first: int = 0,
    documents: NDArray[np.int32] | None = None,
    workers: int | None = None,
) -> Images:
    """Images of the corpus: as many documents as it has, drawn with replacement from all of it.

    How many of the draws fall on documents that are stored is binomial; which ones is then drawn. Image number i
    depends on the seed and on i alone. Where some `documents` are named, only their weights are held.

    >>> from irgauge import load
    >>> collection = load({"q": {"d1": 1, "d2": 0}}, {"mine": {"q": {"d1": 2.0, "d3": 1.0}}})
    >>> draw_images(collection, 4, seed=1).weights.sum(axis=0).tolist()
    [3, 3, 3, 3]
    """
    if collection.documents == "judged":
        raise DesignError("images need all documents; load the collection with documents='all'")
    held = collection.document_count if documents is None else len(documents)
    drawn = np.empty((count, held), np.uint8)

    def draw(image: int) -> None:
        counts = _draw(collection, np.random.SeedSequence(seed, spawn_key=(first + image,)))
        if documents is None:
            drawn[image] = counts
        else:
            _taken(counts, documents, drawn[image])

    weights = np.empty((held, count), np.uint8)

    def bring(first_document: int) -> None:
        part = slice(first_document, first_document + _PART)
        _transpose(drawn[:, part], weights[part])

    workers = worth_threads(workers, collection.document_count * count)
    in_threads(draw, range(count), workers)
    in_threads(bring, range(0, held, _PART), workers)
    return Images(weights, first, documents)


def _draw(collection: Collection, seed: np.random.SeedSequence) -> Weights:
    """How often each stored document is drawn in one image."""
    documents, corpus = collection.document_count, collection.corpus_size
    rng, counts = np.random.default_rng(seed), np.zeros(documents, np.uint8)
    missing = rng.binomial(corpus, documents / corpus)  # draws that fall on stored documents
    _tally(state_of(rng), missing, counts)
    return counts


def check_images(images: int) -> None:
    """Refuse a number of images from which nothing can be learnt of their variation."""
    if images < 2:
        message = "draw at least 2, so that they can vary, better 100 or more"
        raise DesignError(f"the number of images is {images}; {message}")


def draw_topics(topics: int, count: int, *, seed: int, first: int = 0) -> Ints:
    """How often each topic is in each resample of the topics (topic, image); image i depends on the seed and i."""
    drawn = np.empty((topics, count), np.int64)
    for image in range(count):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(first + image, 1)))
        drawn[:, image] = np.bincount(rng.integers(topics, size=topics), minlength=topics)
    return drawn


@kernel
def _tally(state: Words, missing: int, counts: Weights) -> None:
    """Draw so many documents with the halves of random words, and count them.

    A half u of 32 bits gives document ⌊u n / 2³²⌋; those that would make it uneven are left out (Lemire 2019). That a
    document is drawn more than 255 times has a chance below 1e-490.
    """
    documents, half = np.uint64(len(counts)), np.uint64(32)
    uneven = np.uint64(2**32) % documents
    high, low = state[0], state[1]
    while missing > 0:
        high, low = stepped(high, low, state)
        word = word_of(high, low)
        for bits in (word & LOW_BITS, word >> half):
            product = bits * documents
            if product & LOW_BITS >= uneven and missing > 0:
                counts[product >> half] += np.uint8(1)
                missing -= 1


@kernel
def _taken(counts: Weights, documents: NDArray[np.int32], row: Weights) -> None:
    """The counts of some documents."""
    for i in range(len(documents)):
        row[i] = counts[np.uint32(documents[i])]


@kernel
def _transpose(rows: Weights, columns: Weights) -> None:
    """Write rows as columns, in blocks that fit the cache.

    Places are unsigned, which numba does not test for negative ones: three times as fast.
    """
    documents, size = np.uint64(rows.shape[1]), np.uint64(_BLOCK)
    for first in range(np.uint64(0), documents, size):
        for row in range(np.uint64(rows.shape[0])):
            for column in range(first, min(first + size, documents)):
                columns[column, row] = rows[row, column]
