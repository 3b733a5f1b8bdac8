"""Stop lists: words that are left out of documents and topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from irgauge.choices import known
from irgauge.errors import InputError
from irgauge.lab.extra import of_extra

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
