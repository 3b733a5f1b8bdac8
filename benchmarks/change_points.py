"""Whether changes that a history says are there, and where: `python -m benchmarks.change_points`.

A trial is a line: differences of a system from its reference on the same topics, entry after entry. On each topic they
vary by themselves, or wander, as a system does that is changed every night; few topics may vary, and those much. The
mean over all topics stays, or changes once, for good or for some entries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.inference.change_points import change_points

Floats = NDArray[np.float64]
ALPHA, TRIALS, SPREAD = 0.05, 400, 0.05
UNANSWERED, LOST = 0.02, 0.6  # share of topics, and the score that each loses


class World(NamedTuple):
    """How lines come about."""

    entries: int
    topics: int
    wanders: bool  # whether what changes on a topic stays
    is_sparse: bool  # whether one in ten varies, six times as much
    name: str
    is_flaky: bool = False  # whether some topics are not answered, other ones each time


WORLDS = (
    World(30, 50, wanders=False, is_sparse=False, name="each entry by itself"),
    World(30, 50, wanders=True, is_sparse=False, name="changes stay"),
    World(30, 50, wanders=True, is_sparse=True, name="changes of few topics stay"),
    World(100, 25, wanders=True, is_sparse=False, name="100 entries, 25 topics, changes stay"),
    World(30, 50, wanders=False, is_sparse=False, name="one topic in 50 unanswered, at random", is_flaky=True),
    World(15, 50, wanders=False, is_sparse=False, name="the same, 15 entries", is_flaky=True),
)


class Rates(NamedTuple):
    """Shares of trials."""

    false: float  # a change is said where there is none
    found: float  # a change that is there is found
    too_many: float  # more are said than there are
    misplaced: float  # changes are said, and no interval holds the one that is there
    width: float  # of the interval, in entries


def line(world: World, change: tuple[int, int], size: float, rng: np.random.Generator) -> Floats:
    """d[entry, topic], whose mean changes by so much from an entry on, up to another."""
    shape = world.entries, world.topics
    d = rng.normal(0, SPREAD, shape)
    if world.is_sparse:
        d *= 6 * (rng.random(shape) < 0.1)
    if world.is_flaky:
        d -= LOST * (rng.random(shape) < UNANSWERED)
    if world.wanders:
        d = np.cumsum(0.3 * d, axis=0)
    d[slice(*change)] += rng.normal(size, SPREAD, world.topics) if size else 0.0
    return np.asarray(d)


def rates(world: World, size: float, trials: int = TRIALS) -> Rates:
    """How often what is said is true, with a change of that size somewhere, for good."""
    false, found, many, misplaced, widths = [], [], [], [], []
    for trial in range(trials):
        rng = np.random.default_rng((trial, world.entries, world.topics))
        place = int(rng.integers(1, world.entries))
        false.append(bool(change_points(line(world, (0, 0), 0.0, rng), ALPHA, seed=trial)))
        changes = change_points(line(world, (place, world.entries), size, rng), ALPHA, seed=trial)
        found.append(bool(changes))
        many.append(len(changes) > 1)
        misplaced.append(bool(changes) and not any(change.first <= place <= change.last for change in changes))
        if changes:
            widths.append(min(change.last - change.first + 1 for change in changes))
    return Rates(*(float(np.mean(values)) for values in (false, found, many, misplaced, widths)))


def main() -> None:
    """Print the rows of a table."""
    print("| line | change | said without one | found | too many | misplaced | entries of the interval |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for world in WORLDS:
        for size in (0.02, 0.04):
            row = rates(world, size)
            shares = " | ".join(f"{share:.1%}" for share in row[:4])
            print(f"| {world.name} | {size:g} | {shares} | {row.width:.1f} |".replace("%", " %"), flush=True)


if __name__ == "__main__":
    main()
