"""What a method says of the systems at one number of shards, and how much of it depends on the split."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from irgauge.compute.arrays import Bools, Floats
from irgauge.inference.comparison import Comparison
from irgauge.inference.intervals import critical_t, standard_error
from irgauge.inference.orders import kendall_tau
from irgauge.inference.studentized import ppf
from irgauge.models.anova import Fit, Population

_ALPHA = 0.05  # of the intervals of means over splits


@dataclass(frozen=True)
class MeanOverSplits:
    """The mean over splits, with its 95 % t interval; the bounds are NaN for one split."""

    mean: float
    low: float
    high: float

    def within(self, least: float, most: float) -> MeanOverSplits:
        """The same, its interval cut to what is possible."""
        if math.isnan(self.low):
            return self
        return MeanOverSplits(self.mean, max(self.low, least), min(self.high, most))


@dataclass(frozen=True)
class MethodOutcome:
    """What a method says of the systems at one number of shards: means over splits."""

    shards: int
    method: str  # a model by Tukey's test, or another test
    omega2: float  # of the system factor
    significant: float  # pairs
    not_significant: float
    top_group: float  # the best system and those that do not differ significantly from it
    width: float  # how far apart two means must be: that of the Tukey interval, eq. 3, or the median over pairs
    changes: Mapping[str, Mapping[str, float]]  # simpler method -> change of omega2, significant, ... in per cent


@dataclass(frozen=True)
class Stability:
    """How much the outcome depends on the split, for one method at one number of shards."""

    shards: int
    method: str
    tau: MeanOverSplits  # Kendall's τ of the order of systems against the whole corpus
    width: MeanOverSplits
    significant: MeanOverSplits
    common: float  # share of all pairs that are significant in every split
    undefined: float  # share of cells without a score, mean over splits


@dataclass(frozen=True, eq=False)
class SplitOutcome:
    """What one method says on one split."""

    omega2: float
    width: float
    top_group: int
    tau: float
    undefined: float
    is_significant: Bools  # pair


@cache  # few pairs of systems and degrees of freedom recur in all splits
def _critical(alpha: float, systems: int, df: float) -> float:
    return float(ppf(1 - alpha, systems, df))


def split_outcome(
    fit: Fit, order: Floats, *, population: Population, alpha: float, undefined: float = 0.0
) -> SplitOutcome:
    """Pairs differ whose means are further apart than the width Q·√(MS/n) of eq. 3; `order` is that of systems."""
    means = fit.means("system")
    error = fit.error_term(population)
    width = _critical(alpha, len(means), error.df) * standard_error(error)
    first, second = np.triu_indices(len(means), 1)
    return SplitOutcome(
        omega2=fit.row("system").omega2,
        width=width,
        top_group=int((means.max() - means <= width).sum()),
        tau=kendall_tau(means, order),
        undefined=undefined,
        is_significant=np.abs(means[first] - means[second]) > width,
    )


def compared_outcome(
    comparison: Comparison, systems: Sequence[str], order: Floats, *, omega2: float, undefined: float = 0.0
) -> SplitOutcome:
    """What a comparison of all pairs says; its pairs are put into the order of the systems."""
    places = np.array([systems.index(system) for system in comparison.systems])  # best first
    matrix = np.zeros((len(systems), len(systems)), np.bool_)
    matrix[places[comparison.first], places[comparison.second]] = comparison.significant
    means = np.empty(len(systems))
    means[places] = comparison.means
    return SplitOutcome(
        omega2=omega2,
        width=float(np.median(comparison.high - comparison.low)) / 2,
        top_group=int(1 + np.count_nonzero(~comparison.significant[comparison.first == 0])),
        tau=kendall_tau(means, order),
        undefined=undefined,
        is_significant=(matrix | matrix.T)[np.triu_indices(len(systems), 1)],
    )


def method_outcome(
    shards: int, method: str, splits: Sequence[SplitOutcome], simpler: Sequence[MethodOutcome] = ()
) -> MethodOutcome:
    """Means over splits, and their changes against simpler methods."""
    counts = [int(split.is_significant.sum()) for split in splits]
    values = {
        "omega2": float(np.mean([split.omega2 for split in splits])),
        "significant": float(np.mean(counts)),
        "not_significant": float(len(splits[0].is_significant) - np.mean(counts)),
        "top_group": float(np.mean([split.top_group for split in splits])),
        "width": float(np.mean([split.width for split in splits])),
    }
    changes = {other.method: dict(_changes(values, other)) for other in simpler}
    return MethodOutcome(shards=shards, method=method, **values, changes=changes)


def _changes(values: Mapping[str, float], other: MethodOutcome) -> Iterator[tuple[str, float]]:
    """Changes against a simpler method, in per cent."""
    for name, value in values.items():
        before = getattr(other, name)
        yield name, 100 * (value - before) / before if before else float("nan")


def stability(shards: int, method: str, splits: Sequence[SplitOutcome]) -> Stability:
    """Means over splits with their intervals, and the pairs that differ in every split."""
    significant = np.array([split.is_significant for split in splits])  # split, pair
    return Stability(
        shards=shards,
        method=method,
        tau=mean_over_splits([split.tau for split in splits]),
        width=mean_over_splits([split.width for split in splits]),
        significant=mean_over_splits(significant.sum(axis=1).astype(float).tolist()),
        common=float(significant.all(axis=0).mean()),
        undefined=float(np.mean([split.undefined for split in splits])),
    )


def mean_over_splits(values: Sequence[float]) -> MeanOverSplits:
    """The mean ± t(n − 1) s/√n."""
    mean, n = float(np.mean(values)), len(values)
    if n == 1:
        return MeanOverSplits(mean, float("nan"), float("nan"))
    half = float(critical_t(_ALPHA, n - 1) * np.std(values, ddof=1) / np.sqrt(n))
    return MeanOverSplits(mean, mean - half, mean + half)
