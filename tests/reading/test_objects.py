"""Runs and qrels from Python objects: all give the collection that files give, and faults are named."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

from irgauge import Collection, InputError, load
from irgauge.reading.objects import qrels_of, run_of, runs_of
from oracles.sameness import assert_same

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

QRELS: Qrels = {"q1": {"d1": 1, "d2": 0, "d4": 2}, "q2": {"d3": 1, "é1": -1}}
RUN: Run = {"q1": {"d2": 0.5, "d1": 0.5, "d9": 0.75}, "q2": {"é1": 1.5, "d3": -2.0}}
OTHER: Run = {"q1": {"d4": 3.0}, "q2": {"d3": 1.0, "d1": 2.0}}

Row = tuple[str, str, float]


def rows_of(nested: Qrels | Run) -> list[Row]:
    """Rows in which topics are interleaved, each topic's rows in its order."""
    by_topic = [[(topic, docno, value) for docno, value in values.items()] for topic, values in nested.items()]
    return [row for rows in zip_longest(*by_topic) for row in rows if row is not None]


def as_columns(nested: Qrels | Run, names: tuple[str, str, str]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = dict(zip(names, map(list, zip(*rows_of(nested), strict=True)), strict=True))
    return columns | {"rank": list(range(len(rows_of(nested))))}


def as_pandas(nested: Qrels | Run, names: tuple[str, str, str]) -> Any:  # noqa: ANN401  # pandas has no types
    return pd.DataFrame(as_columns(nested, names))


def as_polars(nested: Qrels | Run, names: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(as_columns(nested, names))


Make = Callable[[Any], Any]

FORMS: dict[str, tuple[Make, Make]] = {  # how to make qrels, and a run
    "dict of dicts": (dict, dict),
    "pandas, names of ir_measures": (
        lambda q: as_pandas(q, ("query_id", "doc_id", "relevance")),
        lambda r: as_pandas(r, ("query_id", "doc_id", "score")),
    ),
    "pandas, names of PyTerrier": (
        lambda q: as_pandas(q, ("qid", "docno", "label")),
        lambda r: as_pandas(r, ("qid", "docno", "score")),
    ),
    "polars, names of ir_measures": (
        lambda q: as_polars(q, ("query_id", "doc_id", "relevance")),
        lambda r: as_polars(r, ("query_id", "doc_id", "score")),
    ),
    "polars, names of PyTerrier": (
        lambda q: as_polars(q, ("qid", "docno", "label")),
        lambda r: as_polars(r, ("qid", "docno", "score")),
    ),
    "polars, our names": (
        lambda q: as_polars(q, ("topic", "document", "grade")),
        lambda r: as_polars(r, ("topic", "document", "score")),
    ),
    "tuples of ir_measures": (
        lambda q: [ir_measures.Qrel(topic, docno, int(grade)) for topic, docno, grade in rows_of(q)],
        lambda r: [ir_measures.ScoredDoc(*row) for row in rows_of(r)],
    ),
    "generated tuples of ir_measures": (
        lambda q: (ir_measures.Qrel(topic, docno, int(grade)) for topic, docno, grade in rows_of(q)),
        lambda r: (ir_measures.ScoredDoc(*row) for row in rows_of(r)),
    ),
    "plain tuples": (rows_of, rows_of),
    "generated plain tuples": (lambda q: iter(rows_of(q)), lambda r: iter(rows_of(r))),
}


@pytest.fixture
def from_files(tmp_path: Path) -> Collection:
    qrels = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in rows_of(QRELS))
    (tmp_path / "qrels").write_text(qrels, encoding="utf-8")
    for tag, run in {"mine": RUN, "other": OTHER}.items():
        lines = "".join(f"{topic} Q0 {docno} 1 {score} {tag}\n" for topic, docno, score in rows_of(run))
        (tmp_path / f"{tag}.run").write_text(lines, encoding="utf-8")
    return load(tmp_path / "qrels", [tmp_path / "mine.run", tmp_path / "other.run"])


@pytest.mark.parametrize("form", FORMS)
def test_objects_give_the_collection_of_files(form: str, from_files: Collection) -> None:
    make_qrels, make_run = FORMS[form]
    made = load(make_qrels(QRELS), {"mine": make_run(RUN), "other": make_run(OTHER)})
    assert_same(made, from_files, but=["origins"])
    assert made.origins == ("run 'mine'", "run 'other'")


@pytest.mark.parametrize("form", FORMS)
def test_one_run_may_be_given_alone(form: str) -> None:
    _, make_run = FORMS[form]
    alone = load(QRELS, make_run(RUN))
    assert alone.systems == ("run",)
    assert_same(alone, load(QRELS, {"run": RUN}), but=["origins"])


@pytest.mark.parametrize("form", [form for form in FORMS if not form.startswith("generated")])
def test_a_list_of_runs_is_numbered(form: str) -> None:
    _, make_run = FORMS[form]
    assert_same(
        load(QRELS, [make_run(RUN), make_run(OTHER)]), load(QRELS, {"run1": RUN, "run2": OTHER}), but=["origins"]
    )


def test_files_and_objects_can_be_joined(tmp_path: Path, from_files: Collection) -> None:
    assert_same(load(tmp_path / "qrels", {"mine": RUN, "other": OTHER}), from_files, but=["origins"])
    assert_same(load(QRELS, [str(tmp_path / "mine.run"), tmp_path / "other.run"]), from_files, but=["origins"])


@pytest.mark.parametrize("kind", [str, Path])
def test_a_dict_may_name_files(kind: type, tmp_path: Path, from_files: Collection) -> None:
    paths = {"mine": kind(tmp_path / "mine.run"), "other": kind(tmp_path / "other.run")}
    assert_same(load(QRELS, paths), from_files, but=["origins"])


MIXED: dict[str, tuple[Make, Make]] = {
    "a frame, then tuples": (FORMS["pandas, names of PyTerrier"][1], rows_of),
    "a dict of dicts, then a frame": (dict, FORMS["polars, names of ir_measures"][1]),
    "a frame, then a dict of dicts": (FORMS["polars, names of ir_measures"][1], dict),
    "tuples, then a dict of dicts": (rows_of, dict),
}


@pytest.mark.parametrize("kinds", MIXED)
def test_a_dict_of_runs_may_mix_their_kinds(kinds: str, from_files: Collection) -> None:
    make, make_other = MIXED[kinds]
    assert_same(load(QRELS, {"mine": make(RUN), "other": make_other(OTHER)}), from_files, but=["origins"])


def test_names_that_are_numbers_become_text() -> None:
    frame = pd.DataFrame({"qid": [401, 401, 402], "docno": [7, 10, 7], "label": [1, 0, 1]})
    collection = load(frame, {"mine": {401: {10: 2, 7: 1}, "402": {"7": 1}}})
    assert collection.topics == ("401", "402")
    assert collection.docnos.to_list() == ["10", "7"]
    assert collection.docs.tolist() == [0, 1, 1]


def test_values_of_numpy_are_numbers() -> None:
    run = run_of({"q1": {"d1": np.float32(0.5), "d2": np.int64(2)}}, "mine")
    assert run.scores.tolist() == [0.5, 2.0]
    assert qrels_of({"q1": {"d1": np.int8(2), "d2": 1.0, "d3": np.float64(-1.0)}}).grades.tolist() == [2, 1, -1]


def test_docnos_may_hold_what_files_cannot() -> None:
    collection = load({"q 1": {"a b": 1, "": 0, "\t": 1}}, {"my run": {"q 1": {"": 2.0, "a b": 1.0}}})
    assert collection.docnos.to_list() == ["", "\t", "a b"]
    assert collection.docs.tolist() == [0, 2]
    assert collection.systems == ("my run",)


def test_what_was_given_is_not_changed() -> None:
    qrels = {topic: dict(values) for topic, values in QRELS.items()}
    run = as_pandas(RUN, ("qid", "docno", "score"))
    before = run.copy()
    load(qrels, {"mine": run})
    assert qrels == QRELS
    assert run.equals(before)


# faults


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("query_id", "no column 'query_id' or 'qid' or .* or 'topic_id'; the columns are doc_id, score"),
        ("doc_id", "no column 'doc_id' or 'docno' or .* or 'docid'; the columns are query_id, score"),
        ("score", "no column 'score' or 'rank'; the columns are query_id, doc_id"),
    ],
)
def test_a_missing_column_of_a_run_is_named(make: Make, missing: str, message: str) -> None:
    columns = {"query_id": ["q1"], "doc_id": ["d1"], "score": [1.0]}
    del columns[missing]
    with pytest.raises(InputError, match=message) as caught:
        load(QRELS, {"mine": make(columns)})
    assert caught.value.path == "run 'mine'"


