"""Lines of three fields: `trec_eval -q` writes measure, topic and value, ir_measures topic, measure and value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irgauge.errors import InputError
from irgauge.reading.tables.longtable import ALL, IsMeasure
from irgauge.reading.tables.sheet import Origin, Sheet, sheet_of, stem
from irgauge.reading.tables.text import is_number, start_of

_RUN = "runid"  # the line with the name of the run
_Line = tuple[int, str, str, str]  # number, and three fields


def is_lines(data: bytes, is_measure: IsMeasure) -> bool:
    """Whether a file starts with such lines: three fields, one of them a measure or `all`, and a number.

    A run of MS MARCO (topic, document, rank) has three fields too, and no measure.

    >>> known = {"map"}.__contains__
    >>> is_lines(b"map 301 0.25", known), is_lines(b"301 map 0.25", known), is_lines(b"301 D1 1", known)
    (True, True, False)
    """
    first = data[start_of(data) :][:400].partition(b"\n")[0].decode(errors="replace")
    fields = _fields(first)
    if len(fields) != 3 or not (is_number(fields[2]) or fields[0] == _RUN):
        return False
    return fields[0] == _RUN or ALL in fields[:2] or is_measure(fields[0]) or is_measure(fields[1])


def read_lines(data: bytes, path: str, is_measure: IsMeasure) -> Sheet:
    """The scores; where lines name several runs, each is the system of what follows, as irgauge writes them."""
    try:
        rows = list(_lines(data.decode(), path))
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path) from None
    runs = [value for _, name, _, value in rows if name == _RUN]
    scored = [row for row in rows if row[1] != _RUN]
    numbers = [row[0] for row in scored]
    if not scored:
        raise InputError("the file names a run, and holds no scores; was it written to the end?", path=path)
    measure, topic = (1, 2) if _has_measure_first(scored, is_measure, path) else (2, 1)
    columns: dict[str, list[Any]] = {
        "measure": [row[measure] for row in scored],
        "topic": [row[topic] for row in scored],
    }
    if len(runs) > 1:
        columns["system"] = _systems(rows)
    columns["score"] = [row[3] for row in scored]
    sheet = sheet_of(columns, Origin(path, stem(path), lambda row: numbers[row]))
    return Sheet(sheet.frame, sheet.origin, runs[0] if len(runs) == 1 else None)


def _lines(text: str, path: str) -> Iterator[_Line]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = _fields(line)
        if len(fields) != 3:
            message = f"{len(fields)} fields where 3 are needed: measure, topic and value, or topic, measure and value"
            raise InputError(f"{message}; fix this line", path=path, line=number)
        yield number, fields[0], fields[1], fields[2]


def _fields(line: str) -> list[str]:
    """The fields between tabs, as measures may hold spaces; or else between spaces."""
    tabs = [field.strip() for field in line.split("\t")]
    return tabs if len(tabs) == 3 and all(tabs) else line.split()


def _has_measure_first(rows: Sequence[_Line], is_measure: IsMeasure, path: str) -> bool:
    """Whether measures come before topics, as in trec_eval: the averages tell, or else the names."""
    firsts, seconds = {row[1] for row in rows}, {row[2] for row in rows}
    if (ALL in firsts) != (ALL in seconds):
        return ALL in seconds
    known = [sum(map(is_measure, names)) / len(names) for names in (firsts, seconds)]
    if known[0] == known[1]:
        message = "the lines can be read in two ways, as measure, topic, value or as topic, measure, value"
        raise InputError(f"{message}; give the columns names, in a first line", path=path)
    return known[0] > known[1]


def _systems(rows: Sequence[_Line]) -> list[str | None]:
    """The run that was named last before each score."""
    systems: list[str | None] = []
    run: str | None = None
    for _, name, _, value in rows:
        if name == _RUN:
            run = value
        else:
            systems.append(run)
    return systems
