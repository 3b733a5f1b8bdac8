"""Bytes to fields: splits lines at white space, reads numbers, gives equal names one number."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from irgauge.jit import kernel

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEWLINE = 10
_SPACE = 32  # every control character up to the space separates fields
_EXACT_MANTISSA = 2**53  # integers up to here, and powers of ten up to 22, are exact doubles
_POWERS_OF_TEN = 10.0 ** np.arange(23)
_EXACT, _LONG, _MALFORMED = 0, 1, 2
_INFINITY = re.compile(rb"[+-]?inf(inity)?", re.IGNORECASE)
_FNV_OFFSET = np.uint64(14695981039346656037)
_FNV_PRIME = np.uint64(1099511628211)


@kernel
def _field(text: Bytes, at: int) -> tuple[int, int]:
    """Start and stop of the next field of the line, from `at` on; both at the line's end if none."""
    while at < len(text) and text[at] <= _SPACE and text[at] != NEWLINE:
        at += 1
    start = at
    while at < len(text) and text[at] > _SPACE:
        at += 1
    return start, at


@kernel
def _count_lines(text: Bytes) -> int:
    lines = 1
    for byte in text:
        lines += byte == NEWLINE
    return lines


@kernel
def _split(text: Bytes, width: int, wanted: Ints) -> tuple[Ints, Ints, int, int, int]:
    lines = _count_lines(text)
    starts = np.empty((len(wanted), lines), np.int64)
    stops = np.empty((len(wanted), lines), np.int64)
    row, at = 0, 0
    while at < len(text):
        line_start, column, slot = at, 0, 0
        while True:
            start, at = _field(text, at)
            if start == at:
                break
            if slot < len(wanted) and column == wanted[slot]:
                starts[slot, row], stops[slot, row] = start, at
                slot += 1
            column += 1
        at += 1  # past the newline
        if column == width:
            row += 1
        elif column > 0:
            return starts, stops, row, line_start, column
    return starts, stops, row, -1, 0


@kernel
def line_at(text: Bytes, offset: int) -> int:
    """The number, from 1, of the line in which the byte at `offset` stands."""
    return _count_lines(text[:offset])


class WidthError(ValueError):
    """A line with another number of fields than the rest."""

    def __init__(self, offset: int, width: int) -> None:
        super().__init__(offset, width)
        self.offset = offset
        self.width = width


def first_width(text: Bytes) -> int:
    """The number of fields in the first line that is not blank; 0 if there is none."""
    head = text.tobytes() if len(text) < 1 << 16 else text[: 1 << 16].tobytes()
    line = next((line for line in head.split(b"\n") if line.strip()), b"")
    return len(line.split())


def split(text: Bytes, width: int, wanted: tuple[int, ...]) -> tuple[Ints, Ints]:
    """Starts and stops of the wanted columns (column, line) of lines with `width` fields; blank lines are skipped."""
    starts, stops, rows, bad, found = _split(text, width, np.array(wanted, np.int64))
    if bad >= 0:
        raise WidthError(bad, found)
    return starts[:, :rows], stops[:, :rows]


@kernel
def _exponent(text: Bytes, at: int, stop: int) -> tuple[int, int]:
    """Read `e-05`: where it ends, and the power of ten; `at` itself if it is malformed."""
    negative = at + 1 < stop and text[at + 1] == 45
    end = at + 2 if negative or (at + 1 < stop and text[at + 1] == 43) else at + 1
    power, first = 0, end
    while end < stop and 48 <= text[end] <= 57 and power < 1 << 20:
        power = power * 10 + int(text[end]) - 48
        end += 1
    return (at, 0) if end == first else (end, -power if negative else power)


