"""The file of a history: opened, checked, read and added to. Each entry is one transaction; writers wait for others.

A process that is killed leaves the file as it was before its entry: SQLite's journal undoes what was under way.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from irgauge.archive.entry import Entry, KeptRun, KeptSpending, KeptVerdict, settings_text
from irgauge.archive.schema import APPLICATION, VERSION, shape, shape_of, upgrade
from irgauge.errors import InputError
from irgauge.scoring.direction import Direction

_PATIENCE = 60.0  # seconds that a writer waits for others
_ADVICE = "restore it from a copy, or name another file"


class History:
    """An open history, within a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, int] = {}  # names and their numbers

    def add(self, entry: Entry) -> int:
        """Add an entry; its number."""
        head = (_written(entry.time), entry.command, entry.version, entry.checkout, entry.judgments)
        number = self._insert("entry", [(None, *head, settings_text(entry.settings), entry.answer)])
        self._insert("run", ((number, *self._numbers(*run[:2]), *run[2:]) for run in entry.runs))
        for (measure, system), scores in entry.scores.items():
            place = self._numbers(measure, system)
            self._insert("score", ((number, *place, *self._numbers(topic), score) for topic, score in scores.items()))
        self._insert(
            "verdict", ((number, *self._numbers(*row[:3]), *row[3:5], *map(_finite, row[5:])) for row in entry.verdicts)
        )
        if entry.spending is not None:
            self._insert("spending", [(number, *entry.spending)])
        return number

    def spending(self, budget: str) -> list[tuple[datetime, KeptSpending]]:
        """What was taken of a budget, the first first."""
        query = (
            "SELECT time, budget, spending.answer, level, remaining, p, failed FROM spending "
            "JOIN entry ON entry.id = entry WHERE budget = ? ORDER BY entry"
        )
        rows = self._connection.execute(query, [budget])
        return [
            (_time(time), KeptSpending(budget, _text(answer), *_numbers(level, remaining, p), failed=bool(failed)))
            for time, budget, answer, level, remaining, p, failed in rows
        ]

    def entries(self) -> Iterator[Entry]:
        """All entries, the first first."""
        names = _Names(self._connection.execute("SELECT id, text FROM name"))
        query = "SELECT id, time, command, version, checkout, judgments, settings FROM entry ORDER BY id"
        for number, time, command, version, checkout, judgments, settings in self._connection.execute(query):
            runs = self._of("run", "run, system, role, fingerprint", number)
            verdicts = self._of(
                "verdict",
                "measure, system, against, population, direction, difference, low, high, p, margin, verdict",
                number,
            )
            yield Entry(
                _time(time),
                _text(command),
                _text(version),
                _text(checkout),
                _text(judgments),
                _settings(settings),
                tuple(KeptRun(names[run], names[system], *map(_text, others)) for run, system, *others in runs),
                self._scores(number, names),
                tuple(_verdict(*(names[name] for name in row[:3]), *row[3:]) for row in verdicts),
            )

    def _scores(self, number: int, names: Mapping[int, str]) -> dict[tuple[str, str], dict[str, float]]:
        scores: dict[tuple[str, str], dict[str, float]] = {}
        for measure, system, topic, score in self._of("score", "measure, system, topic, score", number):
            scores.setdefault((names[measure], names[system]), {})[names[topic]] = _number(score)
        return scores

    def _of(self, table: str, columns: str, entry: int) -> list[Sequence[Any]]:
        return self._connection.execute(f"SELECT {columns} FROM {table} WHERE entry = ?", [entry]).fetchall()  # noqa: S608  # our own names

    def _numbers(self, *names: str) -> list[int]:
        """The numbers of names, which are new where they are not known."""
        return [self._known.get(name) or self._number(name) for name in names]

    def _number(self, name: str) -> int:
        row = self._connection.execute("SELECT id FROM name WHERE text = ?", [name]).fetchone()
        self._known[name] = self._insert("name", [(None, name)]) if row is None else int(row[0])
        return self._known[name]

    def _insert(self, table: str, rows: Iterable[Sequence[object]]) -> int:
        """Add rows; the number of the last where there is one."""
        last = 0
        for row in rows:
            marks = ", ".join("?" * len(row))
            last = self._connection.execute(f"INSERT INTO {table} VALUES ({marks})", row).lastrowid or 0  # noqa: S608  # our own names
        return last


class _Names(dict[int, str]):
    """Names by their numbers."""

    def __missing__(self, number: int) -> str:
        raise sqlite3.DatabaseError(f"there is no name of the number {number}")


def _text(cell: Any) -> Any:  # noqa: ANN401  # a cell of a table
    if not isinstance(cell, str | None):
        raise sqlite3.DatabaseError(f"{cell!r} is no text")
    return cell


