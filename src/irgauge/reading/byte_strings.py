"""Byte strings as numbers: eight bytes as a machine word, hashes of docnos, and decimals as doubles, correctly rounded.

Hashes are SipHash-1-3 under a key of this process, so that no file can be made whose docnos collide: Aumasson and
Bernstein (2012), SipHash: a fast short-input PRF; with one round a word and three at the end, as Python and Rust have
it. Nothing but speed depends on the key.

A number of up to 53 bits and a power of ten up to 22 are exact doubles, so that one operation rounds correctly
(Clinger, "How to read floating point numbers accurately", 1990). With up to 19 digits, as programs print all digits of
a double, the operation is done in twice the precision (Dekker 1971), and its result taken where its error cannot change
the rounding.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgauge.compute.arrays import Bytes, Ints
from irgauge.compute.jit import inlined, intrinsic, kernel

# Places in the text are unsigned in kernels: numba then needs no test for negative ones, which count from the end.
Place = np.uint64
WORD = np.uint64(8)  # bytes
BITS = np.uint64(8)  # of a byte
_HIGHEST = np.uint64(0x8080808080808080)  # the highest bit of each byte
_ABOVE_SPACE = np.uint64(0x2121212121212121)  # the least byte that separates no fields, eight times
Hashes = NDArray[np.uint64]
Key = tuple[np.uint64, np.uint64]
_State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
_SIZE_SHIFT = np.uint64(56)  # the last word ends in the size of the whole
_START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
_0, _1, _2, _3 = (np.uint64(word) for word in _START)
_END = np.uint64(0xFF)
READ, LONG, MALFORMED = 0, 1, 2  # LONG: to be read otherwise
_ONE = Place(1)
_EXACT = np.uint64(2**53)  # integers up to here are doubles
_LARGEST = np.uint64(9 * 10**18)  # integers up to here, and the doubles nearest to them, fit 64 bits with a sign
_MOST_DIGITS = 19
_POWERS_OF_TEN = 10.0 ** np.arange(23)
_SPLIT = 2.0**27 + 1
_ERROR = 2.0**-48  # of the sum of rounding errors, relative to what is summed, with room to spare


@inlined
def word_at(text: Bytes, at: np.uint64) -> np.uint64:
    """Eight bytes, the first the lowest; written so that the compiler sees one load."""
    word = np.uint64(text[at])
    for place in range(1, 8):
        word |= np.uint64(text[at + np.uint64(place)]) << (BITS * np.uint64(place))
    return word


def _count_zeros(_: Any, word: Any) -> Any:  # noqa: ANN401  # numba's types
    """In a kernel: how many of a word's lowest bits are 0."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001  # numba's types
        from irgauge.compute.jit_compiler import types

        return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

    return word(word), code


_lowest_zeros: Callable[[np.uint64], np.uint64] = intrinsic(_count_zeros)


@inlined
def bytes_of_field(word: np.uint64) -> np.uint64:
    """How many bytes come before the first that is at most a space: 8 if none is.

    A byte below the one taken from it borrows, and so sets its highest bit, which a byte above 127 had before; bytes
    above the first such may be wrong, but not the first.
    """
    return _lowest_zeros((word - _ABOVE_SPACE) & ~word & _HIGHEST) >> np.uint64(3)


@cache
def _key() -> Key:
    """The key of this process."""
    return np.uint64(secrets.randbits(64)), np.uint64(secrets.randbits(64))


def hashes(text: Bytes, starts: Ints, stops: Ints) -> Hashes:
    """The hash of each field."""
    return keyed_hashes(text, starts, stops, _key())


def keyed_hashes(text: Bytes, starts: Ints, stops: Ints, key: Key) -> Hashes:
    """The hash of each field under a key."""
    values = np.empty(len(starts), np.uint64)
    _hash_all(text, starts, stops, key, values)
    return values


