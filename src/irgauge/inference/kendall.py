"""Kendall's τ: how well two orders of the same systems agree."""

from __future__ import annotations

import numpy as np

from irgauge.arrays import Floats


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
