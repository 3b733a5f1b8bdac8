"""Writing, all or nothing: a file or the files of a folder are made whole in a place of their own, then moved."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from irgauge.errors import InputError

if os.name == "posix":
    import fcntl

WORKPLACE = ".irgauge-"  # what the names of folders begin with in which files are made
LOCK = ".lock"  # what the name of a file ends in that stands beside such a folder, locked as long as its maker lives
_MADE, _GONE = "made", "gone"  # in them: what is made, and its name while it is removed
_TRIES = 3  # to remove what threads still write
_DESCRIPTORS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")
_workplaces: set[Path] = set()  # those of this process


def write(path: str | os.PathLike[str], content: str | bytes | memoryview) -> None:
    """Write a file whole or not at all.

    A link is written through, and a file keeps its mode. What is no file, such as a device or a pipe, is written to.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    try:
        if _is_stream(path):
            _send(path, data)
        else:
            _put(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise cannot(path, error) from None


@contextmanager
def filling(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary folder whose files go to `folder` on success, and vanish on any failure."""
    target = Path(os.path.realpath(folder))
    try:
        with _workplace(_nearest_folder(target)) as place, _naming(folder, place):
            made = place / _MADE
            made.mkdir()
            yield made
            _move(made, target)
    except OSError as error:
        raise cannot(folder, error) from None


@contextmanager
def _naming(folder: str | os.PathLike[str], place: Path) -> Iterator[None]:
    """Let errors name the folder that was asked for, not the temporary one."""
    try:
        yield
    except InputError as error:
        if error.path is None or place not in Path(error.path).parents:
            raise
        raise InputError(error.message, path=str(folder)) from None


def check_place(path: str | os.PathLike[str]) -> None:
    """Refuse a file that could not be written; for use before long work."""
    target = Path(os.path.realpath(path))
    try:
        if not _is_stream(path):
            _found(target)
            with _workplace(target.parent):
                pass
    except OSError as error:
        raise cannot(path, error) from None


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder that could not be filled; for use before long work."""
    try:
        with _workplace(_nearest_folder(Path(os.path.realpath(folder)))):
            pass
    except OSError as error:
        raise cannot(folder, error) from None


def check_free(folder: str | os.PathLike[str], use: str) -> None:
    """Refuse also a folder that holds something, and a file; `use` says what needs one, such as "a bundle needs"."""
    path = Path(folder)
    try:
        if path.exists() and not path.is_dir():
            raise InputError(f"there is a file of this name; {use} a new folder", path=str(folder))
        if path.exists() and any(path.iterdir()):
            raise InputError(f"the folder is not empty; {use} a new or an empty one", path=str(folder))
    except OSError as error:
        raise cannot(folder, error) from None
    check_folder(folder)


@contextmanager
def private_folder(within: str | os.PathLike[str]) -> Iterator[Path]:
    """A new folder within another that only this user can enter; it vanishes in any case."""
    with _workplace(Path(within)) as place:
        folder = place / _MADE
        folder.mkdir()
        yield folder


def cannot(path: str | os.PathLike[str], error: OSError) -> InputError:
    """What to say where a file or folder cannot be written."""
    return InputError(f"cannot be written ({error.strerror or error}); choose another place", path=str(path))


def clear_up() -> None:
    """Remove what this process is about to write: for one that ends at once, whatever its threads do."""
    for _ in range(_TRIES):
        for place in list(_workplaces):
            _remove(place)


def open_own(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file of this user to read it; a link, a pipe, a device or another's file is refused, and never waits."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = open(os.open(path, flags), "rb")  # noqa: PTH123, SIM115  # a descriptor, which the caller closes
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and _is_own(status):
        return file
    file.close()
    raise InputError("is no file of yours, so that it is not used; remove it, or choose another place", path=str(path))


def is_own_folder(path: Path) -> bool:
    """Whether there is such a folder, and no link, and it belongs to this user."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and _is_own(status)


def _is_own(status: os.stat_result) -> bool:
    return os.name != "posix" or status.st_uid == os.geteuid()


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether this is something other than a file, or a file that is open already, as that of standard output."""
    if os.path.abspath(path).startswith(_DESCRIPTORS):  # noqa: PTH100  # links would be followed
        return True
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _send(path: str | os.PathLike[str], data: bytes | memoryview) -> None:
    with suppress(BrokenPipeError), open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:  # noqa: PTH123  # a descriptor
        stream.write(data)


def _put(target: Path, data: bytes | memoryview) -> None:
    before = _found(target)
    with _workplace(target.parent) as place:
        made = place / _MADE
        made.write_bytes(data)
        if before is None:
            made.chmod(0o666 & ~_umask())
        else:
            _make_alike(made, before)
        made.replace(target)


def _found(target: Path) -> os.stat_result | None:
    """What is known of the file that is there, if any; refuses a folder and a file that is protected."""
    if not target.exists():
        return None
    with target.open("ab"):
        return target.stat()


def _make_alike(made: Path, before: os.stat_result) -> None:
    """Give a file the owner, where that is allowed, and the mode of another."""
    if os.name == "posix":
        with suppress(PermissionError):
            os.chown(made, before.st_uid, before.st_gid)
    made.chmod(stat.S_IMODE(before.st_mode))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _nearest_folder(target: Path) -> Path:
    """The folder itself or, if it is not there, the first above it that is; a file among them cannot hold one."""
    return next(folder for folder in (target, *target.parents) if folder.exists())


def _move(made: Path, target: Path) -> None:
    """Move a folder, or what it holds into one that is there."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        made.rename(target)
        return
    for path in sorted(made.rglob("*")):
        place = target / path.relative_to(made)
        if path.is_dir():
            place.mkdir(exist_ok=True)
        else:
            path.replace(place)


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """A folder in which to make files; it vanishes in any case, and so do those whose makers were killed.

    Its lock is there before it and after it, so that what is left at any moment is known as ours.
    """
    _remove_stale(folder)
    place = folder / f"{WORKPLACE}{token_hex(8)}"
    _workplaces.add(place)
    try:
        with _locked(place):
            place.mkdir(mode=0o700)
            yield place
    finally:
        _remove(place)
        _workplaces.discard(place)


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Mark a workplace as in use for as long as this lasts."""
    path = _lock_of(place)
    with path.open("xb") as lock:
        if os.name == "posix":
            with suppress(OSError):  # some file systems know no locks; nothing is removed there
                fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            yield
            return
    with _locked(place):  # another process has removed it as it was not locked yet
        yield


def _lock_of(place: Path) -> Path:
    return place.with_name(f"{place.name}{LOCK}")


def _remove(place: Path) -> None:
    """Remove a workplace, and then its lock; a thread that still writes there has no place to write to any more."""
    if is_own_folder(place):
        with suppress(OSError):
            (place / _MADE).rename(place / _GONE)
        shutil.rmtree(place, ignore_errors=True)
    if not os.path.lexists(place):
        with suppress(OSError):
            _lock_of(place).unlink()


def _remove_stale(folder: Path) -> None:
    """Remove workplaces whose makers are no more: they are not locked."""
    if os.name != "posix":
        return
    for path in folder.glob(f"{WORKPLACE}*{LOCK}"):
        with suppress(OSError, InputError), open_own(path) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path.with_name(path.name.removesuffix(LOCK)))
