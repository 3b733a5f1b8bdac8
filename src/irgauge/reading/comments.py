"""Comments: lines that start with '#', among them the YAML of an ir_metadata header (https://www.ir-metadata.org)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

import numpy as np

from irgauge.compute.arrays import Bytes, Ints

Header = Mapping[str, Any]  # the fields of an ir_metadata header, as they are written: all values are text

_HASH, _NEWLINE, _SPACE = b"#"[0], b"\n"[0], b" "[0]
_START, _END = "ir_metadata.start", "ir_metadata.end"
_DEEPEST = 50
_PIECE = 1 << 22  # bytes that are searched at a time
_LEADING = re.compile(rb"(?:(?:[\0-\t\v- ]*|#[^\n]*)\n)*")  # as in `tokens`, control characters are blank


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
