"""Evaluation tables of MLflow: `eval_results_table.json`, and `result_df` of `mlflow.genai.evaluate` as it is saved.

Its schema is that of MLflow 2 and 3: columns 'name/score' or 'name/value' are measures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from irgauge.reading.tools.tool import Content, Place, Record, Row, Tool, ToolScores

_NAME = "an evaluation table of MLflow"
_ENDS = ("/score", "/value")
_LOWER = frozenset({"latency", "token_count"})  # columns that MLflow adds as they are
_INPUTS = ("inputs", "request", "input", "question", "query", "prompt")  # what a topic is known by, in two runs alike
_OWN = {"inputs", "outputs", "request", "response", "trace", "assessments"}
_RATINGS: Mapping[str, float] = {"yes": 1.0, "no": 0.0}


def _columns(content: Content) -> list[str]:
    columns = content.first.get("columns") if content.is_object else list(content.first)
    return [str(name) for name in columns] if isinstance(columns, list) else []


def _measures(content: Content) -> dict[str, str]:
    """Column -> its measure."""
    ends = {name: end for name in _columns(content) for end in _ENDS if name.endswith(end) and name != end}
    of_judges = {name: name.removesuffix(end) for name, end in ends.items()}
    return {**of_judges, **{name: name for name in _columns(content) if name in _LOWER}} if of_judges else {}


def _looks(content: Content) -> bool:
    """Whether it is such a table; rows need a column of MLflow's too, as systems may be called so."""
    is_table = "data" in content.first if content.is_object else not _OWN.isdisjoint(_columns(content))
    return is_table and bool(_measures(content))


def _scores(content: Content) -> ToolScores:
    return ToolScores(_rows(content), lower=_LOWER & {*_measures(content).values()})


def _rows(content: Content) -> Iterator[Row]:
    measures = _measures(content)
    for number, (place, record) in enumerate(_records(content)):
        topic = _topic(record, number)
        for column, measure in measures.items():
            yield Row(topic, measure, _rating(record.get(column)), place)


def _records(content: Content) -> Iterator[tuple[Place, Record]]:
    if not content.is_object:
        yield from enumerate(content.records)
        return
    columns = _columns(content)
    for number, row in enumerate(content.listed("data", f"{_NAME} without rows; was it written to the end?")):
        place = f"data[{number}]"
        if not isinstance(row, list) or len(row) != len(columns):
            raise content.error(f"a row has the {len(columns)} cells of `columns`; fix the file", place)
        yield place, dict(zip(columns, row, strict=True))


def _topic(record: Record, number: int) -> str:
    """The input as text, which two runs have in common; else the number of the row: ids are those of traces."""
    value = next((record[name] for name in _INPUTS if record.get(name) is not None), None)
    if isinstance(value, Mapping) and len(value) == 1:
        value = next(iter(value.values()))
    if value is None:
        return str(number + 1)
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _rating(value: Any) -> Any:  # noqa: ANN401  # what a cell holds
    return _RATINGS.get(value, value) if isinstance(value, str) else value


TOOL = Tool(
    _NAME, "a file is a system, an input a topic, 'name/score' and 'name/value' are measures; yes is 1", _looks, _scores
)
