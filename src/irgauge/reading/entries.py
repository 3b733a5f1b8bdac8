"""Entries: where the documents of some ranked lists are among those of all."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Ints
from irgauge.compute.jit import kernel


def entries_of(firsts: Ints, lengths: Ints) -> Ints:
    """The places of the entries of lists, one list after the other.

    >>> entries_of(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    entries = np.empty(lengths.sum(), np.int64)
    _fill(firsts, lengths, entries)
    return entries


@kernel
def _fill(firsts: Ints, lengths: Ints, entries: Ints) -> None:
    used = 0
    for i in range(len(firsts)):
        for entry in range(firsts[i], firsts[i] + lengths[i]):
            entries[used] = entry
            used += 1
