"""The agreement of measures, against scipy."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from conftest import Golden
from irgauge import Scores
from irgauge.errors import DesignError
from irgauge.replicates.bench import Bench
from irgauge.replicates.given import ScoreTable
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.agreement.section import PART
from irgauge.studies.agreement.study import agreement
from irgauge.studies.report_part import Reporting

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


@pytest.mark.parametrize("measures", [["AP", "P@5"], ["AP", "P@5", "RR", "nDCG@10"]])
def test_tau_is_that_of_scipy(measures: list[str]) -> None:
    collection = simulate(DESIGN).collection()
    found = agreement(collection, measures)
    means = score(collection, measures).filled().values.mean(axis=(1, 3)).round(12)  # measure, system
    systems = collection.systems
    expected = {(measures[a], measures[b]): stats.kendalltau(means[a], means[b]).statistic
                for a, b in combinations(range(len(measures)), 2)}  # fmt: skip
    assert {(one.measure, one.against): one.tau for one in found.pairs} == pytest.approx(expected)
    centred = means - means.mean(axis=1, keepdims=True)
    errors = {(measures[a], measures[b]): np.sqrt(((centred[a] - centred[b]) ** 2).mean())
              for a, b in combinations(range(len(measures)), 2)}  # fmt: skip
    assert {(pair.measure, pair.against): pair.rmse for pair in found.pairs} == pytest.approx(errors)
    for one in found.systems:
        s = systems.index(one.system)
        assert one.means == pytest.approx(means[:, s])
        np.testing.assert_array_equal(one.ranks, [stats.rankdata(-own, method="min")[s] for own in means])
    least, most = min(expected, key=lambda pair: expected[pair]), max(expected, key=lambda pair: expected[pair])
    said = found.findings()[0].text
    assert all(name in said for name in (*least, *most))
    assert f"{expected[least]:.3f}".replace("-", "−") in said
    assert [table.name for table in found.tables()] == ["measures", "ranks"]
    reporting = Reporting(Bench(collection), parse_measures(measures))
    section = PART.section(PART.run(reporting), reporting)
    assert section.told[0].text == said
    assert [panel.key for panel in section.panels] == ["measure-agreement", "measure-pairs", "measure-ranks"]


def test_measures_of_a_table_agree_or_not(golden: Golden) -> None:
    found = agreement(of_means({"x": [0.1, 0.2, 0.3], "y": [0.3, 0.2, 0.1], "z": [0.5, 0.6, 0.8]}))
    assert {(one.measure, one.against): one.tau for one in found.pairs} == {
        ("x", "y"): -1,
        ("x", "z"): 1,
        ("y", "z"): -1,
    }
    golden(found.findings()[0].text)


def test_a_measure_that_orders_nothing_has_no_tau() -> None:
    found = agreement(of_means({"x": [0.1, 0.2, 0.3], "y": [0.5, 0.5, 0.5], "z": [0.5, 0.6, 0.8]}))
    assert [one.tau for one in found.pairs] == [None, 1.0, None]
    both = agreement(of_means({"x": [0.1, 0.1, 0.1], "y": [0.5, 0.5, 0.5]}))
    for one in (found, both):
        assert "nan" not in one.to_text().lower()
        assert one.chart().to_dict()
        assert "NaN" not in json.dumps(one.to_dict())


@pytest.mark.parametrize(
    ("means", "said"),
    [({"x": [0.1, 0.2, 0.3]}, "name at least two"), ({"x": [0.1, 0.2], "y": [0.3, 0.2]}, "there are 2 systems")],
)
def test_too_few_measures_or_systems_are_refused_and_have_no_section(means: dict[str, list[float]], said: str) -> None:
    with pytest.raises(DesignError, match=said):
        agreement(of_means(means))
    table = ScoreTable(of_means(means))
    ran = PART.run(Reporting(table, table.measures))
    assert (ran.results, dict(ran.missing)) == ((), {})


def test_a_direction_that_is_guessed_from_the_name_is_told() -> None:
    table = of_means({"latency": [3.0, 2.0, 1.0], "AP": [0.1, 0.2, 0.3]})
    for measure, is_guessed in (("latency", True), ("latency:lower", False)):
        result = agreement(table, [measure, "AP"])
        assert result.pairs[0].tau == pytest.approx(1)
        assert ("direction-guessed" in [finding.kind for finding in result.findings()]) == is_guessed
