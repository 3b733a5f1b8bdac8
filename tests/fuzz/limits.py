"""Limits of one input: seconds and memory, whatever else the machine does."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from numba.core import event

LONGEST = 10.0  # seconds of the processor, in all threads
LONGEST_COMPILED = 240.0  # the same where numba has compiled meanwhile
LONGEST_WAIT = 300.0  # seconds of the clock, for what waits and does not work
KILLED = 600.0  # seconds of the processor after which the system ends the process: compiled code that never returns
MOST_MEMORY = 2 << 30  # bytes, above what the process had before

_STATUS, _REFERENCES = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class TooLongError(BaseException):
    """An input takes too long; no `except Exception` catches it."""


class TooLargeError(BaseException):
    """An input takes too much memory."""


class _Compilations(event.Listener):
    """Counts what numba compiles."""

    count = 0

    def on_start(self, event: object) -> None:  # noqa: ARG002  # numba's interface
        self.count += 1

    def on_end(self, event: object) -> None:
        """Only the start is of interest."""


_COMPILATIONS = _Compilations()
event.register("numba:compile", _COMPILATIONS)


@contextmanager
def limited() -> Iterator[None]:
    """Raise an error in what takes too long; or after it, if it took too much memory."""
    compiled, used = _COMPILATIONS.count, _reset_peak()
    old = {one: signal.getsignal(one) for one in (signal.SIGVTALRM, signal.SIGALRM)}

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the interface of signals
        if number == signal.SIGVTALRM and _COMPILATIONS.count > compiled and not extended:
            extended.append(True)
            signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_COMPILED)
            return
        raise TooLongError("the input takes too long")

    extended: list[bool] = []
    timers = {signal.ITIMER_VIRTUAL: LONGEST, signal.ITIMER_REAL: LONGEST_WAIT, signal.ITIMER_PROF: KILLED}
    try:
        for one in old:
            signal.signal(one, stop)
        for timer, seconds in timers.items():
            signal.setitimer(timer, seconds)
        yield
    finally:
        for timer in timers:
            signal.setitimer(timer, 0)
        for one, handler in old.items():
            signal.signal(one, handler)
    if (grown := _memory("VmHWM") - used) > MOST_MEMORY:
        raise TooLargeError(f"the input takes {grown >> 20:,} MiB")


def _reset_peak() -> int:
    """The memory that the process has now, from which on its peak is measured."""
    if _REFERENCES.exists():
        _REFERENCES.write_text("5")
    return _memory("VmRSS")


def _memory(kind: str) -> int:
    """Bytes that the system says the process has; 0 where it does not say."""
    if not _STATUS.exists():
        return 0
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(kind))
    return int(line.split()[1]) << 10
