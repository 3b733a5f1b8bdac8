"""Variances of differences against numpy's of the differences themselves."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.inference.outcomes import pair_variances


def test_variances_are_those_of_the_differences() -> None:
    values = np.random.default_rng(1).random((20, 6)) * [1, 1, 1, 1, 1, 1e-6]
    found = pair_variances(values)
    for i, j in np.ndindex(6, 6):
        assert found[i, j] == pytest.approx((values[:, i] - values[:, j]).var(ddof=1), rel=1e-9, abs=1e-20)


def test_what_differs_by_rounding_alone_does_not_vary() -> None:
    values = np.random.default_rng(2).random((50, 1)) / 3
    assert pair_variances(np.hstack([values, values + 1e-17, values + 0.1]))[0].tolist() == [0, 0, 0]


def test_one_system_has_no_pair() -> None:
    assert pair_variances(np.random.default_rng(3).random((5, 1))).tolist() == [[0]]
