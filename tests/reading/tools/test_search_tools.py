"""Files of tools of search and of RAG, by their documented schemas: what becomes a system, a topic, a measure."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import irgauge as ig
from irgauge import InputError
from oracles import search_tool_files as files
from oracles.search_tool_files import TOPICS

SCORES = (0.5, 1.0, 0.25, 0.75)
Write = Callable[[str, Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file: bytes and text as they are, all else as JSON."""

    def written(name: str, content: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str | bytes) else json.dumps(content)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def cells(*paths: Path) -> dict[str, Any]:
    """System, topic and score of the first measure, and the names of all."""
    scores = ig.load_scores(list(paths))
    first = dict(zip(scores.systems, scores.values[0, :, :, 0].T.tolist(), strict=True))
    return {"topics": scores.topics, "measures": [str(measure) for measure in scores.measures], **first}


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        ig.load_scores(path)
    assert str(path) in str(error.value)
    return str(error.value).removeprefix(str(path))


# rank_eval


def test_a_response_of_rank_eval_is_a_system(write: Write) -> None:
    old = write("old.json", files.rank_eval())
    new = write("new.json", files.rank_eval([1.0, 1.0, 0.5, 1.0]))
    assert cells(old, new) == {
        "topics": TOPICS,
        "measures": ["precision at k"],
        "old": list(SCORES),
        "new": [1.0, 1.0, 0.5, 1.0],
    }
    assert ig.compare([old, new]).measures == ("precision at k",)


def test_a_normalized_dcg_of_rank_eval_is_called_so(write: Write) -> None:
    response = files.rank_eval(metric="dcg")
    for detail in response["details"].values():
        detail["metric_details"]["dcg"] = {"dcg": 7.0, "ideal_dcg": 9.0, "normalized_dcg": detail["metric_score"]}
    assert cells(write("a.json", response))["measures"] == ["normalized_dcg"]
    response["details"]["q1"] |= {"metric_score": 0.0, "metric_details": {"dcg": {"dcg": 0.0, "unrated_docs": 0}}}
    assert cells(write("a.json", response))["measures"] == ["normalized_dcg"]  # nothing to normalize by on q1
    response["details"]["q2"]["metric_score"] = 7.0
    assert cells(write("a.json", response))["measures"] == ["dcg at k"]


def test_a_request_that_failed_has_no_score(write: Write) -> None:
    failed = files.rank_eval()
    failed["failures"] = {"q9": {"error": {"type": "parsing_exception"}}}
    with pytest.raises(InputError, match="q9"):
        ig.compare([write("a.json", failed), write("b.json", files.rank_eval())])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"metric_score": 0.5}, "a response of _rank_eval without details: it has the mean alone"),
        ({"requests": [], "metric": {"precision": {"k": 5}}}, "this is a request to _rank_eval; give the response"),
        ({"metric_score": 1, "details": {"q1": {"hits": []}}}, "details.q1: there is no metric_score"),
        ({"metric_score": 1, "details": {"q1": {"metric_score": "high"}}}, "details.q1: the score 'high' is not a num"),
        (files.opensearch(total=150), "that are cut: 8 of 150 are in the response; ask for all of them"),
        (
            {"hits": {"hits": [{"_source": {"querySetId": "1", "searchConfigurationList": []}}]}},
            "an experiment of Open",
        ),
        ([{"searchConfigurationId": "a", "metrics": [{"value": 1}]}], "has searchConfigurationId, searchText and"),
        (files.mteb(), "a result of MTEB: it has one mean a task, and no scores of topics"),
        ({"model_results": []}, "a result of MTEB"),
        (files.BEIR, "a result of BEIR: it has one mean of a dataset, and no scores of topics"),
        (files.UMBRELA, "judgments of umbrela by the text of passages, without ids"),
        (files.evaluate({"bleu": 0.5, "precisions": [0.5, 0.25, 0.1, 0.1]}), "without scores of examples"),
        ({"columns": ["inputs", "f/score"], "data": [["q1"]]}, "data[0]: a row has the 2 cells of `columns`"),
        ({"columns": ["inputs", "f/score"], "data": []}, "an evaluation table of MLflow without rows"),
        ([{"qid": "1", "nuggets": [{"text": "a", "importance": "vital"}]}], "nuggets without assignments; assign them"),
        ([{"qid": "1", "docid": "d", "nuggets": []}], "nugget assignments of passages, and not of answers"),
    ],
)
def test_what_is_nearly_right_is_named(write: Write, content: object, message: str) -> None:
    assert message in refused(write("file.json", content))


