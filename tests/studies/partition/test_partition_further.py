"""Other effects, numbers of splits and numbers of systems in the partition method, against other ways to them."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import irgauge as ig
from irgauge.errors import DesignError
from irgauge.reading.collection import Collection
from irgauge.simulation.collections import Design, simulate
from irgauge.studies.partition.further import NEIGHBOURS
from irgauge.studies.partition.further_told import enough_splits
from irgauge.studies.partition.split import ranked_values
from irgauge.studies.partition.study import OfMeasure, Partitioned


@cache
def collection() -> Collection:
    return simulate(Design(systems=6, topics=15, depth=100, corpus_size=3000, seed=5)).collection()


@cache
def asked() -> Partitioned:
    return ig.partition(collection(), "AP", splits=7, fill="drop", all_effects=True, by_splits=True, by_systems=(3, 5))


def first() -> OfMeasure:
    return asked().first


def test_effects_of_topics_and_of_systems_on_topics_have_intervals() -> None:
    values = ranked_values(first().splits.measured, first().splits)  # topic, system, part
    topics, both = first().terms
    of_topics = values.mean(axis=(1, 2)) - values.mean()
    np.testing.assert_allclose(topics.effects, of_topics)
    interaction = values.mean(axis=2) - values.mean(axis=(1, 2))[:, None] - values.mean(axis=(0, 2)) + values.mean()
    np.testing.assert_allclose(both.effects, interaction.ravel())
    residuals = values - values.mean(axis=2, keepdims=True)
    scale = np.square(residuals).sum() / (values.shape[0] * values.shape[1])  # one degree of freedom a cell
    half = 1.96 * np.sqrt(scale / 12 * (1 - 1 / len(values)))
    np.testing.assert_allclose(topics.high - topics.low, 2 * half, rtol=0.05)
    assert topics.away_from_zero == np.count_nonzero(np.sign(topics.low) == np.sign(topics.high))
    assert both.levels[1] == f"{topics.levels[0]}, {first().splits.systems[1]}"


def test_the_papers_draws_are_not_scaled() -> None:
    paper = ig.partition(collection(), "AP", splits=1, fill="drop", all_effects=True, p="paper").first
    ratio = (paper.terms[0].high - paper.terms[0].low) / (first().terms[0].high - first().terms[0].low)
    np.testing.assert_allclose(ratio, np.sqrt(1 / 2), rtol=0.05)


def test_decisions_by_number_of_splits() -> None:
    splits, rows = first().splits, {row.splits: row for row in first().by_splits}
    assert list(rows) == [1, 2, 3, 5, 7]
    single = splits.decisions()
    counts = np.count_nonzero(single, axis=1)
    assert (rows[1].least, rows[1].most) == (counts.min(), counts.max())
    every = splits.decided()
    assert rows[1].as_all == pytest.approx((single == every).mean(), abs=0.05)
    alike = [(one == other).mean() for one, other in combinations(single, 2)]
    assert rows[1].as_others == pytest.approx(np.mean(alike), abs=0.05)
    assert rows[3].as_others is not None
    assert rows[5].as_others is None
    assert (rows[7].least, rows[7].most, rows[7].as_all) == (splits.significant_count, splits.significant_count, 1.0)


def test_models_of_few_systems() -> None:
    rows = [row for row in first().by_systems if row.kind == NEIGHBOURS and row.systems == 5]
    best = ig.partition(collection(), "AP", splits=1, fill="drop", keep_systems="5").first.splits
    assert [row.sets for row in rows] == [2]  # the best five, and the last five
    last = [system for system in first().splits.systems if system != first().splits.systems[0]]
    kept = ig.partition(collection().only(last), "AP", splits=1, fill="drop").first.splits
    lengths = [splits.inferences[0].plain.length.mean() for splits in (best, kept)]
    assert rows[0].length == pytest.approx(np.mean(lengths))
    found = [np.mean(splits.decisions()[0] != 0) for splits in (best, kept)]
    assert rows[0].significant == pytest.approx(np.mean(found))
    assert all(0 <= row.as_all <= 1 for row in first().by_systems)


def test_they_are_told_and_claim_nothing() -> None:
    told = asked().findings()
    for kind in ("other-effects", "enough-splits", "models-of-few"):
        (finding,) = told.of(kind)
        assert finding.claims == ()
    names = {table.name for table in asked().tables()}
    assert {"effects-of-topic", "effects-of-topic-system", "by-splits", "by-systems"} <= names


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(DesignError, match="need at least 3 splits, and 2 are asked for"):
        ig.partition(collection(), "AP", splits=2, by_splits=True)
    with pytest.raises(DesignError, match="redraw splits, or drop"):
        ig.partition(collection(), "AP", all_effects=True, fill="unbalanced")
    with pytest.raises(DesignError, match="the numbers of systems are 3, 6; name some from 2 to 5"):
        ig.partition(collection(), "AP", by_systems=(3, 6))


def test_whether_splits_are_enough_is_said() -> None:
    said = [
        enough_splits(measure="AP", rule="all", alike=alike, enough=enough).text
        for alike, enough in (
            ({1: 0.97, 2: 0.985, 3: 0.991, 5: 0.995}, 3),
            ({1: 0.97, 2: 0.98}, None),
            ({1: 0.97, 2: 0.97}, None),
        )
    ]
    assert said == [
        "In AP, 3 splits are enough for two sets of them to decide 99.1 % of pairs alike; two sets of 5 splits without "
        "a common one decide 99.5 % of pairs alike.",
        "In AP, two sets of 2 splits without a common one decide 98 % of pairs alike: more splits are needed for 99 %.",
        "In AP, two sets of 2 splits without a common one decide 97 % of pairs alike, no more than two single ones do: "
        "by the rule 'all' more splits do not help.",
    ]
