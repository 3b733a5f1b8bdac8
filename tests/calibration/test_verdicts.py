"""Verdicts against a baseline: how often is any of them false, where the truth is known, and is the hardest one?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from calibration.false_verdicts import FALSE, FAR, MARGIN
from calibration.rates import assert_about, assert_at_least, assert_at_most
from calibration.worlds import MEAN, Floats, TopicWorld, bounded, near_copies, normal, skewed, unequal_spread
from irgauge.inference.comparison import Comparison
from irgauge.inference.families import corrected_together, level_of
from irgauge.inference.hierarchy import Members
from irgauge.inference.tests.flips import max_t
from irgauge.inference.tests.paired_t import paired_t
from irgauge.inference.verdicts import Verdict, by_margin, by_test, detectable

TRIALS, ALPHA = 500, 0.05
Truth = tuple[float, ...]  # system: its true mean above that of the first, the baseline
Test = Callable[[Floats, float], Comparison]  # values[topic, system], α


def mixed(systems: int) -> Truth:
    """Equal to the baseline, worse by exactly the margin, better by exactly the margin, in turn."""
    return (0.0, *((0.0, -MARGIN, MARGIN)[system % 3] for system in range(systems - 1)))


def half_far(systems: int) -> Truth:
    """Half of the systems are equal to the baseline; the rest are far better, so that Holm's steps grow large."""
    return (0.0, *(FAR * (system % 2) for system in range(systems - 1)))


def by_t(values: Floats, alpha: float, correction: str = "holm") -> Comparison:
    names = [str(system) for system in range(values.shape[1])]
    return paired_t(values, names, alpha=alpha, correction=correction, baseline="0")


def each_pair_by_itself(values: Floats, alpha: float) -> Comparison:
    return by_t(values, alpha, "none")


def differences(found: Comparison, truth: Truth) -> Floats:
    """The true difference of each pair."""
    return np.array([truth[int(first)] - truth[int(second)] for first, second in found.names])


def any_false(verdicts: Sequence[Verdict], true: Floats) -> bool:
    return any(FALSE[verdict](d) for verdict, d in zip(verdicts, true.tolist(), strict=True))


class Rates(NamedTuple):
    """Of all trials, in how many..."""

    covered: int  # all intervals hold the truth
    by_margin: int  # any verdict is false
    by_test: int  # any verdict without a margin is false


@cache
def rates(world: TopicWorld, topics: int, truth: Truth, test: Test = by_t) -> Rates:
    rng = np.random.default_rng(2015)
    counts = np.zeros(3, int)
    for _ in range(TRIALS):
        values = world(rng, topics, len(truth)) + np.array(truth)
        found, wide = test(values, ALPHA), test(values, 2 * ALPHA)
        true, none = differences(found, truth), np.zeros(len(truth) - 1, bool)
        covered = ((found.low <= true) & (true <= found.high)).all()
        verdicts = (by_margin(found, wide, MARGIN, none), by_test(found, none))
        counts += [covered, *(any_false(one.verdicts, true) for one in verdicts)]
    return Rates(*counts.tolist())


PLAIN = [
    *((world, 50, truth) for world in (normal, unequal_spread) for truth in (mixed(6), mixed(20))),
    *((normal, 50, (0.0, one)) for one in (0.0, -MARGIN, MARGIN)),
    (normal, 25, mixed(6)),
    (unequal_spread, 25, mixed(6)),
    (unequal_spread, 50, (0.0, -MARGIN)),
    (bounded, 50, mixed(6)),
]
_IDS = [f"{world.__name__}-{topics}-{len(truth)}-{truth[-1]:+g}" for world, topics, truth in PLAIN]
plain = pytest.mark.parametrize(("world", "topics", "truth"), PLAIN, ids=_IDS)


@plain
def test_any_verdict_against_a_margin_is_false_as_often_as_alpha_says(
    world: TopicWorld, topics: int, truth: Truth
) -> None:
    assert_at_most(rates(world, topics, truth).by_margin, TRIALS)


@plain
def test_intervals_hold_all_true_differences_from_the_baseline(world: TopicWorld, topics: int, truth: Truth) -> None:
    assert_at_least(rates(world, topics, truth).covered, TRIALS)


@pytest.mark.parametrize("world", [normal, unequal_spread, bounded])
def test_without_a_margin_any_verdict_is_false_as_often_as_alpha_says(world: TopicWorld) -> None:
    """Where most of what can be found is found, and Holm's correction spends all of α on the rest."""
    assert_at_most(rates(world, 50, half_far(6)).by_test, TRIALS)


