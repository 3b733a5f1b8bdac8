"""Blocks of topics: parts of a collection that hold their own lists alone, to be worked on elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.reading.entries import entries_of

_ENTRIES = 1 << 27  # of lists in a block: 0.8 GB


def nameless(collection: Collection) -> Collection:
    """The same collection without the names of its documents, which may be most of it."""
    return replace(collection, name_documents=_no_names)


def blocks(collection: Collection, entries: int = _ENTRIES) -> list[Collection]:
    """The topics divided into blocks of so many entries, in their order; documents keep their numbers.

    >>> from irgauge import load
    >>> lists = {"1": {"a": 2.0, "b": 1.0}, "2": {"b": 1.0}, "3": {"a": 1.0}}
    >>> whole = load({topic: {"a": 1} for topic in lists}, {"mine": lists})
    >>> [part.topics for part in blocks(whole, entries=2)]
    [('1',), ('2', '3')]
    """
    return [_of_topics(collection, block) for block in _bounds(collection.lengths.sum(axis=1), entries)]


def _bounds(sizes: Ints, most: int) -> Iterator[slice]:
    """Neighbours that together have at most so many entries, or one that has more."""
    first, total = 0, 0
    for topic, size in enumerate(sizes.tolist()):
        if total and total + size > most:
            yield slice(first, topic)
            first, total = topic, 0
        total += size
    yield slice(first, len(sizes))


def _of_topics(collection: Collection, block: slice) -> Collection:
    firsts, lengths = collection.firsts[block], collection.lengths[block]
    bounds = collection.judged_bounds[block.start : block.stop + 1]
    judged = slice(bounds[0], bounds[-1])
    places = np.cumsum(lengths.ravel()) - lengths.ravel()  # of lists, one after the other
    entries = entries_of(firsts.ravel(), lengths.ravel())
    return replace(
        nameless(collection),
        topics=collection.topics[block],
        firsts=places.reshape(lengths.shape),
        lengths=lengths,
        docs=collection.docs[entries],
        levels=collection.levels[entries],
        judged_bounds=bounds - bounds[0],
        judged_docs=collection.judged_docs[judged],
        judged_levels=collection.judged_levels[judged],
    )


def _no_names() -> NoReturn:
    raise DesignError("a collection that is worked on elsewhere has no names of documents")
