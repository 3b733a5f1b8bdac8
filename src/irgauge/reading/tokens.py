"""Bytes to columns: splits lines at white space and reads numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgauge.arrays import Bools, Bytes, Floats, Ints
from irgauge.jit import kernel

NEWLINE = 10
_SPACE = 32  # every control character up to the space separates fields
_EXACT_MANTISSA = 2**53  # integers up to here, and powers of ten up to 22, are exact doubles
_MOST_DIGITS = 19  # what 64 bits hold
_POWERS_OF_TEN = 10.0 ** np.arange(23)
_EXACT, _LONG, _MALFORMED = 0, 1, 2
_USUAL_NUMBER = 40  # bytes of numbers that are read together; longer ones are read singly
_INFINITY = re.compile(rb"[+-]?inf(inity)?", re.IGNORECASE)


# Places in the text are unsigned in kernels: numba then needs no test for negative ones, which count from the end.
Place = np.uint64
_ZERO, _ONE = Place(0), Place(1)


@kernel
def _field_start(text: Bytes, at: Place) -> Place:
    """Where the next field of the line starts, from `at` on; the line's end if there is none."""
    size = Place(len(text))
    while at < size and text[at] <= _SPACE and text[at] != NEWLINE:
        at += _ONE
    return at


@kernel
def _field_stop(text: Bytes, at: Place) -> Place:
    """Where the field that starts here stops."""
    size = Place(len(text))
    while at < size and text[at] > _SPACE:
        at += _ONE
    return at


@kernel
def _count_lines(text: Bytes) -> int:
    lines = 1
    for byte in text:
        lines += byte == NEWLINE
    return lines


@kernel
def equal(text: Bytes, start: int, stop: int, other: Bytes, other_start: int, other_stop: int) -> bool:
    """Whether two pieces of text are the same."""
    if stop - start != other_stop - other_start:
        return False
    return _starts_like(text, Place(start), other, Place(other_start), Place(stop - start))


@kernel
def _starts_like(text: Bytes, start: Place, other: Bytes, other_start: Place, size: Place) -> bool:
    at = _ZERO
    while at < size:
        if text[start + at] != other[other_start + at]:
            return False
        at += _ONE
    return True


@kernel
def _exponent(text: Bytes, at: Place, stop: Place) -> tuple[Place, int]:
    """Read `e-05`: where it ends, and the power of ten; `at` itself if it is malformed."""
    end = at + _ONE
    negative = end < stop and text[end] == 45
    if negative or (end < stop and text[end] == 43):
        end += _ONE
    power, first = 0, end
    while end < stop and 48 <= text[end] <= 57:
        if power < 1 << 20:  # beyond, any double is 0 or infinite
            power = power * 10 + int(text[end]) - 48
        end += _ONE
    return (at, 0) if end == first else (end, -power if negative else power)


@kernel
def _decimal(text: Bytes, start: Place, stop: Place) -> tuple[float, int]:
    """A decimal number, and whether it is EXACT, too long to be read exactly here, or MALFORMED."""
    at = start + _ONE if text[start] == 45 or text[start] == 43 else start
    mantissa, digits, decimals, point = np.uint64(0), 0, 0, 0
    while at < stop:
        if 48 <= text[at] <= 57:
            mantissa = mantissa * np.uint64(10) + np.uint64(text[at] - 48)
            digits += 1
            decimals += point
        elif text[at] == 46 and not point:
            point = 1
        else:
            break
        at += _ONE
    power = -decimals
    if at < stop and (text[at] | 32) == 101:
        at, exponent = _exponent(text, at, stop)
        power += exponent
    if at != stop or digits == 0:
        return np.nan, _MALFORMED
    if digits > _MOST_DIGITS or mantissa > np.uint64(_EXACT_MANTISSA) or abs(power) > 22:
        return np.nan, _LONG
    value = float(mantissa)
    value = value / _POWERS_OF_TEN[-power] if power < 0 else value * _POWERS_OF_TEN[power]
    return (-value if text[start] == 45 else value), _EXACT


