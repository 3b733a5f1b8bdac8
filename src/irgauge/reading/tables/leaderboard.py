"""Lines of four fields, as judges of TREC's AutoJudge and RAG tracks write leaderboards: run, topic, measure and value.

Their order is one of three, which the averages tell: `run topic measure value` as ir_measures has it, `run measure
topic value`, or `topic run measure value` (autojudge-base 1.0).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irgauge.errors import InputError
from irgauge.reading.tables.longtable import ALL
from irgauge.reading.tables.sheet import SCORE, Origin, Sheet, sheet_of, stem
from irgauge.reading.tables.text import is_number, start_of

_ORDERS: Mapping[int, tuple[str, str, str]] = {
    0: ("topic", "system", "measure"),
    1: ("system", "topic", "measure"),
    2: ("system", "measure", "topic"),
}  # where `all` stands -> what the columns are
_HEAD = 1 << 16  # bytes that are looked at


def is_leaderboard(data: bytes) -> bool:
    """Whether a text has such lines: four fields, the last a fraction, or averages among them.

    >>> is_leaderboard(b"mine\\tall\\tcoverage\\t0.25"), is_leaderboard(b"301\\t0\\tFT941-1\\t1")
    (True, False)
    """
    body = data[start_of(data) :][:_HEAD].decode(errors="replace").splitlines()
    rows = [line.split("\t") for line in body[:-1] or body]
    if not rows or not all(len(row) == 4 for row in rows) or not is_number(rows[0][3]) or rows[0][1] in ("0", "Q0"):
        return False
    return not rows[0][3].strip().lstrip("+-").isdigit() or any(ALL in row[:3] for row in rows)


def read_leaderboard(data: bytes, path: str) -> Sheet:
    """The scores of runs on topics."""
    try:
        rows = list(_rows(data.decode(), path))
    except UnicodeDecodeError:
        raise InputError("this is not UTF-8 text; convert the file to UTF-8", path=path) from None
    places = {place for _, row in rows for place in range(3) if row[place] == ALL}
    if len(places) != 1:
        message = "the lines can be read in several ways, as no line, or lines of several kinds, have averages ('all')"
        raise InputError(f"{message}; name the columns in a first line: run_id topic_id measure value", path=path)
    columns = {name: [row[place] for _, row in rows] for place, name in enumerate(_ORDERS[places.pop()])}
    numbers = [number for number, _ in rows]
    return sheet_of(columns | {SCORE: [row[3] for _, row in rows]}, Origin(path, stem(path), numbers.__getitem__))


def _rows(text: str, path: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        row = [field.strip() for field in line.split("\t")]
        if len(row) != 4:
            raise InputError(f"{len(row)} fields where 4 are needed; fix this line", path=path, line=number)
        yield number, row
