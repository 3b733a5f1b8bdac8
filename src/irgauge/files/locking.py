"""A file that one process at a time reads, changes and writes again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from irgauge.errors import InputError
from irgauge.files.writing import LOCK, WORKPLACE, cannot

if os.name == "posix":
    import fcntl


@contextmanager
def alone(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a file for this process; refuse where another one does. The lock ends with its process, killed or not.

    Another file beside it is locked, as it is replaced itself; one that a killed process left is removed by the next
    that writes there.
    """
    file = Path(os.path.realpath(path))
    place = file.with_name(f"{WORKPLACE}{file.name}{LOCK}")
    try:
        lock = _locked(place)
    except BlockingIOError:
        raise InputError("another command uses this file now; wait for it, and ask again", path=str(path)) from None
    except OSError as error:
        raise cannot(path, error) from None
    try:
        yield
    finally:
        with suppress(OSError):
            place.unlink()
        lock.close()


def _locked(place: Path) -> BinaryIO:
    """The open lock. Where its name was removed by the process that had it before, it is taken anew."""
    while True:
        lock = place.open("ab")
        try:
            if os.name != "posix":
                return lock
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if place.exists() and os.path.samestat(os.fstat(lock.fileno()), place.stat()):
                return lock
        except BaseException:
            lock.close()
            raise
        lock.close()
