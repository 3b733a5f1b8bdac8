"""Comparisons of little: two topics, differences that are the same everywhere, one topic to draw from."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from irgauge import bootstrap, compare, load
from irgauge.errors import DesignError
from irgauge.scoring.scores import Scores
from irgauge.show.table import shown_cell


def scores(values: list[list[float]]) -> Scores:
    """Scores by AP of values[topic][system]."""
    cells = np.array(values)
    topics, systems = cells.shape
    rows = {"measure": "AP", "topic": np.repeat(np.arange(topics), systems).astype(str)}
    names = np.tile([f"s{i}" for i in range(systems)], topics)
    return Scores.from_frame(pl.DataFrame({**rows, "system": names, "score": cells.ravel()}))


@pytest.mark.parametrize("cell", [math.nan, math.inf, -math.inf, None])
def test_a_cell_without_a_number_is_a_dash(cell: float | None) -> None:
    assert shown_cell(cell, 4) == "–"


@pytest.mark.parametrize("test", ["wilcoxon", "randomization"])
def test_two_topics_have_no_interval_by_ranks_and_flips(test: str) -> None:
    found = compare(scores([[0.5, 0.4], [0.7, 0.3]]), test=test)  # type: ignore[arg-type]  # any text
    assert "no interval with so few topics" in str(found.findings()[0])
    assert "With so few topics this test has no interval of that confidence." in found.to_text()
    assert found.to_csv().splitlines()[1].split(",")[5:7] == ["", ""]


def test_a_difference_that_is_the_same_everywhere_has_no_size_in_deviations() -> None:
    text = compare(scores([[0.75, 0.5], [0.5, 0.25], [1.0, 0.75]])).to_text()
    assert "Where a difference is the same on every topic there is no variation to measure it in." in text
    assert "inf" not in text.split()


def test_one_topic_cannot_be_drawn() -> None:
    one = load({"1": {"a": 1}}, {"x": {"1": {"a": 1.0}}, "y": {"1": {"b": 2.0, "a": 1.0}}}, warn=False)
    with pytest.raises(
        DesignError, match="topics are to be drawn, and there is 1; draw documents, or give more topics"
    ):
        bootstrap(one, "AP", images=4, draw="topics")


def test_a_difference_that_never_varies_is_said_to_be_constant_and_nothing_is_claimed() -> None:
    found = compare(scores(np.array([[0.3, 0.2], [0.6, 0.5]]).tolist()))
    assert found.first.verdict.verdicts == ("inconclusive",)
    assert found.comparison.p_adjusted.tolist() == [1.0]
    [told] = found.findings().of("constant-difference")
    assert "differ by the same amount on all 2 topics (0.100)" in told.text
    assert not found.findings().of("topics-few")


def test_a_claim_that_rests_on_few_topics_has_a_caution() -> None:
    rng = np.random.default_rng(1)
    few = rng.normal(0, 0.001, 40)
    few[:5] += 0.2
    values = 0.4 + np.column_stack((few, np.zeros(40)))
    found = compare(scores(values.tolist()), test="t")
    assert found.first.verdict.verdicts == ("better",)
    [told] = found.findings().of("few-effective-topics")
    assert told.fields["effective"] == pytest.approx(found.frame()["effective_topics"][0]) == pytest.approx(5, abs=0.2)
    assert not compare(scores((values + np.array([0.1, 0])).tolist())).findings().of("few-effective-topics")


def test_pairs_that_vary_on_too_few_topics_for_the_test_are_counted() -> None:
    values = np.random.default_rng(1).random((20, 3))
    values[3:, 2] = values[3:, 1]
    found = compare(scores(values.tolist()), test="bootstrap-t", draws=99)
    [told] = found.findings().of("untested-pairs")
    assert "the bootstrap-t test says nothing of 1 of 3 pairs" in told.text
    assert not compare(scores(values.tolist())).findings().of("untested-pairs")
