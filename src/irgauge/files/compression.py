"""Compression: which one a file has, by its first bytes, and what it holds, piece by piece."""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

from irgauge.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
DAMAGED = (EOFError, OSError, RuntimeError, ValueError, zlib.error, lzma.LZMAError, zstd.ZstdError)
_PIECE = 1 << 24  # bytes decompressed at a time, so that a small file cannot fill the memory at once
_MEMORY = 1 << 30  # that xz may take for its dictionary
_LZ4 = b"\x04\x22\x4d\x18"


class Decompressor(Protocol):
    """What decompresses one member of a file, as bz2.BZ2Decompressor does."""

    @property
    def eof(self) -> bool:
        """Whether the end of the member was reached."""

    @property
    def needs_input(self) -> bool:
        """Whether all that was given is decompressed."""

    @property
    def unused_data(self) -> bytes:
        """What was given beyond the end of the member."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """At most so many bytes; what is left is kept for the next call."""


class _Gzip:
    """The same for gzip, whose own keeps nothing."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def _xz() -> Decompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)


def _lz4() -> Any:  # noqa: ANN401  # a package without types
    try:
        import lz4.frame
    except ImportError:
        raise InputError("the file is compressed by LZ4; to read it, install lz4 (pip install lz4)") from None
    return lz4.frame.LZ4FrameDecompressor()


_STARTS: dict[bytes, Callable[[], Decompressor]] = {  # the first bytes -> what decompresses a member
    b"\x1f\x8b": _Gzip,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": _xz,
    b"\x28\xb5\x2f\xfd": zstd.ZstdDecompressor,
    _LZ4: _lz4,
}


def is_compressed(first: bytes) -> bool:
    """Whether a file that starts with these bytes is compressed."""
    return _start(first) is not None


def _start(first: bytes) -> Callable[[], Decompressor] | None:
    return next((start for magic, start in _STARTS.items() if first.startswith(magic)), None)


def decompressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """What chunks of a file hold, in pieces of some MB: the chunks themselves where the file is not compressed.

    A file of ranx is compressed twice, by LZ4.
    """
    given = iter(chunks)
    first = next(given, b"")
    start = _start(first)
    if start is None:
        yield first
        yield from given
    else:
        pieces = filter(None, _pieces(first, given, start))
        yield from _once_more(pieces) if start is _lz4 else pieces


def _once_more(pieces: Iterator[bytes]) -> Iterator[bytes]:
    first = next(pieces, b"")
    if first.startswith(_LZ4):
        yield from _pieces(first, pieces, _lz4)
    else:
        yield first
        yield from pieces


def _pieces(first: bytes, others: Iterator[bytes], start: Callable[[], Decompressor]) -> Iterator[bytes]:
    """What the members of a compressed file hold, one after the other; zeros between them are padding."""
    one = start()
    for chunk in chain([first], others):
        left = chunk.lstrip(b"\0") if one.eof else chunk
        while left:
            one = start() if one.eof else one
            yield from _all_of(one, left)
            left = (one.unused_data or b"").lstrip(b"\0") if one.eof else b""
    if not one.eof:
        raise EOFError("it ends before its end mark")


def _all_of(decompressor: Decompressor, data: bytes) -> Iterator[bytes]:
    """What a member holds of some data."""
    yield decompressor.decompress(data, _PIECE)
    while not decompressor.eof and (piece := decompressor.decompress(b"", _PIECE)):
        yield piece
