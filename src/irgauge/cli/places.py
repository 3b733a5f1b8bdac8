"""Places of results: refused before any long work where they have no folder, or would destroy what is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from irgauge.errors import InputError
from irgauge.writing import check_place


def check_places(outputs: Iterable[Path | None], given: Iterable[object] = ()) -> None:
    """Refuse a file that cannot be written, one for two results, and one that is `given` to be read, or its folder.

    `given` are the texts of the command line; those that name no file are passed over, as are other values.
    """
    places = [output for output in outputs if output is not None]
    for place in places:
        if not place.absolute().parent.is_dir():
            message = "the folder of this file does not exist; make it, or choose another place"
            raise InputError(message, path=str(place))
        check_place(place)
    for first, second in combinations(places, 2):
        if _are_same(first, second):
            raise InputError("two results would go to this file; give each a file of its own", path=str(second))
    for read in _files(given):
        for place in places:
            if _are_same(place, read):
                raise InputError("this file is read by the same command; choose another place", path=str(place))


def _are_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, by whatever links; devices may be shared."""
    from irgauge.files import is_there

    if is_there(one) and is_there(other):
        return one.is_file() and one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def _files(given: Iterable[object]) -> Iterator[Path]:
    """The files that texts mean, also those such as map:FILE."""
    from irgauge.files import expand

    for text in _texts(given):
        for name in filter(None, (text, text.partition(":")[2])):
            with suppress(InputError):
                yield from map(Path, expand([name]))


def _texts(given: Iterable[object]) -> Iterator[str]:
    for one in given:
        if isinstance(one, str):
            yield one
        elif isinstance(one, list | tuple):
            yield from _texts(one)
