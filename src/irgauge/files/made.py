"""Made: when a result was made, by which command, of which files. Files are noted as they are read, hashed when asked.

A gate keeps the SHA-256 of a file's content, however it is compressed; here that of the file on disk is taken, which
`sha256sum` gives too. Files are hashed in threads, a piece at a time, so that no size of theirs needs memory.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from irgauge.compute.tasks import in_threads
from irgauge.errors import InputError
from irgauge.visible import visible

FROM_PYTHON = "from Python"
_EPOCH = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/specs/source-date-epoch
_SHORT = 16  # digits of a fingerprint on a page
FILES = "sha256 of files"  # their name among the settings


class Stamp(NamedTuple):
    """What tells whether a file is still the one that was read."""

    size: int
    changed: int  # nanoseconds
    inode: int


_STAMPS: dict[str, Stamp | None] = {}  # path -> the file as it was last read; None of what is no file
_noted: ContextVar[list[str] | None] = ContextVar("noted", default=None)  # the paths that a verb has read so far


def note_file(path: str) -> None:
    """Take note that a file is read now."""
    _STAMPS[path] = _stamp(path)
    paths = _noted.get()
    if paths is not None:
        paths.append(path)


def _stamp(path: str) -> Stamp | None:
    """Of a file; None of what is none, or is no longer there."""
    try:
        file = Path(path)
        status = file.stat()
        return Stamp(status.st_size, status.st_mtime_ns, status.st_ino) if file.is_file() else None
    except (OSError, ValueError):
        return None


@contextmanager
def noting_files() -> Iterator[list[str]]:
    """The paths of files that are read meanwhile, for this verb and for one that calls it."""
    paths: list[str] = []
    token = _noted.set(paths)
    try:
        yield paths
    finally:
        _noted.reset(token)
        outer = _noted.get()
        if outer is not None:
            outer += paths


def read_from(data: object) -> tuple[str, ...]:
    """The paths of files that data were read from before a verb is given them, alone or several by their names."""
    if isinstance(data, Mapping):
        return tuple(path for part in data.values() for path in getattr(part, "read_from", ()))
    return tuple(getattr(data, "read_from", ()))


def now() -> str:
    """The time in UTC, to seconds; that of SOURCE_DATE_EPOCH where it is set, so that files can be the same."""
    epoch = os.environ.get(_EPOCH)
    try:
        time = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    except (ValueError, OverflowError, OSError):
        raise InputError(f"{_EPOCH} is '{epoch}'; it is a number of seconds since 1970, or not set") from None
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Made:
    """When, by which command, of which files."""

    at: str = field(default_factory=now)
    command: str = FROM_PYTHON
    files: Mapping[str, str | None] = field(default_factory=dict)  # path -> its SHA-256; None of a pipe
    noted: Mapping[str, Stamp | None] = field(default_factory=dict)  # files that were read, and are not yet hashed

    def of(self, paths: Iterable[str]) -> Made:
        """The same of these files, as they were last read; threads read them in any order."""
        return replace(self, noted={path: _STAMPS.get(path) or _stamp(path) for path in sorted(set(paths))})

    def by(self, words: Sequence[str]) -> Made:
        """The same with the words of a command line, as a shell takes them."""
        return replace(self, command=visible(shlex.join(words)))

    def hashed(self, workers: int | None = None) -> Made:
        """The same with the SHA-256 of all files; None of a pipe, and of a file that is gone or was changed since."""
        digests = in_threads(_digest, list(self.noted.items()), workers)
        return replace(self, files={**self.files, **dict(zip(self.noted, digests, strict=True))}, noted={})

    @property
    def paths(self) -> list[str]:
        """All files."""
        return list({**self.files, **self.noted})

    @property
    def settings(self) -> dict[str, object]:
        """What a page says of it, fingerprints cut short."""
        short = {path: None if digits is None else digits[:_SHORT] for path, digits in self.files.items()}
        return {"command": self.command, "made at": self.at} | ({FILES: short} if short else {})

    def to_dict(self) -> dict[str, object]:
        """What JSON holds of it."""
        return {"at": self.at, "command": self.command, "files": dict(self.hashed().files)}


def _digest(file: tuple[str, Stamp | None]) -> str | None:
    path, stamp = file
    if stamp is None or _stamp(path) != stamp:
        return None
    try:
        with Path(path).open("rb") as content:
            return file_digest(content, "sha256").hexdigest()
    except OSError:  # no longer readable
        return None
