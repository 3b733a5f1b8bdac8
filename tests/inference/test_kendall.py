"""Kendall's τ against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import stats

from irgauge.inference.orders import kendall_tau


@st.composite
def rankings(draw: st.DrawFn) -> NDArray[np.float64]:
    """Two rows of numbers with ties."""
    numbers = st.integers(-3, 3).map(float) | st.floats(-1e6, 1e6)
    return draw(arrays.arrays(np.float64, (2, draw(st.integers(2, 20))), elements=numbers))


@given(rows=rankings())
@settings(deadline=None)
def test_tau_is_that_of_scipy(rows: NDArray[np.float64]) -> None:
    x, y = rows
    if len(set(x.tolist())) == 1 or len(set(y.tolist())) == 1:
        assert math.isnan(kendall_tau(x, y))
    else:
        assert kendall_tau(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_tau_of_an_order_with_itself_and_with_its_reverse() -> None:
    x = np.array([0.3, 0.1, 0.2, 0.9])
    assert kendall_tau(x, 2 * x + 1) == 1
    assert kendall_tau(x, -x) == -1
