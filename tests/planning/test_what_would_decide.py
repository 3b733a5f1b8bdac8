"""How many new topics would show that a system is not worse: scipy's noncentral t, and simulated experiments."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.planning.deciding import Needed, by_differences, of_instances
from irgauge.planning.designs import variance_freedom

LEVEL, MARGIN = 0.05, 0.02


def power(margin: float, deviation: float, topics: int) -> float:
    critical = stats.t.ppf(1 - LEVEL, topics - 1)
    return float(stats.nct.sf(critical, topics - 1, margin * math.sqrt(topics) / deviation))


def slow_topics(d: NDArray[np.float64], margin: float) -> int:
    """The first number with a power of 80 % at a deviation that is exceeded in a tenth of what the data leave open."""
    df = variance_freedom(d)
    deviation = d.std(ddof=1) * math.sqrt(df / stats.chi2.ppf(0.1, df))
    return next(topics for topics in range(2, 10_000) if power(margin, deviation, topics) >= 0.8)


@pytest.mark.parametrize(("seed", "topics", "deviation"), [(1, 25, 0.1), (2, 50, 0.1), (3, 10, 0.03), (4, 100, 0.2)])
def test_from_the_margin_and_the_deviation_with_an_assurance(seed: int, topics: int, deviation: float) -> None:
    d = np.random.default_rng(seed).normal(0, deviation, topics)
    needed = by_differences(d, MARGIN, LEVEL)
    assert needed.claim == "not worse"
    assert needed.topics == pytest.approx(max(topics, slow_topics(d, MARGIN)), rel=0.01)


def test_what_was_observed_does_not_matter_but_for_its_spread() -> None:
    d = np.random.default_rng(3).normal(0, 0.1, 30)
    assert by_differences(d, MARGIN, LEVEL) == by_differences(d + 0.05, MARGIN, LEVEL)


def test_there_are_never_fewer_than_there_are_nor_more_than_can_be_had() -> None:
    d = np.random.default_rng(3).normal(0, 0.1, 50)
    assert by_differences(d, 0.9, LEVEL).topics == 50
    assert by_differences(1000 * d, 1e-4, LEVEL) == Needed(None)


@pytest.mark.parametrize("noise", ["standard_normal", "standard_exponential"])
def test_the_power_is_80_percent_in_at_least_80_percent_of_experiments(noise: str) -> None:
    """Whatever the true difference of the pilot is: of the margin alone, and of the true deviation."""
    rng, trials = np.random.default_rng(11), 400
    counts = [by_differences(getattr(rng, noise)(30) * 0.1, MARGIN, LEVEL).topics for _ in range(trials)]
    enough = [power(MARGIN, 0.1, topics) >= 0.8 for topics in counts if topics is not None]
    assert len(enough) == trials
    assert np.mean(enough) > 0.8 - 2 * math.sqrt(0.16 / trials)


def test_with_several_runs_topics_alone_may_not_be_enough() -> None:
    rng = np.random.default_rng(3)
    topic = rng.normal(0.4, 0.1, 25)
    first, second = (topic + rng.normal(0, 0.002, (m, 1)) + rng.normal(0, 0.05, (m, 25)) for m in (6, 5))
    squares = TwoAlgorithms.of(first, second)
    needed, strict = (of_instances(squares, margin, LEVEL).topics for margin in (0.06, 0.04))
    assert needed is not None
    assert strict is not None
    assert 25 <= needed < strict
    apart = TwoAlgorithms.of(first + np.linspace(-0.1, 0.1, 6)[:, None], second)
    assert of_instances(apart, 0.06, LEVEL).topics is None  # no topic makes runs differ less


@pytest.mark.parametrize("draw", ["standard_normal", "standard_exponential", "standard_cauchy"])
def test_a_variance_is_known_less_well_where_tails_are_heavy(draw: str) -> None:
    d = getattr(np.random.default_rng(5), draw)(30)
    excess = max(0.0, stats.kurtosis(d, bias=False), 1.5 * stats.skew(d, bias=False) ** 2)
    assert variance_freedom(d) == pytest.approx(2 / (2 / 29 + excess / 30))
    assert variance_freedom(d) <= 29
    assert variance_freedom(np.full(9, 0.3)) == 8
