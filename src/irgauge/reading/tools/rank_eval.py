"""Responses of `_rank_eval`, with which Elasticsearch and OpenSearch evaluate a ranking: one file a system.

Its schema is that of Elasticsearch 8 and 9 and of OpenSearch 2 and 3, which are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores

_NAME = "a response of _rank_eval"
_DCG, _NDCG = "dcg", "normalized_dcg"
_AT_K = {name: f"{name} at k" for name in ("precision", "recall", _DCG)}  # whose k the response does not say


def _is_request(record: Record) -> bool:
    return isinstance(record.get("requests"), list) and isinstance(record.get("metric"), Mapping)


def _looks(content: Content) -> bool:
    return content.is_object and ("metric_score" in content.first or _is_request(content.first))


def _scores(content: Content) -> ToolScores:
    if _is_request(content.first):
        raise content.error("this is a request to _rank_eval; give the response, whose `details` hold scores of topics")
    details, failures = (content.first.get(key) or {} for key in ("details", "failures"))
    if not isinstance(details, Mapping) or not isinstance(failures, Mapping) or not details:
        raise content.error(
            f"{_NAME} without details: it has the mean alone; keep `details` of the response (no filter_path), which "
            "hold the score of every request"
        )
    return ToolScores(_rows(content, details, failures))


def _rows(content: Content, details: Record, failures: Record) -> Iterator[Row]:
    """The score of each request; one that failed has none."""
    for topic, detail in details.items():
        if not isinstance(detail, Mapping) or "metric_score" not in detail:
            raise content.error("there is no metric_score; keep the response as it was", f"details.{topic}")
    measure = _measure(list(details.values()))
    for topic, detail in details.items():
        yield Row(topic, measure, detail["metric_score"], f"details.{topic}")
    for topic in failures:
        yield Row(topic, measure, None, f"failures.{topic}")


def _measure(details: list[Record]) -> str:
    """As the response calls it; a DCG that was normalized has the name of what it is."""
    each = [of for detail in details if isinstance(of := detail.get("metric_details"), Mapping) and of]
    if not each:
        return "metric_score"
    name = str(next(iter(each[0])))
    return _NDCG if name == _DCG and _is_normalized(details) else _AT_K.get(name, name)


def _is_normalized(details: list[Record]) -> bool:
    """Whether scores are what was normalized, on topics where it could be: those with a rated document."""
    told = [(detail["metric_score"], detail.get("metric_details", {}).get(_DCG, {})) for detail in details]
    parts = [(score, own[_NDCG], own.get(_DCG)) for score, own in told if isinstance(own, Mapping) and _NDCG in own]
    return all(score == share for score, share, _ in parts) and any(score != gain for score, _, gain in parts)


TOOL = Tool(_NAME, "a file is a system, a request a topic, its metric the measure", _looks, _scores)
