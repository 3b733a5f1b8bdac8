"""Tables with named columns: CSV and TSV, JSON lines, a JSON list of records, Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from irgauge.compute.arrays import Bytes
from irgauge.errors import InputError
from irgauge.reading.formats.record import Format, Head
from irgauge.reading.tables.jsons import parsed, record_sheet
from irgauge.reading.tables.sheet import START, Origin, Sheet, read_parquet
from irgauge.reading.tables.text import read_text
from irgauge.reading.trec import Qrels, Run
from irgauge.reading.triples import (
    DOCNO,
    OF_QRELS,
    OF_RUNS,
    SCORE,
    SYSTEM,
    TOPIC,
    found,
    of_columns,
    qrels_of_triples,
    run_of_triples,
    systems_of,
)

_SCORES = (
    "the table has no column of documents (doc_id, docno, corpus-id, ...): it looks like a table of scores; "
    "give it alone, without judgments"
)


def runs_of_sheet(sheet: Sheet) -> list[Run]:
    """The runs of a table: one, or as many as a column `system` names."""
    columns = _columns(sheet)
    rows = of_columns(columns, OF_RUNS, sheet.origin)
    systems = systems_of(columns, sheet.origin)
    if len(systems) < 2:
        return [run_of_triples(rows, next(iter(systems), None))]
    path = sheet.origin.path
    return [run_of_triples(rows.only(of, f"{path} ({name})"), name, is_named=True) for name, of in systems.items()]


def qrels_of_sheet(sheet: Sheet) -> Qrels:
    """The judgments of a table."""
    columns = _columns(sheet)
    if len(systems := systems_of(columns, sheet.origin)) > 1:
        some = ", ".join(list(systems)[:3])
        raise sheet.origin.error(f"the table has several systems ({some}): it looks like runs; name the qrels first")
    return qrels_of_triples(of_columns(columns, OF_QRELS, sheet.origin))


def _columns(sheet: Sheet) -> Mapping[str, Sequence[Any]]:
    if found(sheet.names, DOCNO) is None and found(sheet.names, TOPIC) is not None:
        raise sheet.origin.error(_SCORES)
    return {name: sheet.frame[name].to_list() for name in sheet.names}


# CSV and TSV


def _is_text(head: Head) -> bool:
    """Whether the first line names columns; a table of scores, without documents, is refused when it is read."""
    return found(head.names, TOPIC) is not None and found(head.names, (*DOCNO, *SCORE)) is not None


def _has_system(head: Head) -> bool:
    return found(head.names, SYSTEM) is not None


def _text_sheet(path: str, text: Bytes) -> Sheet:
    sheet = read_text(text.tobytes(), path)
    if len(sheet.names) == 1:
        advice = "separate the columns with tabs or commas, or remove this line where the columns are TREC's"
        raise InputError(f"the first line names columns between spaces; {advice}", path=path, line=1)
    return sheet


# JSON lines, and a JSON list


def _is_records(head: Head) -> bool:
    return head.line.startswith("[") or _first_record(head) is not None


def _first_record(head: Head) -> Mapping[str, Any] | None:
    """The record of the first line, if it is one of a run or of judgments."""
    try:
        record = json.loads(head.line) if head.line.startswith("{") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, Mapping) or found(record, TOPIC) is None:
        return None
    return None if any(isinstance(value, Mapping) for value in record.values()) else record


def _record_has_system(head: Head) -> bool:
    return head.line.startswith("[") or found(_first_record(head) or {}, SYSTEM) is not None


def _record_sheet(path: str, text: Bytes) -> Sheet:
    records = parsed(text.tobytes(), path)
    if isinstance(records, Mapping):
        records = [records]
    numbers = getattr(records, "numbers", None)
    origin = Origin(path, line_of=None if numbers is None else numbers.__getitem__)
    return record_sheet(records, origin, has_averages=False)


# Parquet


def _is_parquet(head: Head) -> bool:
    return head.data.startswith(START)


def _parquet_sheet(path: str, text: Bytes) -> Sheet:
    return Sheet.of(read_parquet(text.tobytes(), path), Origin(path))


TEXT = Format(
    "a CSV or TSV table",
    _is_text,
    lambda path, text: runs_of_sheet(_text_sheet(path, text)),
    lambda path, text: qrels_of_sheet(_text_sheet(path, text)),
    _has_system,
)
RECORDS = Format(
    "JSON lines, or a JSON list of records",
    _is_records,
    lambda path, text: runs_of_sheet(_record_sheet(path, text)),
    lambda path, text: qrels_of_sheet(_record_sheet(path, text)),
    _record_has_system,
)
PARQUET = Format(
    "a Parquet table",
    _is_parquet,
    lambda path, text: runs_of_sheet(_parquet_sheet(path, text)),
    lambda path, text: qrels_of_sheet(_parquet_sheet(path, text)),
    _is_parquet,
)
