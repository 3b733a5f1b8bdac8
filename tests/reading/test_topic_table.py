"""What is known of topics: tables of them, columns of text beside scores, and columns whose roles are named."""

from __future__ import annotations

import pickle
from pathlib import Path

import polars as pl
import pytest

import irgauge as ig
from irgauge.reading.topic_table import TopicTable, topic_table

RAG = """question_id,question,type,system,answer,quality,speed
1,who sang it,factoid,old,a,0.5,1
1,who sang it,factoid,new,b,0.7,2
2,why is the sky blue,long,old,c,0.4,1
2,why is the sky blue,long,new,d,0.3,2
3,how to cook,long,old,e,0.2,1
3,how to cook,long,new,f,0.6,3
"""
TOPICS = {"qid": ["1", "2", "3"], "query": ["who", "why", "how"], "freq": [3, 10, 1]}


@pytest.fixture
def rag(tmp_path: Path) -> Path:
    path = tmp_path / "rag.csv"
    path.write_text(RAG)
    return path


def test_columns_of_text_describe_topics_and_are_no_broken_scores(rag: Path) -> None:
    scores = ig.load_scores(rag)
    assert [str(measure) for measure in scores.measures] == ["quality", "speed"]
    assert scores.about.column("type") == {"1": "factoid", "2": "long", "3": "long"}
    assert scores.about.query("2") == "why is the sky blue"
    assert scores.about.unused == ("answer",)


def test_a_broken_score_is_still_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text("topic,old,new\n1,0.5,0.6\n2,high,0.4\n")
    with pytest.raises(ig.InputError, match=r"broken.csv:3: the score 'high' is not a number"):
        ig.load_scores(path)


def test_a_wide_table_of_systems_may_describe_its_topics() -> None:
    scores = ig.load_scores(pl.DataFrame({"topic": ["1", "2"], "kind": ["a", "b"], "x": [0.1, 0.2], "y": [0.2, 0.3]}))
    assert (scores.systems, dict(scores.about.columns)) == (("x", "y"), {"kind": {"1": "a", "2": "b"}})


def test_columns_are_named_where_they_cannot_be_told(rag: Path) -> None:
    compared = ig.compare(rag, columns="topic=question_id,score=quality,slice=type")
    assert compared.measures == ("quality",)
    scores = compared.first.whole.scores
    assert "type" in scores.about.columns
    assert "not used: columns answer and speed" in compared.provenance.text
    table = pl.DataFrame({"i": [1, 2], "m": ["a", "a"], "v": [0.5, 0.7], "year": [1999, 2000]})
    named = ig.score(table, columns={"topic": "i", "system": "m", "score": "v"})
    assert (named.scores.topics, str(named.measures[0])) == (("1", "2"), "v")
    assert named.scores.about.numbers("year") == {"1": 1999.0, "2": 2000.0}


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ("topic=qid", "the column 'qid' is unknown"),
        ("query=question", "the role of a column 'query' is unknown"),
        ("topic", "'topic' names no column; write columns like"),
        ("score=quality,score=speed", "the columns quality and speed are both said to hold the score"),
    ],
)
def test_columns_that_cannot_be_are_a_sentence(rag: Path, columns: str, told: str) -> None:
    with pytest.raises(ig.InputError, match=told):
        ig.compare(rag, columns=columns)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_a_table_of_topics_is_read(tmp_path: Path, ending: str) -> None:
    path, frame = tmp_path / f"topics.{ending}", pl.DataFrame(TOPICS)
    if ending == "csv":
        frame.write_csv(path)
    elif ending == "tsv":
        frame.write_csv(path, separator="\t")
    elif ending == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    table = topic_table(path)
    assert (table.queries, table.numbers("freq")) == ({"1": "who", "2": "why", "3": "how"}, {"1": 3, "2": 10, "3": 1})


def test_queries_as_beir_writes_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "1", "text": "who sang it"}\n{"_id": "2", "text": "why"}\n')
    assert topic_table(path).query("1") == "who sang it"


def test_a_table_of_other_topics_or_with_two_rows_of_one_is_refused(rag: Path) -> None:
    others = pl.DataFrame({"topic": ["q1"], "query": ["who"]})
    with pytest.raises(ig.InputError, match=r"says nothing of any of the 3 topics \(1, ...\); it is of others \(q1"):
        ig.compare(rag, topics_table=others)
    twice = pl.DataFrame({"topic": ["1", "1"], "query": ["who", "why"]})
    with pytest.raises(ig.InputError, match="topics appear in several rows with different values of 'query'"):
        ig.compare(rag, topics_table=twice)
    with pytest.raises(ig.DesignError, match="column of topics 'typ' is unknown; did you mean 'type'"):
        ig.load_scores(rag).about.column("typ")


def test_queries_stand_beside_topics(rag: Path, tmp_path: Path) -> None:
    gated = ig.gate(rag, "old", "new", "quality", margin=0.1)
    assert "| 2 | why is the sky blue |" in gated.summary()
    assert gated.frame("topics")["query"].to_list() == ["who sang it", "why is the sky blue", "how to cook"]
    compared = ig.compare(rag, "quality", topics_table=pl.DataFrame(TOPICS))
    assert "its largest loss is on topic 2 ('why')" in " ".join(finding.text for finding in compared.findings())
    compared.save(tmp_path / "compared.json")
    again = ig.read(tmp_path / "compared.json")
    assert again.frame("topics").equals(compared.frame("topics"))
    about = compared.first.whole.scores.about
    assert pickle.loads(pickle.dumps(about)) == about  # noqa: S301  # our own


def test_queries_stand_beside_topics_of_runs(tmp_path: Path) -> None:
    qrels = {topic: {"d": 1} for topic in "123"}
    runs = {
        "a": {topic: {"d": 2.0, "x": 1.0} for topic in "123"},
        "b": {topic: {"x": 1.0 + (topic == "2"), "d": 1.5} for topic in "123"},
    }
    about = TopicTable({"query": {"2": "why"}})
    gated = ig.gate((qrels, runs), "a", "b", "RR", margin=0.1, topics_table=about)
    assert "On topic 2 ('why'), " in gated.summary()
    assert "| RR | 2 | why |" in gated.summary()
    page = ig.report((qrels, runs), topics_table=about, shards=None)
    page.save(tmp_path / "page.html")
    assert "why" in (tmp_path / "page.html").read_text()


def test_an_empty_column_of_a_table_of_topics_says_nothing() -> None:
    table = topic_table(pl.DataFrame({"topic": ["q0", "q1"], "kind": ["a", "b"], "note": [None, None]}))
    assert table.column("kind") == {"q0": "a", "q1": "b"}
