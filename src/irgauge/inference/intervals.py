"""Intervals of system means (Tukey, SEM, ANOVA), and of the shift between two systems (Hodges and Lehmann; Hartigan).

The intervals of means are to compare systems with each other: that a topic is harder for all is not in them, except
in those of SEM. Boxes are what a box plot shows in place of an interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.studentized import ppf
from irgauge.models.anova import ErrorTerm, Fit, Population
from irgauge.scoring.measures import Range, cut

Bounds = tuple[Floats, Floats]  # low, high
NO_POPULATION = "takes the shards of a topic for independent values, and covers no population"
_EXACT = 50  # up to so many topics the signed-rank test is exact, as in scipy
_FEW = 150  # up to so many topics all averages of pairs are made
_AVERAGES = 1 << 15  # made at once: more leave a processor's cache
_LEFT = 8  # averages for each topic that are made when others are ruled out


@dataclass(frozen=True, eq=False)
class MeanInterval:
    """The mean of each system and the interval around it."""

    systems: tuple[str, ...]
    name: str
    mean: Floats  # system
    low: Floats  # system
    high: Floats  # system
    alpha: float
    population: Population | None  # None: shards repeat the topics, and are taken for independent values

    def of(self, systems: Sequence[str]) -> MeanInterval:
        """The intervals of some systems, in their order."""
        places = np.array([self.systems.index(system) for system in systems], np.intp)
        ends = {name: getattr(self, name)[places] for name in ("mean", "low", "high")}
        return replace(self, systems=tuple(systems), **ends)

    def within(self, possible: Range | None) -> MeanInterval:
        """The same, cut to what is possible."""
        low, high = cut(self.low, self.high, possible)
        return replace(self, low=low, high=high)

    @property
    def length(self) -> Floats:
        """Of the interval of each system."""
        return self.high - self.low


Series = Mapping[str, MeanInterval]  # a model, or another name -> intervals of the same systems


def tukey_interval(fit: Fit, systems: Sequence[str], *, population: Population, alpha: float = 0.05) -> MeanInterval:
    """Intervals that do not overlap if, and only if, Tukey's test finds the systems significantly different.

    μ_u ± ½ Q(α; R, df) √(MS / TS), for all systems together: Ferro and Sanderson (2019), eq. 3.

    >>> from irgauge.models.anova import fit
    >>> interval = tukey_interval(fit(np.array([[[0.2], [0.5]], [[0.3], [0.4]], [[0.1], [0.6]]]), "MD1"),
    ...                           ["a", "b"], population="topics")
    >>> interval.low.round(3).tolist(), interval.high.round(3).tolist()
    ([-0.048, 0.252], [0.448, 0.748])
    """
    check_alpha(alpha)
    error = fit.error_term(population)
    half = 0.5 * float(ppf(1 - alpha, fit.shape[1], error.df)) * standard_error(error)
    return _around("Tukey", systems, fit.means("system"), np.full(fit.shape[1], half), alpha, population)


def anova_interval(fit: Fit, systems: Sequence[str], *, population: Population, alpha: float = 0.05) -> MeanInterval:
    """The interval of each mean for itself, with the error of the model.

    μ_u ± t(α/2; df) √(MS / TS): Ferro and Sanderson (2019), eq. 5.

    >>> from irgauge.models.anova import fit
    >>> interval = anova_interval(fit(np.array([[[0.2], [0.5]], [[0.3], [0.4]], [[0.1], [0.6]]]), "MD1"),
    ...                           ["a", "b"], population="topics")
    >>> interval.low.round(3).tolist(), interval.high.round(3).tolist()
    ([-0.151, 0.149], [0.551, 0.851])
    """
    check_alpha(alpha)
    error = fit.error_term(population)
    half = critical_t(alpha, error.df) * standard_error(error)
    return _around("ANOVA", systems, fit.means("system"), np.full(fit.shape[1], half), alpha, population)


def sem_interval(values: Floats, systems: Sequence[str], *, alpha: float = 0.05) -> MeanInterval:
    """The interval of each mean for itself, from the standard error of the mean of values[topic, system, shard].

    μ_u ± t(α/2; TS − 1) √(σ²_u / TS), σ²_u = Σ (y_iuk − μ_u)² / (TS − 1): Ferro and Sanderson (2019), eq. 4.

    >>> interval = sem_interval(np.array([[[0.2], [0.5]], [[0.3], [0.4]], [[0.1], [0.6]]]), ["a", "b"])
    >>> interval.low.round(3).tolist(), interval.high.round(3).tolist()
    ([-0.048, 0.252], [0.448, 0.748])
    """
    check_alpha(alpha)
    y = np.asarray(values, np.float64)
    _check_values(y)
    each = y.transpose(1, 0, 2).reshape(y.shape[1], -1)  # system, value
    ts = each.shape[1]
    half = critical_t(alpha, ts - 1) * each.std(axis=1, ddof=1) / math.sqrt(ts)
    return _around("SEM", systems, each.mean(axis=1), half, alpha, "topics" if y.shape[2] == 1 else None)


def standard_error(error: ErrorTerm) -> float:
    """√(MS / TS): of a system mean."""
    return math.sqrt(error.ms / error.n)


def critical_t(alpha: float, df: float) -> float:
    """What |t| exceeds with probability alpha."""
    return -float(stdtrit(df, alpha / 2))


def hodges_lehmann(differences: Floats, alpha: float) -> Bounds:
    """The interval of the shift that the signed-rank test does not reject, from differences[topic, pair].

    The shifts from the (w + 1)-th smallest to the (w + 1)-th largest of the averages (d_i + d_j) / 2, i ≤ j, where w
    is the largest rank sum with p ≤ α; infinite where there is none. Hodges and Lehmann (Annals of Mathematical
    Statistics 1963).

    >>> low, high = hodges_lehmann(np.array([[0.1], [0.2], [0.3], [0.5], [0.7], [1.0]]), 0.05)
    >>> low.tolist(), high.tolist()
    ([0.1], [1.0])
    """
    rank = _largest_rank_sum(len(differences), alpha) + 1
    if rank == 0:
        return np.full(differences.shape[1], -np.inf), np.full(differences.shape[1], np.inf)
    d = np.sort(differences.T, axis=1)  # pair, topic
    if len(differences) <= _FEW:
        return _walsh_averages(d, rank)
    return _each_average(d, rank), -_each_average(-d[:, ::-1], rank)


def _largest_rank_sum(topics: int, alpha: float) -> int:
    """The largest sum of the ranks of one sign that the two-sided test rejects; −1 if it rejects none."""
    if topics > _EXACT:
        mean, variance = topics * (topics + 1) / 4, topics * (topics + 1) * (2 * topics + 1) / 24
        return max(-1, math.floor(mean + float(ndtri(alpha / 2)) * math.sqrt(variance)))
    pmf = np.ones(1)  # of the sum of the ranks so far
    for rank in range(1, topics + 1):
        pmf = 0.5 * (np.pad(pmf, (0, rank)) + np.pad(pmf, (rank, 0)))
    return int(np.searchsorted(np.cumsum(pmf), alpha / 2, side="right")) - 1


def _walsh_averages(d: Floats, rank: int) -> Bounds:
    """The averages of that rank, from the smallest and from the largest; d[pair, topic] ascends."""
    low, high = np.empty((2, len(d)))
    i, j = np.triu_indices(d.shape[1])
    at_once = -(-_AVERAGES // len(i))
    for start in range(0, len(d), at_once):
        part = slice(start, start + at_once)
        sums = d[part, i] + d[part, j]  # pair, average
        sums.partition((rank - 1, len(i) - rank), axis=1)
        low[part], high[part] = 0.5 * sums[:, rank - 1], 0.5 * sums[:, len(i) - rank]
    return low, high


def _each_average(d: Floats, rank: int) -> Floats:
    return np.array([_walsh_average(np.ascontiguousarray(of_pair), rank) for of_pair in d])


def _walsh_average(d: Floats, rank: int) -> float:
    """The average of that rank, from the smallest: by bisection among all, until few are left; d ascends."""
    own = np.arange(len(d))
    start, stop = own, np.full(len(d), len(d))  # i: the j of the sums d_i + d_j that are left
    below, reached = 2.0 * d[0], 2.0 * d[-1]
    while (stop - start).sum() > _LEFT * len(d):
        middle = 0.5 * (below + reached)
        if not below < middle < reached or reached - below <= 1e-16 * (d[-1] - d[0]):  # what is left are ties
            return 0.5 * float((d + d[stop - 1])[stop > start].max())
        until = np.maximum(np.searchsorted(d, middle - d[::-1], side="right")[::-1], own)  # faster in this order
        if (until - own).sum() >= rank:
            stop, reached = until, middle
        else:
            start, below = until, middle
    width = stop - start
    i = np.repeat(own, width)
    j = np.arange(len(i)) + np.repeat(start - np.cumsum(width) + width, width)
    place = rank - 1 - (start - own).sum()
    return 0.5 * float(np.partition(d[i] + d[j], place)[place])


def typical_values(means: Floats, rank: int) -> Bounds:
    """The interval of the shift that sign flips do not reject, from means[pair, draw] over the topics that are flipped.

    The shifts from the smallest to the largest mean of that rank. A draw that flips no topic has no mean (NaN) for any
    pair, and stands for any shift. Hartigan, "Using subsample values as typical values" (Journal of the American
    Statistical Association 1969).

    >>> low, high = typical_values(np.array([[0.3, 0.1, 0.2, 0.5]]), 2)
    >>> low.tolist(), high.tolist()
    ([0.2], [0.3])
    """
    empty = np.count_nonzero(np.isnan(means[0]))
    if rank <= empty:
        return np.full(len(means), -np.inf), np.full(len(means), np.inf)
    ordered = np.sort(means, axis=1)  # NaN last; faster than numpy finds two ranks
    return ordered[:, rank - empty - 1].copy(), ordered[:, means.shape[1] - rank].copy()  # not all of it kept alive


def _around(
    name: str, systems: Sequence[str], mean: Floats, half: Floats, alpha: float, population: Population | None
) -> MeanInterval:
    return MeanInterval(tuple(systems), name, mean, mean - half, mean + half, alpha, population)


def _check_values(y: Floats) -> None:
    if y.ndim != 3:
        raise DesignError(f"values have {y.ndim} axes; they must have three: topic, system, shard")
    if y.shape[0] * y.shape[2] < 2:
        raise DesignError("a standard error needs at least 2 values of each system; these have one topic in one shard")
    if not np.isfinite(y).all():
        raise DesignError("some values are undefined: fill them, or drop the topics that have them")


class Boxes(NamedTuple):
    """Quartiles, and the ends of whiskers."""

    low: Floats
    lower: Floats
    median: Floats
    upper: Floats
    high: Floats
