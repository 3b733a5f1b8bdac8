"""Details of lighteval, as Hugging Face's leaderboards keep them: a Parquet file for each task, a row for each sample.

Its schema is that of lighteval 0.13 (columns doc and metric), and of the first Open LLM Leaderboard (metrics).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores

_NAME = "details of lighteval"
_DATE = re.compile(r"\d{4}-\d\d-\d\dT.*")  # the folder of one evaluation, below that of the model


def _metrics(record: Record) -> object:
    return record.get("metric", record.get("metrics"))


def _looks(content: Content) -> bool:
    first = content.first
    is_one = isinstance(first.get("doc"), Mapping) or "full_prompt" in first
    return not content.is_object and is_one and isinstance(_metrics(first), Mapping)


def _scores(content: Content) -> ToolScores:
    doc = content.first.get("doc")
    task = doc.get("task_name") if isinstance(doc, Mapping) else None
    return ToolScores(_rows(content), _model(content.origin.path), None if task is None else str(task))


def _rows(content: Content) -> Iterator[Row]:
    for number, record in enumerate(content.records):
        doc, metrics = record.get("doc"), _metrics(record)
        topic = doc.get("id") if isinstance(doc, Mapping) else None
        asks = str(doc.get("query") or "") if isinstance(doc, Mapping) else ""
        for measure, score in metrics.items() if isinstance(metrics, Mapping) else ():
            yield Row(number if topic in (None, "") else topic, str(measure), score, number, asks=asks)


def _model(path: str | None) -> str | None:
    """The folder above that of the date, where files are as lighteval stores them."""
    folders = Path(path or "").parts[:-1]
    return folders[-2] if len(folders) > 1 and _DATE.fullmatch(folders[-1]) else None


TOOL = Tool(_NAME, "a file is a system, a sample a topic, metrics are measures", _looks, _scores)