def _number(cell: object) -> float:
    if not isinstance(cell, float | int) or not math.isfinite(cell):
        raise sqlite3.DatabaseError(f"{cell!r} is no number")
    return float(cell)


def _numbers(level: object, remaining: object, p: object) -> tuple[float, float, float]:
    return _number(level), _number(remaining), _number(p)


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _written(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        raise sqlite3.DatabaseError(f"the time {text!r} is none") from None
    if time.tzinfo is None:
        raise sqlite3.DatabaseError(f"the time {text!r} has no zone")
    return time


def _settings(text: str) -> Mapping[str, object]:
    try:
        settings = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise sqlite3.DatabaseError("settings are no JSON")
    return settings


def _verdict(*cells: Any) -> KeptVerdict:  # noqa: ANN401  # cells of a table
    measure, system, against, population, direction, *numbers, told = cells
    difference, low, high, p, margin = (None if cell is None else _number(cell) for cell in numbers)
    how = _text(population), _text(direction)
    verdict = KeptVerdict(measure, system, against, *how, difference, low, high, p, margin, _text(told))
    if verdict.direction not in get_args(Direction):
        raise sqlite3.DatabaseError(f"the direction {verdict.direction!r} is unknown")
    return verdict


@dataclass(frozen=True)
class HistoryFile:
    """The place of a history."""

    path: str | os.PathLike[str]

    def check(self) -> None:
        """Refuse a file that is no history, or a damaged one; that there is none yet is right."""
        if self._is_there():
            self._version()

    @contextmanager
    def writing(self) -> Iterator[History]:
        """Read and add in one transaction, alone; the file is made where there is none."""
        self.check()
        with self._opened("rwc") as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                version = self._checked(connection)
                if version < VERSION:
                    upgrade(connection, version)
                yield History(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[History]:
        """Read what is there; nothing is changed, also where the schema is an older one."""
        if not self._is_there():
            state = "this file is empty" if os.path.lexists(self.path) else "there is no such file"
            raise InputError(f"{state}; `irgauge gate --history` writes a history", path=str(self.path))
        self._version()
        with self._opened(self._mode) as connection:
            connection.execute("BEGIN")
            yield History(connection)

    @property
    def _mode(self) -> str:
        """To read; but what a process that was killed left in its journal is to be undone first."""
        return "rw" if Path(f"{os.fspath(self.path)}-journal").exists() else "ro"

    def _is_there(self) -> bool:
        place = Path(self.path)
        if "\0" in str(place):
            raise InputError("no file can have such a name; choose another place", path=str(self.path))
        if not os.path.lexists(place):
            if not place.absolute().parent.is_dir():
                message = "the folder of this file does not exist; make it, or choose another place"
                raise InputError(message, path=str(self.path))
            return False
        if not place.is_file():
            raise InputError("a history is a file, and this is none; choose another place", path=str(self.path))
        return place.stat().st_size > 0  # a file without content is a new one

    def _version(self) -> int:
        """The version of the schema of a file that is a history, and whole."""
        with self._opened(self._mode) as connection:
            version = self._checked(connection)
            (told,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if told != "ok":
            raise self._damaged("its parts do not fit together")
        return version

    def _checked(self, connection: sqlite3.Connection) -> int:
        """The version; 0 of a new file. Refused is what is no history, or has other tables than ours."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        held = shape(connection)
        if (application, version, held) == (0, 0, frozenset()):
            return 0
        if application != APPLICATION:
            raise InputError("this is a database of something else; name another file", path=str(self.path))
        if version > VERSION:
            message = f"this history has version {version} of its tables, and this irgauge knows {VERSION}"
            raise InputError(f"{message}; use a newer irgauge, or name another file", path=str(self.path))
        if version < 1 or held != shape_of(version):
            raise self._damaged("its tables are not those of a history")
        return int(version)

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        """A connection that runs nothing a file brings along; what SQLite refuses is a sentence."""
        address = f"{Path(self.path).absolute().as_uri()}?mode={mode}"
        try:
            with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)) as connection:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA foreign_keys = ON")
                yield connection
        except sqlite3.OperationalError as error:
            raise self._refused(error) from None
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from None

    def _refused(self, error: sqlite3.OperationalError) -> InputError:
        if "locked" in str(error) or "busy" in str(error):
            message = f"another process has written to this history for {_PATIENCE:g} seconds; try again"
            return InputError(message, path=str(self.path))
        if any(word in str(error) for word in ("readonly", "unable to open", "full", "disk I/O")):
            message = f"the history cannot be written or read ({error}); check its permissions and the disk"
            return InputError(message, path=str(self.path))
        return self._damaged(str(error))

    def _damaged(self, reason: str) -> InputError:
        return InputError(f"this is no history of irgauge, or it is damaged ({reason}); {_ADVICE}", path=str(self.path))


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
