"""Format: how a file of runs or judgments looks, and what reads it.

And what files are that are neither runs nor judgments nor scores, by their first bytes, and what to do instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from irgauge.compute.arrays import Bytes
from irgauge.errors import InputError
from irgauge.reading.tables.sheet import plain
from irgauge.reading.textfile import leading
from irgauge.reading.trec import Qrels, Run
from irgauge.reading.triples import DOCNO, TOPIC, found

SIZE = 1 << 12  # bytes from which the format is told
_TO_SPACES = dict.fromkeys(range(ord(" ")), " ")  # what separates fields, as in `tokens`
_STARTS: Mapping[bytes, str] = {
    b"PK\x03\x04": "a zip archive (unpack it, and name the files in it) or an Excel file (save it as CSV)",
    b"%PDF": "a PDF; name the text file that it was made of",
    b"\x89PNG": "an image (PNG); name the file that holds the data",
    b"\xff\xd8\xff": "an image (JPEG); name the file that holds the data",
    b"GIF8": "an image (GIF); name the file that holds the data",
    b"SQLite format 3": "an SQLite database; write its rows to a CSV file",
    b"\x80": "a pickle; load it in Python, and give the object to irgauge.load or irgauge.load_scores",
    b"\x93NUMPY": "an array of NumPy; load it in Python, for irgauge.load_scores; irgauge.load takes dicts and frames",
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


@dataclass(frozen=True)
class Head:
    """How a file begins."""

    data: bytes  # its first bytes
    line: str  # its first line that is neither blank nor a comment

    @classmethod
    def of(cls, text: Bytes) -> Head:
        """The beginning of a text."""
        start, size = leading(text), SIZE
        while b"\n" not in (line := text[start : start + size].tobytes()) and start + size < len(text):
            size *= 2
        return cls(text[:SIZE].tobytes(), line.partition(b"\n")[0].decode(errors="replace"))

    @cached_property
    def fields(self) -> list[str]:
        """The fields of the first line, between white space."""
        return [field for field in self.line.translate(_TO_SPACES).split(" ") if field]

    @cached_property
    def names(self) -> list[str]:
        """What the first line says, if it names columns."""
        separator = max(",\t;", key=self.line.count)
        parts = self.line.split(separator) if separator in self.line else self.fields
        return [plain(part.strip().strip('"')) for part in parts]

    @property
    def has_columns(self) -> bool:
        """Whether the first line names columns of topics and documents."""
        return found(self.names, TOPIC) is not None and found(self.names, DOCNO) is not None


def no(_: Head) -> bool:
    """What a format says that never holds several runs in one file."""
    return False


@dataclass(frozen=True)
class Format:
    """A format of files: how it looks, and what reads its runs and its judgments."""

    name: str
    looks: Callable[[Head], bool]
    runs: Callable[[str, Bytes], Sequence[Run]]  # path, text
    qrels: Callable[[str, Bytes], Qrels]
    may_hold_several: Callable[[Head], bool] = no  # runs in one file


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
