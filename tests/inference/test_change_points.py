"""Change points: against splits tried one by one with scipy, and with all signs that topics can have."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from benchmarks.change_points import WORLDS, line, rates
from scipy.stats import ttest_1samp

from irgauge.inference import change_points as module
from irgauge.inference.change_points import change_points


def slow_largest(part: np.ndarray) -> float:
    """The largest |t| over splits and windows, one by one."""
    times, largest = len(part), 0.0
    windows = [(0, end) for end in range(1, times)]
    windows += [(a, a + size) for size in (1, 2, 4, 8, 16) for a in range(1, times) if a + size < times]
    for start, end in windows:
        inside = np.zeros(times, bool)
        inside[start:end] = True
        contrast = part[inside].mean(axis=0) - part[~inside].mean(axis=0)
        largest = max(largest, abs(float(ttest_1samp(contrast, 0).statistic)))
    return largest


def test_p_is_the_share_of_all_signs_that_reach_the_largest_t() -> None:
    rng = np.random.default_rng(2)
    part = rng.normal(0.02, 0.05, (7, 6))
    part[4:] += 0.05
    signs = np.array(list(product([-1.0, 1.0], repeat=6)))
    own = slow_largest(part)
    reached = sum(slow_largest(part * flips) >= own - 1e-9 for flips in signs)
    assert module._p(part, signs) == pytest.approx((1 + reached) / (1 + len(signs)))  # the test of a part


def test_what_comes_and_goes_is_two_changes_with_their_sizes() -> None:
    rng = np.random.default_rng(3)
    series = rng.normal(0, 0.02, (24, 40))
    series[9:15] -= 0.05
    first, second = change_points(series, 0.05)
    assert [(first.place, first.first, first.last), (second.place, second.first, second.last)] == [
        (9, 9, 9),
        (15, 15, 15),
    ]
    assert first.difference == pytest.approx(float(series[9:15].mean() - series[:9].mean()))
    assert first.low < -0.05 < first.high < 0 < second.low < 0.05 < second.high
    assert first.topics == pytest.approx(series[9:15].mean(axis=0) - series[:9].mean(axis=0))


@pytest.mark.parametrize("series", [np.zeros((5, 9)), np.full((1, 9), 0.3), np.tile(np.arange(9.0) / 9, (6, 1))])
def test_what_never_changes_has_no_change(series: np.ndarray) -> None:
    assert change_points(series, 0.05) == ()


def test_the_last_entry_alone_can_be_a_change() -> None:
    series = line(WORLDS[0], (29, 30), 0.2, np.random.default_rng(1))
    assert [change.place for change in change_points(series, 0.05)] == [29]


def test_few_changes_are_said_without_one_and_intervals_hold_those_that_are_there() -> None:
    row = rates(WORLDS[1], 0.04, trials=25)
    assert row.false <= 0.12
    assert row.too_many <= 0.12
    assert row.found >= 0.5
    assert row.misplaced <= 0.12
