"""Generalizability: how much of what the means of systems show is the systems, and how much is what was sampled.

Systems are crossed with topics, and with shards where there are several, all of them drawn from populations. A score is
then a sum of independent terms (system, topic, topic:system, ...), and the variance of each term is its component. The
means of systems over T topics and S shards err by

    σ²(δ) = σ²_ts/T + σ²_sh:s/S + σ²_tsh:s/(T S)            relative to each other,
    σ²(Δ) = σ²(δ) + σ²_t/T + σ²_sh/S + σ²_t:sh/(T S)         as estimates of the true values,

and Eρ² = σ²_s / (σ²_s + σ²(δ)), Φ = σ²_s / (σ²_s + σ²(Δ)). Brennan, "Generalizability Theory" (Springer 2001), chapters
2 to 4; Urbano, Marrero and Martín, "On the measurement of test collection reliability" (SIGIR 2013).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.models.anova import CELL, FACTORS, TERMS, decompose

Kind = Literal["relative", "absolute"]  # of the error: between systems, or from the true value of each
Number = TypeVar("Number", float, Floats)  # a value, or one a draw
SYSTEM = "system"  # what is measured; all other terms are error
ONE_SHARD = ("topic", SYSTEM, "topic:system")
SEVERAL_SHARDS = (*TERMS, CELL)


@dataclass(frozen=True)
class MeanSquares:
    """The mean squares of a balanced design, by term; the last term holds what nothing else explains."""

    topics: int
    systems: int
    shards: int
    of: Mapping[str, float]

    @classmethod
    def from_values(cls, values: Floats) -> MeanSquares:
        """Those of values[topic, system, shard]."""
        sums = decompose(values)
        terms = SEVERAL_SHARDS if sums.shape[2] > 1 else ONE_SHARD
        if all(sums.ss[term] <= sums.noise for term in terms if is_error(term, "relative")):
            raise DesignError("systems differ by the same amount everywhere: their order is certain on these data")
        return cls(*sums.shape, {term: sums.ms(term) for term in terms})

    def df(self, term: str) -> int:
        """The degrees of freedom of a term."""
        return math.prod(self._levels(factor) - 1 for factor in term.split(":"))

    def solved(self, squares: Mapping[str, Number]) -> dict[str, Number]:
        """The components that have these squares as their expectations; they may be below 0.

        E[MS of a term] is the sum of the components of all terms that hold its factors, each times the number of scores
        behind one of its cells. Solved: (MS − those with one factor more + those with two more) / scores behind a cell.
        """
        return {term: self._solved(term, squares) for term in squares}

    def _solved(self, term: str, squares: Mapping[str, Number]) -> Number:
        own, total = set(term.split(":")), squares[term]
        for other, square in squares.items():
            more = set(other.split(":")) - own
            if more and own < set(other.split(":")):
                total = total - square if len(more) % 2 else total + square
        return total / math.prod(self._levels(factor) for factor in FACTORS if factor not in own)

    def _levels(self, factor: str) -> int:
        return (self.topics, self.systems, self.shards)[FACTORS.index(factor)]


@dataclass(frozen=True)
class Components:
    """The variance of each term of a score."""

    variance: Mapping[str, float]  # by term, at least 0
    below_0: tuple[str, ...] = ()  # terms whose estimate is below 0, and counts as 0

    @classmethod
    def of(cls, squares: MeanSquares) -> Components:
        """Estimates without bias, but for those below 0, which count as 0.

        >>> printed = MeanSquares(12, 10, 1, {"topic": 11.6273, "system": 10.2963, "topic:system": 2.7872})
        >>> {term: round(variance, 4) for term, variance in Components.of(printed).variance.items()}
        {'topic': 0.884, 'system': 0.6258, 'topic:system': 2.7872}
        """
        solved = squares.solved(squares.of)
        below_0 = tuple(term for term, variance in solved.items() if variance < 0)
        return cls({term: max(variance, 0.0) for term, variance in solved.items()}, below_0)

    def share(self, term: str) -> float:
        """The part of a term in the variance of a single score; NaN if nothing varies."""
        total = sum(self.variance.values())
        return self.variance[term] / total if total else math.nan

    def error(self, kind: Kind, topics: int, shards: int = 1) -> float:
        """σ²(δ) or σ²(Δ) of a mean over so many topics and shards."""
        return sum(self.errors(kind, topics, shards).values())

    def errors(self, kind: Kind, topics: int, shards: int = 1) -> dict[str, float]:
        """The parts of terms in the error of a mean."""
        return errors(self.variance, kind, topics, shards)

    def reliability(self, kind: Kind, topics: int, shards: int = 1) -> float:
        """Eρ² (relative) or Φ (absolute) of means over so many topics and shards; 0 if systems do not differ.

        >>> components = Components({"topic": 0.028093, "system": 0.0028117, "topic:system": 0.010152})
        >>> round(components.reliability("relative", 100), 3), round(components.reliability("absolute", 100), 3)
        (0.965, 0.88)
        """
        return self._reliability(self.error(kind, topics, shards))

    def most(self, kind: Kind, shards: int = 1) -> float:
        """What the reliability comes to with ever more topics, on so many shards."""
        return self._reliability(lasting_error(self.variance, kind, shards))

    def topics_needed(self, target: float, kind: Kind, shards: int = 1) -> int | None:
        """The fewest topics that reach a reliability on so many shards; None if no number does.

        >>> components = Components({"topic": 0.028093, "system": 0.0028117, "topic:system": 0.010152})
        >>> components.topics_needed(0.95, "relative"), components.topics_needed(0.95, "absolute")
        (69, 259)
        """
        check_target(target)
        spare = allowed_error(self.variance, target) - lasting_error(self.variance, kind, shards)
        return whole_topics(fading_error(self.variance, kind, shards) / spare) if spare > 0 else None

    def _reliability(self, error: float) -> float:
        system = self.variance[SYSTEM]
        return system / (system + error) if system else 0.0


def check_target(target: float) -> None:
    """Refuse a reliability that nothing has."""
    if not 0 < target < 1:
        raise DesignError(f"the reliability {target} is not possible; it lies between 0 and 1, such as 0.95")


def is_error(term: str, kind: Kind) -> bool:
    """Whether a term makes means err: all but systems do, and what all systems share does not change their order."""
    return term != SYSTEM and (kind == "absolute" or SYSTEM in term.split(":"))


def errors(variance: Mapping[str, Number], kind: Kind, topics: float, shards: float) -> dict[str, Number]:
    """The parts of terms in the error of a mean over so many topics and shards."""
    levels = {"topic": topics, SYSTEM: 1, "shard": shards}
    of_error = {term: value for term, value in variance.items() if is_error(term, kind)}
    return {term: value / math.prod(levels[factor] for factor in term.split(":")) for term, value in of_error.items()}


def lasting_error(variance: Mapping[str, Number], kind: Kind, shards: int) -> Number | float:
    """The error of a mean that more topics leave."""
    parts = errors(variance, kind, 1, shards).items()
    return sum(part for term, part in parts if "topic" not in term.split(":"))


def fading_error(variance: Mapping[str, Number], kind: Kind, shards: int) -> Number | float:
    """The error of a mean over one topic that falls as 1/T."""
    parts = errors(variance, kind, 1, shards).items()
    return sum(part for term, part in parts if "topic" in term.split(":"))


def allowed_error(variance: Mapping[str, Number], target: float) -> Number:
    """The error with which the reliability is as wanted: σ²_s (1 − π)/π."""
    return variance[SYSTEM] * ((1 - target) / target)


def whole_topics(topics: float) -> int:
    """The next whole number of topics, at least 1; what exceeds a whole number by rounding alone does not count."""
    return max(1, math.ceil(topics * (1 - 1e-12)))
