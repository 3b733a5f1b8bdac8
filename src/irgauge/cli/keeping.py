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
def keeping(folder: Path | None) -> Iterator[Keep | None]:
    """What saves a batch of scores, in a temporary folder that takes the place of `folder` once all is done."""
    if folder is None:
        yield None
        return
    temporary = _beside(folder)
    try:
        yield lambda scores: scores.save(temporary / _name(scores))
        _rename(temporary, folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_free(folder: Path) -> None:
    """Refuse a folder that holds something."""
    if folder.exists() and not folder.is_dir():
        raise InputError("there is a file of this name; --keep needs the name of a new folder", path=str(folder))
    if folder.exists() and any(folder.iterdir()):
        raise InputError("the folder is not empty; --keep needs a new or an empty one", path=str(folder))


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