# OpenSearch


def test_search_configurations_of_opensearch_are_systems(write: Write) -> None:
    expected = {
        "topics": TOPICS,
        "measures": ["nDCG@10", "P@10"],
        "bm25": [0.0, 0.25, 0.5, 0.75],
        "hybrid": [0.1, 0.35, 0.6, 0.85],
    }
    response = files.opensearch()
    assert cells(write("a.json", response)) == expected
    lines = "\n".join(json.dumps(hit["_source"]) for hit in response["hits"]["hits"])
    assert cells(write("a.jsonl", lines)) == expected


def test_variants_of_a_hybrid_search_are_systems(write: Write) -> None:
    results = [files.evaluation("h", topic, 0.5) for topic in TOPICS for _ in "ab"]
    for number, result in enumerate(results):
        result["experimentVariantParameters"] = f'{{"weights": {number % 2}}}'
    assert ig.load_scores(write("a.json", results)).systems == ('h {"weights": 0}', 'h {"weights": 1}')


# Quepid


def test_exports_of_quepid(write: Write) -> None:
    old, new = write("old.csv", files.quepid()), write("new.csv", files.quepid(case="Tuned"))
    assert cells(old, new) == {
        "topics": TOPICS,
        "measures": ["score"],
        "Books": list(SCORES),
        "Tuned": list(SCORES),
    }
    assert ig.load_scores(old).about.columns["Information Need"]["q1"] == "to find q1"
    again = write("again.csv", files.quepid())
    assert ig.load_scores([old, again]).systems == ("again", "old")  # one case at two times
    with pytest.raises(InputError, match=r"Books: 1 topic \(q1\)"):
        ig.compare([write("gap.csv", files.quepid(("--", "1", "1", "1"))), new])


def test_ratings_and_snapshots_of_quepid_are_judgments_and_runs(write: Write) -> None:
    ratings = write("ratings.csv", "query,docid,rating\nold books,d1,3\nold books,d2,0\nnew,d1,1\n")
    detailed = write(
        "detailed.csv",
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
        "T,C,1,old books,d1,1,,3\nT,C,1,old books,d2,2,,0\nT,C,1,new,d1,1,,1\n",
    )
    snapshot = write(
        "snapshot.csv",
        "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
        "monday,2026,1,old books,d2,1\nmonday,2026,1,old books,d1,2\nmonday,2026,1,new,d1,1\n",
    )
    for judgments in (ratings, detailed):
        runs = ig.load(judgments, snapshot)
        assert runs.systems == ("monday",)
        found = dict(zip(runs.topics, ig.score(runs, "RR").values[0, :, 0, 0].tolist(), strict=True))
        assert found == {"new": 1.0, "old books": 0.5}


# nuggets and leaderboards


def slow_nugget_scores(nuggets: list[Mapping[str, str]]) -> list[float]:
    """As the paper of AutoNuggetizer defines them: strict vital, strict all, vital and all."""
    scores = []
    for strict in (True, False):
        for importance in (("vital",), ("vital", "okay")):
            own = [nugget["assignment"] for nugget in nuggets if nugget["importance"] in importance]
            credit = own.count("support") + (0 if strict else own.count("partial_support") / 2)
            scores.append(credit / len(own) if own else 0.0)
    return scores


def test_nugget_assignments_are_scored_as_nuggetizer_does(write: Write) -> None:
    lines = files.nuggets("a") + files.nuggets("b", assigned=("support",))
    scores = ig.load_scores(write("nuggets.jsonl", lines))
    assert scores.systems == ("a", "b")
    assert str(scores.measures[0]) == "strict_vital_score"
    expected = [slow_nugget_scores(json.loads(line)["nuggets"]) for line in files.nuggets("a").splitlines()]
    assert scores.values[:, :, 0, 0].T.tolist() == expected
    assert scores.about.queries["q1"] == "what is q1"
    wrong = files.nuggets(assigned=("support", "yes"))
    assert ":1: nuggets[1]: the assignment 'yes' is none of support" in refused(write("wrong.jsonl", wrong))


def test_metrics_of_nuggetizer_are_measures(write: Write) -> None:
    found = cells(write("a.jsonl", files.nugget_metrics()))
    assert found["a"] == list(SCORES)
    assert found["measures"] == ["strict_vital_score", "strict_all_score", "vital_score", "all_score"]


