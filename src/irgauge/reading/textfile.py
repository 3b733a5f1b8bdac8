"""TextFile: a file's text in lines of fields, and errors that say where in it something is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from irgauge.compute.arrays import Bytes, Floats, Ints
from irgauge.errors import InputError
from irgauge.reading import tokens
from irgauge.reading.comments import Comments, take_comments
from irgauge.reading.docnos import Names
from irgauge.reading.hashing import hashes
from irgauge.reading.name_order import ranks

DOCNO = 2  # the column of the docno in TREC's files
LARGEST_GRADE = 2**31
_PIECE = 1 << 22  # bytes that are decoded at a time


@dataclass(frozen=True)
class TextFile:
    """A file's text without comments, and what they say."""

    path: str
    text: Bytes
    width: int  # fields in the first line
    comments: Comments

    @classmethod
    def of(cls, path: str, text: Bytes, *, has_comments: bool = True) -> TextFile:
        """The lines of a text, which is written to: its comments, if it may have some, become blank."""
        comments = take_comments(text) if has_comments else Comments()
        width = tokens.first_width(text)
        if width == 0:
            raise InputError("the file is empty; was it written to the end?", path=path)
        file = cls(path, text, width, comments)
        file._refuse_other_encodings()
        return file

    def _refuse_other_encodings(self) -> None:
        if self.text.max() > 127:
            for start, stop in tokens.pieces(self.text, _PIECE):
                try:
                    self.text[start:stop].tobytes().decode()
                except UnicodeDecodeError as error:
                    message = "this is not UTF-8 text; convert the file to UTF-8"
                    raise self.error(start + error.start, message) from None

    def error(self, offset: int, message: str) -> InputError:
        """An error that names the line of a byte."""
        return InputError(message, path=self.path, line=int(tokens.line_at(self.text, offset)))

    def wrong_width(self, offset: int, width: int, expected: str) -> InputError:
        """A line with a wrong number of columns; `offset` is where it starts, or blank lines before it."""
        blank = int(np.argmax(self.text[offset:] > ord(" ")))
        return self.error(offset + blank, f"{width} column{'s' * (width != 1)} where {expected}")

    def first_line(self) -> list[str]:
        """The fields of the first line."""
        return tokens.fields_at(self.text, int(np.argmax(self.text > ord(" "))))

    def columns(self, *, name: int = DOCNO, numbers: tuple[int, ...], groups: tuple[int, ...]) -> tokens.Columns:
        """Docnos, numbers and the changes of groups."""
        try:
            return tokens.columns(self.text, self.width, name, numbers, groups)
        except tokens.WidthError as error:
            expected = f"the lines above have {self.width}; fix this line"
            raise self.wrong_width(error.offset, error.width, expected) from None

    def numbered(self, column: int) -> Ints:
        """A number for what a column says in each row: the place of its text among all, in the order of names."""
        spans = self.columns(name=column, numbers=(), groups=())
        fields = self.text, spans.starts, spans.stops
        names = Names()
        numbers = names.intern(*fields, hashes(*fields))
        return ranks(names.to_list())[numbers]

    def refuse_nan(self, columns: tokens.Columns, values: Floats, column: int, name: str) -> None:
        """Refuse a field that is not a number."""
        bad = np.flatnonzero(np.isnan(values))
        if len(bad):
            field = tokens.fields_at(self.text, columns.starts[bad[0]])[column]
            more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
            raise self.error(columns.starts[bad[0]], f"the {name} '{field}' is not a number{more}; fix the file")

    def refuse_fractions(self, columns: tokens.Columns, values: Floats, column: int, name: str) -> None:
        """Refuse a number that is not whole."""
        bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > LARGEST_GRADE))
        if len(bad):
            field = tokens.fields_at(self.text, columns.starts[bad[0]])[column]
            message = f"the {name} '{field}' is not a whole number up to {LARGEST_GRADE}; fix the file"
            raise self.error(columns.starts[bad[0]], message)

    def rows(self, columns: tokens.Columns, topic: int = 0) -> tuple[dict[str, Any], slice | Ints]:
        """The fields of `Rows`, and the order that brings the rows of a topic together."""
        topics, bounds, order = self._by_topic(columns, topic)
        return {
            "path": self.path,
            "topics": topics,
            "bounds": bounds,
            "text": self.text,
            "starts": columns.starts[order],
            "stops": columns.stops[order],
            "notes": self.comments.notes,
        }, order

    def _by_topic(self, columns: tokens.Columns, topic: int) -> tuple[tuple[str, ...], Ints, slice | Ints]:
        """Topics in order of appearance, their bounds, and the order that brings their rows together."""
        firsts, rows = columns.changes[0], len(columns.starts)
        names, fields = Names(), (self.text, *tokens.fields_of_lines(self.text, columns.starts[firsts], topic))
        numbers = names.intern(*fields, hashes(*fields)).astype(np.int64)
        topics = tuple(names.to_list())
        if len(topics) == len(firsts):
            return topics, np.append(firsts, rows), slice(None)
        of_row = np.repeat(numbers, np.diff(firsts, append=rows))
        bounds = np.concatenate([[0], np.cumsum(np.bincount(of_row))])
        return topics, bounds, np.argsort(of_row, kind="stable")
