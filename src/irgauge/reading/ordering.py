"""The one tie rule: score descending, ties by docno descending in byte order; and no document twice."""

from __future__ import annotations

import numpy as np

from irgauge.arrays import Bytes, Floats, Ints
from irgauge.jit import kernel
from irgauge.reading.hashing import Hashes
from irgauge.reading.tokens import equal

TIE_RULE = "score descending, ties by docno descending"


@kernel
def ranking(text: Bytes, starts: Ints, stops: Ints, scores: Floats, bounds: Ints) -> Ints:
    """The rows of each list, from bounds[i] to bounds[i + 1], in rank order."""
    rows = np.arange(len(scores))
    for i in range(len(bounds) - 1):
        first, last = bounds[i], bounds[i + 1]
        if not _descends(scores[first:last]):
            rows[first:last] = first + np.argsort(-scores[first:last], kind="mergesort")
        tie = first
        for place in range(first + 1, last + 1):
            if place == last or scores[rows[place]] != scores[rows[tie]]:
                if place - tie > 1:
                    _sort_by_docno(rows[tie:place], text, starts, stops)
                tie = place
    return rows


@kernel
def _descends(scores: Floats) -> bool:
    for i in range(1, len(scores)):
        if scores[i] > scores[i - 1]:
            return False
    return True


@kernel
def _sort_by_docno(rows: Ints, text: Bytes, starts: Ints, stops: Ints) -> None:
    """Shell sort, in place, docnos descending."""
    gap = 1
    while gap < len(rows) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(rows)):
            row, place = rows[i], i
            while place >= gap and _is_greater(text, starts, stops, row, rows[place - gap]):
                rows[place] = rows[place - gap]
                place -= gap
            rows[place] = row
        gap //= 3


@kernel
def _is_greater(text: Bytes, starts: Ints, stops: Ints, row: int, other: int) -> bool:
    """Whether a row's docno comes after another's in byte order."""
    size, other_size = stops[row] - starts[row], stops[other] - starts[other]
    for i in range(min(size, other_size)):
        byte, other_byte = text[starts[row] + i], text[starts[other] + i]
        if byte != other_byte:
            return byte > other_byte
    return size > other_size


@kernel
def first_duplicate(text: Bytes, starts: Ints, stops: Ints, values: Hashes, bounds: Ints) -> int:
    """The first row whose docno is already in its list, or -1; `values` are the docnos' hashes."""
    slots = np.empty(0, np.int64)
    for i in range(len(bounds) - 1):
        size = 2
        while size < 2 * (bounds[i + 1] - bounds[i]):
            size *= 2
        if size > len(slots):
            slots = np.empty(size, np.int64)
        slots[:size] = -1
        mask = np.uint64(size - 1)
        for row in range(bounds[i], bounds[i + 1]):
            slot = values[row] & mask
            while slots[slot] >= 0:
                other = slots[slot]
                if values[other] == values[row]:
                    if equal(text, starts[row], stops[row], text, starts[other], stops[other]):
                        return row
                slot = (slot + np.uint64(1)) & mask
            slots[slot] = row
    return -1
