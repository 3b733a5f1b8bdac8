"""What goes wrong with one instance? Paired t-tests of single instances, which contradict each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.pairwise import t_of_differences
from irgauge.instance_scores import InstanceScores

Floats = NDArray[np.float64]
LEVELS = (0.05, 0.1)


@dataclass(frozen=True)
class SingleTests:
    """The shares of all tests of one instance against one that say better, worse or nothing at a level."""

    first: str
    second: str
    alpha: float
    tests: int
    topics: int
    better: float
    worse: float

    @property
    def significant(self) -> float:
        """The share that finds a difference (Table 1)."""
        return self.better + self.worse

    @property
    def contradict(self) -> float:
        """The chance that two of the tests, drawn at random, do not say the same."""
        return 1 - self.better**2 - self.worse**2 - (1 - self.significant) ** 2


def single_tests(scores: InstanceScores, first: str, second: str, alpha: float) -> SingleTests:
    """Test every instance of one algorithm against every instance of another, on topics that both have scores on.

    Topics with a missing score in any instance of the two are left out. Jayasinghe et al. (SIGIR 2014), Table 1.
    """
    a, b = _complete(scores, first, second)
    better = worse = 0
    for one in a:
        differences = (one - b).T  # topic, instance
        t, p = t_of_differences(differences)
        better += int(((p <= alpha) & (t > 0)).sum())
        worse += int(((p <= alpha) & (t < 0)).sum())
    tests = len(a) * len(b)
    return SingleTests(first, second, alpha, tests, a.shape[1], better / tests, worse / tests)


def _complete(scores: InstanceScores, first: str, second: str) -> tuple[Floats, Floats]:
    """The cells (instance, topic) of two algorithms on topics without a missing score."""
    cells = scores.cells()
    a, b = (cells[scores.algorithm_of == scores.algorithms.index(name)] for name in (first, second))
    complete = np.isfinite(a).all(axis=0) & np.isfinite(b).all(axis=0)
    if complete.sum() < 2:
        raise DesignError(f"{complete.sum()} topics have all scores of '{first}' and '{second}'; at least 2 are needed")
    return a[:, complete], b[:, complete]
