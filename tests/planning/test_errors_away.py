"""How many standard errors a goal must be away: against statsmodels, integrals, closed forms and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats
from statsmodels.stats.power import TTestPower

from irgauge.planning.power import critical, equivalence_power, for_difference, for_margin, freedom_of

FREEDOMS = [4, 9, 49, 499]
LEVELS = [0.05, 0.05 / 45]


@pytest.mark.parametrize("df", FREEDOMS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_a_difference_is_found_with_the_power_that_statsmodels_computes(df: int, level: float, power: float) -> None:
    found = float(for_difference(np.array([float(df)]), level=level, power=power)[0])
    effect = found / np.sqrt(df + 1)
    assert TTestPower().power(effect, df + 1, level / 2, alternative="larger") == pytest.approx(power, abs=1e-5)


@pytest.mark.parametrize("df", FREEDOMS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_power_of_equivalence_is_the_integral_over_what_the_error_may_be_estimated_as(
    df: int, level: float
) -> None:
    margin = float(for_margin(np.array([float(df)]), level=level, power=0.8)[0])
    t = stats.t.ppf(1 - level, df)

    def within(s: float) -> float:  # s: the estimated standard error over the true one
        chance = max(0.0, 2 * stats.norm.cdf(margin - t * s) - 1)
        return float(chance * stats.chi2.pdf(df * s**2, df) * 2 * df * s)

    assert integrate.quad(within, 0, margin / t, epsabs=1e-9)[0] == pytest.approx(0.8, abs=0.003)


def test_with_known_variances_equivalence_has_a_closed_form() -> None:
    found = for_margin(np.array([1e7]), level=0.05, power=0.8)[0]
    assert found == pytest.approx(stats.norm.ppf(0.95) + stats.norm.ppf(0.9), abs=1e-3)


@pytest.mark.parametrize(("topics", "ratio"), [(6, 4.0), (20, 2.8), (80, 2.6)])
def test_the_power_of_equivalence_is_that_of_experiments(topics: int, ratio: float) -> None:
    draws = 40_000
    d = np.random.default_rng(topics).normal(0, 1, (draws, topics))
    margin = ratio / np.sqrt(topics)
    half = stats.t.ppf(0.95, topics - 1) * d.std(axis=1, ddof=1) / np.sqrt(topics)
    shown = (np.abs(d.mean(axis=1)) + half < margin).mean()
    found = float(equivalence_power(np.array([ratio]), np.array([topics - 1.0]), level=0.05)[0])
    assert found == pytest.approx(shown, abs=4 * np.sqrt(0.25 / draws))


def test_many_degrees_of_freedom_are_interpolated_closely() -> None:
    df = np.linspace(3, 400, 50)
    for function in (for_difference, for_margin):
        together = function(df, level=0.05, power=0.8)
        alone = [function(np.array([one]), level=0.05, power=0.8)[0] for one in df]
        assert together == pytest.approx(alone, rel=2e-3)
    assert critical(df, level=0.05) == pytest.approx(stats.t.ppf(0.975, df), rel=1e-3)


def test_degrees_of_freedom_are_found_again() -> None:
    df = np.array([1.0, 2.5, 10.0, 300.0])
    assert freedom_of(stats.t.ppf(0.975, df), level=0.05) == pytest.approx(df, rel=0.01)


@pytest.mark.parametrize(("df", "level"), [(1.0, 1e-3), (1.0, 1e-7), (2.0, 1e-7), (1.0, 1e-20)])
def test_very_small_levels_on_few_topics_are_found_quickly(df: float, level: float) -> None:
    """So far away the difference hardly matters beside its error: the quantile of their ratio, by integration."""
    found = float(for_difference(np.array([df]), level=level, power=0.8)[0])
    t = -stats.t.ppf(level / 2, df)
    spreads = np.sqrt(stats.chi2.ppf((np.arange(20_000) + 0.5) / 20_000, df) / df)
    assert stats.norm.cdf(found - t * spreads).mean() == pytest.approx(0.8, abs=0.001)
