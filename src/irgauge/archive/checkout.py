"""The commit of a git checkout, read from its files by hand: no program runs, as a checkout may configure some."""

from __future__ import annotations

import re
from pathlib import Path

_MOST = 64 << 20  # bytes of a file of references
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REFERENCE = re.compile(r"ref: (refs/[^\s]+)")


def commit_of(folder: Path) -> str | None:
    """The commit that is checked out in a folder, or in one that it is in; None where there is none."""
    try:
        return next((_head(place / ".git") for place in (folder, *folder.parents) if (place / ".git").exists()), None)
    except (OSError, ValueError):
        return None


def _head(git: Path) -> str | None:
    """What HEAD says; a worktree has its own, and shares the references of another folder."""
    own = git
    if git.is_file():
        own = git.parent / _text(git).removeprefix("gitdir:").strip()
    shared = own / _text(own / "commondir").strip() if (own / "commondir").is_file() else own
    head = _text(own / "HEAD").strip()
    named = _REFERENCE.fullmatch(head)
    if named is None:
        return _commit(head)
    if ".." in named[1]:
        return None
    places = (folder / named[1] for folder in (own, shared))
    loose = next((_commit(_text(place).strip()) for place in places if place.is_file()), None)
    return loose or _packed(shared / "packed-refs", named[1])


def _packed(path: Path, reference: str) -> str | None:
    lines = (line.split() for line in _text(path).splitlines()) if path.is_file() else ()
    return next((_commit(parts[0]) for parts in lines if parts[1:] == [reference]), None)


def _commit(text: str) -> str | None:
    return text if _COMMIT.fullmatch(text) else None


def _text(path: Path) -> str:
    if not path.is_file() or path.stat().st_size > _MOST:
        raise ValueError
    return path.read_text("utf-8")
