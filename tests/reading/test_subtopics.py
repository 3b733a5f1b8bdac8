"""Diversity judgments: rows of a document under several subtopics, from files and objects to levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pyndeval
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import Collection, InputError, load
from irgauge.errors import DataWarning
from irgauge.reading.formats import read_qrels
from irgauge.reading.judgments import judgments
from irgauge.reading.options import Documents

Row = tuple[str, str, str, int]  # topic, subtopic, docno, grade
RUN = {"x": {"1": {"a": 2.0, "z": 1.0}, "2": {"b": 1.0}}}
ROWS: list[Row] = [
    ("1", "s1", "a", 1),
    ("1", "s2", "a", 3),
    ("1", "s1", "b", 0),
    ("2", "s7", "a", -2),
    ("1", "s3", "c", 2),
    ("2", "s8", "b", 1),
    ("2", "s7", "b", 1),
]
EXPECTED = {
    "1": {"a": (3, [1, 3, 0]), "b": (0, [0, 0, 0]), "c": (2, [0, 0, 2])},
    "2": {"a": (-2, [-2, 0, 0]), "b": (1, [1, 1, 0])},
}


def written(path: Path, rows: Sequence[Sequence[object]]) -> Path:
    path.write_text("".join(f"{' '.join(map(str, row))}\n" for row in rows), encoding="utf-8")
    return path


def judged(collection: Collection) -> dict[str, dict[str, tuple[int, list[int]]]]:
    """The grade of each document, and its grades under the subtopics of its topic."""
    found: dict[str, dict[str, tuple[int, list[int]]]] = {}
    for topic, (first, last) in zip(collection.topics, pairwise(collection.judged_bounds), strict=True):
        places = range(first, last)
        levels = {str(collection.docnos[int(collection.judged_docs[j])]): collection.judged_levels[j] for j in places}
        found[topic] = {
            docno: (int(collection.grades[level]), collection.subtopics[level].tolist())
            for docno, level in levels.items()
        }
    return found


@pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")
def test_a_document_has_a_row_of_grades_and_the_highest_of_them(tmp_path: Path) -> None:
    collection = load(written(tmp_path / "q", ROWS), RUN)
    assert judged(collection) == EXPECTED
    assert collection.subtopics.shape == (len(collection.grades), 3)
    assert (np.diff(collection.grades) >= 0).all()
    assert collection.grades[collection.levels[:1]].tolist() == [3]


@pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")
@pytest.mark.parametrize(
    "given",
    [
        lambda: [ir_measures.Qrel(t, d, g, s) for t, s, d, g in ROWS],
        lambda: [pyndeval.SubtopicQrel(*row) for row in ROWS],
        lambda: pd.DataFrame(ROWS, columns=["query_id", "iteration", "doc_id", "relevance"]),
        lambda: pd.DataFrame(ROWS, columns=["qid", "subtopic", "docno", "label"]),
        lambda: pl.DataFrame(ROWS, schema=["query_id", "subtopic_id", "doc_id", "relevance"], orient="row"),
    ],
    ids=["ir_measures", "pyndeval", "pandas", "subtopic", "polars"],
)
def test_objects_hold_subtopics_too(given: Callable[[], Any]) -> None:
    assert judged(load(given(), RUN)) == EXPECTED


@pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")
@pytest.mark.parametrize("documents", ["all", "judged"])
def test_documents_of_a_topic_come_in_descending_order_of_docnos(documents: Documents, tmp_path: Path) -> None:
    docnos = ["b", "a", "é", "c10", "c1"]
    rows = [("1", s, d, 1) for d in docnos for s in "12"]
    collection = load(written(tmp_path / "q", rows), {"x": {"1": {"a": 1.0}}}, documents=documents)
    assert [collection.docnos[int(doc)] for doc in collection.judged_docs] == ["é", "c10", "c1", "b", "a"]


def test_a_note_says_what_other_measures_take(tmp_path: Path) -> None:
    with pytest.warns(DataWarning, match="judged under several subtopics .* take a document's highest grade"):
        load(written(tmp_path / "q", ROWS), RUN)


@pytest.mark.parametrize("second", ["0", "Q0", "{topic}"])
def test_a_second_column_that_is_the_same_in_a_topic_is_no_subtopic(second: str, tmp_path: Path) -> None:
    rows = [(t, second.format(topic=t), d, g) for t, d, g in (("1", "a", 1), ("1", "b", 0), ("2", "b", 2))]
    collection = load(written(tmp_path / "q", rows), RUN)
    assert collection.subtopics.shape[1] == 0
    assert collection.grades.tolist() == [0, 1, 2]
    assert collection.docnos.to_list() == ["a", "b", "z"]


def test_a_second_column_that_numbers_the_rows_is_no_subtopic(tmp_path: Path) -> None:
    rows = [("1", i, f"d{i:03}", 1) for i in range(101)]
    run = {"x": {"1": {"d000": 1.0}}}
    assert load(written(tmp_path / "q", rows), run).subtopics.shape == (1, 0)
    assert load(written(tmp_path / "q", rows[:100]), run).subtopics.shape == (100, 100)
    with pytest.warns(DataWarning, match="several subtopics"):
        assert load(written(tmp_path / "q", [*rows, ("1", 7, "d000", 2)]), run).subtopics.shape == (101, 101)


@pytest.mark.parametrize("line", [3, 5, 8])
def test_a_document_twice_under_one_subtopic_is_refused(line: int, tmp_path: Path) -> None:
    rows = [*ROWS[: line - 1], ("1", "s1", "a", 0), *ROWS[line - 1 :]]
    message = f"/q:{line}: document 'a' appears twice in topic '1', with the same second column; remove one"
    with pytest.raises(InputError, match=message):
        load(written(tmp_path / "q", rows), RUN)


def test_strata_are_kept(tmp_path: Path) -> None:
    rows = [("1", "1", "a", 5, 1), ("1", "2", "a", 5, 0), ("1", "1", "b", 6, 1), ("1", "2", "c", 5, 1)]
    judged = judgments(read_qrels(written(tmp_path / "q", rows)))
    triples = zip(judged.grades.tolist(), judged.strata.tolist(), judged.subtopics.tolist(), strict=True)
    assert list(triples) == [(1, 5, [0, 1]), (1, 5, [1, 0]), (1, 6, [1, 0])]


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_mutated_judgments_are_read_or_refused(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    rng = np.random.default_rng(seed)
    text = bytearray("".join(f"{' '.join(map(str, row))}\n" for row in ROWS * rng.integers(1, 3)).encode())
    for place in rng.integers(0, len(text), size=rng.integers(1, 6)):
        text[place] = rng.choice(list(b"0123456789 \n\t-.as#\xc3\xa9\x00"))
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(bytes(text))
    try:
        found = judgments(read_qrels(path))
    except InputError:
        return
    assert len(found.levels) == found.docnos.bounds[-1]
    if found.subtopics.shape[1]:
        assert (found.subtopics.max(axis=1) >= found.grades).all()  # 0 stands where there is no judgment
