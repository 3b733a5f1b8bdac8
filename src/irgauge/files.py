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

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BROKEN = (EOFError, OSError, RuntimeError, ValueError, zlib.error, lzma.LZMAError, zstd.ZstdError)


class _Lz4:
    """LZ4, through a package that few need."""

    @staticmethod
    def decompress(data: bytes) -> bytes:
        """All of it; what ranx writes is compressed twice."""
        once = _lz4().decompress(data)
        return once if once[:4] != _LZ4 else _lz4().decompress(once)

    @staticmethod
    def open(file: Any) -> Any:  # noqa: ANN401  # a package without types
        """What reads the beginning of it."""
        return _lz4().open(file)


def _lz4() -> Any:  # noqa: ANN401  # a package without types
    try:
        import lz4.frame
    except ImportError:
        raise InputError("the file is compressed by LZ4; to read it, install lz4 (pip install lz4)") from None
    return lz4.frame


_LZ4 = b"\x04\x22\x4d\x18"
_COMPRESSION: dict[bytes, Any] = {  # the first bytes -> what decompresses the rest
    b"\x1f\x8b": gzip,
    b"BZh": bz2,
    b"\xfd7zXZ\x00": lzma,
    b"\x28\xb5\x2f\xfd": zstd,
    _LZ4: _Lz4,
}


def read_bytes(path: str | os.PathLike[str]) -> Bytes:
    """The content of a file, decompressed if it starts like a gzip, bzip2, xz, zstd or LZ4 file."""
    data = _raw(str(path))
    compression = _compression(data[:8].tobytes())
    if compression is not None:
        data = _decompressed(data.tobytes(), compression.decompress, str(path))
    return data[3:] if data[:3].tobytes() == _BYTE_ORDER_MARK else data


def first_bytes(path: str | os.PathLike[str], size: int) -> bytes:
    """How the content of a file begins, decompressed; empty where it cannot be read, which its reader will say."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(size)
            file.seek(0)
            compression = _compression(head)
            return head if compression is None else bytes(compression.open(file).read(size))
    except _BROKEN:  # an InputError is a ValueError
        return b""


def _compression(head: bytes) -> Any | None:  # noqa: ANN401  # a module
    return next((one for magic, one in _COMPRESSION.items() if head.startswith(magic)), None)


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
    except InputError as error:
        raise InputError(error.message, path=path) from None
    except _BROKEN as error:
        message = f"the compressed file is cut off or damaged ({error}); copy or download it again"
        raise InputError(message, path=path) from None


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether there is such a file or folder; of a text that is too long to be a name there is none."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def expand(names: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files that names mean: a file, all files of a folder, or the matches of a glob pattern."""
    if not names:
        raise InputError("no runs were given; name run files, a folder of them, or a glob pattern")
    return [path for name in names for path in _expand_one(str(name))]


def _is_beside_runs(name: str) -> bool:
    """Whether a file of a folder of runs is none: hidden, or PyTerrier's evaluation of them."""
    return name.startswith(".") or name in ("aggregated.csv", "perquery.csv")


def _expand_one(name: str) -> list[str]:
    if is_there(name) and Path(name).is_dir():
        found = sorted(str(p) for p in Path(name).iterdir() if p.is_file() and not _is_beside_runs(p.name))
        if not found:
            raise InputError("the folder holds no files; name a folder of runs", path=name)
        return found
    if is_there(name):
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