def test_a_missing_column_of_qrels_is_named() -> None:
    frame = pl.DataFrame({"qid": ["q1"], "docno": ["d1"], "points": [1]})
    with pytest.raises(InputError, match=r"no column 'relevance' or .*; the columns are qid, docno, points") as e:
        load(frame, RUN)
    assert e.value.path == "the qrels"


@pytest.mark.parametrize("value", [math.nan, None, "high", "nan", [1.0], {}, np.nan])
def test_a_score_that_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"the score .* in row 2 is not a number") as caught:
        load(QRELS, {"mine": [("q1", "d1", 1.0), ("q1", "d2", value)]})
    assert caught.value.path == "run 'mine'"


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("value", [math.nan, None])
def test_a_score_that_is_missing_in_a_frame_is_refused(make: Make, value: float | None) -> None:
    frame = make({"qid": ["q1", "q1"], "docno": ["d1", "d2"], "score": [1.0, value]})
    with pytest.raises(InputError, match=r"the score .* in row 2 is not a number"):
        load(QRELS, {"mine": frame})


@pytest.mark.parametrize("value", [math.nan, None, "relevant"])
def test_a_grade_that_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"the grade .* in row 2 is not a number") as caught:
        load({"q1": {"d1": 1, "d2": value}}, RUN)
    assert caught.value.path == "the qrels"


