"""The discriminative power of measures: its rows, sentences, charts and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import irgauge as ig
from conftest import Golden
from irgauge.inference.discriminative import METHODS, paired_bootstrap, randomised_hsd
from irgauge.simulation.collections import Design, simulate

COLLECTION = simulate(
    Design(systems=6, families=2, topics=40, depth=40, corpus_size=300, relevant_median=10, seed=3)
).collection()
MEASURES = ["AP", "P@5", "RR"]


def test_counts_are_those_of_both_tests(golden: Golden) -> None:
    result = ig.sensitivity(COLLECTION, MEASURES, draws=199, seed=2)
    scores = ig.score(COLLECTION, MEASURES).scores.filled().values[..., 0]  # measure, topic, system
    for method, test in (("bootstrap", paired_bootstrap), ("hsd", randomised_hsd)):
        for measure, values in zip(MEASURES, scores, strict=True):
            expected = test(values, COLLECTION.systems, draws=199, seed=2)
            power = result[measure, method]
            assert (power.pairs, power.found) == (15, int(expected.found.sum()))
            assert power.needed == expected.needed
            p = [row.p for row in result.curves if (row.measure, row.method) == (measure, method)]
            assert p == sorted(expected.p.tolist())
    assert [power.method for power in result.powers] == ["bootstrap"] * 3 + ["hsd"] * 3
    assert all(np.diff([power.power for power in result.by(method)]).max() <= 0 for method in METHODS)
    golden([finding.text for finding in result.findings()])
    each = [f"{power.found} by {power.measure}" for power in result.by("hsd")]
    title = f"Of 15 pairs of systems, p ≤ 0.05 in {each[0]}, {each[1]} and {each[2]}"
    assert result.chart("hsd").title == title


def test_one_measure_and_measures_that_are_alike() -> None:
    alone = ig.sensitivity(COLLECTION, "AP", draws=99)
    assert alone.findings()[0].text.startswith("By the paired bootstrap test of each pair, ")
    alike = ig.sensitivity(COLLECTION, ["AP", "AP@1000"], draws=99)
    assert "both measures tell as many pairs apart" in alike.findings()[0].text
    assert not any(finding.claims for finding in alike.findings())


def test_a_measure_that_is_defined_on_one_topic_is_refused() -> None:
    runs = {name: {"1": {"a": 1.0}, "2": {"a": 1.0}} for name in "xy"}
    collection = ig.load({"1": {"a": 1}, "2": {"a": 0}}, runs, warn=False)
    with pytest.raises(ig.DesignError, match="2 topics on which AP is defined; there are 2 and 1"):
        ig.sensitivity(collection, "AP")
