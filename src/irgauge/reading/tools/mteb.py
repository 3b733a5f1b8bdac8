"""Results of MTEB: the mean of a model on each task, without scores of topics; and those of BEIR, the same of one task.

Their schemas are those of MTEB 2 (files of a task, of a model and of a benchmark) and of BEIR 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from irgauge.files.opening import is_file, read_bytes
from irgauge.reading.tables.sheet import Origin, stem
from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores, records_of

META = "model_meta.json"  # what MTEB writes of a model beside its results
MAIN = "main_score"
_NAME = "a result of MTEB"
_OLD = "mteb_dataset_name"  # of files before MTEB 1.11
_MEANS = "it has one mean a task, and no scores of topics"
_BEIR = ("ndcg", "map", "recall", "precision")


def _is_task(record: Record) -> bool:
    return "task_name" in record and isinstance(record.get("scores"), Mapping)


def looks(content: Content) -> bool:
    """Whether it is a result of a task, of a model or of a benchmark."""
    first = content.first
    is_known = _is_task(first) or _OLD in first or ("model_name" in first and "task_results" in first)
    return content.is_object and (is_known or isinstance(first.get("model_results"), list))


def _refused(content: Content) -> ToolScores:
    raise content.error(
        f"{_NAME}: {_MEANS}; compare models over tasks by `irgauge suite`, or on the topics of a task by its "
        "predictions (mteb.evaluate(..., prediction_folder=...)), which are read as runs"
    )


TOOL = Tool(_NAME, "", looks, _refused)


def _means(content: Content) -> ToolScores:
    if _OLD in content.first:
        raise content.error(f"{_NAME} before 1.11; load and save it with a newer one (mteb.TaskResult.from_disk)")
    return ToolScores(row for model, place, task in _tasks(content) for row in _rows(content, model, place, task))


MEANS = Tool(_NAME, "a model is a system, a task a collection", looks, _means)  # for what takes means of collections


def _tasks(content: Content) -> Iterator[tuple[str, str, Record]]:
    """The model, the place and the result of every task."""
    first = content.first
    if _is_task(first):
        yield _model(content), "", first
        return
    models = [("", first)] if "model_results" not in first else records_of(first["model_results"], "models", content)
    for place, model in models:
        name = model.get("model_name")
        if not isinstance(name, str):
            raise content.error("a model without a model_name; fix the file", place or None)
        for inner, task in records_of(model.get("task_results"), f"{place}task_results", content):
            yield name, f"{inner}.", task


def _model(content: Content) -> str:
    """As the file beside it says, or the folder above that of the revision."""
    path = Path(content.origin.path or "")
    name = _meta_name(path.parent / META) or path.parent.parent.name.replace("__", "/")
    if not name:
        raise content.error(f"{_NAME} does not name its model; keep {META} beside it, or the folder of the model")
    return name


def _meta_name(path: Path) -> str | None:
    from irgauge.reading.tables.jsons import parsed  # which reads what tools write

    meta = parsed(read_bytes(path).tobytes(), str(path)) if is_file(path) else None
    name = meta.get("name") if isinstance(meta, Mapping) else None
    return name if isinstance(name, str) and name else None


def _rows(content: Content, model: str, place: str, task: Record) -> Iterator[Row]:
    """The mean over splits and subsets of each score that all of them have, as MTEB takes it; the main one first."""
    name, splits = task.get("task_name"), task.get("scores")
    if not isinstance(name, str) or not isinstance(splits, Mapping) or not splits:
        raise content.error("a task has a task_name, and scores of splits; fix the file", place or None)
    parts = [(s, own) for s in splits for _, own in records_of(splits[s], f"{place}scores.{s}", content)]
    subsets = [own for _, own in parts]
    of = ", ".join(sorted(f"{split}/{own.get('hf_subset', '')}" for split, own in parts))
    if not subsets or any(MAIN not in subset for subset in subsets):
        raise content.error(f"there is no {MAIN}; was the file written to the end?", f"{place}scores")
    names = [MAIN, *(key for key in subsets[0] if key != MAIN)]
    for measure in names:
        values: list[Any] = [subset.get(measure) for subset in subsets]
        if all(map(_is_number, values)):
            yield Row(name, measure, sum(values) / len(values), f"{place}scores", model, asks=of)
        elif measure == MAIN:
            raise content.error(f"{MAIN} is not a number; fix the file", f"{place}scores")


def _is_number(value: Any) -> bool:  # noqa: ANN401  # what JSON holds
    return isinstance(value, int | float) and not isinstance(value, bool)


def means_of(content: object, path: str) -> Content | None:
    """What a file holds, where it is a result of MTEB."""
    held = Content([content] if isinstance(content, Mapping) else [], Origin(path, stem(path)), is_object=True)
    return held if looks(held) else None


def _is_beir(content: Content) -> bool:
    first = content.first
    return content.is_object and all(
        isinstance(first.get(name), Mapping) and "@" in str([*first[name]]) for name in _BEIR
    )


def _refused_beir(content: Content) -> ToolScores:
    raise content.error(
        "a result of BEIR: it has one mean of a dataset, and no scores of topics; save the run (util.save_runfile), "
        "and give qrels and runs"
    )


BEIR = Tool("a result of BEIR", "", _is_beir, _refused_beir)