@kernel
def line_at(text: Bytes, offset: int) -> int:
    """The number, from 1, of the line that holds the byte at `offset`."""
    return _count_lines(text[:offset])


class WidthError(ValueError):
    """A line with another number of fields than the rest."""

    def __init__(self, offset: int, width: int) -> None:
        super().__init__(offset, width)
        self.offset = offset
        self.width = width


@kernel
def first_width(text: Bytes) -> int:
    """The number of fields in the first line that is not blank; 0 if there is none."""
    at, width = _ZERO, 0
    while at < Place(len(text)) and width == 0:
        start = _field_start(text, at)
        at = _field_stop(text, start)
        while start < at:
            width += 1
            start = _field_start(text, at)
            at = _field_stop(text, start)
        at += _ONE  # past the newline
    return width


def fields_at(text: Bytes, offset: int) -> list[str]:
    """The fields of the line that holds the byte at `offset`."""
    size = _USUAL_LINE
    while True:
        first, last = max(0, offset - size), min(len(text), offset + size)
        before, after = text[first:offset].tobytes(), text[offset:last].tobytes()
        if (first == 0 or b"\n" in before) and (last == len(text) or b"\n" in after):
            line = before.rpartition(b"\n")[2] + after.partition(b"\n")[0]
            return [field.decode(errors="replace") for field in line.translate(_TO_SPACES).split()]
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


@kernel
def fields_of_lines(text: Bytes, offsets: Ints, column: int) -> tuple[Ints, Ints]:
    """Where a column starts and stops in the lines that hold the bytes at `offsets`."""
    starts, stops = np.empty_like(offsets), np.empty_like(offsets)
    for i in range(len(offsets)):
        at = Place(offsets[i])
        while at > _ZERO and text[at - _ONE] != NEWLINE:
            at -= _ONE
        start = at
        for _ in range(column + 1):
            start = _field_start(text, at)
            at = _field_stop(text, start)
        starts[i], stops[i] = start, at
    return starts, stops


class Columns(NamedTuple):
    """Lines as columns: where a name is, numbers, and where the values of groups change."""

    starts: Ints  # row: the name's first byte
    stops: Ints  # row: past its last byte
    numbers: Floats  # column, row; NaN where a field is not a number
    changes: tuple[Ints, ...]  # group: the rows whose value differs from the row before


def columns(text: Bytes, width: int, name: int, numbers: tuple[int, ...], groups: tuple[int, ...]) -> Columns:
    """Read lines of `width` fields, given the columns of the name, of numbers after it, and of groups.

    Blank lines are skipped. Short decimals are read by one exact operation on exact doubles (Clinger's
    fast path), longer ones by numpy; all are correctly rounded.
    """
    plan = np.full(width, _SKIPPED, np.int64)
    plan[name] = _NAME
    plan[list(groups)] = _GROUPS + np.arange(len(groups))
    plan[list(numbers)] = _NUMBERS + np.arange(len(numbers))
    starts, stops, values, forms, changed, bad, found = _columns(text, plan, len(numbers), len(groups))
    if bad >= 0:
        raise WidthError(int(bad), int(found))
    for values_of, forms_of, column in zip(values, forms, numbers, strict=True):
        _read_others(text, stops, values_of, forms_of, column - name)
    return Columns(starts, stops, values, tuple(np.flatnonzero(rows) for rows in changed))


_USUAL_LINE = 1 << 8  # bytes looked through at first for the ends of a line
_TO_SPACES = bytes(_SPACE if byte <= _SPACE else byte for byte in range(256))
_SKIPPED, _NAME, _NUMBERS, _GROUPS = 0, 1, 2, 100  # what becomes of a column; numbers and groups are counted on


