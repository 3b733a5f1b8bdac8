"""The threads of polars, which a forked process has not: whatever needs them there would wait for ever.

A process that was forked from one in which polars has worked inherits the pool without its threads. Polars cannot make
it anew, so that what needs it is refused; all that works on data in memory does without.
"""

from __future__ import annotations

import os
import sys
from threading import Event, Thread

from irgauge.errors import DesignError

WAIT = 10.0  # seconds that the least of work may take
_working: set[int] = set()  # processes in which the threads are there


def check_pool() -> None:
    """Refuse to wait for threads that are not there; it is looked for them once in each process."""
    process = os.getpid()
    if process in _working:
        return
    if "polars" in sys.modules and not _is_alive():
        raise DesignError(
            "this process was forked from one in which polars, which reads and writes tables, has worked, and polars "
            "cannot go on here; start processes by multiprocessing.get_context('spawn'), or read and save before and "
            "after the fork"
        )
    _working.add(process)


def _is_alive() -> bool:
    """Whether the pool does the least that it is needed for: two columns at once."""
    import polars as pl

    done = Event()

    def work() -> None:
        pl.DataFrame({"a": [1], "b": [2]}).select(pl.col("a") + 1, pl.col("b") + 1)
        done.set()

    Thread(target=work, daemon=True).start()
    return done.wait(WAIT)
