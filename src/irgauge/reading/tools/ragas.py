"""Results of ragas, as CSV, JSON lines or Parquet: a row for each question, and a column for each metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irgauge.reading.tables.sheet import Columns, columns_of
from irgauge.reading.tables.text import is_number
from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores

_QUESTION = "user_input"
_LOWER = "noise_sensitivity"  # of ragas's own metrics the one of which less is better
# fmt: off
_OTHERS = frozenset((
    _QUESTION, "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "reference_context_ids", "response",
    "multi_responses", "reference", "rubrics", "persona_name", "query_style", "query_length", "synthesizer_name",
    "reference_tool_calls", "reference_topics",
))  # what a sample of ragas has besides
_ANSWERED = frozenset(("response", "retrieved_contexts", "reference", "reference_topics", "reference_tool_calls"))
# fmt: on


def _looks(content: Content) -> bool:
    return _QUESTION in content.first and not _ANSWERED.isdisjoint(content.first)


def _scores(content: Content) -> ToolScores:
    names = list(dict.fromkeys(name for record in content.records for name in record))
    columns = columns_of(names)
    roles = columns.of
    labels = [roles[role] for role in ("topic", "system", "replicate") if role in roles]
    others = [name for name in names if name not in (*_OTHERS, *labels, *columns.indexes)]
    metrics = [name for name in others if _is_metric([record.get(name) for record in content.records])]
    if not metrics:
        raise content.error("ragas samples without metrics; write the result of evaluate (to_pandas), not the dataset")
    lower = frozenset(name for name in metrics if name.startswith(_LOWER))
    return ToolScores(list(_rows(content.records, metrics, columns)), lower=lower)


def _rows(records: Sequence[Record], metrics: Sequence[str], columns: Columns) -> Iterator[Row]:
    roles = columns.of
    left = {*metrics, *columns.indexes, *_LONG}
    for number, record in enumerate(records):
        topic = record.get(roles["topic"])
        name = topic if isinstance(topic, str | int | float) else number + 1  # a conversation has no name
        system, replicate = (record.get(roles[role]) if role in roles else None for role in ("system", "replicate"))
        about = {key: value for key, value in record.items() if key not in left}
        own = None if system is None else str(system)
        yield from (Row(name, metric, record.get(metric), number, own, replicate, about) for metric in metrics)


_LONG = frozenset(("response", "retrieved_contexts", "reference", "reference_contexts"))  # of answers, not of topics


def _is_metric(values: Sequence[object]) -> bool:
    """Whether a column holds numbers, or nothing."""
    there = [value for value in values if value not in (None, "")]
    return bool(there) and all(isinstance(value, int | float) or (_is_text_number(value)) for value in there)


def _is_text_number(value: object) -> bool:
    return isinstance(value, str) and is_number(value)


TOOL = Tool(
    "ragas results",
    "each file is a system, user_input the topic, metrics are measures; other columns describe topics",
    _looks,
    _scores,
)
