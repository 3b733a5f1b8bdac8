"""No interval leaves what the measure can be; where its range is not known, none is cut; tests stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from scipy import stats

import irgauge as ig
from irgauge.compute.arrays import Floats

SYSTEMS = ("a", "b", "c")
FEW = np.array([[0.9, 0.1, 0.4], [0.1, 0.8, 0.5]])  # topic, system: two topics, whose t intervals are very wide
ENDS = {"low", "high", "margin_low", "margin_high", "hpd_low", "hpd_high"}
_TOLD = {"provenance", "findings", "population"}  # that name the measure, or are no numbers
THREE = np.dstack(
    [[[0.9, 0.1, 0.4], [0.1, 0.8, 0.5]], [[0.8, 0.3, 0.5], [0.3, 0.6, 0.4]], [[0.7, 0.1, 0.5], [0.2, 0.9, 0.3]]]
)
SEVERAL = np.array([[[0.9, 0.8], [0.1, 0.3], [0.4, 0.5]], [[0.1, 0.3], [0.8, 0.6], [0.5, 0.4]]])  # topic, system, run


def scores(values: Floats, measure: str) -> ig.Scores:
    return ig.load_scores(values, systems=SYSTEMS, measure=measure)


def judged(values: Floats) -> tuple[dict[str, Any], dict[str, Any]]:
    """Runs of one relevant document a topic, at ranks whose reciprocal is near the values."""
    ranks = np.round(1 / values).astype(int)
    topics = [str(topic) for topic in range(len(values))]
    return {topic: {"d": 1} for topic in topics}, {
        system: {
            topic: {f"x{i}": float(99 - i) for i in range(ranks[t, s] - 1)} | {"d": 50.0}
            for t, topic in enumerate(topics)
        }
        for s, system in enumerate(SYSTEMS)
    }


def ends_of(value: object, name: str = "") -> list[float]:
    """All ends of intervals that a result has, at any depth."""
    if isinstance(value, Mapping):
        return [end for key, one in value.items() if key != "ranks" for end in ends_of(one, str(key))]
    if isinstance(value, list):
        return [end for one in value for end in ends_of(one, name)]
    return [value] if name in ENDS and isinstance(value, float) else []


QUESTIONS: Mapping[str, Callable[[str], Any]] = {
    "compare": lambda measure: ig.compare(scores(FEW, measure), margin=0.01, baseline="a"),
    "compare all": lambda measure: ig.compare(scores(FEW, measure)),
    "compare by tukey": lambda measure: ig.compare(scores(FEW, measure), test="tukey"),
    "compare shards": lambda measure: ig.compare(scores(THREE, measure), population="topics+shards"),
    "gate": lambda measure: ig.gate(scores(FEW, measure), "a", "b", margin=0.01),
    "gate of several runs": lambda measure: ig.gate(scores(SEVERAL, measure), "a", "b", margin=0.01),
    "instances": lambda measure: ig.instances(scores(SEVERAL, measure), draws=200),
    "instances, common": lambda measure: ig.instances(scores(SEVERAL, measure), variances="common", draws=200),
    "suite": lambda measure: ig.suite(
        {"x": scores(FEW, measure), "y": scores(FEW[:, ::-1], measure)}, baseline="a", margin=0.01
    ),
    "partition": lambda measure: ig.partition(scores(SEVERAL, measure), alpha=1e-4),
    "score": lambda measure: ig.score(scores(FEW, measure)),
}


def claims_of(value: object, key: str = "") -> list[object]:
    """All p-values, statistics and verdicts that a result has, at any depth."""
    if isinstance(value, Mapping):
        return [one for part, own in value.items() if part not in _TOLD for one in claims_of(own, str(part))]
    if isinstance(value, list):
        return [one for own in value for one in claims_of(own, key)]
    is_end = key.endswith(("_low", "_high"))  # such as plain_low
    return [value] if key.startswith(("p", "verdict", "statistic", "significant")) and not is_end else []


@pytest.mark.parametrize("name", QUESTIONS)
def test_intervals_keep_the_range_where_it_is_known_and_tests_stay(name: str) -> None:
    known, other = (QUESTIONS[name](measure).to_dict() for measure in ("AP", "clicks"))
    assert 0.5 < max(map(abs, ends_of(known))) <= 1.0
    assert max(map(abs, ends_of(other))) > 1.0
    assert claims_of(known) == claims_of(other)
    assert claims_of(known) or name == "score"


def test_only_ends_outside_of_the_range_are_cut() -> None:
    values = np.array([[0.9, 0.0], [0.5, 0.1], [1.0, 0.2]])
    found = ig.compare(ig.load_scores(values, systems=["a", "b"], measure="AP"), test="t").each[0].comparison
    ends = stats.ttest_rel(values[:, 0], values[:, 1]).confidence_interval()
    assert 0 < ends.low < 1 < ends.high
    np.testing.assert_allclose([found.low[0], found.high[0]], [ends.low, 1.0])


def test_a_table_whose_scores_leave_the_range_is_not_cut() -> None:
    found = ig.compare(scores(100 * FEW, "AP"), baseline="a").each[0].comparison
    assert found.high.max() > 100


def test_runs_are_scored_within_the_range() -> None:
    runs = ig.load(*judged(FEW), warn=False)
    found = ig.compare(runs, "RR", baseline="a", margin=0.01)
    assert max(map(abs, ends_of(found.to_dict()))) == 1.0
    assert "interval −1.000 to 1.000" in found.findings()[0].text
    assert set(found.each[0].verdict.detectable) == {np.inf}  # what two topics find is larger than any difference
