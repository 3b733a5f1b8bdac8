"""The entry points by which installed packages add to irgauge.

A folder of data must not run code: what lies in the working folder, or beside a program, was not installed.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from irgauge.errors import DesignError, ExtensionWarning

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

GROUP = "irgauge."  # what the names of groups of entry points begin with


class Entry(NamedTuple):
    """An entry point of an installed package."""

    point: EntryPoint
    package: Distribution
    home: str  # the package and its version


def packages() -> tuple[str, ...]:
    """The packages that add to irgauge, with their versions."""
    return tuple(dict.fromkeys(entry.home for entry in installed()))


def installed() -> Iterable[Entry]:
    """The entry points of installed packages, in the order of their names.

    Of a package that is there twice the first counts, as it does for Python.
    """
    places = dict.fromkeys(place for folder in _installed_in() for place in _information(folder))
    by_package: dict[str, list[Entry]] = {}
    for place in places:
        for name, entries in _entries(place):
            by_package.setdefault(re.sub("[-_.]+", "-", name).lower(), entries)
    entries = [entry for of_package in by_package.values() for entry in of_package]
    return sorted(entries, key=lambda entry: (entry.home, entry.point.group, entry.point.name))


def _entries(place: Path) -> Iterator[tuple[str, list[Entry]]]:
    """The package of a folder of information, with its entry points; nothing but a warning if that is damaged."""
    from importlib.metadata import PathDistribution  # which takes longer to import than all this: most have none

    package = PathDistribution(place)
    try:
        name, points = str(package.metadata["Name"] or place.stem), [*package.entry_points]
        home = f"{name} {package.version}"
    except Exception as error:  # noqa: BLE001  # each version of Python has errors of its own
        message = f"{place}: what this package adds to irgauge cannot be read ({type(error).__name__}: {error})"
        warnings.warn(f"{message}; install it anew", ExtensionWarning, stacklevel=2)
        return
    yield name, [Entry(point, package, home) for point in points if point.group.startswith(GROUP)]


def _information(folder: str) -> Iterator[Path]:
    """The folders with information on packages that name entry points of ours."""
    with suppress(OSError):
        for name in sorted(os.listdir(folder)):  # noqa: PTH208  # a path for each of hundreds takes longer
            if name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError), open(f"{folder}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123  # as above
                    if f"[{GROUP}".encode() in file.read():
                        yield Path(folder) / name


def _installed_in() -> Iterator[str]:
    """The folders that Python imports from, but for those where nothing was installed: see `_loose`."""
    loose = _loose()
    return (place for place in sys.path if Path(place).is_absolute() and not _is_one_of(place, loose))


def _loose() -> list[str]:
    """The working folder, and that of the program: Python may look for modules there, whoever put them there."""
    first, program = sys.path[0] if sys.path else "", getattr(sys.modules.get("__main__"), "__file__", None)
    beside = [first] if program is not None and _is_one_of(first, [os.path.dirname(os.path.abspath(program))]) else []  # noqa: PTH100, PTH120  # as sys.path has it
    return [os.curdir, *beside]


def _is_one_of(place: str, folders: Iterable[str]) -> bool:
    for folder in folders:
        with suppress(OSError):  # one that is not there is none of them
            if Path(place).samefile(folder):
                return True
    return False


def loaded(entry: Entry) -> Any:  # noqa: ANN401  # checked next
    """What an entry point names; refused where another module of that name would be run."""
    top = entry.point.module.partition(".")[0]
    if top not in sys.modules:
        spec = find_spec(top)
        places = [] if spec is None else list(spec.submodule_search_locations or [spec.origin or ""])
        folders = [str(Path(place).parent) for place in places]
        if any(_is_one_of(folder, _loose()) and not _is_edited(entry.package, folder) for folder in folders):
            raise DesignError(f"the working folder has a module '{top}' too, which is not run; work in another folder")
    return entry.point.load()


def _is_edited(package: Distribution, folder: str) -> bool:
    """Whether a package was installed from this folder, to be edited there."""
    origin = package.read_text("direct_url.json") or ""
    match = re.search(r'"url":\s*"file://([^"]+)"', origin)
    if match is None or '"editable"' not in origin:
        return False
    from urllib.request import url2pathname

    return any(_is_one_of(url2pathname(match[1]), [str(place)]) for place in (Path(folder), *Path(folder).parents))
