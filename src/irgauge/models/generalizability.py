"""Generalizability: how much of what the means of systems show is the systems, and how much is what was sampled.

Systems are crossed with topics, and with shards where there are several, all of them drawn from populations. A score is
then a sum of independent terms (system, topic, topic:system, ...), and the variance of each term is its component. The
means of systems over T topics and S shards err by

    σ²(δ) = σ²_ts/T + σ²_sh:s/S + σ²_tsh:s/(T S)            relative to each other,
    σ²(Δ) = σ²(δ) + σ²_t/T + σ²_sh/S + σ²_t:sh/(T S)         as estimates of the true values,

and Eρ² = σ²_s / (σ²_s + σ²(δ)), Φ = σ²_s / (σ²_s + σ²(Δ)). Brennan, "Generalizability Theory" (Springer 2001), chapters
2 to 4; Urbano, Marrero and Martín, "On the measurement of test collection reliability" (SIGIR 2013).

How sure is that? On one shard, a reliability is T q / (1 + T q), where q is the variance of systems over that of the
error on one topic. q of the relative error has an exact F interval (Feldt, Psychometrika 30, 1965; Brennan 2001,
chapter 6), q of the absolute error the approximate one of Arteaga, Jeyaratnam and Franklin (Communications in
Statistics: Theory and Methods 11, 1982). On several shards the expectations of mean squares are drawn, each MS ν/χ²(ν),
and the middle of the draws is taken; on one shard this gives the F interval too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from scipy.special import chdtri, fdtri

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.models.anova import CELL, FACTORS, TERMS, decompose

Kind = Literal["relative", "absolute"]  # of the error: between systems, or from the true value of each
Number = TypeVar("Number", float, Floats)  # a value, or one a draw
SYSTEM = "system"  # what is measured; all other terms are error
ONE_SHARD = ("topic", SYSTEM, "topic:system")
SEVERAL_SHARDS = (*TERMS, CELL)
_DRAWS = 10_000


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


class ReliabilityInterval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


class ReliabilityTopics(NamedTuple):
    """From the fewest to the most topics that may be needed; None if no number is enough."""

    fewest: int | None
    most: int | None


class Bounds(Protocol):
    """The uncertainty of reliabilities."""

    def of(self, kind: Kind, topics: int, shards: int = 1) -> ReliabilityInterval:
        """The interval of Eρ² or Φ of means over so many topics and shards."""

    def needed(self, target: float, kind: Kind, shards: int = 1) -> ReliabilityTopics:
        """The interval of the topics that reach a reliability on so many shards."""


def bounds(squares: MeanSquares, *, alpha: float = 0.05, seed: int = 0) -> Bounds:
    """Intervals with confidence 1 − α: by F on one shard, by draws on several.

    >>> printed = MeanSquares(50, 30, 1, {"topic": 0.85296, "system": 0.15074, "topic:system": 0.010152})
    >>> [round(end, 4) for end in bounds(printed).of("relative", 50)], bounds(printed).needed(0.95, "relative")
    ([0.8931, 0.9629], ReliabilityTopics(fewest=37, most=114))
    """
    check_alpha(alpha)
    return DrawnBounds.of_squares(squares, alpha, seed) if squares.shards > 1 else FBounds.of_squares(squares, alpha)


@dataclass(frozen=True)
class FBounds:
    """Intervals of q, the variance of systems over that of the error on one topic, for both errors."""

    ratios: Mapping[Kind, ReliabilityInterval]

    @classmethod
    def of_squares(cls, squares: MeanSquares, alpha: float) -> FBounds:
        """Those of a design without shards."""
        low, high = ({kind: max(_RATIO[kind](squares, p), 0.0) for kind in _RATIO} for p in (1 - alpha / 2, alpha / 2))
        return cls({kind: ReliabilityInterval(low[kind], high[kind]) for kind in _RATIO})

    def of(self, kind: Kind, topics: int, shards: int = 1) -> ReliabilityInterval:
        """T q / (1 + T q)."""
        _check_one(shards)
        return ReliabilityInterval(*(topics * ratio / (1 + topics * ratio) for ratio in self.ratios[kind]))

    def needed(self, target: float, kind: Kind, shards: int = 1) -> ReliabilityTopics:
        """π / ((1 − π) q)."""
        _check_one(shards)
        check_target(target)
        topics = [whole_topics(target / ((1 - target) * ratio)) if ratio else None for ratio in self.ratios[kind]]
        return ReliabilityTopics(topics[1], topics[0])


def _relative(squares: MeanSquares, p: float) -> float:
    """q of the relative error that F is below with probability p, where F = MS_s / MS_ts · 1 / (1 + T q)."""
    f = squares.of[SYSTEM] / squares.of["topic:system"]
    return (f / float(fdtri(squares.df(SYSTEM), squares.df("topic:system"), p)) - 1) / squares.topics


def _absolute(squares: MeanSquares, p: float) -> float:
    """The same for the absolute error, by Arteaga, Jeyaratnam and Franklin.

    Their bound ψ is of σ²_s over all that varies by T / R, with R systems, so that q = ψ R / T.
    """
    f, topic = (squares.of[term] / squares.of["topic:system"] for term in (SYSTEM, "topic"))
    if not f:
        return 0.0  # means that are all the same say nothing of systems
    df = squares.df(SYSTEM)
    free = float(chdtri(df, 1 - p)) / df  # F with endless degrees of freedom below it
    of_error, of_topic = (float(fdtri(df, squares.df(term), p)) for term in ("topic:system", "topic"))
    above = f**2 - free * f + (free - of_error) * of_error
    below = df * free * f + of_topic * f * topic
    return squares.systems * above / below / squares.topics


_RATIO: Mapping[Kind, Callable[[MeanSquares, float], float]] = {"relative": _relative, "absolute": _absolute}


@dataclass(frozen=True, eq=False)
class DrawnBounds:
    """Draws of the components of a design with shards, as its mean squares leave them uncertain."""

    variance: Mapping[str, Floats]  # by term, of draws
    alpha: float

    @classmethod
    def of_squares(cls, squares: MeanSquares, alpha: float, seed: int) -> DrawnBounds:
        """Each mean square by itself, times ν/χ²(ν); what comes out below 0 counts as 0."""
        rng = np.random.default_rng(seed)
        drawn = {term: _expected(square, squares.df(term), rng) for term, square in squares.of.items()}
        return cls({term: np.maximum(variance, 0.0) for term, variance in squares.solved(drawn).items()}, alpha)

    def of(self, kind: Kind, topics: int, shards: int = 1) -> ReliabilityInterval:
        """The middle 1 − α of the draws."""
        system = self.variance[SYSTEM]
        error = sum(errors(self.variance, kind, topics, shards).values(), np.zeros_like(system))
        low, high = np.quantile(system / (system + error), self._ends)
        return ReliabilityInterval(float(low), float(high))

    def needed(self, target: float, kind: Kind, shards: int = 1) -> ReliabilityTopics:
        """The middle 1 − α of the draws, some of which no number of topics may satisfy."""
        check_target(target)
        spare = allowed_error(self.variance, target) - lasting_error(self.variance, kind, shards)
        with np.errstate(divide="ignore"):
            topics = np.where(spare > 0, fading_error(self.variance, kind, shards) / np.maximum(spare, 0), math.inf)
        ends = np.quantile(topics, self._ends, method="higher")
        return ReliabilityTopics(*(whole_topics(float(end)) if math.isfinite(end) else None for end in ends))

    @property
    def _ends(self) -> list[float]:
        return [self.alpha / 2, 1 - self.alpha / 2]


def _expected(square: float, df: int, rng: np.random.Generator) -> Floats:
    """What a mean square may have as its expectation."""
    return square * df / rng.chisquare(df, _DRAWS)


def _check_one(shards: int) -> None:
    if shards != 1:
        raise ValueError(f"bounds of a design without shards, asked for {shards} shards")
