"""Files in the current folder, for the time of one input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from fuzz.mutations import packed
from irgauge import InputError


class File(NamedTuple):
    """A file: its name and what it holds."""

    name: str
    data: bytes


@contextmanager
def written(file: File) -> Iterator[str]:
    """The name of the file, in the folder where we are, while it is there."""
    Path(file.name).write_bytes(file.data)
    try:
        yield file.name
    finally:
        Path(file.name).unlink()


def damaged_one_of(files: Mapping[str, bytes]) -> Callable[[Random], File]:
    """Makes a damaged file of these."""

    def make(rng: Random) -> File:
        name = rng.choice(list(files))
        return File(name, packed(files[name], rng))

    return make


def assert_read_or_refused(read: Callable[[], object], *places: str) -> None:
    """Anything but an InputError is a fault; it names one of the places, and can be printed."""
    error = _refusal(read)
    if error is not None:
        assert error.path is not None, error
        assert error.path.startswith(places), error
        assert str(error).encode()


def _refusal(read: Callable[[], object]) -> InputError | None:
    try:
        read()
    except InputError as error:
        return error
    return None
