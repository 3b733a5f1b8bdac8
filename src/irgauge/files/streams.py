"""Streams: what can be read only once, such as a pipe, is read once and kept for the rest of the process."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from irgauge.errors import InputError
from irgauge.files.limits import refuse_larger

STANDARD_INPUT = "-"
_CHUNK = 1 << 20
_LOCK = Lock()
_KEPT: dict[tuple[str, int, int], bytes | InputError] = {}  # path, device and inode -> what came


def is_stream(path: str) -> bool:
    """Whether a path is neither a file nor a folder, but a pipe or a device; '-' is the standard input."""
    if path == STANDARD_INPUT:
        return True
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def content(path: str) -> bytes:
    """All that comes from a stream, now or when it was first read."""
    with _LOCK:
        key = _key(path)
        if key not in _KEPT:
            _KEPT[key] = _read(path)
        kept = _KEPT[key]
    if isinstance(kept, InputError):
        raise kept
    return kept


def _key(path: str) -> tuple[str, int, int]:
    """What tells streams apart: one path can be another pipe later."""
    if path == STANDARD_INPUT:
        return path, 0, 0
    status = Path(path).stat()
    return path, status.st_dev, status.st_ino


def _read(path: str) -> bytes | InputError:
    """All that comes, or the error of a stream that does not end soon enough: the rest of it would mean nothing."""
    data = bytearray()
    try:
        for chunk in _chunks(path):
            data += chunk
            refuse_larger(len(data), path)
    except InputError as error:
        return error
    return bytes(data)


def _chunks(path: str) -> Iterator[bytes]:
    if path == STANDARD_INPUT:
        yield from iter(lambda: sys.stdin.buffer.read(_CHUNK), b"")
        return
    with Path(path).open("rb") as file:
        yield from iter(lambda: file.read(_CHUNK), b"")