@kernel
def _decimal(text: Bytes, start: int, stop: int) -> tuple[float, int]:
    """A decimal number, and whether it is EXACT, too long to be read exactly here, or MALFORMED."""
    at = start + 1 if text[start] == 45 or text[start] == 43 else start
    mantissa, digits, significant, decimals, point = np.uint64(0), 0, 0, 0, 0
    while at < stop:
        if 48 <= text[at] <= 57:
            mantissa = mantissa * np.uint64(10) + np.uint64(text[at] - 48)
            digits += 1
            significant += int(mantissa > 0)
            decimals += point
        elif text[at] == 46 and not point:
            point = 1
        else:
            break
        at += 1
    power = -decimals
    if at < stop and (text[at] | 32) == 101:
        at, exponent = _exponent(text, at, stop)
        power += exponent
    if at != stop or digits == 0:
        return np.nan, _MALFORMED
    if significant > 19 or mantissa > np.uint64(_EXACT_MANTISSA) or abs(power) > 22:
        return np.nan, _LONG
    value = float(mantissa)
    value = value / _POWERS_OF_TEN[-power] if power < 0 else value * _POWERS_OF_TEN[power]
    return (-value if text[start] == 45 else value), _EXACT


@kernel
def _decimals(text: Bytes, starts: Ints, stops: Ints) -> tuple[Floats, NDArray[np.int8]]:
    values = np.empty(len(starts))
    forms = np.empty(len(starts), np.int8)
    for i in range(len(starts)):
        values[i], forms[i] = _decimal(text, starts[i], stops[i])
    return values, forms


def numbers(text: Bytes, starts: Ints, stops: Ints) -> Floats:
    """The fields as correctly rounded doubles, NaN where a field is not a number.

    Short decimals are read by one exact operation on exact doubles (Clinger's fast path), longer ones
    by numpy.
    """
    values, forms = _decimals(text, starts, stops)
    long = np.flatnonzero(forms == _LONG)
    if len(long):
        values[long] = _fields(text, starts[long], stops[long]).astype(np.float64)
    for i in np.flatnonzero(forms == _MALFORMED):
        if _INFINITY.fullmatch(field := text[starts[i] : stops[i]].tobytes()):
            values[i] = float(field)
    return values


def _fields(text: Bytes, starts: Ints, stops: Ints) -> NDArray[np.bytes_]:
    """The fields as an array of byte strings."""
    return _padded(text, starts, stops, (stops - starts).max()).view(f"S{(stops - starts).max()}").ravel()


@kernel
def _padded(text: Bytes, starts: Ints, stops: Ints, width: int) -> Bytes:
    padded = np.zeros((len(starts), width), np.uint8)
    for i in range(len(starts)):
        padded[i, : stops[i] - starts[i]] = text[starts[i] : stops[i]]
    return padded


@kernel
def _equal(text: Bytes, start: int, stop: int, other: Bytes, other_start: int, other_stop: int) -> bool:
    if stop - start != other_stop - other_start:
        return False
    for i in range(stop - start):
        if text[start + i] != other[other_start + i]:
            return False
    return True


@kernel
def changes(text: Bytes, starts: Ints, stops: Ints) -> Ints:
    """The lines at which a column's value differs from the line before; the first line is one."""
    found = [0]
    for i in range(1, len(starts)):
        if not _equal(text, starts[i], stops[i], text, starts[i - 1], stops[i - 1]):
            found.append(i)
    return np.array(found)


@kernel
def _hash(text: Bytes, start: int, stop: int) -> np.uint64:
    """The FNV-1a hash, with its high bits folded into the low ones that choose the slot."""
    value = _FNV_OFFSET
    for at in range(start, stop):
        value = (value ^ np.uint64(text[at])) * _FNV_PRIME
    return value ^ (value >> np.uint64(29))


@kernel
def _place(slots: NDArray[np.int32], hashes: NDArray[np.uint64]) -> None:
    mask = np.uint64(len(slots) - 1)
    for name in range(len(hashes)):
        slot = hashes[name] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = name


