"""docs/open-questions.md: its numbers are those of its table, and what is counted is what loops count."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from benchmarks import open_questions
from benchmarks.open_questions import FEWER, Row
from scipy import stats

from irgauge import Collection
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.bootstrap.study import bootstrap


@pytest.fixture(scope="module")
def collection() -> Collection:
    design = Design(systems=5, families=2, topics=9, depth=60, corpus_size=400, relevant_median=20, seed=3)
    return simulate(design).collection()


def test_the_page_is_that_of_the_table() -> None:
    assert open_questions.PAGE.read_text(encoding="utf-8") == open_questions.text(open_questions.read())


def test_what_the_page_says_is_in_the_table() -> None:
    table = {row[:3]: row.value for row in open_questions.read()}
    for share in ("50%", "25%", "10%"):
        assert table[FEWER, f"{share} of judgments", "MD6: of them in the other order"] < 0.5
        assert table[FEWER, f"{share} of topics", "MD6: of them in the other order"] > 1
    assert table[FEWER, "50% of judgments", "MD6: pairs"] > table[FEWER, "100% of judgments", "MD1: pairs"]
    assert table[FEWER, "25% of judgments", "MD6: pairs"] < table[FEWER, "100% of judgments", "MD1: pairs"]
    assert table[FEWER, "100% of judgments", "MD1: pairs"] == 3423  # as printed by Ferro and Sanderson (2019)
    for shards in ("sources", "random shards"):
        thirds = [f"{shards}, {name} third of topics" for name in ("most even", "middle", "most concentrated")]
        effects = [table[open_questions.LYING, third, "system"] for third in thirds]
        assert effects == sorted(effects, reverse=True)
    for measure in open_questions.BOUNDED:
        assert 0.6 < table[open_questions.BOUNDS, measure, "of these, p ≤ 0.05"] < 0.85
        assert table[open_questions.BOUNDS, measure, "of those, p ≤ 0.05"] < 1
        assert table[open_questions.BOUNDS, measure, "of them outside"] > 0.98


def test_a_share_of_each_topic_s_judgments_is_kept() -> None:
    topics = np.repeat([0, 1, 2], [10, 20, 5])
    kept = open_questions.kept_judgments(topics, 0.4, np.random.default_rng(1))
    assert np.bincount(topics[kept]).tolist() == [4, 8, 2]
    assert open_questions.kept_judgments(topics, 1.0, np.random.default_rng(1)).all()


def test_with_all_judgments_nothing_changes(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_questions, "SHARES", (1.0, 0.6))
    monkeypatch.setattr(open_questions, "SAMPLES", 2)
    rows = {row[1:3]: row.value for row in open_questions.fewer(collection)}
    assert rows["100% of judgments", "MD1: τ with all"] == 1
    assert rows["100% of judgments", "MD1: pairs"] == rows["100% of topics", "MD1: pairs"]
    assert rows["60% of judgments", "MD1: τ with all"] <= 1
    assert rows["100% of judgments", "MD1: of them in the other order"] == 0


def test_the_largest_shard_of_a_topic(collection: Collection) -> None:
    labels = np.random.default_rng(2).integers(0, 3, collection.document_count)
    found = open_questions.largest_shares(collection, labels)
    for t in range(len(collection.topics)):
        own = slice(collection.judged_bounds[t], collection.judged_bounds[t + 1])
        grades = collection.grades[collection.judged_levels[own]]
        docs = [doc for doc, grade in zip(collection.judged_docs[own], grades, strict=True) if grade > 0]
        counts = [sum(labels[doc] == label for doc in docs) for label in range(3)]
        assert found[t] == max(counts) / len(docs)


def test_pairs_outside_and_apart(collection: Collection) -> None:
    result = bootstrap(collection, "AP", images=60, seed=1, alpha=0.5)
    low, high = result.percentiles[:, 0]
    mean = result.root_means[0]
    pairs = list(combinations(range(5), 2))
    expected = [not low[b] <= mean[a] <= high[b] and not low[a] <= mean[b] <= high[a] for a, b in pairs]
    assert open_questions.outside(result, 0).tolist() == expected
    assert open_questions.apart(result, 0).tolist() == [low[a] > high[b] or low[b] > high[a] for a, b in pairs]
    assert sum(expected) > 0
    p = [stats.ttest_rel(result.root[0, :, a], result.root[0, :, b]).pvalue for a, b in pairs]
    assert open_questions._t(result, 0).tolist() == pytest.approx(p)


def test_a_table_has_a_line_a_setting() -> None:
    rows = [Row("q", "one", "a", 0.5), Row("q", "one", "b", 1234.4), Row("q", "two", "a", 0), Row("q", "two", "b", 3)]
    assert open_questions._table(rows).splitlines()[2:] == ["| one | 0.500 | 1,234 |", "| two | 0 | 3 |"]
