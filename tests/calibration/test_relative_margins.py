"""How often does a candidate pass that is worse by a share of the baseline's true mean, which is not known either?"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.rates import assert_at_most
from irgauge import load_scores
from irgauge.inference.instance_tests import Claiming, Pair
from irgauge.inference.instance_tests import tested_by_squares as by_squares
from irgauge.inference.margins import Margin
from irgauge.models.mixed.squares import TwoAlgorithms
from irgauge.replicates.given import ScoreTable
from irgauge.replicates.measured import Measuring
from irgauge.scoring.scores import Scores
from irgauge.studies.compare.study import compare
from irgauge.studies.gate.criteria import wanted
from irgauge.studies.gate.evidence import by_topics
from irgauge.studies.suite.study import suite

Floats = NDArray[np.float64]
TRIALS, ALPHA, SHARE = 250, 0.05, 0.1
PASSES = ("better", "equivalent", "not worse")
SHAPES = {"even": (4.0, 6.0), "skewed": (0.8, 3.2)}  # of beta: means 0.4 and 0.2


def sides(rng: np.random.Generator, shape: str, topics: int, spread: float, own: float) -> Floats:
    """values[topic, side]: baseline, and a candidate that is worse by the share of its true mean."""
    a, b = SHAPES[shape]
    baseline = rng.beta(a, b, topics)
    loss = SHARE * (own * baseline + (1 - own) * a / (a + b))  # constant, or a share of each score
    return np.column_stack([baseline, baseline - loss + spread * rng.normal(size=topics)])


def verdict(values: Floats) -> str:
    """Of a gate."""
    criteria = wanted([f"AP:{SHARE:.0%}"], None)
    names = tuple(map(str, range(len(values))))
    scores = Scores(values[None, :, :, None], (criteria[0].measure,), names, ("old", "new"), ("1",))
    return by_topics(ScoreTable(scores).measured(Measuring(scores.measures)), "old", criteria, ALPHA).each[0].verdict


@pytest.mark.parametrize("topics", [10, 25, 50])
@pytest.mark.parametrize("spread", [0.003, 0.1])
@pytest.mark.parametrize(("shape", "own"), [("even", 0.0), ("skewed", 0.0), ("even", 1.0)])
def test_a_gate_seldom_passes_a_candidate_that_is_worse_by_the_share(
    shape: str, own: float, spread: float, topics: int
) -> None:
    rng = np.random.default_rng(1954)
    passed = [verdict(sides(rng, shape, topics, spread, own)) in PASSES for _ in range(TRIALS)]
    assert_at_most(sum(passed), TRIALS, ALPHA)


def test_runs_of_a_candidate_that_is_worse_by_the_share_seldom_pass() -> None:
    rng, passed = np.random.default_rng(5), 0
    for _ in range(TRIALS):
        old, new = sides(rng, "even", 25, 0.003, 0.0).T
        runs = [side + 0.002 * rng.normal(size=(3, 1)) + 0.01 * rng.normal(size=(3, 25)) for side in (new, old)]
        mean = float(runs[1].mean())
        claiming = Claiming(SHARE * mean, ALPHA, "none", factors=Margin.parse("10%").factors(mean))
        pair = Pair("new", "old")
        tests = by_squares({pair: TwoAlgorithms.of(*runs)}, "nested", 2, claiming).tests
        passed += tests.verdicts[0] in PASSES
    assert_at_most(passed, TRIALS, ALPHA)


def test_compare_and_suite_judge_a_share_as_the_gate_does() -> None:
    rng, passed = np.random.default_rng(3), 0
    for _ in range(60):
        values = sides(rng, "even", 25, 0.003, 0.0)
        table = load_scores(values, systems=["old", "new"], measure="AP")
        compared = compare(table, baseline="old", margin="10%").each[0].verdicts["topics"]
        over = suite({"a": table, "b": table}, baseline="old", margin="10%")
        assert compared.verdicts[0] == over.on[0].claims.verdicts.verdicts[0] == verdict(values)
        assert compared.low is not None
        assert (compared.verdicts[0] in PASSES) == (compared.low[0] > -(compared.margin or 0))
        passed += compared.verdicts[0] in PASSES
    assert_at_most(passed, 60, ALPHA)


def test_a_share_of_a_mean_below_0_is_on_the_right_side() -> None:
    rng = np.random.default_rng(8)
    old = -2 + 0.1 * rng.normal(size=40)
    new = old - 0.1 + 0.01 * rng.normal(size=40)
    table = load_scores(np.column_stack([old, new]), systems=["old", "new"])
    assert compare(table, baseline="old", margin="10%").each[0].verdicts["topics"].verdicts == ("equivalent",)
    assert compare(table, baseline="old", margin="2%").each[0].verdicts["topics"].verdicts == ("worse",)
