"""Differences on few topics that people judged, corrected by a judge's on many: prediction-powered inference.

With d_i by people and f_i by the judge on the n topics that people judged, and the judge's mean f̄ on N others,

    θ = mean over i of d_i + λ_i (f̄ − f_i)

has no bias where both sets of topics are drawn from the same population: then the judge's own errors cancel, whatever
they are (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference", Science 2023). The variance
is least at λ = Cov(d, f) / ((1 + n/N) Var(f)) (Angelopoulos, Duchi and Zrnic, "PPI++", 2023), kept from 0, people
alone, to 1. Each topic has its λ from the others, so that an interval holds with few topics too. It is guarded against
skewness as the usual test of pairs is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.errors import DesignError
from irgauge.inference.tests.skewed_t import skewed_t_outcome
from irgauge.inference.verdicts import Parts, are_constant

LEAST_TOPICS = 5  # that people judged: with fewer there is nothing to tune λ by
LEAST_FURTHER = 2  # by the judge alone


@dataclass(frozen=True, eq=False)
class Corrected:
    """Estimates of differences, one a pair of systems."""

    each: Floats  # topic, pair: what it is the mean of
    parts: Parts  # of its variance: what people's topics leave, and what the judge's others add
    weight: Floats  # pair: the mean of λ
    people: Floats  # pair: the mean difference by people alone
    people_variance: Floats  # pair: of that mean
    topics: int  # that people judged
    judged: int  # others, by the judge alone

    @cached_property
    def difference(self) -> Floats:
        """The estimates; pair."""
        return np.asarray(self.each.mean(axis=0))

    @property
    def is_constant(self) -> Bools:
        """Whether a difference does not vary at all, so that there is no spread to test it against; pair."""
        return are_constant(self.difference, self.parts)

    def interval(self, alpha: float) -> tuple[Floats, Floats]:
        """Of each difference by itself: the wider of those by both parts of its variance, and by skewed topics."""
        half, skewed = self.parts.half_width(alpha), skewed_t_outcome(self.each, alpha)
        low = np.minimum(self.difference - half, skewed.low)
        high = np.maximum(self.difference + half, skewed.high)
        return np.where(self.is_constant, -np.inf, low), np.where(self.is_constant, np.inf, high)

    @cached_property
    def p(self) -> Floats:
        """Of each difference by itself, against 0: the larger of the two."""
        by_parts = np.minimum(1.0, 2 * self.parts.tail(np.abs(self.difference)))
        return np.where(self.is_constant, 1.0, np.maximum(by_parts, skewed_t_outcome(self.each, _ANY).p))

    @cached_property
    def worth(self) -> Floats:
        """How many topics of people alone would give as short an interval; pair. NaN where nothing varies."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.topics * self.people_variance / np.square(self.parts.se))


def corrected(people: Floats, judged: Floats, further: Floats, weight: float | None = None) -> Corrected:
    """Correct differences people[topic, pair] by judged[topic, pair] on the same topics and further[topic, pair].

    `weight` is a λ that is given, not tuned: 1 is the first prediction-powered estimate, 0 people alone.
    """
    n, further_n = len(people), len(further)
    if people.shape != judged.shape or people.shape[1] != further.shape[1]:
        raise DesignError(f"people {people.shape}, judge {judged.shape} and others {further.shape} do not fit together")
    if n < LEAST_TOPICS or further_n < LEAST_FURTHER:
        needed = f"{LEAST_TOPICS} and {LEAST_FURTHER} are needed"
        raise DesignError(f"{n} topics by people and {further_n} others are too few; {needed}")
    mean = further.mean(axis=0)
    weights = tuned(people, judged, n / further_n) if weight is None else np.full(people.shape, weight)
    each = people - weights * (judged - mean)  # topic, pair
    of_people = np.var(each, axis=0, ddof=1) / n
    of_judge = np.square(weights.mean(axis=0)) * np.var(further, axis=0, ddof=1) / further_n
    freedom = n - 1.0 if weight is not None else n - 2.0  # one is spent on the tuning
    df = np.broadcast_to(np.array([[freedom], [further_n - 1.0]]), (2, people.shape[1]))
    return Corrected(
        each=each,
        parts=Parts(np.array([of_people, of_judge]), df),
        weight=weights.mean(axis=0),
        people=people.mean(axis=0),
        people_variance=np.var(people, axis=0, ddof=1) / n,
        topics=n,
        judged=further_n,
    )


def tuned(people: Floats, judged: Floats, ratio: float) -> Floats:
    """λ[topic, pair] that the other topics have, from 0 to 1."""
    n = len(people)
    sums = [values.sum(axis=0) - values for values in (people, judged, people * judged, np.square(judged))]
    d, f, both, squares = (values / (n - 1) for values in sums)
    variance = squares - np.square(f)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(variance > _ROUNDING * squares, (both - d * f) / variance, 0.0)
    return np.clip(slope / (1 + ratio), 0.0, 1.0)


_ANY = 0.05  # a level, which p does not depend on
_ROUNDING = 1e-12  # of a variance, as a part of the squares
