"""Stopping: Ctrl-C, a termination and a lost terminal end a command soon, whatever it is doing, and leave nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_SHELLS = 128  # an exit code after a signal is its number beyond this, as shells have it
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_PATIENCE = 2.0  # seconds for what is under way to come to an end by itself
_SENTENCE = b"irgauge: stopped; no file is left half-written\n"
_SHOW_CURSOR = b"\x1b[?25h\r\x1b[K"  # what a progress bar under way hides, and its line


class _Stopping:
    by: int | None = None  # the signal that stops the process
    is_told: bool = False


_stopping = _Stopping()


def stop_at_signals() -> None:
    """Let signals interrupt this process, which runs one command; where that takes too long, end it."""
    sys.unraisablehook = _hush
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup has it ignored
            signal.signal(number, _interrupt)
    if os.name == "posix":
        told, teller = os.pipe()
        os.set_blocking(teller, False)
        signal.set_wakeup_fd(teller, warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(told,), daemon=True).start()


def exit_code() -> int:
    """The exit code of a process that was stopped."""
    return _SHELLS + (_stopping.by or signal.SIGINT)


def is_stopping() -> bool:
    """Whether a signal has asked this process to stop."""
    return _stopping.by is not None


def tell_of_stop() -> None:
    """Say once that the process was stopped, past buffers that a thread may hold."""
    if not _stopping.is_told:
        _stopping.is_told = True
        with suppress(OSError):
            os.write(2, _SENTENCE)


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    if _stopping.by is not None:
        _end()  # asked twice
    _stopping.by = number
    raise KeyboardInterrupt


def _hush(ignored: sys.UnraisableHookArgs) -> None:
    """Say nothing of what Python ignores while a process stops: libraries clear up objects that are half made."""
    if _stopping.by is None:
        sys.__unraisablehook__(ignored)


def _watch(told: int) -> None:
    """End the process where an interrupt was lost, or waits for long compiled code: a thread that signals wake."""
    while (number := os.read(told, 1)[0]) not in _SIGNALS:
        pass
    time.sleep(_PATIENCE)
    _stopping.by = _stopping.by or number
    _end()


def clear_up() -> None:
    """Remove what is left half-written, of a process that is about to end."""
    writing = sys.modules.get("irgauge.writing")
    if writing is not None:
        writing.clear_up()


def _end() -> NoReturn:
    clear_up()
    if not _stopping.is_told and os.isatty(2):
        with suppress(OSError):
            os.write(2, _SHOW_CURSOR)
    tell_of_stop()
    os._exit(exit_code())