@kernel
def _columns(
    text: Bytes, plan: Ints, number_count: int, group_count: int
) -> tuple[Ints, Ints, Floats, NDArray[np.int8], Bools, np.int64, np.int64]:
    """Columns as planned; then the offset and the number of fields of the first line with a wrong one, or -1."""
    lines, size, width = _count_lines(text), Place(len(text)), Place(len(plan))
    starts, stops = np.empty(lines, np.int64), np.empty(lines, np.int64)
    values, forms = np.empty((number_count, lines)), np.empty((number_count, lines), np.int8)
    changed = np.zeros((group_count, lines), np.bool_)
    last = np.zeros((group_count, 2), np.uint64)  # where the group's last value starts, and its size
    row, at = _ZERO, _ZERO
    while at < size:
        line_start, column = at, _ZERO
        while True:
            start = _field_start(text, at)
            use = plan[column] if column < width else _SKIPPED
            if use >= _GROUPS:
                group = use - _GROUPS
                at = _end_of_same(text, start, last[group, 0], last[group, 1])
                if at == start:
                    at = _field_stop(text, start)
                    if at > start:
                        changed[group, row] = True
                        last[group, 0], last[group, 1] = start, at - start
            else:
                at = _field_stop(text, start)
            if start == at:
                break
            column += _ONE
            if use == _NAME:
                starts[row], stops[row] = start, at
            elif _NUMBERS <= use < _GROUPS:
                values[use - _NUMBERS, row], forms[use - _NUMBERS, row] = _decimal(text, start, at)
        at += _ONE  # past the newline
        if column == width:
            row += _ONE
        elif column > _ZERO:
            return starts, stops, values, forms, changed, np.int64(line_start), np.int64(column)
    rows = np.int64(row)
    return (
        starts[:rows].copy(),
        stops[:rows].copy(),
        values[:, :rows].copy(),
        forms[:, :rows].copy(),
        changed[:, :rows].copy(),
        np.int64(-1),
        np.int64(0),
    )


@kernel
def _end_of_same(text: Bytes, start: Place, other_start: Place, size: Place) -> Place:
    """Where the field that starts here stops if it is the same as another; its start if it is not."""
    stop = start + size
    if stop > Place(len(text)) or (stop < Place(len(text)) and text[stop] > _SPACE):
        return start
    return stop if _starts_like(text, start, text, other_start, size) else start


def _read_others(text: Bytes, name_stops: Ints, values: Floats, forms: NDArray[np.int8], fields_on: int) -> None:
    """Fill in numbers that are too long to be read exactly in passing, and infinities."""
    rows = np.flatnonzero(forms != _EXACT)
    starts, stops = _later_fields(text, name_stops[rows], fields_on)
    together = (forms[rows] == _LONG) & (stops - starts <= _USUAL_NUMBER)
    if together.any():
        with np.errstate(over="ignore"):  # what is too large for a double is infinite
            padded = _padded(text, starts[together], stops[together])
            values[rows[together]] = padded.view(f"S{_USUAL_NUMBER}").ravel().astype(np.float64)
    for i in np.flatnonzero(~together):
        field = text[starts[i] : stops[i]].tobytes()
        if forms[rows[i]] == _LONG or _INFINITY.fullmatch(field):
            values[rows[i]] = float(field)


@kernel
def _later_fields(text: Bytes, name_stops: Ints, fields_on: int) -> tuple[Ints, Ints]:
    """Where the fields `fields_on` columns after the name start and stop."""
    starts, stops = np.empty_like(name_stops), name_stops.copy()
    for i in range(len(stops)):
        for _ in range(fields_on):
            starts[i] = _field_start(text, Place(stops[i]))
            stops[i] = _field_stop(text, Place(starts[i]))
    return starts, stops


@kernel
def _padded(text: Bytes, starts: Ints, stops: Ints) -> Bytes:
    """Short fields as rows of equal length."""
    fields = np.zeros((len(starts), _USUAL_NUMBER), np.uint8)
    for i in range(len(starts)):
        fields[i, : stops[i] - starts[i]] = text[starts[i] : stops[i]]
    return fields
