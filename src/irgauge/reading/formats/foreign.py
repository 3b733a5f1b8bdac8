"""What files are that are neither runs nor judgments nor scores, by their first bytes, and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

from irgauge.errors import InputError
from irgauge.reading.formats.record import Head

_STARTS: Mapping[bytes, str] = {
    b"PK\x03\x04": "a zip archive (unpack it, and name the files in it) or an Excel file (save it as CSV)",
    b"%PDF": "a PDF; name the text file that it was made of",
    b"\x89PNG": "an image (PNG); name the file that holds the data",
    b"\xff\xd8\xff": "an image (JPEG); name the file that holds the data",
    b"GIF8": "an image (GIF); name the file that holds the data",
    b"SQLite format 3": "an SQLite database; write its rows to a CSV file",
    b"\x80": "a pickle; load it in Python, and give the object to irgauge.load or irgauge.scores",
    b"\x93NUMPY": "an array of NumPy; load it in Python, for irgauge.scores; irgauge.load takes dicts and frames",
    b"ARROW1": "an Arrow file; write it as Parquet",
    b"\xff\xfe": "text in UTF-16; convert the file to UTF-8",
    b"\xfe\xff": "text in UTF-16; convert the file to UTF-8",
    b"version https://git-lfs": "a pointer of Git LFS, not the file itself; run `git lfs pull`",
}
_MARKUP: Mapping[str, str] = {
    r"<!doctype html|<html|<head": "a web page; download the file itself (the 'raw' link)",
    r"<top>|<\?xml|<topics|<doc": "topics or documents in XML, not runs, judgments or scores",
}
_TAR_MARK = slice(257, 262)  # of the first file in an archive


def refuse(head: Head, path: str) -> None:
    """Refuse a file that is something else."""
    if (kind := _looks(head)) is not None:
        raise InputError(f"this is {kind}", path=path)


def _looks(head: Head) -> str | None:
    if head.data[_TAR_MARK] == b"ustar":
        return "a tar archive; unpack it, and name the files in it"
    starts = [kind for start, kind in _STARTS.items() if head.data.startswith(start)]
    marks = [kind for mark, kind in _MARKUP.items() if re.match(mark, head.line.strip(), re.IGNORECASE)]
    return next(iter(starts + marks), None)
