"""Mean squares of instances and topics, each algorithm with variances of its own, and of the difference of two.

    y_it = μ + topic_t + instance_i + ε_it,  within an algorithm of m instances on T topics

The mean squares between instances (of their means, expected σ_i² + σ²/T), of the residual (σ²), and over topics of the
differences of two algorithms' means (σ_D² + Σ σ²/m) give the variance of the difference of two algorithms,

    Var = σ_D²/T + Σ (σ_i²/m + σ²/(T m)),  estimated as MS_D/T + Σ max(MS_i − MS/T, MS_i/(m − 1))/m

without any variance that two algorithms share. What the topics' part holds already of the residual, MS/T, is taken off
that of instances; of which, as a small one is often chance where instances are few, 1/(m − 1) is left at least.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.errors import DesignError


@dataclass(frozen=True, eq=False)
class OneAlgorithm:
    """The mean squares of one algorithm; those of instances are 0 where it has one."""

    instances: int  # m
    means: Floats  # topic: of the instances
    between: float  # MS_i: the variance of the means of instances
    residual: float  # MS
    residual_df: int

    @classmethod
    def of(cls, values: Floats) -> OneAlgorithm:
        """From values[instance, topic]; NaN where missing, though no whole row or column of them.

        A missing value is taken as fitted by least squares, so that means of instances are on the same topics.

        >>> one = OneAlgorithm.of(np.array([[0.1, 0.5, 0.6], [0.3, 0.5, 0.7]]))
        >>> round(one.between, 4), round(one.residual, 4), one.residual_df
        (0.005, 0.005, 2)
        """
        m, topics = values.shape
        filled = completed(values)
        means, of_instances = filled.mean(axis=0), filled.mean(axis=1)
        df = int(np.isfinite(values).sum()) - m - topics + 1
        left = filled - means - of_instances[:, None] + filled.mean()
        between = float(of_instances.var(ddof=1)) if m > 1 else 0.0
        return cls(m, means, between, float(np.square(left).sum()) / df if df > 0 else 0.0, df)

    def with_factor(self, factor: float) -> OneAlgorithm:
        """The same of scores that are multiplied."""
        square = factor * factor
        return replace(self, means=factor * self.means, between=square * self.between, residual=square * self.residual)

    @property
    def instance_part(self) -> float:
        """What instances add to the variance of the mean, beyond what means on topics show."""
        if self.instances == 1:
            return 0.0
        beyond = self.between - self.residual / len(self.means)
        return max(beyond, self.between / (self.instances - 1)) / self.instances


@dataclass(frozen=True, eq=False)
class TwoAlgorithms:
    """The difference of two algorithms on the topics of both, and its mean squares."""

    first: OneAlgorithm
    second: OneAlgorithm

    @classmethod
    def of(cls, first: Floats, second: Floats) -> TwoAlgorithms:
        """From the values[instance, topic] of each, on the same topics; topics that one has no value on are left out.

        >>> both = TwoAlgorithms.of(np.array([[0.1, 0.5, 0.6], [0.3, 0.5, 0.7]]), np.array([[0.1, 0.4, 0.8]]))
        >>> round(both.difference, 4), both.topics, [round(one, 4) for one in both.variance]
        (0.0167, 3, [0.0069, 0.0025, 0.0])
        """
        both = topics_of_both(first, second)
        return cls(*(OneAlgorithm.of(scored_on(values, both)) for values in (first, second)))

    def with_factor(self, factor: float) -> TwoAlgorithms:
        """The same with the scores of the second multiplied."""
        return self if factor == 1 else replace(self, second=self.second.with_factor(factor))

    @property
    def topics(self) -> int:
        """T: how many topics both have."""
        return len(self.first.means)

    @property
    def difference(self) -> float:
        """The mean over topics of the difference of the means of instances."""
        return float((self.first.means - self.second.means).mean())

    @property
    def over_topics(self) -> float:
        """MS_D: the variance over topics of the difference of the means of instances."""
        return float((self.first.means - self.second.means).var(ddof=1))

    @property
    def variance(self) -> tuple[float, float, float]:
        """The parts of the variance of the difference: of topics, and of the instances of each."""
        return self.over_topics / self.topics, self.first.instance_part, self.second.instance_part

    @property
    def df(self) -> tuple[float, float, float]:
        """The degrees of freedom of the parts; those of topics for a part that is 0 as there is one instance."""
        of_topics = self.topics - 1
        return of_topics, self.first.instances - 1 or of_topics, self.second.instances - 1 or of_topics


def topics_of_both(first: Floats, second: Floats) -> Indices:
    """The places of the topics that both have values[instance, topic] on."""
    both = np.flatnonzero(np.isfinite(first).any(axis=0) & np.isfinite(second).any(axis=0))
    if len(both) < 2:
        raise DesignError(f"the two have scores on {len(both)} of the same topics; at least 2 are needed")
    return both


def scored_on(values: Floats, topics: Indices) -> Floats:
    """The values on some topics, of the instances that have any there."""
    own = values[:, topics]
    return own[np.isfinite(own).any(axis=1)]


def completed(values: Floats) -> Floats:
    """Values with the missing ones as fitted by least squares to topic and instance."""
    is_finite = np.isfinite(values)
    if is_finite.all():
        return values
    instance = _instance_effects(values, is_finite)
    topic = np.where(is_finite, values - instance[:, None], 0.0).sum(axis=0) / is_finite.sum(axis=0)
    return np.where(is_finite, values, topic + instance[:, None])


def _instance_effects(values: Floats, given: Bools) -> Floats:
    """The effects of instances by the normal equations, those of topics eliminated."""
    known, counts = np.where(given, values, 0.0), given.astype(float)  # instance, topic
    by_topic = counts / counts.sum(axis=0)
    equations = np.diag(counts.sum(axis=1)) - counts @ by_topic.T
    if np.linalg.matrix_rank(equations) < len(values) - 1:
        raise DesignError(
            "some instances of an algorithm have no topic in common with the others, not even through a third: what "
            "is of instances and what of topics cannot be separated; score them on the same topics"
        )
    effects = np.linalg.lstsq(equations, known.sum(axis=1) - by_topic @ known.sum(axis=0), rcond=None)[0]
    return np.asarray(effects)
