"""Zip archives that tools write: members in memory, never on disk, with at most as many bytes as a file may have.

Members may be compressed by zstd, which Python's own reader of archives learned late.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from irgauge.errors import InputError
from irgauge.files.compression import DAMAGED, decompressed
from irgauge.files.limits import refuse_larger
from irgauge.reading.json_text import loaded

START = b"PK\x03\x04"
_ZSTD = 93
_ENCRYPTED = 1
_HEADER = struct.Struct("<26xHH")  # before a member: the lengths of its name and of its extra field


def member_names(data: bytes) -> list[str]:
    """The names of the members; none where the archive is damaged, or is none."""
    if not data.startswith(START):
        return []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, *DAMAGED, NotImplementedError):
        return []


def json_members(data: bytes, path: str, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, Any]]:
    """What those members hold that are wanted, in the order of the archive, each parsed when it is asked for."""
    size = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if is_wanted(member.filename)]
        again = next((name for name, n in Counter(member.filename for member in members).items() if n > 1), None)
        if again is not None:
            raise InputError(f"the archive has two members called '{again}'; write it again", path=path)
        for member in members:
            refuse_larger(size + member.file_size, path)
            text = _member(archive, data, member, path)
            size += len(text)
            yield member.filename, _parsed(text, member.filename, path)


def _parsed(text: bytes, name: str, path: str) -> Any:  # noqa: ANN401  # whatever JSON holds
    try:
        return loaded(text.decode())
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InputError(f"{name} in the archive is not JSON ({reason}); write it again", path=path) from None


def _member(archive: zipfile.ZipFile, data: bytes, member: zipfile.ZipInfo, path: str) -> bytes:
    """What a member holds, which is as long as the archive says."""
    if member.flag_bits & _ENCRYPTED:
        raise InputError("the archive is encrypted; write it without a password", path=path)
    try:
        pieces = _zstd(data, member) if member.compress_type == _ZSTD else _plain(archive, member)
        content = bytearray()
        for piece in pieces:
            content += piece
            if len(content) > member.file_size:
                raise ValueError("it is longer than the archive says")
        if zlib.crc32(content) != member.CRC:
            raise ValueError("its checksum is wrong")
    except (zipfile.BadZipFile, *DAMAGED, NotImplementedError, struct.error) as error:
        reason = f"{member.filename} cannot be read: {error}"
        raise InputError(
            f"the archive is cut off or damaged ({reason}); copy or download it again", path=path
        ) from None
    return bytes(content)


def _plain(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(member) as file:
        yield from iter(lambda: file.read(1 << 20), b"")


def _zstd(data: bytes, member: zipfile.ZipInfo) -> Iterator[bytes]:
    at = member.header_offset + _HEADER.size + sum(_HEADER.unpack_from(data, member.header_offset))
    yield from decompressed([data[at : at + member.compress_size]])