@pytest.mark.parametrize("value", [0.5, math.inf, -1.25, 2**31 + 1, 1e300])
def test_a_grade_that_is_not_whole_or_too_large_is_refused_as_in_files(value: float) -> None:
    with pytest.raises(InputError, match=r"the grade .* in row 3 is not a whole number"):
        load({"q1": {"d1": 1, "d2": 0}, "q2": {"d3": value}}, RUN)


@pytest.mark.parametrize("given", [5, None, 0.5, object()])
def test_an_object_of_another_type_is_refused(given: object) -> None:
    allowed = "give a path, a dict of dicts, a data frame, a ranx object, or tuples of topic, docno and value"
    with pytest.raises(InputError, match=f"a {type(given).__name__} cannot be read; {allowed}"):
        load(given, RUN)
    with pytest.raises(InputError, match=f"a {type(given).__name__} cannot be read; {allowed}"):
        load(QRELS, given)
    with pytest.raises(InputError, match="cannot be read"):
        load(QRELS, {"mine": given})


def test_a_topic_that_holds_no_dict_is_named() -> None:
    with pytest.raises(InputError, match="topic 'q2' holds a list, not a dict"):
        load({"q1": {"d1": 1}, "q2": ["d1"]}, RUN)


@pytest.mark.parametrize(
    "rows",
    [
        [("q1", "d1")],
        ["q1 d1 1"],
        [5],
        [("q1", "d1", 1), ("q1", "d2")],
        [("q1", "d1", 1), "q1 d2 0"],
        [("q1", "d1", 1), None],
    ],
    ids=str,
)
def test_rows_that_are_no_triples_are_refused(rows: list[object]) -> None:
    with pytest.raises(InputError, match="is not a tuple of topic, docno and value"):
        load(rows, RUN)
    with pytest.raises(InputError, match="is not a tuple of topic, docno and value"):
        load(QRELS, {"mine": rows})


