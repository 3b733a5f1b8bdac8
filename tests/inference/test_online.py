"""Levels of tests under one budget, against the papers' formulas written out and numbers that R's onlineFDR prints."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.inference.online import Alarms, FalseShare, Spent, budget_of, gamma, lord_level

# LORD(sample.df, random = FALSE) in the documentation of R's onlineFDR: p-values, and the levels that it prints
P = (
    *(2.90e-08, 0.06743, 0.01514, 0.08174, 0.00171, 3.60e-05, 0.79149, 0.27201, 0.28295, 7.59e-08),
    *(0.69274, 0.30443, 0.00136, 0.72342, 0.54757),
)
LEVELS = (
    *(0.0002675839, 0.0024664457, 0.0005732818, 0.0004872805, 0.0004059066, 0.0003447286, 0.0029745013),
    *(0.0008450114, 0.0007305648, 0.0006243143, 0.0032185913, 0.0010617227, 0.0009256825, 0.0008019657, 0.0007059610),
)
START = datetime(2026, 11, 1, tzinfo=UTC)


def test_lord_has_the_levels_of_onlinefdr() -> None:
    rejected: list[bool] = []
    for p, expected in zip(P, LEVELS, strict=True):
        level = lord_level(rejected, 0.05, w0=0.005)
        assert level == pytest.approx(expected, abs=6e-11)
        rejected.append(p <= level)


def slow_level(rejected: list[bool], alpha: float) -> float:
    """LORD++ as the paper writes it: w0 = α/2, sums over the times of rejections."""
    t, w0 = len(rejected) + 1, alpha / 2
    weights = {j: math.log(max(j, 2)) / (j * math.exp(math.sqrt(math.log(j)))) * 0.07720838 for j in range(1, t + 1)}
    times = [i + 1 for i in range(len(rejected)) if rejected[i]]
    total = w0 * weights[t]
    for number, tau in enumerate(times):
        total += (alpha - w0 if number == 0 else alpha) * weights[t - tau]
    return total


def test_lord_is_what_the_paper_writes_and_never_spends_more_than_it_has() -> None:
    rng = np.random.default_rng(3)
    rejected: list[bool] = []
    spent: list[Spent] = []
    for _ in range(60):
        assert lord_level(rejected) == pytest.approx(slow_level(rejected, 0.05), rel=1e-12)
        given = FalseShare(0.05).next(spent, START, most=1.0)
        assert given.level == lord_level(rejected)
        assert given.left > 0
        rejected.append(bool(rng.random() < 0.2))
        spent.append(Spent(START, given.level, rejected[-1]))
        estimate = sum(each.level for each in spent) / max(1, sum(rejected))
        assert estimate <= 0.05  # of the share of false rejections: what LORD++ keeps below α


def test_weights_add_up_to_less_than_one() -> None:
    j = np.arange(2, 2_000_000, dtype=float)
    first = gamma(1) + (0.07720838 * np.log(j) / (j * np.exp(np.sqrt(np.log(j))))).sum()
    v = math.sqrt(math.log(2_000_000 - 0.5))
    rest = 0.07720838 * 2 * math.exp(-v) * (v**3 + 3 * v**2 + 6 * v + 6)  # ∫ of the same, by v = √log j
    assert first + rest == pytest.approx(0.9763, abs=1e-4)


@pytest.mark.parametrize("gap", [timedelta(days=1), timedelta(hours=3), timedelta(days=9)])
def test_levels_in_a_period_add_up_to_its_budget_at_most(gap: timedelta) -> None:
    budget, spent, time = budget_of("1/month", 0.05), list[Spent](), START
    while time < datetime(2027, 3, 1, tzinfo=UTC):
        given = budget.next(spent, time, most=0.025)
        assert 0 < given.level <= 0.025
        spent.append(Spent(time, given.level, is_rejected=False))
        time += gap
    months = {(each.time.year, each.time.month) for each in spent}
    sums = [sum(each.level for each in spent if (each.time.year, each.time.month) == month) for month in months]
    assert len(sums) == 4
    assert all(total <= 0.1 for total in sums)
    if gap == timedelta(days=1):
        assert min(sums) > 0.09  # nearly all of it is used
        steady = [each.level for each in spent if each.time.month == 12][5:]
        assert min(steady) == pytest.approx(0.1 / 31, rel=0.05)  # each night about the same


@pytest.mark.parametrize(
    ("period", "time", "until"),
    [
        ("day", "2026-12-31T23:59:59+00:00", "2027-01-01"),
        ("week", "2026-12-31T00:00:00+00:00", "2027-01-04"),  # a Thursday
        ("month", "2028-02-29T12:00:00+00:00", "2028-03-01"),
        ("quarter", "2026-11-18T00:00:00+00:00", "2027-01-01"),
        ("year", "2026-01-01T00:00:00+00:00", "2027-01-01"),
    ],
)
def test_a_period_ends_when_the_calendar_says(period: str, time: str, until: str) -> None:
    budget = budget_of(f"2/{period}", 0.05)
    now = datetime.fromisoformat(time)
    assert isinstance(budget, Alarms)
    assert budget.total == pytest.approx(0.15)
    assert budget.next([], now, most=1.0).until == until
    before = Spent(datetime.fromisoformat(f"{until}T00:00:00+00:00"), 0.1, is_rejected=True)  # in the next one
    assert budget.next([before], now, most=1.0) == budget.next([], now, most=1.0)


@pytest.mark.parametrize("text", ["", "FDR", "1", "0/month", "1/fortnight", "-1/week", "1.5/week", "²/week", "1/day "])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(DesignError, match=r"cannot be read; it is fdr, or a number of false alarms"):
        budget_of(text, 0.05)
