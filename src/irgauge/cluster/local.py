"""Worker processes on this machine, which nobody else can reach: every connection needs keys made for the run."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from dask import config
from distributed import Nanny, Scheduler, Security, SpecCluster, Worker

from irgauge.errors import InputError
from irgauge.writing import private_folder

_PATIENCE = 10  # seconds for workers to end


class _LocalScheduler(Scheduler):
    """A scheduler without a page on a port of its own, which would need no key."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Serve none."""


class _LocalWorker(Worker):
    """A worker without one."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Serve none."""


@contextmanager
def local_cluster(processes: int) -> Iterator[SpecCluster]:
    """So many workers of one thread each; what they put aside is in a folder that only this user can enter."""
    where = {"host": "127.0.0.1", "protocol": "tls://", "security": _keys()}
    _free_quietly()
    with private_folder(tempfile.gettempdir()) as folder, config.set({"temporary-directory": str(folder)}):
        options = {**where, "memory_limit": 1 / processes, "nthreads": 1}
        worker = {"cls": Nanny, "options": {**options, "worker_class": _LocalWorker, "silence_logs": logging.CRITICAL}}
        cluster = SpecCluster(
            scheduler={"cls": _LocalScheduler, "options": {**where, "port": 0, "dashboard": False}},
            workers=dict.fromkeys(range(processes), worker),
            security=where["security"],
            silence_logs=logging.CRITICAL,
        )
        try:
            yield cluster
        finally:
            cluster.close(timeout=_PATIENCE)


def _free_quietly() -> None:
    """Start Python's process that frees what workers share; it says nothing where a signal leaves that to it."""
    if os.name == "posix":
        before = os.environ.get("PYTHONWARNINGS", "")
        os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker"
        try:
            resource_tracker.ensure_running()
        finally:
            os.environ["PYTHONWARNINGS"] = before  # nothing is as good as not set


def _keys() -> Security:
    """Keys for this run, which stay in memory."""
    try:
        return Security.temporary()
    except ImportError as missing:
        raise InputError(
            "local:N needs the package cryptography, as others on this machine could run code as you through an open "
            f"port ({missing}); install irgauge[cluster]"
        ) from None
