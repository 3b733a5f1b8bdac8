"""What an experiment costs, and the cheapest one that reaches a goal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from irgauge.errors import DesignError
from irgauge.planning.sizes import Goal, Size, Variances, topics_for


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
    found = [(count, topics_for(variances, count, goal)) for count in replicates]
    sizes = [Size(topics, count) for count, topics in found if topics is not None]
    return min(sizes, key=costs.of, default=None)
