"""Discriminative power against Sakai's algorithms, draw by draw and pair by pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from irgauge.errors import DesignError
from irgauge.inference.discriminative import paired_bootstrap, randomised_hsd

DRAWS, ALPHA = 99, 0.1
NAMES = ("a", "b", "c", "d")


def values(seed: int, topics: int = 12) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.random((topics, 4)).round(3) + np.array([0.0, 0.15, 0.2, 0.4]))


def student(z: NDArray[np.float64]) -> float:
    return float(z.mean() / (z.std(ddof=1) / np.sqrt(len(z))))


def sakai(y: NDArray[np.float64], seed: int) -> tuple[dict[frozenset[int], float], float]:
    """ASL of each pair, and the largest |w̄*| at the draw whose t the pair must exceed (Sakai 2006, Figures 1 and 5)."""
    counts = np.random.default_rng(seed).multinomial(len(y), np.full(len(y), 1 / len(y)), size=DRAWS)
    asl, needed = {}, []
    for i, j in combinations(range(4), 2):
        z = y[:, i] - y[:, j]
        w = z - z.mean()
        drawn = [np.repeat(w, count) for count in counts]
        t = [abs(student(sample)) for sample in drawn]
        asl[frozenset((i, j))] = sum(one >= abs(student(z)) for one in t) / DRAWS
        place = int(np.argsort(t)[::-1][int(np.ceil(ALPHA * DRAWS)) - 1])
        needed.append(abs(float(drawn[place].mean())))
    return asl, max(needed)


def test_paired_bootstrap_is_that_of_sakai() -> None:
    for seed in range(5):
        y = values(seed)
        found = paired_bootstrap(y, NAMES, draws=DRAWS, seed=seed, alpha=ALPHA)
        asl, needed = sakai(y, seed)
        family = found.pairs
        named = [frozenset(map(NAMES.index, (family.systems[u], family.systems[v])))
                 for u, v in zip(family.first, family.second, strict=True)]  # fmt: skip
        expected = np.array([asl[pair] for pair in named])
        np.testing.assert_allclose(found.p * (DRAWS + 1) - 1, expected * DRAWS, atol=1e-6)
        assert found.found.tolist() == (expected < ALPHA).tolist()
        assert found.needed == pytest.approx(needed)


def test_randomised_tukey_finds_the_pairs_that_differ_by_more_than_is_needed() -> None:
    for seed in range(5):
        found = randomised_hsd(values(seed), NAMES, draws=199, seed=seed, alpha=ALPHA)
        far = np.abs(found.pairs.difference)
        assert (far[found.found] > found.needed).all()
        assert (far[~found.found] <= found.needed).all()


def test_equal_systems_are_told_apart_at_the_level() -> None:
    rng = np.random.default_rng(4)
    shares = [
        paired_bootstrap(rng.normal(size=(40, 2)), ("a", "b"), draws=199, seed=trial).found.mean()
        for trial in range(400)
    ]
    assert 0.02 < np.mean(shares) < 0.09  # 5 % ± four standard errors


def test_pairs_that_do_not_vary_have_no_evidence() -> None:
    y = np.random.default_rng(1).integers(0, 5, (8, 1)) + np.array([[0.0, 0.25, 1.0]])
    found = paired_bootstrap(y, ("a", "b", "c"), draws=99, seed=0)
    assert found.p.tolist() == [1, 1, 1]
    assert np.isnan(found.needed)


def test_too_few_draws_are_refused() -> None:
    with pytest.raises(DesignError, match="at least 19 can"):
        paired_bootstrap(values(0), NAMES, draws=5, seed=0)
