"""Small files as tools of search and of RAG write them, after their documented schemas; the version is named."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

TOPICS = ("q1", "q2", "q3", "q4")


def rank_eval(scores: Sequence[float] = (0.5, 1.0, 0.25, 0.75), metric: str = "precision") -> dict[str, Any]:
    """A response of `_rank_eval` (Elasticsearch 8.15)."""
    details = {
        topic: {
            "metric_score": score,
            "unrated_docs": [{"_index": "books", "_id": "7"}],
            "hits": [{"hit": {"_index": "books", "_id": "1", "_score": 2.5}, "rating": 1}],
            "metric_details": {metric: {"relevant_docs_retrieved": 1, "docs_retrieved": 2}},
        }
        for topic, score in zip(TOPICS, scores, strict=True)
    }
    return {"metric_score": sum(scores) / len(scores), "details": details, "failures": {}}


def evaluation(configuration: str, topic: str, score: float) -> dict[str, Any]:
    """A document of the index of evaluation results (OpenSearch's search-relevance 3.5)."""
    return {
        "id": f"{configuration}-{topic}",
        "timestamp": "2026-01-28T18:16:44.548Z",
        "searchConfigurationId": configuration,
        "searchText": topic,
        "judgmentIds": ["j1"],
        "documentIds": ["d1", "d2"],
        "metrics": [{"metric": "NDCG@10", "value": score}, {"metric": "Precision@10", "value": score / 2}],
    }


def opensearch(total: int | None = None) -> dict[str, Any]:
    """What a search of that index gives: two configurations on four queries."""
    documents = [
        evaluation(configuration, topic, 0.25 * number + lift)
        for configuration, lift in (("bm25", 0.0), ("hybrid", 0.1))
        for number, topic in enumerate(TOPICS)
    ]
    hits = [{"_index": "search-relevance-evaluation-result", "_id": own["id"], "_source": own} for own in documents]
    return {"took": 1, "hits": {"total": {"value": total or len(hits), "relation": "eq"}, "hits": hits}}


def quepid(scores: Sequence[str] = ("0.5", "1.0", "0.25", "0.75"), case: str = "Books") -> str:
    """The general export of a case (Quepid 8)."""
    head = "Team Name,Case Name,Case ID,Query Text,Score,Date Last Scored,Count,Information Need,Notes,Options"
    rows = [
        f"OSC,{case},6,{topic},{score},2026-01-28 18:16:44,12,to find {topic},,"
        for topic, score in zip(TOPICS, scores, strict=True)
    ]
    return "\n".join([head, *rows]) + "\n"


def nuggets(run: str = "ragnarok", *, assigned: Sequence[str] = ("support", "partial_support", "not_support")) -> str:
    """Assignments of nuggetizer 0.0.5: three nuggets a topic, of which the first two are vital."""
    lines = []
    for number, topic in enumerate(TOPICS):
        grades = [assigned[(number + place) % len(assigned)] for place in range(3)]
        importance = ("vital", "vital", "okay")
        own = [
            {"text": f"fact {place}", "importance": importance[place], "assignment": grade}
            for place, grade in enumerate(grades)
        ]
        record = {"query": f"what is {topic}", "qid": topic, "answer_text": "…", "response_length": 1}
        lines.append(json.dumps(record | {"run_id": run, "nuggets": own}))
    return "\n".join(lines) + "\n"


def nugget_metrics(scores: Sequence[float] = (0.5, 1.0, 0.25, 0.75)) -> str:
    """Metrics of nuggetizer 0.0.5, with the line of all topics that it writes last."""
    names = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
    rows = [{"qid": topic, **dict.fromkeys(names, score)} for topic, score in zip(TOPICS, scores, strict=True)]
    return "".join(json.dumps(row) + "\n" for row in [*rows, {"qid": "all", **dict.fromkeys(names, 0.625)}])


def mlflow(scores: Sequence[float] = (4, 5, 3, 1)) -> dict[str, Any]:
    """`eval_results_table.json` of MLflow 2.22 and 3: a table as pandas writes it, split."""
    columns = ["inputs", "outputs", "latency", "faithfulness/v1/score", "faithfulness/v1/justification", "safe/value"]
    rows = [[topic, "an answer", 0.5, score, "it is so", "yes"] for topic, score in zip(TOPICS, scores, strict=True)]
    return {"columns": columns, "data": rows}


def lighteval(scores: Sequence[float] = (1.0, 0.0, 1.0, 0.0), task: str = "leaderboard|arc:challenge|25") -> bytes:
    """Details of a task (lighteval 0.13) as Parquet."""
    rows = [
        {
            "doc": {"query": f"what is {topic}", "choices": ["a", "b"], "id": str(number), "task_name": task},
            "metric": {"acc": score, "acc_norm": 1.0},
            "model_response": {"text": ["a"]},
        }
        for number, (topic, score) in enumerate(zip(TOPICS, scores, strict=True))
    ]
    file = io.BytesIO()
    pl.DataFrame(rows).write_parquet(file)
    return file.getvalue()


def evaluate(results: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What `evaluate.save` writes (evaluate 0.4.6), here of BERTScore, which has a score of each example."""
    own = {"precision": [0.9, 0.8, 0.7, 0.6], "f1": [0.85, 0.75, 0.65, 0.55], "hashcode": "roberta-large"}
    return {**(own if results is None else results), "_timestamp": "2026-01-28", "_evaluate_version": "0.4.6"}


def mteb(score: float = 0.5, task: str = "SciFact") -> dict[str, Any]:
    """A result of a task (MTEB 2.26)."""
    scores = {"test": [{"hf_subset": "default", "languages": ["eng-Latn"], "ndcg_at_10": score, "main_score": score}]}
    return {
        "dataset_revision": "abc",
        "task_name": task,
        "mteb_version": "2.26.24",
        "scores": scores,
        "evaluation_time": 1.5,
        "kg_co2_emissions": None,
    }


BEIR = {name: {f"{name.upper()}@10": 0.5} for name in ("ndcg", "map", "recall", "precision")}  # 2.2, save_results
UMBRELA = [{"model": "gpt-4o", "query": "q", "passage": "p", "prompt": "…", "prediction": "…", "judgment": 2}]  # 0.0.7

SEARCH_FILES: dict[str, bytes] = {
    "rank_eval.json": json.dumps(rank_eval()).encode(),
    "opensearch.json": json.dumps(opensearch()).encode(),
    "quepid.csv": quepid().encode(),
    "nuggets.jsonl": nuggets().encode(),
    "nugget_metrics.jsonl": nugget_metrics().encode(),
    "mlflow.json": json.dumps(mlflow()).encode(),
    "lighteval.parquet": lighteval(),
    "evaluate.json": json.dumps(evaluate()).encode(),
    "mteb.json": json.dumps(mteb()).encode(),
    "beir.json": json.dumps(BEIR).encode(),
    "umbrela.json": json.dumps(UMBRELA).encode(),
}
