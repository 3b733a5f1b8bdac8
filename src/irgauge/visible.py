"""Signs that a reader cannot see, or that would command a terminal, are written out."""

from __future__ import annotations

import re

_PLANES = "".join(f"{chr(plane | 0xFFFE)}{chr(plane | 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad"  # controls, and a hyphen that is seen at ends of lines only
    "\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"  # marks around Arabic and Kaithi numbers
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"  # marks of direction, of joining, and of nothing
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"  # letters without a shape
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variants of the sign before, and tags
    "\u2028\u2029"  # ends of lines
    "\ud800-\udfff"  # halves of signs
    f"\ufdd0-\ufdef{_PLANES}"  # numbers that are no signs, at which what draws charts ends the process
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"  # marks of hieroglyphs, shorthand and music
)


def visible(text: str, *, keep: str = "") -> str:
    r"""Text whose signs are all seen: ends of lines, ESC, marks of direction and the like as Python writes them.

    Names come from files, and whoever wrote these could otherwise colour, move or hide what a terminal shows.

    >>> visible("a\x1b[31m"), visible("a\u202eb"), visible("two\nlines"), visible("two\nlines", keep="\n")
    ('a\\x1b[31m', 'a\\u202eb', 'two\\nlines', 'two\nlines')
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(lambda sign: sign[0] if sign[0] in keep else _written(sign[0]), text)


def encodable(text: str) -> str:
    r"""Text that UTF-8 can hold: halves of signs, as in names of files that are not UTF-8, are written out.

    >>> encodable("run\udcff")
    'run\\udcff'
    """
    return text.encode("utf-8", "backslashreplace").decode()


def _written(sign: str) -> str:
    return sign.encode("unicode_escape").decode()
