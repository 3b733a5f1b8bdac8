"""Intervals of ranks against their definition."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge.errors import DesignError
from irgauge.inference.orders import rank_intervals
from irgauge.inference.tests.paired_t import paired_t
from oracles import slow_stratified

NAMES = [f"s{i}" for i in range(7)]


@pytest.mark.parametrize("seed", range(5))
def test_ranks_by_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(20, 7)) + rng.normal(0, 1, 7)
    found = paired_t(values, NAMES, correction="holm")
    better = {pair for pair, differs in zip(found.names, found.significant, strict=True) if differs}
    low, high = rank_intervals(found)
    ours = {system: (int(low[i]), int(high[i])) for i, system in enumerate(found.systems)}
    assert ours == slow_stratified.ranks(better, found.systems)
    assert 0 < len(better) < 21
    assert all(ours[system][0] <= rank <= ours[system][1] for rank, system in enumerate(found.systems, 1))


def test_the_ranks_of_equal_systems_are_open_and_of_distant_ones_known() -> None:
    same = np.tile(np.linspace(0, 1, 6)[:, None], (1, 3))
    assert [one.tolist() for one in rank_intervals(paired_t(same, NAMES[:3]))] == [[1, 1, 1], [3, 3, 3]]
    apart = same + np.array([2.0, 1.0, 0.0]) + np.random.default_rng(1).normal(0, 0.01, same.shape)
    assert [one.tolist() for one in rank_intervals(paired_t(apart, NAMES[:3]))] == [[1, 2, 3], [1, 2, 3]]


def test_a_baseline_has_no_ranks() -> None:
    found = paired_t(np.random.default_rng(1).random((9, 7)), NAMES, baseline="s1")
    with pytest.raises(DesignError, match="ranks need all pairs of systems; the pairs are 6 pairs with baseline s1"):
        rank_intervals(found)
