"""A test as a record that runs itself: what it needs, what it covers, when it is the default, and its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison, Name
from irgauge.inference.corrections import DEFAULT, NONE, Correction
from irgauge.inference.margins import with_factor
from irgauge.inference.outcomes import Names, Outcome
from irgauge.inference.sampling import Sampling
from irgauge.models.anova import Fit, Population, decompose
from irgauge.scoring.direction import HIGHER, Direction, opposite
from irgauge.scoring.measures import Range

Needs = Literal["values", "shards", "fit"]
Option = Literal["population", "draws", "seed", "sides", "within", "sampling"]
PlannedBy = Literal["pair", "range", "shards"]


@dataclass(frozen=True, eq=False)
class Experiment:
    """All that a test may need: scores, and how systems are to be compared."""

    scores: Floats  # topic, system, shard
    systems: Names
    population: Population = "topics"
    alpha: float = 0.05
    correction: str = NONE.name  # taken by tests of single pairs
    baseline: Name = None
    draws: int = 10_000
    seed: int = 0
    sides: int = 2
    within: Range | None = None  # between which scores the measure lies, where that is known
    fitted: Callable[[], Fit] | None = None  # the model; if not given all terms there are
    direction: Direction = HIGHER  # which scores are better
    sampling: Sampling | None = None  # clusters and weights of topics; None: drawn one by one, and alike

    @property
    def shards(self) -> Floats:
        """The scores of each shard; topic, system, shard."""
        return self.scores

    @cached_property
    def values(self) -> Floats:
        """Means over shards; topic, system."""
        return np.asarray(self.scores.mean(axis=2))

    @cached_property
    def fit(self) -> Fit:
        """The model of the scores."""
        if self.fitted is not None:
            return self.fitted()
        return decompose(self.scores).fit("MD1" if self.scores.shape[2] == 1 else "MD6")

    def on(self, topics: Indices, alpha: float) -> Experiment:
        """The same on some topics, at a level."""
        sampling = None if self.sampling is None else self.sampling.on(topics)
        return replace(self, scores=self.scores[topics], alpha=alpha, sampling=sampling)

    @property
    def negative(self) -> Experiment:
        """The same of the negatives of all scores."""
        scores = 0.0 - self.scores
        return replace(
            self,
            scores=scores,
            within=None if self.within is None else (-self.within[1], -self.within[0]),
            fitted=None if self.fitted is None else lambda: decompose(scores).fit(self.fit.model),
            direction=opposite(self.direction),
        )

    def with_factor(self, factor: float) -> Experiment:
        """The same with the baseline's scores multiplied, as claims about a share of its mean are tested."""
        if self.baseline is None:
            raise DesignError("a margin in per cent is a share of the baseline's mean; name a baseline")
        scores = with_factor(self.scores, self.systems.index(self.baseline), factor)
        ends = [] if self.within is None else [end * by for end in self.within for by in (1, factor)]
        return replace(
            self,
            scores=scores,
            within=(min(ends), max(ends)) if ends else None,
            fitted=None if self.fitted is None else lambda: decompose(scores).fit(self.fit.model),
        )


@dataclass(frozen=True, eq=False)
class Test:
    """A test of pairs of systems."""

    __test__: ClassVar[bool] = False  # pytest takes what is called Test for one of its own

    name: str  # in options and in JSON
    function: Callable[..., Comparison]  # of what it needs, systems, alpha, baseline, and what it takes
    title: str  # in a sentence
    explanation: str
    place: int = 1000  # among the others
    needs: Needs = "values"
    takes: tuple[Option, ...] = ()
    corrected_by: Correction = DEFAULT  # where none is named; or that of a test of all pairs together
    needs_baseline: bool = False
    covers: tuple[Population, ...] = ("topics",)  # what its claims can cover
    default_for: tuple[Population, ...] = ()  # where no test is named
    fewest_shards: Mapping[Population, int] = field(default_factory=dict)  # where it needs more than two
    usual: str | None = None  # why it is taken there
    is_paired: bool = True  # whether it uses that topics are the same for all systems
    is_signed: bool = True  # whether its statistic has the sign of the difference
    is_of_ranks: bool = False  # whether it takes how large differences are for nothing
    is_slow: bool = False  # for many systems
    most_systems: int | None = None  # up to which its intervals hold for all pairs together on real scores, if measured
    fewest_varying: int | None = None  # topics on which a pair must vary for the test to say anything of it
    is_equal_spread: bool = False  # whether it rests on differences that vary alike for all pairs
    is_for_unequal_spread: bool = False  # whether it is the one to take where they do not
    needs_spread: bool = True  # whether it says nothing of differences that do not vary
    planned_by: PlannedBy | None = None  # what tells how many topics would decide; None: nothing does
    of_differences: Callable[[Floats, float], Outcome] | None = None  # d[topic, pair], level: if that is all it needs
    when: str = ""  # it is the one to take
    assumes: str = ""  # what must be so for its promise to hold
    caution: str | None = None  # what a user who chose it should know
    how: Mapping[Population, str] = field(default_factory=dict)  # a pair was compared, in a text on methods
    references: tuple[str, ...] = ()  # the first is its own

    @property
    def is_of_pairs(self) -> bool:
        """Whether it tests each pair by itself, so that a correction can be chosen."""
        return not self.corrected_by.is_of_test

    @property
    def the(self) -> str:
        """In a sentence, with its article."""
        return self.title if self.title.split()[0].endswith("'s") else f"the {self.title}"

    @property
    def cited(self) -> str:
        """In a text that has references."""
        if not self.references:
            return self.the
        *authors, year = self.references[0].split("-")
        return f"{self.the} ({' and '.join(map(str.capitalize, authors))} {year})"

    @property
    def intervals_told(self) -> str:
        """What the intervals that go with it hold for, as a sentence."""
        return self.corrected_by.intervals_told

    def method(self, population: Population, who: str = "each pair was compared") -> str:
        """How systems were compared, as a clause of a text on methods."""
        return f"{who} by {self.how.get(population, self.cited)}"

    def compare(self, experiment: Experiment) -> Comparison:
        """What the test says of an experiment, from which it takes what it needs.

        Where lower scores are better it is what it says of their negatives, mirrored: systems stand best first.
        """
        if experiment.sampling is not None and "sampling" not in self.takes:
            raise DesignError(
                f"{self.the} takes topics as drawn one by one and counting alike; tests of clusters are skewed-t, t, "
                "bootstrap-t and randomization, those of weights and shares skewed-t and t"
            )
        if experiment.direction != HIGHER:
            negative = self.compare(experiment.negative)
            mirrored = negative.mirrored()
            return mirrored if self.is_signed else replace(mirrored, statistic=negative.statistic)
        taken = [*self.takes, *(["correction"] if self.is_of_pairs else [])]
        options = {name: getattr(experiment, name) for name in ("alpha", "baseline", *taken)}
        return self.function(getattr(experiment, self.needs), experiment.systems, **options)
