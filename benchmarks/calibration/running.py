"""All cells of some groups, in two processes."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import cache
from typing import Any

from benchmarks.calibration.cells import Asked, Cell, Row, measure
from benchmarks.calibration.groups import GROUPS
from benchmarks.calibration.table import line

_WORKERS = 2
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@cache
def cells_of(group: str) -> list[Cell[Any]]:
    """The cells of a group, in this process."""
    return GROUPS[group].cells()


def tried(asked: Asked, group: str, place: int, share: float) -> list[Row]:
    """The methods of one cell that are asked for."""
    return measure(group, _asked_of(asked, cells_of(group)[place]), share)


def _asked_of(asked: Asked, cell: Cell[Any]) -> Cell[Any]:
    return replace(cell, methods=[method for method in cell.methods if asked.has_method(method.name)])


def _is_asked(asked: Asked, cell: Cell[Any]) -> bool:
    return (asked.worlds is None or cell.world in asked.worlds) and bool(_asked_of(asked, cell).methods)


def try_all(asked: Asked, share: float, step: int) -> list[Row]:
    """What was counted in every `step`-th cell; says what is liberal as soon as it is known."""
    os.environ.update(dict.fromkeys(_THREADS, "1"))  # of the processes below
    start = time.perf_counter()
    with ProcessPoolExecutor(_WORKERS, multiprocessing.get_context("spawn")) as pool:
        places = [
            (group, place)
            for group in asked.groups
            for place in range(0, len(cells_of(group)), step)
            if _is_asked(asked, cells_of(group)[place])
        ]
        waiting = [pool.submit(tried, asked, *place, share) for place in places]
        for done, one in enumerate(as_completed(waiting), 1):
            _tell(one.result(), f"{time.perf_counter() - start:5.0f} s, {done} of {len(places)}")
    return [row for one in waiting for row in one.result()]


def _tell(rows: Sequence[Row], progress: str) -> None:
    print(f"{progress}: {rows[0].group}, {rows[0].world}, {rows[0].design}")
    print("".join(f"    {line(row)}\n" for row in rows if row.verdict == "liberal"), end="", flush=True)
