"""Several hypotheses of a pair, of which one at most is true, as one family: against closed testing by all subsets."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from irgauge.inference.corrections import CORRECTIONS, holm, holm_exclusive

Floats = NDArray[np.float64]


def closed(p: Floats) -> Floats:
    """The largest Bonferroni p over all sets of hypotheses that can be true together and have this one among them."""
    kinds, pairs = p.shape
    adjusted = np.zeros_like(p)
    for chosen in product(range(-1, kinds), repeat=pairs):  # of each pair one kind, or none, is true
        true = [(kind, pair) for pair, kind in enumerate(chosen) if kind >= 0]
        if true:
            whole = min(1.0, len(true) * min(p[one] for one in true))
            for one in true:
                adjusted[one] = max(adjusted[one], whole)
    return adjusted


@pytest.mark.parametrize("seed", range(8))
def test_steps_lie_between_closed_testing_and_holm_over_everything(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.random((3, 4)) ** rng.integers(1, 8)
    steps = holm_exclusive(p)
    assert (steps >= closed(p) - 1e-12).all()
    assert (steps <= holm(p) + 1e-12).all()


def test_all_kinds_are_one_family_with_every_correction() -> None:
    p = np.array([[0.001, 0.2, 0.04], [0.3, 0.01, 0.5]])
    assert CORRECTIONS["bonferroni"].adjusted_exclusive(p).tolist() == np.minimum(1, 3 * p).tolist()
    assert CORRECTIONS["none"].adjusted_exclusive(p).tolist() == p.tolist()
    flat = CORRECTIONS["bh"].adjusted(p.ravel())
    assert CORRECTIONS["bh"].adjusted_exclusive(p).ravel().tolist() == flat.tolist()


def test_equal_pairs_and_pairs_at_the_margin_err_together_at_most_in_alpha() -> None:
    """Where each kind has true hypotheses of its own, three families would err in up to three times α."""
    rng = np.random.default_rng(5)
    z = rng.normal(size=(4000, 3))  # of three pairs: 0, −δ and δ in truth, of which one kind each is true
    p = np.full((4000, 3, 3), 1e-12)  # all else is clear
    p[:, 0, 0] = 2 * norm.sf(np.abs(z[:, 0]))
    p[:, 1, 1], p[:, 2, 2] = norm.sf(z[:, 1]), norm.sf(z[:, 2])
    errs = [(holm_exclusive(one)[[0, 1, 2], [0, 1, 2]] <= 0.05).any() for one in p]
    apart = [any(one[k, k] <= 0.05 for k in range(3)) for one in p]  # Holm in each kind: the others are rejected
    assert np.mean(errs) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)
    assert np.mean(apart) > 0.12
