"""Format: how a file of runs or judgments looks, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from irgauge.compute.arrays import Bytes
from irgauge.reading.comments import leading
from irgauge.reading.tables.columns import plain
from irgauge.reading.trec import Qrels, Run
from irgauge.reading.triples import DOCNO, TOPIC, found

SIZE = 1 << 12  # bytes from which the format is told
_TO_SPACES = dict.fromkeys(range(ord(" ")), " ")  # what separates fields, as in `tokens`


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