@pytest.mark.parametrize("order", ["run topic measure", "run measure topic", "topic run measure"])
def test_leaderboards_of_autojudge(write: Write, order: str) -> None:
    rows = [
        {"run": run, "topic": topic, "measure": measure, "value": str(value)}
        for run, lift in (("mine", 0.0), ("yours", 0.1))
        for topic, score in (*zip(TOPICS, SCORES, strict=True), ("all", 0.625))
        for measure, value in (("COVERAGE", score + lift), ("sentences", 12))
    ]
    lines = "\n".join("\t".join(row[name] for name in (*order.split(), "value")) for row in rows)
    found = cells(write("judge.eval.txt", lines))
    assert found["mine"] == list(SCORES)
    assert found["measures"] == ["COVERAGE", "sentences"]
    untold = "\n".join(line for line in lines.splitlines() if "all" not in line)
    assert "name the columns in a first line" in refused(write("untold.txt", untold))
    headed = "run_id\trequest_id\tmetric\tvalue\n" + "\n".join(
        "\t".join(row[name] for name in ("run", "topic", "measure", "value")) for row in rows
    )
    assert cells(write("headed.tsv", headed)) == found


# MLflow and Hugging Face


def test_tables_of_mlflow(write: Write) -> None:
    table = files.mlflow()
    found = ig.load_scores(write("a.json", table))
    assert [str(measure) for measure in found.measures] == ["faithfulness/v1", "safe", "latency"]
    assert [measure.direction for measure in found.measures] == ["higher", "higher", "lower"]
    assert found.values[:2, :, 0, 0].tolist() == [[4.0, 5.0, 3.0, 1.0], [1.0] * 4]
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    file = io.BytesIO()
    pl.DataFrame(rows).with_columns(inputs=pl.struct(question="inputs")).write_parquet(file)
    assert cells(write("a.parquet", file.getvalue()))["a"] == [4.0, 5.0, 3.0, 1.0]
    assert cells(write("a.csv", pl.DataFrame(rows).write_csv()))["topics"] == TOPICS


def test_details_of_lighteval_are_of_a_model_and_a_task(write: Write) -> None:
    date = "2026-01-28T18-16-44.5"
    paths = [
        write(f"details/org/{model}/{date}/details_{task}_{date}.parquet", files.lighteval(scores, task))
        for model, scores in (("small", (1.0, 0.0, 1.0, 0.0)), ("large", (1.0, 1.0, 1.0, 0.0)))
        for task in ("arc", "mmlu")
    ]
    scores = ig.load_scores(paths)
    assert scores.systems == ("large", "small")
    assert len(scores.topics) == 8
    assert scores["acc"].values.mean(axis=(0, 1, 3)).tolist() == [0.75, 0.5]


def test_details_of_the_first_leaderboard_number_their_samples(write: Write) -> None:
    rows = [{"example": "x", "full_prompt": "y", "metrics": {"acc": score, "acc_norm": 1.0}} for score in SCORES]
    file = io.BytesIO()
    pl.DataFrame(rows).write_parquet(file)
    assert cells(write("a.parquet", file.getvalue())) == {
        "topics": ("0", "1", "2", "3"),
        "measures": ["acc", "acc_norm"],
        "a": list(SCORES),
    }


def test_scores_of_examples_of_evaluate(write: Write) -> None:
    found = cells(write("a.json", files.evaluate()))
    assert found == {
        "topics": ("1", "2", "3", "4"),
        "measures": ["bertscore_precision", "bertscore_f1"],
        "a": [0.9, 0.8, 0.7, 0.6],
    }


def test_tables_that_only_resemble_those_of_a_tool_are_read_as_before(write: Write) -> None:
    wide = write("wide.csv", "topic,old/score,new/score\n1,0.5,0.25\n2,0.75,0.5\n")
    assert ig.load_scores(wide).systems == ("new/score", "old/score")
    asked = write("asked.csv", "query_id,request_id,system,score\n1,r1,a,0.5\n1,r2,b,0.25\n")
    assert ig.load_scores(asked).topics == ("1",)
    judged = write(
        "q.jsonl", '{"query_id": "1", "doc_id": "d", "query": "x", "passage": "y", "judgment": 2, "rel": 2}\n'
    )
    assert ig.load(judged, {"a": {"1": {"d": 1.0}}}).topics == ("1",)
