"""Scores kept in a folder of Parquet files, batch by batch: all of them, or none and what a later try goes on with."""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.errors import InputError
from irgauge.writing import cannot, check_free, write

if TYPE_CHECKING:
    from irgauge.arrays import Floats
    from irgauge.scoring.scores import Scores

UNFINISHED = ".unfinished"  # what the name of a folder ends in, until it holds all batches
_SETTINGS = "settings.json"  # of what the batches in it are
Bounds = tuple[int, int]  # the first image of a batch, counted from 0, and the one after the last


class Shelf:
    """Batches of scores, in a folder or, without one, nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def has(self, batch: Bounds) -> bool:
        """Whether a batch is there from an earlier try: whole, as files are written."""
        return self._folder is not None and (self._folder / _name(batch)).exists()

    def put(self, batch: Bounds, scores: Scores) -> None:
        """Keep a batch."""
        if self._folder is not None:
            scores.save(self._folder / _name(batch))

    def take(self, batch: Bounds, shape: tuple[int, ...]) -> Floats:
        """The scores of a batch that is there, bit by bit as they were put."""
        import polars as pl

        path = Path(self._folder or "") / _name(batch)
        values = pl.read_parquet(path, columns=["score"])["score"].to_numpy()
        if values.size != (expected := math.prod(shape)):
            raise InputError(f"holds {values.size:,} scores, not {expected:,}; remove this file", path=str(path))
        return values.reshape(shape)


@contextmanager
def keeping(folder: str | os.PathLike[str] | None, settings: Mapping[str, object]) -> Iterator[Shelf]:
    """Where batches of scores go: a folder that gets its name once all is done, or nowhere for None.

    What was kept when an earlier try ended, in any way, is there again if its settings were the same.
    """
    if folder is None:
        yield Shelf(None)
        return
    check_free(folder, "scores are kept in")
    place = Path(f"{os.path.realpath(folder)}{UNFINISHED}")
    try:
        _begin(place, json.dumps(settings, indent=1))
        yield Shelf(place)
        _finish(place, Path(os.path.realpath(folder)))
    except OSError as error:
        raise cannot(folder, error) from None
    finally:
        _clear(place)


def _begin(place: Path, settings: str) -> None:
    said = place / _SETTINGS
    if said.exists() and said.read_text() != settings:
        raise InputError(
            "holds what is done so far of other data or other settings (see its settings.json); ask for the same "
            "again, remove it, or keep scores in another folder",
            path=str(place),
        )
    place.mkdir(parents=True, exist_ok=True)
    if not said.exists():
        write(said, settings)


def _finish(place: Path, folder: Path) -> None:
    for path in place.iterdir():
        if path.name == _SETTINGS or path.name.startswith("."):  # of a writer that was killed
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
