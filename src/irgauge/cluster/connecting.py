"""From what a user calls a scheduler to a client of it, whose workers can do our work."""

from __future__ import annotations

import json
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker

from irgauge.cluster.worker import VERSION, version_here
from irgauge.errors import InputError
from irgauge.files.opening import is_file, read_bytes
from irgauge.files.writing import private_folder

try:
    from dask import config
    from distributed import Client, Nanny, Scheduler, Security, SpecCluster, Worker
except ModuleNotFoundError as missing:
    raise InputError(f"a scheduler needs Dask ({missing}); install irgauge[cluster]") from None

_END_PATIENCE = 10  # seconds for workers to end


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
            cluster.close(timeout=_END_PATIENCE)


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


CONFIGURED = "dask"  # the scheduler that Dask's own configuration names
_LOCAL = re.compile(r"local:([0-9]{1,4})")
_KEEPING_MEMORY = {  # arrays of a batch are freed and asked for again: giving them back between takes half of the time
    "MALLOC_TRIM_THRESHOLD_": 1 << 30,
    "MALLOC_MMAP_THRESHOLD_": 1 << 25,
}
_SCHEDULER_FILE = "it is what dask scheduler --scheduler-file writes"
_SAFE_PATH = "PYTHONSAFEPATH"  # keeps processes from looking for modules in the working folder first
_PATIENCE = 10  # seconds for a scheduler to answer
_HOW = (
    "give tcp://HOST:8786, local:N for N processes here, a scheduler file (.json), or dask for what Dask's settings say"
)


@contextmanager
def connected(scheduler: object) -> Iterator[tuple[Client, str]]:
    """A client, and what to call its scheduler; one that was given stays open."""
    if isinstance(scheduler, Client):
        _check_versions(scheduler, "the scheduler given")
        yield scheduler, "the scheduler given"
        return
    if not isinstance(scheduler, str) or not scheduler:
        raise InputError(f"'{scheduler}' is not a scheduler; {_HOW}")
    with _quiet(), _opened(scheduler) as client:
        _check_versions(client, scheduler)
        yield client, scheduler


@contextmanager
def _opened(scheduler: str) -> Iterator[Client]:
    if re.match("local(:|$)", scheduler):
        with _safe_path(), _local(scheduler) as cluster, _client(scheduler, address=cluster) as client:
            yield client
    elif scheduler.endswith(".json"):
        with _client(scheduler, address=_address_in(scheduler)) as client:
            yield client
    else:
        with _client(scheduler, address=_address(scheduler)) as client:
            yield client


@contextmanager
def _safe_path() -> Iterator[None]:
    before = os.environ.get(_SAFE_PATH, "")
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        os.environ[_SAFE_PATH] = before  # nothing is as good as not set


def _address(scheduler: str) -> str:
    """The address that was given, or that Dask's configuration or environment (DASK_SCHEDULER_ADDRESS) names."""
    if scheduler != CONFIGURED:
        return scheduler
    address = config.get("scheduler-address", None)
    if not address:
        raise InputError("Dask's settings name no scheduler; set DASK_SCHEDULER_ADDRESS, such as tcp://HOST:8786")
    return str(address)


def _address_in(file: str) -> str:
    """The address that a scheduler file names."""
    if not is_file(file):  # Dask would wait for it
        raise InputError(f"there is no such file; {_SCHEDULER_FILE}", path=file)
    try:
        match json.loads(read_bytes(file).tobytes()):
            case {"address": str() as address}:
                return address
    except (ValueError, RecursionError):  # no JSON
        pass
    raise InputError(f"this is no scheduler file, or it is damaged; {_SCHEDULER_FILE}", path=file)


def _check_keys(scheduler: str, address: str) -> None:
    """Refuse an address that needs keys where Dask's settings name none."""
    if address.startswith("tls://") and Security().get_connection_args("client")["ssl_context"] is None:
        names = ", ".join(f"DASK_DISTRIBUTED__COMM__TLS__{key}" for key in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY"))
        raise InputError(f"tls:// needs keys, and Dask's settings name none; set {names}", path=scheduler)


@contextmanager
def _client(scheduler: str, address: str | SpecCluster) -> Iterator[Client]:
    try:
        if isinstance(address, str):
            _check_keys(scheduler, address)
        is_here = not isinstance(address, str)  # workers elsewhere may be reached through their scheduler alone
        client = Client(
            address, timeout=_PATIENCE, set_as_default=False, name="irgauge", direct_to_workers=is_here or None
        )
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001  # each protocol of Dask's has errors of its own
        raise InputError(
            f"no scheduler answers ({_first_line(error)}); is it running? {_HOW}", path=scheduler
        ) from None
    try:
        yield client
    finally:
        with suppress(OSError, TimeoutError):
            client.close(timeout=1)


@contextmanager
def _local(scheduler: str) -> Iterator[SpecCluster]:
    """Worker processes on this machine."""
    match = _LOCAL.fullmatch(scheduler)
    if match is None or int(match[1]) == 0:
        raise InputError(f"'{scheduler}' is not a number of processes; write local:2 for two of them")
    with config.set({"distributed.nanny.pre-spawn-environ": _KEEPING_MEMORY}), local_cluster(int(match[1])) as cluster:
        yield cluster


def _check_versions(client: Client, scheduler: str) -> None:
    """Refuse workers that have another irgauge, or none; those that come later are checked with each task."""
    try:
        versions = client.run(version_here)
    except Exception as error:  # noqa: BLE001  # of whatever kind, it is what workers cannot do
        raise InputError(
            f"workers cannot run irgauge ({_first_line(error)}); install {VERSION} there", path=scheduler
        ) from None
    others = {worker: version for worker, version in versions.items() if version != VERSION}
    if others:
        worker, version = next(iter(others.items()))
        raise InputError(f"the worker {worker} has {version}, and here is {VERSION}; install the same", path=scheduler)


@contextmanager
def _quiet() -> Iterator[None]:
    """Errors say what happened; Dask's own log of it would come in between."""
    handlers = list(logging.getLogger("distributed").handlers)
    for handler in handlers:
        handler.addFilter(_nothing)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(_nothing)


def _nothing(_: logging.LogRecord) -> bool:
    return False


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
