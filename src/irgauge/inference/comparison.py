"""Pairs of systems, and what a test says of them: Comparison.

Several are corrected together as a family, such as the pairs by each of several measures. The compact letter display
says it by system: systems share a letter if, and only if, they do not differ significantly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from irgauge.brief import OneLine
from irgauge.compute.arrays import Floats, Indices
from irgauge.errors import DesignError
from irgauge.inference.assertions import Place
from irgauge.inference.corrections import Correction, any_correction
from irgauge.models.anova import Population
from irgauge.scoring.direction import HIGHER, Direction, opposite, sign_of
from irgauge.scoring.measures import Range, cut, of_differences
from irgauge.wording import counted

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
        """Of the means of the pair, first minus second."""
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
    share: float = field(default=1.0, kw_only=True)  # of α that these families have
    place: Place = field(default="primary", kw_only=True)  # of what is claimed
    direction: Direction = field(default=HIGHER, kw_only=True)  # which scores are better

    @property
    def gain(self) -> Floats:
        """By how much the first is better: the difference, or its negative; not below 0 unless there is a baseline."""
        return np.asarray(sign_of(self.direction) * self.difference)

    @property
    def corrected_by(self) -> Correction:
        """The correction, which knows what goes with it."""
        return any_correction(self.correction)

    @property
    def own_alpha(self) -> float:
        """The part of α that these pairs have, where several families share it."""
        return self.alpha * self.share / self.families if self.is_simultaneous else self.alpha

    @property
    def level(self) -> float:
        """The α of the interval of one pair."""
        share = self.share if self.is_simultaneous else 1.0
        return self.corrected_by.interval_level(self.alpha * share, len(self.first) * self.families)

    @property
    def family(self) -> str:
        """The pairs over which errors are controlled."""
        part = "" if self.share == 1 else f", with {self.share:.3g} of α"
        return f"{self._pairs}{self.together}{part}"

    @property
    def together(self) -> str:
        """What is corrected together with these pairs, if anything is: after what is said of them."""
        return f", together with those of {counted(self.families - 1, 'more comparison')}" if self.families > 1 else ""

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


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(OneLine, Family):
    """What a test says of the pairs."""

    in_line: ClassVar[tuple[str, ...]] = ("test", "population", "correction", "alpha", "systems", "significant_count")

    test: str
    low: Floats  # pair: of the interval of the difference
    high: Floats  # pair
    statistic: Floats  # pair
    p: Floats  # pair: for itself, before adjustment; NaN where the test is of the family, which is more than the pair
    p_adjusted: Floats  # pair: adjusted for the family
    effect: Floats  # pair: the difference in standard deviations
    se: Floats  # pair: the standard error of the difference
    draws: int | None = None
    seed: int | None = None
    error_ms: float | None = None
    df: float | None = None

    @cached_property
    def significant(self) -> NDArray[np.bool_]:
        """Whether the adjusted p ≤ α; pair."""
        return self.p_adjusted <= self.alpha

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
        matrix = self.matrix(self.p_adjusted)
        np.fill_diagonal(matrix, 1.0)
        return matrix

    def best(self, count: int) -> Comparison:
        """The pairs of the best systems, with the p-values that they have among all."""
        kept = self.among_best(count)
        arrays = ("first", "second", "low", "high", "statistic", "p", "p_adjusted", "effect", "se")
        own = {name: getattr(self, name)[kept] for name in arrays}
        return replace(self, systems=self.systems[:count], means=self.means[:count], **own)

    def within(self, scores: Range | None) -> Comparison:
        """The same, with the intervals of differences of scores that lie within a range; what is tested stays."""
        low, high = cut(self.low, self.high, of_differences(scores))
        return replace(self, low=low, high=high)

    def mirrored(self) -> Comparison:
        """What is said of the negatives of all scores, of which the other direction is the better one."""
        return replace(
            self,
            means=0.0 - self.means,  # never −0
            low=0.0 - self.high,
            high=0.0 - self.low,
            statistic=0.0 - self.statistic,
            effect=0.0 - self.effect,
            direction=opposite(self.direction),
        )

    @property
    def upward(self) -> Comparison:
        """The same where higher scores are better, else its mirror: what is above 0 is better there."""
        return self if self.direction == HIGHER else self.mirrored()

    def columns(self) -> dict[str, list[Any]]:
        """Of each pair the two systems, their difference with its interval, p, how it was tested, and the effect."""
        count, names = len(self.first), self.names
        return {
            "system": [system for system, _ in names],
            "against": [against for _, against in names],
            "n": [self.topics] * count,
            "difference": self.difference.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "p": [None if isnan else p for p, isnan in zip(self.p.tolist(), np.isnan(self.p), strict=True)],
            "p_adjusted": self.p_adjusted.tolist(),
            "test": [self.test] * count,
            "correction": [self.correction] * count,
            "population": [self.population] * count,
            "alpha": [self.alpha] * count,
            "statistic": self.statistic.tolist(),
            "effect": self.effect.tolist(),
            "significant": self.significant.tolist(),
        }

    def frame(self) -> pl.DataFrame:
        """A row a pair: see `columns`."""
        import polars as pl

        return pl.DataFrame(self.columns(), schema_overrides={"p": pl.Float64})

    @property
    def groups(self) -> Letters:
        """The compact letter display: systems share a letter if they do not differ significantly."""
        if self.baseline is not None:
            raise DesignError(f"groups need all pairs of systems; the pairs are {self.family}: leave the baseline out")
        return compact_letters(self.p_matrix <= self.alpha)


@dataclass(frozen=True)
class Letters:
    """Groups of systems that do not differ significantly, and the letters of the groups that each system is in."""

    groups: tuple[tuple[int, ...], ...]  # indices of systems, ascending; the groups in the order of their members
    letters: tuple[tuple[str, ...], ...]  # of each system: a to z, then aa, ab, ...

    @property
    def texts(self) -> tuple[str, ...]:
        """The letters of each system in one text; with spaces if there are more groups than letters."""
        between = "" if len(self.groups) <= len(ascii_lowercase) else " "
        return tuple(between.join(letters) for letters in self.letters)


def compact_letters(different: NDArray[np.bool_]) -> Letters:
    """Cover all pairs that do not differ with few maximal groups, given the symmetric different[system, system].

    No group can take in one more system, and none can be left out: each has a pair (or a lone system) that no other
    has. Where significance is monotone in the difference of sorted systems, these are all maximal groups, as insert
    and absorb finds them; else that may find exponentially many, most of which say nothing new. Piepho, "An algorithm
    for a letter-based representation of all-pairwise comparisons" (Journal of Computational and Graphical Statistics
    2004).

    >>> different = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> compact_letters(different).groups
    ((0, 1), (1, 2))
    >>> compact_letters(different).texts
    ('a', 'ab', 'b')
    """
    different = np.asarray(different, np.bool_)
    _check(different)
    groups = tuple(sorted(_needed(_cover(_masks(~different)), len(different))))
    letters: list[list[str]] = [[] for _ in different]
    for position, group in enumerate(groups):
        for system in group:
            letters[system].append(_label(position))
    return Letters(groups, tuple(tuple(each) for each in letters))


def _check(different: NDArray[np.bool_]) -> None:
    if different.ndim != 2 or different.shape[0] != different.shape[1] or not different.size:
        raise DesignError(
            f"different[system, system] is a square of at least one system; its shape is {different.shape}"
        )
    if (different != different.T).any() or different.diagonal().any():
        raise DesignError("different[system, system] must be symmetric, and no system differs from itself")


def _masks(alike: NDArray[np.bool_]) -> list[int]:
    """For each system, the systems that it does not differ from, itself included: system i is bit i."""
    return [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in alike]


def _cover(alike: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Maximal groups that together have all pairs of systems that are alike, and all systems."""
    covered = [0] * len(alike)  # for each system, those that it shares a group with
    for system, others in enumerate(alike):
        while missing := others & ~covered[system]:
            group = _grow(system, missing.bit_length() - 1, alike)
            mask = sum(1 << member for member in group)
            for member in group:
                covered[member] |= mask
            yield group


def _grow(system: int, other: int, alike: Sequence[int]) -> tuple[int, ...]:
    """The pair, and the best systems that are alike with all in the group so far, until there are none."""
    group = {system, other}
    candidates = alike[system] & alike[other] & ~(1 << system | 1 << other)
    while candidates:
        best = (candidates & -candidates).bit_length() - 1
        group.add(best)
        candidates &= alike[best] & ~(1 << best)
    return tuple(sorted(group))


def _needed(groups: Iterator[tuple[int, ...]], systems: int) -> list[tuple[int, ...]]:
    """The groups without those whose pairs are all in others; a group of one system has the pair with itself."""
    all_groups = list(groups)
    times = np.zeros((systems, systems), np.int64)  # how many groups have the pair
    for group in all_groups:
        times[np.ix_(group, group)] += 1
    needed = []
    for group in all_groups:
        square = np.ix_(group, group)
        if (times[square] > 1).all():
            times[square] -= 1
        else:
            needed.append(group)
    return needed


def _label(position: int) -> str:
    """a to z, then aa, ab, ..."""
    label, position = "", position + 1
    while position:
        position, letter = divmod(position - 1, len(ascii_lowercase))
        label = ascii_lowercase[letter] + label
    return label
