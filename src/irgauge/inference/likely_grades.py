"""How likely each unjudged document is to have each grade, learned from what was judged, and draws of these grades.

Steps of continuation logits: that a document has the next grade or a higher one, given that it has this one or a higher
one, from its best rank, the number of lists that hold it, and the quality of their systems, with an intercept and a
slope of each topic that are shrunken (`models.grouped_logistic`). A judge's grades may be among what is known of
documents. What was judged is no random sample: a document counts as much as the share of documents like it that were
judged, since what is picked out of many was picked for a reason; and how far the model errs where judgments are hidden
as a pool would (`inference.hidden_judgments`) is part of its uncertainty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import expit

from irgauge.compute.arrays import Bools, Floats, Ints
from irgauge.errors import DesignError
from irgauge.models.grouped_logistic import Cases, GroupedLogistic, fit_grouped
from irgauge.reading.judgments import UNJUDGED
from irgauge.reading.rejudging import JudgedPairs
from irgauge.scoring.retrieved import Retrieved

_MEAN_DRAWS = 40  # of which probabilities are the mean
_LEAST_SPREAD = 1e-9  # of a column that is standardised


@dataclass(frozen=True, eq=False)
class Drift:
    """How far logits are off where documents are not like the judged ones: variances."""

    shared: Floats  # step: of all documents together
    topics: Floats  # step: of those of a topic
    reach: Floats  # pair: how many times as large variances are, as it is further from the judged ones

    def moved(self, step: int, logits: Floats, cases: Cases, reach: Floats, rng: np.random.Generator) -> Floats:
        """Logits as far off as they may be, the mean of chances staying about the same."""
        effects = np.sqrt(self.topics[step]) * rng.standard_normal(int(cases.groups.max(initial=0)) + 1)
        off = np.sqrt(self.shared[step]) * rng.standard_normal() + effects[cases.groups]
        variance = reach * (self.shared[step] + self.topics[step])
        return np.asarray(logits + np.sqrt(reach) * off - variance / 2 * (1 - 2 * expit(logits)))


@dataclass(frozen=True, eq=False)
class GradeModel:
    """A fit to some judgments: the steps from grade to grade, of every pair of a topic and a document."""

    steps: tuple[GroupedLogistic, ...]
    cases: Cases  # pair
    weights: Floats  # pair: the share of documents like it that are judged

    def drawn_chances(self, pairs: Ints, rng: np.random.Generator, drift: Drift | None = None) -> Iterator[Floats]:
        """Step by step, the chances of some pairs to take it, with coefficients and effects as they may be."""
        cases = self.cases.only(pairs)
        for number, step in enumerate(self.steps):
            coefficients, effects = step.drawn(rng)
            logits = cases.logits(coefficients, effects)
            yield expit(logits if drift is None else drift.moved(number, logits, cases, drift.reach[pairs], rng))

    def drawn(self, pairs: Ints, rng: np.random.Generator, drift: Drift | None = None) -> Ints:
        """Grades of some pairs as they may be: how many steps each takes."""
        steps, takes = np.zeros(len(pairs), np.int64), np.ones(len(pairs), np.bool_)
        for chances in self.drawn_chances(pairs, rng, drift):
            takes &= rng.random(len(pairs)) < chances
            steps += takes
        return steps


@dataclass(frozen=True, eq=False)
class Learned:
    """The grades that judgments teach, and what they teach about."""

    retrieved: Retrieved
    judge: JudgedPairs | None = None  # grades that a judge gave, which may be of documents that people did not judge

    @cached_property
    def grades(self) -> Ints:
        """From 0 on, ascending: those that the judgments of listed documents use."""
        levels = self.retrieved.levels
        used = self.retrieved.collection.grades[np.unique(levels[levels != UNJUDGED])]
        return np.unique(used[used >= 0])

    @property
    def is_possible(self) -> bool:
        """Whether documents of both kinds are judged: relevant ones and others."""
        return len(self.grades) > 1 and self.grades[0] == 0

    def taught(self, levels: Ints) -> Bools:
        """Which pairs are judged; a grade below 0 is of a document in the pool that was not."""
        grades = self.retrieved.collection.grades
        return np.asarray((levels != UNJUDGED) & (grades[levels] >= 0))

    def steps_of(self, levels: Ints) -> Ints:
        """How many steps of grade each judged pair takes."""
        return np.searchsorted(self.grades, self.retrieved.collection.grades[levels])

    def levels_of(self, steps: Ints) -> Ints:
        """A level with the grade that so many steps lead to."""
        grades = self.retrieved.collection.grades
        of_grade = np.array([int(np.flatnonzero(grades == grade)[0]) for grade in self.grades])
        return of_grade[steps]

    @property
    def is_graded(self) -> Bools:
        """Which pairs the judge graded."""
        return np.asarray(self._by_judge.any(axis=1))

    def as_holes(self, places: Ints) -> Learned:
        """The same where the judge graded as large a share of some pairs as it did of unjudged ones."""
        holes = self.retrieved.levels == UNJUDGED
        if self.judge is None or not self._has_blanks or not holes.any():
            return self
        lacking = np.random.default_rng(0).random(len(places)) >= self.is_graded[holes].mean()
        forgotten = self.retrieved.keys[places[lacking]]
        return replace(self, judge=self.judge.only(~np.isin(self.judge.keys, forgotten)))

    def fitted(self, levels: Ints) -> GradeModel:
        """The model of judgments with these levels of the pairs."""
        if not self.is_possible:
            raise DesignError(
                "the judgments of retrieved documents are not of both kinds, relevant and not (grade 0): how likely "
                "unjudged ones are to be relevant cannot be learned; leave it out"
            )
        is_judged = self.taught(levels)
        cases, weights = self._cases(levels, is_judged), self._shares(is_judged)
        steps = self.steps_of(levels)
        topics = len(self.retrieved.collection.topics)
        fits = []
        for number in range(len(self.grades) - 1):
            used = np.flatnonzero(is_judged & (steps >= number))
            outcomes = (steps[used] > number).astype(float)
            fits.append(fit_grouped(*self._with_blanks(cases.only(used), outcomes, weights[used]), topics))
        return GradeModel(tuple(fits), cases, weights)

    def _cases(self, levels: Ints, is_judged: Bools) -> Cases:
        """What is known of every pair, standardised over the judged ones."""
        pairs = self.retrieved
        qualities = pairs.qualities(np.where(is_judged, levels, UNJUDGED))
        together = np.log(pairs.summed(np.square(qualities)) + np.finfo(float).tiny)
        lists = np.log(pairs.lists)
        known = _standardised(np.column_stack([np.log(pairs.best), lists, together - lists]), is_judged)
        ones = np.ones((len(pairs), 1))
        own, slope = np.hstack([ones, known]), _standardised(together[:, None], is_judged)
        return Cases(self._beside_judge(own, self._by_judge), np.hstack([ones, slope]), pairs.topics)

    @property
    def _has_blanks(self) -> bool:
        """Whether the judge graded some pairs and not others."""
        return bool(self._by_judge.shape[1]) and not self._by_judge.any(axis=1).all()

    def _beside_judge(self, own: Floats, by_judge: Floats) -> Floats:
        """Columns with the judge's; where it has no grade for some pairs, these have coefficients of their own."""
        if not self._has_blanks:
            return np.hstack([own, by_judge])
        graded = by_judge.any(axis=1, keepdims=True)
        return np.hstack([own * graded, own * ~graded, by_judge])

    def _with_blanks(self, cases: Cases, outcomes: Floats, weights: Floats) -> tuple[Cases, Floats, Floats]:
        """The cases, and the same as if the judge had no grade for them, as it is with some; each counts half then."""
        if not self._has_blanks:
            return cases, outcomes, weights
        grades = self._by_judge.shape[1]
        graded, ungraded = np.split(cases.columns[:, :-grades], 2, axis=1)
        blank = self._beside_judge(graded + ungraded, np.zeros((len(outcomes), grades)))
        both = Cases(np.vstack([cases.columns, blank]), np.tile(cases.of_groups, (2, 1)), np.tile(cases.groups, 2))
        return both, np.tile(outcomes, 2), np.tile(weights / 2, 2)

    @cached_property
    def _by_judge(self) -> Floats:
        """Whether the judge gave each grade to a pair, none where it has no grade; pair, grade."""
        if self.judge is None or not len(self.judge):
            return np.zeros((len(self.retrieved), 0))
        distinct = np.unique(self.judge.grades)
        given = self.retrieved.grades_by(self.judge, otherwise=int(distinct[0]) - 1)
        return (given[:, None] == distinct).astype(float)

    def _shares(self, is_judged: Bools) -> Floats:
        """Of documents like each one, in best rank and number of lists, how many are judged; the largest share is 1."""
        bands = np.floor(np.log2(self.retrieved.best)).astype(np.int64) * 64
        bands += np.floor(np.log2(self.retrieved.lists)).astype(np.int64)
        shares = np.bincount(bands, is_judged) / np.maximum(np.bincount(bands), 1)
        return np.asarray(shares[bands] / max(float(shares.max()), np.finfo(float).tiny))