@pytest.mark.parametrize("docno", ["d\n1", "\n", "d1\n"])
def test_a_line_break_in_a_docno_is_refused(docno: str) -> None:
    with pytest.raises(InputError, match="holds a line break; remove it") as caught:
        load(QRELS, {"mine": {"q1": {"d1": 1.0, docno: 0.5}}})
    assert repr(docno) in str(caught.value)
    assert caught.value.path == "run 'mine'"
    with pytest.raises(InputError, match="holds a line break; remove it") as caught:
        load({"q1": {docno: 1}}, RUN)
    assert caught.value.path == "the qrels"


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(("topic", "docno"), [(None, "d1"), ("q1", None)])
def test_a_missing_topic_or_docno_is_refused(make: Make, topic: str | None, docno: str | None) -> None:
    frame = make({"qid": ["q1", topic], "docno": ["d2", docno], "score": [1.0, 0.5]})
    with pytest.raises(InputError) as caught:
        load(QRELS, {"mine": frame})
    assert caught.value.path == "run 'mine'"


EMPTY: list[Callable[[], object]] = [
    dict,
    list,
    lambda: {"q1": {}},
    lambda: iter(()),
    lambda: pd.DataFrame({"qid": [], "docno": [], "score": [], "label": []}),
    lambda: pl.DataFrame({"qid": [], "docno": [], "score": [], "label": []}),
]


@pytest.mark.parametrize("empty", EMPTY)
def test_nothing_is_refused(empty: Callable[[], object]) -> None:
    with pytest.raises(InputError, match="there are no rows") as caught:
        load(empty(), RUN)
    assert caught.value.path == "the qrels"
    with pytest.raises(InputError, match="there are no rows") as caught:
        load(QRELS, {"mine": empty()})
    assert str(caught.value.path).startswith("run '")


def test_an_empty_run_beside_others_is_named() -> None:
    with pytest.raises(InputError, match="there are no rows") as caught:
        load(QRELS, {"other": OTHER, "mine": {}})
    assert caught.value.path == "run 'mine'"
    with pytest.raises(InputError, match="there are no rows") as caught:
        load(QRELS, {"mine": {}, "other": OTHER})
    assert caught.value.path == "run 'mine'"


@pytest.mark.parametrize("empty", [dict, list, tuple])
def test_no_runs_at_all_are_refused(empty: Callable[[], object]) -> None:
    with pytest.raises(InputError):
        load(QRELS, empty())


def test_a_document_twice_in_a_topic_is_refused() -> None:
    rows = [*rows_of(RUN), ("q2", "d3", 9.0)]
    with pytest.raises(InputError, match="document 'd3' appears twice in topic 'q2'") as caught:
        load(QRELS, {"mine": rows})
    assert (caught.value.path, caught.value.line) == ("run 'mine'", None)


def test_two_runs_with_one_name_are_refused() -> None:
    class Named:
        name = "bm25"

        def to_dict(self) -> Run:
            return RUN

    assert [run.tag for run in runs_of([Named()])] == ["bm25"]
    with pytest.raises(InputError, match="two runs have the same name"):
        load(QRELS, [Named(), Named()])


def test_runs_of_a_generator_of_tuples_is_one_run() -> None:
    def rows() -> Iterator[Row]:
        yield from rows_of(RUN)

    (run,) = runs_of(rows())
    assert (run.tag, run.topics) == ("run", ("q1", "q2"))


def test_a_masked_value_is_no_number() -> None:
    qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": pd.Series([np.ma.masked], dtype=object)})
    with pytest.raises(InputError, match="is not a number"):
        load(qrels, {"mine": {"q1": {"d1": 1.0}}})
