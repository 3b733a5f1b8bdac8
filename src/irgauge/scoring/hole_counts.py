"""The largest difference of two lists whose scores are numbers of relevant documents, divided by something."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.scoring.hole_kernels import Lists, Room, mark, marked

_ENTRY, _HIT, _ONLY, _BOTH = 0, 2, 4, 6  # places of what was read of two lists, and of what is in one or both


class Counts(NamedTuple):
    """How scores come from the number of relevant documents, for every number of unjudged ones that are relevant."""

    ranks: Ints  # number: the rank down to which documents are counted
    weights: Floats  # kind of list, number: what each counts
    kinds: Ints  # list
    holes: int  # unjudged documents of the topic
    bends: Ints  # numbers at which a divisor begins or ceases to grow, or 0


@kernel
def most_by_counts(pairs: Ints, lists: Lists, known: Lists, counts: Counts, room: Room, most: Floats) -> None:
    """Of counts: for each number of relevant documents, those are that help the first list most, or harm it least."""
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        room.seen[_ENTRY], room.seen[_ENTRY + 1] = lists.starts[a], lists.starts[b]
        room.seen[_HIT], room.seen[_HIT + 1] = known.starts[a], known.starts[b]
        room.seen[_ONLY], room.seen[_ONLY + 1], room.seen[_BOTH] = 0, 0, 0
        most[pair] = -np.inf
        for number in range(counts.holes + 1):
            _read_on(0, a, counts.ranks[number], lists, known, room)
            _read_on(1, b, counts.ranks[number], lists, known, room)
            most[pair] = max(most[pair], _with_number(number, a, b, known, counts, room))
        mark(a, 0, lists, room)
        mark(b, 0, lists, room)


@kernel
def most_by_counts_to_one_rank(
    pairs: Ints, lists: Lists, known: Lists, counts: Counts, room: Room, most: Floats
) -> None:
    """The same where all of these lists is counted, whichever documents are relevant.

    Where both lists have the same weight, the score between two bends is a ratio of two lines, which is largest at an
    end. Pairs of one first list stand together.
    """
    last, empty = -1, len(counts.kinds) - 1
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        if a != last:
            mark(last, 0, lists, room)
            mark(a, 1, lists, room)
            last = a
        _count(a, b, lists, known, room)
        if counts.kinds[a] == counts.kinds[b] or a == empty or b == empty:
            most[pair] = _most_at_ends(a, b, known, counts, room)
        else:
            most[pair] = -np.inf
            for number in range(counts.holes + 1):
                most[pair] = max(most[pair], _with_number(number, a, b, known, counts, room))


@inlined
def _count(a: int, b: int, lists: Lists, known: Lists, room: Room) -> None:
    """What is in the second list, and in the first, whose documents are marked."""
    both = marked(b, lists, room)
    room.seen[_BOTH] = both
    room.seen[_ONLY] = lists.stops[a] - lists.starts[a] - both
    room.seen[_ONLY + 1] = lists.stops[b] - lists.starts[b] - both
    room.seen[_HIT], room.seen[_HIT + 1] = known.stops[a], known.stops[b]


@kernel(from_python=False)
def _most_at_ends(a: int, b: int, known: Lists, counts: Counts, room: Room) -> float:
    first, second, both = room.seen[_ONLY], room.seen[_ONLY + 1], room.seen[_BOTH]
    best = max(_with_number(0, a, b, known, counts, room), _with_number(counts.holes, a, b, known, counts, room))
    for number in (first, first + both, counts.holes - second - both, counts.holes - second):
        best = max(best, _with_number(number, a, b, known, counts, room))
    for number in counts.bends:
        best = max(best, _with_number(number, a, b, known, counts, room))
    return best


@kernel(from_python=False)
def _read_on(side: int, i: int, rank: int, lists: Lists, known: Lists, room: Room) -> None:
    """Read a list, the first or the second of a pair, down to a rank, and count what is in it alone and in both."""
    seen, other = room.seen, 1 - side
    while seen[_ENTRY + side] < lists.stops[i] and lists.ranks[seen[_ENTRY + side]] <= rank:
        document = lists.ids[seen[_ENTRY + side]]
        is_in_other = room.states[document] == other + 1
        room.states[document] = _BOTH if is_in_other else side + 1
        seen[_BOTH] += is_in_other
        seen[_ONLY + other] -= is_in_other
        seen[_ONLY + side] += not is_in_other
        seen[_ENTRY + side] += 1
    while seen[_HIT + side] < known.stops[i] and known.ranks[seen[_HIT + side]] <= rank:
        seen[_HIT + side] += 1


@kernel(from_python=False)
def _with_number(number: int, a: int, b: int, known: Lists, counts: Counts, room: Room) -> float:
    """The largest difference where so many unjudged documents are relevant.

    First come those of the first list alone, then those of both or of none, then those of the second.
    """
    u, v = counts.weights[counts.kinds[a], number], counts.weights[counts.kinds[b], number]
    only, other, both = room.seen[_ONLY], room.seen[_ONLY + 1], room.seen[_BOTH]
    first, neither = min(number, only), counts.holes - only - other - both
    left = number - first
    of_both = min(max(left - (0 if u >= v else neither), 0), both)
    last = max(left - of_both - neither, 0)
    score = u * (room.seen[_HIT] - known.starts[a]) - v * (room.seen[_HIT + 1] - known.starts[b])
    return score + first * u + of_both * (u - v) - last * v
