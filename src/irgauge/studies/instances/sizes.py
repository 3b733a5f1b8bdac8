"""How many topics and instances does an interval of a given width need? From fitted variance components."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from irgauge.errors import DesignError
from irgauge.models.mixed.reml import MixedFit

INSTANCES = (1, 2, 5, 10, 20, 50, 100)
_MOST = 1_000_000  # topics or instances: more are as good as none


class Side(NamedTuple):
    """One of two algorithms: how many instances of it are scored, and whether they differ."""

    instances: int
    is_random: bool


Sides = Callable[[int], Sequence[Side]]  # what is compared, where each random algorithm has so many instances


@dataclass(frozen=True)
class DifferenceComponents:
    """The variances that the difference of two algorithms is made of."""

    topic_algorithm: float
    instance: float
    residual: float

    @classmethod
    def of(cls, fit: MixedFit) -> DifferenceComponents:
        """Those of a fitted model; 0 for what it does not have."""
        found = {one.name: one.variance for one in fit.components}
        return cls(found.get("topic:algorithm", 0.0), found.get("instance", 0.0), found["residual"])

    def half_width(self, topics: int, sides: Sequence[Side], *, alpha: float = 0.05) -> float:
        """z(1 − α/2) √Var, with Var = Σ (σ²_ta/T + σ²/(T m) + σ²_i/m) over the two algorithms' m instances.

        An algorithm whose instances do not differ has no σ²_i.

        >>> parts = DifferenceComponents(0.0004, 0.0001, 0.0016)
        >>> round(parts.half_width(100, [Side(10, True), Side(1, False)]), 4)
        0.0117
        """
        constant, by_topic = self._parts(sides)
        return _z(alpha) * math.sqrt(constant + by_topic / topics)

    def topics_for(self, half_width: float, sides: Sequence[Side], *, alpha: float = 0.05) -> int | None:
        """The fewest topics for an interval within ± half_width; None if no number of topics is enough.

        >>> DifferenceComponents(0.0004, 0.0001, 0.0016).topics_for(0.0117, [Side(10, True), Side(1, False)])
        100
        """
        check_half_width(half_width)
        constant, by_topic = self._parts(sides)
        left = (half_width / _z(alpha)) ** 2 - constant
        if left <= 0 or by_topic / left > _MOST:
            return None
        return max(2, math.ceil(by_topic / left - 1e-9))

    def instances_for(self, half_width: float, topics: int, sides: Sides, *, alpha: float = 0.05) -> int | None:
        """The fewest instances for an interval within ± half_width on so many topics; None if none suffice.

        >>> both = lambda m: (Side(m, True), Side(m, True))
        >>> DifferenceComponents(0.0004, 0.0001, 0.0016).instances_for(0.0117, 100, both)
        9
        """
        check_half_width(half_width)
        counts = range(1, _MOST)
        most = (1 + 1e-9) * half_width
        place = bisect_left(counts, True, key=lambda m: self.half_width(topics, sides(m), alpha=alpha) <= most)  # noqa: FBT003  # sought
        return counts[place] if place < len(counts) else None

    def _parts(self, sides: Sequence[Side]) -> tuple[float, float]:
        """What more topics do not reduce of the variance, and what they do, for one topic."""
        constant = sum(self.instance / side.instances for side in sides if side.is_random)
        return constant, sum(self.topic_algorithm + self.residual / side.instances for side in sides)


@dataclass(frozen=True)
class PlanSize:
    """How many topics are needed with so many instances of each random algorithm; None if none suffice."""

    instances: int
    topics: int | None


def topics_by_instances(
    components: DifferenceComponents, half_width: float, sides: Sides, *, alpha: float = 0.05
) -> tuple[PlanSize, ...]:
    """Topics needed for several numbers of instances."""
    return tuple(PlanSize(m, components.topics_for(half_width, sides(m), alpha=alpha)) for m in INSTANCES)


TWO_RANDOM = "two random algorithms"
ONE_RANDOM = "a random algorithm and a deterministic one"
NONE_RANDOM = "two deterministic algorithms"
ONE_INSTANCE = "two algorithms with one instance each"


@dataclass(frozen=True)
class Plan:
    """What an interval of a width needs in comparisons of one kind."""

    kind: str
    needed: tuple[PlanSize, ...]
    instances: int | None  # of each random algorithm, on the topics that there are; None if none suffice


def kind_of(pair: Iterable[str], deterministic: Sequence[str], model: str) -> str:
    """The kind of comparison that two algorithms are."""
    if model == "topic":
        return ONE_INSTANCE
    fixed = sum(name in deterministic for name in pair)
    return (TWO_RANDOM, ONE_RANDOM, NONE_RANDOM)[fixed]


def plan(
    components: DifferenceComponents, kind: str, topics: int, half_width: float, *, model: str, alpha: float = 0.05
) -> Plan:
    """What an interval of ± half_width needs in comparisons of that kind, from the fitted components.

    Where nothing separates topic:algorithm from the residual, nothing is known of other numbers of instances than one.
    """
    sides = _sides(kind, is_crossed=model == "crossed")
    needed = topics_by_instances(components, half_width, sides, alpha=alpha)
    enough = components.instances_for(half_width, topics, sides, alpha=alpha)
    varies = kind in (TWO_RANDOM, ONE_RANDOM)
    return Plan(kind, needed if varies else needed[:1], enough)


def _sides(kind: str, *, is_crossed: bool) -> Sides:
    """The two algorithms; where instances are crossed, copies of the deterministic one share their effects."""
    if is_crossed and kind == ONE_RANDOM:
        return lambda m: (Side(m, is_random=False),) * 2
    one = Side(1, is_random=False)
    if kind == TWO_RANDOM:
        return lambda m: (Side(m, is_random=True),) * 2
    if kind == ONE_RANDOM:
        return lambda m: (Side(m, is_random=True), one)
    return lambda _: (one, one)


def check_half_width(half_width: float) -> None:
    """Refuse a width that no interval has."""
    if not 0 < half_width < math.inf:
        raise DesignError(f"the half width {half_width} is not possible; it is above 0, such as 0.01")


def _z(alpha: float) -> float:
    return NormalDist().inv_cdf(1 - alpha / 2)
