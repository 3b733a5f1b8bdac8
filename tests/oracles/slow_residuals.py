"""Bootstrap ANOVA the long way: a residual for every cell, a new sample, a new fit.

Values are [topic, system, part]. Nothing of irgauge is used.
"""

from __future__ import annotations

import math

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


# the difference of two systems


def replicates_of(values: Floats, first: int, second: int, *, interactions: bool, topics_too: bool) -> list[Floats]:
    """What repeats the difference of two systems, stratum by stratum; where topics are drawn, they are what repeats."""
    d = values[:, first] - values[:, second]  # topic, part
    if topics_too:
        return [np.array([one.mean() for one in d])]
    return [np.array(one) for one in d] if interactions else [d.ravel()]


def spread_of(strata: list[Floats]) -> float:
    """The variance of the mean of the strata's means, from the variance in each stratum."""
    return sum(float(np.var(one, ddof=1)) / len(one) for one in strata) / len(strata) ** 2


def difference_error(values: Floats, first: int, second: int, *, interactions: bool, topics_too: bool) -> float:
    """The standard error of the difference: by its own spread, or by the mean of those of all pairs if it is larger."""
    systems = range(values.shape[1])
    every = {
        (a, b): spread_of(replicates_of(values, a, b, interactions=interactions, topics_too=topics_too))
        for a in systems
        for b in systems
        if a < b
    }
    own, mean = every[min(first, second), max(first, second)], float(np.mean(list(every.values())))
    return math.sqrt(max(own, mean))


def drawn_differences(values: Floats, first: int, second: int, draws: int, seed: int) -> Floats:
    """The difference of two systems where each part takes the residuals of all systems in some part of some topic.

    The residuals are scaled by √(N / df), as fitting a mean to each topic has made them smaller.
    """
    rng = np.random.default_rng(seed)
    topics, _, parts = values.shape
    fitted = values.mean(axis=2, keepdims=True)
    residuals = (values - fitted) * (parts / (parts - 1)) ** 0.5
    found = []
    for _ in range(draws):
        sample = np.empty_like(values)
        for topic in range(topics):
            for part in range(parts):
                drawn = residuals[rng.integers(topics), :, rng.integers(parts)]
                sample[topic, :, part] = fitted[topic, :, 0] + drawn
        found.append(sample[:, first].mean() - sample[:, second].mean())
    return np.array(found)
