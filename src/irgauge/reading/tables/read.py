"""Files of scores: each by what it holds, several together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from irgauge.errors import InputError
from irgauge.files.opening import expand, is_file, read_bytes
from irgauge.reading.formats.foreign import refuse
from irgauge.reading.formats.record import Head
from irgauge.reading.tables.columns import SCORE
from irgauge.reading.tables.form import LONG, IsMeasure, long_table
from irgauge.reading.tables.jsons import read_json
from irgauge.reading.tables.longtable import LongTable, joined
from irgauge.reading.tables.looks import PER_QUERY, SCORES, extension, is_json, looks
from irgauge.reading.tables.parquet import START, read_parquet
from irgauge.reading.tables.sheet import Origin, Sheet, stem
from irgauge.reading.tables.text import read_text
from irgauge.reading.tables.trec_eval import is_lines, read_lines
from irgauge.visible import encodable


def read_tables(paths: Sequence[str | os.PathLike[str]], is_measure: IsMeasure) -> LongTable:
    """The scores of files, folders and patterns; a folder of PyTerrier's `save_dir` is its scores of queries."""
    files = score_files(paths)
    return together([read_sheet(file, is_measure, is_one_system=len(files) > 1) for file in files], is_measure)


def score_files(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that are meant."""
    return [file for path in paths for file in _files(str(path))]


def _files(path: str) -> list[str]:
    per_query = Path(path) / PER_QUERY
    return [str(per_query)] if path and is_file(per_query) else expand([path])


def read_sheet(path: str, is_measure: IsMeasure, *, is_one_system: bool = False) -> Sheet:
    """The table of one file, compressed or not: Parquet, JSON, lines of trec_eval or ir_measures, or CSV."""
    text = read_bytes(path)
    refuse(Head.of(text), path)
    data = text.tobytes()
    if extension(path) == ".parquet" or data.startswith(START):
        return Sheet.of(read_parquet(data, path), Origin(path, stem(path)))
    if is_json(data):
        return read_json(data, path, is_measure, is_one_system=is_one_system)
    if is_lines(data, is_measure):
        return read_lines(data, path, is_measure)
    kind = looks(data)
    if kind is not None and kind != SCORES:
        raise InputError(f"this looks like {kind}, not like a table of scores; {LONG}", path=path, line=1)
    return read_text(data, path)


def together(sheets: Sequence[Sheet], is_measure: IsMeasure, measure: str | None = None) -> LongTable:
    """One table of all; what names no system is one, named after its file, and what names no measure is 'score'."""
    tables = [_with_measure(long_table(_named(sheet, measure), is_measure), is_measure, measure) for sheet in sheets]
    names = _system_names(sheets)
    for sheet, table, name in zip(sheets, tables, names, strict=True):
        if name is None and not table.has("system"):
            raise sheet.origin.error(f"the table has no column 'system'; {LONG}")
    return joined([table.named("system", name) for table, name in zip(tables, names, strict=True)])


def _named(sheet: Sheet, measure: str | None) -> Sheet:
    return sheet if measure is None else replace(sheet, origin=replace(sheet.origin, name=measure))


def _with_measure(table: LongTable, is_measure: IsMeasure, measure: str | None) -> LongTable:
    """A long table that names no measure has that of its file's name, if that is one."""
    name = table.origins[0].name
    own = name if name is not None and is_measure(name) and table.has("system") else SCORE
    return table.named("measure", measure or own)


def _system_names(sheets: Sequence[Sheet]) -> list[str | None]:
    """A file's system: as the file says, or after the file; with its folder, where several have one name."""
    names = [sheet.tag for sheet in sheets]
    for better in (lambda sheet: sheet.origin.name, _with_folder):
        shared = Counter(names)
        names = [
            better(sheet) if name is None or shared[name] > 1 else name
            for sheet, name in zip(sheets, names, strict=True)
        ]
    return names


def _with_folder(sheet: Sheet) -> str | None:
    path, name = sheet.origin.path, sheet.origin.name
    return name if path is None else encodable(f"{Path(path).parent.name}/{name}".removeprefix("/"))
