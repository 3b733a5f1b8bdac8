"""How often does a gate of many looks claim something false at any of them? Looked at after every topic."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.looks import WORLDS, PairWorld, false_claims
from calibration.rates import assert_at_most

TRIALS, TOPICS = 300, 250


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
def test_few_claims_are_false_at_any_look(world: PairWorld) -> None:
    for rate in false_claims(world, np.random.default_rng(2024), (TOPICS, TRIALS)):
        assert_at_most(round(rate * TRIALS), TRIALS)
