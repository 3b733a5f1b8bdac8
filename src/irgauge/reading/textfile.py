"""TextFile: a file's text in lines of fields, and errors that say where in it something is wrong.

Lines that start with '#' are comments, among them the YAML of an ir_metadata header (https://www.ir-metadata.org).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import numpy as np

from irgauge.compute.arrays import Bytes, Floats, Ints
from irgauge.errors import InputError
from irgauge.reading import tokens
from irgauge.reading.byte_strings import hashes
from irgauge.reading.name_order import ranks
from irgauge.reading.numbering import Names

Header = Mapping[str, Any]  # the fields of an ir_metadata header, as they are written: all values are text

_HASH, _NEWLINE, _SPACE = b"#"[0], b"\n"[0], b" "[0]
_START, _END = "ir_metadata.start", "ir_metadata.end"
_DEEPEST = 50
_LEADING = re.compile(rb"(?:(?:[\0-\t\v- ]*|#[^\n]*)\n)*")  # as in `tokens`, control characters are blank
DOCNO = 2  # the column of the docno in TREC's files
LARGEST_GRADE = 2**31
_PIECE = 1 << 22  # bytes that are searched or decoded at a time


@dataclass(frozen=True)
class Comments:
    """What the comments of a file say."""

    header: Header = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def leading(text: Bytes) -> int:
    """Where the comments and blank lines before the first other line end."""
    data = text[: 1 << 16].tobytes()
    end = _match_end(data)
    return end if b"\n" in data[end:] else _match_end(text.tobytes())  # a line that is cut off may be a comment


def _match_end(data: bytes) -> int:
    match = _LEADING.match(data)
    return match.end() if match else 0


def take_comments(text: Bytes) -> Comments:
    """What the comments of a text say; they are overwritten with spaces, so that lines keep their numbers."""
    if not any(b"#" in text[at : at + _PIECE].tobytes() for at in range(0, len(text), _PIECE)):  # as in most files
        return Comments()
    starts, stops = _comments(text)
    if len(starts) == 0:
        return Comments()
    end = leading(text)
    first = [text[start:stop].tobytes().decode(errors="replace") for start, stop in _before(starts, stops, end)]
    for start, stop in zip(starts, stops, strict=True):
        text[start:stop] = _SPACE
    header, notes = read_header(first)
    if later := len(starts) - len(first):
        lines = "1 line that starts" if later == 1 else f"{later:,} lines that start"
        notes = (*notes, f"{lines} with '#' among the others left out")
    return Comments(header, notes)


def _comments(text: Bytes) -> tuple[Ints, Ints]:
    """Where the lines that start with '#' start and stop."""
    places = np.flatnonzero(text == _HASH)
    starts = places[(places == 0) | (text[places - 1] == _NEWLINE)]
    breaks = np.append(np.flatnonzero(text == _NEWLINE), len(text)) if len(starts) else starts
    return starts, breaks[np.searchsorted(breaks, starts)]


def _before(starts: Ints, stops: Ints, end: int) -> list[tuple[int, int]]:
    return [(start, stop) for start, stop in zip(starts.tolist(), stops.tolist(), strict=True) if start < end]


def read_header(comments: Sequence[str]) -> tuple[Header, tuple[str, ...]]:
    """The fields of an ir_metadata header among comments, and what is wrong with it; a run does without.

    >>> read_header(["# ir_metadata.start", "# tag: bm25", "# ir_metadata.end"])
    ({'tag': 'bm25'}, ())
    """
    lines = [line.removeprefix("#").rstrip("\r") for line in comments]
    marks = [line.strip() for line in lines]
    if _START not in marks:
        return {}, ()
    if _END not in marks:
        return {}, (f"its ir_metadata header has no '# {_END}'; the header is left out",)
    header = _parsed(dedent("\n".join(lines[marks.index(_START) + 1 : marks.index(_END)])))
    if isinstance(header, str):
        return {}, (f"its ir_metadata header is left out, as {header}",)
    return header, ()


def _parsed(text: str) -> Header | str:
    """The fields that YAML names, or why they cannot be read."""
    import yaml

    try:
        if (endless := _endless(text)) is not None:
            return endless
        fields = yaml.load(text, yaml.BaseLoader)  # noqa: S506  # this loader makes text, lists and dicts alone
        json.dumps(fields, ensure_ascii=False).encode()  # fails where an escape is no character, such as \ud800
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        where = getattr(error, "problem_mark", None)
        return "it is no valid YAML" + (f" (in its line {where.line + 1})" if where else "")
    return fields if isinstance(fields, dict) else "it has no fields"


def _endless(text: str) -> str | None:
    """Why YAML could take forever to read: aliases, which may multiply, and a depth whose square is the time."""
    import yaml

    depth = 0
    for token in yaml.scan(text):
        if isinstance(token, yaml.AliasToken):
            return "it has YAML aliases"
        name = type(token).__name__  # such as BlockMappingStartToken
        depth += name.endswith(("SequenceStartToken", "MappingStartToken"))
        depth -= name.endswith(("SequenceEndToken", "MappingEndToken", "BlockEndToken"))
        if depth > _DEEPEST:
            return f"it is more than {_DEEPEST} levels deep"
    return None


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
        return InputError(message, path=self.path, line=tokens.line_at(self.text, offset))

    def wrong_width(self, offset: int, width: int, expected: str) -> InputError:
        """A line with a wrong number of columns; `offset` is where it starts, or blank lines before it."""
        blank = int(np.argmax(self.text[offset:] > ord(" ")))
        return self.error(offset + blank, f"{width} column{'s' * (width != 1)} where {expected}")

    def first_line(self) -> list[str]:
        """The fields of the first line."""
        return tokens.fields_at(self.text, int(np.argmax(self.text > ord(" "))))

    def columns(self, *, name: int = DOCNO, numbers: tuple[int, ...], groups: tuple[int, ...]) -> tokens.FieldColumns:
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

    def refuse_nan(self, columns: tokens.FieldColumns, values: Floats, column: int, name: str) -> None:
        """Refuse a field that is not a number."""
        bad = np.flatnonzero(np.isnan(values))
        if len(bad):
            field = tokens.fields_at(self.text, columns.starts[bad[0]])[column]
            more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
            raise self.error(columns.starts[bad[0]], f"the {name} '{field}' is not a number{more}; fix the file")

    def refuse_fractions(self, columns: tokens.FieldColumns, values: Floats, column: int, name: str) -> None:
        """Refuse a number that is not whole."""
        bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > LARGEST_GRADE))
        if len(bad):
            field = tokens.fields_at(self.text, columns.starts[bad[0]])[column]
            message = f"the {name} '{field}' is not a whole number up to {LARGEST_GRADE}; fix the file"
            raise self.error(columns.starts[bad[0]], message)

    def rows(self, columns: tokens.FieldColumns, topic: int = 0) -> tuple[dict[str, Any], slice | Ints]:
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

    def _by_topic(self, columns: tokens.FieldColumns, topic: int) -> tuple[tuple[str, ...], Ints, slice | Ints]:
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
