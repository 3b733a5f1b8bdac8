"""Runs and judgments in every format: each gives the collection that the same data give in TREC's columns."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from irgauge import Collection, InputError, load
from irgauge.reading.formats import read_qrels, read_run
from irgauge.scoring.scores import score
from oracles.every_format import (
    COMPRESS,
    QRELS,
    RUNS,
    Names,
    Qrels,
    Run,
    as_json,
    frame,
    json_lines,
    parquet,
    ranked,
    records,
    rows,
    some_data,
    stacked,
    table,
    three,
    trec_qrels,
    trec_run,
)
from oracles.sameness import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")  # a run lacks a topic on purpose

DATA = some_data(seed=1)
OTHER = some_data(seed=2)[1]
SAID = {  # notes that a format adds
    "TREC, more columns": {"mine: 2 columns after the tag left out"},
    "three columns of MS MARCO": {"mine: its third column is read as ranks, 1 the best"},
}


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def in_trec(folder: Path, qrels: Qrels, runs: Mapping[str, Run]) -> Collection:
    """What all formats are compared with."""
    paths = [written(folder / f"trec {name}", trec_run(run, name)) for name, run in runs.items()]
    return load(written(folder / "trec qrels", trec_qrels(qrels)), paths)


@pytest.fixture(scope="module")
def trec(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """The data in TREC's columns, the run called mine."""
    return in_trec(tmp_path_factory.mktemp("trec"), DATA[0], {"mine": DATA[1]})


def assert_equal(made: Collection, expected: Collection, but: Sequence[str] = ()) -> None:
    """The same collection, and the same scores."""
    assert_same(made, expected, but=["origins", *but])
    own, others = (score(one, ["AP", "nDCG@10"]).values for one in (made, expected))
    np.testing.assert_array_equal(own, others)
    assert np.ptp(own) > 0  # not all the same


@pytest.mark.parametrize(
    ("form", "end"), [(form, end) for form in RUNS for end in COMPRESS if not (form == "ranx" and end)]
)
def test_a_run_is_the_same_in_every_format(form: str, end: str, trec: Collection, tmp_path: Path) -> None:
    qrels, run = DATA
    path = written(tmp_path / f"mine{end}", COMPRESS[end](RUNS[form](run)))
    made = load(qrels, path)
    assert_equal(made, trec, but=["notes", "headers"])
    assert set(map(str, made.notes)) == SAID.get(form, set()) | set(map(str, trec.notes))
    assert made.headers == ({"mine": {"platform": {"os": "linux"}}} if form == "TREC, a header" else {})


@pytest.mark.parametrize(
    ("form", "end"), [(form, end) for form in QRELS for end in COMPRESS if not (form == "ranx" and end)]
)
def test_judgments_are_the_same_in_every_format(form: str, end: str, trec: Collection, tmp_path: Path) -> None:
    qrels, run = DATA
    path = written(tmp_path / f"qrels{end}", COMPRESS[end](QRELS[form](qrels)))
    assert_equal(load(str(path), {"mine": run}), trec)


def test_a_folder_may_hold_runs_of_many_formats(tmp_path: Path) -> None:
    qrels, run = DATA
    (tmp_path / "runs").mkdir()
    runs = {f"s{i:02}": {topic: dict(list(of.items())[i:]) for topic, of in run.items()} for i in range(len(RUNS))}
    for (name, one), write in zip(runs.items(), RUNS.values(), strict=True):
        written(tmp_path / "runs" / f"{name}.json", write(one))
    expected = in_trec(tmp_path, qrels, runs)
    made = load(tmp_path / "trec qrels", tmp_path / "runs", name_by="file")
    assert made.systems == tuple(runs)
    assert_equal(made, expected, but=["notes", "headers"])


# names of columns

TOPIC = ["query_id", "qid", "q_id", "topic", "topic_id", "query-id", "Query ID", "QID"]
DOCNO = ["doc_id", "docno", "corpus_id", "document", "document_id", "docid", "corpus-id", "DocNo"]
GRADE = ["relevance", "label", "grade", "rel", "qrel", "score", "Relevance", "REL"]


def tables(nested: Qrels | Run, names: Names) -> dict[str, bytes]:
    return {
        "mine.csv": table(nested, names),
        "mine.tsv": table(nested, names, "\t"),
        "mine.jsonl": json_lines(nested, names),
        "mine.parquet": parquet(nested, names),
    }


@pytest.mark.parametrize(("topic", "docno"), list(zip(TOPIC, DOCNO, strict=True)))
def test_columns_of_runs_have_any_usual_name(topic: str, docno: str, trec: Collection, tmp_path: Path) -> None:
    qrels, run = DATA
    for name, data in tables(run, (topic, docno, "Score")).items():
        assert_equal(load(qrels, written(tmp_path / name, data)), trec)
    assert_equal(load(qrels, {"mine": frame(run, (topic, docno, "Score"))}), trec)


