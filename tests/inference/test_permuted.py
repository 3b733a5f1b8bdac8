"""The randomised Tukey test against its draws, one by one."""

from __future__ import annotations

import numpy as np

from irgauge.inference import multiplicity
from irgauge.inference.permuted import randomised_tukey
from oracles.pairs_given import NAMES, VALUES, tukey_of


def test_randomised_tukey_has_the_p_values_of_all_pairs_and_the_least_significant_difference() -> None:
    comparison = randomised_tukey(VALUES, NAMES, draws=999, seed=5)
    order = [NAMES.index(system) for system in comparison.systems]
    ranges = multiplicity.permuted_ranges(VALUES[:, order], 999, 5)
    means = VALUES[:, order].mean(axis=0)
    reached = (ranges >= np.abs(means[:, None] - means)[..., None] - 1e-12).sum(axis=2)
    np.testing.assert_array_equal(comparison.p_matrix, (1 + reached) / 1000)
    np.testing.assert_allclose(comparison.difference - comparison.low, np.sort(ranges)[-50])
    np.testing.assert_allclose(comparison.effect, tukey_of(VALUES, NAMES).effect)
