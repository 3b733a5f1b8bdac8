"""A plan of many looks: topics until a gate is decided, and what looking costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import irgauge as ig
from conftest import Golden
from irgauge.errors import DesignError

RNG = np.random.default_rng(3)
OLD = RNG.beta(2, 3, 60)
SCORES = {
    name: {f"q{topic}": float(score) for topic, score in enumerate(scores)}
    for name, scores in {"old": OLD, "new": np.clip(OLD + RNG.normal(0, 0.2, 60), 0, 1)}.items()
}


def test_topics_until_a_decision_are_told_and_have_a_table(golden: Golden) -> None:
    result = ig.plan(SCORES, "AP", margin=0.1, sequential=True)
    assert result.looks is not None
    (told,) = [finding.text for finding in result.findings() if finding.kind == "many-looks"]
    golden(told)
    (table,) = [table for table in result.tables() if table.name == "looks"]
    assert len(table.rows) == len(result.looks.forecasts)
    assert ig.plan(SCORES, "AP", margin=0.1).looks is None


def test_a_pilot_without_losses_tells_nothing_of_candidates_that_are_as_good() -> None:
    gains = {
        "old": SCORES["old"],
        "new": {topic: score + int(topic[1:]) / 100 for topic, score in SCORES["old"].items()},
    }
    result = ig.plan(gains, "AP", margin=0.1, baseline="old", sequential=True)
    (told,) = [finding.text for finding in result.findings() if finding.kind == "many-looks"]
    assert "new and old: nothing can be told of a candidate that is as good or worse. What one look needs" in told


def test_lower_is_better_where_it_is_said() -> None:
    latency = {name: {topic: 100 * score for topic, score in scores.items()} for name, scores in SCORES.items()}
    asked: dict[str, Any] = {"margin": 10.0, "baseline": "old", "sequential": True}
    lower, higher = (ig.plan(latency, f"latency:{way}", **asked) for way in ("lower", "higher"))
    first = [result.looks.forecasts[0].difference for result in (lower, higher) if result.looks is not None]
    assert first[0] == pytest.approx(-first[1]) != 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"difference": 0.1}, "is for a gate with a margin"),
        ({"margin": 0.1, "cluster": "user"}, "drawn one by one"),
        ({"margin": 0.1, "replicates": "instances"}, "drawn one by one|instances"),
    ],
)
def test_what_cannot_be_planned_is_refused(asked: dict[str, Any], said: str) -> None:
    about = [{"topic": topic, "user": str(place % 20)} for place, topic in enumerate(SCORES["old"])]
    extra: dict[str, Any] = {"topics_table": about} if "cluster" in asked else {}
    with pytest.raises(DesignError, match=said):
        ig.plan(SCORES, "AP", sequential=True, **asked, **extra)
    with pytest.raises(DesignError, match="drawn one by one"):
        ig.plan(components="topic:system=0.01", margin=0.1, sequential=True)
