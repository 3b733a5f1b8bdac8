"""The largest difference of two lists that any grades of their unjudged documents allow, on one topic.

A system alone is a pair with the list that is empty, the last of all. What a document can add to a list is at most
`up`, and at least `down`, whatever the others are; where both are the same, as in sums, bounds are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Ints
from irgauge.compute.jit import inlined, kernel

_STEPS = 60  # of a search whose steps square the error: five are enough


class Lists(NamedTuple):
    """Documents of some kind in the lists of a topic, by rank down to the cut-off; the last list is empty."""

    starts: Ints  # list
    stops: Ints  # list
    ids: NDArray[np.int32]  # entry: the number of a document that is not judged for the topic; the level of one that is
    ranks: NDArray[np.int32]  # entry


class Worth(NamedTuple):
    """What unjudged documents can add to their lists."""

    up: Floats  # entry: at most
    down: Floats  # entry: at least
    known: Floats  # list: what judged documents give


class Ideal(NamedTuple):
    """What sums are divided by: gains of the topic's best list, in steps of gain."""

    steps: Floats  # step: how much is gained beyond the step below
    counts: Ints  # step: judged documents that gain so much
    cumulated: Floats  # rank: the weights of ranks, summed up to it
    holes: int  # unjudged documents of the topic


class Room(NamedTuple):
    """What kernels work in."""

    of_first: Floats  # document: what it adds to the first list of the pair; 0 between two lists
    of_other: Floats  # document: what it adds to the other list; 0 between two pairs
    states: NDArray[np.int8]  # document: in which lists it has been seen; 0 between two pairs
    first: Floats  # document of either list
    second: Floats
    seen: Ints  # what was counted in two lists: see the places in `hole_counts`


@inlined
def _meet(a: int, b: int, lists: Lists, worth: Worth, room: Room) -> int:
    """Write what each document of two lists adds to the one, at most, and to the other, at least; count them."""
    for entry in range(lists.starts[b], lists.stops[b]):
        room.of_other[lists.ids[entry]] = worth.down[entry]
    count = 0
    for entry in range(lists.starts[a], lists.stops[a]):
        room.first[count], room.second[count] = worth.up[entry], room.of_other[lists.ids[entry]]
        room.of_other[lists.ids[entry]] = 0.0
        count += 1
    for entry in range(lists.starts[b], lists.stops[b]):
        if room.of_other[lists.ids[entry]] != 0.0:
            room.first[count], room.second[count] = 0.0, worth.down[entry]
            room.of_other[lists.ids[entry]] = 0.0
            count += 1
    return count


@inlined
def mark(i: int, state: int, lists: Lists, room: Room) -> None:
    """Note the documents of a list, if there is one."""
    if i >= 0:
        for entry in range(lists.starts[i], lists.stops[i]):
            room.states[lists.ids[entry]] = state


@inlined
def marked(i: int, lists: Lists, room: Room) -> int:
    """How many documents of a list are noted."""
    count = 0
    for entry in range(lists.starts[i], lists.stops[i]):
        count += room.states[lists.ids[entry]]
    return count


@kernel
def count_either(pairs: Ints, lists: Lists, room: Room, counts: Ints) -> None:
    """How many documents are in either list; pairs of one first list stand together."""
    last = -1
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        if a != last:
            mark(last, 0, lists, room)
            mark(a, 1, lists, room)
            last = a
        sizes = lists.stops[a] - lists.starts[a] + lists.stops[b] - lists.starts[b]
        counts[pair] = sizes - marked(b, lists, room)


@inlined
def _turn_to(a: int, last: int, lists: Lists, worth: Floats, room: Room) -> float:
    """Note what documents add to a list, in place of those of the last one; what all add together."""
    if last >= 0:
        for entry in range(lists.starts[last], lists.stops[last]):
            room.of_first[lists.ids[entry]] = 0.0
    total = 0.0
    for entry in range(lists.starts[a], lists.stops[a]):
        room.of_first[lists.ids[entry]] = worth[entry]
        total += worth[entry]
    return total


@inlined
def _shared(b: int, lists: Lists, worth: Floats, room: Room) -> float:
    """What documents of a list add to it, or to the first list if that is less."""
    total = 0.0
    for entry in range(lists.starts[b], lists.stops[b]):
        total += min(room.of_first[lists.ids[entry]], worth[entry])
    return total


@kernel
def most_by_sums(pairs: Ints, lists: Lists, worth: Worth, room: Room, most: Floats) -> None:
    """Of sums: a document is relevant where it adds more to the first list than to the second.

    These are all of the first list, less what the second shares of them. Pairs of one first list stand together.
    """
    last, total = -1, 0.0
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        if a != last:
            total, last = _turn_to(a, last, lists, worth.up, room), a
        most[pair] = worth.known[a] - worth.known[b] + total - _shared(b, lists, worth.down, room)


