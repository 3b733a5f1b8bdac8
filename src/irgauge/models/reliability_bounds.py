"""How sure is a reliability? Intervals of Eρ² and Φ, and of the topics that reach a value.

On one shard, a reliability is T q / (1 + T q), where q is the variance of systems over that of the error on one topic.
q of the relative error has an exact F interval (Feldt, Psychometrika 30, 1965; Brennan 2001, chapter 6), q of the
absolute error the approximate one of Arteaga, Jeyaratnam and Franklin (Communications in Statistics: Theory and Methods
11, 1982). On several shards the expectations of mean squares are drawn, each MS ν/χ²(ν), and the middle of the draws is
taken; on one shard this gives the F interval too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import chdtri, fdtri

from irgauge.compute.arrays import Floats
from irgauge.errors import check_alpha
from irgauge.models.generalizability import (
    SYSTEM,
    Kind,
    MeanSquares,
    allowed_error,
    check_target,
    errors,
    fading_error,
    lasting_error,
    whole_topics,
)

_DRAWS = 10_000


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


class Needed(NamedTuple):
    """From the fewest to the most topics that may be needed; None if no number is enough."""

    fewest: int | None
    most: int | None


class Bounds(Protocol):
    """The uncertainty of reliabilities."""

    def of(self, kind: Kind, topics: int, shards: int = 1) -> Interval:
        """The interval of Eρ² or Φ of means over so many topics and shards."""

    def needed(self, target: float, kind: Kind, shards: int = 1) -> Needed:
        """The interval of the topics that reach a reliability on so many shards."""


def bounds(squares: MeanSquares, *, alpha: float = 0.05, seed: int = 0) -> Bounds:
    """Intervals with confidence 1 − α: by F on one shard, by draws on several.

    >>> printed = MeanSquares(50, 30, 1, {"topic": 0.85296, "system": 0.15074, "topic:system": 0.010152})
    >>> [round(end, 4) for end in bounds(printed).of("relative", 50)], bounds(printed).needed(0.95, "relative")
    ([0.8931, 0.9629], Needed(fewest=37, most=114))
    """
    check_alpha(alpha)
    return DrawnBounds.of_squares(squares, alpha, seed) if squares.shards > 1 else FBounds.of_squares(squares, alpha)


@dataclass(frozen=True)
class FBounds:
    """Intervals of q, the variance of systems over that of the error on one topic, for both errors."""

    ratios: Mapping[Kind, Interval]

    @classmethod
    def of_squares(cls, squares: MeanSquares, alpha: float) -> FBounds:
        """Those of a design without shards."""
        low, high = ({kind: max(_RATIO[kind](squares, p), 0.0) for kind in _RATIO} for p in (1 - alpha / 2, alpha / 2))
        return cls({kind: Interval(low[kind], high[kind]) for kind in _RATIO})

    def of(self, kind: Kind, topics: int, shards: int = 1) -> Interval:
        """T q / (1 + T q)."""
        _check_one(shards)
        return Interval(*(topics * ratio / (1 + topics * ratio) for ratio in self.ratios[kind]))

    def needed(self, target: float, kind: Kind, shards: int = 1) -> Needed:
        """π / ((1 − π) q)."""
        _check_one(shards)
        check_target(target)
        topics = [whole_topics(target / ((1 - target) * ratio)) if ratio else None for ratio in self.ratios[kind]]
        return Needed(topics[1], topics[0])


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

    def of(self, kind: Kind, topics: int, shards: int = 1) -> Interval:
        """The middle 1 − α of the draws."""
        system = self.variance[SYSTEM]
        error = sum(errors(self.variance, kind, topics, shards).values(), np.zeros_like(system))
        low, high = np.quantile(system / (system + error), self._ends)
        return Interval(float(low), float(high))

    def needed(self, target: float, kind: Kind, shards: int = 1) -> Needed:
        """The middle 1 − α of the draws, some of which no number of topics may satisfy."""
        check_target(target)
        spare = allowed_error(self.variance, target) - lasting_error(self.variance, kind, shards)
        with np.errstate(divide="ignore"):
            topics = np.where(spare > 0, fading_error(self.variance, kind, shards) / np.maximum(spare, 0), math.inf)
        ends = np.quantile(topics, self._ends, method="higher")
        return Needed(*(whole_topics(float(end)) if math.isfinite(end) else None for end in ends))

    @property
    def _ends(self) -> list[float]:
        return [self.alpha / 2, 1 - self.alpha / 2]


def _expected(square: float, df: int, rng: np.random.Generator) -> Floats:
    """What a mean square may have as its expectation."""
    return square * df / rng.chisquare(df, _DRAWS)


def _check_one(shards: int) -> None:
    if shards != 1:
        raise ValueError(f"bounds of a design without shards, asked for {shards} shards")
