"""Scores kept in a folder of Parquet files, batch by batch: all of them, or none and what a later try goes on with."""

from __future__ import annotations

import io
import json
import math
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from irgauge.errors import InputError
from irgauge.files.writing import WORKPLACE, cannot, check_free, is_own_folder, open_own, write
from irgauge.reading.collection import Collection
from irgauge.reading.tables.parquet import read_parquet

if TYPE_CHECKING:
    from irgauge.compute.arrays import Floats
    from irgauge.scoring.scores import Scores

UNFINISHED = ".unfinished"  # what the name of a folder ends in, until it holds all batches
_SETTINGS = "settings.json"  # of what the batches in it are
_CHECKSUM = ".sha256"  # what the name of the file ends in that tells whether a batch is as it was put
_CHUNK = 1 << 20  # bytes
_ADVICE = "remove it, or keep scores in another folder"
Bounds = tuple[int, int]  # the first image of a batch, counted from 0, and the one after the last


class Shelf:
    """Batches of scores, in a folder or, without one, nowhere; each belongs to its data, settings and number."""

    def __init__(self, folder: Path | None, settings: str) -> None:
        self._folder, self._settings = folder, settings

    def has(self, batch: Bounds) -> bool:
        """Whether a batch is there from an earlier try: whole, as files are written."""
        return self._folder is not None and os.path.lexists(self._folder / _name(batch))

    def put(self, batch: Bounds, scores: Scores) -> None:
        """Keep a batch; its checksum comes first, so that no batch is ever without."""
        if self._folder is None:
            return
        made = io.BytesIO()
        scores.frame().write_parquet(made)
        write(self._folder / f"{_name(batch)}{_CHECKSUM}", self._checksum(batch, [made.getbuffer()]))
        write(self._folder / _name(batch), made.getbuffer())

    def take(self, batch: Bounds, shape: tuple[int, ...]) -> Floats:
        """The scores of a batch that is there, bit by bit as they were put; any other file is refused."""
        import polars as pl

        path = Path(self._folder or "") / _name(batch)
        with open_own(path) as file:
            if self._checksum(batch, iter(lambda: file.read(_CHUNK), b"")) != _text(Path(f"{path}{_CHECKSUM}")):
                message = "is damaged, or of other data, other settings or other images than this batch"
                raise InputError(f"{message}; remove this file to have it made anew", path=str(path))
            file.seek(0)
            frame = read_parquet(file.read(), str(path))
        if frame.schema.get("score") != pl.Float64 or len(frame) != math.prod(shape):
            raise InputError(f"does not hold the scores of this batch; {_ADVICE}", path=str(path))
        return frame["score"].to_numpy(writable=True).reshape(shape)

    def _checksum(self, batch: Bounds, chunks: Iterable[bytes | memoryview]) -> str:
        digest = sha256(f"{self._settings}\0{batch[0]}\0{batch[1]}\0".encode())
        for chunk in chunks:
            digest.update(chunk)
        return digest.hexdigest()


@contextmanager
def keeping(
    folder: str | os.PathLike[str] | None, settings: Mapping[str, object], batches: Sequence[Bounds]
) -> Iterator[Shelf]:
    """Where batches of scores go: a folder that gets its name once all is done, or nowhere for None.

    What was kept when an earlier try ended, in any way, is there again if its settings were the same.
    """
    if folder is None:
        yield Shelf(None, "")
        return
    check_free(folder, "scores are kept in")
    place, text = Path(f"{os.path.realpath(folder)}{UNFINISHED}"), json.dumps(settings, indent=1)
    names = {_name(batch) for batch in batches}
    try:
        _open(place, names)
        try:
            _begin(place, text, names)
            yield Shelf(place, text)
            _finish(place, Path(os.path.realpath(folder)))
        finally:
            _clear(place)
    except OSError as error:
        raise cannot(folder, error) from None


def _open(place: Path, names: Set[str]) -> None:
    """Make the folder of batches, or go on with the one that is there if all in it is ours."""
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.mkdir()
    except FileExistsError:
        _check(place, names)


def _begin(place: Path, settings: str, names: Set[str]) -> None:
    """Say what the batches are; those that are there must be the same."""
    if not any(os.path.lexists(place / name) for name in names):
        write(place / _SETTINGS, settings)
    elif _text(place / _SETTINGS) != settings:
        raise InputError(
            "holds what is done so far of other data or other settings (see its settings.json); ask for the same "
            f"again, {_ADVICE}",
            path=str(place),
        )


def _check(place: Path, names: Set[str]) -> None:
    """Refuse a folder that was not made here: one of another user, a link, and one that holds anything else."""
    if not is_own_folder(place):
        raise InputError(f"is no folder of yours, so that nothing in it is used; {_ADVICE}", path=str(place))
    known = {_SETTINGS, *names, *(f"{name}{_CHECKSUM}" for name in names)}
    for path in place.iterdir():
        is_file, is_left = path.is_file() and not path.is_symlink(), path.name.startswith(WORKPLACE)  # by one killed
        if not (is_file and (is_left or path.name in known)) and not (is_left and is_own_folder(path)):
            raise InputError(f"is no file of these images; {_ADVICE}", path=str(path))


def _text(path: Path) -> str:
    """What a file of ours says; nothing where there is none."""
    try:
        with open_own(path) as file:
            return file.read(_CHUNK).decode(errors="replace")
    except FileNotFoundError:
        return ""


def _finish(place: Path, folder: Path) -> None:
    for path in place.iterdir():
        if path.suffix != ".parquet":
            path.unlink() if path.is_file() else shutil.rmtree(path)
    if folder.exists():
        folder.rmdir()  # it is empty
    place.rename(folder)


def _clear(place: Path) -> None:
    """Remove a folder in which nothing was kept."""
    if place.exists() and not any(place.glob("*.parquet")):
        shutil.rmtree(place, ignore_errors=True)


def _name(batch: Bounds) -> str:
    return f"images-{batch[0] + 1:06}-{batch[1]:06}.parquet"


_OTHERWISE = (  # what scores do not rest on
    *("origins", "name_documents", "notes", "missing", "headers", "identical_ids", "read_from", "judged_in"),
)


def fingerprint(collection: Collection) -> str:
    """Of all that scores and images rest on; the same for the same files, wherever they are.

    >>> from irgauge import load
    >>> one, other = (load({"1": {"a": 1}}, {"mine": {"1": {"a": 2.0, "b": score}}}) for score in (1.0, 3.0))
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    digest = sha256()
    for field in fields(collection):
        if field.name not in _OTHERWISE:
            value = getattr(collection, field.name)
            digest.update(field.name.encode())
            digest.update(np.ascontiguousarray(value).data if isinstance(value, np.ndarray) else repr(value).encode())
    return digest.hexdigest()
