"""The most that one file may hold once it is decompressed, as a small file can hold more than memory does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from irgauge.errors import InputError

USUAL = "4GiB"  # what 24 GiB of memory bear: a run takes some four times as much while it is read
_UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_SIZE = re.compile(r"(\d{1,15}) *([a-z]*)", re.ASCII)


def size_of(size: int | str) -> int:
    """A number of bytes, from itself or from a text such as 500MB or 8GiB.

    >>> size_of("500 MB"), size_of("8GiB") == 8 * 2**30, size_of(100)
    (500000000, True, 100)
    """
    match = _SIZE.fullmatch(str(size).strip().lower())
    if match is None or match[2] not in _UNITS or int(match[1]) == 0:
        raise InputError(f"'{size}' is not a size; write a number of bytes, or one such as 500MB or 8GiB")
    return int(match[1]) * _UNITS[match[2]]


_USUAL_BYTES = size_of(USUAL)
_MOST = ContextVar("most bytes of a file", default=_USUAL_BYTES)


@contextmanager
def reading_at_most(size: int | str) -> Iterator[None]:
    """Refuse, meanwhile, files that hold more bytes once they are decompressed."""
    token = _MOST.set(size_of(size))
    try:
        yield
    finally:
        _MOST.reset(token)


def refuse_larger(size: int, path: str) -> None:
    """Refuse a file that holds, as far as it is known, so many bytes."""
    if size > _MOST.get():
        raise InputError(
            f"the file holds more than {_MOST.get():,} bytes once it is decompressed; is it what it should be? If it "
            "is, allow more with --max-size (from Python max_size), such as 16GiB",
            path=path,
        )
