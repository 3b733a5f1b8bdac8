"""Plans for ratios: those of the logarithms, said as ratios."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import irgauge as ig
from irgauge.errors import DesignError, InputError


def _latencies() -> pl.DataFrame:
    rng = np.random.default_rng(4)
    old = np.exp(rng.normal(5, 0.8, 40))
    return pl.DataFrame(
        {"topic": [str(t) for t in range(40)], "old": old, "new": old * np.exp(rng.normal(0.05, 0.2, 40))}
    )


@pytest.mark.parametrize(("goal", "value"), [("difference", 1.05), ("width", 1.02), ("margin", 1.1), (None, None)])
def test_a_plan_for_ratios_is_one_for_logarithms(goal: str | None, value: float | None) -> None:
    table = _latencies()
    logs = table.with_columns(pl.col("old", "new").log())
    asked: dict[str, Any] = {} if goal is None else {goal: value}
    own: dict[str, Any] = {} if value is None or goal is None else {goal: math.log(value)}
    planned = ig.plan(table, "latency_ms:lower", scale="log", **asked)
    by_hand = ig.plan(logs, "logs:lower", **own)
    assert planned.goal.value == pytest.approx(by_hand.goal.value)
    assert planned.first.designs == by_hand.first.designs
    assert planned.first.now is not None
    assert by_hand.first.now is not None
    assert planned.first.now.difference == pytest.approx(by_hand.first.now.difference)


def test_sizes_are_said_as_ratios() -> None:
    planned = ig.plan(_latencies(), "latency_ms:lower", scale="log", difference=1.05)
    first = planned.findings()[0].text
    assert first.startswith("To find a true ratio of 1.05 in latency_ms with a power of 80 %")
    assert not any("ln(" in text for text in planned.findings().texts()[:3])
    goals = next(table for table in planned.tables() if table.name == "goals")
    assert 1.05 in [pytest.approx(cell) for cell in goals.column("value")]
    assert planned.first.now is not None
    now = next(table for table in planned.tables() if table.name == "now")
    assert now.column("difference")[0] == pytest.approx(math.exp(planned.first.now.difference))


def test_goals_that_are_no_ratios_and_scores_that_have_none_are_refused() -> None:
    with pytest.raises(DesignError, match=r"a ratio above 1, such as 1\.05; 0\.05 was given"):
        ig.plan(_latencies(), scale="log", difference=0.05)
    with pytest.raises(DesignError, match="not of components"):
        ig.plan(components="topic:system=0.01", scale="log", difference=1.05)
    with pytest.raises((DesignError, InputError), match="above 0"):
        ig.plan(_latencies().with_columns(old=pl.lit(0.0)), scale="log")


def test_ratios_are_not_planned_for_wordings() -> None:
    """Logarithms are of means over wordings: how these vary would be forgotten."""
    rng = np.random.default_rng(1)
    cells = [(need, f"w{wording}", system) for need in range(8) for wording in range(3) for system in "ab"]
    table = pl.DataFrame(cells, schema=["topic", "wording", "system"], orient="row")
    table = table.with_columns(pl.Series("latency_ms", np.exp(rng.normal(size=len(cells)))))
    with pytest.raises(ig.DesignError, match="a plan for wordings"):
        ig.plan(table, variants="wording", scale="log", difference=1.05)
