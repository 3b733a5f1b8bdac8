"""Invented words: for each number one that can be spoken, that no stemmer changes and that no stop list has."""

from __future__ import annotations

from itertools import product

_CONSONANTS, _VOWELS, _END = "bdfgklmnprstvz", "aiou", "n"
_SYLLABLES = tuple("".join(pair) for pair in product(_CONSONANTS, _VOWELS))
MOST_WORDS = len(_SYLLABLES) ** 3


def word(number: int) -> str:
    """The word of a number below MOST_WORDS: three syllables and an end.

    >>> word(0), word(1), word(MOST_WORDS - 1)
    ('bababan', 'bababin', 'zuzuzun')
    """
    high, low = divmod(number, len(_SYLLABLES))
    first, second = divmod(high, len(_SYLLABLES))
    return f"{_SYLLABLES[first]}{_SYLLABLES[second]}{_SYLLABLES[low]}{_END}"
