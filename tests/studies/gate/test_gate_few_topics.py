"""A gate on few topics, and on differences that do not vary."""

from __future__ import annotations

import numpy as np
import pytest

from irgauge import load_scores
from irgauge.studies.gate.study import Gated, gate


def gated(*candidates: np.ndarray, margin: float | str, topics: int = 2) -> Gated:
    old = np.linspace(0.2, 0.5, topics)
    names = [f"new {run}" for run in range(len(candidates))]
    values = np.column_stack([old, *(old + each for each in candidates)])
    return gate(load_scores(values, systems=["old", *names], measure="AP"), "old", names, "AP", margin=margin)


@pytest.mark.parametrize("margin", [0.01, "1%"])
@pytest.mark.parametrize("runs", [1, 2])
def test_differences_that_do_not_vary_cannot_pass(runs: int, margin: float | str) -> None:
    result = gated(*[np.full(2, 0.1)] * runs, margin=margin)
    assert (result.verdict, result.each[0].p, result.needed) == ("undecided", 1.0, None)
    assert np.isinf([result.each[0].low, result.each[0].margin_low]).all()
    assert result.findings().of("constant-difference")


def test_few_topics_are_said_to_be_few() -> None:
    few = gated(np.array([0.1, 0.11, 0.12]), margin=0.05, topics=3)
    assert (few.verdict, len(few.findings().of("few-topics"))) == ("pass", 1)
    assert not gated(np.linspace(0.1, 0.12, 25), margin=0.05, topics=25).findings().of("few-topics")
