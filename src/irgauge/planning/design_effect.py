"""How much more topics are needed since they are in clusters: the design effect, with its interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import fdtri

from irgauge.compute.arrays import Floats
from irgauge.inference.sampling import Sampling
from irgauge.planning.designs import variance_freedom


class DesignEffect(NamedTuple):
    """The variance of a mean over topics in clusters, over that of topics drawn one by one."""

    clusters: int
    topics_each: float  # topics of a cluster, on average
    correlation: float  # of two topics of a cluster
    value: float
    low: float  # of the 1 − α interval
    high: float


def design_effect(d: Floats, sampling: Sampling, alpha: float = 0.05) -> DesignEffect | None:
    """Of differences d[topic]; None where every cluster has one topic.

    With F = MS_between / MS_within of G clusters of n topics, n₀ = (T − Σn²/T) / (G − 1), the correlation is
    ρ = (F − 1) / (F + n₀ − 1), and its interval has F / F(1 − α/2) and F / F(α/2) for F (Searle 1971; for unequal sizes
    Thomas and Hultquist, Annals of Statistics 1978), with fewer degrees of freedom where tails are long: see
    `planning.designs.variance_freedom`. The design effect is 1 + (Σn²/T − 1) ρ (Kish 1965), at least 0.

    >>> sampling = Sampling(np.full(8, 1 / 8), np.repeat(np.arange(4), 2), np.zeros(8, np.intp))
    >>> effect = design_effect(np.array([0.1, 0.2, 0.5, 0.4, 0.0, 0.1, 0.9, 0.7]), sampling)
    >>> assert effect is not None
    >>> round(effect.correlation, 3), round(effect.value, 3), round(effect.low, 3), round(effect.high, 3)
    (0.926, 1.926, 1.428, 1.997)
    """
    n, total, groups = sampling.sizes, len(d), sampling.clusters
    if total == groups:
        return None
    means = sampling.sums_of_clusters(d[:, None])[:, 0] / n
    between = float((n * np.square(means - d.mean())).sum()) / (groups - 1)
    typical = (total - float(np.square(n).sum()) / total) / (groups - 1)
    weight = float(np.square(n).sum()) / total
    left = d - means[sampling.cluster]
    within = float(np.square(left).sum()) / (total - groups)
    freedom = variance_freedom(np.sqrt(n) * (means - d.mean())), variance_freedom(left) * (total - groups) / (total - 1)
    divisors = [1.0, *(float(fdtri(*freedom, chance)) for chance in (1 - alpha / 2, alpha / 2))]
    correlations = [_correlation(between / divisor, within, typical) for divisor in divisors]
    rho, *_ = correlations
    value, low, high = (max(0.0, 1 + (weight - 1) * each) for each in correlations)
    return DesignEffect(groups, total / groups, rho, value, low, high)


def _correlation(between: float, within: float, size: float) -> float:
    """(F − 1) / (F + n₀ − 1); 1 where nothing varies within clusters."""
    return 1.0 if within == 0 else (between - within) / (between + (size - 1) * within)
