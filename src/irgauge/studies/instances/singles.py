"""What goes wrong with one instance? Paired t-tests of single instances, which contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from irgauge.compute.arrays import Floats
from irgauge.errors import DesignError, check_alpha
from irgauge.inference.tests.paired_t import t_of_differences
from irgauge.replicates.instances import InstanceScores

LEVELS = (0.05, 0.1)


@dataclass(frozen=True)
class SingleTests:
    """The shares of all tests of one instance against one that say better, worse or nothing at a level."""

    first: str
    second: str
    alpha: float
    tests: int
    topics: int  # of the test that has the fewest
    better: float
    worse: float

    @property
    def significant(self) -> float:
        """The share that finds a difference (Table 1)."""
        return self.better + self.worse

    @property
    def contradict(self) -> float:
        """The chance that two of the tests, drawn at random with replacement, do not say the same."""
        return 1 - self.better**2 - self.worse**2 - (1 - self.significant) ** 2


def single_tests(scores: InstanceScores, first: str, second: str, alpha: float) -> SingleTests:
    """Test every instance of one algorithm against every instance of another, on the topics that both have scores on.

    Two instances with fewer than 2 such topics are not tested. Jayasinghe et al. (SIGIR 2014), Table 1.
    """
    check_alpha(alpha)
    cells = scores.cells()  # instance, topic
    a, b = (cells[scores.algorithm_of == scores.algorithms.index(name)] for name in (first, second))
    tests = _tests(a, b)
    if len(tests[0]) == 0:
        raise DesignError(f"no instances of '{first}' and '{second}' have scores on the same 2 topics; score more")
    return _counted(first, second, alpha, tests)


def _counted(first: str, second: str, alpha: float, tests: tuple[Floats, Floats, Floats]) -> SingleTests:
    t, p, topics = tests
    significant = p <= alpha
    better, worse = int((significant & (t > 0)).sum()), int((significant & (t < 0)).sum())
    return SingleTests(first, second, alpha, len(t), int(topics.min()), better / len(t), worse / len(t))


def single_tests_of(scores: InstanceScores, pairs: Iterable[Sequence[str]]) -> tuple[SingleTests, ...]:
    """The tests of some pairs of algorithms at the levels of Table 1; a pair that cannot be tested is left out."""
    cells = scores.cells()  # instance, topic
    tables = {name: cells[scores.algorithm_of == number] for number, name in enumerate(scores.algorithms)}
    counts = []
    for first, second in pairs:
        tests = _tests(tables[first], tables[second])
        if len(tests[0]):
            counts += [_counted(first, second, alpha, tests) for alpha in LEVELS]
    return tuple(counts)


def _tests(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats]:
    """t, p and the number of topics of the test of each instance of one algorithm and each of the other."""
    if np.isfinite(a).all() and np.isfinite(b).all():
        differences = np.moveaxis(a[:, None] - b, 2, 0).reshape(a.shape[1], -1)  # topic, test
        t, p = t_of_differences(differences)
        return t, p, np.full(len(t), float(a.shape[1]))
    each = [d[np.isfinite(d)] for instance in a for d in instance - b]
    statistics = [(*t_of_differences(d), float(len(d))) for d in each if len(d) > 1]
    t, p, topics = np.array(statistics, np.float64).reshape(-1, 3).T
    return t, p, topics
