"""A full or read-only disk: every command that writes says so in a sentence, exits with 2 and leaves nothing."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.commands import COMMANDS, PROGRAM, words
from irgauge.cli.app import every_command

Irgauge = Callable[..., tuple[int, str, str]]


def test_every_command_is_tried() -> None:
    assert set(COMMANDS) == set(every_command())


def fail(error: int) -> Callable[..., None]:
    def failing(*_: object, **__: object) -> None:
        raise OSError(error, os.strerror(error))

    return failing


@pytest.mark.parametrize("command", list(COMMANDS))
def test_a_full_and_a_read_only_disk_are_told_and_nothing_is_left(
    command: str, data: Path, tmp_path: Path, run: Irgauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = words(command, data, tmp_path / "out")
    for place, method, error in ((Path, "write_bytes", errno.ENOSPC), (os, "mkdir", errno.EROFS)):
        with monkeypatch.context() as patched:
            patched.setattr(place, method, fail(error))
            code, _, err = run(*arguments)
        last = err.splitlines()[-1]
        assert code == 2
        assert last.startswith(f"irgauge: {tmp_path / 'out'}")
        assert last.endswith(f"cannot be written ({os.strerror(error)}); choose another place")
        assert list(tmp_path.iterdir()) == []


def confined(command: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command as the owner of file systems of its own; skips where that is not allowed."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rm", "true"], capture_output=True, check=False).returncode:  # noqa: S603  # a program of the system
        pytest.skip("file systems cannot be mounted here: `unshare -rm` is missing or not allowed")
    return subprocess.run([unshare, "-rm", "sh", "-c", command], capture_output=True, text=True, check=False)  # noqa: S603  # ours


@pytest.mark.parametrize("command", ["simulate", "effects", "bootstrap"])
def test_a_disk_that_fills_up_is_told_and_nothing_is_left(command: str, data: Path, tmp_path: Path) -> None:
    out = shlex.join(words(command, data, tmp_path / "out"))
    small = f"mount -t tmpfs -o size=4k,nr_inodes=20 tmpfs {tmp_path}"
    ended = confined(f"{small} && {shlex.join(PROGRAM)} {out}; echo $?; find {tmp_path} -mindepth 1")
    assert ended.stdout.splitlines()[-1] == "2"
    assert ended.stderr.splitlines()[-1].endswith("cannot be written (No space left on device); choose another place")


def test_a_disk_that_is_read_only_is_told(data: Path, tmp_path: Path) -> None:
    arguments = shlex.join(words("score", data, tmp_path / "out"))
    mounted = f"mount -t tmpfs -o ro tmpfs {tmp_path}"
    ended = confined(f"{mounted} && {shlex.join(PROGRAM)} {arguments}; echo $?")
    assert ended.stdout == "2\n"
    assert "cannot be written (Read-only file system)" in ended.stderr
