"""Files that are refused: the error says what a file looks like, where it is wrong, and what to do."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import lz4.frame
import numpy as np
import polars as pl
import pytest

from irgauge import InputError, load, load_scores
from irgauge.reading.formats import read_qrels, read_run, read_runs
from oracles.every_format import QRELS, RUNS, cbor, mteb, parquet

pytestmark = pytest.mark.filterwarnings("ignore::irgauge.errors.DataWarning")

Reader = Callable[[Path], Any]
QREL = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
RUN = {"q1": {"d1": 2.5, "d2": 1.5, "d3": 0.5}}


def assert_refused(read: Reader, path: Path, message: str, line: int | None = None) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def written(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


# files that are something else


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mine.run", "q1 Q0 d1 1 2.5 mine\n")
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("mine.run"), io.BytesIO())
    return file.getvalue()


def array() -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


def arrow() -> bytes:
    file = io.BytesIO()
    pl.DataFrame({"qid": ["q1"]}).write_ipc(file)
    return file.getvalue()


LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab\nsize 12345\n"
FOREIGN: dict[str, tuple[bytes, str]] = {
    "zip": (zipped(), r"this is a zip archive \(unpack it, .*\) or an Excel file \(save it as CSV\)"),
    "tar": (tarred(), "this is a tar archive; unpack it"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "this is a PDF; name the text file"),
    "PNG": (b"\x89PNG\r\n\x1a\n\x00\x00", r"this is an image \(PNG\)"),
    "JPEG": (b"\xff\xd8\xff\xe0\x00\x10JFIF", r"this is an image \(JPEG\)"),
    "GIF": (b"GIF89a\x01\x00", r"this is an image \(GIF\)"),
    "SQLite": (b"SQLite format 3\x00\x10\x00", "this is an SQLite database; write its rows to a CSV file"),
    "pickle": (pickle.dumps(RUN), "this is a pickle; load it in Python, and give the object to irgauge.load"),
    "NumPy": (array(), "this is an array of NumPy; load it in Python"),
    "Arrow": (arrow(), "this is an Arrow file; write it as Parquet"),
    "UTF-16": ("q1 Q0 d1 1 2.5 mine\n".encode("utf-16"), "this is text in UTF-16; convert the file to UTF-8"),
    "Git LFS": (LFS.encode(), "this is a pointer of Git LFS, not the file itself; run `git lfs pull`"),
    "HTML": (b"\n<!DOCTYPE html>\n<html>", "this is a web page; download the file itself"),
    "HTML without a type": (b"<HTML><head>", "this is a web page"),
    "topics": (b"<top>\n<num> Number: 401\n", "this is topics or documents in XML, not runs, judgments or scores"),
    "XML": (b'<?xml version="1.0"?>\n<topics>', "this is topics or documents in XML"),
}


@pytest.mark.parametrize("read", [read_runs, read_qrels])
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_of_another_kind_is_named(kind: str, read: Reader, tmp_path: Path) -> None:
    data, message = FOREIGN[kind]
    assert_refused(read, written(tmp_path / "given", data), message)


@pytest.mark.parametrize("kind", FOREIGN)
def test_it_is_named_in_place_of_any_file(kind: str, tmp_path: Path) -> None:
    data, message = FOREIGN[kind]
    path = written(tmp_path / "given", data)
    assert_refused(lambda one: load(QREL, one), path, message)
    assert_refused(lambda one: load(one, RUN), path, message)
    assert_refused(load_scores, path, message)


# scores, runs and judgments in each other's place

SCORES: dict[str, tuple[str | bytes, str]] = {
    "long": ("topic,system,score\nq1,a,0.5\n", "it looks like a table of scores; give it alone, without judgments"),
    "of PyTerrier": ("name,qid,measure,value\na,q1,AP,0.5\n", "looks like a table"),
    "wide": ("topic,bm25,dph\nq1,0.5,0.25\n", "looks like a table with ','"),
    "JSON lines": ('{"query_id": "q1", "measure": "AP", "value": 0.5}\n', "it looks like a table of scores"),
    "JSON list": ('[{"topic": "q1", "system": "a", "score": 0.5}]', "it looks like a table of scores"),
}


@pytest.mark.parametrize("read", [read_runs, read_qrels])
@pytest.mark.parametrize("form", SCORES)
def test_a_table_of_scores_is_no_run(form: str, read: Reader, tmp_path: Path) -> None:
    data, message = SCORES[form]
    with pytest.raises(InputError, match=message) as caught:
        read(written(tmp_path / "given", data))
    assert caught.value.path == str(tmp_path / "given")


def test_a_parquet_table_of_scores_is_no_run(tmp_path: Path) -> None:
    pl.DataFrame({"topic": ["q1"], "system": ["a"], "score": [0.5]}).write_parquet(tmp_path / "x")
    for read in (read_runs, read_qrels):
        assert_refused(read, tmp_path / "x", "it looks like a table of scores; give it alone, without judgments")


def test_a_run_in_place_of_judgments_is_told(tmp_path: Path) -> None:
    first = "name the qrels first"
    long = {"q1": {f"d{i}": 1.0 / i for i in range(1, 9)}}
    assert_refused(read_qrels, written(tmp_path / "a", RUNS["TREC"](RUN)), f"looks like a run: {first}", 1)
    ms_marco = written(tmp_path / "b", RUNS["three columns of MS MARCO"](long))
    assert_refused(read_qrels, ms_marco, f"these are ranks, not grades: this looks like a run; {first}", 1)
    ranks = written(tmp_path / "c", "qid\tdocno\trank\nq1\td1\t1\n")
    assert_refused(read_qrels, ranks, f"these are ranks, not grades: this looks like a run; {first}", 2)
    stacked = written(tmp_path / "d", "system,qid,docno,score\na,q1,d1,1\nb,q1,d1,1\n")
    assert_refused(read_qrels, stacked, rf"several systems \(a, b\): it looks like runs; {first}")
    assert_refused(read_qrels, written(tmp_path / "e", mteb(RUN)), "this JSON has another shape")


@pytest.mark.parametrize("form", [form for form in RUNS if form not in ("TREC", "MTEB", "three columns of MS MARCO")])
def test_scores_with_fractions_are_no_grades(form: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a whole number|[68] columns where qrels have 4") as caught:
        read_qrels(written(tmp_path / "x", RUNS[form](RUN)))
    assert caught.value.path == str(tmp_path / "x")


def test_swapped_arguments_are_told(tmp_path: Path) -> None:
    qrels, run = written(tmp_path / "qrels", QRELS["TREC"](QREL)), written(tmp_path / "run", RUNS["TREC"](RUN))
    with pytest.raises(InputError, match="this looks like a run: name the qrels first, then the runs") as caught:
        load(run, qrels)
    assert (caught.value.path, caught.value.line) == (str(run), 1)
    with pytest.raises(InputError, match="this looks like a qrels file: name the qrels first, then the runs") as caught:
        load(qrels, [run, qrels])
    assert (caught.value.path, caught.value.line) == (str(qrels), 1)


# rows that are wrong: the message names the line, or the row where there are no lines

BAD: dict[str, tuple[str | bytes, str, int | None]] = {
    "CSV, no number": ("qid,docno,score\nq1,d1,1\n\nq1,d2,high\n", "the score 'high' is not a number", 4),
    "CSV, NaN": ("qid,docno,score\nq1,d1,nan\n", "the score 'nan' is not a number", 2),
    "CSV, no docno": ("qid,docno,score\nq1,,1\n", "there is no docno; fill it in", 2),
    "CSV, no system": ("tag,qid,docno,score\n,q1,d1,1\n", "row 1 has no tag; fill it in", 2),
    "CSV, short": ("qid,docno,score\nq1,d1,1\nq1,d2\n", "2 columns where the header has 3", 3),
    "CSV, no score": ("qid,docno,points\nq1,d1,1\n", "there is no column 'score' or 'rank'; the columns are qid", None),
    "CSV, one name twice": ("qid,docno,score,score\nq1,d1,1,2\n", "two columns are called 'score'", 1),
    "CSV, names alone": ("qid,docno,score\n", "there are no rows", None),
    "CSV, between spaces": (
        "qid docno score tag\nq1 d1 1 a\n",
        "names columns between spaces; separate the columns",
        1,
    ),
    "CSV, a line break": ('qid,docno,score\nq1,"d\n1",1\n', "the docno 'd\\\\n1' holds a line break", 3),
    "CSV, a quote that stays open": (
        'qid,docno,score\nq1,"d,1\n' + "q1,d1,1\n" * 20_000,
        r"this is not a readable CSV file \(.{0,100}\); is a quote not closed\?$",
        None,
    ),
    "CSV, a control character": ("qid,docno,score\n\x1c\nq1,d1,x\n", "the score 'x' is not a number", 3),
    "CSV, compressed twice": (gzip.compress(gzip.compress(b"qid,docno,score\n")), "not UTF-8 text", 1),
    "BEIR, names alone": ("query-id\tcorpus-id\tscore\n", "there are no rows below the names", None),
    "BEIR, no number": ("query-id\tcorpus-id\tscore\n\nq1\td1\tx\n", "the score 'x' is not a number", 3),
    "BEIR, short": ("query-id\tcorpus-id\tscore\nq1\td1\n", "2 columns where the lines above have 3", 2),
    "JSON lines, no number": ('\n{"qid": 1, "docno": 2, "score": "x"}\n' * 2, "the score 'x' is not a number", 2),
    "JSON lines, no topic": (
        '{"qid": "q1", "docno": "d1", "score": 1}\n{"qid": null, "docno": "d1", "score": 1}\n',
        "there is no topic; fill it in",
        2,
    ),
    "JSON lines, cut off": ('{"qid": "q1", "docno": "d1", "score": 1}\n{"qid": "q1", "do', "this is not JSON", 2),
    "JSON lines, no object": ('{"qid": "q1", "docno": "d1", "score": 1}\n[1]\n', "this line is not a JSON object", 2),
    "JSON lines, a comment in Latin-1": (
        b'# \xe9\n{"qid": "q1", "docno": "d1", "score": 1}\n{"qid": "q1", "docno": "d2", "score": 1}\n',
        "this is not UTF-8 text",
        None,
    ),
    "JSON list of nothing": ("[]", "there are no rows", None),
    "JSON list of numbers": ("[1, 2]", "record 1 is a int, not an object with names", None),
    "JSON, no number": ('{"q1": {"d1": 1, "d2": null}}', "the score None in row 2 is not a number", None),
    "JSON, NaN": ('{"q1": {"d1": NaN}}', "the score nan in row 1 is not a number", None),
    "JSON, cut off": ('{"q1":\n {"d1": 1, "d2"', "this is not valid JSON .*; was it written to the end", 2),
    "JSON, a key twice": ('{"q1": {"d1": 1, "d1": 2}}', "the key 'd1' appears twice in one object", None),
    "JSON, a topic twice": ('{"q1": {"d1": 1}, "q1": {"d2": 2}}', "the key 'q1' appears twice in one object", None),
    "JSON, lists": ('{"q1": ["d1", "d2"]}', r"such as {'q1': a list}; a run is {topic: {docno: score}}", None),
    "JSON, results": ('{"AP": 0.5}', r"another shape, such as {'AP': a number}", None),
    "JSON, nothing": ("{}", "this JSON holds no topics", None),
    "JSON, in Latin-1": ('{"q1": {"é": 1}}'.encode("latin-1"), "this is not UTF-8 text", None),
    "JSON, half a character": ('{"q1": {"\\ud800": 1}}', "an escape such as '.*' is half a character", None),
    "JSON, half a name": ('{"\\ud800": {"q1": {"d1": 1}}}', "an escape such as '.*' is half a character", None),
    "JSON lines, half": ('{"qid": "\\udc00", "docno": "d", "score": 1}', "is half a character", None),
    "JSON, too deep": ('{"a":' * 100_000, "this JSON cannot be read", None),
    "JSON, a very long number": ('{"q1": {"d1": ' + "9" * 5000 + "}}", "this JSON cannot be read", None),
    "MTEB, no retrieval": ('{"mteb_model_meta": {}, "default": {"test": [1]}}', "is it a retrieval task", None),
    "MTEB, no topics": ('{"mteb_model_meta": {}}', "the predictions of MTEB have no topics", None),
    "MTEB, a topic twice": (
        '{"mteb_model_meta": {}, "default": {"test": {"q1": {"d1": 1}}, "dev": {"q1": {"d1": 1}}}}',
        "topic 'q1' is in 'default.dev' and in another split",
        None,
    ),
    "ranx, cut off": (cbor2.dumps(RUN)[:-4], "this is not a readable file of ranx", None),
    "ranx, other keys": (cbor2.dumps({1: {2: 3}}), "more than mappings, text and numbers", None),
    "ranx, a huge number": (cbor2.dumps({"q1": {"d1": 10**6000}}), "more than mappings, text and num", None),
    "LZ4, cut off": (cbor(RUN)[:-4], "the compressed file is cut off or damaged", None),
    "Parquet, cut off": (parquet(RUN, ("qid", "docno", "score"))[:-40], "not a readable Parquet file", None),
    "three fields with a Unicode space": ("q\u00a01 d1\n", "2 columns where a run has 6", 1),
    "a comment that is none": (" # x\nq1 d1 1\n", "2 columns where a run has 6", 1),
}


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_row_is_located(name: str, tmp_path: Path) -> None:
    data, message, line = BAD[name]
    assert_refused(read_run, written(tmp_path / "x", data), message, line)


def test_a_document_twice_is_located_in_every_format(tmp_path: Path) -> None:
    twice = {
        "csv": ("qid,docno,score\nq1,d1,1\nq2,d1,1\nq1,d1,2\n", 4),
        "tsv": ("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td1\t1\nq1\td1\t2\n", 4),
        "jsonl": ('{"qid": "q1", "docno": "d1", "score": 1}\n' * 2, 2),
        "marco": ("q1\td1\t1\nq1\td1\t2\n", 2),
    }
    for name, (text, line) in twice.items():
        message = "document 'd1' appears twice in topic 'q1'"
        assert_refused(lambda one: load(QREL, one), written(tmp_path / name, text), message, line)


# tables of scores


def test_odd_tables_of_scores_are_refused(tmp_path: Path) -> None:
    assert_refused(load_scores, written(tmp_path / "a", "\x0b,,"), "this is not a readable CSV file")
    assert_refused(load_scores, written(tmp_path / "b", '{"\\ud800": {"q1": 0.5}}'), "is half a character")
    assert_refused(load_scores, written(tmp_path / "c", b'# \xe9\n{"qid": 1}\n{"qid": 2}'), "this is not UTF-8 text")
    structs = pl.DataFrame({"topic": ["1"], "system": ["a"], "score": [{"AP": 0.5}]})
    structs.write_parquet(tmp_path / "d")
    assert_refused(load_scores, tmp_path / "d", "the scores are of type Struct")


def test_odd_names_in_tables_of_scores_are_read(tmp_path: Path) -> None:
    wide = load_scores(written(tmp_path / "a.csv", "bm25,score\n0.5,0.25\n0.125,1\n"))
    assert (wide.systems, wide.values.ravel().tolist()) == (("bm25", "score"), [0.5, 0.25, 0.125, 1.0])
    large = load_scores(written(tmp_path / "b.json", '[{"topic": 1, "system": 1e19, "score": 0.5}]'))
    assert large.values.ravel().tolist() == [0.5]
    commented = load_scores(written(tmp_path / "d.jsonl", '# x\n{"qid": 1, "AP": 0.5}\n{"qid": 2, "AP": 1}\n'))
    assert (commented.topics, commented.systems) == (("1", "2"), ("d",))
    numbered = load_scores(written(tmp_path / "c.csv", "topic,system,score,number of the row\n1,a,0.5,x\n"))
    assert numbered.systems == ("a",)


# packages that are not installed


@pytest.mark.parametrize(
    ("package", "form", "message"),
    [
        ("lz4.frame", "TREC", r"compressed by LZ4; to read it, install lz4 \(pip install lz4\)"),
        ("cbor2", "ranx", r"a file of ranx; to read it, install cbor2 \(pip install cbor2\)"),
    ],
)
def test_a_package_that_is_needed_is_named(
    package: str, form: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = RUNS[form](RUN)
    path = written(tmp_path / "x", data if form == "ranx" else lz4.frame.compress(data))
    monkeypatch.setitem(sys.modules, package, None)
    assert_refused(lambda one: load(QREL, one), path, message)


def test_a_text_in_place_of_a_path_is_no_file() -> None:
    """Of a text that is too long for a name the system says something else than of a file that is not there."""
    text = json.dumps(RUN) * 50
    for given in (text, "d" * 300):
        with pytest.raises(InputError, match="there is no such file"):
            load(given, RUN)
        with pytest.raises(InputError, match="there is no such file"):
            load(QREL, given)
