"""Documents with the id of their topic: left out as BEIR does, against an implementation from its definition."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from irgauge import InputError, load
from irgauge.scoring.scores import score
from oracles.every_format import RUNS, Qrels, Run
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # runs lack topics on purpose


def slow_rule(run: Run) -> dict[str, dict[str, float]]:
    """As BEIR has it: `if qid == pid: results[qid].pop(pid)`; a topic without documents is then not in the run."""
    left = {topic: {docno: of[docno] for docno in of if docno != topic} for topic, of in run.items()}
    return {topic: of for topic, of in left.items() if of}


def counts(run: Run) -> int:
    return sum(topic in of for topic, of in run.items())


ids = st.sampled_from(["1", "2", "3", "10", "é", "é1", "1.0", "01"])
some_scores = st.sampled_from([0.0, 0.5, 1.0, -2.0, 3.25])
some_runs = st.dictionaries(ids, st.dictionaries(ids, some_scores, min_size=1, max_size=6), min_size=1, max_size=5)
some_qrels = st.dictionaries(ids, st.dictionaries(ids, st.integers(0, 2), min_size=1), min_size=1)


@settings(deadline=None, max_examples=80)
@given(some_qrels, st.dictionaries(st.sampled_from("ab"), some_runs, min_size=1), st.sampled_from([*RUNS]))
def test_they_are_left_out_as_the_definition_says(
    qrels: dict[str, dict[str, int]], runs: dict[str, dict[str, dict[str, float]]], form: str
) -> None:
    left = {name: slow_rule(run) for name, run in runs.items()}
    answered = [{topic for topic in qrels if any(qrels[topic].values())} & run.keys() for run in left.values()]
    assume(all(answered))
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in runs}
        for name, path in paths.items():
            path.write_bytes(RUNS[form](runs[name]))
        made = load(qrels, paths, ignore_identical_ids=True)
        kept = load(qrels, paths)
    expected = load(qrels, left)
    for collection, own in ((made, True), (kept, False)):
        assert collection.identical_ids == {name: counts(run) for name, run in runs.items() if counts(run)}
        assert collection.ignores_identical_ids is own
    differing = ["origins", "identical_ids", "ignores_identical_ids", "notes", "headers"]
    assert_same(made, expected, but=differing)
    assert_same(kept, load(qrels, runs), but=differing)
    own_scores, others = (score(one, ["AP", "nDCG@10"]).values for one in (made, expected))
    np.testing.assert_array_equal(own_scores, others)


QRELS: Qrels = {"a": {"a": 1, "b": 1}, "b": {"a": 1}}
OWN: Mapping[str, Mapping[str, float]] = {"a": {"a": 3.0, "b": 2.0, "c": 1.0}, "b": {"b": 2.0, "a": 1.0}}


def test_scores_are_those_of_the_others() -> None:
    """AP by hand: of topic a, b is first of 2 relevant; of topic b, a is first of 1."""
    left_out = load(QRELS, {"x": OWN}, ignore_identical_ids=True)
    assert score(left_out, "AP").values.ravel().tolist() == [0.5, 1.0]
    assert score(load(QRELS, {"x": OWN}), "AP").values.ravel().tolist() == [1.0, 0.5]
    assert left_out.source["identical_ids"] == 2
    assert load(QRELS, {"x": OWN}).source.get("identical_ids") is None


def test_judgments_keep_them() -> None:
    left_out, kept = (load(QRELS, {"x": OWN}, ignore_identical_ids=own) for own in (True, False))
    assert left_out.relevant_counts().tolist() == kept.relevant_counts().tolist() == [2, 1]


def test_depth_is_of_what_is_left() -> None:
    left_out = load(QRELS, {"x": OWN}, ignore_identical_ids=True, depth=1)
    assert [left_out.docnos[int(doc)] for doc in left_out.docs] == ["b", "a"]


def test_a_topic_without_other_documents_is_not_answered() -> None:
    run = {"a": {"a": 1.0}, "b": {"a": 1.0}}
    found = load(QRELS, {"x": run}, ignore_identical_ids=True)
    assert found.missing.topics_of == {"x": ("a",)}
    assert found.lengths.ravel().tolist() == [0, 1]
    assert load(QRELS, {"x": run}, ignore_identical_ids=True, missing="drop").topics == ("b",)


def test_a_run_of_nothing_else_is_refused() -> None:
    message = "all documents of this run have the id of their topic, and are left out"
    with pytest.raises(InputError, match=message) as caught:
        load(QRELS, {"x": {"a": {"a": 1.0}, "b": {"b": 1.0}}}, ignore_identical_ids=True)
    assert caught.value.path == "run 'x'"


def test_names_that_are_only_alike_stay() -> None:
    run = {"a": {"A": 3.0, "aa": 2.0, "": 1.0, "b": 0.5}, "": {"a": 1.0}}
    assert load(QRELS, {"x": run}, ignore_identical_ids=True).identical_ids == {}


@pytest.mark.parametrize("form", ["TREC", "JSON lines"])
def test_an_error_of_a_run_still_names_its_line(form: str, tmp_path: Path) -> None:
    """A document twice is refused before any is left out."""
    path = tmp_path / "x"
    path.write_bytes(RUNS[form]({"a": {"a": 3.0, "b": 2.0}}) + RUNS[form]({"a": {"b": 1.0}}))
    with pytest.raises(InputError, match="document 'b' appears twice in topic 'a'") as caught:
        load(QRELS, path, ignore_identical_ids=True)
    assert (caught.value.path, caught.value.line) == (str(path), 3)
