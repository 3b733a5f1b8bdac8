"""The agreement of measures, against scipy."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from conftest import Golden
from irgauge import Scores
from irgauge.reporting.parts.measures.agreement import Agreement
from irgauge.reporting.report import Report, report
from irgauge.show.page import Section
from irgauge.simulation.collections import Design, simulate

FEW: dict[str, Any] = {"shards": "even:2", "resamples": 1, "images": 2}
DESIGN = Design(systems=9, families=3, topics=8, depth=40, corpus_size=300, relevant_median=10, seed=3)


def of_means(means: dict[str, list[float]]) -> Scores:
    """A table in which each system has the same score on each topic, but for a little that averages out."""
    rows = [
        {"measure": measure, "topic": str(t), "system": f"s{j}", "score": mean + (0.01 if t else -0.01) * (j % 2)}
        for measure, own in means.items()
        for j, mean in enumerate(own)
        for t in range(2)
    ]
    return Scores.from_frame(pl.DataFrame(rows))


def section_of(made: Report) -> Section | None:
    return next((one for one in made.page.sections if one.key == "measures"), None)


def found_in(made: Report) -> Agreement:
    found = made.ran["measures"].results[0]
    assert isinstance(found, Agreement)
    return found


@pytest.mark.parametrize("measures", [["AP", "P@5"], ["AP", "P@5", "RR", "nDCG@10"]])
def test_tau_is_that_of_scipy(measures: list[str]) -> None:
    made = report(simulate(DESIGN).collection(), measures, **FEW)
    found = found_in(made)
    means = (
        made.reporting.bench.whole(made.reporting.measures).filled().values.mean(axis=(1, 3)).round(12)
    )  # measure, system
    systems = made.reporting.systems
    expected = {(measures[a], measures[b]): stats.kendalltau(means[a], means[b]).statistic
                for a, b in combinations(range(len(measures)), 2)}  # fmt: skip
    assert {(one.first, one.second): one.tau for one in found.pairs} == pytest.approx(expected)
    for one in found.systems:
        s = systems.index(one.system)
        assert one.means == pytest.approx(means[:, s])
        np.testing.assert_array_equal(one.ranks, [stats.rankdata(-own, method="min")[s] for own in means])
    section = section_of(made)
    assert section is not None
    least, most = min(expected, key=lambda pair: expected[pair]), max(expected, key=lambda pair: expected[pair])
    said = section.told[0].text
    assert all(name in said for name in (*least, *most))
    assert f"{expected[least]:.3f}".replace("-", "−") in said
    assert [panel.key for panel in section.panels] == ["measure-agreement", "measure-pairs", "measure-ranks"]
    assert "Kendall" in " ".join(made.page.references)


def test_measures_of_a_table_agree_or_not(golden: Golden) -> None:
    made = report(of_means({"x": [0.1, 0.2, 0.3], "y": [0.3, 0.2, 0.1], "z": [0.5, 0.6, 0.8]}))
    assert {(one.first, one.second): one.tau for one in found_in(made).pairs} == {
        ("x", "y"): -1,
        ("x", "z"): 1,
        ("y", "z"): -1,
    }
    section = section_of(made)
    assert section is not None
    golden(section.told[0].text)


def test_a_measure_that_orders_nothing_has_no_tau() -> None:
    made = report(of_means({"x": [0.1, 0.2, 0.3], "y": [0.5, 0.5, 0.5], "z": [0.5, 0.6, 0.8]}))
    assert [one.tau for one in found_in(made).pairs] == [None, 1.0, None]
    both = report(of_means({"x": [0.1, 0.1, 0.1], "y": [0.5, 0.5, 0.5]}))
    for one in (made, both):
        section = section_of(one)
        assert section is not None
        assert "nan" not in " ".join(section.texts).lower()
        assert one.to_html()
        assert "NaN" not in json.dumps(one.to_dict()["studies"]["measures"])


@pytest.mark.parametrize("means", [{"x": [0.1, 0.2, 0.3]}, {"x": [0.1, 0.2], "y": [0.3, 0.2]}])
def test_too_few_measures_or_systems_have_no_part(means: dict[str, list[float]]) -> None:
    made = report(of_means(means))
    assert section_of(made) is None
    assert made.ran["measures"].results == ()
