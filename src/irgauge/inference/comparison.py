"""Pairs of systems, and what a test says of them: Comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.letters import Letters, compact_letters
from irgauge.models.anova import Population

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Name = str | None
BUILT_IN = "built in"  # the correction of a test that is of all pairs together


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs to be compared: all pairs of systems, or those with a baseline."""

    systems: tuple[str, ...]  # best first, by their means; ties in the order given
    means: Floats  # system
    first: Indices  # pair -> system: the better one
    second: Indices  # pair -> system
    alpha: float
    correction: str
    population: Population
    topics: int
    shards: int
    sides: int
    baseline: Name

    @cached_property
    def difference(self) -> Floats:
        """Of the means of the pair; not below 0."""
        return np.asarray(self.means[self.first] - self.means[self.second])

    @property
    def level(self) -> float:
        """The α of the interval of one pair; Holm and BH reject step by step, and have no intervals of their own."""
        return self.alpha / len(self.first) if self.correction == "bonferroni" else self.alpha

    @property
    def family(self) -> str:
        """The pairs over which errors are controlled."""
        every = f"all {math.comb(len(self.systems), 2)} pairs"
        tested = every if self.baseline is None else f"{len(self.first)} pairs with baseline {self.baseline}"
        wider = self.correction == BUILT_IN and self.baseline is not None
        return f"{tested}, controlled over {every} (conservative)" if wider else tested

    @property
    def interval(self) -> str:
        """The confidence of the intervals, and whether it is of each pair or of the family."""
        whose = "all pairs together" if self.correction in ("bonferroni", BUILT_IN) else "each pair"
        return f"{100 * (1 - 2 * self.alpha / self.sides):g} % for {whose}"


@dataclass(frozen=True, eq=False)
class Comparison(Pairs):
    """What a test says of the pairs."""

    test: str
    low: Floats  # pair: of the interval of the difference
    high: Floats  # pair
    statistic: Floats  # pair
    p: Floats  # pair: adjusted for the family
    p_single: Floats  # pair: before adjustment; p itself if the test is of the family
    effect: Floats  # pair: the difference in standard deviations
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
        """How many pairs cannot be told apart."""
        return len(self.significant) - self.significant_count

    @property
    def top_group(self) -> tuple[str, ...]:
        """The best system and those that cannot be told from it."""
        with_best = self.first == 0
        if with_best.sum() < len(self.systems) - 1:
            raise DesignError(f"the top group needs all pairs with {self.systems[0]}; the pairs are {self.family}")
        alike = self.second[with_best & ~self.significant]
        return (self.systems[0], *(self.systems[system] for system in alike))

    @property
    def p_matrix(self) -> Floats:
        """The adjusted p[system, system], symmetric; NaN for pairs that were not tested, 1 on the diagonal."""
        matrix = np.full((len(self.systems),) * 2, np.nan)
        matrix[self.first, self.second] = matrix[self.second, self.first] = self.p
        np.fill_diagonal(matrix, 1.0)
        return matrix

    @property
    def groups(self) -> Letters:
        """The compact letter display: systems share a letter if they cannot be told apart."""
        if self.baseline is not None:
            raise DesignError(f"groups need all pairs of systems; the pairs are {self.family}: leave the baseline out")
        return compact_letters(self.p_matrix <= self.alpha)
