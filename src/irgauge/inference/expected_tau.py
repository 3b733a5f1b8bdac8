"""How near is a ranking of systems to the true one? Kendall's τ to be expected, and that of two halves of the topics.

Of systems whose true means are normal, with normal errors: E[τ] = (2/π) arcsin r, where r is the correlation of the two
sides: √Eρ² of a ranking with the true one, Eρ² of the rankings of two experiments (Greiner's relation; Kendall, "Rank
Correlation Methods", 1948). Real systems come in clusters, with a tail of poor ones: `Separations` takes them as they
are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erf

from irgauge.arrays import Floats, Ints
from irgauge.errors import DesignError
from irgauge.inference.kendall import kendall_tau
from irgauge.inference.pair_variances import pair_variances
from irgauge.models.generalizability import Components, MeanSquares

LEAST_TOPICS = 4  # that have two halves with a ranking each
_SPLITS = 100


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
