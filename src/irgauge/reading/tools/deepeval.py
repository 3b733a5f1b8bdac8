"""Test runs of DeepEval, as it keeps them in `.deepeval` and in the folder of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores, records_of

_CASES = ("testCases", "conversationalTestCases")
_LATEST = "testRunData"  # under which the latest run is kept


def _run(content: Content) -> Record:
    inner = content.first.get(_LATEST)
    return inner if isinstance(inner, Mapping) else content.first


def _looks(content: Content) -> bool:
    run = _run(content)
    return content.is_object and isinstance(run.get(_CASES[0]), list) and not _RUN.isdisjoint(run)


_RUN = {"metricsScores", "testPassed", "runDuration", "hyperparameters", _CASES[1]}


def _scores(content: Content) -> ToolScores:
    run = _run(content)
    cases = [placed for key in _CASES for placed in records_of(run.get(key), key, content)]
    if not cases:
        raise content.error("a DeepEval test run without test cases; evaluate some first")
    metrics = [measured for place, case in cases for measured in _of_case(case, place, content)]
    if not metrics:
        raise content.error("a DeepEval test run without scores: its test cases have no 'metricsData'")
    by_measure: dict[str, list[Record]] = {}
    for row, metric in metrics:
        by_measure.setdefault(row.measure, []).append(metric)
    lower = frozenset(measure for measure, own in by_measure.items() if _is_lower(own))
    return ToolScores([row for row, _ in metrics], _system(run), lower=lower)


def _of_case(case: Record, place: str, content: Content) -> Iterator[tuple[Row, Record]]:
    name, text = case.get("name"), case.get("input", case.get("scenario"))
    metadata = case.get("metadata")
    about = {"query": text, **(metadata if isinstance(metadata, Mapping) else {})}
    for at, metric in records_of(case.get("metricsData"), f"{place}.metricsData", content):
        score = None if metric.get("error") else metric.get("score")
        yield Row(name, str(metric.get("name")), score, at, about=about, asks=str(text or "")), metric


def _is_lower(metrics: Sequence[Record]) -> bool:
    """Whether less is better: scores below the threshold pass, or those above fail, and never the other way round."""
    signs = {
        (metric["score"] > metric["threshold"]) == metric["success"]
        for metric in metrics
        if _is_number(metric.get("score"))
        and _is_number(metric.get("threshold"))
        and isinstance(metric.get("success"), bool)
        and metric["score"] != metric["threshold"]
    }
    return signs == {False}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _system(run: Record) -> str | None:
    """The name of the run, or the model that its hyperparameters name."""
    parameters = run.get("hyperparameters")
    model = parameters.get("model") if isinstance(parameters, Mapping) else None
    name = run.get("identifier") or model
    return name if isinstance(name, str) else None


TOOL = Tool(
    "a DeepEval test run",
    "the run's identifier or model is the system, test cases are topics, metrics measures, metadata describe topics",
    _looks,
    _scores,
)
