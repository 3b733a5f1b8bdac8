"""Judgments that were made since, against a collection that was loaded with all of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irgauge import load, score
from irgauge.errors import InputError
from irgauge.reading.collection import Collection
from irgauge.reading.further_judgments import with_judgments

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # a run has no judged document
QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "c": 2}}
RUNS = {"s": {"1": {"a": 3.0, "x": 2.0, "b": 1.0}, "2": {"x": 2.0, "c": 1.0}}, "t": {"1": {"x": 1.0}, "2": {"y": 1.0}}}


@pytest.fixture
def collection() -> Collection:
    return load(QRELS, RUNS)


def test_they_are_those_of_a_collection_with_all(collection: Collection, tmp_path: Path) -> None:
    (tmp_path / "first").write_text("1 0 x 1\n2 0 elsewhere 1\n")
    (tmp_path / "second").write_text("2 0 y 2\n2 0 elsewhere 1\n1 0 a 1\n")
    judged, added = with_judgments(collection, tmp_path)
    assert added == 3
    together = {"1": QRELS["1"] | {"x": 1}, "2": QRELS["2"] | {"y": 2, "elsewhere": 1}}
    measures = ["AP", "nDCG@3", "P@2", "Bpref"]
    ours, theirs = score(judged, measures), score(load(together, RUNS), measures)
    np.testing.assert_allclose(ours.values, theirs.values)
    assert judged.topics == collection.topics
    assert judged.topic_rule == collection.topic_rule
    assert judged.no_relevant == ()


def test_an_empty_folder_adds_nothing(collection: Collection, tmp_path: Path) -> None:
    assert with_judgments(collection, tmp_path) == (collection, 0)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 0 b 1"], r"first:1: the document b has the grade 1, and 0 before"),
        (["1 0 x 1\n", "1 0 x 0"], r"second:1: the document x has the grade 0, and 1 before"),
        (["1 0 x 1\n7 0 x 1"], r"first:2: the topic 7 does not count"),
    ],
)
def test_what_contradicts_is_refused(lines: list[str], message: str, collection: Collection, tmp_path: Path) -> None:
    for name, text in zip(("first", "second"), lines, strict=False):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        with_judgments(collection, tmp_path)


def test_a_folder_is_needed(collection: Collection, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        with_judgments(collection, tmp_path / "nowhere")
