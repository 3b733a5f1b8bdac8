"""JSON and JSON lines: records of scores, such as those of ir_measures, nested objects, and what irgauge writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irgauge.errors import InputError
from irgauge.reading.json_text import TwiceError, loaded
from irgauge.reading.tables.longtable import IsMeasure
from irgauge.reading.tables.sheet import SCORE, Origin, Sheet, columns_of, sheet_of, stem, text_of
from irgauge.reading.tables.text import listed, start_of
from irgauge.reading.tools.registry import tool_sheet

Path = tuple[str, ...]  # keys, from the outermost
ALLOWED = "give {system: {topic: score}} or {measure: {system: {topic: score}}}"


def nested_sheet(nested: Mapping[Any, Any], origin: Origin, is_measure: IsMeasure, *, is_one_system: bool) -> Sheet:
    """The table that mappings in mappings hold; `is_one_system` says that there are others beside it.

    >>> sheet = nested_sheet({"a": {"q1": 0.5}}, Origin(), {"AP"}.__contains__, is_one_system=False)
    >>> sheet.frame.select("system", "topic", "score").rows()
    [('a', 'q1', 0.5)]
    """
    leaves = list(_leaves(nested, (), origin))
    if not leaves:
        raise origin.error(f"there are no scores; {ALLOWED}")
    _refuse_uneven(leaves, origin)
    levels = [list(dict.fromkeys(keys)) for keys in zip(*(path for path, _ in leaves), strict=True)]
    roles = _roles(levels, origin, is_measure, is_one_system=is_one_system)
    columns = {role: [path[level] for path, _ in leaves] for level, role in enumerate(roles)}
    return sheet_of(columns | {"score": [score for _, score in leaves]}, origin)


def _leaves(nested: Mapping[Any, Any], above: Path, origin: Origin) -> Iterator[tuple[Path, object]]:
    for key, value in nested.items():
        path = (*above, text_of(key))
        if isinstance(value, Mapping):
            yield from _leaves(value, path, origin)
        elif isinstance(value, list | tuple | dict):
            raise origin.error(f"{'.'.join(path)} holds a {type(value).__name__}, not a score; {ALLOWED}")
        else:
            yield path, value


def _refuse_uneven(leaves: Sequence[tuple[Path, object]], origin: Origin) -> None:
    depth = len(leaves[0][0])
    for path, _ in leaves:
        if len(path) != depth:
            raise origin.error(f"{'.'.join(path)} is {len(path)} levels deep, and others are {depth}; {ALLOWED}")
    if depth not in (2, 3):
        what = "one number for each name, such as averages" if depth == 1 else f"mappings {depth} levels deep"
        raise origin.error(f"these are {what}, not scores of systems on topics; {ALLOWED}")


def _roles(
    levels: Sequence[Sequence[str]], origin: Origin, is_measure: IsMeasure, *, is_one_system: bool
) -> tuple[str, ...]:
    """What the keys of each level are: the level of known measures, and systems before topics."""
    measures = [level for level, keys in enumerate(levels) if all(map(is_measure, keys))]
    if len(levels) == 2 and not measures:
        return ("system", "topic")
    if len(levels) == 2:
        if not is_one_system:
            raise _averages(levels, measures[0], origin)
        return ("measure", "topic") if measures[0] == 0 else ("topic", "measure")
    at = measures[0] if measures else 0
    others = iter(("system", "topic"))
    return tuple("measure" if level == at else next(others) for level in range(3))


def _averages(levels: Sequence[Sequence[str]], at: int, origin: Origin) -> Exception:
    measures, others = listed(levels[at], 3), listed(levels[1 - at], 3)
    return origin.error(
        f"these scores of {measures} can be read in two ways: as averages of the systems {others}, or as scores of "
        f"one system on the topics {others}; if they are scores of topics, name the system: "
        "{system: {topic: {measure: score}}}"
    )


Record = Mapping[str, Any]
_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # an escape that stands for half a character


def read_json(data: bytes, path: str, is_measure: IsMeasure, *, is_one_system: bool = False) -> Sheet:
    """The table that a JSON file holds: an object, a list of records, or a record on each line."""
    content = parsed(data, path)
    lines = content.numbers if isinstance(content, Lines) else None
    origin = Origin(path, stem(path), None if lines is None else lines.__getitem__)
    records = content if isinstance(content, list) else None
    raw = None if records is None else lambda: record_sheet(records, origin)
    if (sheet := tool_sheet(content, origin, raw)) is not None:
        return sheet
    if isinstance(content, Mapping):
        inner = content.get("scores")
        if content.get("study") == "score" and isinstance(inner, list):
            return record_sheet(inner, origin)
        if SCORE not in columns_of(list(content)).of:
            return nested_sheet(content, origin, is_measure, is_one_system=is_one_system)
        return record_sheet([content], origin)
    return record_sheet(content, origin)


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
        content = loaded(text)
    except TwiceError as error:
        raise InputError(str(error), path=path) from None
    except RecursionError:
        raise InputError("this JSON is nested too deep to be a table of scores", path=path) from None
    except ValueError:
        content = _lines(above + text, path)
    refuse_halves(content, text, path)
    if not isinstance(content, Mapping | list):
        raise InputError(f"this JSON is a {type(content).__name__}, not a table of scores", path=path)
    return content


def refuse_halves(content: object, text: str, path: str) -> None:
    """Refuse what the text holds where escapes, such as \\ud800 alone, leave half characters in it."""
    if _HALF.search(text):
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except (UnicodeEncodeError, RecursionError):
            raise InputError("an escape such as '\\ud800' is half a character; fix the file", path=path) from None


def _lines(text: str, path: str) -> Lines:
    records, records_lines = Lines(), []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            record = loaded(line)
        except TwiceError as error:
            raise InputError(str(error), path=path, line=number) from None
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
    kept = [
        row for row, record in enumerate(records) if topic is None or topic not in record or record[topic] is not None
    ]
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
