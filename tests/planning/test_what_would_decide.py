"""How many topics would decide, against scipy's noncentral t and a slow search."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.deciding import Needed, of_instances, of_runs

LEVEL = 0.05


def power(true: float, deviation: float, topics: int, quantile: float) -> float:
    return float(stats.nct.sf(stats.t.ppf(quantile, topics - 1), topics - 1, true * math.sqrt(topics) / deviation))


@pytest.mark.parametrize(
    ("difference", "claim"),
    [(0.02, "not worse"), (0.0, "not worse"), (-0.004, "not worse"), (-0.01, "worse"), (-0.02, "worse")],
)
def test_the_fewest_topics_with_a_power_of_80_percent(difference: float, claim: str) -> None:
    margin, deviation = 0.01, 0.1
    needed = of_runs(difference, deviation, margin, LEVEL)
    assert needed.topics is not None
    assert needed.claim == claim
    by = {"not worse": (difference + margin, 1 - LEVEL), "worse": (-difference, 1 - LEVEL / 2)}
    true, quantile = by[claim]
    assert power(true, deviation, needed.topics, quantile) >= 0.8 > power(true, deviation, needed.topics - 1, quantile)
    other, level = by["worse" if claim == "not worse" else "not worse"]
    assert power(other, deviation, needed.topics, level) < 0.8


def test_a_candidate_that_is_worse_by_exactly_the_margin_will_be_shown_to_be_worse() -> None:
    assert of_runs(-0.01, 0.1, 0.01, LEVEL) == of_runs(-0.01, 0.1, 0.001, LEVEL)
    assert of_runs(0.0, 100.0, 1e-4, LEVEL) == Needed("not worse", None)


def test_with_several_runs_it_is_the_first_number_of_topics_that_is_enough() -> None:
    rng = np.random.default_rng(3)
    topic = rng.normal(0.4, 0.1, 25)
    first = topic + rng.normal(0, 0.002, (6, 1)) + rng.normal(0, 0.05, (6, 25))
    second = topic + rng.normal(0, 0.002, (5, 1)) + rng.normal(0, 0.05, (5, 25))
    squares = TwoAlgorithms.of(first, second)
    margin = 0.06
    needed = of_instances(squares, margin, LEVEL)
    assert needed.topics == slow_topics(first, second, squares.difference + margin)
    assert needed.claim == "not worse"
    apart = TwoAlgorithms.of(first + np.linspace(-0.1, 0.1, 6)[:, None], second)
    assert of_instances(apart, margin, LEVEL).topics is None  # no topic makes runs differ less


def slow_topics(first: np.ndarray, second: np.ndarray, true: float) -> int:
    """Topic by topic, from the formulas alone."""

    def part(values: np.ndarray, topics: int) -> float:
        m, n = values.shape
        left = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
        residual = (left**2).sum() / ((m - 1) * (n - 1))
        own = max(values.mean(axis=1).var(ddof=1) - residual / n, 0)
        return float(max(own, (own + residual / topics) / (m - 1)) / m)

    over_topics = (first.mean(axis=0) - second.mean(axis=0)).var(ddof=1)
    for topics in range(2, 10_000):
        variances = np.array([over_topics / topics, part(first, topics), part(second, topics)])
        df = np.array([topics - 1, len(first) - 1, len(second) - 1])
        half = math.sqrt((stats.t.ppf(1 - LEVEL, df) ** 2 * variances).sum())
        if true >= half + stats.norm.ppf(0.8) * math.sqrt(variances.sum()):
            return topics
    return 10_000
