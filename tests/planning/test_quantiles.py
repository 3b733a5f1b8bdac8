from __future__ import annotations

import numpy as np
import pytest

from irgauge.planning.power import quantiles


@pytest.mark.parametrize("size", [1, 2, 3, 10, 4001])
def test_they_are_those_of_numpy(size: int) -> None:
    rng = np.random.default_rng(size)
    for values in (rng.random(size), rng.integers(0, 3, size) / 7, rng.lognormal(0, 9, size)):
        given = values.copy()
        for shares in ([0.8], [0.1, 0.9], [0.025, 0.5, 0.975], [0.0, 1.0], rng.random(5).tolist()):
            assert quantiles(values, shares) == np.quantile(values, shares).tolist()
        np.testing.assert_array_equal(values, given)
