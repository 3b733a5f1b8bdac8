"""Runs, tables of scores and what was measured answer the same questions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from irgauge import Collection, load
from irgauge.errors import DesignError
from irgauge.replicates.bench import Bench
from irgauge.replicates.data import Data, baseline_of
from irgauge.replicates.given import ScoreTable, opened
from irgauge.replicates.measured import Measuring
from irgauge.scoring.measures import parse_measures

AP = parse_measures(["AP"])
QRELS = {"1": {"a": 1, "b": 1}, "2": {"a": 1, "x": 0}}
RUNS = {"ours/v1": {"1": {"a": 2.0}, "2": {"x": 2.0, "a": 1.0}}, "theirs": {"1": {"b": 2.0, "a": 1.0}}}


def collection() -> Collection:
    return load(QRELS, RUNS, warn=False)


def data() -> Mapping[str, Data]:
    bench = Bench(collection(), workers=1)
    return {"runs": bench, "table": ScoreTable(bench.whole(AP)), "measured": bench.measured(Measuring(AP))}


@pytest.mark.parametrize("kind", data())
def test_all_have_the_same_systems_topics_and_scores(kind: str) -> None:
    given = data()[kind]
    assert opened(given) is given
    assert (given.systems, given.topics, given.replicate_count) == (("ours/v1", "theirs"), ("1", "2"), 1)
    np.testing.assert_array_equal(given.whole(AP).values[0, :, :, 0], [[0.5, 1.0], [0.5, 0.0]])
    np.testing.assert_array_equal(given.measured(Measuring(AP)).by_topic(), [[0.5, 1.0], [0.5, 0.0]])
    assert given.with_workers(3).systems == given.systems


def test_what_only_runs_have() -> None:
    of = data()
    assert of["runs"].has_runs
    assert (of["runs"].measures, of["runs"].judgments, of["runs"].workers) == (None, 2.0, 1)
    assert set(of["runs"].origins) == set(of["runs"].systems)
    assert "corpus_size" in of["runs"].source
    assert "corpus_size" not in of["runs"].whole_source
    assert {one.rule for one in (of["runs"].missing, of["measured"].missing)} == {"zero"}
    for given in (of["table"], of["measured"]):
        assert not given.has_runs
        assert (given.measures, given.judgments, dict(given.origins), given.notes) == (AP, None, {}, ())
        with pytest.raises(DesignError, match="needs runs and judgments, and a table of scores was given"):
            given.runs()


def test_scores_that_are_no_table_are_refused_with_the_reason() -> None:
    of = data()
    assert of["table"].table("is tested").systems == of["table"].systems
    assert of["measured"].table("is tested").systems == of["measured"].systems
    shards = of["runs"].measured(Measuring(AP, "even:2", sparse=True))
    with pytest.raises(DesignError, match="measured on shards already, and a report measures; give the runs"):
        shards.table("a report measures")
    with pytest.raises(DesignError, match="these are runs"):
        of["runs"].table("a report measures")


@pytest.mark.parametrize("kind", data())
def test_a_baseline_may_have_a_slash_in_its_name(kind: str) -> None:
    assert baseline_of(data()[kind], "ours/v1") == "ours/v1"
    with pytest.raises(DesignError, match="did you mean 'theirs'"):
        baseline_of(data()[kind], "thiers")
