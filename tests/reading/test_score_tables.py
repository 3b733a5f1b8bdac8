"""Tables of scores in the forms that people have: all are read alike, or refused with what to do."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irgauge import DesignError, InputError, Scores, load_scores
from irgauge.reading.tables.looks import are_scores, looks
from irgauge.replicates.given import judgments_and_runs
from irgauge.scoring.scores import is_measure

CELLS = {
    (measure, topic, system): value
    for (measure, topic, system), value in zip(
        [(m, t, s) for m in ("AP", "faithfulness") for t in ("q1", "q2", "q3") for s in ("bm25", "dph")],
        [0.5, 0.25, 0.75, 1.0, 0.0, 0.125, 12.5, 3.0, -4.0, 2.0, 1.0, 0.5],
        strict=True,
    )
}
ONE = {key: value for key, value in CELLS.items() if key[0] == "AP"}
FRAME = pl.DataFrame([(*key, value) for key, value in CELLS.items()], schema=["m", "t", "s", "v"], orient="row")


def cells(found: Scores) -> dict[tuple[str, str, str], float]:
    """Every defined score by its names."""
    return {row[:3]: row[4] for row in found.frame().rows() if not np.isnan(row[4])}


def read(folder: Path, **files: str) -> Scores:
    """The tables of these texts; `a__csv` is a.csv."""
    paths = [folder / name.replace("__", ".") for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text)
    return Scores.load(*paths)


LONG = {
    "ours": ("measure", "topic", "system", "score"),
    "PyTerrier's": ("measure", "qid", "name", "value"),
    "in capitals": ("Metric", "Query-ID", "Model", "Score"),
    "ir_measures'": ("measure", "query_id", "run", "value"),
    "of a database": ("metric", "topic_id", "tag", "value"),
    "of MTEB": ("metric", "query-id", "algorithm", "value"),
}


@pytest.mark.parametrize("extension", ["csv", "tsv", "jsonl", "json", "parquet"])
@pytest.mark.parametrize("name", LONG)
def test_columns_have_the_names_that_tools_give_them(name: str, extension: str, tmp_path: Path) -> None:
    frame = FRAME.rename(dict(zip("mtsv", LONG[name], strict=True)))
    path = tmp_path / f"x.{extension}"
    writers: dict[str, Any] = {
        "csv": frame.write_csv,
        "tsv": lambda to: frame.write_csv(to, separator="\t"),
        "jsonl": frame.write_ndjson,
        "json": lambda to: Path(to).write_text(json.dumps(frame.to_dicts())),
        "parquet": frame.write_parquet,
    }
    writers[extension](path)
    assert cells(Scores.load(path)) == CELLS
    assert are_scores(str(path), is_measure, is_alone=False)
    (tmp_path / "y.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert cells(Scores.load(tmp_path / "y.gz")) == CELLS


def test_comments_and_semicolons_and_other_columns(tmp_path: Path) -> None:
    text = "# made by hand\n#\n\nqid;query;name;note;value\nq1;what is it?;bm25;x;0.5\nq2;who is it?;bm25;y;0,25\n"
    found = read(tmp_path, map__csv=text.replace("0,25", "0.25"))
    assert cells(found) == {("AP", "q1", "bm25"): 0.5, ("AP", "q2", "bm25"): 0.25}
    assert cells(read(tmp_path, clicks__csv=text.replace("0,25", ""))) == {("score", "q1", "bm25"): 0.5}


# wide


def wide(topic: str | None = "topic", **of: str) -> str:
    """Topics down, systems across."""
    head = [topic, "bm25", "dph"] if topic is not None else ["bm25", "dph"]
    rows = [
        [*([t] if topic is not None else []), *(str(CELLS[of.get("measure", "AP"), t, s]) for s in ("bm25", "dph"))]
        for t in ("q1", "q2", "q3")
    ]
    return "\n".join(map(",".join, [head, *rows])) + "\n"


@pytest.mark.parametrize("topic", ["topic", "qid", "", "Unnamed: 0", "id", "Query"])
def test_a_column_for_each_system(topic: str, tmp_path: Path) -> None:
    found = read(tmp_path, ap__csv=wide(topic))
    assert cells(found) == {("AP", t, s): value for (_, t, s), value in ONE.items()}


def test_topics_that_have_no_names_are_numbered(tmp_path: Path) -> None:
    found = read(tmp_path, adhoc8_ap__csv=wide(None))
    assert (found.topics, found.systems, found.files) == (("1", "2", "3"), ("bm25", "dph"), ("adhoc8_ap.csv",))
    assert [str(one) for one in found.measures] == ["adhoc8_ap"]
    np.testing.assert_array_equal(found.values.ravel(), list(ONE.values()))


def test_several_wide_files_are_several_measures(tmp_path: Path) -> None:
    found = read(tmp_path, AP__csv=wide(), faithfulness__csv=wide(measure="faithfulness"))
    assert cells(found) == CELLS


def test_measures_across(tmp_path: Path) -> None:
    """As PyTerrier's frame is pivoted, with a column of systems; or a file for each system."""
    wide = FRAME.pivot(on="m", index=["s", "t"], values="v").rename({"s": "name", "t": "qid"})
    wide.write_csv(tmp_path / "x.csv")
    assert cells(Scores.load(tmp_path / "x.csv")) == CELLS
    each = FRAME.with_columns(pl.col("m").replace("faithfulness", "P@10"))
    for (name,), part in each.group_by("s"):
        part.pivot(on="m", index="t", values="v").rename({"t": "qid"}).write_csv(tmp_path / f"{name}.csv")
    found = Scores.load(tmp_path / "bm25.csv", tmp_path / "dph.csv")
    assert cells(found) == {(m.replace("faithfulness", "P@10"), t, s): v for (m, t, s), v in CELLS.items()}


