"""Analyser: from a text to the terms that are searched, by a stop list and a stemmer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from irgauge.choices import known
from irgauge.errors import InputError
from irgauge.lab.stemming import STEMMERS, stems
from irgauge.lab.stopping import STOP_LISTS, stop_words
from irgauge.lab.tokens import tokens


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
