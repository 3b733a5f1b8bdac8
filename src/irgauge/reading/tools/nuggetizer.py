"""Nuggets of TREC's RAG track: assignments of nuggetizer, scored as it scores them, and the metrics that it writes.

Its schema is that of nuggetizer 0.0.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.reading.tools.tool import Content, Place, Record, Row, Tool, ToolScores, records_of

_ASSIGNED = "nugget assignments"
_SUPPORT: Mapping[object, float] = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
_MEASURES = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
_IMPORTANCE = ("vital", "okay")


def _looks(content: Content) -> bool:
    return "qid" in content.first and isinstance(content.first.get("nuggets"), list)


def _scores(content: Content) -> ToolScores:
    return ToolScores(_rows(content))


def _rows(content: Content) -> Iterator[Row]:
    for line, record in enumerate(content.records):
        if "docid" in record:
            message = f"{_ASSIGNED} of passages, and not of answers; give those of answers, which have a run_id"
            raise content.error(message, line)
        run, query = record.get("run_id"), record.get("query")
        about = {"query": query} if isinstance(query, str) else {}
        for measure, score in zip(_MEASURES, _of(_nuggets(content, record, line)), strict=True):
            yield Row(record.get("qid"), measure, score, line, None if run is None else str(run), about=about)


def _nuggets(content: Content, record: Record, line: Place) -> list[tuple[bool, float]]:
    """Of each nugget, whether it is vital, and how far the answer supports it."""
    nuggets = []
    for place, nugget in records_of(record.get("nuggets"), "nuggets", content):
        if "assignment" not in nugget:
            raise content.error("nuggets without assignments; assign them to answers first (assign_nuggets)", line)
        grade, importance = nugget["assignment"], nugget.get("importance")
        if not isinstance(grade, str) or grade not in _SUPPORT:
            raise content.error(f"{place}: the assignment {grade!r} is none of {', '.join(map(str, _SUPPORT))}", line)
        if importance not in _IMPORTANCE:
            raise content.error(f"{place}: the importance {importance!r} is none of {', '.join(_IMPORTANCE)}", line)
        nuggets.append((importance == "vital", _SUPPORT[grade]))
    return nuggets


def _of(nuggets: Sequence[tuple[bool, float]]) -> tuple[float, float, float, float]:
    """The measures, in their order: strict ones count full support alone; what has no nuggets scores 0, as there."""
    vital, every = [grade for is_vital, grade in nuggets if is_vital], [grade for _, grade in nuggets]
    strict_vital, strict_every = ([float(grade == 1.0) for grade in grades] for grades in (vital, every))
    return _mean(strict_vital), _mean(strict_every), _mean(vital), _mean(every)


def _mean(grades: Sequence[float]) -> float:
    return sum(grades) / len(grades) if grades else 0.0


TOOL = Tool(
    _ASSIGNED,
    "run_id is the system, qid the topic; measures are nuggetizer's: strict_vital_score first",
    _looks,
    _scores,
)


def _are_metrics(content: Content) -> bool:
    return not content.is_object and {"qid", *_MEASURES} <= content.first.keys()


def _metrics(content: Content) -> ToolScores:
    records = enumerate(content.records)
    return ToolScores(
        Row(record.get("qid"), measure, record.get(measure), line) for line, record in records for measure in _MEASURES
    )


METRICS = Tool("nugget metrics", "a file is a system, qid the topic, metrics are measures", _are_metrics, _metrics)
