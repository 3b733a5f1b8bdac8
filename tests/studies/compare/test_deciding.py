"""Which intervals claims against a margin rest on: one-sided at α for each pair, or at α for all pairs together."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge import compare
from irgauge.inference.verdicts import Verdicts
from irgauge.studies.compare.study import Compared
from oracles.compared_systems import simulated

OF_ALL = ("max-t", "dunnett", "tukey")  # tests of all pairs together


def asked(test: str, *, alpha: float = 0.05, systems: int = 4) -> Compared:
    runs = simulated(systems)
    return compare(runs, "AP", baseline=runs.systems[0], margin=0.05, test=test, alpha=alpha)  # type: ignore[arg-type]  # any text


def ends(verdict: Verdicts) -> list[list[float]]:
    assert verdict.low is not None
    assert verdict.high is not None
    return [verdict.low.tolist(), verdict.high.tolist()]


@pytest.mark.parametrize("test", OF_ALL)
def test_of_tests_of_all_pairs_they_are_those_shown(test: str) -> None:
    """At 2α, pairs on different sides of the margin would err in up to 2α of experiments: their errors add up."""
    found = asked(test)
    assert ends(found.first.verdict) == [found.comparison.low.tolist(), found.comparison.high.tolist()]


@pytest.mark.parametrize(("test", "systems"), [("t", 4), *((test, 2) for test in OF_ALL)])
def test_of_tests_of_each_pair_and_of_a_single_pair_they_are_those_at_twice_the_level(test: str, systems: int) -> None:
    found, wide = asked(test, systems=systems), asked(test, systems=systems, alpha=0.1).comparison
    np.testing.assert_allclose(ends(found.first.verdict), [wide.low, wide.high], rtol=1e-12)
    assert (found.comparison.low < wide.low).all()
