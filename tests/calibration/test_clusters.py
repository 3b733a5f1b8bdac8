"""Topics in clusters and with weights: tests that know of them keep 5 %, and the plain t-test does not."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.calibration import sampled_instances
from benchmarks.calibration.sampling import (
    SIZES,
    Sampled,
    differs,
    holds,
    in_clusters,
    with_shares,
    with_weights,
)

from calibration.rates import assert_at_least, assert_at_most
from calibration.worlds import gaussian, lopsided
from irgauge.studies.sampling_findings import sampling_told

TRIALS = 400


def clusters(sizes: str, correlation: float) -> list[Sampled]:
    rng = np.random.default_rng(2026)
    return [in_clusters(gaussian, SIZES[sizes], correlation, rng) for _ in range(TRIALS)]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_clusters_are_told_of(sizes: str, correlation: float) -> None:
    drawn = clusters(sizes, correlation)
    assert_at_most(int(sum(differs("skewed-t")(sampled, 0) for sampled in drawn)), TRIALS)
    assert_at_least(int(sum(holds(sampled, 0) for sampled in drawn)), TRIALS)


@pytest.mark.parametrize("test", ["randomization", "bootstrap-t"])
def test_draws_of_clusters_keep_their_level(test: str) -> None:
    drawn = clusters("20 clusters of 5", 0.8)
    assert_at_most(int(sum(differs(test)(sampled, seed) for seed, sampled in enumerate(drawn))), TRIALS)


def test_topics_taken_one_by_one_are_wrong() -> None:
    errors = sum(differs("t", is_known=False)(sampled, 0) for sampled in clusters("20 clusters of 5", 0.8))
    assert errors > 0.3 * TRIALS


@pytest.mark.parametrize(("spread", "tilt"), [(0.5, 0.0), (1.5, 0.0), (1.0, 0.5), (1.5, 0.5)])
def test_weights_however_unequal(spread: float, tilt: float) -> None:
    rng = np.random.default_rng(7)
    for noise in (gaussian, lopsided):
        drawn = [with_weights(noise, 50, spread, tilt, rng) for _ in range(TRIALS)]
        assert_at_most(int(sum(differs("skewed-t")(sampled, 0) for sampled in drawn)), TRIALS)


def test_other_instances_on_other_clusters_and_in_the_traffic() -> None:
    rng = np.random.default_rng(11)
    drawn = [sampled_instances.in_clusters(gaussian, SIZES["20 clusters of 5"], 0.8, (5, 5), rng) for _ in range(120)]
    assert_at_most(int(sum(sampled_instances.differ(each, 0) for each in drawn)), 120)
    assert sum(sampled_instances.differ(each, 0, is_known=False) for each in drawn) > 0.1 * 120
    weighed = [sampled_instances.with_weights(lopsided, 50, 1.0, 0.5, (3, 1), rng) for _ in range(120)]
    assert_at_most(int(sum(sampled_instances.differ(each, 0) for each in weighed)), 120)


@pytest.mark.parametrize("strata", ["3 kinds of 20", "6 kinds of 3"])
def test_kinds_of_known_shares(strata: str) -> None:
    rng = np.random.default_rng(11)
    drawn = [with_shares(gaussian, strata, rng) for _ in range(TRIALS)]
    assert_at_most(int(sum(differs("skewed-t")(sampled, 0) for sampled in drawn)), TRIALS)
    assert_at_least(int(sum(holds(sampled, 0) for sampled in drawn)), TRIALS)
    assert sum(differs("t", is_known=False)(sampled, 0) for sampled in drawn) > 0.15 * TRIALS


@pytest.mark.parametrize("strata", ["kinds of 30, 10 and 4", "kinds of 2, 2 and 40"])
def test_few_topics_that_stand_for_a_large_share_are_warned_of(strata: str) -> None:
    """Where the page shows that tests err more often than they promise."""
    sampled = with_shares(gaussian, strata, np.random.default_rng(11))
    assert "few-decide" in [finding.kind for finding in sampling_told(sampled.sampling)]
