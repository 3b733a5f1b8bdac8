"""Bootstrap ANOVA the long way: a residual for every cell, a new sample, a new fit.

Values are [topic, system, part]. Nothing of irgauge is used.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def _deviations(levels: int) -> Floats:
    """The coding of a factor whose effects sum to 0: a column for each level but the last."""
    return np.vstack([np.eye(levels - 1), -np.ones(levels - 1)])


def design_matrix(shape: tuple[int, int, int], *, interactions: bool) -> Floats:
    """A row for each cell, and a column for each free parameter: mean, systems, topics and, if asked for, both."""
    topics, systems, parts = shape
    topic, system, _ = np.indices((topics, systems, parts)).reshape(3, -1)
    s, t = _deviations(systems)[system], _deviations(topics)[topic]  # cell, parameter
    both = np.einsum("ci,cj->cij", s, t).reshape(len(s), -1)
    return np.hstack([np.ones((len(s), 1)), s, t, *([both] if interactions else [])])


def least_squares(values: Floats, *, interactions: bool) -> tuple[Floats, Floats]:
    """The effects of systems, and the fitted values, by least squares."""
    matrix = design_matrix(values.shape, interactions=interactions)
    parameters = np.linalg.lstsq(matrix, values.ravel(), rcond=None)[0]
    free = parameters[1 : values.shape[1]]
    return np.append(free, -free.sum()), (matrix @ parameters).reshape(values.shape)


def means_of(values: Floats, *, interactions: bool) -> tuple[Floats, Floats]:
    """The effects of systems, and the fitted values, by the marginal means of the paper's equation 4."""
    mean = values.mean()
    s, t = values.mean(axis=(0, 2)) - mean, values.mean(axis=(1, 2)) - mean
    fitted = mean + s[None, :] + t[:, None]
    if interactions:
        fitted = fitted + (values.mean(axis=2) - s[None, :] - t[:, None] - mean)
    return s, np.broadcast_to(fitted[:, :, None], values.shape)


def bootstrap_effects(values: Floats, draws: int, seed: int, *, interactions: bool, topics_too: bool = False) -> Floats:
    """The effects of systems in every draw; draw, system."""
    rng = np.random.default_rng(seed)
    fitted = means_of(values, interactions=interactions)[1]
    residuals = (values - fitted).ravel()
    drawn = []
    for _ in range(draws):
        kept = rng.integers(len(values), size=len(values)) if topics_too else np.arange(len(values))
        sample = fitted[kept] + rng.choice(residuals, size=values.shape)
        drawn.append(means_of(sample, interactions=interactions)[0])
    return np.array(drawn)


def p_value(drawn: Floats, effects: Floats, first: int, second: int) -> float:
    """The share of the draws in which the worse of two systems reaches the effect of the better one."""
    better, worse = (first, second) if effects[first] >= effects[second] else (second, first)
    return sum(effect >= effects[better] for effect in drawn[:, worse]) / len(drawn)
