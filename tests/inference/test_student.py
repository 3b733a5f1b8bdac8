"""Quantiles of t against scipy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irgauge.inference.mean_bounds import t_quantile


@given(st.floats(1e-6, 0.9), st.integers(1, 2000))
def test_quantiles_are_those_of_scipy(alpha: float, df: int) -> None:
    assert t_quantile(1 - alpha / 2, df) == pytest.approx(stats.t.ppf(1 - alpha / 2, df), rel=1e-9)


@pytest.mark.parametrize(("df", "printed"), [(1, 12.706), (2, 4.303), (10, 2.228), (49, 2.010), (120, 1.980)])
def test_quantiles_are_those_of_printed_tables(df: int, printed: float) -> None:
    assert round(t_quantile(0.975, df), 3) == printed
