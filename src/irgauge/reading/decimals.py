"""Decimals: numbers as text to doubles, correctly rounded.

A number of up to 53 bits and a power of ten up to 22 are exact doubles, so that one operation rounds correctly
(Clinger, "How to read floating point numbers accurately", 1990). With up to 19 digits, as programs print all digits of
a double, the operation is done in twice the precision (Dekker 1971), and its result taken where its error cannot change
the rounding.
"""

from __future__ import annotations

import numpy as np

from irgauge.compute.arrays import Bytes
from irgauge.compute.jit import inlined, kernel
from irgauge.reading.byte_strings import Place

READ, LONG, MALFORMED = 0, 1, 2  # LONG: to be read otherwise
_ONE = Place(1)
_EXACT = np.uint64(2**53)  # integers up to here are doubles
_LARGEST = np.uint64(9 * 10**18)  # integers up to here, and the doubles nearest to them, fit 64 bits with a sign
_MOST_DIGITS = 19
_POWERS_OF_TEN = 10.0 ** np.arange(23)
_SPLIT = 2.0**27 + 1
_ERROR = 2.0**-48  # of the sum of rounding errors, relative to what is summed, with room to spare


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
