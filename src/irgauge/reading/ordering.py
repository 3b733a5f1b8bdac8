"""The one tie rule: score descending, ties by docno descending in byte order; and no document twice."""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Bools, Bytes, Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.reading.byte_strings import Hashes, Place
from irgauge.reading.tokens import equal

TIE_RULE = "score descending, ties by docno descending"
_ONE = Place(1)


def ranking(text: Bytes, starts: Ints, stops: Ints, scores: Floats, bounds: Ints) -> Ints:
    """The rows of each list, from bounds[i] to bounds[i + 1], in rank order."""
    rows = np.arange(len(scores)) if _descend(scores, bounds) else _by_score(scores, bounds)
    _sort_ties(rows, text, starts, stops, scores, bounds)
    return rows


def tied_rows(ordered: Floats, bounds: Ints) -> Bools:
    """Which rows share their score with another one of their list, given scores that are in order in each list."""
    same = in_lists(ordered[1:] == ordered[:-1], bounds, between=False)
    return np.append(same, False) | np.append(False, same)  # values, not options


def in_lists(neighbours: Bools, bounds: Ints, *, between: bool) -> Bools:
    """What is said of each row and the next one; where these are of two lists, what to say there."""
    neighbours[bounds[(bounds > 0) & (bounds <= len(neighbours))] - 1] = between
    return neighbours


def _descend(scores: Floats, bounds: Ints) -> bool:
    """Whether the scores of all lists descend, as in most runs."""
    return bool(in_lists(scores[1:] <= scores[:-1], bounds, between=True).all())


def descending(scores: Floats, bounds: Ints) -> Floats:
    """The scores of each list, the highest first."""
    return scores if _descend(scores, bounds) else scores[_by_score(scores, bounds)]


def _by_score(scores: Floats, bounds: Ints) -> Ints:
    return np.lexsort((-scores, np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))))


@kernel
def _sort_ties(rows: Ints, text: Bytes, starts: Ints, stops: Ints, scores: Floats, bounds: Ints) -> None:
    for i in range(len(bounds) - 1):
        first, last = bounds[i], bounds[i + 1]
        tie = first
        for place in range(first + 1, last + 1):
            if place == last or scores[rows[place]] != scores[rows[tie]]:
                if place - tie > 1:
                    _sort(rows, tie, place, text, starts, stops)
                tie = place


@kernel(from_python=False)
def _sort(rows: Ints, first: int, last: int, text: Bytes, starts: Ints, stops: Ints) -> None:
    """Shell sort of some rows, in place, docnos descending."""
    gap = 1
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            row, place = rows[i], i
            while place >= first + gap and _is_greater(text, starts, stops, row, rows[place - gap]):
                rows[place] = rows[place - gap]
                place -= gap
            rows[place] = row
        gap //= 3


@inlined
def _is_greater(text: Bytes, starts: Ints, stops: Ints, row: int, other: int) -> bool:
    """Whether a row's docno comes after another's in byte order."""
    at, other_at = Place(starts[row]), Place(starts[other])
    end, other_end = Place(stops[row]), Place(stops[other])
    both = at + min(end - at, other_end - other_at)  # where the shorter one stops
    while at < both and text[at] == text[other_at]:
        at += _ONE
        other_at += _ONE
    return bool(text[at] > text[other_at] if at < both else end - at > other_end - other_at)


def first_duplicate(text: Bytes, starts: Ints, stops: Ints, values: Hashes, bounds: Ints) -> int:
    """The first row whose docno is already in its list, or -1; `values` are the docnos' hashes."""
    longest = int(np.diff(bounds).max(initial=1))
    slots = np.empty(1 << longest.bit_length() + 1, np.int64)  # at least twice as many, a power of two
    return int(_first_duplicate(text, starts, stops, values, bounds, slots))


@kernel
def _first_duplicate(text: Bytes, starts: Ints, stops: Ints, values: Hashes, bounds: Ints, slots: Ints) -> int:
    for i in range(len(bounds) - 1):
        size = 2
        while size < 2 * (bounds[i + 1] - bounds[i]):
            size *= 2
        for slot in range(size):
            slots[slot] = -1
        mask = np.uint64(size - 1)
        for row in range(bounds[i], bounds[i + 1]):
            place = values[row] & mask
            while slots[place] >= 0:
                other = slots[place]
                if values[other] == values[row]:
                    if equal(text, starts[row], stops[row], text, starts[other], stops[other]):
                        return row
                place = (place + np.uint64(1)) & mask
            slots[place] = row
    return -1
