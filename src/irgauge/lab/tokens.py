"""The tokeniser: words are runs of letters and digits, in lower case."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def has_words(text: str) -> bool:
    """Whether there is any word in a text."""
    return _WORD.search(text) is not None


def tokens(text: str) -> list[str]:
    """The words of a text, in their order.

    >>> tokens("Wave-guides, 10 GHz (X_band)")
    ['wave', 'guides', '10', 'ghz', 'x', 'band']
    """
    return _WORD.findall(text.lower())
