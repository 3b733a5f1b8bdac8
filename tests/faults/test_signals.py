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
from pathlib import Path

import pytest

from faults.commands import COMMANDS, MORE, left, start, words
from irgauge.replicates import kept

TIMES = max(1, round(float(os.environ.get("IRGAUGE_FUZZ", "1")) * 0.64))  # how often each command is stopped or killed
LONG = ("report", "report as a page")  # which `make fuzz` stops as well
SOON = 60.0  # seconds for a process to end on a busy machine; on an idle one it takes less than three
UNFINISHED = f"out{kept.UNFINISHED}"  # what a bootstrap goes on with, whole files under a name that says so
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")


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


def tried() -> list[str]:
    """Every command that writes, in each way; few of them where they are killed once."""
    if TIMES > 1:
        return [*COMMANDS, *MORE]
    return [name for name in COMMANDS if name not in (*LONG, "measures", "reproduce")]


@pytest.mark.parametrize("command", tried())
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
