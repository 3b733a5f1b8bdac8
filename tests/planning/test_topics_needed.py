"""Topics needed against the power of simulated experiments, by the paired t-test and by Tukey's."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.registry import run_test
from irgauge.inference.tests.tukey import tukey
from irgauge.inference.verdicts import POWER
from irgauge.models.anova import fit
from irgauge.planning.deciding import separate_top_group
from irgauge.planning.designs import variance_freedom
from irgauge.planning.power import MOST, paired_critical, power_of, topics_needed, tukey_critical

DRAWS = 4000
NAMES = ("a", "b", "c", "d")


def found_by_tukey(difference: float, deviation: float, systems: int, topics: int) -> float:
    """How often Tukey's test finds the first system better than the second, in simulated experiments."""
    rng = np.random.default_rng(3)
    values = rng.normal(0, deviation / np.sqrt(2), (DRAWS, topics, systems)) + rng.normal(0, 0.2, (DRAWS, topics, 1))
    values[..., 0] += difference
    residuals = values - values.mean(axis=1, keepdims=True) - values.mean(axis=2, keepdims=True)
    residuals += values.mean(axis=(1, 2), keepdims=True)
    df = (systems - 1) * (topics - 1)
    ms = np.square(residuals).sum(axis=(1, 2)) / df
    means = values.mean(axis=1)
    critical = stats.studentized_range.ppf(0.95, systems, df)
    return float((means[:, 0] - means[:, 1] > critical * np.sqrt(ms / topics)).mean())


def found_by_t(difference: float, deviation: float, level: float, topics: int) -> float:
    """How often the paired t-test at a level finds the first system better, in simulated experiments."""
    d = np.random.default_rng(4).normal(difference, deviation, (DRAWS, topics))
    result = stats.ttest_1samp(d, 0, axis=1)
    return float(((result.pvalue <= level) & (result.statistic > 0)).mean())


@pytest.mark.parametrize(("systems", "difference", "deviation"), [(2, 0.05, 0.14), (5, 0.06, 0.14), (12, 0.2, 0.2)])
def test_the_power_of_tukeys_test_is_that_of_simulated_experiments(
    systems: int, difference: float, deviation: float
) -> None:
    critical = partial(tukey_critical, systems=systems)
    needed = topics_needed(difference, deviation, critical)
    assert needed is not None
    error = 3.5 * np.sqrt(POWER * (1 - POWER) / DRAWS)
    expected = power_of(difference, deviation, needed, critical)
    assert found_by_tukey(difference, deviation, systems, needed) == pytest.approx(expected, abs=error)
    assert power_of(difference, deviation, needed - 1, critical) < POWER <= expected


@pytest.mark.parametrize(
    ("pairs", "difference", "deviation", "power"),
    [(1, 0.05, 0.14, 0.8), (10, 0.06, 0.14, 0.8), (190, 0.1, 0.14, 0.8), (28, 0.5, 0.2, 0.9), (28, 0.02, 0.05, 0.5)],
)
def test_the_power_of_the_paired_t_test_is_that_of_simulated_experiments(
    pairs: int, difference: float, deviation: float, power: float
) -> None:
    critical = partial(paired_critical, level=0.05 / pairs)
    needed = topics_needed(difference, deviation, critical, power=power)
    assert needed is not None
    error = 3.5 * np.sqrt(power * (1 - power) / DRAWS)
    expected = power_of(difference, deviation, needed, critical)
    assert found_by_t(difference, deviation, 0.05 / pairs, needed) == pytest.approx(expected, abs=error)
    assert power_of(difference, deviation, needed - 1, critical) < power <= expected


def test_the_test_of_two_systems_is_the_same_by_both() -> None:
    for topics in (2, 5, 50, 1000):
        assert tukey_critical(topics, systems=2) == pytest.approx(paired_critical(topics, level=0.05), rel=1e-6)


def test_a_difference_of_nothing_or_next_to_nothing_cannot_be_shown() -> None:
    for critical in (partial(tukey_critical, systems=3), partial(paired_critical, level=0.01)):
        assert topics_needed(0.0, 0.14, critical) is None
        assert topics_needed(1e-6, 0.14, critical) is None


