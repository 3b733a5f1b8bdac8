"""All cells of some groups, in two processes."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from typing import Any

from benchmarks.calibration.cells import Cell, Row, measure
from benchmarks.calibration.groups import GROUPS
from benchmarks.calibration.table import line

_WORKERS = 2
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@cache
def cells_of(group: str) -> list[Cell[Any]]:
    """The cells of a group, in this process."""
    return GROUPS[group].cells()


def tried(group: str, place: int, share: float) -> list[Row]:
    """All methods of one cell."""
    return measure(group, cells_of(group)[place], share)


def try_all(groups: Sequence[str], share: float, step: int, worlds: Sequence[str] | None = None) -> list[Row]:
    """What was counted in every `step`-th cell, of some worlds or all; says what is liberal as soon as it is known."""
    os.environ.update(dict.fromkeys(_THREADS, "1"))  # of the processes below
    start = time.perf_counter()
    with ProcessPoolExecutor(_WORKERS, multiprocessing.get_context("spawn")) as pool:
        places = [
            (group, place)
            for group in groups
            for place in range(0, len(cells_of(group)), step)
            if worlds is None or cells_of(group)[place].world in worlds
        ]
        waiting = [pool.submit(tried, *place, share) for place in places]
        for done, one in enumerate(as_completed(waiting), 1):
            _tell(one.result(), f"{time.perf_counter() - start:5.0f} s, {done} of {len(places)}")
    return [row for one in waiting for row in one.result()]


def _tell(rows: Sequence[Row], progress: str) -> None:
    print(f"{progress}: {rows[0].group}, {rows[0].world}, {rows[0].design}")
    print("".join(f"    {line(row)}\n" for row in rows if row.verdict == "liberal"), end="", flush=True)
