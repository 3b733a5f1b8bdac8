"""What do several tests say of the same pairs of systems? (Voorhees, Samarov and Soboroff 2017, Table 4, Figures 4, 5).

The tests over topics stand as the paper has them, each pair for itself unless a correction is asked for; the partition
method corrects over all pairs. They cover different populations: other topics, or other documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.pairwise import paired_t, randomization, unpaired_t
from irgauge.models.anova import Population
from irgauge.models.residuals import Resample
from irgauge.reading.collection import Collection, Progress
from irgauge.scoring.measures import Measure
from irgauge.studies.measurement import measure_whole
from irgauge.studies.partitions import Partitions, partitions
from irgauge.studies.splits import Drawing, Floats, Ranking, Sides, Signs, check_parts, check_split


@dataclass(frozen=True, eq=False)
class PairTest:
    """What one test says of all pairs."""

    name: str
    correction: str
    population: Population
    p: Floats  # pair: corrected, if it is
    direction: Signs  # pair: which system is ahead

    def decisions(self, alpha: float) -> Signs:
        """Which system is better, or neither; pair."""
        return np.where(self.p <= alpha, self.direction, 0).astype(np.int8)


@dataclass(frozen=True)
class Count:
    """How many pairs a test tells apart."""

    test: str
    alpha: float
    significant: int
    share: float  # of all pairs


@dataclass(frozen=True, eq=False)
class SideBySide(Ranking):
    """Several tests of the same pairs, side by side."""

    tests: tuple[PairTest, ...]
    many: Partitions  # the splits that the last test aggregates
    levels: tuple[float, ...]
    draws: int
    seed: int

    def counts(self) -> tuple[Count, ...]:
        """How many pairs each test tells apart at each level (Table 4)."""
        return tuple(
            Count(test.name, alpha, found, found / len(self.first))
            for test in self.tests
            for alpha in self.levels
            for found in [int(np.count_nonzero(test.decisions(alpha)))]
        )

    def test(self, name: str) -> PairTest:
        """The test of that name."""
        found = [test for test in self.tests if test.name == name]
        if not found:
            raise DesignError(f"there is no test '{name}'; there are {', '.join(test.name for test in self.tests)}")
        return found[0]

    def rejected_by(self, names: Sequence[str], alpha: float) -> NDArray[np.int64]:
        """Which of some tests reject: the sum of 2^i over them, 0 where none does (Figures 4 and 5); pair."""
        rejects = [self.test(name).decisions(alpha) != 0 for name in names]
        return sum((one.astype(np.int64) << i for i, one in enumerate(rejects)), np.zeros(len(self.first), np.int64))

    def conflicts(self, alpha: float) -> list[tuple[str, str, str, str]]:
        """Pairs of systems of which two tests both say that they differ, but not which is better, and the tests."""
        return [
            (self.systems[self.first[pair]], self.systems[self.second[pair]], one.name, other.name)
            for one, other in combinations(self.tests, 2)
            for pair in np.flatnonzero(one.decisions(alpha) * other.decisions(alpha) < 0)
        ]


def compare_tests(
    collection: Collection,
    measure: str | Measure,
    *,
    parts: Sequence[int] = (2, 3),
    splits: int = 11,
    aggregate: str = "all",
    levels: Sequence[float] = (0.05, 0.01),
    correction: str = "none",
    draws: int = 10_000,
    resample: Resample = "residuals",
    sides: Sides = 1,
    fill: str = "resample",
    keep: str = "all",
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> SideBySide:
    """Unpaired and paired t, randomization with one side and two, one split into each number of parts, many splits.

    The many splits are into the first number of parts, and the first of them is the one split into it. The correction
    is that of the tests over topics.
    """
    check_parts(parts)
    for count in parts:
        check_split(collection, measure, count, fill)
    if not levels:
        raise DesignError("no level is asked for; name one, such as 0.05")
    for alpha in levels:
        Drawing(alpha, draws, seed, resample, interactions=True)  # refuses too few draws

    def divide(count: int, number: int, tell: Progress | None = None) -> Partitions:
        return partitions(
            collection,
            measure,
            parts=count,
            splits=number,
            aggregate=aggregate,
            alpha=levels[0],
            draws=draws,
            resample=resample,
            sides=sides,
            fill=fill,
            keep=keep,
            seed=seed,
            workers=workers,
            progress=tell,
        )

    many = divide(parts[0], splits, progress)
    whole = measure_whole(collection, [measure], fill="drop", keep=keep, workers=workers).scores
    values = whole.values[0, :, [whole.systems.index(system) for system in many.systems], 0].T  # topic, system
    one_split = [many, *(divide(count, 1) for count in parts[1:])]
    ranking = Ranking(many.measure, many.systems, many.means, many.first, many.second)
    tests = (
        *_over_topics(values, many.systems, correction, draws, seed),
        *(_of_split(one) for one in one_split),
        _of_splits(many),
    )
    return SideBySide(**vars(ranking), tests=tests, many=many, levels=tuple(levels), draws=draws, seed=seed)


def _over_topics(
    values: Floats, systems: tuple[str, ...], correction: str, draws: int, seed: int
) -> tuple[PairTest, ...]:
    """The tests of values[topic, system] on the whole corpus, the systems best first."""
    runs: dict[str, Callable[[], Comparison]] = {
        "unpaired t": lambda: unpaired_t(values, systems, correction=correction),
        "paired t": lambda: paired_t(values, systems, correction=correction),
        "randomization, one-sided": lambda: randomization(
            values, systems, correction=correction, draws=draws, seed=seed, sides=1
        ),
        "randomization, two-sided": lambda: randomization(
            values, systems, correction=correction, draws=draws, seed=seed, sides=2
        ),
    }
    ahead = np.ones(len(systems) * (len(systems) - 1) // 2, np.int8)  # the first of the pair, as in the ranking
    return tuple(PairTest(name, correction, "topics", run().p, ahead) for name, run in runs.items())


def _of_split(found: Partitions) -> PairTest:
    first = found.inferences[0]
    return PairTest(f"{found.parts} parts", "bh", found.population, first.p, first.direction)


def _of_splits(found: Partitions) -> PairTest:
    name = f"{len(found.splits)} splits of {found.parts} parts, {found.rule.name}"
    return PairTest(name, "bh", found.population, found.combined_p(), found.direction)
