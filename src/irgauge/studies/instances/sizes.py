"""How many topics and instances does an interval of a given width need? From the mean squares of a pilot.

The interval of the experiment to come is ± √(t²(T − 1) D + Σ t²(m − 1) I), where D and I, the parts of topics and of
instances, are estimates too: it is drawn many times over. Each draw takes the true variances as the pilot leaves them
uncertain (a mean square times ν/χ²(ν)), and the mean squares of the experiment as these variances give them. The size
needed is the smallest whose interval comes out within ± width in a share of the draws, which is the assurance. Kupper
and Hafner, "How appropriate are popular sample size formulas?", American Statistician 43, 1989.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irgauge.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.intervals import critical_t
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms
from irgauge.studies.instances.pairs import Pair

INSTANCES = (2, 3, 5, 10, 20, 50, 100)
_DRAWS = 4000
_MOST = 1_000_000  # topics or instances: more are as good as none
TWO_RANDOM = "two random algorithms"
ONE_RANDOM = "a random algorithm and a deterministic one"
NONE_RANDOM = "two deterministic algorithms"
ONE_INSTANCE = "two algorithms with the instances at hand"


class Wanted(NamedTuple):
    """An interval of ± half_width that comes out with a chance of `assurance`."""

    half_width: float
    assurance: float = 0.8
    alpha: float = 0.05
    seed: int = 0


@dataclass(frozen=True)
class PlanSize:
    """How many topics are needed with so many instances of each random algorithm; None if none suffice."""

    instances: int
    topics: int | None


@dataclass(frozen=True)
class Plan:
    """What an interval of a width needs in comparisons of one kind, from the pair whose difference varies most."""

    kind: str
    pair: Pair
    pairs: int  # of that kind
    assurance: float
    needed: tuple[PlanSize, ...]
    instances: int | None  # of each random algorithm, on the topics that there are; None if none suffice


@dataclass(frozen=True, eq=False)
class Pilot:
    """Draws of the variances that the difference of two algorithms may have, after an experiment."""

    over_topics: Floats  # draw: σ_D²
    instance: Floats  # random algorithm, draw: σ_i²
    residual: Floats  # random algorithm, draw: σ²

    @classmethod
    def of(cls, squares: TwoAlgorithms, seed: int = 0, *, are_fixed: bool = False) -> Pilot:
        """The variances behind the mean squares; with fixed instances all is that of topics.

        A variance is the mean square that it is part of, less what the residual adds to that, and at least 0.
        """
        rng, topics = np.random.default_rng(seed), squares.topics
        several = [] if are_fixed else [one for one in (squares.first, squares.second) if one.instances > 1]
        of_differences = _drawn(squares.over_topics, topics - 1, rng)
        drawn = [_of_instances(one, rng) for one in several]
        instance, residual = (np.array([one[i] for one in drawn]).reshape(-1, _DRAWS) for i in range(2))
        noise = sum((row / one.instances for row, one in zip(residual, several, strict=True)), np.zeros(_DRAWS))
        return cls(np.maximum(of_differences - noise, 0.0), instance, residual)

    def half_width(self, topics: int, instances: int, wanted: Wanted) -> float:
        """What the half width of an experiment of that size does not exceed, with the chance wanted."""
        rng = np.random.default_rng((wanted.seed, 1))
        expected = self.over_topics + self.residual.sum(axis=0) / instances
        square = _t2(topics - 1, wanted.alpha) * expected * _chi2(topics - 1, expected.shape, rng) / topics
        if len(self.instance):
            if instances < 2:
                return math.inf
            square += _t2(instances - 1, wanted.alpha) * self._parts(topics, instances, rng).sum(axis=0)
        return float(np.sqrt(np.quantile(square, wanted.assurance)))

    def _parts(self, topics: int, instances: int, rng: np.random.Generator) -> Floats:
        """The parts of instances in the variance of the difference, as estimated: random algorithm, draw."""
        df, shape = instances - 1, self.instance.shape
        between = (self.instance + self.residual / topics) * _chi2(df, shape, rng)
        residual = self.residual * _chi2(df * (topics - 1), shape, rng)
        return np.maximum(between - residual / topics, between / df) / instances

    def topics_for(self, instances: int, wanted: Wanted) -> int | None:
        """The fewest topics, with so many instances of each random algorithm; None if no number is enough."""
        return _fewest(2, lambda topics: self.half_width(topics, instances, wanted) <= wanted.half_width)

    def instances_for(self, topics: int, wanted: Wanted) -> int | None:
        """The fewest instances of each random algorithm on so many topics; None if no number is enough."""
        least = 2 if len(self.instance) else 1
        return _fewest(least, lambda instances: self.half_width(topics, instances, wanted) <= wanted.half_width)


def plans_of(squares: Mapping[Pair, TwoAlgorithms], wanted: Wanted, *, model: str) -> tuple[Plan, ...]:
    """A plan for each kind of comparison that there is, from the pair whose difference varies most."""
    kinds = {pair: kind_of(one, model) for pair, one in squares.items()}
    plans = []
    for kind in dict.fromkeys(kinds.values()):
        pairs = [pair for pair in squares if kinds[pair] == kind]
        noisiest = max(pairs, key=lambda pair: sum(squares[pair].variance))
        plans.append(_plan(kind, noisiest, len(pairs), squares[noisiest], wanted))
    return tuple(plans)


def _plan(kind: str, pair: Pair, pairs: int, squares: TwoAlgorithms, wanted: Wanted) -> Plan:
    pilot = Pilot.of(squares, wanted.seed, are_fixed=kind == ONE_INSTANCE)
    counts: Iterable[int] = INSTANCES if len(pilot.instance) else (1,)
    needed = tuple(PlanSize(count, pilot.topics_for(count, wanted)) for count in counts)
    return Plan(kind, pair, pairs, wanted.assurance, needed, pilot.instances_for(squares.topics, wanted))


def kind_of(squares: TwoAlgorithms, model: str) -> str:
    """The kind of comparison that two algorithms are."""
    if model == "topic":
        return ONE_INSTANCE
    return (NONE_RANDOM, ONE_RANDOM, TWO_RANDOM)[sum(one.instances > 1 for one in (squares.first, squares.second))]


def check_half_width(half_width: float) -> None:
    """Refuse a width that no interval has."""
    if not 0 < half_width < math.inf:
        raise DesignError(f"the half width {half_width} is not possible; it is above 0, such as 0.01")


def check_assurance(assurance: float) -> None:
    """Refuse what is no chance, or certain."""
    if not 0 < assurance < 1:
        raise DesignError(f"the assurance {assurance} is not possible; it is a chance between 0 and 1, such as 0.8")


def _of_instances(one: OneAlgorithm, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draws of σ_i² and of σ² of an algorithm."""
    residual = _drawn(one.residual, max(one.residual_df, 1), rng)
    between = _drawn(one.between, one.instances - 1, rng)
    return np.maximum(between - residual / len(one.means), 0.0), residual


def _drawn(mean_square: float, df: int, rng: np.random.Generator) -> Floats:
    """What a mean square may have as its expectation: MS ν/χ²(ν)."""
    return mean_square / _chi2(df, (_DRAWS,), rng)


def _chi2(df: int, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """χ²(ν)/ν."""
    return np.asarray(rng.chisquare(df, shape) / df)


def _t2(df: int, alpha: float) -> float:
    return critical_t(alpha, df) ** 2


def _fewest(least: int, is_enough: Callable[[int], bool]) -> int | None:
    counts = range(least, _MOST)
    if not is_enough(_MOST):
        return None
    return counts[min(bisect_left(counts, True, key=is_enough), len(counts) - 1)]  # noqa: FBT003  # sought
