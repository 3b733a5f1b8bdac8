"""How large an experiment must be: the fewest topics, or replicates, with which a goal is reached as surely as asked.

What the true variances are is known from a pilot only as well as that was large. Each draw of them gives what an
experiment of some size would reach; the size is enough where the goal is reached in a share of the draws, which is the
assurance. For a difference or a margin it is the power, at the true but unknown variances, that reaches what was asked
for. An interval's own width is an estimate too: it is drawn as well (Kupper and Hafner, "How appropriate are popular
sample size formulas?", American Statistician 43, 1989).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.verdicts import POWER
from irgauge.planning.power import MOST, critical, for_difference, for_margin, quantiles


@dataclass(frozen=True)
class Costs:
    """Of a topic, of a topic in a replicate, and of a replicate on all topics: c_t T + c_tr T R + c_r R."""

    topic: float = 0.0
    cell: float = 0.0
    replicate: float = 0.0

    def __post_init__(self) -> None:
        for cost in (self.topic, self.cell, self.replicate):
            if not 0 <= cost < math.inf:
                raise DesignError(f"the cost {cost} is not possible; it is 0 or more")

    def of(self, size: Size) -> float:
        """What an experiment of that size costs.

        >>> Costs(topic=2, replicate=10).of(Size(50, 3))
        130.0
        """
        topics, replicates = size
        return self.topic * topics + self.cell * topics * replicates + self.replicate * replicates


def cheapest(variances: Variances, goal: Goal, costs: Costs, replicates: Iterable[int]) -> Size | None:
    """The cheapest size that reaches the goal with one of these numbers of replicates; of equal ones the first."""
    candidates = [(count, topics_for(variances, count, goal)) for count in replicates]
    sizes = [Size(topics, count) for count, topics in candidates if topics is not None]
    return min(sizes, key=costs.of, default=None)


Kind = Literal["width", "difference", "margin"]
ASSURANCE = 0.8  # if nothing else is asked for


class Size(NamedTuple):
    """The size of an experiment."""

    topics: int
    replicates: int = 1  # shards, or instances of each random algorithm


class Expected(NamedTuple):
    """What is expected of an experiment of some size; draw."""

    se: Floats  # the true standard error of a difference
    half_width: Floats  # of its interval
    df: Floats  # with which Student's t has an interval of that width


class Variances(Protocol):
    """Draws of the variances that the difference of a pair may have."""

    @property
    def least(self) -> int:
        """The fewest replicates that an experiment can have."""

    def expected(self, size: Size, level: float) -> Expected:
        """What is expected of an experiment, with intervals of confidence 1 − level."""

    def half_widths(self, size: Size, level: float) -> Floats:
        """Half widths of the interval that an experiment may come out with; draw."""


@dataclass(frozen=True)
class Goal:
    """What an experiment is to reach with one pair.

    width: an interval within ± value. difference: a true difference of that size is found with this power. margin: two
    equal systems are shown to differ by less than that with this power, by two one-sided tests.
    """

    kind: Kind
    value: float
    power: float = POWER
    assurance: float = ASSURANCE
    level: float = 0.05  # of one pair: two-sided, of the one-sided tests each

    def __post_init__(self) -> None:
        if not 0 < self.value < math.inf:
            raise DesignError(f"the {_NAMES[self.kind]} {self.value} is not possible; it is above 0, such as 0.01")
        check_chance("power", self.power)
        check_chance("assurance", self.assurance)


_NAMES = {"width": "half width", "difference": "difference", "margin": "margin"}


def check_chance(name: str, chance: float) -> None:
    """Refuse what is no chance, or certain."""
    if not 0 < chance < 1:
        raise DesignError(f"the {name} {chance} is not possible; it is a chance between 0 and 1, such as 0.8")


def reached(variances: Variances, size: Size, goal: Goal) -> Floats:
    """What an experiment reaches with each draw of the variances: the smallest value of such a goal."""
    if goal.kind == "width":
        return variances.half_widths(size, goal.level)
    needed, sides = (for_difference, 1) if goal.kind == "difference" else (for_margin, 2)
    expected = variances.expected(size, sides * goal.level)
    beyond = needed(expected.df, level=goal.level, power=goal.power) - critical(expected.df, level=sides * goal.level)
    return expected.half_width + beyond * expected.se


def assured(variances: Variances, size: Size, goal: Goal) -> float:
    """What an experiment of that size reaches with the assurance asked for; nothing where it is too small to tell."""
    if size.topics < 2 or size.replicates < variances.least:
        return math.inf
    (value,) = quantiles(reached(variances, size, goal), [goal.assurance])
    return value


def topics_for(variances: Variances, replicates: int, goal: Goal) -> int | None:
    """The fewest topics that reach the goal, with so many replicates; None if no number of them does."""
    return _fewest(2, lambda topics: assured(variances, Size(topics, replicates), goal) <= goal.value)


def replicates_for(variances: Variances, topics: int, goal: Goal) -> int | None:
    """The fewest replicates that reach the goal, on so many topics; None if no number of them does."""
    return _fewest(variances.least, lambda count: assured(variances, Size(topics, count), goal) <= goal.value)


def _fewest(least: int, is_enough: Callable[[int], bool]) -> int | None:
    """The first count that is enough, sought upwards.

    More may be too much again: with few shards, more topics leave fewer degrees of freedom.
    """
    below = least - 1
    for count in _steps(least):
        if is_enough(count):
            counts = range(below + 1, count)
            return below + 1 + bisect_left(counts, True, key=is_enough)  # noqa: FBT003  # sought
        below = count
    return None


def _steps(least: int) -> Iterator[int]:
    """Counts from the least to the most, each half as large again as the one before."""
    count = least
    while count < MOST:
        yield count
        count = max(count + 1, count * 3 // 2)
    yield MOST
