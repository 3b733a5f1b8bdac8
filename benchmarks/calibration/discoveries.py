"""What is found where half of the systems are better by δ, and what of it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.calibration import topics
from benchmarks.calibration.cells import Cell, Group, Method, What
from benchmarks.calibration.topics import Test, by_draws, by_topics, tukey_of_topics
from calibration.worlds import Floats, TopicWorld
from irgauge.compute.arrays import Bools

DELTA = 0.08
TRIALS = {5: (600, 300), 20: (300, 100), 100: (50, 10)}  # systems: trials, those of slow methods
_WORLDS = ("normal", "unequal spread", "TREC-8 shuffled", "TREC-8 resampled")


def is_better(system: str, systems: int) -> bool:
    """Whether a system is of the better half, by its place."""
    return int(system) < systems // 2


def found_and_true(test: Test, values: Floats, seed: int) -> tuple[Bools, Bools]:
    """Which pairs are called different, and in which the system that is ahead is truly better."""
    found = test(values, seed)
    better = np.array([is_better(system, len(found.systems)) for system in found.systems])
    return found.significant, better[found.first] & ~better[found.second]


def any_wrong(test: Test, values: Floats, seed: int) -> float:
    """Whether any pair is wrong: equal systems, or the worse one called better."""
    found, true = found_and_true(test, values, seed)
    return float((found & ~true).any())


def false_share(test: Test, values: Floats, seed: int) -> float:
    """The share of what is found that is wrong; 0 where nothing is found."""
    found, true = found_and_true(test, values, seed)
    return float((found & ~true).sum() / max(1, found.sum()))


def found_share(test: Test, values: Floats, seed: int) -> float:
    """The share of true differences that are found."""
    found, true = found_and_true(test, values, seed)
    half = values.shape[1] // 2
    return float((found & true).sum() / (half * (values.shape[1] - half)))


def method(name: str, what: What, test: Test, *, is_slow: bool = False) -> Method[Floats]:
    """A test, and what is counted of it."""
    counts: dict[What, Callable[[Test, Floats, int], float]] = {
        "any pair": any_wrong,
        "false discoveries": false_share,
        "power": found_share,
    }
    return Method(name, "topics", what, partial(counts[what], test), is_slow)


TESTS: dict[str, tuple[What, Test, bool]] = {  # name: what it promises, the test, whether it is slow
    "paired t, Holm": ("any pair", by_topics("t", correction="holm"), False),
    "paired t, Bonferroni": ("any pair", by_topics("t", correction="bonferroni"), False),
    "max-t": ("any pair", by_draws("max-t"), False),
    "Tukey, MD1": ("any pair", tukey_of_topics, False),
    "randomised Tukey": ("any pair", by_draws("randomised-tukey"), True),
    "paired t, BH": ("false discoveries", by_topics("t", correction="bh"), False),
    "randomization, BH": ("false discoveries", by_draws("randomization", correction="bh"), True),
}
METHODS = tuple(
    method(name, counted, test, is_slow=is_slow)
    for name, (what, test, is_slow) in TESTS.items()
    for counted in (what, "power")
)


def cell(name: str, world: TopicWorld, size: tuple[int, int]) -> Cell[Floats]:
    """One world and design; the first half of the systems is better by δ."""

    def draw(rng: np.random.Generator) -> Floats:
        better = [is_better(str(system), size[1]) for system in range(size[1])]
        return world(rng, *size) + DELTA * np.array(better)

    return Cell(name, f"{size[0]} × {size[1]}", draw, METHODS, *TRIALS[size[1]])


def cells() -> list[Cell[Floats]]:
    """All worlds and designs."""
    sizes = [(count, systems) for systems in reversed(topics.SYSTEMS) for count in topics.TOPICS]
    return [cell(name, world, size) for size in sizes for name, world in topics.worlds().items() if name in _WORLDS]


GROUP = Group(
    "discoveries",
    "Pairs of systems, half of which are better",
    f"Half of the systems are better by δ = {DELTA}. Wrong is a pair of equal systems that are called different, or a "
    "worse system that is called better. The power is the share of true differences that are found. A design is "
    "topics × systems.",
    cells,
)
