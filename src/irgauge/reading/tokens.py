"""Bytes to columns: splits lines at white space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bools, Bytes, Floats, Ints
from irgauge.compute.jit import inlined, kernel
from irgauge.reading.byte_strings import LONG, READ, WORD, Place, bytes_of_field, decimal, word_at

NEWLINE = 10
_SPACE = 32  # every control character up to the space separates fields
_USUAL_NUMBER = 40  # bytes of numbers that are read together; longer ones are read singly
_INFINITY = re.compile(rb"[+-]?inf(inity)?", re.IGNORECASE)


# What kernels fill is made before: numba takes longer to compile what makes an array than most of them.
_ZERO, _ONE = Place(0), Place(1)


@inlined
def _field_start(text: Bytes, at: Place) -> Place:
    """Where the next field of the line starts, from `at` on; the line's end if there is none."""
    size = Place(len(text))
    while at < size and text[at] <= _SPACE and text[at] != NEWLINE:
        at += _ONE
    return at


@inlined
def _field_stop(text: Bytes, at: Place) -> Place:
    """Where the field that starts here stops."""
    size, step = Place(len(text)), WORD
    while step == WORD and at + WORD <= size:
        step = bytes_of_field(word_at(text, at))
        at += step
    while step == WORD and at < size and text[at] > _SPACE:
        at += _ONE
    return at


@kernel
def _count_lines(text: Bytes) -> int:
    lines = 1
    for byte in text:
        lines += byte == NEWLINE
    return lines


@kernel(from_python=False)
def equal(text: Bytes, start: int, stop: int, other: Bytes, other_start: int, other_stop: int) -> bool:
    """Whether two pieces of text are the same; up to 16 bytes, as most docnos have, in two steps."""
    if stop - start != other_stop - other_start:
        return False
    at, end, other_at = Place(start), Place(stop), Place(other_start)
    if at + WORD > end:
        while at < end and text[at] == other[other_at]:
            at += _ONE
            other_at += _ONE
        return bool(at == end)
    if word_at(text, end - WORD) != word_at(other, Place(other_stop) - WORD):
        return False
    while at + WORD < end and word_at(text, at) == word_at(other, other_at):
        at += WORD
        other_at += WORD
    return bool(at + WORD >= end)


def line_at(text: Bytes, offset: int) -> int:
    """The number, from 1, of the line that holds the byte at `offset`."""
    before = text[:offset]
    return 1 + sum(before[at : at + _PIECE].tobytes().count(b"\n") for at in range(0, offset, _PIECE))


class WidthError(ValueError):
    """A line with another number of fields than the rest."""

    def __init__(self, offset: int, width: int) -> None:
        super().__init__(offset, width)
        self.offset = offset
        self.width = width


def first_width(text: Bytes) -> int:
    """The number of fields in the first line that is not blank; 0 if there is none."""
    lines = (line for start, stop in pieces(text, _USUAL_LINE) for line in text[start:stop].tobytes().split(b"\n"))
    return next((width for line in lines if (width := len(split_line(line)))), 0)


def split_line(line: bytes) -> list[bytes]:
    """The fields of a line."""
    return line.translate(_TO_SPACES).split()


def fields_at(text: Bytes, offset: int) -> list[str]:
    """The fields of the line that holds the byte at `offset`."""
    size = _USUAL_LINE
    while True:
        first, last = max(0, offset - size), min(len(text), offset + size)
        before, after = text[first:offset].tobytes(), text[offset:last].tobytes()
        if (first == 0 or b"\n" in before) and (last == len(text) or b"\n" in after):
            line = before.rpartition(b"\n")[2] + after.partition(b"\n")[0]
            return [field.decode(errors="replace") for field in split_line(line)]
        size *= 2


def pieces(text: Bytes, size: int) -> Iterator[tuple[int, int]]:
    """Where pieces of some size, which end with a line, start and stop."""
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        while end < len(text) and text[end - 1] != NEWLINE:
            later = np.flatnonzero(text[end : end + size] == NEWLINE)
            end = end + int(later[0]) + 1 if len(later) else min(end + size, len(text))
        yield start, end
        start = end


def fields_of_lines(text: Bytes, offsets: Ints, column: int) -> tuple[Ints, Ints]:
    """Where a column starts and stops in the lines that hold the bytes at `offsets`."""
    starts, stops = offsets.copy(), np.empty_like(offsets)
    _to_line_starts(text, starts)
    _later_fields(text, starts, stops, column + 1)
    return starts, stops


@kernel
def _to_line_starts(text: Bytes, offsets: Ints) -> None:
    for i in range(len(offsets)):
        at = Place(offsets[i])
        while at > _ZERO and text[at - _ONE] != NEWLINE:
            at -= _ONE
        offsets[i] = at


@kernel
def _later_fields(text: Bytes, starts: Ints, stops: Ints, fields_on: int) -> None:
    """Where the fields so many further on start and stop, from `starts` on, which are written over."""
    for i in range(len(starts)):
        start, at = _ZERO, Place(starts[i])
        for _ in range(fields_on):
            start = _field_start(text, at)
            at = _field_stop(text, start)
        starts[i], stops[i] = start, at


class FieldColumns(NamedTuple):
    """Lines as columns: where a name is, numbers, and where the values of groups change."""

    starts: Ints  # row: the name's first byte
    stops: Ints  # row: past its last byte
    numbers: Floats  # column, row; NaN where a field is not a number
    changes: tuple[Ints, ...]  # group: the rows whose value differs from the row before


