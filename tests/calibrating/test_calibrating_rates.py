"""Rates of errors over experiments, their intervals and verdicts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irgauge.calibrating.trials import in_all, rate, verdict_of


@given(st.integers(0, 60), st.integers(1, 60))
def test_intervals_of_experiments_that_err_or_not_are_exact(errors: int, rest: int) -> None:
    found = rate(np.repeat([1.0, 0.0], [errors, rest]))
    exact = stats.binomtest(errors, errors + rest).proportion_ci(0.95, "exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    assert found.trials == errors + rest
    assert found.observed == pytest.approx(errors / (errors + rest))


def test_intervals_of_shares_are_the_mean_and_its_error() -> None:
    shares = np.random.default_rng(1).beta(1, 19, 400)
    found = rate(shares)
    assert found.error == pytest.approx(stats.sem(shares))
    assert (found.low, found.high) == pytest.approx(
        stats.norm.interval(0.95, loc=shares.mean(), scale=stats.sem(shares))
    )


@pytest.mark.parametrize(
    ("errors", "trials", "said"),
    [
        (50, 1000, "keeps its promise"),
        (62, 1000, "unclear"),  # not surely too many, nor surely as promised
        (140, 2000, "unclear"),
        (105, 2000, "keeps its promise"),
        (100, 1000, "liberal"),
        (10, 1000, "conservative"),
        (4, 40, "unclear"),
    ],
)
def test_a_verdict_needs_more_than_chance(errors: int, trials: int, said: str) -> None:
    found = np.repeat([1.0, 0.0], [errors, trials - errors])
    assert verdict_of(found, 0.05) == said
    low, high = stats.binomtest(errors, trials).proportion_ci(0.997, "exact")
    assert (said == "liberal") == (low > 0.055)
    assert (said == "conservative") == (high < 0.045)
    assert (said == "keeps its promise") <= (high < 0.075)


def test_precise_rates_just_above_nominal_keep_their_promise() -> None:
    shares = np.full(2000, 0.052) + np.tile([-0.001, 0.001], 1000)
    assert verdict_of(shares, 0.05) == "keeps its promise"
    assert verdict_of(shares + 0.01, 0.05) == "liberal"


def test_one_broken_world_breaks_the_promise() -> None:
    assert in_all(["conservative", "conservative"]) == "conservative"
    assert in_all(["conservative", "unclear", "keeps its promise"]) == "unclear"
    assert in_all(["unclear", "liberal"]) == "liberal"
