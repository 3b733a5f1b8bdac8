"""Cells: single values of objects and tables, as users and other tools write them."""

from __future__ import annotations

from irgauge.errors import InputError

_MOST_SAID = 60  # characters of a value in an error


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: None, NaN, or what pandas has for it.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0), is_missing("")
    (True, True, False, False)
    """
    if value is None or type(value).__name__ == "NAType":  # pandas.NA is neither equal nor unequal to anything
        return True
    try:
        return bool(value != value)
    except (ArithmeticError, TypeError, ValueError):  # an array, or a decimal that cannot be compared
        return False


def text_of(value: object) -> str:
    """A name as text; a whole number without a point, as pandas has them beside empty cells.

    >>> text_of(401.0), text_of("401"), text_of(0.5)
    ('401', '401', '0.5')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    try:
        return str(value)
    except ValueError:  # Python writes numbers of 4,300 digits and no longer ones
        raise InputError("a number of thousands of digits is no name; fix it") from None


def quoted(value: object) -> str:
    """A value as an error quotes it, cut where it is long.

    >>> quoted("high"), quoted(10**100)
    ("'high'", '10000000000000000000000000000000000000000000000000000000000...')
    """
    try:
        text = repr(value)
    except ValueError:  # as above
        return "of thousands of digits"
    return text if len(text) <= _MOST_SAID else text[: _MOST_SAID - 1] + "..."
