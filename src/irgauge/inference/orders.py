"""Orders of systems: between which ranks each lies, and how well two orders agree (Kendall's τ)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import erf

from irgauge.compute.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.comparison import Comparison
from irgauge.inference.outcomes import pair_variances
from irgauge.models.generalizability import Components, MeanSquares

LEAST_TOPICS = 4  # that have two halves with a ranking each
_SPLITS = 100


def kendall_tau(x: Floats, y: Floats) -> float:
    """Kendall's τ-b: concordant less discordant pairs over √(pairs untied in x · pairs untied in y).

    NaN where all of one side are tied. Kendall, "The treatment of ties in ranking problems" (Biometrika 1945).

    >>> kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    first, second = np.triu_indices(len(x), 1)
    signs_x, signs_y = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    untied = np.count_nonzero(signs_x) * np.count_nonzero(signs_y)
    return float((signs_x * signs_y).sum() / np.sqrt(untied)) if untied else float("nan")


def tau_with_truth(reliability: float) -> float:
    """E[τ] of a ranking with the true one, for normal systems, by Eρ².

    >>> round(tau_with_truth(0.95), 3)
    0.856
    """
    return 2 / math.pi * math.asin(math.sqrt(reliability))


def tau_between(reliability: float) -> float:
    """E[τ] of the rankings by two experiments of the same size, for normal systems, by Eρ² of each.

    >>> round(tau_between(0.95), 3)
    0.798
    """
    return 2 / math.pi * math.asin(reliability)


@dataclass(frozen=True, eq=False)
class Separations:
    """How far apart the systems of pairs are, in true differences over the noise of the pair.

    The differences seen are too large, as they hold noise: times √Eρ² they vary as the true ones do (Louis, Journal of
    the American Statistical Association 79, 1984). The error of a pair is 2σ²(δ), times the variance over topics of its
    difference as a part of the mean such variance. A pair is in the right order with probability (1 + erf(z/√2))/2.
    """

    apart: Floats  # pair: z of an experiment with σ²(δ) = 1

    @classmethod
    def of(cls, values: Floats, components: Components) -> Separations:
        """Those of values[topic, system, shard]; two systems with the same scores have no order and are left out."""
        topics, systems, shards = values.shape
        scores = values.mean(axis=2)  # topic, system
        first, second = np.triu_indices(systems, 1)
        difference = np.abs(scores.mean(axis=0)[first] - scores.mean(axis=0)[second])
        noise = pair_variances(scores)[first, second]
        differs = (difference > 0) | (noise > 0)
        true = math.sqrt(components.reliability("relative", topics, shards)) * difference[differs]
        with np.errstate(divide="ignore"):
            return cls(true / np.sqrt(2 * noise[differs] / noise.mean()))

    def with_truth(self, error: float) -> float:
        """E[τ] of a ranking with the true one, with σ²(δ) as error."""
        return float(self._agreement(error).mean())

    def between(self, error: float) -> float:
        """E[τ] of the rankings by two experiments, each with σ²(δ) as error."""
        return float(np.square(self._agreement(error)).mean())

    def _agreement(self, error: float) -> Floats:
        """How much more often each pair is in the right order than in the wrong one."""
        return np.asarray(erf(self.apart / math.sqrt(2 * error)))


@dataclass(frozen=True)
class Halves:
    """Kendall's τ of the rankings by two halves of the topics: seen, and expected."""

    topics: int  # of each half
    splits: int
    seen: float  # the mean over splits
    expected: float


def halves(values: Floats, *, seed: int = 0) -> Halves:
    """Split the topics of values[topic, system, shard] at random, many times; scores are means over shards."""
    means = values.mean(axis=2, keepdims=True)
    size = len(means) // 2
    if len(means) < LEAST_TOPICS:
        raise DesignError(f"two halves need at least {LEAST_TOPICS} topics; there are {len(means)}")
    components = Components.of(MeanSquares.from_values(means))
    expected = Separations.of(means, components).between(components.error("relative", size))
    rng = np.random.default_rng(seed)
    taus = [_tau_of_split(means[:, :, 0], rng.permutation(len(means)), size) for _ in range(_SPLITS)]
    ranked = [tau for tau in taus if not math.isnan(tau)]  # not those with all systems tied in a half
    return Halves(size, _SPLITS, sum(ranked) / len(ranked) if ranked else math.nan, expected)


def _tau_of_split(means: Floats, order: Ints, size: int) -> float:
    return kendall_tau(means[order[:size]].mean(axis=0), means[order[size : 2 * size]].mean(axis=0))


class RankIntervals(NamedTuple):
    """The best and the worst rank that each system may have."""

    low: Ints  # system
    high: Ints  # system


def rank_intervals(comparison: Comparison) -> RankIntervals:
    """From 1 + the number of systems that are significantly better to R − the number of those significantly worse.

    Where no difference is found that is not there, or in the wrong direction, all intervals hold the true ranks. A test
    that errs in any pair with a probability of at most α thus gives intervals that hold for all R systems together with
    confidence 1 − α. Systems that are equally good share their ranks: each interval holds all of them. Al Mohamad,
    Goeman and van Zwet, "Simultaneous confidence intervals for ranks with application to ranking institutions"
    (Biometrics 2022).

    >>> from irgauge.inference.tests.paired_t import paired_t
    >>> values = np.array([[0.9, 0.2, 0.1], [0.8, 0.1, 0.2], [0.9, 0.3, 0.1], [0.7, 0.0, 0.2], [0.8, 0.1, 0.1]])
    >>> ranks = rank_intervals(paired_t(values, ["a", "b", "c"], correction="holm"))
    >>> ranks.low.tolist(), ranks.high.tolist()
    ([1, 2, 2], [1, 3, 3])
    """
    if comparison.baseline is not None:
        raise DesignError(f"ranks need all pairs of systems; the pairs are {comparison.family}: leave the baseline out")
    systems = len(comparison.systems)
    better = np.bincount(comparison.second[comparison.significant], minlength=systems)
    worse = np.bincount(comparison.first[comparison.significant], minlength=systems)
    return RankIntervals(1 + better, systems - worse)
