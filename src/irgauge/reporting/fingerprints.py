"""Fingerprints of the files that a report was made of."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import file_digest
from pathlib import Path

from irgauge.files import is_file
from irgauge.streams import is_stream
from irgauge.threads import in_threads


def fingerprints(paths: Iterable[str], workers: int | None = None) -> dict[str, str | None]:
    """Path -> the SHA-256 of the file as it is on disk; None of what is no file, such as a pipe.

    A gate keeps that of the content, however it is compressed; here files are not unpacked a second time, and
    `sha256sum` gives the same.
    """
    names = list(dict.fromkeys(paths))
    return dict(zip(names, in_threads(_on_disk, names, workers), strict=True))


def _on_disk(path: str) -> str | None:
    if is_stream(path) or not is_file(path):
        return None
    try:
        with Path(path).open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:  # gone, or no longer readable
        return None
