"""Results of MTEB and BEIR, which hold means of tasks and no scores of topics: they are refused, with what to give.

Their schemas are those of MTEB 2 (files of a task, of a model and of a benchmark), of MTEB before 1.11, and of BEIR 2.
"""

from __future__ import annotations

from collections.abc import Mapping

from irgauge.reading.tools.tool import Content, Tool, ToolScores

_BEIR = ("ndcg", "map", "recall", "precision")


def _is_mteb(content: Content) -> bool:
    first = content.first
    is_task = "task_name" in first and isinstance(first.get("scores"), Mapping)
    is_model = "model_name" in first and "task_results" in first
    return content.is_object and (is_task or is_model or "model_results" in first or "mteb_dataset_name" in first)


def _refuse_mteb(content: Content) -> ToolScores:
    raise content.error(
        "a result of MTEB: it has one mean a task, and no scores of topics; compare models on the topics of a task by "
        "its predictions (mteb.evaluate(..., prediction_folder=...)), which are read as runs"
    )


def _is_beir(content: Content) -> bool:
    measures = [content.first.get(name) for name in _BEIR]
    return content.is_object and all(
        isinstance(of, Mapping) and any("@" in str(name) for name in of) for of in measures
    )


def _refuse_beir(content: Content) -> ToolScores:
    raise content.error(
        "a result of BEIR: it has one mean of a dataset, and no scores of topics; save the run (util.save_runfile), "
        "and give qrels and runs"
    )


MTEB = Tool("a result of MTEB", "", _is_mteb, _refuse_mteb)
BEIR = Tool("a result of BEIR", "", _is_beir, _refuse_beir)