@pytest.mark.parametrize(("topic", "grade"), list(zip(TOPIC, GRADE, strict=True)))
def test_columns_of_judgments_have_any_usual_name(topic: str, grade: str, trec: Collection, tmp_path: Path) -> None:
    qrels, run = DATA
    names = (topic, "corpus-id", grade)
    for name, data in tables(qrels, names).items():
        assert_equal(load(written(tmp_path / name, data), {"mine": run}), trec)
    assert_equal(load(frame(qrels, names), {"mine": run}), trec)
    assert_equal(load(pd.DataFrame(records(qrels, names)), {"mine": run}), trec)


def test_a_rank_orders_where_there_is_no_score(tmp_path: Path) -> None:
    """With the columns of PyTerrier, whose docid is a number of its own."""
    qrels = {"q1": {"d1": 1, "d2": 0, "d3": 2}}
    ranked = "qid,docid,docno,rank\nq1,0,d2,0\nq1,1,d3,1\nq1,2,d1,2\n"
    both = "qid,docid,docno,rank,score\nq1,0,d2,2,3.5\nq1,1,d3,0,2.5\nq1,2,d1,1,1.5\n"
    expected = load(qrels, {"mine": {"q1": {"d2": 3.0, "d3": 2.0, "d1": 1.0}}})
    for text in (ranked, both):
        assert_equal(load(qrels, written(tmp_path / "mine.csv", text.encode())), expected)
        assert_equal(load(qrels, {"mine": pd.read_csv(io.StringIO(text))}), expected)


# grades


@pytest.mark.parametrize("form", ["three columns", "JSON", "CSV", "JSON lines", "Parquet"])
def test_grades_may_be_floats_that_are_whole(form: str, trec: Collection, tmp_path: Path) -> None:
    qrels, run = DATA
    floats: Any = {topic: {docno: float(grade) for docno, grade in of.items()} for topic, of in qrels.items()}
    assert_equal(load(written(tmp_path / "qrels", QRELS[form](floats)), {"mine": run}), trec)
    assert_equal(load(frame(floats, ("q_id", "docno", "rel")), {"mine": run}), trec)


LINE_OF_FRACTION = {"TREC": 2, "MS MARCO": 2, "BEIR": 3, "three columns": 2, "CSV": 3, "TSV": 3, "JSON lines": 2}


@pytest.mark.parametrize("form", QRELS)
def test_a_grade_that_is_a_fraction_is_refused_where_it_is(form: str, tmp_path: Path) -> None:
    qrels: Any = {"q1": {"d1": 1, "d2": 0.5, "d3": 1}}
    path = written(tmp_path / "qrels", QRELS[form](qrels))
    with pytest.raises(InputError, match=r"the grade '?0.5'?( in row 2)? is not a whole number") as caught:
        read_qrels(path)
    assert (caught.value.path, caught.value.line) == (str(path), LINE_OF_FRACTION.get(form))


# several runs in one file


def assert_two_runs(made: Collection, folder: Path) -> None:
    qrels, run = DATA
    assert made.systems == ("a", "b")
    assert_equal(made, in_trec(folder, qrels, {"a": run, "b": OTHER}))


TWO = {"a": DATA[1], "b": OTHER}


@pytest.mark.parametrize("name_by", [None, "tag", "file"])
@pytest.mark.parametrize("end", ["", ".gz", ".lz4"])
def test_several_runs_in_a_json_file_have_their_keys_for_names(end: str, name_by: Any, tmp_path: Path) -> None:  # noqa: ANN401  # a literal
    path = written(tmp_path / f"x.json{end}", COMPRESS[end](json.dumps(TWO, indent=2).encode()))
    assert_two_runs(load(DATA[0], path, name_by=name_by), tmp_path)


@pytest.mark.parametrize("column", ["system", "name", "run", "model", "tag", "Model"])
def test_a_column_names_the_runs_of_a_table(column: str, tmp_path: Path) -> None:
    both = stacked(TWO, column)
    both.write_csv(tmp_path / "x.csv")
    both.write_ndjson(tmp_path / "x.jsonl")
    both.write_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.json").write_text(json.dumps(both.to_dicts()))
    (tmp_path / "x.csv.gz").write_bytes(COMPRESS[".gz"]((tmp_path / "x.csv").read_bytes()))
    for name in ("x.csv", "x.jsonl", "x.parquet", "x.json", "x.csv.gz"):
        assert_two_runs(load(DATA[0], tmp_path / name), tmp_path)
    for given in (both, pd.DataFrame(both.to_dict(as_series=False)), both.to_dicts()):
        assert_two_runs(load(DATA[0], given), tmp_path)


