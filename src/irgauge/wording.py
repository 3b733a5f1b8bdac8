"""Counts, small numbers and lists of names in a sentence, wherever one is made."""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 5  # names in a sentence
_ZEROS = 6  # places after the point at which a number still reads without an exponent


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b"], "or")
    ('a', 'a, b and c', 'a or b')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def some(names: Sequence[str], most: int = NAMED) -> str:
    """The first names, and how many more there are.

    >>> some(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return listed(names) if len(names) <= most else f"{', '.join(names[:most])} and {len(names) - most} more"


def counted(n: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "image"), counted(1200, "image")
    ('1 image', '1,200 images')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def all_of(n: int, noun: str) -> str:
    """Every one of some things.

    >>> all_of(2, "measure"), all_of(3, "measure")
    ('both measures', 'all 3 measures')
    """
    return f"both {counted(n, noun).removeprefix('2 ')}" if n == 2 else f"all {counted(n, noun)}"


def digits_of(value: float, digits: int) -> str:
    """A number below 1 to so many digits, without an exponent unless it is very small.

    >>> digits_of(-0.00004, 1), digits_of(0.000041, 2), digits_of(4e-9, 2)
    ('-0.00004', '0.000041', '4.0e-09')
    """
    text = f"{value:.{digits - 1}e}"
    place = -int(text.partition("e")[2])
    return f"{value:.{place + digits - 1}f}" if 0 < place <= _ZEROS else text
