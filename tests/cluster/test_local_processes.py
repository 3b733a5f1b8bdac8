"""Processes of this machine can be reached with the keys of their run alone, and end with it."""

from __future__ import annotations

import signal
import socket
import ssl
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import Client, Security

from cluster.processes import SOON, until
from cluster.test_cluster_failures import ENDLESS, start
from irgauge.cluster.connecting import local_cluster
from irgauge.errors import InputError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sockets and processes are looked up in /proc")
_LISTENS, _LOOPBACK = "0A", "0100007F"
_KEY = b"PRIVATE KEY"


def descendants(pid: str) -> Iterator[str]:
    """A process and those that it started, and these."""
    yield pid
    for thread in Path("/proc", pid, "task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from descendants(child)


def sockets_of(pid: str) -> Iterator[str]:
    """The numbers of a process's sockets."""
    for descriptor in Path("/proc", pid, "fd").iterdir():
        name = str(descriptor.readlink()) if descriptor.is_symlink() else ""
        if name.startswith("socket:["):
            yield name[8:-1]


def listening() -> dict[int, str]:
    """The ports on which this process and those that it started listen, and the addresses."""
    own = {number for pid in descendants("self") for number in sockets_of(pid)}
    tables = (Path("/proc/net", name).read_text().splitlines()[1:] for name in ("tcp", "tcp6"))
    found = (line.split() for table in tables for line in table)
    places = [words[1].split(":") for words in found if words[3] == _LISTENS and words[9] in own]
    return {int(port, 16): address for address, port in places}


@contextmanager
def connection(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=SOON) as plain:
        yield plain


def answers(port: int, keys: Security) -> bool:
    """Whether something on a port speaks to who has these keys; both sides begin with a greeting."""
    context: ssl.SSLContext = keys.get_connection_args("client")["ssl_context"]
    try:
        with connection(port) as plain, context.wrap_socket(plain) as safe:
            return bool(safe.recv(1))
    except OSError:
        return False


def answers_plainly(port: int) -> bool:
    """Whether something on a port speaks to who asks for a page."""
    try:
        with connection(port) as plain:
            plain.sendall(b"GET / HTTP/1.0\r\n\r\n")
            return bool(plain.recv(1))
    except OSError:
        return False


def test_every_port_wants_the_keys_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = listening()
    with local_cluster(1) as cluster:
        opened = {port: address for port, address in listening().items() if port not in before}
        assert len(opened) == 3  # of the scheduler, the worker and who starts it
        assert set(opened.values()) == {_LOOPBACK}
        assert all(answers(port, cluster.security) for port in opened)
        assert not any(answers(port, Security.temporary()) for port in opened)
        assert not any(answers_plainly(port) for port in opened)
        for foreign in (
            {"address": cluster.scheduler_address.replace("tls", "tcp")},
            {"address": cluster.scheduler_address, "security": Security.temporary()},
        ):
            with pytest.raises(OSError, match=r"."):  # closed at once, or never greeted
                Client(**foreign, timeout=0.5, set_as_default=False)
        assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir() if path.is_dir()] == [0o700]
        assert not any(_KEY in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert not any(_KEY in Path("/proc", pid, "cmdline").read_bytes() for pid in descendants("self"))
    assert list(tmp_path.iterdir()) == []


def test_without_keys_no_port_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    needed = r"local:N needs the package cryptography.*install irgauge\[cluster\]"
    with pytest.raises(InputError, match=needed), local_cluster(1):
        pass


def test_processes_end_with_a_command_that_is_stopped(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = start(data, *ENDLESS, "--scheduler", "local:1")
    until(lambda: any(tmp_path.glob("*/*/dask-scratch-space/*worker*")), "a worker begins")
    workers = [pid for pid in descendants(str(process.pid)) if pid != str(process.pid)]
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=SOON)
    assert (process.returncode, err) == (143, "irgauge: stopped; no file is left half-written\n")
    until(lambda: not any(Path("/proc", pid).exists() for pid in workers), "workers end")
    assert list(tmp_path.iterdir()) == []