def test_an_error_in_a_stacked_table_names_the_run_and_the_line(tmp_path: Path) -> None:
    text = b"system,qid,docno,score\na,q1,d1,2\nb,q1,d1,2\na,q1,d2,1\nb,q1,d1,1\n"
    path = written(tmp_path / "x.csv", text)
    with pytest.raises(InputError, match="document 'd1' appears twice in topic 'q1'") as caught:
        load({"q1": {"d1": 1}}, path)
    assert (caught.value.path, caught.value.line) == (f"{path} (b)", 5)


def test_one_run_is_needed_where_it_has_a_name(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", json.dumps(TWO).encode())
    with pytest.raises(InputError, match=r"the file holds 2 runs \(a, b, ...\) where one is needed") as caught:
        load(DATA[0], {"mine": path})
    assert caught.value.path == str(path)


# names of runs


def test_runs_are_named_by_tag_or_by_file(tmp_path: Path) -> None:
    qrels, run = DATA
    (tmp_path / "runs").mkdir()
    for name, data in {
        "one.run": trec_run(run, "bm25"),
        "two.csv": stacked({"dph": run}, "tag").write_csv().encode(),
        "three.json": as_json(run),
    }.items():
        written(tmp_path / "runs" / name, data)
    assert load(qrels, tmp_path / "runs").systems == ("bm25", "dph", "three")
    assert load(qrels, tmp_path / "runs", name_by="tag").systems == ("bm25", "dph", "three")
    assert load(qrels, tmp_path / "runs", name_by="file").systems == ("one", "three", "two")
    written(tmp_path / "runs" / "four.run", trec_run(run, "bm25"))
    assert load(qrels, tmp_path / "runs").systems == ("dph", "four", "one", "three")
    with pytest.raises(InputError, match="two runs have the same name 'bm25'"):
        load(qrels, tmp_path / "runs", name_by="tag")
    with pytest.raises(InputError, match="way to name runs"):
        load(qrels, tmp_path / "runs", name_by="name")  # type: ignore[arg-type]


# columns after the tag, and columns without names


@pytest.mark.parametrize("more", [1, 3])
def test_columns_after_the_tag_are_left_out_with_a_note(more: int, tmp_path: Path) -> None:
    run = read_run(written(tmp_path / "x", trec_run(DATA[1], more=" 1" * more)))
    assert run.tag == "mine"
    assert run.notes == (f"{more} column{'s' * (more > 1)} after the tag left out",)
    assert len(run.scores) == len(rows(DATA[1]))


@pytest.mark.parametrize(
    ("line", "sixth"),
    [
        ("q1 Q0 a doc{i} 1 2.5 mine", "the number 2.5"),
        ("a topic Q0 doc{i} 1 2.5 mine", "the number 2.5"),
        ("q1 Q0 a doc 1 {i}.5 mine", "not the same on all lines"),
        ("q1 Q0 doc{i} 1 2.5 tag{i} more", "not the same on all lines"),
    ],
)
def test_more_columns_are_refused_where_the_sixth_is_no_tag(line: str, sixth: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x", "".join(line.format(i=i) + "\n" for i in range(2)).encode())
    with pytest.raises(InputError, match=f"7 columns where a run has 6.*it is {sixth}: is there a space") as caught:
        read_run(path)
    assert (caught.value.path, caught.value.line) == (str(path), 1)


def test_three_columns_without_names_are_ranks_or_scores(trec: Collection, tmp_path: Path) -> None:
    qrels, run = DATA
    made = load(qrels, written(tmp_path / "mine", three(run)))
    assert "mine: its third column is read as scores" in map(str, made.notes)
    assert_equal(made, trec, but=["notes"])
    for bad in (b"q1 d1 3\nq1 d2 2\n", b"q1 d1 0\nq1 d2 1\n", b"q1 d1 1\nq1 d2 1\n"):
        path = written(tmp_path / "y", bad)
        with pytest.raises(InputError, match="a third column of whole numbers is read as ranks") as caught:
            read_run(path)
        assert caught.value.path == str(path)


# files that ranx itself writes


@pytest.fixture(scope="module")
def writers() -> Any:  # noqa: ANN401  # ranx has no types
    """What `save` of ranx's objects calls, once numba has compiled these for 15 s."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("ranx.io", reason="ranx cannot be imported", exc_type=ImportError)


def test_files_of_ranx_are_read(writers: Any, trec: Collection, tmp_path: Path) -> None:  # noqa: ANN401  # no types
    qrels, run = DATA
    by_rank = {topic: {docno: run[topic][docno] for docno in docnos} for topic, docnos in ranked(run).items()}
    writers.save_json(qrels, tmp_path / "qrels.json")
    writers.save_lz4(qrels, tmp_path / "qrels.lz4")
    writers.save_json(by_rank, tmp_path / "mine.json")
    writers.save_lz4(by_rank, tmp_path / "mine.lz4")
    for judged in ("qrels.json", "qrels.lz4"):
        for made in ("mine.json", "mine.lz4"):
            assert_equal(load(tmp_path / judged, tmp_path / made), trec)