def columns(text: Bytes, width: int, name: int, numbers: tuple[int, ...], groups: tuple[int, ...]) -> FieldColumns:
    """Read lines of `width` fields, given the columns of the name, of numbers after it, and of groups.

    Blank lines are skipped. Decimals are read in passing as far as they can (see `decimals`), others by numpy; all are
    correctly rounded.
    """
    plan = np.full(width, _SKIPPED, np.int64)
    plan[name] = _NAME
    plan[list(groups)] = _GROUPS + np.arange(len(groups))
    plan[list(numbers)] = _NUMBERS + np.arange(len(numbers))
    table = _Rows.of(_count_lines(text), len(numbers), len(groups))
    rows, bad, field_count = _fill(table, text, plan)
    if bad >= 0:
        raise WidthError(int(bad), int(field_count))
    starts, stops, values, changed = table.starts[:rows], table.stops[:rows], table.values[:, :rows], table.changed
    for values_of, forms_of, column in zip(values, table.forms[:, :rows], numbers, strict=True):
        _read_others(text, stops, values_of, forms_of, column - name)
    return FieldColumns(starts, stops, values, tuple(np.flatnonzero(of_group[:rows]) for of_group in changed))


class _Rows(NamedTuple):
    """Room for the rows of a text."""

    starts: Ints  # row
    stops: Ints  # row
    values: Floats  # number, row
    forms: NDArray[np.int8]  # number, row: READ, LONG or MALFORMED
    changed: Bools  # group, row
    last: NDArray[np.uint64]  # group: where its last value starts, and its size

    @classmethod
    def of(cls, rows: int, numbers: int, groups: int) -> _Rows:
        return cls(
            np.empty(rows, np.int64),
            np.empty(rows, np.int64),
            np.empty((numbers, rows)),
            np.empty((numbers, rows), np.int8),
            np.zeros((groups, rows), np.bool_),
            np.zeros((groups, 2), np.uint64),
        )


_PIECE = 1 << 20  # bytes whose lines are counted at a time
_USUAL_LINE = 1 << 8  # bytes looked through at first for the ends of a line
_TO_SPACES = bytes(_SPACE if byte <= _SPACE else byte for byte in range(256))
_SKIPPED, _NAME, _NUMBERS, _GROUPS = 0, 1, 2, 100  # what becomes of a column; numbers and groups are counted on


@kernel
def _fill(table: _Rows, text: Bytes, plan: Ints) -> tuple[np.int64, np.int64, np.int64]:
    """How many rows there are; then the offset and the number of fields of the first line with a wrong one, or -1."""
    starts, stops, values, forms, changed, last = table
    size, width = Place(len(text)), Place(len(plan))
    row, at = _ZERO, _ZERO
    while at < size:
        line_start, column = at, _ZERO
        while True:
            start = _field_start(text, at)
            use = plan[column] if column < width else _SKIPPED
            at, group = start, Place(use - _GROUPS)
            if use >= _GROUPS:
                at = _end_of_same(text, start, last[group, _ZERO], last[group, _ONE])
            if at == start:  # not the same as in the row before
                at = _field_stop(text, start)
                if start == at:
                    break
                if use >= _GROUPS:
                    changed[group, row] = True
                    last[group, _ZERO], last[group, _ONE] = start, at - start
            column += _ONE
            if use == _NAME:
                starts[row], stops[row] = start, at
            elif _NUMBERS <= use < _GROUPS:
                number = Place(use - _NUMBERS)
                values[number, row], forms[number, row] = decimal(text, start, at)
        at += _ONE  # past the newline
        if column == width:
            row += _ONE
        elif column > _ZERO:
            return np.int64(row), np.int64(line_start), np.int64(column)
    return np.int64(row), np.int64(-1), np.int64(0)


@inlined
def _end_of_same(text: Bytes, start: Place, other_start: Place, size: Place) -> Place:
    """Where the field that starts here stops if it is the same as another; its start if it is not."""
    stop, at = start + size, start
    if stop > Place(len(text)) or (stop < Place(len(text)) and text[stop] > _SPACE):
        return start
    while at < stop and text[at] == text[other_start + at - start]:
        at += _ONE
    return stop if at == stop else start


def _read_others(text: Bytes, name_stops: Ints, values: Floats, forms: NDArray[np.int8], fields_on: int) -> None:
    """Fill in numbers that are too long to be read in passing, and infinities."""
    rows = np.flatnonzero(forms != READ)
    starts = name_stops[rows]
    stops = np.empty_like(starts)
    _later_fields(text, starts, stops, fields_on)
    together = (forms[rows] == LONG) & (stops - starts <= _USUAL_NUMBER)
    if together.any():
        with np.errstate(over="ignore"):  # what is too large for a double is infinite
            padded = np.zeros((int(together.sum()), _USUAL_NUMBER), np.uint8)
            _pad(text, starts[together], stops[together], padded)
            values[rows[together]] = padded.view(f"S{_USUAL_NUMBER}").ravel().astype(np.float64)
    for i in np.flatnonzero(~together):
        field = text[starts[i] : stops[i]].tobytes()
        if forms[rows[i]] == LONG or _INFINITY.fullmatch(field):
            values[rows[i]] = float(field)


@kernel
def _pad(text: Bytes, starts: Ints, stops: Ints, fields: Bytes) -> None:
    """Write short fields as rows of equal length."""
    for i in range(len(starts)):
        for place in range(stops[i] - starts[i]):
            fields[i, place] = text[starts[i] + place]