@kernel
def most_by_first(pairs: Ints, lists: Lists, worth: Worth, room: Room, most: Floats) -> None:
    """Of the first relevant document: one unjudged document that is relevant, or none, does best.

    Whichever are relevant, those but the first of the one list can only help the other.
    """
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        best, count = worth.known[a] - worth.known[b], _meet(a, b, lists, worth, room)
        for i in range(count):
            best = max(best, max(worth.known[a], room.first[i]) - max(worth.known[b], room.second[i]))
        most[pair] = best


@inlined
def _ideal_with(more: int, ideal: Ideal) -> float:
    """The gain of the ideal list with so many more documents of the highest gain."""
    total = 0.0
    for step in range(len(ideal.steps)):
        total += ideal.steps[step] * ideal.cumulated[min(ideal.counts[step] + more, len(ideal.cumulated) - 1)]
    return total


@inlined
def _reaches(bound: float, total: float, positive: int, ideal: Ideal) -> bool:
    """Whether a ratio reaches a bound by all documents that add something, so many."""
    return total > 0 and total >= bound * _ideal_with(positive, ideal)


@inlined
def _shared_and_covered(b: int, lists: Lists, worth: Floats, room: Room) -> tuple[float, int]:
    """As `_shared`; and how many documents of both lists add no less to this one than to the first."""
    total, count = 0.0, 0
    for entry in range(lists.starts[b], lists.stops[b]):
        own = room.of_first[lists.ids[entry]]
        total += min(own, worth[entry])
        count += (own > 0.0) & (own <= worth[entry])
    return total, count


@kernel(makes_arrays=True)
def most_by_ratios(pairs: Ints, lists: Lists, worth: Worth, ideal: Ideal, room: Room, most: Floats) -> None:
    """Of sums over those of the ideal list, to which relevant documents are added too; `most` where that is less.

    Documents are only sorted where all that add something do not give as much. Pairs of one first list stand together.
    """
    highest, last, all_first = 0.0, -1, 0.0
    for step in range(len(ideal.steps)):
        highest += ideal.steps[step]
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        known = worth.known[a] - worth.known[b]
        if most[pair] < np.inf:
            if a != last:
                all_first, last = _turn_to(a, last, lists, worth.up, room), a
            shared, covered = _shared_and_covered(b, lists, worth.down, room)
            positive = lists.stops[a] - lists.starts[a] - covered
            if _reaches(most[pair], known + highest * (all_first - shared), positive, ideal):
                continue
        count = _meet(a, b, lists, worth, room)
        for i in range(count):
            room.first[i] -= room.second[i]
        by_worth = np.sort(room.first[:count])[::-1]
        most[pair] = min(most[pair], _largest_ratio(known, by_worth, ideal))


@kernel(from_python=False)
def _largest_ratio(known: float, by_worth: Floats, ideal: Ideal) -> float:
    """The largest (known + Σ gain worth) / ideal over the gains of documents, the worthiest first."""
    highest, total, positive = 0.0, known, 0
    for step in range(len(ideal.steps)):
        highest += ideal.steps[step]
    while positive < len(by_worth) and by_worth[positive] > 0:
        total += highest * by_worth[positive]
        positive += 1
    if total > 0:
        return _largest_above_0(known, by_worth[:positive], total, ideal)
    return _largest_below_0(total, by_worth[positive:], highest, positive, ideal)


@kernel(from_python=False)
def _largest_below_0(total: float, by_worth: Floats, highest: float, relevant: int, ideal: Ideal) -> float:
    """Where the sum is 0 or below, a longer ideal list helps: by documents that do no harm, and perhaps by others.

    The sum less λ ideal is convex in the gains where λ < 0, so that gains are 0 or the highest.
    """
    zeros, place = ideal.holes - len(by_worth) - relevant, 0
    while place < len(by_worth) and by_worth[place] == 0:
        place += 1
    below = _ideal_with(relevant + zeros + place, ideal)
    best = total / below if below > 0 else 0.0
    while place < len(by_worth):
        total += highest * by_worth[place]
        place += 1
        below = _ideal_with(relevant + zeros + place, ideal)
        if below > 0:
            best = max(best, total / below)
    return best


@kernel(from_python=False)
def _largest_above_0(known: float, by_worth: Floats, total: float, ideal: Ideal) -> float:
    """Dinkelbach's search for the ratio λ at which the largest sum − λ ideal is 0.

    That is a sum over steps of gain, each with the number of documents that gain so much, the worthiest. The best
    numbers fall from step to step by themselves, as fewer judged documents gain more and early ranks weigh more.
    """
    best = total / _ideal_with(len(by_worth), ideal)
    for _ in range(_STEPS):
        above, below = known, 0.0
        for step in range(len(ideal.steps)):
            gained, weight = _best_number(best, ideal.counts[step], by_worth, ideal.cumulated)
            above += ideal.steps[step] * gained
            below += ideal.steps[step] * weight
        ratio = above / below if below > 0 else 0.0
        if ratio <= best:
            break
        best = ratio
    return best


