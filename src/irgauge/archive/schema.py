"""The tables of a history, by the version of their schema: each version adds to the one before."""

from __future__ import annotations

import sqlite3
from functools import cache

APPLICATION = 0x69726773  # "irgs": SQLite's mark of whose file it is


def _append_only(*tables: str) -> str:
    """Triggers that refuse to change what is there."""
    return "".join(
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'a history is only added to'); END;\n"
        for table in tables
        for verb in ("UPDATE", "DELETE")
    )


_MEMORY = """
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE entry (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, command TEXT NOT NULL, version TEXT NOT NULL, checkout TEXT,
    judgments TEXT, settings TEXT NOT NULL, answer TEXT NOT NULL
);
CREATE TABLE run (
    entry INTEGER NOT NULL REFERENCES entry, run INTEGER NOT NULL REFERENCES name,
    system INTEGER NOT NULL REFERENCES name, role TEXT NOT NULL, fingerprint TEXT NOT NULL,
    PRIMARY KEY (entry, run)
) WITHOUT ROWID;
CREATE TABLE score (
    entry INTEGER NOT NULL REFERENCES entry, measure INTEGER NOT NULL REFERENCES name,
    system INTEGER NOT NULL REFERENCES name, topic INTEGER NOT NULL REFERENCES name, score REAL NOT NULL,
    PRIMARY KEY (entry, measure, system, topic)
) WITHOUT ROWID;
CREATE TABLE verdict (
    entry INTEGER NOT NULL REFERENCES entry, measure INTEGER NOT NULL REFERENCES name,
    system INTEGER NOT NULL REFERENCES name, against INTEGER NOT NULL REFERENCES name, population TEXT NOT NULL,
    direction TEXT NOT NULL, difference REAL, low REAL, high REAL, p REAL, margin REAL, verdict TEXT NOT NULL,
    PRIMARY KEY (entry, measure, system, against, population)
) WITHOUT ROWID;
""" + _append_only("name", "entry", "run", "score", "verdict")
_BUDGETS = """
CREATE TABLE spending (
    entry INTEGER PRIMARY KEY REFERENCES entry, budget TEXT NOT NULL, answer TEXT NOT NULL, level REAL NOT NULL,
    remaining REAL NOT NULL, p REAL NOT NULL, failed INTEGER NOT NULL, UNIQUE (budget, answer)
);
""" + _append_only("spending")
_STEPS = (_MEMORY, _BUDGETS)  # from one version to the next
VERSION = len(_STEPS)


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring a schema from a version to the present one, within the transaction that is under way."""
    for step in _STEPS[version:]:
        for statement in _statements(step):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _statements(script: str) -> list[str]:
    """One by one, as executescript would end the transaction."""
    statements, waiting = [], ""
    for line in script.splitlines(keepends=True):
        waiting += line
        if sqlite3.complete_statement(waiting):
            statements.append(waiting.strip())
            waiting = ""
    return statements


def shape(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str | None]]:
    """What a file holds: the type, the name and the text of each table, index and trigger."""
    return frozenset(connection.execute("SELECT type, name, sql FROM sqlite_master"))


@cache
def shape_of(version: int) -> frozenset[tuple[str, str, str | None]]:
    """What a file of that version holds."""
    connection = sqlite3.connect(":memory:")
    try:
        for step in _STEPS[:version]:
            connection.executescript(step)
        return shape(connection)
    finally:
        connection.close()
