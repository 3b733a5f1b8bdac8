"""Logs of Inspect AI: `.eval`, an archive, and `.json`, which hold the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irgauge.errors import InputError
from irgauge.reading.tools.archive import json_members, member_names
from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores, records_of

_HEADER, _UNFINISHED, _SAMPLES = "header.json", "_journal/start.json", "samples/"
_KEPT = ("id", "epoch", "input", "metadata", "scores")  # of a sample, which holds all that was said besides
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_QUERY = "query"  # the column of the text
_MOST_SAID = 60  # characters of arguments in the name of a system


def is_log(data: bytes) -> bool:
    """Whether an archive is a log."""
    return not {_HEADER, _UNFINISHED}.isdisjoint(member_names(data))


def of_archive(data: bytes, path: str) -> Record:
    """What a log in an archive holds, as a log in JSON does."""
    header: Any = None
    samples = []
    for name, content in json_members(data, path, _is_wanted):
        if not isinstance(content, Mapping):
            raise InputError(f"{name} in the archive is not an object of JSON; write it again", path=path)
        if name == _HEADER:
            header = content
        else:
            samples.append({key: content.get(key) for key in _KEPT})
    if header is None:
        raise InputError("an Inspect AI log of an evaluation that has not ended; wait for it, or repeat it", path=path)
    return {**header, "samples": samples}


def _is_wanted(name: str) -> bool:
    return name == _HEADER or (name.startswith(_SAMPLES) and name.endswith(".json"))


def _looks(content: Content) -> bool:
    run = content.first.get("eval")
    return content.is_object and "status" in content.first and isinstance(run, Mapping) and "model" in run


def _scores(content: Content) -> ToolScores:
    log = content.first
    samples = list(records_of(log.get("samples"), "samples", content))
    if not samples:
        raise content.error("an Inspect AI log without samples: write it with log_samples, and not its header alone")
    rows = [row for place, sample in samples for row in _of_sample(sample, place, content)]
    if not rows:
        if log["status"] == "success":
            raise content.error("an Inspect AI log without scores: add them by `inspect score`")
        advice = "complete it by `inspect eval-retry`, or score what it has by `inspect score`"
        raise content.error(f"an Inspect AI log without scores (its status is '{log['status']}'): {advice}")
    measures = list(dict.fromkeys(row.measure for row in rows))
    without = [(place, sample) for place, sample in samples if not sample.get("scores")]
    without += [("samples", sample) for sample in _not_run(log, [sample for _, sample in samples])]
    rows += [_row(sample, measure, None, place) for place, sample in without for measure in measures]
    task = log["eval"].get("task")
    return ToolScores(rows, _system(log["eval"]), None if task is None else str(task))


def _system(run: Record) -> str:
    """The model, and the arguments of the task where some were passed: systems may differ in these alone."""
    passed = run.get("task_args_passed")
    arguments = [f"{name}={value}" for name, value in passed.items()] if isinstance(passed, Mapping) else []
    text = ", ".join(arguments)
    return f"{run['model']} ({text})" if 0 < len(text) <= _MOST_SAID else str(run["model"])


def _of_sample(sample: Record, place: str, content: Content) -> Iterator[Row]:
    """A row for each scorer, or for each of the values of a scorer that gives several."""
    scores = sample.get("scores") or {}
    if not isinstance(scores, Mapping):
        raise content.error("the scores of a sample are no object {scorer: {value: ...}}; fix the file", place)
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        values = {f"{scorer}.{part}": inner for part, inner in value.items()} if isinstance(value, Mapping) else None
        for measure, number in (values or {scorer: value}).items():
            yield _row(sample, measure, _graded(number), f"{place}.scores.{measure}")


def _not_run(log: Record, samples: Sequence[Record]) -> Iterator[Record]:
    """The samples of the dataset, in each epoch, that an evaluation that failed did not come to."""
    dataset = log["eval"].get("dataset")
    ids = dataset.get("sample_ids") if isinstance(dataset, Mapping) else None
    if log["status"] == "success" or not isinstance(ids, list):
        return
    there = {(str(sample.get("id")), str(sample.get("epoch", 1))) for sample in samples}
    for epoch in sorted({epoch for _, epoch in there}):
        yield from ({"id": own, "epoch": epoch} for own in ids if (str(own), epoch) not in there)


def _row(sample: Record, measure: str, score: object, place: str) -> Row:
    metadata = sample.get("metadata")
    about = dict(metadata) if isinstance(metadata, Mapping) else {}
    text = sample.get("input")
    query = {_QUERY: text} if isinstance(text, str) and _QUERY not in about else {}
    described = {**query, **about}
    asks = text if isinstance(text, str) else ""
    return Row(sample.get("id"), measure, score, place, replicate=sample.get("epoch", 1), about=described, asks=asks)


def _graded(value: object) -> object:
    """A value as Inspect counts it: C, P, I and N, yes and no, and numbers."""
    return _GRADES.get(value, _GRADES.get(value.lower(), value)) if isinstance(value, str) else value


TOOL = Tool(
    "an Inspect AI log",
    "the model is the system, samples are topics, scorers measures, epochs replicates, metadata describe topics",
    _looks,
    _scores,
    replicate="epoch",
)
