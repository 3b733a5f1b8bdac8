"""Logistic regression with effects of groups, shrunken as much as the groups are alike, and draws of its coefficients.

logit P(y = 1) = x'β + z'b_g, with b_g ~ N(0, Σ) of each group g, and β ~ N(0, 2.5²) of standardised columns. The mode
is found by Newton's steps, Σ beside them by the EM step with the curvature at the mode (Laplace's approximation), which
is also the precision of the draws. The matrix is an arrow: groups do not meet but through β.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from irgauge.compute.arrays import Floats, Ints

_PRECISION = 0.16  # of β before anything is seen: 1 / 2.5²
_LEAST_VARIANCE = 1e-4  # of effects of groups
_LARGEST_STEP = 2.0  # of a coefficient, on the scale of logits
_CLOSE = 1e-5  # steps of coefficients
_STILL = 1e-3  # changes of the spread, as a part of it
_STEPS = 100


@dataclass(frozen=True, eq=False)
class Cases:
    """What is fitted, or predicted."""

    columns: Floats  # case, coefficient
    of_groups: Floats  # case, effect of its group
    groups: Ints  # case

    def only(self, kept: Ints) -> Cases:
        """Some of the cases."""
        return Cases(self.columns[kept], self.of_groups[kept], self.groups[kept])

    def logits(self, coefficients: Floats, effects: Floats) -> Floats:
        """x'β + z'b of each case."""
        return np.asarray(
            self.columns @ coefficients + np.einsum("ij,ij->i", self.of_groups, effects[self.groups]), np.float64
        )


@dataclass(frozen=True, eq=False)
class GroupedLogistic:
    """A fit: where the coefficients and effects are most likely, and how sure that is."""

    coefficients: Floats  # coefficient
    effects: Floats  # group, effect
    spread: Floats  # effect, effect: Σ
    factor: Floats  # coefficient, coefficient: R'R is the precision of coefficients
    roots: Floats  # group, effect, effect: roots of the variance of effects, given the coefficients
    slopes: Floats  # group, effect, coefficient: how effects fall where coefficients rise

    def drawn(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Coefficients and effects as they may be."""
        moved = np.linalg.solve(self.factor, rng.standard_normal(len(self.coefficients)))
        noise = np.einsum("gij,gj->gi", self.roots, rng.standard_normal(self.effects.shape))
        return self.coefficients + moved, self.effects - self.slopes @ moved + noise


@dataclass(frozen=True, eq=False)
class _Curvature:
    """The arrow of second derivatives at some coefficients, with the step that it asks for."""

    whole: Floats  # coefficient, coefficient: of coefficients, effects following
    inverses: Floats  # group, effect, effect
    slopes: Floats  # group, effect, coefficient
    step: Floats  # coefficient
    step_of_groups: Floats  # group, effect


def fit_grouped(cases: Cases, outcomes: Floats, weights: Floats, groups: int) -> GroupedLogistic:
    """Fit outcomes, 0 or 1, each with its weight; a group without cases has the effects that groups have on average."""
    coefficients, effects = np.zeros(cases.columns.shape[1]), np.zeros((groups, cases.of_groups.shape[1]))
    spread = np.eye(effects.shape[1])
    for _ in range(_STEPS):
        curvature = _curvature(cases, (outcomes, weights), (coefficients, effects), spread)
        largest = max(np.abs(curvature.step).max(), np.abs(curvature.step_of_groups).max())
        length = min(1.0, _LARGEST_STEP / max(largest, np.finfo(float).tiny))
        coefficients, effects = coefficients + length * curvature.step, effects + length * curvature.step_of_groups
        before, spread = spread, _spread(effects, curvature)
        if largest < _CLOSE and np.abs(spread - before).max() < _STILL * spread.max():
            break
    factor = np.asarray(np.linalg.cholesky(curvature.whole).T, np.float64)
    roots = np.asarray(np.linalg.cholesky(curvature.inverses), np.float64)
    return GroupedLogistic(coefficients, effects, spread, factor, roots, curvature.slopes)


def _curvature(cases: Cases, observed: tuple[Floats, Floats], at: tuple[Floats, Floats], spread: Floats) -> _Curvature:
    (outcomes, weights), (coefficients, effects) = observed, at
    x, z, precision = cases.columns, cases.of_groups, np.linalg.inv(spread)
    chances = expit(cases.logits(coefficients, effects))
    residuals, bends = weights * (outcomes - chances), weights * chances * (1 - chances)
    corner = (x * bends[:, None]).T @ x + _PRECISION * np.eye(x.shape[1])
    blocks = _by_group(cases, len(effects), bends, z) + precision  # group, effect, effect
    sides = _by_group(cases, len(effects), bends, x)  # group, effect, coefficient
    pull = x.T @ residuals - _PRECISION * coefficients
    of_groups = _by_group(cases, len(effects), residuals, np.ones((len(x), 1)))[:, :, 0] - effects @ precision
    inverses = np.linalg.inv(blocks)
    slopes = inverses @ sides
    whole = corner - np.einsum("gip,giq->pq", sides, slopes)
    step = np.linalg.solve(whole, pull - np.einsum("gip,gi->p", slopes, of_groups))
    return _Curvature(whole, inverses, slopes, step, np.einsum("gij,gj->gi", inverses, of_groups) - slopes @ step)


def _by_group(cases: Cases, groups: int, weights: Floats, columns: Floats) -> Floats:
    """Σ weight z column' over the cases of each group; group, effect, column."""
    z = cases.of_groups
    sums = [
        np.bincount(cases.groups, weights * z[:, i] * columns[:, j], groups)
        for i in range(z.shape[1])
        for j in range(columns.shape[1])
    ]
    return np.stack(sums, axis=1).reshape(groups, z.shape[1], columns.shape[1]).astype(np.float64)


def _spread(effects: Floats, curvature: _Curvature) -> Floats:
    """The mean square of effects, with their own uncertainty."""
    through = np.linalg.solve(curvature.whole, curvature.slopes.transpose(0, 2, 1))  # group, coefficient, effect
    variances = curvature.inverses + curvature.slopes @ through
    squares = effects.T @ effects + variances.sum(axis=0)
    return np.asarray(squares / len(effects) + _LEAST_VARIANCE * np.eye(effects.shape[1]))