def test_measures_down_and_systems_across(tmp_path: Path) -> None:
    FRAME.pivot(on="s", index=["m", "t"], values="v").rename({"m": "measure", "t": "qid"}).write_csv(tmp_path / "x.csv")
    assert cells(Scores.load(tmp_path / "x.csv")) == CELLS


def test_replicates_down_and_systems_across(tmp_path: Path) -> None:
    found = read(tmp_path, ap__csv="topic,seed,a,b\n1,7,0.5,0.1\n1,8,0.6,0.2\n2,7,0.7,0.3\n2,8,0.8,0.4\n")
    assert (found.replicates, found.systems) == (("7", "8"), ("a", "b"))
    np.testing.assert_array_equal(found.values[0, :, 0], [[0.5, 0.6], [0.7, 0.8]])


# a file for each system


def test_files_that_name_no_system_are_one_each(tmp_path: Path) -> None:
    text = {
        s: "topic,score\n" + "".join(f"{t},{CELLS['AP', t, s]}\n" for t in ("q1", "q2", "q3")) for s in ("bm25", "dph")
    }
    found = read(tmp_path, bm25__csv=text["bm25"], dph__csv=text["dph"])
    assert cells(found) == {("score", t, s): value for (_, t, s), value in ONE.items()}
    (tmp_path / "b").mkdir()
    again = tmp_path / "b" / "bm25.csv"
    again.write_text(text["dph"])
    assert Scores.load(tmp_path / "bm25.csv", again).systems == ("b/bm25", f"{tmp_path.name}/bm25")


def test_one_column_of_scores_is_a_measure(tmp_path: Path) -> None:
    found = read(tmp_path, a__csv="qid,faithfulness\nq1,0.5\nq2,1\n", b__csv="qid,faithfulness\nq1,0\nq2,1\n")
    assert ([str(one) for one in found.measures], found.systems) == (["faithfulness"], ("a", "b"))