@kernel
def _hash_all(text: Bytes, starts: Ints, stops: Ints, key: Key, values: Hashes) -> None:
    for i in range(len(starts)):
        a, b, c, d = key[0] ^ _0, key[1] ^ _1, key[0] ^ _2, key[1] ^ _3
        at, stop = np.uint64(starts[i]), np.uint64(stops[i])
        size, is_last = stop - at, False
        while not is_last:
            is_last = bool(at + WORD > stop)
            word = _last_word(text, at, stop, size) if is_last else word_at(text, at)
            a, b, c, d = _round(a, b, c, d ^ word)
            a ^= word
            at += WORD
        c ^= _END
        for _ in range(3):
            a, b, c, d = _round(a, b, c, d)
        values[i] = a ^ b ^ c ^ d


@inlined
def _round(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> _State:
    a, c = a + b, c + d
    b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
    a = _turned(a, 32)
    a, c = a + d, c + b
    b, d = _turned(b, 17) ^ c, _turned(d, 21) ^ a
    return a, b, _turned(c, 32), d


@inlined
def _turned(word: np.uint64, bits: int) -> np.uint64:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@inlined
def _last_word(text: Bytes, at: np.uint64, stop: np.uint64, size: np.uint64) -> np.uint64:
    """The bytes that are left, and the size."""
    last = size << _SIZE_SHIFT
    if size >= WORD and stop > at:
        return last | (word_at(text, stop - WORD) >> (BITS * (WORD - (stop - at))))
    shift = np.uint64(0)
    while at < stop:
        last |= np.uint64(text[at]) << shift
        shift += BITS
        at += np.uint64(1)
    return last


@inlined
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


@inlined
def decimal(text: Bytes, start: Place, stop: Place) -> tuple[float, int]:
    """A decimal number, and whether it is READ, too LONG to be read here, or MALFORMED."""
    at = start + _ONE if text[start] == 45 or text[start] == 43 else start
    mantissa, digits, power, point, cut = np.uint64(0), 0, 0, 0, 0
    while at < stop:
        if 48 <= text[at] <= 57:
            if digits < _MOST_DIGITS:
                mantissa = mantissa * np.uint64(10) + np.uint64(text[at] - 48)
                power -= point
            else:
                power += 1 - point
                cut |= text[at] - 48
            digits += 1
        elif text[at] == 46 and not point:
            point = 1
        else:
            break
        at += _ONE
    if at < stop and (text[at] | 32) == 101:
        at, exponent = _exponent(text, at, stop)
        power += exponent
    if at != stop or digits == 0:
        return np.nan, MALFORMED
    if cut or mantissa > _LARGEST or abs(power) > 22:
        return np.nan, LONG
    value, form = float(mantissa), READ
    if mantissa > _EXACT:
        value, form = _scaled(np.int64(mantissa), power)
    else:
        value = value / _POWERS_OF_TEN[-power] if power < 0 else value * _POWERS_OF_TEN[power]
    return (-value if text[start] == 45 else value), form


@kernel(from_python=False)
def _scaled(mantissa: np.int64, power: int) -> tuple[float, int]:
    """mantissa · 10^power, rounded once; LONG where it is too near to the middle of two doubles."""
    high = float(mantissa)
    low, ten = float(mantissa - np.int64(high)), _POWERS_OF_TEN[abs(power)]
    if power < 0:
        near = high / ten
        product = near * ten
        left = high - product
        rest = _product_error(near, ten, product)
        more, doubt = (left - rest + low) / ten, _ERROR * (abs(left) + abs(rest) + abs(low)) / ten
    else:
        near = high * ten
        rest = _product_error(high, ten, near)
        more, doubt = rest + low * ten, _ERROR * (abs(rest) + abs(low * ten))
    value = near + (more + doubt)
    return value, READ if value == near + (more - doubt) else LONG


@inlined
def _product_error(a: float, b: float, product: float) -> float:
    """a · b - product, exactly, where that is a · b rounded."""
    high_a, high_b = _SPLIT * a, _SPLIT * b
    high_a, high_b = high_a - (high_a - a), high_b - (high_b - b)
    low_a, low_b = a - high_a, b - high_b
    return low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)
