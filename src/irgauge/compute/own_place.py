"""Whether a place on the disk is the user's own, so that what lies there may be run."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

_MOST_LINKS = 40  # as the kernel of Linux follows


def make_own(folder: Path) -> None:
    """Make a folder, and those above it that are not there, for the user alone; one that is there is checked."""
    try:
        check_own(folder)
    except FileNotFoundError:
        for place in (*reversed(folder.parents), folder):
            if not place.exists():
                with suppress(FileExistsError):
                    place.mkdir(mode=0o700)
        check_own(folder)


def check_own(path: Path) -> None:
    """Raise a PermissionError where anyone but the user and root could have written a file, or put it there.

    The file or folder, every folder above it and every link on the way must belong to the user or to root, and be
    writable by nobody else. Folders above may be such as /tmp, where each can remove only what is theirs. Windows keeps
    owners and rights elsewhere; there only a relative path is refused.
    """
    if not path.is_absolute():
        raise PermissionError(f"{path} is no absolute path, so that the working folder would decide what it is")
    if os.name == "posix":
        _check_way(path)


def _check_way(path: Path) -> None:
    """Go from the root to a path as the system would, and look at all that is passed."""
    place, waiting, links = Path("/"), list(reversed(path.parts)), 0
    while waiting:
        name = waiting.pop()
        if name == "..":
            place = place.parent
            continue
        step = place / name
        state = step.lstat()
        _check(step, state, is_last=not waiting)
        if stat.S_ISLNK(state.st_mode):
            links += 1
            if links > _MOST_LINKS:
                raise PermissionError(f"{path} has too many links")
            waiting += reversed(step.readlink().parts)
        else:
            place = step


def _check(path: Path, state: os.stat_result, *, is_last: bool) -> None:
    if state.st_uid not in (os.getuid(), 0):
        raise PermissionError(f"{path} belongs to another user")
    is_shared_safely = not is_last and state.st_mode & stat.S_ISVTX
    if not stat.S_ISLNK(state.st_mode) and state.st_mode & 0o022 and not is_shared_safely:
        raise PermissionError(f"others can write to {path}")
