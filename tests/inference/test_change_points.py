"""Change points: against splits tried one by one with scipy, in all orders that times can have."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from benchmarks.change_points import WORLDS, line, rates
from scipy.stats import ttest_ind

from irgauge.inference import change_points as module
from irgauge.inference.change_points import change_points
from irgauge.inference.tests.skewed_t import skewed_t


def slow_largest(means: np.ndarray) -> float:
    """The largest |t| of two samples over splits and windows, one by one."""
    times, largest = len(means), 0.0
    windows = [(0, end) for end in range(1, times)]
    windows += [(a, a + size) for size in (2, 4, 8, 16) for a in range(1, times) if a + size < times]
    for start, end in windows:
        inside = np.zeros(times, bool)
        inside[start:end] = True
        largest = max(largest, abs(float(ttest_ind(means[inside], means[~inside]).statistic)))
    return largest


def test_p_of_times_is_the_share_of_all_orders_that_reach_the_largest_t() -> None:
    means = np.random.default_rng(2).normal(0, 0.05, 5)
    means[3:] += 0.05
    orders = np.array(list(permutations(range(5))))
    own = slow_largest(means)
    reached = sum(slow_largest(means[order]) >= own - 1e-9 for order in orders)
    assert module._p_of_times(means, orders, module._windows(5)) == pytest.approx(
        (1 + reached) / (1 + len(orders))
    )  # one of both tests


def test_p_of_topics_is_that_of_the_guarded_t_of_the_clearest_contrast_times_their_number() -> None:
    contrasts = np.random.default_rng(5).normal(0.02, 0.05, (7, 20))
    contrasts[2] = 0.3  # the same on all topics is not tested
    of_each = [skewed_t(np.stack([row, 0 * row], axis=1), ["a", "b"]).p[0] for row in np.delete(contrasts, 2, axis=0)]
    assert module._p_of_topics(contrasts) == pytest.approx(min(1.0, 7 * min(of_each)))


@pytest.mark.parametrize("stays", ["for one entry", "for good"])
def test_what_is_skewed_is_no_change(stays: str) -> None:
    claimed = 0
    for trial in range(40):
        rng = np.random.default_rng(trial)
        series = np.where(rng.random((15, 50)) < 0.03, -0.6, rng.normal(0, 0.02, (15, 50))) + 0.018
        claimed += bool(change_points(np.cumsum(series, axis=0) if stays == "for good" else series, 0.05, seed=trial))
    assert claimed <= 5  # 2 are expected at most


def test_of_a_system_that_does_not_vary_by_itself_few_entries_are_enough() -> None:
    before, after = np.random.default_rng(4).normal(0, 0.02, (2, 30)) - [[0], [0.1]]
    (change,) = change_points(np.array([before] * 3 + [after]), 0.05)
    assert (change.place, change.first, change.last) == (3, 3, 3)


def test_what_comes_and_goes_is_two_changes_with_their_sizes() -> None:
    rng = np.random.default_rng(3)
    series = rng.normal(0, 0.02, (24, 40))
    series[9:15] -= 0.05
    first, second = change_points(series, 0.05)
    assert (first.place, second.place) == (9, 15)
    assert first.first <= 9 <= first.last < second.first <= 15 <= second.last
    assert first.difference == pytest.approx(float(series[9:15].mean() - series[:9].mean()))
    assert first.low < -0.05 < first.high < 0 < second.low < 0.05 < second.high
    assert first.topics == pytest.approx(series[9:15].mean(axis=0) - series[:9].mean(axis=0))


@pytest.mark.parametrize("series", [np.zeros((5, 9)), np.full((1, 9), 0.3), np.tile(np.arange(9.0) / 9, (6, 1))])
def test_what_never_changes_has_no_change(series: np.ndarray) -> None:
    assert change_points(series, 0.05) == ()


def test_the_last_two_entries_can_be_a_change_and_one_alone_may_be_an_odd_one() -> None:
    series = line(WORLDS[0], (28, 30), 0.2, np.random.default_rng(1))
    assert [change.place for change in change_points(series, 0.05)] == [28]
    assert change_points(series[:-1], 0.05) == ()


def test_few_changes_are_said_without_one_and_intervals_hold_those_that_are_there() -> None:
    row = rates(WORLDS[1], 0.04, trials=25)
    assert row.false <= 0.12
    assert row.too_many <= 0.12
    assert row.found >= 0.5
    assert row.misplaced <= 0.12