def test_the_levels_are_not_needlessly_strict() -> None:
    for truth in ((0.0, 0.0), (0.0, -MARGIN), (0.0, MARGIN)):
        assert_about(rates(normal, 50, truth).by_margin, TRIALS, ALPHA)


def test_where_differences_are_skewed_verdicts_err_more_often() -> None:
    """Claims against a margin are one-sided, and rest on one tail of the differences."""
    assert_at_most(rates(skewed, 50, mixed(6)).by_margin, TRIALS, 0.1)
    assert_at_most(rates(skewed, 50, (0.0, -MARGIN)).by_margin, TRIALS, 0.1)


def by_max_t(values: Floats, alpha: float) -> Comparison:  # noqa: ARG001  # its interval of all pairs is that of margins
    names = [str(system) for system in range(values.shape[1])]
    return max_t(values, names, draws=199, seed=1, alpha=ALPHA, baseline="0")


def test_max_t_is_as_sure_of_margins_where_systems_differ_alike_on_every_topic() -> None:
    assert_at_most(rates(near_copies, 25, (0.0, *[-MARGIN] * 5), by_max_t).by_margin, TRIALS)


@pytest.mark.parametrize("systems", [6, 20])
def test_each_pair_by_itself_errs_too_often(systems: int) -> None:
    """So these checks can fail."""
    found = rates(normal, 50, mixed(systems), each_pair_by_itself)
    for errors in (found.by_margin, TRIALS - found.covered):
        with pytest.raises(AssertionError, match="trials err"):
            assert_at_most(errors, TRIALS)


# several measures


def correlated(rng: np.random.Generator, truth: Truth, measures: int = 3) -> list[Floats]:
    """values[topic, system] by each measure: what systems do on topics is shared in part."""
    shape = (50, len(truth))
    shared = unequal_spread(rng, *shape) - MEAN
    return [MEAN + 0.8 * shared + 0.6 * (normal(rng, *shape) - MEAN) + np.array(truth) for _ in range(measures)]


@cache
def false_by_any_measure(*, together: bool) -> tuple[int, int]:
    """In how many trials any verdict by any of three measures is false: against a margin, and without one."""
    rng, counts, truth = np.random.default_rng(3), np.zeros(2, int), mixed(6)
    for _ in range(TRIALS):
        drawn = correlated(rng, truth)
        found, wide = (_tested(drawn, alpha, together=together) for alpha in (ALPHA, 2 * ALPHA))
        pairs = list(zip(found, wide, [differences(one, truth) for one in found], strict=True))
        none = np.zeros(len(truth) - 1, bool)
        counts += [
            any(any_false(by_margin(one, other, MARGIN, none).verdicts, true) for one, other, true in pairs),
            any(any_false(by_test(one, none).verdicts, true) for one, _, true in pairs),
        ]
    return int(counts[0]), int(counts[1])


def _tested(drawn: Sequence[Floats], alpha: float, *, together: bool) -> Sequence[Comparison]:
    if not together:
        return [by_t(values, alpha) for values in drawn]
    family = Members("primary", tuple(range(len(drawn))))
    return corrected_together([by_t(values, level_of(alpha, family, "holm")) for values in drawn], alpha, family)


def test_any_verdict_by_any_measure_is_false_as_often_as_alpha_says_if_they_are_one_family() -> None:
    for errors in false_by_any_measure(together=True):
        assert_at_most(errors, TRIALS)


def test_measures_that_are_not_corrected_together_err_more_often_together() -> None:
    with pytest.raises(AssertionError, match="trials err"):
        assert_at_most(false_by_any_measure(together=False)[0], TRIALS)


# what can be found


@pytest.mark.parametrize("topics", [25, 50])
def test_a_difference_that_can_be_found_is_found_four_times_in_five(topics: int) -> None:
    rng = np.random.default_rng(8)
    drawn = [normal(rng, topics, 2) for _ in range(TRIALS)]
    one = by_t(drawn[0], ALPHA)
    true = detectable(one)[0] / one.se[0] * 0.1 * math.sqrt(2 / topics)  # of the true standard error
    moved = (by_t(values + np.array([0, true]), ALPHA) for values in drawn)
    found = sum(by_test(one, np.zeros(1, bool)).verdicts == ("better",) for one in moved)
    assert_about(found, TRIALS, 0.8)
