"""Scores from files, each by what it holds, several together, and from Python objects.

These are data frames, mappings, arrays, records, and what other tools return.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from irgauge.compute.polars_pool import check_pool
from irgauge.errors import InputError
from irgauge.files.opening import expand, is_file, read_bytes
from irgauge.options.verbs import check_kind
from irgauge.reading.formats.record import Head, refuse
from irgauge.reading.tables.jsons import nested_sheet, read_json, record_sheet
from irgauge.reading.tables.leaderboard import is_leaderboard, read_leaderboard
from irgauge.reading.tables.longtable import LONG, IsMeasure, LongTable, joined, long_table
from irgauge.reading.tables.looks import PER_QUERY, SCORES, extension, is_json, looks
from irgauge.reading.tables.named_columns import one_system_each
from irgauge.reading.tables.no_scores import without_counts
from irgauge.reading.tables.parquet import START, read_parquet
from irgauge.reading.tables.sheet import (
    SCORE,
    Origin,
    Roles,
    Sheet,
    collected,
    columns_of,
    is_lazy,
    roles_of,
    sheet_of,
    stem,
    with_roles,
)
from irgauge.reading.tables.text import read_text
from irgauge.reading.tables.trec_eval import is_lines, read_lines
from irgauge.reading.tools.inspect_ai import is_log
from irgauge.reading.tools.registry import log_sheet, tool_or_sheet
from irgauge.reading.topic_table import refuse_renumbered
from irgauge.visible import encodable

_ALLOWED = "give the path of a table, a polars or pandas data frame, {system: {topic: score}}, or an array"


def read_tables(
    paths: Sequence[str | os.PathLike[str]], is_measure: IsMeasure, roles: Roles | None = None
) -> LongTable:
    """The scores of files, folders and patterns; a folder of PyTerrier's `save_dir` is its scores of queries."""
    check_pool()
    files = score_files(paths)
    sheets = [read_sheet(file, is_measure, is_one_system=len(files) > 1) for file in files]
    return together(sheets, is_measure, roles=roles)


