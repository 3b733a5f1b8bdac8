"""For other topics: how often do tests of all pairs err where all systems are equally good, and intervals miss 0?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from calibration.rates import assert_about, assert_at_least, assert_at_most
from calibration.worlds import (
    Floats,
    Noise,
    Real,
    TopicWorld,
    bounded,
    gaussian,
    lopsided,
    rare_winner,
    skewed,
    unequal_spread,
)
from irgauge import Scores
from irgauge.inference.comparison import Comparison
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.tests.tukey import tukey
from irgauge.inference.tests.wilcoxon import wilcoxon
from irgauge.models.anova import fit
from irgauge.studies.compare.testing import spread

TRIALS, SYSTEMS = 500, 8
NAMES = [str(system) for system in range(SYSTEMS)]
SIZES = (10, 50)  # topics
Test = Callable[[Floats, int], Comparison]  # values[topic, system], number of the trial


def by_t(values: Floats, _: int) -> Comparison:
    return paired_t(values, NAMES, correction="holm")


def by_hochberg(values: Floats, _: int) -> Comparison:
    return paired_t(values, NAMES, correction="hochberg")


def by_yekutieli(values: Floats, _: int) -> Comparison:
    return paired_t(values, NAMES, correction="by")


def by_max_t(values: Floats, trial: int) -> Comparison:
    return max_t(values, NAMES, draws=499, seed=trial)


def by_tukey(values: Floats, _: int) -> Comparison:
    return tukey(fit(values[:, :, None], "MD1"), NAMES, population="topics")


class Rates(NamedTuple):
    errors: int  # trials in which some pair differs significantly
    covered: int  # trials in which all intervals hold 0


def drawn(world: TopicWorld, topics: int, trials: int = TRIALS) -> Iterator[tuple[int, Floats]]:
    rng = np.random.default_rng(2014)
    return ((trial, world(rng, topics, SYSTEMS)) for trial in range(trials))


@cache
def rates(test: Test, world: TopicWorld, topics: int) -> Rates:
    found = [test(values, trial) for trial, values in drawn(world, topics)]
    return Rates(
        sum(bool(one.significant.any()) for one in found),
        sum(bool(((one.low <= 0) & (one.high >= 0)).all()) for one in found),
    )


@pytest.fixture(scope="module")
def flipped(trec8_ap: Scores) -> TopicWorld:
    """TREC-8, its systems moved to one mean, with signs drawn for each topic."""
    return Real(trec8_ap.values[0][:, :, 0]).flipped


KEPT = [
    *((test, unequal_spread, topics) for test in (by_t, by_hochberg, by_max_t) for topics in SIZES),
    *((test, bounded, 50) for test in (by_t, by_hochberg, by_max_t)),
]


@pytest.mark.parametrize(("test", "world", "topics"), KEPT)
def test_any_pair_errs_as_often_as_alpha_says_whatever_the_spread(test: Test, world: TopicWorld, topics: int) -> None:
    assert_at_most(rates(test, world, topics).errors, TRIALS)


@pytest.mark.parametrize("topics", SIZES)
@pytest.mark.parametrize("test", [by_t, by_max_t])
def test_any_pair_of_trec8_errs_as_often_as_alpha_says(flipped: TopicWorld, test: Test, topics: int) -> None:
    assert_at_most(rates(test, flipped, topics).errors, TRIALS)


@pytest.mark.parametrize(("test", "world", "topics"), KEPT)
def test_intervals_hold_the_truth_together(test: Test, world: TopicWorld, topics: int) -> None:
    found = rates(test, world, topics)
    assert_at_least(found.covered, TRIALS)
    assert found.covered >= TRIALS - found.errors  # an interval without 0 is of a pair that differs


@pytest.mark.parametrize(("world", "topics"), [(unequal_spread, 10), (unequal_spread, 50), (bounded, 50)])
def test_equal_systems_are_seldom_discovered(world: TopicWorld, topics: int) -> None:
    assert_at_most(rates(by_yekutieli, world, topics).errors, TRIALS)  # where all are equal, every discovery is false


@pytest.mark.parametrize("topics", SIZES)
def test_max_t_is_not_needlessly_careful(topics: int) -> None:
    assert_about(rates(by_max_t, unequal_spread, topics).errors, TRIALS, 0.05)


def test_with_few_topics_and_skewed_differences_t_errs_a_little_more_often() -> None:
    """So the note below 25 topics."""
    assert_at_most(rates(by_t, bounded, 10).errors, TRIALS, 0.08)
    assert_at_most(rates(by_t, skewed, 10).errors, TRIALS, 0.08)


def test_max_t_errs_too_often_with_few_topics_and_skewed_differences() -> None:
    """So the caution."""
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(rates(by_max_t, rare_winner, 10).errors, TRIALS)


def is_found_unequal(values: Floats) -> bool:
    """What the check of equal spread says."""
    check = spread(fit(values[:, :, None], "MD1"), "topics")
    assert check is not None
    return check.p <= 0.05


@pytest.mark.parametrize("topics", SIZES)
def test_tukey_errs_too_often_where_systems_vary_unequally_and_the_check_says_so(topics: int) -> None:
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(rates(by_tukey, unequal_spread, topics).errors, TRIALS)
    assert sum(is_found_unequal(y) for _, y in drawn(unequal_spread, topics, 100)) > {10: 60, 50: 98}[topics]


@pytest.mark.parametrize("noise", [gaussian, lopsided])
@pytest.mark.parametrize("topics", SIZES)
def test_the_check_of_equal_spread_is_silent_where_systems_vary_alike(noise: Noise, topics: int) -> None:
    rng = np.random.default_rng(7)
    assert_at_most(sum(is_found_unequal(0.3 + 0.1 * noise(rng, (topics, SYSTEMS))) for _ in range(TRIALS)), TRIALS)


def test_wilcoxon_finds_equal_means_different_where_differences_are_skewed() -> None:
    """As a test of means it errs; so the caution. The t-test of the same pairs does not."""
    pairs = [y[:, [0, -1]] for _, y in drawn(skewed, 50)]
    by_ranks, by_means = (sum(bool(test(y, ["a", "b"]).significant[0]) for y in pairs) for test in (wilcoxon, paired_t))
    assert_at_most(by_means, TRIALS)
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(by_ranks, TRIALS, 0.1)


def test_a_steady_pair_is_found_by_t_and_missed_by_tukey() -> None:
    """Two systems that vary little and differ truly, among others that vary much."""

    def found(test: Test) -> int:
        return sum(("1", "0") in differing(test(moved(y), trial)) for trial, y in drawn(unequal_spread, 50, 100))

    def moved(values: Floats) -> Floats:
        return values + np.where(np.arange(SYSTEMS) == 1, 0.04, 0.0)

    assert min(found(by_t), found(by_max_t)) > found(by_tukey) + 30


def differing(one: Comparison) -> set[tuple[str, str]]:
    """The pairs that differ, the better system first."""
    return {pair for pair, is_found in zip(one.names, one.significant, strict=True) if is_found}
