"""JSON and JSON lines: records of scores, such as those of ir_measures, nested objects, and what irgauge writes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from irgauge.errors import InputError
from irgauge.reading.tables.columns import SCORE, columns_of
from irgauge.reading.tables.form import IsMeasure
from irgauge.reading.tables.nested import nested_sheet
from irgauge.reading.tables.sheet import Origin, Sheet, sheet_of, stem
from irgauge.reading.tables.text import start_of

Record = Mapping[str, Any]
_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # an escape that stands for half a character


def read_json(data: bytes, path: str, is_measure: IsMeasure, *, is_one_system: bool = False) -> Sheet:
    """The table that a JSON file holds: an object, a list of records, or a record on each line."""
    found = parsed(data, path)
    if isinstance(found, Mapping):
        inner = found.get("scores")
        if found.get("study") == "score" and isinstance(inner, list):
            return record_sheet(inner, Origin(path, stem(path)))
        if SCORE not in columns_of(list(found)).of:
            return nested_sheet(found, Origin(path, stem(path)), is_measure, is_one_system=is_one_system)
        return record_sheet([found], Origin(path, stem(path)))
    lines = found.numbers if isinstance(found, Lines) else None
    line_of = None if lines is None else lines.__getitem__
    return record_sheet(found, Origin(path, stem(path), line_of))


class Lines(list[Record]):
    """Records, and the line of each."""

    numbers: list[int]


def parsed(data: bytes, path: str) -> Record | list[Any]:
    """What the text holds; `Lines` where it has a record on each line."""
    start = start_of(data)
    try:
        above, text = data[:start].decode(), data[start:].decode()
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path) from None
    try:
        found = json.loads(text)
    except RecursionError:
        raise InputError("this JSON is nested too deep to be a table of scores", path=path) from None
    except ValueError:
        found = _lines(above + text, path)
    refuse_halves(found, text, path)
    if not isinstance(found, Mapping | list):
        raise InputError(f"this JSON is a {type(found).__name__}, not a table of scores", path=path)
    return found


def refuse_halves(found: object, text: str, path: str) -> None:
    """Refuse what the text holds where escapes, such as \\ud800 alone, leave half characters in it."""
    if _HALF.search(text):
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError):
            raise InputError("an escape such as '\\ud800' is half a character; fix the file", path=path) from None


def _lines(text: str, path: str) -> Lines:
    records, records_lines = Lines(), []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"this is not JSON ({error}); fix this line", path=path, line=number) from None
        if not isinstance(record, Mapping):
            raise InputError("this line is not a JSON object, such as {...}; fix it", path=path, line=number)
        records.append(record)
        records_lines.append(number)
    records.numbers = records_lines
    return records


def record_sheet(records: Sequence[Any], origin: Origin, *, has_averages: bool = True) -> Sheet:
    """A table of records; where it has averages over topics, whose topic is null, these are left out."""
    for row, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise origin.error(f"record {row + 1} is a {type(record).__name__}, not an object with names", row)
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    topic = columns_of(names).of.get("topic") if has_averages else None
    kept = [row for row, one in enumerate(records) if topic is None or topic not in one or one[topic] is not None]
    columns = {name: [_cell(records[row].get(name)) for row in kept] for name in names}
    line_of = origin.line_of
    if not kept:
        advice = "there are no scores of topics; write those of every topic (-q, per query)"
        raise origin.error(advice if has_averages else "there are no rows")
    lines = None if line_of is None else [line_of(row) for row in kept]
    return sheet_of(columns, Origin(origin.path, origin.name, None if lines is None else lines.__getitem__))


def _cell(value: object) -> object:
    """Numbers and text as they are; all else as text."""
    return value if value is None or isinstance(value, int | float | str) else str(value)
