"""Three columns between white space, with a line that names them or without: BEIR's judgments, MS MARCO's runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from irgauge.compute.arrays import Bools, Bytes, Floats, Ints
from irgauge.errors import InputError
from irgauge.reading.formats.named_columns import TEXT
from irgauge.reading.formats.record import Format, Head
from irgauge.reading.tables.sheet import plain
from irgauge.reading.textfile import TextFile
from irgauge.reading.tokens import FieldColumns, line_at
from irgauge.reading.trec import Qrels, Run
from irgauge.reading.triples import DOCNO, GRADE, RANK, SCORE, TOPIC
from irgauge.reading.wrong_columns import QRELS, RUN

_USUAL_GRADES = 4  # judgments whose grades count up to more than this are ranks
_VALUE = 2  # the column of the rank, the score or the grade


def _looks(head: Head) -> bool:
    return len(head.fields) == 3 and (not head.has_columns or _is_header([plain(name) for name in head.fields]))


def _is_header(names: list[str]) -> bool:
    """Whether three names are those of topic, docno and value, in this order."""
    topic, docno, value = names
    return topic in TOPIC and docno in DOCNO and value in (*SCORE, *RANK, *GRADE)


def _is_quoted(text: Bytes) -> bool:
    """Whether fields between tabs, below their names, are in quotes, as writers of tables put docnos with a quote."""
    data, head = text.tobytes(), Head.of(text)
    return head.has_columns and "\t" in head.line and (b'\t"' in data or b'\n"' in data)


def _opened(path: str, text: Bytes) -> tuple[TextFile, str | None]:
    """The file, and what its third column is called; the line that says so becomes blank, as comments do."""
    file = TextFile.of(path, text)
    names = [plain(name) for name in file.first_line()]
    if len(names) != 3 or not _is_header(names):
        return file, None
    start = int(np.argmax(text > ord(" ")))
    stop = start + int(np.argmax(np.append(text[start:], ord("\n")) == ord("\n")))
    text[start:stop] = ord(" ")
    if not (text > ord(" ")).any():
        raise InputError("there are no rows below the names of the columns", path=path)
    return file, names[_VALUE]


def _run(path: str, text: Bytes) -> list[Run]:
    """A run: topic docno rank, as MS MARCO has it, or topic docno score."""
    file, name = _opened(path, text)
    columns, values = _read(file, name, "rank or score", RUN)
    rows, order = file.rows(columns)
    values = values[order]
    is_rank = name in RANK if name is not None else _says_ranks(file, values, rows["bounds"])
    notes = () if name is not None else (f"its third column is read as {'ranks, 1 the best' if is_rank else 'scores'}",)
    rows["notes"] = (*rows["notes"], *notes)
    if not is_rank:  # no column of ranks follows the docnos
        rows["line_of"] = lambda row: int(line_at(text, rows["starts"][row]))
    header = file.comments.header
    return [Run(**rows, tag=None, scores=-values if is_rank else values, header=header)]


def _says_ranks(file: TextFile, values: Floats, bounds: Ints) -> bool:
    """Whether unnamed values are ranks: whole numbers from 1 on. Fractions are scores; anything else is refused."""
    if np.any(values != np.floor(values)):
        return False
    if np.all(_from_one(values, bounds)):
        return True
    message = (
        "a third column of whole numbers is read as ranks, from 1 on in every topic, and these are none; if they are "
        "scores, add a first line 'query_id doc_id score', or write six columns: topic Q0 docno rank score tag"
    )
    raise InputError(message, path=file.path)


def _from_one(values: Floats, bounds: Ints) -> Bools:
    """Whether the values of each topic start with 1 and rise."""
    rises = np.append(values[1:] > values[:-1], True)
    rises[bounds[1:] - 1] = True  # from one topic to the next
    return np.logical_and.reduceat(rises, bounds[:-1]) & (values[bounds[:-1]] == 1)


def _read(file: TextFile, name: str | None, value: str, expected: str) -> tuple[FieldColumns, Floats]:
    """The columns; where none is named, and the first line has no number, they are meant to be TREC's."""
    columns = file.columns(name=1, numbers=(_VALUE,), groups=(0,))
    values = columns.numbers[0]
    if name is None and np.isnan(values[0]):
        raise file.wrong_width(0, file.width, f"{expected}, or 3: topic docno {value}")
    file.refuse_nan(columns, values, _VALUE, name or value)
    return columns, values


def _qrels(path: str, text: Bytes) -> Qrels:
    """Judgments: topic docno grade, as BEIR has them."""
    file, name = _opened(path, text)
    columns, values = _read(file, name, "grade", QRELS)
    file.refuse_fractions(columns, values, _VALUE, "grade")
    rows, order = file.rows(columns)
    grades = values[order]
    if name in RANK or (name is None and _are_ranks(grades, rows)):
        raise file.error(columns.starts[0], "these are ranks, not grades: this looks like a run; name the qrels first")
    return Qrels(**rows, grades=grades.astype(np.int64), strata=np.zeros(len(grades), np.int64))


def _are_ranks(grades: Floats, rows: dict[str, Any]) -> bool:
    """Whether unnamed values count from 1 in every topic, and further than grades do."""
    return bool(grades.max() > _USUAL_GRADES and np.all(_from_one(grades, rows["bounds"])))


FORMAT = Format(
    "three columns (topic docno rank, or topic docno grade)",
    _looks,
    lambda path, text: TEXT.runs(path, text) if _is_quoted(text) else _run(path, text),
    lambda path, text: TEXT.qrels(path, text) if _is_quoted(text) else _qrels(path, text),
)