def _standardised(columns: Floats, is_judged: Bools) -> Floats:
    """With mean 0 and spread 1 over the judged pairs."""
    judged = columns[is_judged]
    return np.asarray((columns - judged.mean(axis=0)) / np.maximum(judged.std(axis=0), _LEAST_SPREAD))


@dataclass(frozen=True, eq=False)
class LikelyGrades:
    """How likely each unjudged document of the lists is to have each grade; `draw` has all of them together."""

    learned: Learned
    model: GradeModel
    drift: Drift
    holes: Ints  # pairs of `learned.retrieved` that are unjudged: below "hole" is a place among them

    @property
    def topics(self) -> Ints:
        """hole: the place of its topic in the collection."""
        return self.learned.retrieved.topics[self.holes]

    @property
    def docs(self) -> Ints:
        """hole: its document's number in the collection."""
        return self.learned.retrieved.docs[self.holes]

    @property
    def grades(self) -> Ints:
        """From 0 on, ascending."""
        return self.learned.grades

    @cached_property
    def probabilities(self) -> Floats:
        """hole, grade: each row sums to 1."""
        rng, total = np.random.default_rng(0), np.zeros((len(self.holes), len(self.grades)))
        for _ in range(_MEAN_DRAWS):
            left = np.ones(len(self.holes))
            for number, chances in enumerate(self.model.drawn_chances(self.holes, rng, self.drift)):
                total[:, number] += left * (1 - chances)
                left *= chances
            total[:, -1] += left
        return total / _MEAN_DRAWS

    @property
    def reach(self) -> float:
        """How many times as far as in the checks holes are from the judged documents, where likely relevant."""
        relevant = 1 - self.probabilities[:, 0]
        return float(np.average(self.drift.reach[self.holes], weights=relevant)) if relevant.sum() > 0 else 1.0

    def draw(self, rng: np.random.Generator) -> Ints:
        """hole: a place in `grades`. What the model is unsure of is the same for all documents of a draw."""
        return self.model.drawn(self.holes, rng, self.drift)

    def completed(self, drawn: Ints) -> Ints:
        """The levels of all pairs once holes have the grades that were drawn; see `Retrieved.judged_as`."""
        levels = self.learned.retrieved.levels.copy()
        levels[self.holes] = self.learned.levels_of(drawn)
        return levels
