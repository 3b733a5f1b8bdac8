"""Names: equal byte strings get one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bytes, Ints
from irgauge.compute.jit import kernel
from irgauge.reading.hashing import Hashes
from irgauge.reading.tokens import NEWLINE, equal

if TYPE_CHECKING:
    import polars as pl

UNKNOWN = -1  # the number of a string that has none; empty slots hold it too


class _Table(NamedTuple):
    """Numbers in slots by hash, and the hash and text of each; there is room for more."""

    slots: NDArray[np.int32]  # a power of two of them
    hashes: Hashes  # name
    pool: Bytes  # names, each followed by a newline
    ends: Ints  # name + 1: where its text starts in the pool


@kernel
def _place(slots: NDArray[np.int32], hashes: Hashes) -> None:
    mask = np.uint64(len(slots) - 1)
    for name in range(len(hashes)):
        slot = hashes[name] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = name


@kernel
def _intern(
    text: Bytes, starts: Ints, stops: Ints, values: Hashes, table: _Table, known: int, ids: NDArray[np.int32]
) -> int:
    """Number the fields. Short loops, each with independent memory accesses, keep many of them under way at once."""
    slots, hashes, pool, ends = table
    mask = np.uint64(len(slots) - 1)
    for i in range(len(starts)):
        ids[i] = slots[values[i] & mask]
    for i in range(len(starts)):
        slot = values[i] & mask
        name = ids[i] if ids[i] >= 0 else slots[slot]  # which may have been filled since
        while name >= 0:
            if hashes[name] == values[i]:
                if equal(text, starts[i], stops[i], pool, ends[name], ends[name + 1] - 1):
                    break
            slot = (slot + np.uint64(1)) & mask
            name = slots[slot]
        if name < 0:  # a new one: to the end of the pool, followed by a newline
            name, at = known, ends[known]
            slots[slot], hashes[name] = name, values[i]
            for place in range(starts[i], stops[i]):
                pool[at] = text[place]
                at += 1
            pool[at], ends[name + 1] = NEWLINE, at + 1
            known += 1
        ids[i] = name
    return known


_CHUNK = 1 << 14  # fields interned at a time, so that little room is kept for names that may not be new


class Names:
    """Gives equal byte strings one number, in the order of their first appearance."""

    def __init__(self) -> None:
        self._known = 0
        self._slots = np.full(1 << 10, UNKNOWN, np.int32)
        self._hashes = np.empty(1 << 9, np.uint64)
        self._ends = np.zeros((1 << 9) + 1, np.int64)
        self._pool = np.empty(1 << 13, np.uint8)

    def __len__(self) -> int:
        return self._known

    def intern(self, text: Bytes, starts: Ints, stops: Ints, values: Hashes) -> NDArray[np.int32]:
        """The number of each field, given its hash; a new field gets the next number. None may hold a line break."""
        ids = np.empty(len(starts), np.int32)
        for first in range(0, len(starts), _CHUNK):
            part = slice(first, first + _CHUNK)
            self._reserve(len(starts[part]), int((stops[part] - starts[part] + 1).sum()))
            fields = (text, starts[part], stops[part], values[part])
            table = _Table(self._slots, self._hashes, self._pool, self._ends)
            self._known = _intern(*fields, table, self._known, ids[part])
        return ids

    def to_list(self) -> list[str]:
        """The strings by number."""
        return self._text().split("\n") if self._known else []

    def to_series(self) -> pl.Series:
        """The strings by number, where there are many."""
        import polars as pl

        return pl.Series([self._text()], dtype=pl.String).str.split("\n").explode()

    def _text(self) -> str:
        return self._pool[: self._ends[self._known]].tobytes().decode().removesuffix("\n")

    def _reserve(self, names: int, size: int) -> None:
        """Make room for that many new names of that total size, at least doubling what grows."""
        if (need := self._known + names) > len(self._hashes):
            capacity = 1 << (need - 1).bit_length()
            self._hashes = _grown(self._hashes, self._known, capacity)
            self._ends = _grown(self._ends, self._known + 1, capacity + 1)
            self._slots = np.full(2 * capacity, UNKNOWN, np.int32)
            _place(self._slots, self._hashes[: self._known])
        if (need := int(self._ends[self._known]) + size) > len(self._pool):
            self._pool = _grown(self._pool, int(self._ends[self._known]), 1 << (need - 1).bit_length())


def _grown(array: NDArray[Any], used: int, capacity: int) -> NDArray[Any]:
    grown = np.empty(capacity, array.dtype)
    grown[:used] = array[:used]
    return grown
