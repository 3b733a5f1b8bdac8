"""The order of names: the one in which systems, topics and replicates enter every sum and every draw.

Files, rows and columns may come in any order; the last digits of a sum, and what a draw falls on, must not follow it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from irgauge.compute.arrays import Ints

_WIDTH = 20  # digits of the numbers in names that are compared as numbers
_DIGITS = re.compile("[0-9]+")


def in_name_order(names: Sequence[str]) -> list[int]:
    """The places of names, in the order of the names; numbers in them are ordered as numbers.

    >>> names = ["run10", "run9", "a"]
    >>> [names[place] for place in in_name_order(names)]
    ['a', 'run9', 'run10']
    """
    return sorted(range(len(names)), key=lambda place: _key(names[place]))


def ranks(names: Sequence[str]) -> Ints:
    """The place of each name in that order.

    >>> ranks(["10", "9", "a"]).tolist()
    [1, 0, 2]
    """
    places = np.empty(len(names), np.int64)
    places[in_name_order(names)] = np.arange(len(names))
    return places


def _key(name: str) -> tuple[str, str]:
    return _DIGITS.sub(lambda number: number[0].zfill(_WIDTH), name), name
