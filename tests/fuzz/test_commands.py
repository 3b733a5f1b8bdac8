"""Random command lines on small collections: a result, or what is wrong with them, and the exit code for it."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple, NoReturn

import pytest

from fuzz.command_lines import command_line
from fuzz.trials import try_each
from fuzz.worlds import World
from irgauge.cli.app import every_command
from irgauge.cli.program import main

OF_GATES = (1, 3)  # it fails, or cannot decide
TIMES = {  # how often a command is tried in CI
    **dict.fromkeys(every_command(), 40),
    "report": 4,
    "calibrate": 8,
    "compare": 100,
    "gate": 80,
    "score": 80,
    "check": 50,
    "instances": 50,
    "plan": 20,
    "reproduce": 20,
    "suite": 30,
}


class CommandError(AssertionError):
    """A command ended as it must not."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place


class Line(NamedTuple):
    """A command line and the files that it is given."""

    words: list[str]
    files: dict[str, bytes]


def made(command: str, rng: Random) -> Line:
    """Most lines are sound but for one kind of fault: in their words, in their data, or in their files."""
    kind = rng.random()
    world = World(rng, is_sound=kind < 0.75, damage=0.3 if 0.65 < kind < 0.85 else 0.0)
    words = command_line(command, world, absurd=0.25 if 0.5 < kind < 0.7 else 0.02)
    return Line(words, world.written)


@contextmanager
def empty_folder() -> Iterator[None]:
    """Leaves nothing in the folder where we are."""
    try:
        yield
    finally:
        for path in Path().iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def attempt(line: Line) -> None:
    with empty_folder():
        code, out, err = ended(line.words)
    allowed = (0, 2, *(OF_GATES if line.words[0] == "gate" else ()))
    if code not in allowed or "Traceback" in err:
        raise CommandError(f"exit code {code}\n{err[-3000:]}", _place(err))
    err.encode()
    if code == 2 and not (err.strip() or out.strip() or {"-o", "--output"} & set(line.words)):
        raise CommandError("it ends with 2, and says nothing")
    if code == 0 and _prints_json(line.words):
        json.loads(out, parse_constant=_refuse)


def ended(words: list[str]) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command line."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for errors in ("strict", "backslashreplace")]
    old = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["irgauge", *words], io.TextIOWrapper(io.BytesIO())
    code: object = 0
    try:
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv, sys.stdin = old
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode() for stream in streams)
    return (code if isinstance(code, int) else 0 if code is None else 70), out, err


def _place(err: str) -> str:
    """The last line of the package in a traceback."""
    return next((line for line in reversed(err.splitlines()) if "irgauge/" in line and "File" in line), err[-200:])


def _prints_json(words: list[str]) -> bool:
    """Whether the last format that is asked for is JSON, and goes to stdout."""
    given = [words[i + 1] for i, word in enumerate(words[:-1]) if word in ("--format", "-f")]
    return given[-1:] == ["json"] and not {"-o", "--output", "--table", "--help", "-h", "--version"} & set(words)


def _refuse(constant: str) -> NoReturn:
    raise CommandError(f"{constant} is no JSON")


@pytest.mark.parametrize("command", every_command())
def test_random_command_lines(command: str) -> None:
    try_each(command, TIMES[command], lambda rng: made(command, rng), attempt, is_dear=True)
