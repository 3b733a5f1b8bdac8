"""Files as bytes: the files that a name means, in the folder of a test collection too, read whatever the compression.

A stream, such as a pipe, can be read only once: what comes is kept for the rest of the process.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from threading import Lock

import numpy as np

from irgauge.compute.arrays import Bytes
from irgauge.errors import InputError
from irgauge.files.compression import DAMAGED, decompressed, is_compressed
from irgauge.files.limits import refuse_larger
from irgauge.files.made import note_file
from irgauge.log import LOG
from irgauge.visible import visible

STANDARD_INPUT = "-"
_LOCK = Lock()
_KEPT: dict[tuple[str, int, int], bytes | InputError] = {}  # path, device and inode -> what came
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_START = 8  # bytes that tell the compression
_CHUNK = 1 << 20  # bytes read at a time
_KINDS = ("", ".txt", ".tsv", ".json", ".jsonl")
_PACKED = ("", ".gz", ".bz2", ".xz", ".zst")
_JUDGED = "test"  # BEIR keeps the judgments of each part of the topics in a file of a folder


def is_stream(path: str) -> bool:
    """Whether a path is neither a file nor a folder, but a pipe or a device; '-' is the standard input."""
    if path == STANDARD_INPUT:
        return True
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def stream_content(path: str) -> bytes:
    """All that comes from a stream, now or when it was first read."""
    with _LOCK:
        key = _key(path)
        if key not in _KEPT:
            _KEPT[key] = _read(path)
        kept = _KEPT[key]
    if isinstance(kept, InputError):
        raise kept
    return kept


def _key(path: str) -> tuple[str, int, int]:
    """What tells streams apart: one path can be another pipe later."""
    if path == STANDARD_INPUT:
        return path, 0, 0
    status = Path(path).stat()
    return path, status.st_dev, status.st_ino


def _read(path: str) -> bytes | InputError:
    """All that comes, or the error of a stream that does not end soon enough: the rest of it would mean nothing."""
    data = bytearray()
    try:
        for chunk in _arriving(path):
            data += chunk
            refuse_larger(len(data), path)
    except InputError as error:
        return error
    return bytes(data)


def _arriving(path: str) -> Iterator[bytes]:
    if path == STANDARD_INPUT:
        yield from iter(lambda: sys.stdin.buffer.read(_CHUNK), b"")
        return
    with Path(path).open("rb") as file:
        yield from iter(lambda: file.read(_CHUNK), b"")


def read_bytes(path: str | os.PathLike[str]) -> Bytes:
    """The content of a file, decompressed if it starts like a gzip, bzip2, xz, zstd or LZ4 file.

    A pipe is read as a file is, and as often, as what came through it is kept.
    """
    name = str(path)
    note_file(name)
    try:
        data = _whole(name)
    except InputError as error:
        raise InputError(error.message, path=name or None) from None
    except FileNotFoundError:
        raise InputError("there is no such file; check the path", path=name) from None
    except IsADirectoryError:
        raise InputError("this is a folder where one file is needed; name a file in it", path=name) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); check its permissions", path=name) from None
    LOG.debug("read %s: %d bytes", visible(name), len(data))
    return data[3:] if data[:3].tobytes() == _BYTE_ORDER_MARK else data


def first_bytes(path: str | os.PathLike[str], size: int) -> bytes:
    """How the content of a file begins, decompressed; empty where it cannot be read, which its reader will say."""
    content, needed = b"", size + len(_BYTE_ORDER_MARK)
    try:
        with closing(_chunks(str(path), needed)) as chunks:
            for piece in decompressed(chunks):
                content += piece[:needed]
                if len(content) >= needed:
                    break
    except DAMAGED:  # an InputError is a ValueError
        return b""
    return content.removeprefix(_BYTE_ORDER_MARK)[:size]


def _whole(name: str) -> Bytes:
    """All that a file holds, which can be written to."""
    _refuse_unnamed(name)
    with closing(_chunks(name, _START)) as chunks:
        first = next(chunks, b"")
        if is_stream(name) or is_compressed(first):
            return _unpacked(chain([first], chunks), name)
    refuse_larger(Path(name).stat().st_size, name)
    return np.fromfile(name, np.uint8)


def _unpacked(chunks: Iterator[bytes], name: str) -> Bytes:
    content = bytearray()
    try:
        for piece in decompressed(chunks):
            content += piece
            refuse_larger(len(content), name)
    except InputError:
        raise
    except DAMAGED as error:
        message = f"the compressed file is cut off or damaged ({error}); copy or download it again"
        raise InputError(message) from None
    return np.frombuffer(content, np.uint8)


def _chunks(name: str, size: int) -> Generator[bytes, None, None]:
    """The bytes of a file as they are, at first so many."""
    if is_stream(name):
        yield stream_content(name)
        return
    with Path(name).open("rb") as file:
        yield file.read(size)
        yield from iter(lambda: file.read(_CHUNK), b"")


def _refuse_unnamed(name: str) -> None:
    if not name:
        raise InputError("the name of a file is empty; name a file, a folder or a glob pattern")
    if "\0" in name:
        raise InputError(f"{name!r} is not a path, as it holds a NUL character; name a file")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise InputError(f"{name!r} is not a path, as it holds half a character; name a file") from None


def base_name(path: str | os.PathLike[str]) -> str:
    """The name of a file without its folder, as text: a byte that is none stands as \\xff does."""
    return os.fsencode(Path(path).name).decode(errors="backslashreplace")


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether there may be such a file or folder; of a text that is too long to be a name there is none."""
    if not str(path):
        return False
    try:
        return str(path) == STANDARD_INPUT or Path(path).exists()
    except PermissionError:  # which reading it will say
        return True
    except (OSError, ValueError):
        return False


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a folder."""
    try:
        return bool(str(path)) and Path(path).is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a file."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def files_in(folder: str | os.PathLike[str]) -> list[Path]:
    """The files of a folder, sorted, without hidden ones."""
    try:
        return sorted(path for path in Path(folder).iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        message = f"the folder cannot be read ({error.strerror}); check its permissions"
        raise InputError(message, path=str(folder)) from None


def expand(names: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that names mean: a file, all files of a folder, or the matches of a glob pattern."""
    if not names:
        raise InputError("no runs were given; name run files, a folder of them, or a glob pattern")
    return [path for name in names for path in _expand_one(str(name))]


_BESIDE_RUNS = ("aggregated.csv", "perquery.csv")  # PyTerrier's evaluation of them, in the same folder


def _expand_one(name: str) -> list[str]:
    _refuse_unnamed(name)
    if is_folder(name):
        paths = [str(path) for path in files_in(name) if path.name not in _BESIDE_RUNS]
        if not paths:
            raise InputError("the folder holds no files; name a folder of runs", path=name)
        return paths
    if is_there(name):
        return [name]
    if glob.has_magic(name):
        paths = sorted(filter(is_file, glob.glob(name, recursive=True)))  # noqa: PTH207  # any folder
        if not paths:
            raise InputError("the pattern matches no file; check it, and quote it if your shell expands it", path=name)
        return paths
    raise InputError("there is no such file or folder; check the path", path=name)


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
