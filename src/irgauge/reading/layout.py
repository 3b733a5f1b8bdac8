"""How the folder of a test collection is laid out: `qrels` and `runs`, and other files, each plain or packed."""

from __future__ import annotations

from pathlib import Path

from irgauge.errors import InputError

_KINDS = ("", ".txt", ".tsv", ".json", ".jsonl")
_PACKED = ("", ".gz", ".bz2", ".xz", ".zst")
_JUDGED = "test"  # BEIR keeps the judgments of each part of the topics in a file of a folder


def found_in(folder: Path, name: str) -> Path | None:
    """The file or folder of that name, with an extension or without, compressed or not."""
    places = (folder / f"{name}{kind}{packed}" for kind in _KINDS for packed in _PACKED)
    return next((place for place in places if place.exists()), None)


def needed_in(folder: Path, name: str) -> Path:
    """The same, which must be there."""
    path = found_in(folder, name)
    if path is None:
        raise InputError("this file is needed, plain or compressed", path=str(folder / name))
    return path


def qrels_in(folder: Path) -> Path:
    """The judgments: `qrels`, or where that is a folder as in BEIR, `qrels/test`."""
    path = needed_in(folder, "qrels")
    return needed_in(path, _JUDGED) if path.is_dir() else path
