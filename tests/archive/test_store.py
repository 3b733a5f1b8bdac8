"""A history keeps what it is given, adds and never changes, and refuses what is none; also with many writers."""

from __future__ import annotations

import multiprocessing
import shutil
import sqlite3
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from irgauge.archive import schema
from irgauge.archive.entry import Entry, KeptRun, KeptSpending, KeptVerdict
from irgauge.archive.store import HistoryFile
from irgauge.errors import InputError

ENTRY = Entry(
    time=datetime(2026, 11, 18, 3, 4, 5, tzinfo=UTC),
    command="gate",
    version="1.0",
    checkout=None,
    judgments="f" * 64,
    settings={"alpha": 0.05},
    runs=(KeptRun("old", "old", "baseline", "a"), KeptRun("new", "new", "candidate", "b")),
    scores={("AP", "old"): {"1": 0.5, "2": 0.25}, ("AP", "new"): {"1": 0.1 + 0.2, "2": 0.0}},
    verdicts=(
        KeptVerdict("AP", "new", "old", "topics", "higher", -0.1, float("-inf"), 0.1, 0.5, None, "inconclusive"),
    ),
)
SPENDING = KeptSpending("fdr at 0.05", "x", 0.01, 0.02, 0.5, failed=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A history of two entries, one of which took of a budget."""
    path = tmp_path / "nights of #1?.sqlite"
    for entry in (ENTRY, replace(ENTRY, spending=SPENDING)):
        add(path, entry)
    return path


def add(path: Path, entry: Entry = ENTRY) -> int:
    with HistoryFile(path).writing() as history:
        return history.add(entry)


def entries(path: Path) -> list[Entry]:
    with HistoryFile(path).reading() as history:
        return list(history.entries())


def test_what_is_added_comes_back(path: Path) -> None:
    first, second = entries(path)
    for name in ("time", "command", "version", "checkout", "judgments", "settings", "scores", "answer"):
        assert getattr(first, name) == getattr(second, name) == getattr(ENTRY, name), name
    assert set(first.runs) == set(ENTRY.runs)
    assert first.verdicts == (ENTRY.verdicts[0]._replace(low=None),)  # no number of SQLite is infinite
    with HistoryFile(path).reading() as history:
        assert history.spending("fdr at 0.05") == [(ENTRY.time, SPENDING)]
        assert history.spending("1/week at 0.05") == []


@pytest.mark.parametrize("table", ["name", "entry", "run", "score", "verdict", "spending"])
def test_nothing_is_changed_or_removed(path: Path, table: str) -> None:
    connection = sqlite3.connect(path)
    (column,) = connection.execute(f"SELECT name FROM pragma_table_info('{table}') LIMIT 1").fetchone()  # noqa: S608  # our own names
    for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = 9"):  # noqa: S608  # our own names
        with pytest.raises(sqlite3.IntegrityError, match="a history is only added to"):
            connection.execute(statement)
    connection.close()
    assert len(entries(path)) == 2


def test_a_failure_on_the_way_leaves_the_file_as_it_was(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(InputError), HistoryFile(path).writing() as history:
        history.add(replace(ENTRY, runs=ENTRY.runs * 2))
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*-journal"))


def test_an_older_schema_is_upgraded_when_it_is_added_to(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(schema._MEMORY)  # what the first version wrote
    connection.executescript(f"PRAGMA application_id = {schema.APPLICATION}; PRAGMA user_version = 1;")
    connection.execute("INSERT INTO name VALUES (1, 'AP'), (2, 'new'), (3, 'q1')")
    connection.execute("INSERT INTO entry VALUES (1, '2026-01-01T00:00:00+00:00', 'gate', '1', NULL, NULL, '{}', 'x')")
    connection.execute("INSERT INTO score VALUES (1, 1, 2, 3, 0.5)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    assert [entry.scores for entry in entries(path)] == [{("AP", "new"): {"q1": 0.5}}]
    assert path.read_bytes() == before  # what is only read stays
    add(path, replace(ENTRY, spending=SPENDING))
    assert [len(entry.scores) for entry in entries(path)] == [1, 2]
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


def test_what_is_no_history_is_refused_and_not_touched(tmp_path: Path, path: Path) -> None:
    text, foreign, newer, stripped = (tmp_path / name for name in ("notes.txt", "foreign.db", "newer", "stripped"))
    text.write_text("not a database at all, but long enough to look like one" * 40)
    sqlite3.connect(foreign).executescript("CREATE TABLE mine (a); PRAGMA user_version = 2;")
    for copy, change in ((newer, "PRAGMA user_version = 99"), (stripped, "DROP TRIGGER score_delete")):
        shutil.copy(path, copy)
        sqlite3.connect(copy).executescript(change)
    reasons = {
        text: "this is no history of irgauge, or it is damaged",
        foreign: "this is a database of something else",
        newer: "has version 99 of its tables, and this irgauge knows 2; use a newer irgauge",
        stripped: "its tables are not those of a history",
        tmp_path: "a history is a file, and this is none",
        tmp_path / "no" / "folder": "the folder of this file does not exist",
    }
    for place, reason in reasons.items():
        before = place.read_bytes() if place.is_file() else None
        for use in (add, entries) if place != tmp_path / "no" / "folder" else (add,):
            with pytest.raises(InputError, match=reason):
                use(place)
        assert before is None or place.read_bytes() == before
    with pytest.raises(InputError, match="there is no such file; `irgauge gate --history` writes a history"):
        entries(tmp_path / "none")
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match="this file is empty"):
        entries(tmp_path / "empty")


def test_a_damaged_history_is_a_sentence(path: Path) -> None:
    whole, rng = path.read_bytes(), np.random.default_rng(4)
    refused = 0
    for _ in range(60):
        damaged = bytearray(whole[: int(rng.integers(1, len(whole)))] if rng.random() < 0.3 else whole)
        for _ in range(int(rng.integers(1, 40))):
            damaged[int(rng.integers(len(damaged)))] = int(rng.integers(256))
        path.write_bytes(damaged)
        for use in (entries, add):
            try:
                use(path)
            except InputError:
                refused += 1
    assert refused > 60


def keep_adding(path: Path, told: Path) -> None:
    """Add until killed, and tell what was added."""
    with told.open("w") as file:
        while True:
            print(add(path), file=file, flush=True)
            time.sleep(0.01)  # others have their turn


def test_writers_at_once_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    path, folder = tmp_path / "shared.sqlite", tmp_path / "told"
    folder.mkdir()
    start = multiprocessing.get_context("fork").Process  # a fork, as imports of 8 processes take seconds
    writers = [start(target=keep_adding, args=(path, folder / str(number))) for number in range(8)]
    for writer in writers:
        writer.start()
    while not all((folder / str(number)).exists() and (folder / str(number)).read_text() for number in range(8)):
        time.sleep(0.01)
    for writer in writers:
        writer.kill()
        writer.join()
    told = [int(line) for file in folder.iterdir() for line in file.read_text().splitlines()]
    assert len(told) == len(set(told))
    kept = entries(path)
    assert len(kept) >= max(told) >= 8
    assert all(entry.scores == ENTRY.scores for entry in kept)
    assert add(path) == len(kept) + 1