TREC = "runid                 \tall\tmine\nmap                   \t301\t0.5000\nP_10                  \t301\t0.1000\n"
LINES = {
    "trec_eval": "map \t301\t0.5\nP_10\t301\t0.1\nmap\t302\t0.25\nP_10\t302\t0.2\nrunid\tall\tmine\nmap\tall\t0.375\n",
    "ir_measures": "301\tAP\t0.5\n301\tP@10\t0.1\n302\tAP\t0.25\n302\tP@10\t0.2\nall\tAP\t0.375\nall\tP@10\t0.15\n",
    "ir_measures -n": "301\tAP\t0.5\n301\tP@10\t0.1\n302\tAP\t0.25\n302\tP@10\t0.2\n",
    "ir_measures -o jsonl": "".join(
        json.dumps({"query_id": q, "measure": m, "value": v}) + "\n"
        for q, m, v in [
            ("301", "AP", 0.5),
            ("301", "P@10", 0.1),
            ("302", "AP", 0.25),
            ("302", "P@10", 0.2),
            ("all", "AP", 1),
        ]
    ),
    "JSON lines with null": "".join(
        json.dumps({"query_id": q, "measure": m, "value": v}) + "\n"
        for q, m, v in [
            ("301", "AP", 0.5),
            ("301", "P@10", 0.1),
            ("302", "AP", 0.25),
            ("302", "P@10", 0.2),
            (None, "AP", 1),
        ]
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_what_evaluation_tools_print(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.eval"
    path.write_text(LINES[name])
    expected = {("AP", "301"): 0.5, ("P@10", "301"): 0.1, ("AP", "302"): 0.25, ("P@10", "302"): 0.2}
    assert cells(Scores.load(path)) == {(m, t, "mine"): v for (m, t), v in expected.items()}
    assert are_scores(str(path), is_measure, is_alone=False)


def test_lines_of_several_runs_are_read_as_irgauge_writes_them(tmp_path: Path) -> None:
    found = read(tmp_path, x__trec="runid\tall\ta\nmap\t1\t0.5\nmap\tall\t0.5\nrunid\tall\tb\nmap\t1\t0.25\n")
    assert cells(found) == {("AP", "1", "a"): 0.5, ("AP", "1", "b"): 0.25}


def test_runs_of_one_tag_are_named_after_their_files(tmp_path: Path) -> None:
    found = read(tmp_path, a__eval=LINES["trec_eval"], b__eval=LINES["trec_eval"])
    assert found.systems == ("a", "b")


def test_the_folder_of_an_experiment_of_pyterrier(tmp_path: Path) -> None:
    frame = FRAME.select(pl.col("s").alias("name"), pl.col("t").alias("qid"), pl.col("m").alias("measure"), "v")
    frame.rename({"v": "value"}).write_csv(tmp_path / "perquery.csv")
    (tmp_path / "aggregated.csv").write_text("name,AP\nbm25,0.5\ndph,0.4\n")
    (tmp_path / "bm25.res.gz").write_bytes(gzip.compress(b"q1 Q0 d1 0 2.5 pyterrier\n"))
    assert cells(Scores.load(tmp_path)) == CELLS
    assert are_scores(str(tmp_path), is_measure)


# objects


def nested(*order: int) -> dict[str, Any]:
    """{measure: {topic: {system: score}}} with the levels in another order."""
    out: dict[str, Any] = {}
    for key, value in CELLS.items():
        first, second, third = (key[i] for i in order)
        out.setdefault(first, {}).setdefault(second, {})[third] = value
    return out


def test_objects_are_read_as_files_are(tmp_path: Path) -> None:
    long = FRAME.rename({"m": "measure", "t": "qid", "s": "name", "v": "value"})
    pandas = pd.DataFrame(long.to_dict(as_series=False))
    by_system = {name: part.drop(columns="name") for name, part in pandas.groupby("name")}
    records = {name: part.to_dict("records") for name, part in by_system.items()}
    objects = [long, pandas, pandas.set_index(["measure", "qid"]), by_system, records, nested(0, 2, 1)]
    objects += [pandas.pivot(index=["measure", "qid"], columns="name", values="value"), long.to_dict(as_series=False)]
    for one in objects:
        assert cells(load_scores(one, missing="fail")) == CELLS, one
    (tmp_path / "x.json").write_text(json.dumps(nested(0, 2, 1)))
    assert cells(Scores.load(tmp_path / "x.json")) == CELLS
    innermost = {"bm25": {"q1": {"map": 0.5, "P_10": 0.1}}, "dph": {"q1": {"map": 0.25, "P_10": 0.2}}}
    assert cells(load_scores(innermost))["P@10", "q1", "dph"] == 0.2


def test_the_index_of_a_pandas_frame_names_the_topics() -> None:
    frame = pd.DataFrame({"bm25": [0.5, 0.25], "dph": [1.0, 0.0]}, index=["q7", "q8"])
    assert load_scores(frame).topics == ("q7", "q8")
    assert load_scores(frame.rename_axis("query")).topics == ("q7", "q8")
    assert load_scores(frame.reset_index(drop=True)).topics == ("1", "2")


def test_one_measure_may_be_named() -> None:
    table = {"bm25": {"q1": 0.5, "q2": 0.25}, "dph": {"q1": 1.0, "q2": 0.0}}
    columns = {"bm25": [0.5, 0.25], "dph": [1.0, 0.0]}
    array = np.array([[0.5, 1.0], [0.25, 0.0]])
    for one in (table, columns, array):
        found = load_scores(one, measure="faithfulness")
        assert [str(measure) for measure in found.measures] == ["faithfulness"]
        np.testing.assert_array_equal(found.values[0, :, :, 0], array)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 3), st.randoms())
def test_arrays_have_topics_systems_and_replicates(topics: int, systems: int, replicates: int, random: Any) -> None:  # noqa: ANN401  # random.Random
    shape = (topics, systems, replicates) if replicates else (topics, systems)
    array = np.array([random.random() for _ in range(int(np.prod(shape)))]).reshape(shape)
    found = load_scores(array, systems=[f"s{i}" for i in range(systems)], topics=[f"t{i}" for i in range(topics)])
    np.testing.assert_array_equal(found.values[0], array.reshape(topics, systems, -1))
    assert (found.systems[0], found.topics[-1]) == ("s0", f"t{topics - 1}")


BAD_OBJECTS: dict[str, tuple[Any, str]] = {
    "a number": (3, "a int cannot be read; give the path of a table"),
    "averages": ({"bm25": 0.5, "dph": 0.25}, "these are one number for each name, such as averages"),
    "means of measures": (
        {"bm25": {"AP": 0.5}, "dph": {"AP": 0.25}},
        "can be read in two ways: as averages of the sys",
    ),
    "uneven": ({"a": {"q1": 0.5}, "b": {"q1": {"AP": 0.5}}}, "b.q1.AP is 3 levels deep, and others are 2"),
    "a run": ({"a": {"b": {"q1": {"d1": 0.5}}}}, "mappings 4 levels deep"),
    "columns of other lengths": ({"a": [0.5], "b": [0.5, 0.1]}, r"different lengths \(a: 1, b: 2\)"),
    "no scores": ({}, "there are no scores"),
    "an array of text": (np.array([["a"]]), "the array has 2 axes of <U1"),
    "an array of one axis": (np.array([0.5]), "the array has 1 axes"),
    "a frame without systems": (pl.DataFrame({"topic": ["1"], "score": [0.5]}), "the table has no column 'system'"),
}


@pytest.mark.parametrize("name", BAD_OBJECTS)
def test_objects_that_cannot_be_read(name: str) -> None:
    given, message = BAD_OBJECTS[name]
    with pytest.raises(InputError, match=message):
        load_scores(given)


def test_names_are_for_arrays_of_their_size() -> None:
    with pytest.raises(InputError, match="names of systems and topics are for arrays"):
        load_scores(FRAME, systems=["a"])
    with pytest.raises(InputError, match="1 names of systems were given for 2 in the array"):
        load_scores(np.zeros((2, 2)), systems=["a"])
    with pytest.raises(InputError, match="no scores were given"):
        load_scores()


# topics that a system lacks


LACKING = {"a": {"1": 0.5, "2": 0.25, "3": 0.75}, "b": {"1": 0.5, "3": 1.0}}


def test_topics_that_a_system_lacks_are_treated_as_for_runs() -> None:
    zero = load_scores(LACKING, missing="zero")
    assert zero.values[0, :, 1, 0].tolist() == [0.5, 0.0, 1.0]
    assert zero.missing is not None
    assert zero.missing.fact == {"rule": "zero", "topics": 1, "of": 3, "systems": {"b": 1}}
    drop = load_scores(LACKING, missing="drop")
    assert (drop.topics, drop.values[0, :, 1, 0].tolist()) == (("1", "3"), [0.5, 1.0])
    with pytest.raises(
        InputError, match=r"scores are missing on some of the 3 topics:\n  b: 1 topic \(2\)\ncomplete the table"
    ):
        load_scores(LACKING)
    assert load_scores(drop.frame(), missing="fail").topics == ("1", "3")


def test_a_negative_measure_has_no_zero_to_give() -> None:
    table = {"a": {"1": -0.5, "2": -0.25}, "b": {"1": -0.5}}
    with pytest.raises(InputError, match="b has no score on topic '2', and score has negative scores"):
        load_scores(table, missing="zero")
    assert load_scores(table, missing="drop").topics == ("1",)


# tables that can be read in two ways, or not at all


BAD_TEXT: dict[str, tuple[str, str]] = {
    "long or wide": (
        "qid,score,bm25\n1,0.5,0.2\n2,0.5,0.1\n",
        "two ways: 'score' is the score of one system, or 'score' and",
    ),
    "systems or measures": ("qid,AP,other\n1,0.5,0.2\n", "'AP' is a measure, and 'other' may be a measure or a system"),
    "topics or a system": (
        "num,a,b\n301,0.5,0.2\n302,0.1,0.2\n303,0.5,0.7\n",
        "'num' can be read in two ways: as the topics",
    ),
    "a topic without that name": (
        "which,a,b\nx,0.5,0.2\n",
        "'which' does not hold scores; say which column holds the topics",
    ),
    "a system called model": (
        "qid,bm25,model\n1,0.5,0.25\n2,0.5,0.75\n",
        "'model' can be read in two ways: as the system",
    ),
    "two columns of one kind": (
        "qid,run,model,value\n1,a,b,0.5\n",
        "the columns 'run' and 'model' hold the same label",
    ),
    "a run": ("qid,docno,score\n1,d1,0.5\n", "the table has documents|looks like judgments or a run"),
    "one name twice": ("qid,a,a\n1,0.5,0.2\n", "two columns are called 'a'"),
    "no header": ("0.5,0.2\n0.1,0.3\n", "the first line holds numbers, and no names of columns"),
    "no topic": ("system,score\na,0.5\n", r"no column 'topic' \(or topic_id, query_id, qid"),
    "no score": ("measure,qid,name\nAP,1,a\n", r"no column 'score' \(or value\); it has measure, qid, name"),
    "a bad cell": ("topic,a,b\n1,0.5,0.2\n2,high,0.1\n", "the score 'high' is not a number"),
    "one column": ("a\n0.5\n", "no column 'topic'"),
    "averages only": ("topic,system,score\nall,a,0.5\n", "averages over all topics only"),
    "a cell twice": ("topic,a,b\n1,0.5,0.2\n1,0.4,0.1\n", "topic '1', system 'a', replicate 'all' appears twice"),
    "JSON of one number": ("[0.5]", "record 1 is a float, not an object"),
    "JSON lines cut off": ('{"qid": "1", "name": "a", "value": 1}\n{"qid": "2", "na', "this is not JSON"),
    "lines of two orders": ("all AP 0.5\nAP all 0.5\n", "the lines can be read in two ways"),
    "a line cut off": ("map\t301\t0.5\nmap\t302\n", "2 fields where 3 are needed"),
    "a file of nothing": ("", "the file is empty"),
}
LINE = {"a bad cell": 3, "JSON lines cut off": 2, "a line cut off": 2, "one name twice": 1, "a cell twice": 3}


@pytest.mark.parametrize("name", BAD_TEXT)
def test_tables_that_are_refused_with_what_to_do(name: str, tmp_path: Path) -> None:
    text, message = BAD_TEXT[name]
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, x__csv=text)
    assert caught.value.path == str(tmp_path / "x.csv")
    assert name not in LINE or caught.value.line == LINE[name]


