"""Hard and separating topics, against sums by hand; and the map of scores."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from conftest import Golden
from irgauge import Scores, load, load_scores
from irgauge.reading.collection import Collection
from irgauge.replicates.bench import Bench
from irgauge.scoring.measures import parse_measures
from irgauge.scoring.scores import score
from irgauge.show.figure import Figure
from irgauge.show.html import render
from irgauge.show.page import Front, Page, Panel, Section
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.report_part import Reporting
from irgauge.studies.topics import section
from irgauge.studies.topics.section import PART
from irgauge.studies.topics.study import discriminations, topics

DESIGN = Design(systems=6, families=3, topics=9, depth=40, corpus_size=300, relevant_median=10, seed=3)


@pytest.fixture(scope="module")
def collection() -> Collection:
    return simulate(DESIGN).collection()


@pytest.fixture(scope="module")
def panel(collection: Collection) -> Panel:
    """The map of scores in a report."""
    reporting = Reporting(Bench(collection), parse_measures(["AP", "P@5"]))
    return next(one for one in PART.section(PART.run(reporting), reporting).panels if one.key == "topic-scores")


def of_values(values: list[list[float]]) -> Scores:
    """A table of values[topic][system]."""
    systems = range(len(values[0]))
    return load_scores({f"s{j}": {f"{t + 1}": row[j] for t, row in enumerate(values)} for j in systems})


@pytest.mark.parametrize("measure", ["AP", "P@5"])
def test_topics_are_described_by_their_scores_on_the_whole_corpus(collection: Collection, measure: str) -> None:
    whole = score(collection, [measure])
    values = whole.filled().values[0, :, :, 0]  # topic, system
    found = topics(collection, measure)
    assert [one.mean for one in found.topics] == sorted(one.mean for one in found.topics)
    assert {one.topic for one in found.topics} == set(whole.topics)
    relevant = collection.relevant_counts()
    for one in found.topics:
        t = whole.topics.index(one.topic)
        own, others = values[t], np.delete(values, t, axis=0).mean(axis=0)
        assert one.mean == pytest.approx(own.mean())
        assert one.sd == pytest.approx(np.sqrt(((own - own.mean()) ** 2).sum() / (len(own) - 1)))
        assert one.best_score == own.max() == own[whole.systems.index(one.best)]
        assert one.relevant == relevant[t]
        assert one.discrimination == pytest.approx(stats.pearsonr(own, others).statistic)
    np.testing.assert_allclose(found.scores.mean(axis=0), np.sort(values.mean(axis=0))[::-1])  # best first


def test_a_topic_that_always_scores_the_same_has_no_discrimination() -> None:
    r = discriminations(np.array([[0.2, 0.2, 0.2], [0.1, 0.5, 0.4], [0.3, 0.6, 0.9]]))
    assert np.isnan(r[0])
    assert np.isfinite(r[1:]).all()


def test_the_answer_names_the_hardest_the_easiest_and_the_most_separating_topic(golden: Golden) -> None:
    first, against = topics(of_values([[0.1, 0.2, 0.1], [0.9, 0.8, 0.8], [0.0, 1.0, 0.2]])).findings()
    golden(first.text)
    golden(against.text)


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    return [row for rows in figure.to_dict()["datasets"].values() for row in rows]


def test_the_map_has_the_same_rows_in_all_orders_of_topics(collection: Collection, panel: Panel) -> None:
    figures = [one.figure for one in panel.variants if dict(one.choices)["measure"] == "AP"]
    assert [dict(one.choices)["topics"] for one in panel.variants[:3]] == ["by difficulty", "by separation", "by name"]
    rows = [rows_of(figure) for figure in figures if figure is not None]
    assert rows[0] == rows[1] == rows[2]
    assert len(rows[0]) == 54
    found = topics(collection, "AP")
    domains = [figure.to_dict()["encoding"]["x"]["scale"]["domain"] for figure in figures if figure is not None]
    assert domains[0] == [one.topic for one in found.topics]
    assert domains[1] == [one.topic for one in sorted(found.topics, key=lambda one: -(one.sd or 0))]
    assert domains[2] == sorted(domains[0], key=int)
    assert all("dark" not in text.lower() for one in panel.variants if one.figure for text in one.figure.caption)


def test_the_page_keeps_the_rows_of_the_map_once(panel: Panel) -> None:
    alone = Page("", "", Front(()), (), (), (Section("topics", "?", (), (panel,)),), (), ())
    assert render(alone).count('"columns":[{"name":"topic"') == 2  # one for each measure


def test_of_very_many_cells_the_best_systems_are_shown(monkeypatch: pytest.MonkeyPatch, collection: Collection) -> None:
    monkeypatch.setattr(section, "MOST_CELLS", 20)
    found = topics(collection, "AP")
    first = found.chart("scores")
    assert {row["system"] for row in rows_of(first)} == set(found.systems[:2])
    assert "Shown: the best 2 of 6 systems." in first.caption


@pytest.mark.parametrize(
    "values",
    [[[0.5]], [[0.5, 0.5, 0.5]], [[0.5], [0.25]], [[0.5, 0.5], [0.5, 0.5]], [[0.1, 0.4]]],
    ids=["one", "one topic, all equal", "one system", "all equal", "one topic"],
)
def test_few_or_equal_scores_are_told_without_nan(values: list[list[float]]) -> None:
    found = topics(of_values(values))
    assert found.findings()
    assert "nan" not in found.to_text().lower()
    assert "<img" in found._repr_html_()
    assert "NaN" not in json.dumps(found.to_dict())
    assert found.topics[0].relevant is None


def test_topics_without_a_score_are_left_out_and_told(golden: Golden) -> None:
    qrels = {"1": {"a": 2}, "2": {"a": 1}, "3": {"b": 2, "c": 1}}
    runs = {"x": {topic: {"a": 2.0, "b": 1.0} for topic in qrels}, "y": {topic: {"c": 1.0} for topic in qrels}}
    found = topics(load(qrels, runs, warn=False), "AP(rel=2)")
    assert found.undefined == ("2",)
    assert [one.topic for one in found.topics] == ["3", "1"]
    golden(found.findings().of("topics-undefined").texts())