def score_files(paths: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that are meant."""
    return [file for path in paths for file in _files(str(path))]


def _files(path: str) -> list[str]:
    per_query = Path(path) / PER_QUERY
    return [str(per_query)] if path and is_file(per_query) else expand([path])


def read_sheet(path: str, is_measure: IsMeasure, *, is_one_system: bool = False) -> Sheet:
    """The table of one file, compressed or not: Parquet, JSON, lines of trec_eval or ir_measures, or CSV."""
    text = read_bytes(path)
    data = text.tobytes()
    if is_log(data):
        return log_sheet(data, Origin(path, stem(path)))
    refuse(Head.of(text), path)
    if extension(path) == ".parquet" or data.startswith(START):
        return tool_or_sheet(Sheet.of(read_parquet(data, path), Origin(path, stem(path))))
    if is_json(data):
        return read_json(data, path, is_measure, is_one_system=is_one_system)
    if is_lines(data, is_measure):
        return read_lines(data, path, is_measure)
    if is_leaderboard(data):
        return read_leaderboard(data, path)
    kind = looks(data)
    if kind is not None and kind != SCORES:
        raise InputError(f"this looks like {kind}, not like a table of scores; {LONG}", path=path, line=1)
    return tool_or_sheet(read_text(data, path))


def together(
    sheets: Sequence[Sheet], is_measure: IsMeasure, measure: str | None = None, roles: Roles | None = None
) -> LongTable:
    """One table of all; what names no system is one, named after its file, and what names no measure is 'score'."""
    sheets = _of_tasks([with_roles(sheet, roles) for sheet in sheets] if roles else sheets)
    with one_system_each() if len(sheets) > 1 else nullcontext():
        longs = [long_table(_named(sheet, measure), is_measure) for sheet in sheets]
    tables = [_with_measure(table, is_measure, measure) for table in longs]
    refuse_renumbered((sheet.origin, table.about) for sheet, table in zip(sheets, tables, strict=True))
    names = _system_names(sheets)
    for sheet, table, name in zip(sheets, tables, names, strict=True):
        if name is None and not table.has("system"):
            raise sheet.origin.error(f"the table has no column 'system'; {LONG}")
    named = [table.named("system", name) for table, name in zip(tables, names, strict=True)]
    return without_counts(joined(_told_apart(named, sheets)), is_measure)


def _told_apart(tables: Sequence[LongTable], sheets: Sequence[Sheet]) -> Sequence[LongTable]:
    """The tables; where all hold the same cells of one system, as those of two nights, each is named after its file."""
    import polars as pl

    systems = {system for table in tables for system in table.frame["system"].unique()}
    names = [sheet.origin.name for sheet in sheets]
    files = names if len(set(names)) == len(names) else list(map(_with_folder, sheets))
    is_apart = len(set(files)) < len(tables) or None in files or any(sheet.recognized is not None for sheet in sheets)
    if len(systems) != 1 or len(tables) < 2 or is_apart:
        return tables
    cells = pl.concat(table.frame.select("measure", "topic", "replicate").unique() for table in tables)
    if not cells.is_duplicated().any():
        return tables
    labels = [pl.lit(file, pl.String).alias("system") for file in files]
    return [replace(table, frame=table.frame.with_columns(own)) for table, own in zip(tables, labels, strict=True)]


def _named(sheet: Sheet, measure: str | None) -> Sheet:
    return sheet if measure is None else replace(sheet, origin=replace(sheet.origin, name=measure))


def _with_measure(table: LongTable, is_measure: IsMeasure, measure: str | None) -> LongTable:
    """A long table that names no measure has that of its file's name, if that is one."""
    name = table.origins[0].name
    own = name if name is not None and is_measure(name) and table.has("system") else SCORE
    is_nameless = measure is None and (table.is_nameless or (own == SCORE and not table.has("measure")))
    return replace(table.named("measure", measure or own), is_nameless=is_nameless)


def _system_names(sheets: Sequence[Sheet]) -> list[str | None]:
    """A file's system: as the file says, or after the file; with its folder, where several have one name."""
    names = [sheet.tag for sheet in sheets]
    for better in (lambda sheet: sheet.origin.name, _with_folder):
        shared = Counter(zip(names, map(_task, sheets), strict=True))
        names = [
            better(sheet) if name is None or shared[name, _task(sheet)] > 1 else name
            for sheet, name in zip(sheets, names, strict=True)
        ]
    return names


def _task(sheet: Sheet) -> str | None:
    return None if sheet.recognized is None else sheet.recognized.task


def _of_tasks(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The tables, whose topics are named with their tasks where these are several: each counts its own from 1."""
    import polars as pl

    if len(set(map(_task, sheets))) < 2:
        return list(sheets)
    return [
        sheet
        if sheet.recognized is None or (task := sheet.recognized.task) is None
        else replace(
            sheet,
            frame=sheet.frame.with_columns((pl.lit(f"{task}/") + pl.col("topic")).alias("topic")),
            recognized=replace(
                sheet.recognized, asked={f"{task}/{name}": text for name, text in sheet.recognized.asked.items()}
            ),
        )
        for sheet in sheets
    ]


def _with_folder(sheet: Sheet) -> str | None:
    path, name = sheet.origin.path, sheet.origin.name
    return name if path is None else encodable(f"{Path(path).parent.name}/{name}".removeprefix("/"))


@dataclass(frozen=True)
class GivenNames:
    """Names of what an object holds but does not name."""

    measure: str | None = None
    systems: Sequence[str] | None = None
    topics: Sequence[str] | None = None
    columns: str | Mapping[str, str] | None = None  # of tables: role -> column

    def __post_init__(self) -> None:
        check_kind("measure", self.measure, str | None)
        for name in ("systems", "topics"):
            check_kind(name, getattr(self, name), object)


def table_of(data: object, is_measure: IsMeasure, names: GivenNames = GivenNames()) -> LongTable:
    """The scores that an object holds, or the files that it names."""
    check_pool()
    data = getattr(data, "perquery", data)  # of PyTerrier's Experiment(perquery="both")
    if paths := _paths(data):
        return read_tables(paths, is_measure, roles_of(names.columns))
    if not is_frame(data) and not isinstance(data, Mapping) and hasattr(data, "__array__"):
        return together([_of_array(_array(data), names)], is_measure)
    if names.systems is not None or names.topics is not None:
        raise InputError(f"names of systems and topics are for arrays; a {type(data).__name__} has its own")
    return together(_sheets(data, is_measure), is_measure, names.measure, roles_of(names.columns))


def _array(data: Any) -> Any:  # noqa: ANN401  # an array of any numbers
    """It as an array of numpy; what it masks stays masked."""
    return data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)


def _paths(data: object) -> list[str | os.PathLike[str]]:
    if isinstance(data, str | os.PathLike):
        return [data]
    if isinstance(data, list | tuple) and all(isinstance(path, str | os.PathLike) for path in data):
        return list(data)
    return []


def is_frame(value: object) -> bool:
    """Whether an object is a data frame, computed or not."""
    return is_lazy(value) or (hasattr(value, "columns") and hasattr(value, "shape"))


def is_to_be_read(data: object) -> bool:
    """Whether it holds scores, or names files of them, that are not read yet."""
    is_given = isinstance(data, str | os.PathLike | list | tuple | Mapping)
    return is_given or is_frame(data) or hasattr(data, "__array__")


def _sheets(data: Any, is_measure: IsMeasure) -> list[Sheet]:  # noqa: ANN401  # any object
    if not isinstance(data, Mapping):
        return [_sheet(data, Origin())]
    values = list(data.values())
    if values and all(is_frame(value) or _is_records(value) for value in values):
        return [_sheet(table, Origin(name=str(name))) for name, table in data.items()]
    if values and all(map(_is_column, values)):
        return [_of_columns(data)]
    return [nested_sheet(data, Origin(), is_measure, is_one_system=False)]


def _is_column(value: object) -> bool:
    """Whether it has cells; a masked value is an array without any."""
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _sheet(data: Any, origin: Origin) -> Sheet:  # noqa: ANN401  # any object
    if is_frame(data):
        return _of_frame(collected(data), origin)
    if _is_records(data):
        return record_sheet([record._asdict() if hasattr(record, "_asdict") else record for record in data], origin)
    raise InputError(f"a {type(data).__name__} cannot be read; {_ALLOWED}", path=origin.path)


def _is_records(data: object) -> bool:
    """Mappings, or named tuples such as those of ir_measures."""
    return (
        isinstance(data, list | tuple)
        and len(data) > 0
        and all(isinstance(record, Mapping) or hasattr(record, "_asdict") for record in data)
    )


def _of_columns(columns: Mapping[Any, Sequence[Any]]) -> Sheet:
    """A mapping from the names of columns, such as systems, to their cells."""
    lengths = {str(name): len(cells) for name, cells in columns.items()}
    if len(set(lengths.values())) > 1:
        examples = ", ".join(f"{name}: {length}" for name, length in list(lengths.items())[:5])
        raise InputError(f"the columns have different lengths ({examples}); each needs a score of every topic")
    return sheet_of({str(name): _cells(cells) for name, cells in columns.items()}, Origin())


def _cells(column: Sequence[Any]) -> Sequence[Any]:
    """The values of a column; None where it masks them."""
    return column.tolist() if isinstance(column, np.ma.MaskedArray) else column


def frame_sheet(frame: object, path: str | None = None) -> Sheet:
    """The table of a data frame that comes from a file, or from nowhere."""
    return _sheet(frame, Origin(path, None if path is None else stem(path)))


def _of_frame(frame: Any, origin: Origin) -> Sheet:  # noqa: ANN401  # any frame
    """A frame of polars, or of pandas with its index, or any that gives its columns as those of Arrow."""
    import polars as pl

    if isinstance(frame, pl.DataFrame):
        return Sheet.of(frame, origin)
    if not hasattr(frame, "iloc"):
        if not hasattr(frame, "__arrow_c_stream__"):
            raise origin.error(f"a {type(frame).__name__} cannot be read; {_ALLOWED}")
        return Sheet.of(pl.DataFrame(frame), origin)
    index = getattr(frame, "index", None)
    names = [str(name) for name in frame.columns]
    if index is not None and any(name is not None for name in index.names):
        frame = frame.reset_index()
    elif index is not None and type(index).__name__ != "RangeIndex" and "topic" not in columns_of(names).of:
        frame = frame.rename_axis(index="topic").reset_index()
    places = range(len(frame.columns))
    named = [str(name) for name in frame.columns]
    if len(set(named)) < len(named):
        raise origin.error("two columns of the data frame have the same name; rename one")
    return sheet_of({named[i]: list(frame.iloc[:, i]) for i in places}, origin)


def _of_array(array: Any, names: GivenNames) -> Sheet:  # noqa: ANN401  # an array of any numbers
    """scores[topic, system] or scores[topic, system, replicate]."""
    if array.ndim not in (2, 3) or array.dtype.kind not in "fiu":
        shape = f"{array.ndim} axes of {array.dtype}"
        raise InputError(f"the array has {shape}; give numbers [topic, system] or [topic, system, replicate]")
    topics = _labels(names.topics, array.shape[0], "topics", "")
    systems = _labels(names.systems, array.shape[1], "systems", "system")
    axes = [topics, systems, *([[str(r + 1) for r in range(array.shape[2])]] if array.ndim == 3 else [])]
    places = np.indices(array.shape).reshape(array.ndim, -1)
    keys = ("topic", "system", "replicate")
    labels = {key: [axis[i] for i in at] for key, axis, at in zip(keys, axes, places, strict=False)}
    measure = {"measure": [names.measure or SCORE] * array.size}
    return sheet_of(measure | labels | {SCORE: array.ravel().tolist()}, Origin())


def _labels(names: Sequence[str] | None, count: int, what: str, prefix: str) -> list[str]:
    labels = [f"{prefix}{i + 1}" for i in range(count)] if names is None else [str(name) for name in names]
    if len(labels) != count:
        raise InputError(f"{len(labels)} names of {what} were given for {count} in the array; give one for each")
    return labels