NOT_SCORES = {
    "judgments": "301 0 FBIS3-10082 1\n301 0 FBIS3-10169 0\n",
    "judgments with tabs": "301\t0\tFBIS3-10082\t1\n",
    "judgments of numbers": "301 0 1234 1\n",
    "a run": "301 Q0 FBIS3-10082 1 12.5 mine\n",
    "a run with a header": "# ir_metadata.start\n# x: y\n# ir_metadata.end\n301 Q0 FBIS3-10082 1 12.5 mine\n",
    "a run of MS MARCO": "301\t7067032\t1\n",
    "judgments of BEIR": "query-id\tcorpus-id\tscore\n1\td1\t1\n",
    "a run of PyTerrier": "qid,docid,docno,rank,score\n1,2,d2,0,12.5\n",
    "JSON judgments": '{"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}',
    "JSON judgments of the same documents": '{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d2": 1}}',
}


@pytest.mark.parametrize("name", NOT_SCORES)
def test_runs_and_judgments_are_not_taken_for_scores(name: str, tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(NOT_SCORES[name])
    assert not are_scores(str(path), is_measure, is_alone=False)
    if not name.startswith("JSON"):
        assert looks(path.read_bytes()) not in (None, "scores")
        with pytest.raises(InputError, match=r"this looks like .*(judgments|a run)"):
            Scores.load(path)


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        Scores.load(tmp_path / "none.csv")
    assert are_scores(str(tmp_path / "none.csv"), is_measure)
    assert not are_scores("msmarco-passage/trec-dl-2019", is_measure)


SEEDS = [
    wide().encode(),
    FRAME.rename({"m": "measure", "t": "topic", "s": "system", "v": "score"}).write_csv().encode(),
    LINES["trec_eval"].encode(),
    LINES["ir_measures"].encode(),
    LINES["ir_measures -o jsonl"].encode(),
    json.dumps(nested(0, 2, 1)).encode(),
    b"# x\n\nqid;name;value\n1;a;0.5\n",
]


@settings(deadline=None, max_examples=150)
@given(data=st.data(), seed=st.sampled_from(SEEDS))
def test_mutated_tables_are_read_or_refused(
    data: st.DataObject, seed: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Cut, repeat, swap or overwrite a part: the outcome is scores, or an error that we know."""
    text = bytearray(seed)
    for _ in range(data.draw(st.integers(1, 4))):
        at, size = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 12))
        part = data.draw(
            st.sampled_from([b"", b",", b"\n", b'"', b"{", b"}", b"\xff", b"all", b"\t", b"nan", b"1e999"])
        )
        text[at : at + size] = part * data.draw(st.integers(1, 2))
    path = tmp_path_factory.mktemp("fuzz") / "x.csv"
    path.write_bytes(bytes(text))
    with suppress(InputError, DesignError):
        are_scores(str(path), is_measure)
        assert Scores.load(path).under("drop").values.ndim == 4


def test_files_of_tools_that_judge_answers_are_systems_with_their_measures(tmp_path: Path) -> None:
    for system in ("mine", "yours"):
        rows = [
            {
                "user_input": f"what is {q}?",
                "retrieved_contexts": ["one", "two"],
                "response": f"{system} {q}",
                "faithfulness": q / 4,
                "answer_relevancy": 1 - q / 8,
                "kind": "short" if q % 2 else "long",
            }
            for q in range(4)
        ]
        (tmp_path / f"{system}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    files = [str(tmp_path / f"{system}.jsonl") for system in ("mine", "yours")]
    assert judgments_and_runs(files) is None
    scores = Scores.of(files)
    assert scores.systems == ("mine", "yours")
    assert list(map(str, scores.measures)) == ["faithfulness", "answer_relevancy"]
    assert scores.topics[1] == "what is 1?"
    assert scores.about.column("kind")["what is 1?"] == "short"


def test_rows_of_one_cell_say_which_columns_may_tell_them_apart(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("question,system,prompt,score\nq1,a,p1,0.5\nq1,a,p2,0.4\nq2,a,p1,0.1\nq2,a,p2,0.3\n")
    with pytest.raises(
        InputError, match=r"appears twice.*apart \(prompt\): variants 'prompt'.*say --columns replicate=prompt"
    ):
        Scores.of([str(path)])


@pytest.mark.parametrize("column", ["seed", "epoch", "trial"])
def test_repetitions_are_replicates_by_the_names_that_tools_give_them(column: str) -> None:
    rows = [{"question": f"q{i}", "model": m, column: r, "score": i + r} for i in (1, 2) for m in "ab" for r in (0, 1)]
    scores = load_scores(pl.DataFrame(rows))
    assert scores.replicates == ("0", "1")
    assert scores.systems == ("a", "b")


def test_tables_that_number_their_queries_in_two_ways_are_refused(tmp_path: Path) -> None:
    rows = {"a": ("who", "when", "why"), "b": ("when", "who", "why")}
    for name, queries in rows.items():
        lines = [f"{number},{query},0.5\n" for number, query in enumerate(queries, 1)]
        (tmp_path / f"{name}.csv").write_text("topic,query,score\n" + "".join(lines))
    with pytest.raises(InputError, match=r"b.csv: its topic 1 is topic 2 of .*a.csv: 'when'; the files number their"):
        load_scores([tmp_path / "a.csv", tmp_path / "b.csv"])
