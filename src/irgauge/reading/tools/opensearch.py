"""Results of OpenSearch's Search Relevance Workbench: what its index of evaluation results holds, as a search gives it.

Its schema is that of the plugin search-relevance 3.1 to 3.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from irgauge.reading.tools.tool import Content, Place, Record, Row, Tool, ToolScores, records_of

_NAME = "evaluation results of OpenSearch"
_SYSTEM, _TOPIC, _METRICS = "searchConfigurationId", "searchText", "metrics"
_VARIANT = "experimentVariantParameters"  # of a hybrid search
_INDEX = "search-relevance-evaluation-result"


def _sources(content: Content) -> Iterator[tuple[Place, Record]]:
    """The documents: those that a search found, or records."""
    if not content.is_object:
        yield from enumerate(content.records)
        return
    hits = _hits(content)
    if not hits:
        yield "", content.first
    for place, hit in records_of(hits, "hits.hits", content):
        source = hit.get("_source")
        yield f"{place}._source", source if isinstance(source, Mapping) else {}


def _hits(content: Content) -> list[Any]:
    outer = content.first.get("hits")
    inner = outer.get("hits") if isinstance(outer, Mapping) else None
    return inner if isinstance(inner, list) else []


def _first(content: Content) -> Record:
    first: object = content.first
    if hits := _hits(content):
        first = hits[0].get("_source") if isinstance(hits[0], Mapping) else None
    return first if isinstance(first, Mapping) else {}


def _is_experiment(record: Record) -> bool:
    return "querySetId" in record and "searchConfigurationList" in record


def _looks(content: Content) -> bool:
    first = _first(content)
    return {_SYSTEM, _METRICS} <= first.keys() or _is_experiment(first)


def _scores(content: Content) -> ToolScores:
    if _is_experiment(_first(content)):
        raise content.error(
            "an experiment of OpenSearch without scores: it names evaluations alone; search the index "
            f"'{_INDEX}' for its experimentId, and give that response"
        )
    _refuse_cut(content)
    return ToolScores(_rows(content))


def _refuse_cut(content: Content) -> None:
    """Refuse a response with some of the documents that were found: a search gives 10 if nothing else is asked."""
    hits, outer = _hits(content), content.first.get("hits")
    total = outer.get("total") if isinstance(outer, Mapping) else None
    count = total.get("value") if isinstance(total, Mapping) else total
    if hits and isinstance(count, int) and count > len(hits):
        raise content.error(
            f"{_NAME} that are cut: {len(hits)} of {count} are in the response; ask for all of them ('size': {count})"
        )


def _rows(content: Content) -> Iterator[Row]:
    for place, source in _sources(content):
        metrics = source.get(_METRICS)
        if _SYSTEM not in source or _TOPIC not in source or not isinstance(metrics, list):
            raise content.error(f"an evaluation result has {_SYSTEM}, {_TOPIC} and {_METRICS}; fix or remove it", place)
        for _, metric in records_of(metrics, f"{place}.{_METRICS}", content):
            if not isinstance(metric.get("metric"), str):
                raise content.error("a metric without a name; fix the file", place)
            yield Row(source[_TOPIC], metric["metric"], metric.get("value"), place, _system(source))


def _system(source: Record) -> str:
    """The configuration, with the parameters of its variant where it has several."""
    variant = source.get(_VARIANT)
    return f"{source[_SYSTEM]} {variant}" if variant else str(source[_SYSTEM])


TOOL = Tool(_NAME, "a search configuration is a system, a search text a topic, a metric a measure", _looks, _scores)
