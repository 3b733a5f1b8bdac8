"""Files as bytes: the files that a name means, reading whatever the compression, writing all or nothing."""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from irgauge.arrays import Bytes
from irgauge.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DECOMPRESS: dict[bytes, Callable[[bytes], Any]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
    b"\x28\xb5\x2f\xfd": zstd.decompress,
}
_BROKEN = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, zstd.ZstdError)


def read_bytes(path: str | os.PathLike[str]) -> Bytes:
    """The content of a file, decompressed if it starts like a gzip, bzip2, xz or zstd file."""
    data = _raw(str(path))
    head = data[:8].tobytes()
    for magic, decompress in _DECOMPRESS.items():
        if head.startswith(magic):
            data = _decompressed(data.tobytes(), decompress, str(path))
            break
    return data[3:] if data[:3].tobytes() == _BYTE_ORDER_MARK else data


def _raw(path: str) -> Bytes:
    try:
        with Path(path).open("rb") as file:
            return np.fromfile(file, np.uint8)
    except FileNotFoundError:
        raise InputError("there is no such file; check the path", path=path) from None
    except IsADirectoryError:
        raise InputError("this is a folder where one file is needed; name a file in it", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); check its permissions", path=path) from None


def _decompressed(data: bytes, decompress: Callable[[bytes], Any], path: str) -> Bytes:
    try:
        return np.frombuffer(decompress(data), np.uint8).copy()  # the copy can be written to, as plain files can
    except _BROKEN as error:
        message = f"the compressed file is cut off or damaged ({error}); copy or download it again"
        raise InputError(message, path=path) from None


def expand(names: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that names mean: a file, all files of a folder, or the matches of a glob pattern."""
    if not names:
        raise InputError("no runs were given; name run files, a folder of them, or a glob pattern")
    return [path for name in names for path in _expand_one(str(name))]


def _expand_one(name: str) -> list[str]:
    if Path(name).is_dir():
        found = sorted(str(p) for p in Path(name).iterdir() if p.is_file() and not p.name.startswith("."))
        if not found:
            raise InputError("the folder holds no files; name a folder of runs", path=name)
        return found
    if Path(name).exists():
        return [name]
    if glob.has_magic(name):
        found = sorted(p for p in glob.glob(name, recursive=True) if Path(p).is_file())  # noqa: PTH207  # any folder
        if not found:
            raise InputError("the pattern matches no file; check it, and quote it if your shell expands it", path=name)
        return found
    raise InputError("there is no such file or folder; check the path", path=name)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path that takes the place of `path` on success and vanishes on any failure."""
    target = Path(path)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=target.suffix, dir=target.parent)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror}); choose another place", path=str(path)) from None
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        _replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _replace(temporary: Path, target: Path) -> None:
    try:
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror}); choose another place", path=str(target)) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