@inlined
def _best_number(ratio: float, judged: int, by_worth: Floats, cumulated: Floats) -> tuple[float, float]:
    """What the best number of documents adds to the sum, and the weight of as many in the ideal list."""
    last, gained = len(cumulated) - 1, 0.0
    best_gain, best_weight = 0.0, cumulated[min(judged, last)]
    for place in range(len(by_worth)):
        gained += by_worth[place]
        weight = cumulated[min(judged + place + 1, last)]
        if gained - ratio * weight > best_gain - ratio * best_weight:
            best_gain, best_weight = gained, weight
    return best_gain, best_weight


@kernel
def average_worth(lists: Lists, known: Lists, worth: Worth) -> None:
    """What documents add to the sum of precisions: least where no other unjudged one is relevant, most if all are.

    The sum is supermodular: a document adds the more the more others are relevant.
    """
    for i in range(len(lists.starts)):
        entry, hit, below, all_below = lists.stops[i] - 1, known.stops[i] - 1, 0.0, 0.0
        worth.known[i] = 0.0
        while entry >= lists.starts[i] or hit >= known.starts[i]:
            is_hit = entry < lists.starts[i] or (hit >= known.starts[i] and known.ranks[hit] > lists.ranks[entry])
            above, others = hit - known.starts[i] + (not is_hit), entry - lists.starts[i] + is_hit
            if is_hit:
                worth.known[i] += (above + 1) / known.ranks[hit]
                below += 1 / known.ranks[hit]
                all_below += 1 / known.ranks[hit]
                hit -= 1
            else:
                worth.down[entry] = (above + 1) / lists.ranks[entry] + below
                worth.up[entry] = (above + others + 1) / lists.ranks[entry] + all_below
                all_below += 1 / lists.ranks[entry]
                entry -= 1


@kernel
def average_ends(lists: Lists, worth: Worth, relevant: int, holes: int, ends: Floats) -> None:
    """The least and the largest average precision of each list, into ends[end, list].

    Of so many relevant documents the first ones of the list are best, and the last ones worst, as each rank of a
    relevant document is then as high, or as low, as can be; relevant documents elsewhere only do harm.
    """
    for i in range(len(lists.starts)):
        own = lists.stops[i] - lists.starts[i]
        total, most = worth.known[i], worth.known[i] / relevant if relevant > 0 else 0.0
        for place in range(own):
            entry = lists.starts[i] + place
            total += worth.down[entry] + place / lists.ranks[entry]
            most = max(most, total / (relevant + place + 1))
        total, others = worth.known[i], relevant + holes - own
        least = total / others if others > 0 else 0.0
        for place in range(own - 1, -1, -1):
            entry = lists.starts[i] + place
            total += worth.up[entry] - place / lists.ranks[entry]
            least = min(least, total / (others + own - place))
        ends[0, i], ends[1, i] = least, most


class Stops(NamedTuple):
    """Documents that are judged, and may stop a reader."""

    at: Lists
    chances: Floats  # entry


@kernel
def stopping_worth(lists: Lists, known: Stops, highest: float, worth: Worth, most: Floats) -> None:
    """What documents add to expected reciprocal rank, and the largest value of each list.

    It is submodular: a document adds the less the more others stop the reader.
    """
    for i in range(len(lists.starts)):
        worth.known[i] = _add_worth(i, lists, known, highest, 0.0, worth.up)
        most[i] = _add_worth(i, lists, known, highest, highest, worth.down)


@kernel(from_python=False)
def _add_worth(i: int, lists: Lists, known: Stops, highest: float, others: float, added: Floats) -> float:
    """The value of a list whose unjudged documents stop with probability `others`; what each adds at its highest."""
    value = 0.0  # of what is below
    entry, hit = lists.stops[i] - 1, known.at.stops[i] - 1
    while entry >= lists.starts[i] or hit >= known.at.starts[i]:
        if entry < lists.starts[i] or (hit >= known.at.starts[i] and known.at.ranks[hit] > lists.ranks[entry]):
            chance = known.chances[hit]
            value = chance / known.at.ranks[hit] + (1 - chance) * value
            hit -= 1
        else:
            added[entry] = highest * (1 / lists.ranks[entry] - value)
            value = others / lists.ranks[entry] + (1 - others) * value
            entry -= 1
    reaches, hit = 1.0, known.at.starts[i]
    for entry in range(lists.starts[i], lists.stops[i]):
        while hit < known.at.stops[i] and known.at.ranks[hit] < lists.ranks[entry]:
            reaches *= 1 - known.chances[hit]
            hit += 1
        added[entry] *= reaches
        reaches *= 1 - others
    return value
