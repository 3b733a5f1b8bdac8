from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import studentized_range

from irgauge.errors import DesignError
from irgauge.inference.pairwise import tukey
from irgauge.models.anova import fit
from irgauge.studies.compare.needed import MOST, POWER, power_of, separate_top_group, topics_needed

DRAWS = 4000


def rejected(difference: float, variance: float, systems: int, topics: int) -> float:
    """How often Tukey's test finds the first system better than the second, in simulated experiments."""
    rng = np.random.default_rng(3)
    values = rng.normal(0, np.sqrt(variance), (DRAWS, topics, systems)) + rng.normal(0, 0.2, (DRAWS, topics, 1))
    values[..., 0] += difference
    residuals = values - values.mean(axis=1, keepdims=True) - values.mean(axis=2, keepdims=True)
    residuals += values.mean(axis=(1, 2), keepdims=True)
    df = (systems - 1) * (topics - 1)
    ms = np.square(residuals).sum(axis=(1, 2)) / df
    means = values.mean(axis=1)
    critical = studentized_range.ppf(0.95, systems, df)
    return float((means[:, 0] - means[:, 1] > critical * np.sqrt(ms / topics)).mean())


@pytest.mark.parametrize(("systems", "difference", "variance"), [(2, 0.05, 0.01), (5, 0.06, 0.01), (12, 0.2, 0.02)])
def test_the_power_on_the_topics_needed_is_that_of_simulated_experiments(
    systems: int, difference: float, variance: float
) -> None:
    needed = topics_needed(difference, variance, systems)
    assert needed is not None
    error = 3.5 * np.sqrt(POWER * (1 - POWER) / DRAWS)
    expected = power_of(difference, variance, systems, needed)
    assert rejected(difference, variance, systems, needed) == pytest.approx(expected, abs=error)
    assert power_of(difference, variance, systems, needed - 1) < POWER <= expected


def test_a_difference_of_nothing_or_next_to_nothing_cannot_be_shown() -> None:
    assert topics_needed(0.0, 0.01, 3) is None
    assert topics_needed(1e-6, 0.01, 3) is None


def test_more_systems_smaller_differences_and_more_power_need_more_topics() -> None:
    few, many = topics_needed(0.05, 0.01, 3), topics_needed(0.05, 0.01, 100)
    near, sure = topics_needed(0.03, 0.01, 3), topics_needed(0.05, 0.01, 3, power=0.95)
    assert few is not None
    for other in (many, near, sure):
        assert other is not None
        assert few < other < MOST


def experiment(shards: int) -> NDArray[np.float64]:
    """Scores of four systems, of which two are about as good."""
    rng = np.random.default_rng(1)
    systems = np.array([0.5, 0.49, 0.45, 0.1])[:, None]
    return systems + rng.normal(0, 0.05, (20, 4, 1)) + rng.normal(0, 0.02, (20, 4, shards))


@pytest.mark.parametrize("shards", [1, 3])
def test_the_top_group_is_separated_by_its_own_mean_square(shards: int) -> None:
    values = experiment(shards)
    fitted = fit(values, "MD1" if shards == 1 else "MD6")
    comparison = tukey(fitted, ("a", "b", "c", "d"), population="topics")
    found = separate_top_group(comparison)
    assert [pair.worse for pair in found.pairs] == list(comparison.top_group[1:])
    means = values.mean(axis=2)  # topic, system
    cells = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    variance = np.square(cells).sum() / (19 * 3)
    assert found.variance == pytest.approx(variance)
    for pair in found.pairs:
        assert pair.topics == topics_needed(pair.difference, float(variance), 4)
        assert pair.topics is None or pair.topics > 20


def test_only_a_comparison_that_covers_topics_says_how_many_are_needed() -> None:
    comparison = tukey(fit(experiment(3), "MD6"), ("a", "b", "c", "d"), population="documents")
    with pytest.raises(DesignError, match="population 'topics'"):
        separate_top_group(comparison)
