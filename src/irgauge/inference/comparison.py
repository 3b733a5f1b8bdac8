"""Pairs of systems, and what a test says of them: Comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.corrections import Correction, any_correction
from irgauge.inference.letters import Letters, compact_letters
from irgauge.models.anova import Population
from irgauge.scoring.ranges import Range, cut, of_differences

if TYPE_CHECKING:
    import polars as pl

Name = str | None


@dataclass(frozen=True, eq=False)
class Pairs:
    """Systems, best first, and the pairs of them that are compared: all, or those with a baseline."""

    systems: tuple[str, ...]  # best first, by their means; ties in the order of their names
    means: Floats  # system
    first: Indices  # pair -> system: the better one; with a baseline, the other system
    second: Indices  # pair -> system: the worse one, or the baseline
    baseline: Name

    @classmethod
    def all_of(cls, systems: tuple[str, ...], means: Floats) -> Pairs:
        """All pairs of systems that stand best first."""
        return cls(systems, means, *np.triu_indices(len(systems), 1), baseline=None)

    @cached_property
    def difference(self) -> Floats:
        """Of the means of the pair, first minus second; not below 0 unless there is a baseline."""
        return np.asarray(self.means[self.first] - self.means[self.second])

    @property
    def names(self) -> list[tuple[str, str]]:
        """The systems of each pair, in the order of their difference."""
        places = zip(self.first.tolist(), self.second.tolist(), strict=True)
        return [(self.systems[first], self.systems[second]) for first, second in places]

    def matrix(self, of_pairs: NDArray[np.generic], order: Sequence[str] | None = None) -> Floats:
        """What is said of pairs as [system, system], NaN where nothing is; in another order of systems if asked."""
        square = np.full((len(self.systems),) * 2, np.nan)
        square[self.first, self.second] = square[self.second, self.first] = of_pairs
        places = [self.systems.index(system) for system in order or self.systems]
        return square[np.ix_(places, places)]

    def among_best(self, count: int) -> NDArray[np.bool_]:
        """Which pairs are of the best systems."""
        return (self.first < count) & (self.second < count)


@dataclass(frozen=True, eq=False)
class Family(Pairs):
    """Pairs that are tested together, and at which level."""

    alpha: float
    correction: str  # its name, as in options and JSON
    population: Population
    topics: int
    shards: int
    sides: int
    families: int = field(default=1, kw_only=True)  # that are corrected together, such as those of several measures

    @property
    def corrected_by(self) -> Correction:
        """The correction, which knows what goes with it."""
        return any_correction(self.correction)

    @property
    def level(self) -> float:
        """The α of the interval of one pair."""
        return self.corrected_by.interval_level(self.alpha, len(self.first) * self.families)

    @property
    def family(self) -> str:
        """The pairs over which errors are controlled."""
        return f"{self._pairs}, by {self.families} measures together" if self.families > 1 else self._pairs

    @property
    def _pairs(self) -> str:
        n = math.comb(len(self.systems), 2)
        every = f"all {n:,} pairs" if n > 1 else "1 pair"
        count = f"{len(self.first):,} pair{'s' * (len(self.first) > 1)}"
        tested = every if self.baseline is None else f"{count} with baseline {self.baseline}"
        return f"{tested}, controlled over {every} (conservative)" if self.is_wider else tested

    @property
    def is_wider(self) -> bool:
        """Whether errors are controlled over more pairs than are tested."""
        return self.corrected_by.is_of_every_pair and self.baseline is not None and len(self.systems) > 2

    @property
    def is_simultaneous(self) -> bool:
        """Whether the intervals hold for all pairs together; else for each pair by itself."""
        return self.corrected_by.is_simultaneous

    @property
    def confidence(self) -> float:
        """Of the intervals."""
        return 1 - 2 * self.alpha / self.sides


@dataclass(frozen=True, eq=False)
class Comparison(Family):
    """What a test says of the pairs."""

    test: str
    low: Floats  # pair: of the interval of the difference
    high: Floats  # pair
    statistic: Floats  # pair
    p: Floats  # pair: adjusted for the family
    p_single: Floats  # pair: before adjustment; p itself if the test is of the family
    effect: Floats  # pair: the difference in standard deviations
    se: Floats  # pair: the standard error of the difference
    draws: int | None = None
    seed: int | None = None
    error_ms: float | None = None
    df: float | None = None

    @cached_property
    def significant(self) -> NDArray[np.bool_]:
        """Whether p ≤ α; pair."""
        return self.p <= self.alpha

    @property
    def significant_count(self) -> int:
        """How many pairs differ."""
        return int(self.significant.sum())

    @property
    def not_significant_count(self) -> int:
        """How many pairs do not differ significantly."""
        return len(self.significant) - self.significant_count

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether a pair differs by the same amount everywhere, so that a test by spread says nothing of it; pair."""
        return (self.se == 0) & np.isinf(self.low)

    @property
    def top_group(self) -> tuple[str, ...]:
        """The best system and those that do not differ significantly from it."""
        if self.baseline is not None:
            raise DesignError(f"the top group needs all pairs of systems; the pairs are {self.family}")
        alike = self.second[(self.first == 0) & ~self.significant]
        return (self.systems[0], *(self.systems[system] for system in alike))

    @property
    def p_matrix(self) -> Floats:
        """The adjusted p[system, system], symmetric; NaN for pairs that were not tested, 1 on the diagonal."""
        matrix = self.matrix(self.p)
        np.fill_diagonal(matrix, 1.0)
        return matrix

    def best(self, count: int) -> Comparison:
        """The pairs of the best systems, with the p-values that they have among all."""
        kept = self.among_best(count)
        arrays = ("first", "second", "low", "high", "statistic", "p", "p_single", "effect", "se")
        own = {name: getattr(self, name)[kept] for name in arrays}
        return replace(self, systems=self.systems[:count], means=self.means[:count], **own)

    def within(self, scores: Range | None) -> Comparison:
        """The same, with the intervals of differences of scores that lie within a range; what is tested stays."""
        low, high = cut(self.low, self.high, of_differences(scores))
        return replace(self, low=low, high=high)

    def frame(self) -> pl.DataFrame:
        """A row a pair: the two systems, their difference with its interval, the statistic, p and the effect."""
        import polars as pl

        names = self.names
        columns = {
            "first": [first for first, _ in names],
            "second": [second for _, second in names],
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "statistic": self.statistic,
            "p": self.p,
            "p_single": self.p_single,
            "effect": self.effect,
            "significant": self.significant,
        }
        return pl.DataFrame(columns)

    @property
    def groups(self) -> Letters:
        """The compact letter display: systems share a letter if they do not differ significantly."""
        if self.baseline is not None:
            raise DesignError(f"groups need all pairs of systems; the pairs are {self.family}: leave the baseline out")
        return compact_letters(self.p_matrix <= self.alpha)
