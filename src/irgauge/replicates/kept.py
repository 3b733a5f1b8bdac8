"""Scores kept in a folder of Parquet files, batch by batch: all of them or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from irgauge.errors import InputError

if TYPE_CHECKING:
    from irgauge.scoring.scores import Scores

Keep = Callable[["Scores"], None]


@contextmanager
def keeping(folder: str | os.PathLike[str] | None) -> Iterator[Keep | None]:
    """What saves a batch of scores, in a temporary folder that takes the place of `folder` once all is done."""
    if folder is None:
        yield None
        return
    place = Path(folder)
    temporary = _beside(place)
    try:
        yield lambda scores: scores.save(temporary / _name(scores))
        _rename(temporary, place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_free(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that holds something."""
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError("there is a file of this name; scores are kept in a new folder", path=str(place))
    if place.exists() and any(place.iterdir()):
        raise InputError("the folder is not empty; scores are kept in a new or an empty one", path=str(place))


def _name(scores: Scores) -> str:
    first, last = int(scores.replicates[0]), int(scores.replicates[-1])
    return f"images-{first:06}-{last:06}.parquet"


def _beside(folder: Path) -> Path:
    check_free(folder)
    temporary = folder.absolute().with_name(f".{folder.absolute().name}.{os.getpid()}")
    try:
        temporary.mkdir()
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror}); choose another place", path=str(folder)) from None
    return temporary


def _rename(temporary: Path, folder: Path) -> None:
    try:
        if folder.exists():
            folder.rmdir()  # empty, else it is left alone and this is an error
        temporary.rename(folder)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror}); choose another place", path=str(folder)) from None
