"""Signals at any moment over every command that writes: what is written is whole, or it is not there."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faults.commands import COMMANDS, MORE, left, start, words
from irgauge.replicates import kept

TIMES = max(1, round(float(os.environ.get("IRGAUGE_FUZZ", "1")) * 0.64))  # how often each command is stopped or killed
FEW = ("bootstrap", "compare", "gate", "lab selective", "score")  # files, folders, and both as they are filled
STOPPED = [*COMMANDS, *MORE] if TIMES > 1 else FEW
SENTENCE = "irgauge: stopped; no file is left half-written\n"
SOON = 60.0  # seconds for a process to end on a busy machine; on an idle one it takes less than three
UNFINISHED = f"out{kept.UNFINISHED}"  # what a bootstrap goes on with, whole files under a name that says so
pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX"),
    pytest.mark.usefixtures("heard"),
]


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """The exit code and what was said."""
    _, err = process.communicate(timeout=SOON)
    return process.returncode, err.decode()


def whole(command: str, data: Path, folder: Path) -> tuple[dict[str, int], float]:
    """What a command leaves if it is let alone, and how long it takes."""
    folder.mkdir(exist_ok=True)
    begun = time.monotonic()
    code, err = ended(start(words(command, data, folder / "out")))
    assert code in (0, 3), err  # a gate may not know
    return left(folder), time.monotonic() - begun


@pytest.mark.parametrize("command", STOPPED)
def test_a_command_can_be_stopped_and_killed_at_any_moment(command: str, data: Path, tmp_path: Path) -> None:
    """What is left is whole or not there; what a killed one left, the next one removes."""
    expected, seconds = whole(command, data, tmp_path / "whole")
    moments = random.Random(command if TIMES == 1 else None)  # noqa: S311  # in the suite the same at each run
    folder, faults = tmp_path / "other", list[str]()  # of as many letters: some files name their places
    folder.mkdir()
    for _ in range(TIMES):
        number = moments.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
        hidden, after = set(left(folder)), seconds * moments.uniform(0.2, 1)
        code, err = stopped(start(words(command, data, folder / "out")), number, after)
        new = {name for name in left(folder) if name.startswith(".")} - hidden
        faults += [f"{number.name} after {after:.2f} s: {fault}" for fault in told(code, err, number, new)]
        if shown(folder) not in ({}, expected):
            faults.append(f"{number.name} after {after:.2f} s leaves {shown(folder)}")
        remove(folder)
    assert faults == []
    if left(folder) or TIMES > 1:
        assert whole(command, data, folder)[0] == expected


def stopped(process: subprocess.Popen[bytes], number: signal.Signals, seconds: float) -> tuple[int, str]:
    """How a process ends that gets a signal after so many seconds."""
    time.sleep(seconds)
    process.send_signal(number)
    return ended(process)


def told(code: int, err: str, number: signal.Signals, hidden: set[str]) -> Iterator[str]:
    """What is wrong with how a process ended that got a signal."""
    is_killed = number == signal.SIGKILL
    if code not in (0, 3, -number if is_killed else 128 + number):
        yield f"exit code {code}, {err[-500:]}"
    if "Traceback" in err:
        yield err[-2000:]
    if hidden and not is_killed:
        yield f"it leaves {sorted(hidden)}"


def remove(folder: Path) -> None:
    """Make room for the next try, but for what a killed one left."""
    for name in {Path(name).parts[0] for name in shown(folder)}:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def shown(folder: Path) -> dict[str, int]:
    """What is there for users: neither hidden, nor what a bootstrap goes on with."""
    return {name: size for name, size in left(folder).items() if not name.startswith((UNFINISHED, "."))}


_DEAF = """
import hashlib, signal
from irgauge.cli import process
from irgauge.files.writing import filling
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
process.stop_at_signals()
with filling({folder!r}) as place:
    (place / "a").write_text("half")
    print("ready", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)  # compiled code that takes many minutes
"""


@contextmanager
def deaf(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is about to write a folder, and hears nothing while it is in compiled code."""
    command = [sys.executable, "-c", _DEAF.format(folder=str(folder))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603  # our code
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.2)  # it is in compiled code
        yield process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_process_in_long_compiled_code_ends_all_the_same(number: signal.Signals, tmp_path: Path) -> None:
    with deaf(tmp_path / "out") as process:
        process.send_signal(number)
        assert ended(process) == (128 + number, SENTENCE)
    assert list(tmp_path.iterdir()) == []


def test_who_asks_twice_does_not_wait(tmp_path: Path) -> None:
    with deaf(tmp_path / "out") as process:
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        time.sleep(0.1)  # else either may be heard first
        process.send_signal(signal.SIGTERM)
        assert ended(process) == (128 + signal.SIGINT, SENTENCE)
        waited = time.monotonic() - begun
    assert list(tmp_path.iterdir()) == []
    assert waited < 2  # what it waits for by itself


_SWALLOWING = {  # as compilers do, which after an exception free what they hold twice, or call what is not there
    "callback": "ctypes.PYFUNCTYPE(None)(stop)()",
    "clean-up": "type('Module', (), {'__del__': lambda self: stop()})()",
}


@pytest.mark.parametrize("where", _SWALLOWING)
def test_a_signal_ends_the_process_where_exceptions_are_swallowed(where: str) -> None:
    code = "import ctypes, signal\nfrom irgauge.cli import process\nprocess.stop_at_signals()\n"
    code += f"def stop(): signal.raise_signal(signal.SIGTERM)\n{_SWALLOWING[where]}\nprint('goes on')"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)  # noqa: S603  # our code
    assert (shown.returncode, shown.stdout, shown.stderr.decode()) == (128 + signal.SIGTERM, b"", SENTENCE)


def test_a_signal_that_is_ignored_stays_so() -> None:
    code = "import signal\nfrom irgauge.cli.process import stop_at_signals\nstop_at_signals()\n"
    code += "signal.raise_signal(signal.SIGHUP)\nprint('here')"
    command = ["nohup", sys.executable, "-c", code]
    shown = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603  # our code
    assert shown.stdout == b"here\n"
