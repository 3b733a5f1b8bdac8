"""Which systems differ, by the partition method? Bootstrap ANOVA over many random splits of the corpus.

Voorhees, Samarov and Soboroff, "Using replicates in information retrieval evaluation" (TOIS 2017), section 5: every
split gives every pair of systems a corrected p-value, and these are aggregated into one decision (Figure 7).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.aggregation import Rule, aggregation
from irgauge.models.anova import Population
from irgauge.models.residuals import Bootstrap, Resample
from irgauge.reading.collection import Collection, Progress
from irgauge.scoring.measures import Measure
from irgauge.studies.splits import (
    Divider,
    Drawing,
    Floats,
    Inference,
    Ranking,
    Sides,
    Signs,
    Split,
    check_split,
    infer,
    rank,
    sign,
)

_SHOWN = 5  # systems named in an error
_ONE_SIDE = "a test of the difference with two sides finds fewer pairs"


@dataclass(frozen=True)
class Level:
    """How many pairs the splits disagree on to the same degree: so many say one thing, all others another."""

    minority: int
    majority: int
    pairs: int
    share: float  # of all pairs

    def __str__(self) -> str:
        return f"{self.minority}:{self.majority}"


@dataclass(frozen=True, eq=False)
class Overlap:
    """The densities of the effects of two systems; p is the area of the worse one's from the better one's effect on."""

    better: str
    worse: str
    effects: tuple[float, float]  # better, worse
    mean: float  # of all scores: an effect and this make a mean score
    at: Floats
    densities: Floats  # better and worse, at
    p: float  # not corrected


@dataclass(frozen=True, eq=False)
class Partitions(Ranking):
    """The multiple partition inference: p-values and directions of every pair in every split."""

    parts: int
    splits: tuple[Split, ...]
    inferences: tuple[Inference, ...]  # split
    bootstrap: Bootstrap  # of the first split, for its densities
    rule: Rule
    drawing: Drawing
    fill: str
    kept: str

    @property
    def alpha(self) -> float:
        """The level asked for."""
        return self.drawing.alpha

    @property
    def population(self) -> Population:
        """What the decisions cover."""
        return self.bootstrap.population

    @cached_property
    def p(self) -> Floats:
        """Corrected p-values; split, pair."""
        return np.array([one.p for one in self.inferences])

    @cached_property
    def p_single(self) -> Floats:
        """p-values before correction; split, pair."""
        return np.array([one.p_single for one in self.inferences])

    @cached_property
    def directions(self) -> Signs:
        """Which system of the pair is ahead; split, pair."""
        return np.array([one.direction for one in self.inferences])

    @cached_property
    def direction(self) -> Signs:
        """Which system is ahead in the mean over splits; pair."""
        effects = np.mean([one.effects for one in self.inferences], axis=0)
        return sign(effects[self.first] - effects[self.second])

    def decisions(self, alpha: float | None = None) -> Signs:
        """Which system of the pair is better, or neither, at the level asked for or at another; split, pair."""
        return np.where(self.p <= (alpha or self.alpha), self.directions, 0).astype(np.int8)

    def significant_counts(self, alpha: float | None = None) -> NDArray[np.int64]:
        """How many pairs differ; split."""
        return np.count_nonzero(self.decisions(alpha), axis=1)

    def combined_p(self, rule: str | None = None) -> Floats:
        """The p-values of the splits, aggregated for the system that is ahead in their mean; pair.

        A split in which the other system is ahead counts as p = 1: it says nothing for this one.
        """
        chosen = self.rule if rule is None else aggregation(rule)
        return chosen(np.where(self.directions == self.direction, self.p, 1.0))

    def decided(self, alpha: float | None = None, rule: str | None = None) -> Signs:
        """The decision of all splits together by the rule asked for, or by another; pair."""
        return np.where(self.combined_p(rule) <= (alpha or self.alpha), self.direction, 0).astype(np.int8)

    def minority(self, alpha: float | None = None) -> NDArray[np.int64]:
        """How many splits decide otherwise than the most do; pair."""
        decisions = self.decisions(alpha)
        most = np.max([np.count_nonzero(decisions == one, axis=0) for one in (-1, 0, 1)], axis=0)
        return len(self.splits) - most

    def levels(self, alpha: float | None = None) -> tuple[Level, ...]:
        """How many pairs there are at each level of disagreement, from full agreement on (Table 5)."""
        splits, minority = len(self.splits), self.minority(alpha)
        counts = np.bincount(minority, minlength=splits // 2 + 1).tolist()
        return tuple(Level(few, splits - few, n, n / len(minority)) for few, n in enumerate(counts))

    def disagreements(self, alpha: float | None = None) -> int:
        """How many pairs the splits do not all decide alike."""
        return int(np.count_nonzero(self.minority(alpha)))

    def opposed(self, alpha: float | None = None) -> list[tuple[str, str]]:
        """Pairs that are significant in opposite directions in different splits."""
        decisions = self.decisions(alpha)
        pairs = np.flatnonzero((decisions > 0).any(axis=0) & (decisions < 0).any(axis=0))
        return [(self.systems[self.first[pair]], self.systems[self.second[pair]]) for pair in pairs]

    @property
    def top_group(self) -> tuple[str, ...]:
        """The best system on the whole corpus, and those that it is not decided to be better than."""
        alike = (self.first == 0) & (self.decided() <= 0)
        return (self.systems[0], *(self.systems[system] for system in self.second[alike]))

    @property
    def nearest(self) -> tuple[str, str]:
        """The best neighbours in the ranking of whom one reaches the other in the first split; else the best two."""
        near = np.flatnonzero((self.second - self.first == 1) & (self.p_single[0] > 0))
        place = int(self.first[near[0]]) if len(near) else 0
        return self.systems[place], self.systems[place + 1]

    def is_resolved(self, alpha: float | None = None) -> bool:
        """Whether a p-value of one draw in all would be rejected too, in every split that rejects any pair.

        If not, pairs were rejected since p = 0, and more draws could have shown another p-value.
        """
        counts, pairs = self.significant_counts(alpha), len(self.first)
        return bool(((counts == 0) | (counts * (alpha or self.alpha) / pairs >= self.least_p)).all())

    @property
    def least_p(self) -> float:
        """The least p-value above 0."""
        return self.drawing.sides / self.drawing.draws

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know of the p-values."""
        pairs, draws = len(self.first), self.drawing.draws
        finest = math.ceil(self.drawing.sides * pairs / self.alpha - 1e-9)
        notes = [
            f"p-values are {'twice the ' * (self.drawing.sides == 2)}shares of {draws:,} draws; 0 means below "
            f"{self.least_p:g}",
            "p takes the effect of the better system as known"
            + ("" if self.drawing.sides == 2 else f", and its direction from the data: {_ONE_SIDE}"),
        ]
        if not self.is_resolved():
            notes.append(f"so few pairs differ that {draws:,} draws cannot tell; {finest:,} draws resolve any number")
        return (*notes, self.rule.warning) if self.rule.warning else tuple(notes)

    def overlap(self, better: str, worse: str, points: int = 400) -> Overlap:
        """The densities of two systems in the first split (Figure 3)."""
        drawn = self.bootstrap
        a, b = (self.systems.index(_known(system, self.systems)) for system in (better, worse))
        if drawn.effects[a] < drawn.effects[b]:
            a, b = b, a
        ends = drawn.draws[[a, b]][:, [0, -1]]
        at = np.linspace(ends.min(), ends.max(), points)
        effects, p = (float(drawn.effects[a]), float(drawn.effects[b])), float(drawn.reached[a, b])
        densities = np.array([drawn.density(a, at), drawn.density(b, at)])
        return Overlap(self.systems[a], self.systems[b], effects, drawn.mean, at, densities, p)


