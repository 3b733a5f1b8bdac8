"""Timing: peers take turns, so that noise meets all of them, and the best time of each counts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """What a process took."""

    seconds: float
    processor: float  # seconds of processors, its own and the system's
    megabytes: float


def best_of(peers: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The best time in seconds of each peer, over rounds in which each has a turn."""
    times: dict[str, float] = {}
    for _ in range(rounds):
        for name, peer in peers.items():
            start = time.perf_counter()
            peer()
            taken = time.perf_counter() - start
            times[name] = min(taken, times.get(name, taken))
    return times


def run_process(command: Sequence[str], **environment: str) -> Usage:
    """Run a process to its end, its output thrown away; bytecode is kept, as that of installed packages is."""
    keeping = {"PYTHONDONTWRITEBYTECODE": ""}
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | keeping | environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{' '.join(command)} ended with status {status}")
    return Usage(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def irgauge(*words: object) -> list[str]:
    """A command of irgauge."""
    return [str(Path(sys.executable).with_name("irgauge")), *map(str, words)]