def test_more_systems_smaller_differences_and_more_power_need_more_topics() -> None:
    for few, many in (
        (partial(tukey_critical, systems=3), partial(tukey_critical, systems=100)),
        (partial(paired_critical, level=0.05), partial(paired_critical, level=0.05 / 4950)),
    ):
        least = topics_needed(0.05, 0.14, few)
        others = [
            topics_needed(0.05, 0.14, many),
            topics_needed(0.03, 0.14, few),
            topics_needed(0.05, 0.2, few),
            topics_needed(0.05, 0.14, few, power=0.95),
        ]
        assert least is not None
        for other in others:
            assert other is not None
            assert least < other < MOST


def experiment(shards: int) -> NDArray[np.float64]:
    """Scores of four systems, of which two are about as good."""
    rng = np.random.default_rng(1)
    systems = np.array([0.5, 0.49, 0.45, 0.1])[:, None]
    return systems + rng.normal(0, 0.05, (20, 4, 1)) + rng.normal(0, 0.02, (20, 4, shards))


@pytest.mark.parametrize("shards", [1, 3])
def test_by_tukey_the_top_group_is_separated_by_the_deviation_of_all_pairs(shards: int) -> None:
    values = experiment(shards)
    comparison = tukey(fit(values, "MD1" if shards == 1 else "MD6"), NAMES, population="topics")
    found = separate_top_group(comparison)
    assert found is not None
    assert (found.best, found.topics, found.systems, found.test) == (comparison.systems[0], 20, 4, "tukey")
    assert [pair.worse for pair in found.pairs] == list(comparison.top_group[1:])
    means = values.mean(axis=2)  # topic, system
    cells = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    deviation = float(np.sqrt(2 * np.square(cells).sum() / (19 * 3)))
    for pair in found.pairs:
        assert pair.deviation == pytest.approx(deviation)
        assert pair.topics == topics_needed(pair.difference, deviation, partial(tukey_critical, systems=4))
        assert pair.topics is None or pair.topics > 20


@pytest.mark.parametrize("test", ["t", "skewed-t"])
@pytest.mark.parametrize(("correction", "tests"), [("holm", 6), ("hochberg", 6), ("bonferroni", 6), ("none", 1)])
def test_by_t_the_top_group_is_separated_by_the_deviation_of_each_pair(test: str, correction: str, tests: int) -> None:
    values = experiment(1)[:, :, 0]
    comparison = run_test(test, values, NAMES, correction=correction)
    found = separate_top_group(comparison)
    assert found is not None
    assert (found.best, found.topics, found.systems, found.test) == (comparison.systems[0], 20, 4, test)
    assert [pair.worse for pair in found.pairs] == list(comparison.top_group[1:])
    for pair in found.pairs:
        better, worse = (values[:, NAMES.index(name)] for name in (pair.better, pair.worse))
        assert pair.deviation == pytest.approx(np.std(better - worse, ddof=1))
        critical = partial(paired_critical, level=0.05 / tests)
        assert pair.topics == topics_needed(pair.difference, pair.deviation, critical)


def test_equal_systems_cannot_be_separated() -> None:
    values = np.repeat(experiment(1)[:, :1, 0], 2, axis=1)
    found = separate_top_group(paired_t(values, ("a", "b")))
    assert found is not None
    assert [pair.topics for pair in found.pairs] == [None]


@pytest.mark.parametrize(
    "comparison",
    [
        paired_t(experiment(1)[:, :, 0], NAMES, correction="bh"),
        paired_t(experiment(1)[:, :, 0], NAMES, correction="by"),
        max_t(experiment(1)[:, :, 0], NAMES, draws=99, seed=1),
    ],
    ids=["bh", "by", "max-t"],
)
def test_a_test_whose_level_is_not_known_before_says_nothing_of_topics(comparison: Comparison) -> None:
    assert separate_top_group(comparison) is None


@pytest.mark.parametrize("draw", ["standard_normal", "standard_exponential", "standard_cauchy"])
def test_a_variance_is_known_less_well_where_tails_are_heavy(draw: str) -> None:
    d = getattr(np.random.default_rng(5), draw)(30)
    excess = max(0.0, stats.kurtosis(d, bias=False))
    assert variance_freedom(d) == pytest.approx(2 / (2 / 29 + excess / 30))
    assert variance_freedom(d) <= 29
    assert variance_freedom(np.full(9, 0.3)) == 8
