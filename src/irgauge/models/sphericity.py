"""Do the differences of all pairs of levels vary alike? How many degrees of freedom an F test keeps if they do not."""

from __future__ import annotations

import numpy as np

from irgauge.arrays import Floats


def epsilon(covariance: Floats, df: float) -> float:
    """The share of their degrees of freedom that the two sides of an F test keep: 1 if all differences vary alike.

    ε̂ = tr(Σ)² / (k tr(Σ²)) of a covariance[level, level] of k + 1 levels without their mean, estimated with df degrees
    of freedom, and ε = ((df + 1) k ε̂ − 2) / (k (df − k ε̂)), from 1/k to 1. Huynh and Feldt (Journal of Educational
    Statistics 1976), as Lecoutre (1991) corrected it.

    >>> alike, unlike = np.eye(3) - 1 / 3, np.array([[0.5, -0.5, 0.0], [-0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])
    >>> epsilon(alike, 20), epsilon(unlike, 20)
    (1.0, 0.5)
    """
    k, largest = len(covariance) - 1, float(np.abs(covariance).max())
    if largest == 0:  # none varies
        return 1.0
    scaled = covariance / largest  # so that no square vanishes
    spread = float(np.trace(scaled)) ** 2 / float(np.square(scaled).sum())  # k ε̂
    if spread >= df:  # as with two replicates
        return 1.0
    return min(1.0, max(1 / k, ((df + 1) * spread - 2) / (k * (df - spread))))
