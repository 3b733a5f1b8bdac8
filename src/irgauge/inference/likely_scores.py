"""Scores that likely grades of unjudged documents give: intervals for these topics, and tests for other topics.

Grades of all unjudged documents are drawn together, the same in all runs, and all runs scored, again and again. A mean,
or a difference of means, varies from draw to draw: by √(1 + 1/D) its spread is the error that is due to holes. Where
judgments were hidden to check the model, the scores that all judgments give are known: intervals are as many times
wider as they need to be to hold them. For other topics the variance over topics is a second part (Rubin, "Multiple
imputation for nonresponse in surveys", 1987; the parts each with their own degrees of freedom, as `verdicts.Parts`),
guarded against the skewness of differences over topics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from irgauge.compute.arrays import Floats, Ints
from irgauge.inference.hidden_judgments import Hidden
from irgauge.inference.likely_grades import LikelyGrades
from irgauge.inference.outcomes import pair_squares
from irgauge.inference.skewed_parts import SkewedParts
from irgauge.scoring.drawn import whole
from irgauge.scoring.measures import Measure
from irgauge.scoring.retrieved import Retrieved
from irgauge.scoring.scorer import Scorer

CHECK_DRAWS = 40  # of each check
_ROUNDING = 1e-9  # of a score: a spread below it is none
Told = Callable[[int, int], None]


class Held(NamedTuple):
    """How well intervals hold what is known, by a measure: for systems, and for pairs of them."""

    systems: float  # share of them that the interval holds as it comes
    pairs: float
    widened: tuple[float, float]  # how many times wider it has to be, of systems and of pairs: 1 or more


@dataclass(frozen=True, eq=False)
class DrawnScores:
    """Means of systems in every draw, by one measure, and how topics vary."""

    means: Floats  # draw, system
    covariance: Floats  # system, system: over topics, mean over draws; NaN where there is one topic
    thirds: Floats  # x, y: Σ x² y / (T − 1) of centred scores over topics, mean over draws; NaN where there is one
    topics: int

    def contrasts(self, pairs: Ints) -> Floats:
        """The difference of each pair in every draw; draw, pair."""
        return self.means[:, pairs[:, 0]] - self.means[:, pairs[:, 1]]

    def topic_variances(self, pairs: Ints) -> Floats:
        """Of the mean difference of each pair, over topics."""
        if self.topics < 2:
            return np.full(len(pairs), np.nan)
        return np.asarray(pair_squares(self.covariance)[pairs[:, 0], pairs[:, 1]] / self.topics)

    def third_cumulants(self, pairs: Ints) -> Floats:
        """Of the mean difference of each pair, over topics; 0 where there are fewer than 3."""
        if self.topics < 3:
            return np.zeros(len(pairs))
        first, second = pairs.T
        own, x, y = np.diag(self.thirds), self.thirds[first, second], self.thirds[second, first]
        cubes = own[first] - 3 * x + 3 * y - own[second]  # Σ (x − y)³ / (T − 1)
        return np.asarray(cubes / (self.topics * (self.topics - 2)))


@dataclass(frozen=True, eq=False)
class LikelyScores:
    """What is likely of every system, by one measure."""

    drawn: DrawnScores
    widened: tuple[float, float]  # of systems, of pairs

    def of_systems(self, alpha: float) -> tuple[Floats, Floats]:
        """The mean of each system that all judgments would give, and half its interval."""
        return _interval(self.drawn.means, self.widened[0], alpha)

    def of_pairs(self, pairs: Ints, alpha: float) -> tuple[Floats, Floats]:
        """The same of the difference of each pair."""
        return _interval(self.drawn.contrasts(pairs), self.widened[1], alpha)

    def parts(self, pairs: Ints) -> SkewedParts:
        """The variances of differences for other topics: over topics, and by holes; and how skewed they are."""
        drawn = self.drawn.contrasts(pairs)
        variances = np.stack([self.drawn.topic_variances(pairs), self.widened[1] ** 2 * _variance(drawn)])
        freedom = np.array([[self.drawn.topics - 1.0], [len(drawn) - 1.0]])
        df = np.broadcast_to(freedom, variances.shape).copy()
        return SkewedParts.of(variances, df, self.drawn.third_cumulants(pairs))


def _variance(drawn: Floats) -> Floats:
    """(1 + 1/D) times the variance over draws."""
    return np.asarray((1 + 1 / len(drawn)) * drawn.var(axis=0, ddof=1))


def _interval(drawn: Floats, widened: float, alpha: float) -> tuple[Floats, Floats]:
    critical = -stdtrit(len(drawn) - 1, alpha / 2)
    return drawn.mean(axis=0), widened * critical * np.sqrt(_variance(drawn))


@dataclass(frozen=True, eq=False)
class HoleDraws:
    """Draws of the grades of unjudged documents, scored by measures."""

    likely: LikelyGrades
    checks: tuple[Hidden, ...]
    measures: tuple[Measure, ...]
    draws: int
    seed: int
    workers: int | None = None

    def scores(self, held: Mapping[str, Sequence[Held]], told: Told | None = None) -> list[LikelyScores]:
        """Those of every measure, with intervals as wide as checks ask for; `told` hears of draws."""
        drawn = self._drawn(self._of_holes(), self.draws, told)
        return [LikelyScores(own, factor) for own, factor in zip(drawn, self.widened(held), strict=True)]

    def widened(self, held: Mapping[str, Sequence[Held]]) -> list[tuple[float, float]]:
        """How many times wider intervals of systems and of pairs are made, by each measure, for all checks.

        What errors have beyond what draws explain grows with the distance from what was judged, as drifts do.
        """
        factors = [widest([of_check[m] for of_check in held.values()]) for m in range(len(self.measures))]
        reach = self.likely.reach
        far = [[math.sqrt(1 + reach * (factor**2 - 1)) for factor in pair] for pair in factors]
        return [(systems, pairs) for systems, pairs in far]

    def held(self, pairs: Ints, alpha: float) -> dict[str, list[Held]]:
        """Way of hiding -> what intervals hold by every measure."""
        return {check.way: self._held(check, pairs, alpha) for check in self.checks}

    def _held(self, check: Hidden, pairs: Ints, alpha: float) -> list[Held]:
        truth = self._known.mean(axis=1)  # measure, system
        drawn = self._drawn(self._of_check(check), CHECK_DRAWS, None)
        return [_held_by(own, true, pairs, alpha) for own, true in zip(drawn, truth, strict=True)]

    @cached_property
    def _known(self) -> Floats:
        """The scores as they are; measure, topic, system."""
        return self._score(self._pairs.levels)

    @property
    def _pairs(self) -> Retrieved:
        return self.likely.learned.retrieved

    def _of_holes(self) -> Iterator[Ints]:
        """The levels of all pairs, draw after draw."""
        for sequence in np.random.SeedSequence(self.seed).spawn(self.draws):
            yield self.likely.completed(self.likely.draw(np.random.default_rng(sequence)))

    def _of_check(self, check: Hidden) -> Iterator[Ints]:
        """The same of judgments that were hidden; what nobody judged stays so."""
        for sequence in np.random.SeedSequence((self.seed, len(check.pairs))).spawn(CHECK_DRAWS):
            levels, rng = self._pairs.levels.copy(), np.random.default_rng(sequence)
            levels[check.pairs] = self.likely.learned.levels_of(check.model.drawn(check.pairs, rng, check.drift))
            yield levels

    def _drawn(self, levels: Iterator[Ints], count: int, told: Told | None) -> list[DrawnScores]:
        topics, systems = self._pairs.collection.lengths.shape
        means = np.empty((len(self.measures), count, systems))
        covariances, thirds = np.zeros((2, len(self.measures), systems, systems))
        for draw, own in enumerate(levels):
            values = self._score(own)
            means[:, draw] = values.mean(axis=1)
            for m, scores in enumerate(values):
                own_covariance, own_thirds = _moments(scores)
                covariances[m] += own_covariance / count
                thirds[m] += own_thirds / count
            if told is not None:
                told(draw + 1, count)
        return [DrawnScores(*own, topics) for own in zip(means, covariances, thirds, strict=True)]

    def _score(self, levels: Ints) -> Floats:
        """measure, topic, system."""
        collection = self._pairs.judged_as(levels)
        scores = Scorer(collection, self.measures).score(whole(collection.document_count), workers=self.workers)
        return np.nan_to_num(scores[..., 0])


def _moments(scores: Floats) -> tuple[Floats, Floats]:
    """Σ x y and Σ x² y over T − 1, of centred scores[topic, system] over topics; NaN where there is one."""
    if len(scores) < 2:
        unknown = np.full((scores.shape[1], scores.shape[1]), np.nan)
        return unknown, unknown
    centred = scores - scores.mean(axis=0)
    return centred.T @ centred / (len(scores) - 1), np.square(centred).T @ centred / (len(scores) - 1)


def _held_by(drawn: DrawnScores, truth: Floats, pairs: Ints, alpha: float) -> Held:
    """How well draws hold the true means, and their differences."""
    systems, wide = _reach(drawn.means, truth, alpha)
    of_pairs, wide_pairs = _reach(drawn.contrasts(pairs), truth[pairs[:, 0]] - truth[pairs[:, 1]], alpha)
    return Held(systems, of_pairs, (wide, wide_pairs))


def _reach(drawn: Floats, truth: Floats, alpha: float) -> tuple[float, float]:
    """The share of intervals that hold the truth, and how much wider they have to be.

    So much that 1 − α of them do, and that errors are no larger than they spread, which few intervals show better.
    """
    centre, half = _interval(drawn, 1.0, alpha)
    varies = half > _ROUNDING
    if not varies.any():
        return 1.0, 1.0  # nothing is hidden that counts
    errors = np.abs(centre - truth)[varies] / half[varies]
    spread = float(np.sqrt(np.square(errors).mean())) * -float(stdtrit(len(drawn) - 1, alpha / 2))
    return float((errors <= 1).mean()), max(1.0, float(np.quantile(errors, 1 - alpha)), spread)


def widest(checks: Sequence[Held]) -> tuple[float, float]:
    """How many times wider intervals of systems and of pairs have to be for all checks, of a measure; 1 without any."""
    systems, pairs = zip((1.0, 1.0), *(held.widened for held in checks), strict=True)
    return max(systems), max(pairs)
