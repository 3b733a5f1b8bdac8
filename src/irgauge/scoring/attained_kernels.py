"""Differences of two lists that some grades of their unjudged documents give, by measures whose bounds may be too wide.

The documents of the first list that the second lacks are relevant, all or the first of them, and no others: what is
found is no less than what is possible, and perhaps not the most.
"""

from __future__ import annotations

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import kernel
from irgauge.scoring.hole_kernels import Lists, Room, Stops, Worth, mark


@kernel
def average_attained(pairs: Ints, lists: Lists, worth: Worth, relevant: int, room: Room, most: Floats) -> None:
    """Of average precision, with the first so many of these documents relevant, whichever number is best."""
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        mark(b, 1, lists, room)
        total, place = worth.known[a] - worth.known[b], 0
        best = total / relevant if relevant > 0 else 0.0
        for entry in range(lists.starts[a], lists.stops[a]):
            if room.states[lists.ids[entry]] == 0:
                total += worth.down[entry] + place / lists.ranks[entry]
                place += 1
                best = max(best, total / (relevant + place))
        mark(b, 0, lists, room)
        most[pair] = best


@kernel
def stopping_attained(
    pairs: Ints, lists: Lists, known: Stops, highest: float, scores: Floats, room: Room, most: Floats
) -> None:
    """Of expected reciprocal rank, with all these documents of the highest grade: it only grows with each."""
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        mark(b, 1, lists, room)
        reaches, value, hit = 1.0, 0.0, known.at.starts[a]
        for entry in range(lists.starts[a], lists.stops[a] + 1):
            is_end = entry == lists.stops[a]
            while hit < known.at.stops[a] and (is_end or known.at.ranks[hit] < lists.ranks[entry]):
                value += reaches * known.chances[hit] / known.at.ranks[hit]
                reaches *= 1 - known.chances[hit]
                hit += 1
            if not is_end and room.states[lists.ids[entry]] == 0:
                value += reaches * highest / lists.ranks[entry]
                reaches *= 1 - highest
        mark(b, 0, lists, room)
        most[pair] = value - scores[b]
