"""Scores of a collection, made here, or elsewhere in blocks of topics, so that no worker needs to hold all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.compute.tasks import Task, are_elsewhere, one_by_one
from irgauge.reading.division import blocks
from irgauge.scoring.scorer import Scorer

T = TypeVar("T")
_PARTS: WeakKeyDictionary[Scorer, list[Scorer]] = WeakKeyDictionary()  # so that each is sent once


def scored(
    scorer: Scorer, score: Callable[[Scorer, T], Floats], items: Sequence[T], named: Callable[[T], str]
) -> Iterator[Floats]:
    """What `score` makes of each item, in their order: values[measure, topic, ...], each topic for itself."""
    parts = _parts(scorer) if are_elsewhere() else [scorer]
    blocks = one_by_one(Task(score, part, item, named(item)) for item in items for part in parts)
    for of_blocks in zip(*[blocks] * len(parts), strict=True):
        yield of_blocks[0] if len(of_blocks) == 1 else np.concatenate(of_blocks, axis=1)


def _parts(scorer: Scorer) -> list[Scorer]:
    """A scorer of each block of topics."""
    if scorer not in _PARTS:
        _PARTS[scorer] = [Scorer(block, scorer.measures) for block in blocks(scorer.collection)]
    return _PARTS[scorer]
