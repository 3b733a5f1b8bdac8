"""Signals at any moment over every command that writes: what is written is whole, or it is not there."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.commands import COMMANDS, left, start, words
from irgauge.replicates import kept
from irgauge.writing import WORKPLACE, check_place

TIMES = int(os.environ.get("IRGAUGE_FUZZ", "0"))  # how often each command is stopped or killed; a few once without it
FEW = ("bootstrap", "compare", "gate", "lab selective", "score")  # files, folders, and both as they are filled
STOPPED = [name for name in COMMANDS if name not in ("report", "measures", "reproduce")] if TIMES else FEW
SOON = 60.0  # seconds for a process to end on a busy machine; on an idle one it takes less than three
UNFINISHED = f"out{kept.UNFINISHED}"  # what a bootstrap goes on with, whole files under a name that says so
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """The exit code and what was said."""
    _, err = process.communicate(timeout=SOON)
    return process.returncode, err.decode()


def whole(command: str, data: Path, folder: Path) -> tuple[dict[str, int], float]:
    """What a command leaves if it is let alone, and how long it takes."""
    folder.mkdir()
    begun = time.monotonic()
    code, err = ended(start(words(command, data, folder / "out")))
    assert code in (0, 3), err  # a gate may not know
    return left(folder), time.monotonic() - begun


@pytest.mark.parametrize("command", STOPPED)
def test_a_command_can_be_stopped_and_killed_at_any_moment(command: str, data: Path, tmp_path: Path) -> None:
    expected, seconds = whole(command, data, tmp_path / "whole")
    moments = random.Random(command)  # noqa: S311  # the same at each run
    for i in range(max(TIMES, 1)):
        number = moments.choice((signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
        folder = tmp_path / str(i)
        folder.mkdir()
        process = start(words(command, data, folder / "out"))
        time.sleep(seconds * moments.uniform(0.3, 1))
        process.send_signal(number)
        code, err = ended(process)
        killed = number == signal.SIGKILL
        assert code in (0, 3, -number if killed else 128 + number), err
        assert "Traceback" not in err
        if killed:
            check_place(folder / "next")  # removes what it left
        assert not [path for path in folder.glob("*") if path.name.startswith(WORKPLACE)]
        found = {name: size for name, size in left(folder).items() if not name.startswith(UNFINISHED)}
        assert found in ({}, expected)


_DEAF = """
import signal, time
from irgauge.cli import stopping
from irgauge.writing import filling
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may run under nohup
stopping.stop_at_signals()
with filling({folder!r}) as place:
    (place / "a").write_text("half")
    said = "ready"
    while True:
        try:
            print(said, flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            said = "lost"
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_process_that_loses_the_interrupt_ends_all_the_same(number: signal.Signals, tmp_path: Path) -> None:
    code = _DEAF.format(folder=str(tmp_path / "out"))
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603  # our code
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.stdout.readline() == b"lost\n"
        assert ended(process) == (128 + number, "irgauge: stopped; no file is left half-written\n")
    assert list(tmp_path.iterdir()) == []


def test_who_asks_twice_does_not_wait(tmp_path: Path) -> None:
    code = _DEAF.format(folder=str(tmp_path / "out"))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:  # noqa: S603  # our code
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == b"lost\n"
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(SOON)
        waited = time.monotonic() - begun
    assert process.returncode == 128 + signal.SIGINT
    assert list(tmp_path.iterdir()) == []
    assert waited < 2  # what it waits for by itself


_HALF_MADE = """
import signal
from irgauge.cli import stopping
class Library:
    def __init__(self):
        {happens}
        self.part = 1
    def __del__(self):
        self.part
stopping.stop_at_signals()
try:
    Library()
except (KeyboardInterrupt, ZeroDivisionError):
    pass
"""


@pytest.mark.parametrize(
    ("happens", "said"), [("signal.raise_signal(signal.SIGINT)", False), ("1 / 0", True)], ids=["interrupt", "error"]
)
def test_what_an_interrupt_leaves_half_made_is_cleared_up_in_silence(happens: str, *, said: bool) -> None:
    command = [sys.executable, "-c", _HALF_MADE.format(happens=happens)]
    shown = subprocess.run(command, capture_output=True, check=True)  # noqa: S603  # our code
    assert (b"AttributeError" in shown.stderr) is said


def test_a_signal_that_is_ignored_stays_so() -> None:
    code = "import signal\nfrom irgauge.cli.stopping import stop_at_signals\nstop_at_signals()\n"
    code += "signal.raise_signal(signal.SIGHUP)\nprint('here')"
    command = ["nohup", sys.executable, "-c", code]
    shown = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # noqa: S603  # our code
    assert shown.stdout == b"here\n"