def partitions(
    collection: Collection,
    measure: str | Measure,
    *,
    parts: int = 2,
    splits: int = 11,
    aggregate: str = "all",
    alpha: float = 0.05,
    draws: int = 10_000,
    resample: Resample = "residuals",
    interactions: bool = True,
    sides: Sides = 1,
    fill: str = "resample",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Partitions:
    """The multiple partition inference of Figure 7: one bootstrap ANOVA for each of several random splits.

    fill="resample" draws a split anew until every topic has relevant documents in every part; "drop" leaves the topics
    out that have not. Topics are fixed, so that claims cover other documents for these topics; resample="topics" draws
    topics too, and its claims cover both. A test with one side, as in the paper, takes the better system from the data;
    sides=2 doubles its p for that.
    """
    if splits < 1:
        raise DesignError(f"{splits} splits are not possible; ask for at least 1")
    check_split(collection, measure, parts, fill)
    rule, drawing = aggregation(aggregate), Drawing(alpha, draws, seed, resample, interactions, sides)
    ranking = rank(collection, measure, keep, workers)
    divider = Divider(collection, ranking, parts, fill, seed, workers if splits == 1 else 1)

    def infer_split(number: int) -> tuple[Split, Inference, Bootstrap | None]:
        split, values = divider(number)
        drawn = drawing(values, (parts, number))
        return split, infer(drawn, ranking, drawing), drawn if number == 0 else None

    found = []
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for one in pool.map(infer_split, range(splits)):
            found.append(one)
            if progress is not None:
                progress(len(found), splits)
    told, inferences, (kept_draws, *_) = zip(*found, strict=True)
    return Partitions(
        **vars(ranking),
        parts=parts,
        splits=told,
        inferences=inferences,
        bootstrap=kept_draws,
        rule=rule,
        drawing=drawing,
        fill=fill,
        kept=keep,
    )


def _known(system: str, systems: Sequence[str]) -> str:
    if system not in systems:
        raise DesignError(f"there is no system '{system}'; there are {', '.join(systems[:_SHOWN])} and so on")
    return system
