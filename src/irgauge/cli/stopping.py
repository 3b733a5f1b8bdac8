"""Stopping: Ctrl-C, a termination and a lost terminal end a command soon, whatever it is doing, and leave nothing.

A signal ends the process where it stands. An exception in its place could come up inside of compilers and their
clean-ups, which free what they hold twice after one, or call code that is not there.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_SHELLS = 128  # an exit code after a signal is its number beyond this, as shells have it
STOPPED = _SHELLS + signal.SIGINT  # after Ctrl-C
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_PATIENCE = 2.0  # seconds for compiled code to come back to Python, which sees signals
_SENTENCE = b"irgauge: stopped; no file is left half-written\n"
_SHOW_CURSOR = b"\x1b[?25h\r\x1b[K"  # what a progress bar under way hides, and its line


def stop_at_signals() -> None:
    """Let signals end this process, which runs one command, also while it is in long compiled code."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup has it ignored
            signal.signal(number, _end_by)
    if os.name == "posix":
        reader, teller = os.pipe()
        os.set_blocking(teller, False)
        signal.set_wakeup_fd(teller, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(reader,), daemon=True).start()


def _end_by(number: int, _: FrameType | None) -> NoReturn:
    _end(number)


def _watch(reader: int) -> None:
    """End the process where compiled code keeps Python from it, when asked twice at once: a thread that wakes then."""
    while (number := os.read(reader, 1)[0]) not in _SIGNALS:
        pass
    select.select([reader], [], [], _PATIENCE)
    _end(number)


def _end(number: int) -> NoReturn:
    """End the process as one that this signal stops, and those that it started; what it was to write is removed."""
    active_children = getattr(sys.modules.get("multiprocessing"), "active_children", list)
    for child in active_children():
        child.kill()
    clear_up = getattr(sys.modules.get("irgauge.files.writing"), "clear_up", None)  # which may be half imported
    if clear_up is not None:
        clear_up()
    with suppress(OSError):  # past buffers that a thread may hold
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + _SENTENCE)
    os._exit(_SHELLS + number)
