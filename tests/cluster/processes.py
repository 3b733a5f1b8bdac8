"""Schedulers and workers of Dask as processes of their own, and what is asked of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from distributed import Client

from irgauge.simulation.collections import Design, simulate
from irgauge.simulation.instances import InstanceDesign, simulate_instances

SOON = 120.0  # seconds for a process to begin or to end on a busy machine
FAILURES = 1  # workers that a task may end before it is given up
_ONE = Design(systems=1, families=1, topics=10, depth=30, corpus_size=300, relevant_median=6)
DESIGN = Design(systems=5, families=2, topics=8, depth=40, corpus_size=400, relevant_median=8, seed=2)


def write_collections(folder: Path) -> None:
    """One of systems, and one of instances."""
    simulate(DESIGN).write(folder)
    simulate(replace(DESIGN, seed=3)).write(folder / "twin")
    simulate_instances(InstanceDesign(instances=2, rates=(1,), collection=_ONE)).write(folder / "random")


def until(is_so: object, what: str) -> None:
    """Wait for a condition, a function without arguments."""
    assert callable(is_so)
    end = time.monotonic() + SOON
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Cluster:
    """A scheduler and its workers, each a process without a nanny that would start it again."""

    def __init__(self, folder: Path) -> None:
        self._file, self._log = folder / "scheduler.json", (folder / "log").open("wb")
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        until(self._is_written, "the scheduler begins")
        self.address: str = json.loads(self._file.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []
        self.client = Client(self.address, set_as_default=False)

    def _is_written(self) -> bool:
        return self._file.exists() and self._file.read_text().endswith("}")

    def _start(self, kind: str, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *more, "--scheduler-file", str(self._file)]
        environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(FAILURES)}
        return subprocess.Popen(  # noqa: S603  # Dask's own programs
            [*command, "--no-dashboard"], stdout=self._log, stderr=self._log, env=environment
        )

    def have(self, count: int) -> None:
        """Have so many workers that live."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) > count:
            self.kill()
        for _ in range(count - len(self.workers)):
            self.workers.append(self._start("worker", "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1"))
        until(lambda: len(self.client.scheduler_info()["workers"]) == count, f"{count} workers")

    def kill(self) -> None:
        """One worker ends, as a machine does that loses its power."""
        worker = self.workers.pop()
        worker.kill()
        worker.wait()

    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not any(self.client.processing().values())

    def close(self) -> None:
        """End all processes."""
        self.client.close()
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self._log.close()


@contextmanager
def cluster_in(folder: Path) -> Iterator[Cluster]:
    """A scheduler, which ends with the context."""
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()
