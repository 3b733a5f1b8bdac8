"""Analyser: from a text to the terms that are searched, by a stop list and a stemmer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from irgauge.choices import known
from irgauge.errors import InputError


@dataclass(frozen=True)
class Analyser:
    """A stop list and a stemmer; words are stopped before they are stemmed.

    >>> Analyser("short", "porter").terms("The measurement of waves")
    ['measur', 'wave']
    >>> str(Analyser("short", "porter"))
    'short-porter'
    """

    stop: str = "none"
    stemmer: str = "none"

    def __post_init__(self) -> None:
        known(self.stop, STOP_LISTS, "stop list", error=InputError)
        known(self.stemmer, STEMMERS, "stemmer", error=InputError)

    def __str__(self) -> str:
        return f"{self.stop}-{self.stemmer}"

    @property
    def is_plain(self) -> bool:
        """Whether words stay as they are."""
        return self == Analyser()

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in their order."""
        return [term for term in self.terms_of(tokens(text)) if term is not None]

    def terms_of(self, words: Sequence[str]) -> list[str | None]:
        """The term of each word, None where the word is stopped."""
        stopped = stop_words(self.stop)
        return [None if word in stopped else stem for word, stem in zip(words, stems(words, self.stemmer), strict=True)]


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


_SHORT = (
    "a an the this that these those and or but not of in on at by for from to with into as than is are was were be "
    "been has have had it its they their he she his her we our you your i which who what how when where can will may"
)


def _none() -> frozenset[str]:
    return frozenset()


def _short() -> frozenset[str]:
    return frozenset(_SHORT.split())


def _long() -> frozenset[str]:
    """The English stop words of scikit-learn, some 300."""
    words: frozenset[str] = of_extra("sklearn.feature_extraction.text").ENGLISH_STOP_WORDS
    return words


STOP_LISTS: Mapping[str, Callable[[], frozenset[str]]] = {"none": _none, "short": _short, "long": _long}


@cache
def stop_words(name: str) -> frozenset[str]:
    """The words of a stop list.

    >>> "the" in stop_words("short"), "the" in stop_words("none")
    (True, False)
    """
    return STOP_LISTS[known(name, STOP_LISTS, "stop list", error=InputError)]()


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


_PACKAGES = {"Stemmer": "PyStemmer", "sklearn": "scikit-learn", "threadpoolctl": "threadpoolctl"}


def of_extra(module: str) -> Any:  # noqa: ANN401  # a module
    """A module of the extra, such as sklearn.cluster."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        package = _PACKAGES[module.partition(".")[0]]
        raise InputError(f'this needs {package}; install it with: pip install "irgauge[lab]"') from None
