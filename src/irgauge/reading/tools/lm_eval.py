"""Samples of lm-evaluation-harness (`--log_samples`): a line for each question, and for each filter of answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from irgauge.reading.tools.tool import Content, Record, Row, Tool, ToolScores

_KEYS = {"doc_id", "doc", "resps", "filtered_resps"}
_OTHERS = _KEYS | {"target", "arguments", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}
_FILE = re.compile(r"samples_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.-]+")
_NO_FILTER = "none"
_MEANS = {"results", "configs", "versions"}  # what a file of results has, beside the samples


def _are_means(content: Content) -> bool:
    return content.is_object and content.first.keys() >= _MEANS


def _looks(content: Content) -> bool:
    return content.first.keys() >= _KEYS or _are_means(content)


def _scores(content: Content) -> ToolScores:
    if _are_means(content):
        raise content.error(
            "results of lm-evaluation-harness hold means alone; give the samples beside them (samples_*.jsonl), which "
            "it writes with --log_samples"
        )
    rows = [row for number, sample in enumerate(content.records) for row in _of_sample(sample, number, content)]
    if not rows:
        raise content.error("samples of lm-evaluation-harness without a metric that is a number for each of them")
    name = _FILE.fullmatch(content.origin.name or "")
    model = Path(content.origin.path or "").parent.name.replace("__", "/")
    return ToolScores(rows, model or None, name["task"]) if name else ToolScores(rows)


def _of_sample(sample: Record, number: int, content: Content) -> Iterator[Row]:
    """A row for each metric; one of whole texts, such as perplexity, has parts for each sample, and no score."""
    if "doc_id" not in sample:
        raise content.error("a sample of lm-evaluation-harness without 'doc_id'; fix this line", number)
    doc = sample.get("doc")
    about = doc if isinstance(doc, Mapping) else {}
    asks = json.dumps(doc, sort_keys=True) if doc else ""
    filtered = sample.get("filter", _NO_FILTER)
    for metric in _metrics(sample):
        score = sample.get(metric)
        if score is None or isinstance(score, int | float):
            measure = metric if filtered == _NO_FILTER else f"{metric}.{filtered}"
            yield Row(sample["doc_id"], measure, score, number, about=about, asks=asks)


def _metrics(sample: Record) -> Sequence[str]:
    """Those that a sample names; older versions write them beside all else."""
    named = sample.get("metrics")
    if isinstance(named, list):
        return [metric for metric in named if isinstance(metric, str)]
    return [name for name, value in sample.items() if name not in _OTHERS and isinstance(value, int | float)]


TOOL = Tool(
    "samples of lm-evaluation-harness",
    "the folder's model is the system, doc_id the topic, metrics (with their filter) measures, doc describes topics",
    _looks,
    _scores,
)
