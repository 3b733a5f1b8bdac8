"""What a file looks like, by its first lines: scores, or runs and judgments."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irgauge.files.compression import COMPRESSED
from irgauge.files.opening import files_in, first_bytes, is_file, is_folder, is_there, read_bytes
from irgauge.reading.formats.record import Head, refuse
from irgauge.reading.tables.leaderboard import is_leaderboard
from irgauge.reading.tables.parquet import START, column_names
from irgauge.reading.tables.sheet import columns_of
from irgauge.reading.tables.text import is_number, records, start_of
from irgauge.reading.tables.trec_eval import is_lines
from irgauge.reading.tools.archive import START as ZIP
from irgauge.reading.tools.inspect_ai import is_log
from irgauge.reading.tools.registry import tool_of

SCORES = "scores"
EXTENSIONS = (".parquet", ".csv", ".tsv")  # that only tables have
PER_QUERY = "perquery.csv"  # what PyTerrier's Experiment(save_dir=...) writes beside the runs and the averages
_HEAD = 1 << 16  # bytes that are looked at


def extension(path: str | os.PathLike[str]) -> str:
    """The extension of a file, that of its compression aside.

    >>> extension("Scores.CSV.gz")
    '.csv'
    """
    name = Path(path).name.lower()
    return Path(next((name.removesuffix(suffix) for suffix in COMPRESSED if name.endswith(suffix)), name)).suffix


def looks(data: bytes) -> str | None:
    """'scores', or what else a text looks like; None where nothing can be said.

    >>> looks(b"301 0 FBIS3-10082 1\\n"), looks(b"query-id\\tcorpus-id\\tscore\\n")
    ('judgments (topic 0 docno grade)', 'judgments or a run (a column of documents)')
    >>> looks(b"topic,bm25,dph\\n301,0.1,0.2\\n"), looks(b"")
    ('scores', None)
    """
    body = data[start_of(data) :][:_HEAD]
    line = body.partition(b"\n")[0].decode(errors="replace")
    fields = line.split()
    if kind := _trec(fields):
        return kind
    if len(fields) == 3 and is_number(fields[2]) and "," not in line:
        return "a run (topic docno rank)"
    names = [name.strip() for name in next(records(body), (0, []))[1]]
    if not names or all(map(is_number, names)):
        return None
    if columns_of(names).document is not None:
        return "judgments or a run (a column of documents)"
    return SCORES if len(names) > 1 else None


def _trec(fields: list[str]) -> str | None:
    """Lines of TREC's formats: fields between spaces, the last ones numbers."""
    if len(fields) == 4 and _is_whole(fields[3]) and not is_number(fields[2]):
        return "judgments (topic 0 docno grade)"
    if len(fields) >= 4 and fields[1] in ("0", "Q0") and is_number(fields[3]):
        return "judgments (topic 0 docno grade)" if len(fields) < 6 else "a run (topic Q0 docno rank score tag)"
    if len(fields) >= 6 and is_number(fields[3]) and is_number(fields[4]) and not is_number(fields[2]):
        return "a run (topic Q0 docno rank score tag)"
    return None


def _is_whole(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def is_json(data: bytes) -> bool:
    """Whether a text starts as JSON does, below comments.

    >>> is_json(b'# mine\\n{"bm25": {"301": 0.25}}'), is_json(b"topic,bm25\\n301,0.25")
    (True, False)
    """
    return data[start_of(data) :].lstrip()[:1] in (b"{", b"[")


def are_scores(path: str, is_measure: Callable[[str], bool], *, is_alone: bool = True) -> bool:
    """Whether what a command is given first are scores, not judgments: by what it holds, or else by its extension.

    Judgments do not stand alone: a JSON object that could be either is scores where it does. What is neither, such as
    a workbook or an archive, is refused.
    """
    file = _first_file(path)
    if file is None:
        return extension(path) in EXTENSIONS
    data = _head(file)
    if is_log(data):
        return True
    refuse(Head.of(np.frombuffer(data, np.uint8)), file)
    if data.startswith(START):
        return columns_of(column_names(data)).document is None
    if is_json(data):
        return looks_json(data, is_alone=is_alone)
    if is_lines(data, is_measure) or is_leaderboard(data):
        return True
    kind = looks(data)
    return extension(file) in EXTENSIONS if kind is None else kind == SCORES


def _first_file(path: str) -> str | None:
    """The file, or the first of a folder; None where there is none."""
    if not is_there(path):
        return None
    if not is_folder(path):
        return path
    per_query = Path(path) / PER_QUERY
    inside = [per_query] if is_file(per_query) else files_in(path)
    return next(map(str, inside), None)


def _head(path: str) -> bytes:
    """As much of a file as tells what it holds: all of it where that is Parquet, JSON or zip, or comments are long."""
    head = first_bytes(path, _HEAD)
    is_enough = start_of(head) < len(head) and not head.startswith((START, ZIP)) and not is_json(head)
    return head if is_enough else read_bytes(path).tobytes()


def looks_json(data: bytes, *, is_alone: bool = True) -> bool:
    """Whether a JSON file, or JSON lines, are scores."""
    body = data[start_of(data) :]
    for text in (body.partition(b"\n")[0], body):
        try:
            return _is_scores(json.loads(text), is_alone=is_alone)
        except (ValueError, RecursionError):
            continue
    return is_alone


def _is_scores(content: object, *, is_alone: bool) -> bool:
    """Whether an object of JSON is scores, rather than a run or judgments."""
    if tool_of(content) is not None:
        return True
    if isinstance(content, list):
        return bool(content) and isinstance(content[0], Mapping) and _is_record(content[0])
    if not isinstance(content, Mapping) or not content:
        return False
    inner = [value for value in content.values() if isinstance(value, Mapping)]
    if not inner or content.get("study") == "score":
        return _is_record(content) or "study" in content
    values = [value for mapping in inner for value in mapping.values()]
    return is_alone or any(isinstance(value, Mapping) for value in values) or _has_same_topics(inner, values)


def _has_same_topics(inner: Sequence[Mapping[str, Any]], values: Sequence[object]) -> bool:
    """Whether mappings have most names in common, as systems have topics, and hold fractions, as judgments do not."""
    names = [name for mapping in inner for name in mapping]
    has_fractions = any(isinstance(value, float) and value % 1 != 0 for value in values)
    return has_fractions and len(inner) > 1 and 2 * len(set(names)) <= len(names)


def _is_record(record: Mapping[str, Any]) -> bool:
    columns = columns_of([str(name) for name in record])
    return columns.document is None and bool({"score", "topic"} & columns.of.keys())
