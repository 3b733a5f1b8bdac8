"""Signs that a reader cannot see, or that would command a terminal, are written out."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad"  # controls, and a hyphen that is seen at ends of lines only
    "\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # marks of direction, and of nothing
    "\u2028\u2029"  # ends of lines
    "\ud800-\udfff"  # halves of signs
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"  # marks of shorthand, music and tags
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