@kernel
def _find_or_add(
    text: Bytes,
    start: int,
    stop: int,
    value: np.uint64,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    pool: Bytes,
    ends: Ints,
    known: int,
) -> int:
    """The number of a field; a new one goes to the end of the pool, followed by a newline, as number `known`."""
    mask = np.uint64(len(slots) - 1)
    slot = value & mask
    while slots[slot] >= 0:
        name = slots[slot]
        if hashes[name] == value and _equal(text, start, stop, pool, ends[name], ends[name + 1] - 1):
            return name
        slot = (slot + np.uint64(1)) & mask
    begin, size = ends[known], stop - start
    pool[begin : begin + size] = text[start:stop]
    pool[begin + size] = NEWLINE
    ends[known + 1] = begin + size + 1
    hashes[known] = value
    slots[slot] = known
    return known


@kernel
def _intern(
    text: Bytes,
    starts: Ints,
    stops: Ints,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    pool: Bytes,
    ends: Ints,
    known: int,
    ids: NDArray[np.int32],
) -> int:
    """Number the fields. Short loops, each with independent memory accesses, keep many of them under way at once."""
    mask = np.uint64(len(slots) - 1)
    values = np.empty(len(starts), np.uint64)
    for i in range(len(starts)):
        values[i] = _hash(text, starts[i], stops[i])
    for i in range(len(starts)):
        ids[i] = slots[values[i] & mask]
    for i in range(len(starts)):
        name = ids[i]
        if name >= 0 and hashes[name] == values[i]:
            if _equal(text, starts[i], stops[i], pool, ends[name], ends[name + 1] - 1):
                continue
        ids[i] = _find_or_add(text, starts[i], stops[i], values[i], slots, hashes, pool, ends, known)
        known += ids[i] == known
    return known


_CHUNK = 1 << 14  # fields interned at a time, so that little room is kept for names that may not be new


class Interner:
    """Gives equal byte strings one number, in the order of their first appearance."""

    def __init__(self) -> None:
        self._known = 0
        self._slots = np.full(1 << 10, -1, np.int32)
        self._hashes = np.empty(1 << 9, np.uint64)
        self._ends = np.zeros((1 << 9) + 1, np.int64)
        self._pool = np.empty(1 << 13, np.uint8)

    def __len__(self) -> int:
        return self._known

    def intern(self, text: Bytes, starts: Ints, stops: Ints) -> NDArray[np.int32]:
        """The number of each field. No field may hold a line break."""
        ids = np.empty(len(starts), np.int32)
        for first in range(0, len(starts), _CHUNK):
            part = slice(first, first + _CHUNK)
            self._reserve(len(starts[part]), int((stops[part] - starts[part] + 1).sum()))
            self._known = _intern(
                text,
                starts[part],
                stops[part],
                self._slots,
                self._hashes,
                self._pool,
                self._ends,
                self._known,
                ids[part],
            )
        return ids

    def names(self) -> pl.Series:
        """The strings by number."""
        text = self._pool[: self._ends[self._known]].tobytes().decode().removesuffix("\n")
        return pl.Series([text], dtype=pl.String).str.split("\n").explode()

    def _reserve(self, names: int, size: int) -> None:
        """Make room for that many new names of that total size, at least doubling what grows."""
        if (need := self._known + names) > len(self._hashes):
            capacity = 1 << (need - 1).bit_length()
            self._hashes = _grown(self._hashes, self._known, capacity)
            self._ends = _grown(self._ends, self._known + 1, capacity + 1)
            self._slots = np.full(2 * capacity, -1, np.int32)
            _place(self._slots, self._hashes[: self._known])
        if (need := int(self._ends[self._known]) + size) > len(self._pool):
            self._pool = _grown(self._pool, int(self._ends[self._known]), 1 << (need - 1).bit_length())


def _grown(array: NDArray[Any], used: int, capacity: int) -> NDArray[Any]:
    grown = np.empty(capacity, array.dtype)
    grown[:used] = array[:used]
    return grown
