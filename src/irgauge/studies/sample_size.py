"""How many topics and instances does an interval of a given width need? From fitted variance components."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.models.mixed import MixedFit

INSTANCES = (1, 2, 5, 10, 20, 50, 100)
_MOST_TOPICS = 1_000_000  # more are as good as none


class Side(NamedTuple):
    """One of two algorithms: how many instances of it are scored, and whether they differ."""

    instances: int
    is_random: bool


@dataclass(frozen=True)
class Components:
    """The variances that the difference of two algorithms is made of."""

    topic_algorithm: float
    instance: float
    residual: float

    @classmethod
    def of(cls, fit: MixedFit) -> Components:
        """Those of a fitted model; 0 for what it does not have."""
        found = {one.name: one.variance for one in fit.components}
        return cls(found.get("topic:algorithm", 0.0), found.get("instance", 0.0), found["residual"])

    def half_width(self, topics: int, sides: Sequence[Side], *, alpha: float = 0.05) -> float:
        """z(1 − α/2) √Var, with Var = Σ (σ²_ta/T + σ²/(T m) + σ²_i/m) over the two algorithms' m instances.

        An algorithm whose instances do not differ has no σ²_i.

        >>> round(Components(0.0004, 0.0001, 0.0016).half_width(100, [Side(10, True), Side(1, False)]), 4)
        0.0117
        """
        constant, by_topic = self._parts(sides)
        return _z(alpha) * math.sqrt(constant + by_topic / topics)

    def topics_needed(self, half_width: float, sides: Sequence[Side], *, alpha: float = 0.05) -> int | None:
        """The fewest topics for an interval within ± half_width; None if no number of topics is enough.

        >>> Components(0.0004, 0.0001, 0.0016).topics_needed(0.0117, [Side(10, True), Side(1, False)])
        100
        """
        if not half_width > 0:
            raise DesignError(f"the half width {half_width} is not possible; it is above 0, such as 0.01")
        constant, by_topic = self._parts(sides)
        left = (half_width / _z(alpha)) ** 2 - constant
        if left <= 0 or by_topic / left > _MOST_TOPICS:
            return None
        return max(2, math.ceil(by_topic / left - 1e-9))

    def _parts(self, sides: Sequence[Side]) -> tuple[float, float]:
        """What more topics do not reduce of the variance, and what they do, for one topic."""
        constant = sum(self.instance / side.instances for side in sides if side.is_random)
        return constant, sum(self.topic_algorithm + self.residual / side.instances for side in sides)


@dataclass(frozen=True)
class Needed:
    """How many topics are needed with so many instances of each random algorithm; None if none suffice."""

    instances: int
    topics: int | None


def topics_by_instances(
    components: Components, half_width: float, *, is_deterministic: bool, alpha: float = 0.05
) -> tuple[Needed, ...]:
    """Topics needed for several numbers of instances of two random algorithms, or of one against a deterministic."""
    found = []
    for m in INSTANCES:
        other = Side(1, is_random=False) if is_deterministic else Side(m, is_random=True)
        sides = [Side(m, is_random=True), other]
        found.append(Needed(m, components.topics_needed(half_width, sides, alpha=alpha)))
    return tuple(found)


def _z(alpha: float) -> float:
    return NormalDist().inv_cdf(1 - alpha / 2)
