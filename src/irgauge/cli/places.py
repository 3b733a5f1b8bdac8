"""Places of results: refused before any long work where they have no folder, or would destroy what is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from irgauge.errors import InputError
from irgauge.files.writing import check_place


def check_places(
    outputs: Iterable[Path | None],
    given: Iterable[object] = (),
    *,
    folders: Iterable[Path | None] = (),
    held: Iterable[Path | None] = (),
) -> None:
    """Refuse a file that cannot be written, one for two results, and one that is `given` to be read, or its folder.

    `given` are the texts of the command line; those that name no file are passed over, as are other values. `folders`
    are filled with results, so that no other file may be in one. What is `held` is written only if it is not there.
    """
    places = [output for output in outputs if output is not None]
    kept = [place for place in held if place is not None]
    for place in (*places, *(place for place in kept if not os.path.lexists(place))):
        _check_place(place)
    for first, second in combinations([*kept, *places], 2):
        if _are_same(first, second):
            raise InputError("two results would go to this file; give each a file of its own", path=str(second))
    texts = list(_texts(given))
    files = list(_files(texts))
    for place in (*kept, *places):
        if any(_are_same(place, read) for read in files) or _is_in_folder_read(place, texts):
            raise InputError("this file is read by the same command; choose another place", path=str(place))
    for folder in (folder for folder in folders if folder is not None):
        for file in (*kept, *places, *files):
            if _is_inside(file, folder):
                message = f"a folder for results would hold {file}, which the same command reads or writes"
                raise InputError(f"{message}; choose another folder", path=str(folder))


def _check_place(place: Path) -> None:
    if not place.absolute().parent.is_dir():
        raise InputError("the folder of this file does not exist; make it, or choose another place", path=str(place))
    check_place(place)


def _is_in_folder_read(place: Path, texts: Iterable[str]) -> bool:
    """Whether a file is there, at any depth of a folder that is read."""
    from irgauge.files.opening import is_file, is_folder

    return is_file(place) and any(is_folder(text) and _is_inside(place, text) for text in texts)


def _is_inside(file: Path, folder: str | Path) -> bool:
    """Whether a path leads into a folder, or to it."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))


def _are_same(path: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, by whatever links; devices may be shared."""
    from irgauge.files.opening import is_there

    if is_there(path) and is_there(other):
        return path.is_file() and path.samefile(other)
    return os.path.realpath(path) == os.path.realpath(other)


def _files(texts: Iterable[str]) -> Iterator[Path]:
    """The files that texts mean, also those such as map:FILE."""
    from irgauge.files.opening import expand

    for text in texts:
        for name in filter(None, (text, text.partition(":")[2])):
            with suppress(InputError):
                yield from map(Path, expand([name]))


def _texts(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _texts(value)
