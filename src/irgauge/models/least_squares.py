"""Models of topics, systems and shards where some topics have no scores on some shards, by least squares.

A topic without relevant documents in a shard has no score there for any system, so that all systems are scored in the
same cells. What concerns systems is then orthogonal to what they have in common: y = c + z, with c[topic, shard] the
mean over systems. Both are fitted for themselves, c to the terms without systems, z to those with. Effects of a factor
sum to 0 over its levels, each of which counts alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irgauge.compute.arrays import Bools, Floats, Indices
from irgauge.errors import DesignError
from irgauge.models.anova import Fit, Model
from irgauge.models.anova import fit as balanced

_ROUNDING = 1e-9  # of leverages


class Cells(NamedTuple):
    """What the cells of topics and shards are to the effects of systems; 0 where there are no scores."""

    weight: Floats  # topic, shard: a system's effect is the sum of weight × (its score − the mean over systems)
    freedom: Floats  # topic, shard: 1 less the leverage, the degrees of freedom that a cell leaves


@dataclass(frozen=True, eq=False)
class UnbalancedFit:
    """A model fitted to values[topic, system, shard] that are undefined for all systems in some cells."""

    model: Model
    values: Floats  # topic, system, shard: NaN where undefined

    def __post_init__(self) -> None:
        lacking = np.isnan(self.values)
        if not (lacking.all(axis=1) | ~lacking.any(axis=1)).all():
            raise DesignError("some systems lack a score where others have one; such scores cannot be left out")
        if not self.is_scored.any(axis=1).all():
            raise DesignError("a topic has no score at all; leave it out")
        if float(np.square(self._flat(self.residuals())).sum()) <= self.noise:
            raise DesignError(f"{self.model} explains the values completely: no residual is left to test against")

    @property
    def shape(self) -> tuple[int, ...]:
        """Topics, systems and shards."""
        return self.values.shape

    @cached_property
    def is_scored(self) -> Bools:
        """Which cells have scores; topic, shard."""
        return np.asarray(~np.isnan(self.values[:, 0]))

    @property
    def noise(self) -> float:
        """A sum of squares up to this is rounding."""
        y = self._flat(self.values)
        return y.size * float(32 * np.finfo(np.float64).eps * np.abs(y).max()) ** 2

    @property
    def mean(self) -> float:
        """Of all scores, with topics and shards that count alike."""
        return float(self._common.coefficients[0, 0])

    def effects(self, term: str) -> Floats:
        """The effects of systems, of topics, or of systems on topics (topic:system)."""
        if term not in self.model.terms:
            raise DesignError(f"{self.model} has no term '{term}'; its terms are {', '.join(self.model.terms)}")
        if term == "system":
            return self._own.coefficients[0].copy()
        of_topics = {"topic": self._common, "topic:system": self._own}[term].of_topics(len(self.values))
        return of_topics[:, 0] if term == "topic" else of_topics

    def residuals(self) -> Floats:
        """What the model leaves; topic, system, shard, NaN where undefined."""
        left = np.full_like(self.values, np.nan)
        left.transpose(0, 2, 1)[self.is_scored] = self._common.residuals + self._own.residuals
        return left

    @property
    def cells(self) -> Cells:
        """What each cell is to the effects of systems."""
        weight, freedom = np.zeros((2, *self.is_scored.shape))
        weight[self.is_scored], freedom[self.is_scored] = self._own.weights, 1 - self._own.leverages
        return Cells(weight, np.where(freedom < _ROUNDING, 0.0, freedom))

    @cached_property
    def _common(self) -> _Regression:
        """Of what systems have in common; topic:shard leaves nothing of it."""
        terms = self.model.terms
        means = self._flat(self.values).mean(axis=1, keepdims=True)  # cell, 1
        fitted = _Regression.of(self.is_scored, means, has_topics="topic" in terms, has_shards="shard" in terms)
        return fitted._replace(residuals=np.zeros_like(means)) if "topic:shard" in terms else fitted

    @cached_property
    def _own(self) -> _Regression:
        """Of each system's deviations from the mean of all."""
        y, terms = self._flat(self.values), self.model.terms
        z = y - y.mean(axis=1, keepdims=True)  # cell, system
        return _Regression.of(self.is_scored, z, has_topics="topic:system" in terms, has_shards="system:shard" in terms)

    def _flat(self, values: Floats) -> Floats:
        """The cells that have scores; cell, system."""
        return values.transpose(0, 2, 1)[self.is_scored]


class _Regression(NamedTuple):
    """Values[cell, column] regressed on a constant and, if asked for, on topics and shards."""

    coefficients: Floats  # the constant, topics but for the last, shards but for the last; column
    residuals: Floats  # cell, column
    weights: Floats  # cell: of the constant
    leverages: Floats  # cell
    has_topics: bool

    @classmethod
    def of(cls, is_scored: Bools, values: Floats, *, has_topics: bool, has_shards: bool) -> _Regression:
        topics, shards = np.nonzero(is_scored)  # of each cell
        x = np.hstack(
            [
                np.ones((len(topics), 1)),
                *([_contrasts(topics, is_scored.shape[0])] if has_topics else []),
                *([_contrasts(shards, is_scored.shape[1])] if has_shards else []),
            ]
        )  # cell, coefficient
        if np.linalg.matrix_rank(x) < x.shape[1]:
            raise DesignError(
                "topics and parts are too sparse to be told apart: some parts have no topic in common with others; use "
                "fewer parts, or another model"
            )
        solver = np.linalg.pinv(x)
        coefficients = solver @ values
        return cls(coefficients, values - x @ coefficients, solver[0], np.einsum("ij,ji->i", x, solver), has_topics)

    def of_topics(self, count: int) -> Floats:
        """The effects of topics; topic, column."""
        first = self.coefficients[1:count]
        return np.vstack([first, -first.sum(axis=0, keepdims=True)])


def _contrasts(levels: Indices, count: int) -> Floats:
    """Columns of a factor whose effects sum to 0: the last level is −1 in all of them."""
    return np.vstack([np.eye(count - 1), np.full((1, count - 1), -1.0)])[levels]


def fitted(values: Floats, model: str) -> Fit | UnbalancedFit:
    """The model of values[topic, system, shard]: in closed form where they have no gaps, else by least squares."""
    return UnbalancedFit(Model.parse(model), values) if np.isnan(values).any() else balanced(values, model)


def cells_of(fit: Fit | UnbalancedFit) -> Cells:
    """What each cell is to the effects of systems: all alike in a balanced design.

    >>> from irgauge.models.anova import fit
    >>> cells_of(fit(np.random.default_rng(1).random((5, 3, 2)), "MD3")).freedom[0].tolist()
    [0.5, 0.5]
    """
    if isinstance(fit, UnbalancedFit):
        return fit.cells
    topics, _, shards = fit.shape
    of_all = 1 / (topics * shards)
    leverage = of_all
    leverage += (1 / shards - of_all) * ("topic:system" in fit.model.terms)
    leverage += (1 / topics - of_all) * ("system:shard" in fit.model.terms)
    return Cells(np.full((topics, shards), of_all), np.full((topics, shards), 1 - leverage))
