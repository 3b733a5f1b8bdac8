"""Stemmers: words of one stem become one term."""

from __future__ import annotations

from collections.abc import Sequence

from irgauge.choices import known
from irgauge.errors import InputError
from irgauge.lab.extra import of_extra

STEMMERS = {
    "none": "words stay as they are",
    "porter": "Porter's algorithm of 1980",
    "english": "Porter's later algorithm for English, of Snowball",
}


def stems(words: Sequence[str], stemmer: str) -> list[str]:
    """The stem of each word.

    >>> stems(["measurement", "generously"], "porter"), stems(["measurement", "generously"], "english")
    (['measur', 'gener'], ['measur', 'generous'])
    """
    name = known(stemmer, STEMMERS, "stemmer", error=InputError)
    if name == "none":
        return list(words)
    stemmed: list[str] = of_extra("Stemmer").Stemmer(name).stemWords(list(words))
    return stemmed
