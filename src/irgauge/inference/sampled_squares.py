"""The difference of two algorithms on topics that are in clusters or count unequally, by mean squares.

With the weights w of topics and the differences D of the two algorithms' means on them, the part of topics is the
variance of Σ w D by CR2, with Satterthwaite's degrees of freedom (see `sampling`). MS_i is the variance of the means
Σ w y of an algorithm's m instances. What is left of instances on topics, y_it − ȳ_t, has sums Σ w (y_it − ȳ_t) whose
variances by CR2 are V_i: instances may differ on a cluster as a whole. R = Σ V_i / (m − 1) is what the part of topics
holds of MS_i already, so that the part of instances is max(MS_i − R, MS_i / (m − 1)) / m. Of topics that are drawn one
by one and count alike, R is MS/T, and all is as in `models.mixed.squares`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError
from irgauge.inference.sampling import SampledMean, Sampling
from irgauge.models.mixed.squares import OneAlgorithm, TwoAlgorithms, completed, scored_on, topics_of_both


def sampled_algorithm(values: Floats, sampling: Sampling) -> OneAlgorithm:
    """The mean squares of the values[instance, topic] of one algorithm; that of the residual is T R.

    >>> one_by_one = Sampling(np.full(3, 1 / 3), np.arange(3), np.zeros(3, np.intp))
    >>> squares = sampled_algorithm(np.array([[0.1, 0.5, 0.6], [0.3, 0.5, 0.7]]), one_by_one)
    >>> round(squares.between, 4), round(squares.residual, 4), squares.residual_df
    (0.005, 0.005, 2)
    """
    plain, filled, topics = OneAlgorithm.of(values), completed(values), values.shape[1]
    if plain.instances == 1:
        return plain
    between = float(sampling.means(filled.T).var(ddof=1))
    if plain.residual_df <= 0:
        return replace(plain, between=between)
    left = sampling.of((filled - plain.means).T)
    held = float(np.square(left.se).sum()) * (topics - 1) / plain.residual_df
    return replace(plain, between=between, residual=topics * held)


@dataclass(frozen=True, eq=False)
class SampledAlgorithms(TwoAlgorithms):
    """The difference of two algorithms on topics that came together in some way."""

    sampling: Sampling  # of the topics of both

    @classmethod
    def sampled(cls, first: Floats, second: Floats, sampling: Sampling) -> SampledAlgorithms:
        """From the values[instance, topic] of each; topics that one has no value on are left out."""
        both = topics_of_both(first, second)
        own = sampling.on(both)
        if len(np.unique(own.kind)) < len(np.unique(sampling.kind)):
            raise DesignError(f"the two have no topics in common of some kind of '{sampling.columns.shares}'")
        one, other = (sampled_algorithm(scored_on(values, both), own) for values in (first, second))
        return cls(one, other, own)

    @cached_property
    def mean(self) -> SampledMean:
        """Of the differences of the means of instances."""
        return self.sampling.of((self.first.means - self.second.means)[:, None])

    @property
    def difference(self) -> float:
        """Σ w D."""
        return float(self.mean.mean[0])

    @property
    def over_topics(self) -> float:
        """The variance of the difference over topics, times their number, as of topics drawn one by one."""
        return self.topics * float(np.square(self.mean.se[0]))

    @property
    def df(self) -> tuple[float, float, float]:
        """The degrees of freedom of the parts; those of topics for a part that is 0 as there is one instance."""
        of_topics = float(self.mean.df[0])
        return of_topics, self.first.instances - 1 or of_topics, self.second.instances - 1 or of_topics


def sampled_mean(values: Floats, sampling: Sampling) -> tuple[float, float]:
    """The mean of the values[instance, topic] of one algorithm, and its error over topics and instances."""
    scored = np.flatnonzero(np.isfinite(values).any(axis=0))
    own = sampling.on(scored)
    squares = sampled_algorithm(values[:, scored], own)
    mean = own.of(squares.means[:, None])
    return float(mean.mean[0]), float(np.sqrt(np.square(mean.se[0]) + squares.instance_part))
